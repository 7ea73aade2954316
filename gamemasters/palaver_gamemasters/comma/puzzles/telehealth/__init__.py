"""The telehealth puzzle."""

from .puzzle import TelehealthPuzzle

__all__ = ["PUZZLE"]

PUZZLE = TelehealthPuzzle()
