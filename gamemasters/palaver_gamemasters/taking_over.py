"""Putting another agent behind a seat in the middle of an episode: a word in its log, and whoever plays it is told.

The log decides. The game master finds the change by itself, as soon as an answer comes or the next time that it looks;
told of it, it goes on at once, and whoever was asked before is not waited for.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from palaver_broker import Broker, Commit, answer_box
from palaver_broker.topics import episode_log
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import (
    OWED,
    EpisodeEnded,
    EpisodeStarted,
    LogEntry,
    SeatChanged,
    TurnFailure,
    TurnRequest,
)

from .episode import Episode
from .game import AnyGame
from .registry import load_game
from .table import OVERTAKEN

__all__ = ["change_of", "change_seat", "filler_of", "predecessor_of"]

TRIES = 20
"""How often we try to get a word in while an episode is being played."""

Check = Callable[[AnyGame, str], None]
"""Looks whether an agent may sit down in a game; raises a :class:`UsageError` if not."""


async def change_seat(
    broker: Broker,
    run_id: str,
    episode_id: str,
    seat: str,
    agent: str | None,
    *,
    gamemasters: Iterable[str] = (),
    check: Check = lambda game, agent: None,
) -> str:
    """Put an agent behind a seat of an episode that is being played, from the seat's next turn on.

    Args:
        broker: the bus.
        run_id: the run.
        episode_id: the episode.
        seat: the seat.
        agent: who takes over; None: who had the seat before the last who took it over by hand.
        gamemasters: those who may be playing the episode; the one that is goes on at once.
        check: looks whether the agent may sit down in the game.

    Returns:
        Who has the seat now.

    Raises:
        UsageError: there is no such seat in an episode that goes on, or the agent cannot have it.
    """
    log = episode_log(run_id, episode_id)
    for _ in range(TRIES):
        entries = await broker.read(log)
        if not entries:
            raise UsageError(f"no episode {episode_id!r} of {run_id!r} is being played", mend="see `palaver status`")
        change = await asyncio.to_thread(change_of, entries, episode_id, seat, agent, check)
        if await broker.commit(Commit(log, len(entries), entries[-1].key, change)) == "ok":
            for failure in await asyncio.to_thread(_taken_back, entries, change):
                for name in gamemasters:
                    await broker.publish(answer_box(name), failure)
            return change.agent
    raise UsageError(f"{episode_id} goes on faster than a word can be got in", mend="try again")


def change_of(
    entries: Sequence[LogEntry],
    episode: str,
    seat: str,
    agent: str | None,
    check: Check = lambda game, agent: None,
) -> SeatChanged:
    """Return the log entry that puts an agent behind a seat.

    Args:
        entries: the log, not empty.
        episode: what the episode is called, for errors.
        seat: the seat.
        agent: who takes over; None: who had the seat before the last who took it over by hand.
        check: looks whether the agent may sit down in the game.

    Raises:
        UsageError: the episode has ended, or has no such seat, or the agent cannot have it.
    """
    started, last = entries[0], entries[-1]
    assert isinstance(started, EpisodeStarted)
    if isinstance(last, EpisodeEnded) and last.outcome not in OWED:
        raise UsageError(f"{episode} has ended ({last.outcome})", mend="hand over a seat of one that goes on")
    if seat not in started.seats:
        raise UsageError(f"{episode} has no seat {seat!r}", mend=f"it has: {', '.join(started.seats)}")
    game = load_game(started.game)
    if agent is None:
        agent = predecessor_of(game, entries, seat)
    if agent is None:
        raise UsageError(f"nobody had the seat {seat} of {episode} before", mend="name the agent that is to have it")
    key = f"changed:{len(entries)}:{uuid4().hex[:12]}"  # two of these at once are two, and the later one is told so
    change = SeatChanged(key=key, seat=seat, agent=agent, at=datetime.now(UTC))
    check(game, agent)
    list(Episode.from_log(game, [*entries, change]).requests(timeout_s=1.0))  # raises where the game cannot seat it
    return change


def filler_of(entries: Sequence[LogEntry], seat: str) -> str | None:
    """Return who fills a seat now; None where there is no such seat."""
    started = entries[0] if entries else None
    if not isinstance(started, EpisodeStarted) or seat not in started.seats:
        return None
    return Episode.from_log(load_game(started.game), entries).filled[seat]


def predecessor_of(game: AnyGame, entries: Sequence[LogEntry], seat: str) -> str | None:
    """Return who had a seat before the last who took it over by hand; None if nobody did."""
    changes = [at for at, entry in enumerate(entries) if isinstance(entry, SeatChanged) and entry.seat == seat]
    return Episode.from_log(game, entries[: changes[-1]]).filled[seat] if changes else None


def _taken_back(entries: Sequence[LogEntry], change: SeatChanged) -> list[TurnFailure]:
    """Return what tells of each question that is not asked any more after a change."""
    before, after = _asked(entries), _asked([*entries, change])
    return [
        TurnFailure.of(request, OVERTAKEN, "another has the seat", retryable=False)
        for key, request in before.items()
        if key not in after
    ]


def _asked(entries: Sequence[LogEntry]) -> dict[str, TurnRequest]:
    """Return what is asked where a log ends, by key."""
    started = entries[0]
    assert isinstance(started, EpisodeStarted)
    episode = Episode.from_log(load_game(started.game), entries)
    return {} if episode.outcome is not None else {each.key: each for each in episode.requests(timeout_s=1.0)}
