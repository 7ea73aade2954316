"""What every voice was asked, rebuilt from an episode's log, and proven by the key that the record holds.

The key of a question is a hash of all that it shows (:mod:`palaver_protocols.keys`). It is computed here once more,
from the question that the log gives by the game's rules: where both agree, what is audited is what was sent.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.teams import Voice, team_at
from palaver_protocols.keys import key_prefix, request_key
from palaver_protocols.messages import Aside, EpisodeStarted, LogEntry, SeatChanged, TurnRequest, TurnTaken
from palaver_protocols.transcript import Message

__all__ = ["Holder", "Rebuilt", "Sent", "key_of", "rebuild"]

Proof = Literal["proven", "frozen", "open", "differs"]
"""Whether the record's key is the rebuilt question's (it ``differs`` where rules have changed since).

``frozen`` turns were asked in another run, whose record proves them; ``open`` questions have no answer in the record,
and so no key.
"""

KEPT = (
    "run_id",
    "episode_id",
    "game",
    "variant",
    "seat",
    "agent",
    "partners",
    "role",
    "members",
    "protocol",
    "sampling",
)


class Holder(NamedTuple):
    """Who is told something: a seat, whoever sits there; or, where a team divides it, one voice of that team."""

    seat: str
    voice: str = ""
    tenure: int = 0

    def __str__(self) -> str:
        """Name it: ``agent_1``, ``agent_1/member_2``."""
        return f"{self.seat}/{self.voice}" if self.voice else self.seat


@dataclass(frozen=True, slots=True)
class Sent:
    """One question, as a voice was asked it.

    ``at`` is the place in the log when it was asked: entries before it had been said. ``seat`` is the seat of the game,
    ``voice`` who was asked there. ``own`` are the digests of the messages that the game itself has in its view for the
    seat; ``prompts`` what the rebuilt question is the first to show. ``tenure`` counts who sat at the seat before, and
    ``came`` is the place in the log from which on the present one does.
    """

    at: int
    seat: str
    request: TurnRequest
    own: frozenset[bytes]
    prompts: tuple[Message, ...]
    team: Voice
    tenure: int
    came: int
    proof: Proof = "open"
    entry: TurnTaken | Aside | None = None

    @property
    def voice(self) -> str:
        """Who was asked."""
        return self.request.seat

    @property
    def holder(self) -> Holder:
        """Who knows what this question tells: the seat; or one voice of a team whose members hold a part each."""
        return Holder(self.seat, self.voice, self.tenure) if self.parts else Holder(self.seat)

    @property
    def parts(self) -> bool:
        """Whether those behind the seat hold a part each of what it is shown."""
        return bool(self.team.members) and self.team.show == "split"

    @property
    def games(self) -> Iterator[Message]:
        """The game's own messages, without what voices said and what the engine told them."""
        return (message for message in self.request.view if message.digest in self.own)


@dataclass(slots=True)
class Rebuilt:
    """All that was sent in an episode; ``strangers`` are entries that answer a question that nobody was asked."""

    entries: Sequence[LogEntry]
    sent: list[Sent] = field(default_factory=list)
    strangers: list[TurnTaken | Aside] = field(default_factory=list)

    @property
    def started(self) -> EpisodeStarted:
        """How the episode began."""
        first = self.entries[0]
        assert isinstance(first, EpisodeStarted), "else nothing would have been rebuilt"
        return first


def rebuild(game: AnyGame, entries: Sequence[LogEntry], into: Rebuilt) -> None:
    """Rebuild what was sent, entry by entry; what comes before an error is kept.

    Args:
        game: the rules.
        entries: the log of an episode; it may have no end.
        into: gathers it.

    Raises:
        PalaverError: the log cannot be folded by these rules (any further).
    """
    table = _Table(game, Episode.from_log(game, entries[:1]))
    asked = table.ask(1)
    for at, entry in enumerate(entries[1:], 1):
        if isinstance(entry, TurnTaken | Aside):
            if entry.key not in asked:
                asked = table.ask(at)
            _answer(asked, entry, into)
            table.episode.take(entry)
        elif isinstance(entry, SeatChanged):
            table.episode.change(entry)
            asked = {}
        table.look(at + 1)
    into.sent += table.ask(len(entries)).values()


