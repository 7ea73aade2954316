"""An episode as a fold over its log: what has been said, what the game makes of it, who must speak now.

Pure: no bus, no clock. The engine drives it live, resume and replay feed it what was said before.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from palaver_protocols.errors import ProtocolError
from palaver_protocols.keys import hash_view, key_prefix, request_key
from palaver_protocols.messages import (
    EpisodeEnded,
    EpisodeStarted,
    SeatFiller,
    TurnReply,
    TurnRequest,
    TurnTaken,
    make_request,
)
from palaver_protocols.transcript import Message

from .game import AnyGame, GameOutcome, Reply, Scores

__all__ = ["Episode", "filler_at"]


def filler_at(fillers: Sequence[SeatFiller], turn: int) -> SeatFiller:
    """Return who fills a seat at a turn of the episode: the last filler that has come in by then."""
    if len(fillers) == 1:
        return fillers[0]
    return [filler for filler in fillers if filler.from_turn <= turn][-1]


def seed_for(*labels: object) -> int:
    """Derive an independent 32-bit seed from labels, the same on every machine."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, labels)).encode()).digest()[:4])


class _Asking:
    """How an agent is asked at a seat, and what it was shown there last.

    Views mostly grow: what was hashed for one request is not hashed again for the next, so that a turn costs what is
    new in it, however long the episode has become.

    Args:
        fields: what all requests have in common.
        seats: who else may speak in a view than the game.
        shown: the digests of the game's own messages that the seat has been shown for good; grows elsewhere.
    """

    __slots__ = ("_fields", "_hash", "_prefix", "_seats", "_shown", "_view", "prompts")

    def __init__(self, fields: Mapping[str, Any], seats: Collection[str], shown: Collection[bytes]) -> None:
        self.prompts: tuple[Message, ...] = ()
        self._fields = fields
        self._seats = seats
        self._shown = shown
        self._prefix = key_prefix(fields)
        self._hash = self._prefix.copy()
        self._view: tuple[Message, ...] = ()

    def request(self, turn: int, view: tuple[Message, ...], timeout_s: float) -> TurnRequest:
        """Make a question, and find the game's own messages that it is the first to show."""
        known = len(self._view)
        if view[:known] != self._view:
            known, self._hash, self.prompts = 0, self._prefix.copy(), ()
        new = view[known:]
        hash_view(self._hash, new)
        self._view = view
        owed = [*self.prompts, *[message for message in new if message.speaker not in self._seats]]
        if owed:
            self.prompts = tuple([message for message in owed if message.digest not in self._shown])
        key = request_key(self._hash, turn)
        return make_request({**self._fields, "key": key, "turn": turn, "view": view, "timeout_s": timeout_s})


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
        self._shown: dict[str, set[bytes]] = {seat: set() for seat in started.seats}
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
        self._owed = {seat: turn for turn, seat in enumerate(self._pending, self.turns)}
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

    def owed(self) -> list[tuple[str, int]]:
        """Return the seats that must speak now and have not, each with the number of its turn."""
        return list(self._owed.items())

    def request(self, seat: str, turn: int, *, timeout_s: float) -> TurnRequest:
        """Make the question that a seat is to be asked at a turn."""
        asking = self._asking_of(seat, filler_at(self.started.seats[seat], turn).agent)
        return asking.request(turn, self.game.view(self._state, seat), timeout_s)

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
        return _Asking(fields, started.seats, self._shown[seat])

    def prompts(self, request: TurnRequest) -> tuple[Message, ...]:
        """Return the game's own messages that the latest request to a seat is the first to show to it."""
        return self._asking_of(request.seat, request.agent).prompts

    def take(self, taken: TurnTaken) -> None:
        """Go on by one durable turn.

        Raises:
            ProtocolError: nobody was asked for this turn.
        """
        reply: TurnReply = taken.reply
        seat, turn = reply.seat, reply.turn
        if self._owed.get(seat) != turn:
            raise ProtocolError(f"nobody asked seat {seat!r} for turn {turn}")
        del self._owed[seat]
        self._shown[seat].update([message.digest for message in taken.prompts])
        self._round[seat] = Reply(reply.parts, reply.finish_reason)
        self.turns += 1
        self.ended = None
        if not self._owed:
            self._state = self.game.apply(self._state, _in_order(self._round, self._pending))
            self._open_round()


def _in_order(replies: Mapping[str, Reply], seats: Sequence[str]) -> Mapping[str, Reply]:
    """Order replies by seat, not by arrival: a game must not depend on who was quicker."""
    return {seat: replies[seat] for seat in seats} if len(seats) > 1 else replies
