"""A log folded by its game, step by step: what seats were shown, how the game stood."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_protocols.errors import PalaverError
from palaver_protocols.messages import Aside, EpisodeStarted, LogEntry, SeatChanged, TurnRequest, TurnTaken

__all__ = ["Folded", "asked_in", "folded"]


@dataclass(frozen=True, slots=True)
class Folded:
    """A step of a log, where it stands there (from 1), and the episode before it: it goes on with the next one."""

    n: int
    entry: TurnTaken | Aside
    episode: Episode


def folded(game: AnyGame | None, entries: Sequence[LogEntry]) -> Iterator[Folded]:
    """Yield the answers of a log, each with the episode as it stood when it was given.

    Nothing, or no more, where the log cannot be folded: its game is not installed, or another version wrote it.
    """
    if game is None or not entries or not isinstance(entries[0], EpisodeStarted):
        return
    try:
        episode = Episode(game, entries[0])
    except PalaverError:
        return
    for n, entry in enumerate(entries):
        if isinstance(entry, TurnTaken | Aside):
            yield Folded(n, entry, episode)
        try:
            if isinstance(entry, TurnTaken | Aside):
                episode.take(entry)
            elif isinstance(entry, SeatChanged):
                episode.change(entry)
        except PalaverError:
            return


def asked_in(step: Folded) -> TurnRequest | None:
    """Return the question that a step answers; None where nobody was asked so (another version asked otherwise)."""
    try:
        requests = list(step.episode.requests(timeout_s=1.0))
    except PalaverError:
        return None
    voice = step.entry.reply.seat
    exact = (request for request in requests if request.key == step.entry.key)
    alike = (request for request in requests if request.seat == voice)
    return next(exact, None) or next(alike, None)
