"""The password puzzle."""

from .puzzle import PasswordPuzzle

__all__ = ["PUZZLE"]

PUZZLE = PasswordPuzzle()
