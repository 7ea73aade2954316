"""Walkers without a model: at random, exploring, and as the score would have it; for all MapWorld games.

They work everything out from their history: from what the describer told them, and from the words of the picture of the
room they are in.
"""

from collections.abc import Mapping

from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import in_words

from .choosing import Choice, at_random, by_the_score, to_the_nearest
from .known import known_from
from .speaking import answer

__all__ = ["PLAYERS"]


def _walker(choose: Choice) -> Player:
    def walk(request: TurnRequest) -> str:
        told = request.model_copy(update={"view": in_words(request.view)})
        known = known_from(told)
        return answer(known, choose(known, told), told)

    return walk


PLAYERS: Mapping[str, Player] = {
    "random": _walker(at_random),
    "scripted": _walker(to_the_nearest),
    "optimal": _walker(by_the_score),
}
