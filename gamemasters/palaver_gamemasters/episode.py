"""An episode as a fold over its log: what has been said, what the game makes of it, who must be asked now.

Pure: no bus, no clock. The engine drives it live, resume and replay feed it what was said before.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic_core import to_json

from palaver_protocols.errors import ProtocolError
from palaver_protocols.messages import (
    Aside,
    EpisodeEnded,
    EpisodeStarted,
    Role,
    Sampling,
    Schema,
    SeatChanged,
    SeatFiller,
    Segment,
    TurnReply,
    TurnRequest,
    TurnTaken,
)
from palaver_protocols.seating import handoff_of, rule_of
from palaver_protocols.transcript import USER, Message

from .asking import Asking, marks
from .game import AnyGame, GameOutcome, Reply, Scores
from .relief import SUM_UP, UNCUT, Cut, Seat
from .showing import Move, Panel
from .teams import Asked, ask_next, said

__all__ = ["Episode", "Step"]

Step = TurnTaken | Aside
"""What an answer becomes in the log."""


def seed_for(*labels: object) -> int:
    """Derive an independent 32-bit seed from labels, the same on every machine."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, labels)).encode()).digest()[:4])


class _Open(NamedTuple):
    """A question that is out: for which seat, and how its asker remembers what was shown."""

    seat: str
    asking: Asking


class _End(NamedTuple):
    """Where a segment ended: the seat that changed, the turn, who filled the seats until then, and the state."""

    seat: str
    turn: int
    filled: dict[str, str]
    state: Any


