"""The LED puzzle."""

from .puzzle import LedPuzzle

__all__ = ["PUZZLE"]

PUZZLE = LedPuzzle()
