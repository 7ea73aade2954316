"""Episodes that are played without a bus, by functions."""

from collections.abc import Callable
from typing import Any

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_protocols.messages import EpisodeStarted, TurnRequest, Usage
from palaver_protocols.seating import read_seat
from tests.support import NOON, a_reply

Speak = Callable[[TurnRequest], str]


def seated(start: EpisodeStarted, handoff: str = "all", **seats: str) -> EpisodeStarted:
    """Put others behind the seats."""
    fillers = {seat: read_seat(seats.get(seat, "toy")) for seat in start.seats}
    return start.model_copy(update={"seats": fillers, "handoff": handoff})


def play(
    game: AnyGame, start: EpisodeStarted, speak: Speak, turns: int | None = None, tokens: int = 0
) -> tuple[Episode, list[Any], list[TurnRequest]]:
    """Play an episode to its end, or for so many turns; return it, its log, and all that was asked."""
    episode = Episode(game, start)
    log: list[Any] = [start]
    asked: list[TurnRequest] = []
    while episode.outcome is None and (turns is None or episode.turns < turns):
        request = next(episode.requests(timeout_s=1.0))
        reply = a_reply(request, speak(request), usage=Usage(output_tokens=tokens))
        step = episode.step(request, reply, NOON)
        episode.take(step)
        log.append(step)
        asked.append(request)
    return episode, log, asked
