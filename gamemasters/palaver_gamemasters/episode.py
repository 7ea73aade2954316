"""An episode as a fold over its log: what has been said, what the game makes of it, who must speak now.

Pure: no bus, no clock. The engine drives it live, resume and replay feed it what was said before.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palaver_protocols.errors import ProtocolError
from palaver_protocols.messages import (
    EpisodeEnded,
    EpisodeStarted,
    SeatFiller,
    TurnReply,
    TurnRequest,
    TurnTaken,
    key_prefix,
    request_key,
)
from palaver_protocols.transcript import Message

from .game import Game, GameOutcome, Reply, Scores

__all__ = ["Episode", "filler_at"]

AnyGame = Game[Any, Any]


def filler_at(fillers: Sequence[SeatFiller], turn: int) -> SeatFiller:
    """Return who fills a seat at a turn of the episode: the last filler that has come in by then."""
    if len(fillers) == 1:
        return fillers[0]
    return [filler for filler in fillers if filler.from_turn <= turn][-1]


def seed_for(*labels: object) -> int:
    """Derive an independent 32-bit seed from labels, the same on every machine."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, labels)).encode()).digest()[:4])


@dataclass(slots=True)
class _Asking:
    """What all requests to one seat have in common, and which of the game's own messages it has been shown."""

    fields: dict[str, Any]
    prefix: "hashlib._Hash"
    shown: set[bytes]


class Episode:
    """One play of one instance.

    Args:
        game: the rules.
        started: the first entry of the episode's log.

    Raises:
        InstanceError: the instance makes no game.
        UsageError: the options make no game.
    """

    def __init__(self, game: AnyGame, started: EpisodeStarted) -> None:
        self.game = game
        self.started = started
        self._options = game.configure(started.options)
        self._state = game.start(started.instance, self._options)
        self._round: dict[str, Reply] = {}
        self._asking: dict[tuple[str, str], _Asking] = {}
        self.turns = 0
        self.ended: EpisodeEnded | None = None
        self._open_round()

    @classmethod
    def from_log(cls, game: AnyGame, entries: Sequence[Any]) -> "Episode":
        """Fold a log.

        Raises:
            ProtocolError: the log does not begin with its start, or holds a turn that nobody asked for.
        """
        if not entries or not isinstance(entries[0], EpisodeStarted):
            raise ProtocolError("this episode's log does not begin with its start")
        episode = cls(game, entries[0])
        for entry in entries[1:]:
            if isinstance(entry, TurnTaken):
                episode.take(entry)
            else:
                episode.ended = entry
        return episode

    def _open_round(self) -> None:
        self._pending = tuple(self.game.pending(self._state))
        self._first_turn = self.turns
        self._round = {}

    @property
    def outcome(self) -> GameOutcome | None:
        """How the game ended, or None while it is going on."""
        return self.game.outcome(self._state)

    @property
    def scores(self) -> Scores:
        """The measures as things stand."""
        return self.game.score(self._state)

    @property
    def refused(self) -> int:
        """How many replies the game has refused so far."""
        return self.game.refused(self._state)

    def owed(self) -> Iterator[tuple[str, int]]:
        """Yield the seats that must speak now and have not, each with the number of its turn."""
        for place, seat in enumerate(self._pending):
            if seat not in self._round:
                yield seat, self._first_turn + place

    def request(self, seat: str, turn: int, *, timeout_s: float) -> TurnRequest:
        """Make the question that a seat is to be asked at a turn."""
        asking = self._asking_of(seat, filler_at(self.started.seats[seat], turn).agent)
        view = self.game.view(self._state, seat)
        key = request_key(asking.prefix, turn, view)
        return TurnRequest(key=key, turn=turn, view=view, timeout_s=timeout_s, **asking.fields)

    def _asking_of(self, seat: str, agent: str) -> _Asking:
        asking = self._asking.get((seat, agent))
        if asking is None:
            asking = self._asking[seat, agent] = self._new_asking(seat, agent)
        return asking

    def _new_asking(self, seat: str, agent: str) -> _Asking:
        started = self.started
        fields: dict[str, Any] = {
            "run_id": started.run_id,
            "episode_id": started.episode_id,
            "game": started.game,
            "variant": started.variant,
            "seat": seat,
            "agent": agent,
            "partners": self.game.partners(self._options, seat),
            "protocol": started.protocol,
            "sampling": started.sampling,
            "seed": seed_for(started.seed, seat),
        }
        plain = {**fields, "sampling": started.sampling.model_dump()}
        shown = {digest for other in self._asking for digest in self._asking[other].shown if other[0] == seat}
        return _Asking(fields, key_prefix(plain), shown)

    def prompts(self, request: TurnRequest) -> tuple[Message, ...]:
        """Return the game's own messages that a request is the first to show to its seat."""
        shown = self._asking_of(request.seat, request.agent).shown
        seats = self.started.seats
        return tuple([m for m in request.view if m.speaker not in seats and m.digest not in shown])

    def take(self, taken: TurnTaken) -> None:
        """Go on by one durable turn.

        Raises:
            ProtocolError: nobody was asked for this turn.
        """
        reply: TurnReply = taken.reply
        place = reply.turn - self._first_turn
        if reply.seat in self._round or self._pending[place : place + 1] != (reply.seat,):
            raise ProtocolError(f"nobody asked seat {reply.seat!r} for turn {reply.turn}")
        if taken.prompts:
            self._asking_of(reply.seat, reply.agent).shown.update(message.digest for message in taken.prompts)
        self._round[reply.seat] = Reply(reply.parts, reply.finish_reason)
        self.turns += 1
        self.ended = None
        if len(self._round) == len(self._pending):
            self._state = self.game.apply(self._state, _in_order(self._round, self._pending))
            self._open_round()


def _in_order(replies: Mapping[str, Reply], seats: Sequence[str]) -> Mapping[str, Reply]:
    """Order replies by seat, not by arrival: a game must not depend on who was quicker."""
    return {seat: replies[seat] for seat in seats} if len(seats) > 1 else replies
