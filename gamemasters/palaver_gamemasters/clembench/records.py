"""clembench's records of an episode: ``interactions.json`` and ``scores.json``, read and written. Pure functions.

``interactions.json`` is ``{"players": {...}, "turns": [[event, ...], ...]}``, and an event is ``{"from", "to",
"timestamp", "action": {"type", "content", ...}}``: our minutes, with the time. Newer versions add fields, which are let
pass.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.game import Scores
from palaver_gamemasters.minutes import GM, Minute, Minutes
from palaver_protocols.errors import UsageError

from .play import GET, REPROMPT, SEND

__all__ = [
    "OURS",
    "Answer",
    "Event",
    "answers_of",
    "decided",
    "events_of",
    "interactions",
    "other_scores",
    "prompts_of",
    "scores_document",
    "scores_of",
]

TELLING = frozenset(
    {"Decision Player A", "Decision Player B", "Game over", "aborted", "invalid content", "invalid format", "move"}
    | {"Invalid format", "DONE", "stop", "turn limit reached", "turns_limit"}
)
"""Notes that an episode's measures follow from, where there is no ``scores.json`` to compare with."""

WORDED = frozenset({"Decision Player A", "Decision Player B", "move"})
"""Of these, those whose contents count, and not only that they are there."""

OURS = frozenset({"success"})
"""Measures that the original programs do not know."""

SPELLINGS = {"effieciency": "efficiency"}
"""Names that v1.6.5 spells in two ways (section 6.1)."""

UNSCALED = "graph_similarity"
"""A measure between 0 and 1 in records from before September 2024, and 0 to 100 since (section 6.2)."""


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of ``interactions.json``. ``at`` is None where the record tells no time."""

    sender: str
    receiver: str
    kind: str
    content: JsonValue
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player that is a model said. ``asked`` and ``at`` are times, None where the record tells none."""

    player: str
    text: str
    asked: datetime | None
    at: datetime | None


def events_of(document: JsonValue) -> list[Event]:
    """Read all entries of an ``interactions.json``, in order.

    Raises:
        UsageError: it is none; says where it goes wrong.
    """
    turns = document.get("turns") if isinstance(document, dict) else None
    if not isinstance(turns, list):
        raise UsageError("it has no turns", mend='clembench writes {"players": {...}, "turns": [[...], ...]}')
    return [_event(event, f"turn {at}") for at, turn in enumerate(turns, 1) for event in _listed(turn, f"turn {at}")]


def _listed(turn: JsonValue, where: str) -> list[JsonValue]:
    if not isinstance(turn, list):
        raise UsageError(f"{where} is no list of events")
    return turn


def _event(event: JsonValue, where: str) -> Event:
    action = event.get("action") if isinstance(event, dict) else None
    if not isinstance(event, dict) or not isinstance(action, dict) or not isinstance(action.get("type"), str):
        raise UsageError(f"{where} has an event without an action and its type")
    kind, content = str(action["type"]), action.get("content")
    if kind == GET and not isinstance(content, str):
        raise UsageError(f"{where} has an answer that is no text")
    return Event(str(event.get("from", "")), str(event.get("to", "")), kind, content, _time(event.get("timestamp")))


def _time(written: JsonValue) -> datetime | None:
    """Read a time; one without a zone is taken for UTC, since nobody knows where it was written."""
    if not isinstance(written, str):
        return None
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def answers_of(events: Iterable[Event], players: Iterable[str]) -> Iterator[Answer]:
    """Yield what the players that are models said, as the game master was given it, in order."""
    theirs = set(players)
    asked: dict[str, datetime | None] = {}
    for event in events:
        if event.kind in (SEND, REPROMPT):
            asked[event.receiver] = event.at
        elif event.kind == GET and event.sender in theirs:
            yield Answer(event.sender, str(event.content), asked.get(event.sender), event.at)


def prompts_of(events: Iterable[Event | Minute], players: Iterable[str]) -> list[str]:
    """Return what the game master told the players that are models, in order."""
    theirs = set(players)
    return [str(each.content) for each in events if each.kind in (SEND, REPROMPT) and each.receiver in theirs]


def decided(events: Iterable[Event | Minute]) -> list[tuple[str, str]]:
    """Return the game master's notes that measures follow from, in order: kind and, where it counts, content."""
    notes = (each for each in events if each.sender == GM == each.receiver and each.kind in TELLING)
    return [(each.kind, _plainly(each.content) if each.kind in WORDED else "") for each in notes]


def _plainly(content: JsonValue) -> str:
    return "".join(str(content).split())


def interactions(
    minutes: Minutes,
    players: Mapping[str, str],
    seated: Iterable[str],
    opened: datetime,
    times: Sequence[tuple[datetime, datetime]],
) -> dict[str, Any]:
    """Write minutes as ``interactions.json``.

    Args:
        minutes: of an episode.
        players: who is who, by the names in the minutes (``GM``, ``Player 1``).
        seated: the names of those that are models.
        opened: when the episode began.
        times: when each answer of theirs was asked for and when it came, in order. Nobody noted the times of the
            rest: they have that of the answer before them.
    """
    theirs, ahead = set(seated), list(times)
    last = opened
    turns: list[list[dict[str, Any]]] = []
    for round_ in minutes:
        turns.append([])
        for minute in round_:
            at = last
            if ahead and minute.kind in (SEND, REPROMPT) and minute.receiver in theirs:
                at = ahead[0][0]
            elif ahead and minute.kind == GET and minute.sender in theirs:
                at = last = ahead.pop(0)[1]
            turns[-1].append(_written(minute, at))
    return {"players": dict(players), "turns": turns}


def _written(minute: Minute, at: datetime) -> dict[str, Any]:
    pictures = {"image": list(minute.pictures)} if minute.pictures else {}
    action = {"type": minute.kind, "content": minute.content, **pictures, **minute.more}
    return {"from": minute.sender, "to": minute.receiver, "timestamp": at.isoformat(), "action": action}


def scores_document(scores: Scores) -> dict[str, Any]:
    """Write measures as ``scores.json``; what is not defined is NaN, as clembench's own readers expect."""
    episode = {name: math.nan if value is None else value for name, value in scores.items() if name not in OURS}
    return {"turn scores": {}, "episode scores": episode}


def scores_of(document: JsonValue) -> dict[str, float | None]:
    """Read the episode's measures of a ``scores.json``; NaN is None. What is no number is left out.

    Raises:
        UsageError: it is none.
    """
    if isinstance(document, dict):
        found = document.get("episode scores", document.get("episode_scores"))
        if isinstance(found, dict):
            return {name: _number(value) for name, value in found.items() if value is None or _is_number(value)}
    raise UsageError("it has no episode scores", mend='clembench writes {"turn scores": ..., "episode scores": {...}}')


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float)


def _number(value: Any) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def other_scores(ours: Scores, theirs: Scores) -> dict[str, tuple[float | None, float | None]]:
    """Compare measures that both have, but for spellings and scales that have changed.

    Returns:
        Those that are not the same: by name, ours and theirs.
    """
    known = {SPELLINGS.get(name, name): value for name, value in ours.items()}
    return {
        name: (known[plain], value)
        for name, value in theirs.items()
        if (plain := SPELLINGS.get(name, name)) in known and not _same(plain, known[plain], value)
    }


def _same(name: str, ours: float | None, theirs: float | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    scales = (1.0, 100.0) if name.endswith(UNSCALED) else (1.0,)
    return any(math.isclose(ours, theirs * scale, rel_tol=1e-6, abs_tol=1e-6) for scale in scales)
