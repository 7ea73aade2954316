"""The who puzzle."""

from .puzzle import WhoPuzzle

__all__ = ["PUZZLE"]

PUZZLE = WhoPuzzle()