class Episode:
    """One play of one instance.

    Args:
        game: the rules.
        started: the first entry of the episode's log.

    Raises:
        InstanceError: the instance makes no game.
        UsageError: the options make no game, or a seat's filler makes no sense.
    """

    def __init__(self, game: AnyGame, started: EpisodeStarted) -> None:
        self.game = game
        self.started = started
        self._options = game.configure(started.options)
        self._state = game.start(started.instance, self._options)
        self._handoff = handoff_of(started.handoff)
        self._partners = {seat: self.game.partners(self._options, seat) for seat in started.seats}
        self._seats = {seat: Seat.of(seat, fillers) for seat, fillers in started.seats.items()}
        self._round: dict[str, Reply] = {}
        self._round_at = 0
        self._spoken = dict.fromkeys(started.seats, 0)
        """How much each seat has said by the beginning of this round."""
        self._asking: dict[tuple[Any, ...], Asking] = {}
        self._open: dict[str, _Open] = {}
        self._shown: dict[str, Counter[bytes]] = {}
        self._ends: list[_End] = []
        rules = [rule_of(filler).kind for fillers in started.seats.values() for filler in fillers[1:]]
        self._watched = "stall" in rules
        self._best: float | None = None
        self._best_at = 0
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
            episode.follow(entry)
        return episode

    def follow(self, entry: Step | SeatChanged | EpisodeEnded) -> None:
        """Go on by the next entry of the log, whatever it is.

        Raises:
            ProtocolError: it holds a turn that nobody asked for, or changes a seat that there is not.
        """
        if isinstance(entry, TurnTaken | Aside):
            self.take(entry)
        elif isinstance(entry, SeatChanged):
            self.change(entry)
        else:
            self.ended = entry

    def _open_round(self) -> None:
        self._pending = tuple(self.game.pending(self._state))
        self._owed = {seat: turn for turn, seat in enumerate(self._pending, self.turns)}
        self._round = {}
        if self._watched:
            self._look_for_progress()
        self._round_at = self.turns
        for seat, turn in self._owed.items():
            newcomer = self._seats[seat].take_due(turn, self.turns - self._best_at)
            if newcomer is not None:
                self._relieve(seat, turn, newcomer)

    def _look_for_progress(self) -> None:
        reached = self.game.progress(self._state)
        if reached is not None and (self._best is None or reached > self._best):
            self._best, self._best_at = reached, self.turns

    def _relieve(self, name: str, turn: int, newcomer: SeatFiller, *, by_hand: bool = False) -> None:
        """Let another agent come in. Who leaves by hand is not asked for a summary: it may be what does not answer."""
        seat = self._seats[name]
        if self._ends:
            turn = max(turn, self._ends[-1].turn)
        self._ends.append(_End(name, turn, self.filled, self._state))
        summed_up = self._handoff.kind == "summary"
        if self._handoff.kind == "all" or (summed_up and (by_hand or not seat.spoke)):
            seat.relieve(newcomer, turn, UNCUT, None)
            return
        farewell = None
        if summed_up:
            last = self._asked(seat)[0]
            view = (*last.view, Message.text_from(USER, SUM_UP, (name,)))
            farewell = last._replace(role="leaver", view=view)
        seat.relieve(newcomer, turn, Cut(self._handoff, dict(self._spoken)), farewell)

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

    @property
    def state(self) -> Any:
        """What the game makes of what was said so far."""
        return self._state

    @property
    def pending(self) -> tuple[str, ...]:
        """The seats whose word the episode waits for."""
        return tuple(self._owed)

    @property
    def panels(self) -> tuple[Panel, ...]:
        """How the game stands, drawn for those who watch."""
        return self.game.panels(self._state)

    def moves(self, seat: str) -> tuple[Move, ...]:
        """Return what a person at a seat can say by a click; nothing where it is not the seat's turn."""
        return self.game.moves(self._state, seat) if seat in self._owed else ()

    @property
    def filled(self) -> dict[str, str]:
        """Who fills each seat now."""
        return {name: seat.agent for name, seat in self._seats.items()}

    @property
    def segments(self) -> tuple[Segment, ...]:
        """What was reached by whom, where agents changed on the way; else nothing."""
        if not self._ends:
            return ()
        ends = [*self._ends, _End("", self.turns, self.filled, self._state)]
        starts = [0, *[end.turn for end in self._ends]]
        return tuple(
            Segment(agents=end.filled, from_turn=start, until_turn=end.turn, scores=dict(self.game.score(end.state)))
            for start, end in zip(starts, ends, strict=True)
            if end.turn > start
        )

    @property
    def handoffs(self) -> int:
        """How often a seat has changed hands."""
        return len(self._ends)

    def handed_over(self, before: int) -> tuple[str, ...]:
        """Name the seats that have changed hands since there were so many handoffs."""
        return tuple(dict.fromkeys(end.seat for end in self._ends[before:])) if len(self._ends) > before else ()

    def requests(self, *, timeout_s: float) -> Iterator[TurnRequest]:
        """Make the questions whose answers the episode waits for: one a seat, or those to several voices behind it.

        Raises:
            UsageError: the game cannot divide a seat's view among a team.
        """
        for name, turn in self._owed.items():
            seat = self._seats[name]
            for asked in self._asked(seat):
                yield self._question(seat, turn, asked, timeout_s)

    def _asked(self, seat: Seat) -> list[Asked]:
        """Return who is to be asked, so that a seat comes to its word."""
        partners = self._partners[seat.name]
        if seat.farewell is not None:
            return [seat.farewell]
        view = self.game.view(self._state, seat.name)
        if seat.is_plain:  # nearly always
            return [Asked(seat.name, seat.agent, "player", partners, (), view)]

        def split(members: int) -> list[tuple[Message, ...]]:
            parts = self.game.split(self._state, seat.name, members)
            return [seat.cut.of(part, self._spoken) for part in parts]

        return ask_next(seat.voice, seat.cut.of(view, self._spoken), partners, seat.talk, split)

    def _question(self, seat: Seat, turn: int, asked: Asked, timeout_s: float) -> TurnRequest:
        place: tuple[Any, ...] = (seat.name, *asked[:-1])
        # A lead must be free to ask its team instead, and what members say is no answer in the game.
        schema = self.game.answer_schema(self._state, seat.name) if asked.role == "player" else None
        if schema is not None:
            place = (*place, to_json(schema))
        asking = self._asking.get(place)
        if asking is None:
            asking = self._asking[place] = self._new_asking(seat.name, asked, schema)
        request = asking.request(turn, asked.view, timeout_s)
        self._open[request.key] = _Open(seat.name, asking)
        return request

    def _new_asking(self, seat: str, asked: Asked, schema: Schema | None) -> Asking:
        started, voice = self.started, asked.voice
        fields: dict[str, Any] = {
            "run_id": started.run_id,
            "episode_id": started.episode_id,
            "game": started.game,
            "variant": started.variant,
            "seat": voice,
            "agent": asked.agent,
            "partners": asked.partners,
            "role": asked.role,
            "members": asked.members,
            "protocol": started.protocol,
            "sampling": _bounded(started.sampling, asked.role),
            "seed": seed_for(started.seed, seat) if voice == seat else seed_for(started.seed, seat, voice),
        }
        if schema is not None:  # else it is no part of what is hashed: keys are as they were before there were schemas
            fields["answer_schema"] = schema
        speakers = {*started.seats, *asked.partners, voice}
        return Asking(fields, speakers, self._shown.setdefault(f"{seat}/{voice}", Counter()))

    def prompts(self, request: TurnRequest) -> tuple[Message, ...]:
        """Return the game's own messages that a question is the first to show to whom it asks."""
        return self._open[request.key].asking.prompts

    def step(self, request: TurnRequest, reply: TurnReply, at: datetime) -> Step:
        """Return what an answer becomes in the log: a turn, or an aside behind the seat."""
        name = self._open[request.key].seat
        prompts = self.prompts(request)
        if request.role == "leaver":
            return Aside(key=request.key, seat=name, kind="summary", prompts=prompts, reply=reply, at=at)
        if request.role != "player":
            seat = self._seats[name]
            word = said(seat.voice, reply.seat, reply.text, seat.talk)
            if not word.final:
                fields = {"seat": name, "kind": word.kind, "audience": word.audience, "prompts": prompts}
                return Aside.model_validate({"key": request.key, **fields, "reply": reply, "at": at})
        return TurnTaken(key=request.key, prompts=prompts, reply=reply, at=at)

    def take(self, step: Step) -> None:
        """Go on by one durable answer.

        Raises:
            ProtocolError: nobody was asked for it.
        """
        name = step.seat if isinstance(step, Aside) else step.reply.seat
        reply = step.reply
        if self._owed.get(name) != reply.turn:
            raise ProtocolError(f"nobody asked seat {name!r} for turn {reply.turn}")
        seat = self._seats[name]
        if step.prompts:
            self._shown.setdefault(f"{name}/{reply.seat}", Counter()).update(
                [mark for message in step.prompts for mark in marks(message)]
            )
        self._open.pop(step.key, None)
        self.ended = None
        if isinstance(step, Aside):
            self._take_aside(seat, step)
            return
        if seat.waiting and step.copied_from is None:
            seat.count(reply)
        seat.spoke, seat.farewell = True, None
        if seat.voice.members:
            seat.talk.append(None)
        del self._owed[name]
        self._round[name] = Reply(reply.parts, reply.finish_reason)
        self.turns += 1
        if not self._owed:
            self._state = self.game.apply(self._state, _in_order(self._round, self._pending))
            for spoke in self._pending:
                self._spoken[spoke] += 1
            self._open_round()

    def _take_aside(self, seat: Seat, aside: Aside) -> None:
        if aside.kind == "summary":
            if seat.farewell is not None:
                seat.hear_farewell(aside.reply.text)
            elif aside.copied_from is None:  # of frozen turns, what another handoff had to say is of no use here
                raise ProtocolError(f"nobody asked for a summary at seat {seat.name!r}")
            return
        if seat.waiting and aside.copied_from is None:
            seat.count(aside.reply)
        seat.talk.append(aside)

    def change(self, change: SeatChanged) -> None:
        """Put another agent behind a seat, from its next turn on.

        Raises:
            ProtocolError: there is no such seat.
        """
        if change.seat not in self._seats:
            raise ProtocolError(f"there is no seat {change.seat!r} to change")
        newcomer = SeatFiller(agent=change.agent, from_turn=None, when="hand")
        answered = change.seat in self._pending and change.seat not in self._owed
        otherwise = self._round_at + len(self._pending) if answered else self._round_at
        self._relieve(change.seat, self._owed.get(change.seat, otherwise), newcomer, by_hand=True)
        self.ended = None


def _bounded(sampling: Sampling, role: Role) -> Sampling:
    """Return how a voice is sampled: the bound on a game's answers bounds what is said in the game, and nothing else.

    A lead may answer in the game or ask its members, and nobody knows before it has spoken.
    """
    if role in ("leaver", "member") and sampling.max_tokens is not None:
        return sampling.model_copy(update={"max_tokens": None})
    return sampling


def _in_order(replies: Mapping[str, Reply], seats: Sequence[str]) -> Mapping[str, Reply]:
    """Order replies by seat, not by arrival: a game must not depend on who was quicker."""
    return {seat: replies[seat] for seat in seats} if len(seats) > 1 else replies
