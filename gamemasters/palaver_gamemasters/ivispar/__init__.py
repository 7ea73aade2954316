"""iVISPAR (Mayer et al.): coloured shapes on a board, slid one cell at a time to where they are to stand."""

from .game import IvisparGame

__all__ = ["GAME", "IvisparGame"]

GAME = IvisparGame()
