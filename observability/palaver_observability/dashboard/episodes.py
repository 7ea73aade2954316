"""One episode as JSON: its steps in the order of its log, what its game and its graders say of it. Pure functions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.minutes import Minutes
from palaver_protocols.content import Image, Part
from palaver_protocols.messages import Aside, EpisodeEnded, EpisodeStarted, LogEntry, SeatChanged, TurnTaken
from palaver_protocols.runs import Grading
from palaver_protocols.transcript import Message

from .cards import Card

__all__ = [
    "Told",
    "asked_now",
    "ended_as_dict",
    "episode_as_dict",
    "hears_of",
    "message_as_dict",
    "part_as_dict",
    "steps_of",
    "tell",
    "waiting_of",
]


@dataclass(frozen=True, slots=True)
class Told:
    """What only a game can tell of an episode. ``waiting`` is (seat, agent) of every question that is out."""

    minutes: Minutes = ()
    why: str = ""
    waiting: tuple[tuple[str, str], ...] = ()
    problem: str = ""


def asked_now(episode: Episode) -> dict[str, str]:
    """Return whom an episode waits for: agents by seat."""
    return {} if episode.ended else {seat: episode.filled[seat] for seat in episode.pending}


def tell(episode: Episode, _: Sequence[LogEntry] = ()) -> Told:
    """Ask a game about an episode; what raises is left out."""
    waiting = tuple(asked_now(episode).items())
    try:
        return Told(episode.game.minutes(episode.state), episode.game.why(episode.state), waiting)
    except Exception as error:
        return Told((), "", waiting, f"{episode.game.name} raises {type(error).__name__}")


PICTURES = "/api/blob"
"""Where pictures are, for operators."""


def part_as_dict(part: Part, pictures: str = PICTURES) -> dict[str, Any]:
    """Return a part of a message: its text, or where below ``pictures`` its picture is."""
    if isinstance(part, Image):
        return {
            "type": "image",
            "sha256": part.sha256,
            "width": part.width,
            "height": part.height,
            "alt": part.alt or "",
            "url": f"{pictures}/{part.sha256}",
        }
    return {"type": "text", "text": part.text}


def message_as_dict(message: Message, pictures: str = PICTURES) -> dict[str, Any]:
    """Return a message: who says what to whom (null: to all); its pictures are below ``pictures``."""
    return {
        "speaker": message.speaker,
        "audience": None if message.audience is None else list(message.audience),
        "parts": [part_as_dict(part, pictures) for part in message.parts],
    }


def steps_of(
    entries: Sequence[LogEntry], hears: Mapping[str, list[str] | None], start: int = 0
) -> Iterable[dict[str, Any]]:
    """Yield the steps of a log from a position on.

    Args:
        entries: the whole log.
        hears: whom what is said at a seat is for; None: all.
        start: the position of the first entry that is wanted.
    """
    for n in range(max(1, start), len(entries)):
        entry = entries[n]
        if isinstance(entry, TurnTaken | Aside):
            yield _said(n, entry, hears)
        elif isinstance(entry, SeatChanged):
            yield _changed(n, entry, entries)


def hears_of(game: AnyGame | None, started: EpisodeStarted) -> dict[str, list[str] | None]:
    """Return whom what is said at each seat is for: its partners, where these are not simply all others."""
    hears: dict[str, list[str] | None] = dict.fromkeys(started.seats)
    if game is None:
        return hears
    try:
        options = game.configure(started.options)
        for seat in started.seats:
            partners = game.partners(options, seat)
            if {seat, *partners} != set(started.seats):
                hears[seat] = list(partners)
    except Exception:  # a game of a user's may raise anything, as may one of today's at yesterday's options
        return dict.fromkeys(started.seats)
    return hears


def waiting_of(card: Card | None, told: Told | None) -> list[dict[str, Any]]:
    """Return whom an episode waits for: as its commits have told, or else as its game does."""
    if card is not None and card.waiting is not None:
        return [{"seat": seat, "agent": agent, "asked_at": card.asked_at} for seat, agent in card.waiting.items()]
    return [{"seat": seat, "agent": agent, "asked_at": None} for seat, agent in (told.waiting if told else ())]


def episode_as_dict(
    entries: Sequence[LogEntry],
    card: Mapping[str, Any],
    told: Told,
    *,
    game: AnyGame | None,
    gradings: Sequence[Grading],
    waiting: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return an episode as its page wants it.

    Args:
        entries: its log, which begins with its start.
        card: its card.
        told: what its game says of it.
        game: its rules; None where they are not installed here.
        gradings: what graders made of it.
        waiting: whom it waits for.
    """
    started, last = entries[0], entries[-1]
    assert isinstance(started, EpisodeStarted), "a log begins with its start"
    return {
        "card": dict(card),
        "game": started.game,
        "variant": started.variant,
        "instance_id": started.instance_id,
        "seed": started.seed,
        "options": started.options,
        "labels": {name: list(values) for name, values in started.labels.items()},
        "protocol": started.protocol,
        "handoff": started.handoff,
        "sampling": started.sampling.model_dump(mode="json"),
        "seats": _seats(started, entries),
        "steps": list(steps_of(entries, hears_of(game, started))),
        "ended": ended_as_dict(last) if isinstance(last, EpisodeEnded) else None,
        "waiting": waiting,
        "gradings": [grading.model_dump(mode="json") for grading in gradings],
        "notes": [
            [
                {"by": minute.sender, "to": minute.receiver, "kind": minute.kind, "text": _words(minute.content)}
                for minute in round_
            ]
            for round_ in told.minutes
        ],
        "primary": "" if game is None else game.primary_score,
        "why": told.why or told.problem,
    }


