"""What a person is told of a seat, as plain JSON: that it is open, whose turn it is, what is asked, how it ended."""

from collections.abc import Iterable
from typing import Any

from palaver_agents.human.places import Asked, Chair
from palaver_protocols.content import Image
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import Message

from ..episodes import message_as_dict
from .room import Help, Room

__all__ = ["consent_of", "picture_of", "state_of"]


async def state_of(room: Room, chair: Chair, badge: str | None) -> dict[str, Any]:
    """Return what the browser with this badge may know of a place.

    Args:
        room: where it is.
        chair: the place.
        badge: the digest of the browser's cookie; None: it has none.
    """
    about = {"game": chair.game, "variant": chair.variant, "seat": chair.place.seat, "title": _title(chair)}
    if chair.claim is None or badge is None or chair.claim.badge != badge:
        return {**about, **_from_outside(room, chair)}
    study = room.study_of(chair)
    seats = list(room.hall.seats_beside(chair))
    mine = {**about, "you": chair.claim.who, "seats": seats, "leave": study is None}
    asked = room.hall.see(chair, badge)
    if asked is not None:
        helps = await room.help_for(asked.request)
        if chair.asked is asked:  # else it was answered, or taken back, while we looked
            return {**mine, **_question(room, chair, asked, helps)}
    await room.remind(chair)
    mine |= {"messages": _messages(chair, chair.last), "said": next(reversed(chair.said.values()), "")}
    if chair.is_over:
        after = None if study is None else f"/join/{study.token}"
        return {**mine, **_ending(chair), "scores": chair.scores, "next": after}
    waiting, turns = room.hall.others(chair)
    return {**mine, "state": "waiting", "waiting": list(waiting), "turns": turns, "late": chair.late}


def _from_outside(room: Room, chair: Chair) -> dict[str, Any]:
    """Return what whoever has the link may know of a place that is not theirs."""
    if chair.claim is not None:
        return {"state": "taken"}
    if chair.is_over:
        return {**_ending(chair), "next": None}
    study = room.study_of(chair)
    return {"state": "open"} if study is None else {"state": "consent", "join": f"/join/{study.token}"}


def _ending(chair: Chair) -> dict[str, Any]:
    why = "The seat was given to somebody else." if chair.outcome is None else ""
    return {"state": "over", "outcome": chair.outcome, "why": why}


def consent_of(text: str) -> list[str]:
    """Return the paragraphs of a consent text."""
    return [paragraph.strip() for paragraph in text.replace("\r\n", "\n").split("\n\n") if paragraph.strip()]


def picture_of(chair: Chair, sha256: str) -> Image | None:
    """Return a picture that the person at a place was shown last; None if it was not."""
    view: Iterable[Message] = chair.last.view if chair.last is not None else ()
    pictures = (part for message in view for part in message.parts if isinstance(part, Image))
    return next((picture for picture in pictures if picture.sha256 == sha256), None)


def _question(room: Room, chair: Chair, asked: Asked, helps: Help) -> dict[str, Any]:
    request = asked.request
    deadline = room.hall.deadline(chair)
    return {
        "state": "your_turn",
        "key": request.key,
        "turn": request.turn,
        "role": request.role,
        "members": list(request.members),
        "messages": _messages(chair, request),
        "moves": [
            {"says": move.says, "label": move.label, "group": move.group, "keys": list(move.keys), "ends": move.ends}
            for move in helps.moves
        ],
        "deadline": None if deadline is None else round(deadline, 1),
        "now": round(room.hall.now, 1),
        "timeout_s": request.timeout_s,
        "partners": list(request.partners),
        "late": chair.late,
        "progress": {"turn": request.turn + 1, "limit": helps.turn_limit},
    }


def _title(chair: Chair) -> str:
    return f"{chair.game} · {chair.variant}" if chair.variant not in ("", chair.game) else chair.game


def _messages(chair: Chair, request: TurnRequest | None) -> list[dict[str, Any]]:
    """Return what a seat is shown; its pictures are shown to whoever sits there, and to nobody else."""
    view = () if request is None else request.view
    return [message_as_dict(message, f"/api/sit/{chair.token}/blob") for message in view]
