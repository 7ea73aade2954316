"""The keypad puzzle."""

from .puzzle import KeypadPuzzle

__all__ = ["PUZZLE"]

PUZZLE = KeypadPuzzle()