def key_of(request: TurnRequest, **changed: Any) -> str:
    """Compute the key of a question from all that it shows.

    Args:
        request: the question.
        changed: fields that were others when it was asked: ``run_id``, ``episode_id``, ``agent``.
    """
    fields: dict[str, Any] = {name: getattr(request, name) for name in (*KEPT, "seed")} | changed
    if request.answer_schema is not None:
        fields["answer_schema"] = request.answer_schema
    return request_key(key_prefix(fields), request.turn, request.view)


class _Table:
    """An episode as it is folded: who sits where, how often each seat has changed hands, which round it is."""

    def __init__(self, game: AnyGame, episode: Episode) -> None:
        self.game = game
        self.episode = episode
        self.filled = self.before = episode.filled
        self.handoffs = 0
        self.changes = Counter[str]()
        self.came = dict.fromkeys(self.filled, 0)
        self.begun = episode.turns
        self.pending = tuple(game.pending(episode.state))

    def look(self, at: int) -> None:
        """Take note of what an entry has changed."""
        changed = self.episode.handed_over(self.handoffs)
        self.changes.update(changed)
        self.came |= dict.fromkeys(changed, at)
        self.before = self.before | {seat: self.filled[seat] for seat in changed}
        self.handoffs, self.filled = self.episode.handoffs, self.episode.filled
        if self.episode.turns == self.begun + len(self.pending):
            self.begun = self.episode.turns
            self.pending = tuple(self.game.pending(self.episode.state))

    def ask(self, at: int) -> dict[str, Sent]:
        """Make the questions that are out now, by their keys."""
        if self.episode.outcome is not None:
            return {}
        own: dict[str, frozenset[bytes]] = {}
        out: dict[str, Sent] = {}
        for request in self.episode.requests(timeout_s=1.0):
            seat = self.pending[request.turn - self.begun]  # of a round, each seat has a turn of its own
            leaves = request.role == "leaver"
            team = team_at(seat, (self.before if leaves else self.filled)[seat])
            if seat not in own:
                own[seat] = self._own(seat, team)
            tenure = self.changes[seat] - leaves
            prompts = self.episode.prompts(request)
            out[request.key] = Sent(at, seat, request, own[seat], prompts, team, tenure, self.came[seat])
        return out

    def _own(self, seat: str, team: Voice) -> frozenset[bytes]:
        """Return the digests of all that the game itself says to a seat, to each of its parts where it is divided."""
        state, seats = self.episode.state, self.episode.started.seats
        views = [self.game.view(state, seat)]
        if team.members and team.show == "split":
            views += self.game.split(state, seat, len(team.members))
        return frozenset(message.digest for view in views for message in view if message.speaker not in seats)


def _answer(asked: dict[str, Sent], entry: TurnTaken | Aside, into: Rebuilt) -> None:
    """Find the question that an entry answers, and whether it is the one that was sent."""
    seat = entry.seat if isinstance(entry, Aside) else entry.reply.seat
    proof: Proof = "proven"
    question = asked.pop(entry.key, None)
    if question is not None and key_of(question.request) != entry.key:
        proof = "differs"
    if question is None:
        same = [key for key, each in asked.items() if (each.seat, each.voice) == (seat, entry.reply.seat)]
        if not same:
            into.strangers.append(entry)
            return
        question = asked.pop(same[0])
        proof = "differs"
        if entry.copied_from is not None:
            reply = entry.reply
            there = {"run_id": reply.run_id, "episode_id": reply.episode_id, "agent": reply.agent}
            proof = "proven" if key_of(question.request, **there) == entry.key else "frozen"
    question = replace(question, proof=proof, entry=entry)
    into.sent.append(_as_recorded(question, entry.prompts) if proof == "differs" else question)


def _as_recorded(sent: Sent, prompts: tuple[Message, ...]) -> Sent:
    """Add what the record says was shown, and the rules of today would not: it was sent, whatever they say."""
    known = {message.digest for message in sent.request.view}
    more = tuple(message for message in prompts if message.digest not in known)
    view = (*sent.request.view, *more)
    own = sent.own | {message.digest for message in more}
    return replace(sent, request=sent.request.model_copy(update={"view": view}), own=own)
