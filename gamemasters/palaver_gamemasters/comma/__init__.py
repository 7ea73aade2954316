"""COMMA: communicative multimodal puzzles for a solver and an expert (Ossowski et al.)."""

from .game import CommaGame

__all__ = ["GAME", "CommaGame"]

GAME = CommaGame()