def _said(n: int, entry: TurnTaken | Aside, hears: Mapping[str, list[str] | None]) -> dict[str, Any]:
    reply = entry.reply
    is_aside = isinstance(entry, Aside)
    seat = entry.seat if isinstance(entry, Aside) else reply.seat
    return {
        "n": n,
        "kind": "aside" if is_aside else "turn",
        "turn": reply.turn,
        "seat": seat,
        "voice": reply.seat,
        "agent": reply.agent,
        "model": reply.model,
        "provider": reply.provider,
        "said_to": list(entry.audience) if isinstance(entry, Aside) else hears.get(seat),
        "aside_kind": entry.kind if isinstance(entry, Aside) else "",
        "parts": [part_as_dict(part) for part in reply.parts],
        "prompts": [message_as_dict(message) for message in entry.prompts],
        "usage": {
            "input_tokens": reply.usage.input_tokens,
            "output_tokens": reply.usage.output_tokens,
            "reasoning_tokens": reply.usage.reasoning_tokens,
            "cached_tokens": reply.usage.cached_tokens,
        },
        "latency": reply.latency_s,
        "cost": reply.cost_usd,
        "finish": reply.finish_reason,
        "sent": reply.sent,
        "cached": reply.cached,
        "copied_from": entry.copied_from,
        "unverified": reply.unverified,
        "at": entry.at.timestamp(),
    }


def _changed(n: int, entry: SeatChanged, entries: Sequence[LogEntry]) -> dict[str, Any]:
    """Return a change of seats as a step of the same shape: nothing is said in it."""
    turn = sum(isinstance(before, TurnTaken) for before in entries[:n])
    return {
        "n": n,
        "kind": "changed",
        "turn": turn,
        "seat": entry.seat,
        "voice": entry.seat,
        "agent": entry.agent,
        "model": "",
        "provider": "",
        "said_to": None,
        "aside_kind": "",
        "parts": [],
        "prompts": [],
        "usage": {"input_tokens": 0, "output_tokens": 0, "reasoning_tokens": 0, "cached_tokens": 0},
        "latency": 0.0,
        "cost": None,
        "finish": "",
        "sent": None,
        "cached": False,
        "copied_from": None,
        "unverified": False,
        "at": entry.at.timestamp(),
    }


def _seats(started: EpisodeStarted, entries: Sequence[LogEntry]) -> list[dict[str, Any]]:
    """Return who fills each seat, and was to fill it: with the model that answered, and when it came in."""
    models: dict[tuple[str, str], str] = {}
    came: dict[tuple[str, str], int] = {}
    for entry in entries:
        if isinstance(entry, TurnTaken):
            place = (entry.reply.seat, entry.reply.agent)
            models[place] = entry.reply.model or models.get(place, "")
            came.setdefault(place, entry.reply.turn)
    by_hand = [entry for entry in entries if isinstance(entry, SeatChanged)]
    seats = []
    for seat, planned in started.seats.items():
        fillers = [(each.agent, each.from_turn, each.when) for each in planned]
        fillers += [(entry.agent, None, "hand") for entry in by_hand if entry.seat == seat]
        seats.append(
            {
                "seat": seat,
                "fillers": [
                    {
                        "agent": agent,
                        "model": models.get((seat, agent)) or None,
                        "from_turn": came.get((seat, agent)) if turn is None else turn,
                        "when": when,
                    }
                    for agent, turn, when in fillers
                ],
            }
        )
    return seats


def ended_as_dict(entry: EpisodeEnded) -> dict[str, Any]:
    """Return how an episode ended."""
    return {
        "outcome": entry.outcome,
        "scores": dict(entry.scores),
        "error": entry.error,
        "at": entry.at.timestamp(),
        "segments": [segment.model_dump(mode="json") for segment in entry.segments],
    }


def _words(content: JsonValue) -> str:
    """Return what was noted as text: words as they are, anything else as JSON."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
