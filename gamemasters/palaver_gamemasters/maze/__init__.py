"""The maze game of The Collaboration Gap: two agents with half a map each, or more with less."""

from .game import MazeGame

__all__ = ["GAME", "MazeGame"]

GAME = MazeGame()
