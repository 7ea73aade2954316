"""PuzzleWorld (Li et al.): puzzlehunt puzzles without instructions, solved step by step and judged step by step."""

from .game import PuzzleWorldGame

__all__ = ["GAME", "PuzzleWorldGame"]

GAME = PuzzleWorldGame()
