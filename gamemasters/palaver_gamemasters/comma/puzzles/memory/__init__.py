"""The memory puzzle."""

from .puzzle import MemoryPuzzle

__all__ = ["PUZZLE"]

PUZZLE = MemoryPuzzle()
