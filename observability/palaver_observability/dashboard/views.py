"""What a seat saw, and what its provider was sent: rebuilt from the log by the game's rules, and proven by keys."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palaver_agents.names import parse_agent
from palaver_agents.providers.data import providers
from palaver_gamemasters.episode import Episode
from palaver_protocols.errors import PalaverError, UsageError
from palaver_protocols.messages import Aside, LogEntry, TurnRequest, TurnTaken
from palaver_protocols.quirks import ChatMessage, Quirks
from palaver_protocols.roles import chat_of

from .cards import Key
from .episodes import message_as_dict, part_as_dict
from .folds import Folds

__all__ = ["SentBytes", "Views", "quirks_of"]

SentBytes = Callable[[str], Awaitable[bytes | None]]
"""Returns the bytes that a provider was sent, by their SHA-256; None where nobody has kept them."""
LONGEST = 20_000
"""Letters of one string of a stored body that are shown: pictures are longer."""
SHA256 = re.compile("[0-9a-f]{64}")
NO_BYTES = "The very bytes were not kept: run with --cache to keep them."
OTHER_RULES = "The rules have changed since: the question that they give today is not the one that was answered."


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, and whether it is the one that the log's answer names."""

    request: TurnRequest
    is_proven: bool


class Views:
    """Rebuilds questions.

    Args:
        folds: fold episodes.
        environ: the environment, which may name providers of the user's.
        sent: the vault.
    """

    def __init__(self, folds: Folds, environ: Mapping[str, str], sent: SentBytes | None) -> None:
        self._folds, self._environ, self._sent = folds, environ, sent

    async def of_seat(self, key: Key, seat: str, turn: int) -> dict[str, Any]:
        """Return what a seat was shown for its turn at or before ``turn``; the open question, where it is asked now.

        Raises:
            UsageError: there is no such episode or seat, or its game is not installed here.
            ProtocolError: its log makes no episode by the rules that are here.
        """
        entries = await self._folds.entries(key)
        at = None
        for n, entry in enumerate(entries):
            if isinstance(entry, TurnTaken) and entry.reply.seat == seat and entry.reply.turn <= turn:
                at = n
        now = await self._folds.look(key, len(entries), lambda episode, _: _open(episode, seat))
        if now is not None and now.turn <= turn:
            return _view(seat, now)
        if at is None:
            return {"seat": seat, "turn": None, "agent": None, "messages": []}
        asked = await self._asked(key, at, entries)
        return _view(seat, asked.request)

    async def sent(self, key: Key, n: int) -> dict[str, Any]:
        """Return what the provider was sent for the answer at position ``n`` of a log.

        Raises:
            UsageError: nothing was answered there, or the game is not installed here.
            ProtocolError: the log makes no episode by the rules that are here.
        """
        entries = await self._folds.entries(key)
        entry = entries[n] if 0 < n < len(entries) else None
        if not isinstance(entry, TurnTaken | Aside):
            raise UsageError(f"at position {n} of {key} nobody has answered", mend="take the n of a turn or an aside")
        asked = await self._asked(key, n, entries)
        request, sha256 = asked.request, entry.reply.sent
        quirks, notes = quirks_of(request.agent, self._environ)
        if not asked.is_proven and entry.copied_from is None:
            notes = [*notes, OTHER_RULES]
        stored = None
        if sha256 is not None:
            # A log may say anything: what is no digest names no bytes of a vault.
            is_digest = SHA256.fullmatch(sha256) is not None
            data = await self._sent(sha256) if self._sent is not None and is_digest else None
            stored = None if data is None else await self._folds.room(lambda: _body(data))
            notes = notes if data is not None else [*notes, NO_BYTES]
        return {
            "agent": request.agent,
            "protocol": request.protocol,
            "messages": [_chat_as_dict(message) for message in chat_of(request, quirks)],
            "sha256": sha256,
            "stored": stored,
            "note": " ".join(notes),
        }

    async def _asked(self, key: Key, at: int, entries: Sequence[LogEntry]) -> _Asked:
        entry = entries[at]
        assert isinstance(entry, TurnTaken | Aside), "its callers have looked"

        def find(episode: Episode, _: Sequence[LogEntry]) -> _Asked | None:
            same = None
            for request in episode.requests(timeout_s=1.0):
                if request.key == entry.key:
                    return _Asked(request, is_proven=True)
                if (request.seat, request.turn) == (entry.reply.seat, entry.reply.turn):
                    same = _Asked(request, is_proven=False)
            return same

        found = await self._folds.look(key, at, find)
        if found is None:
            raise UsageError(f"by the rules that are here, nobody asked for the answer at position {at} of {key}")
        return found


def quirks_of(agent: str, environ: Mapping[str, str]) -> tuple[Quirks, list[str]]:
    """Return what an agent's provider accepts, and what is to be said of it; no key is needed for that."""
    try:
        name = parse_agent(agent)
        if name.kind == "model":
            return providers(environ)[name.provider].accepts(name.model), []
    except (PalaverError, KeyError):
        return Quirks(), [f"{agent} is not known here: this is what most providers accept."]
    return Quirks(), [
        f"{agent} has no provider: it is given the view itself. This is what most providers would be sent."
    ]


def _open(episode: Episode, seat: str) -> TurnRequest | None:
    """Return the question that a seat is being asked now."""
    if seat not in episode.started.seats:
        raise UsageError(f"there is no seat {seat!r}", mend=f"there are: {', '.join(episode.started.seats)}")
    if episode.ended is not None or seat not in episode.pending:
        return None
    return next((request for request in episode.requests(timeout_s=1.0) if request.seat == seat), None)


def _view(seat: str, request: TurnRequest) -> dict[str, Any]:
    return {
        "seat": seat,
        "turn": request.turn,
        "agent": request.agent,
        "messages": [message_as_dict(message) for message in request.view],
    }


def _chat_as_dict(message: ChatMessage) -> dict[str, Any]:
    return {"role": message.role, "content": [part_as_dict(part) for part in message.parts]}


def _body(data: bytes) -> Any:
    """Read a stored body; of what is no JSON, its beginning. Long strings, which are pictures, are cut."""
    try:
        return _cut(json.loads(data))
    except (ValueError, RecursionError):
        return {"text": data[:LONGEST].decode(errors="replace")}


def _cut(value: Any) -> Any:
    match value:
        case str() if len(value) > LONGEST:
            return f"{value[:80]}… ({len(value):,} letters)"
        case list():
            return [_cut(each) for each in value]
        case dict():
            return {name: _cut(each) for name, each in value.items()}
    return value
