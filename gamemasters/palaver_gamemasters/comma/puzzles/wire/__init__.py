"""The wire puzzle."""

from .puzzle import WirePuzzle

__all__ = ["PUZZLE"]

PUZZLE = WirePuzzle()
