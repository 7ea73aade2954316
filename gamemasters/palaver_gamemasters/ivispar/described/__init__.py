"""A seat more for iVISPAR's puzzle (ours): describers see the board, and a mover acts who sees nothing of it."""

from .game import DescribedGame

__all__ = ["GAME", "DescribedGame"]

GAME = DescribedGame()
