"""The color puzzle."""

from .puzzle import ColorPuzzle

__all__ = ["PUZZLE"]

PUZZLE = ColorPuzzle()
