"""iVISPAR's auxiliary task: what stands where, told in words from a single picture of a board."""

from .game import InferenceGame

__all__ = ["GAME", "InferenceGame"]

GAME = InferenceGame()
