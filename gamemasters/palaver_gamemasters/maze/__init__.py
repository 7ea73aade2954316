"""The maze game of The Collaboration Gap: two agents, half a map each."""

from .game import MazeGame

__all__ = ["GAME", "MazeGame"]

GAME = MazeGame()
