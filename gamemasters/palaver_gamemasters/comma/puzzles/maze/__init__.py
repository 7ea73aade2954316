"""The maze puzzle."""

from .puzzle import MazePuzzle

__all__ = ["PUZZLE"]

PUZZLE = MazePuzzle()
