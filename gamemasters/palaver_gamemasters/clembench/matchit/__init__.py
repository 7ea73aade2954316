"""MatchIt: two players find out by talking whether they see the same thing (Hakimov et al., section 3.2)."""

from .game import MatchIt, MatchItAscii

__all__ = ["ASCII", "GAME"]

GAME = MatchIt()
ASCII = MatchItAscii()
