"""The ATM puzzle."""

from .puzzle import AtmPuzzle

__all__ = ["PUZZLE"]

PUZZLE = AtmPuzzle()
