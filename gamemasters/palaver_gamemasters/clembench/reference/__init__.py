"""The reference game: one player describes one of three things, another finds it (Hakimov et al., section 3.1)."""

from .game import ReferenceGame, TextReferenceGame

__all__ = ["GAME", "TEXT"]

GAME = ReferenceGame()
TEXT = TextReferenceGame()
