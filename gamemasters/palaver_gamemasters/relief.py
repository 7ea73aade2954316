"""Relief: who sits behind a seat, when the next one comes in, and what it is shown of what was said before.

The paper's relay (Davidson et al., The Collaboration Gap, section 3, "Relay Inference") is one case: at a fixed turn,
with the whole dialogue as the newcomer's own history.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from palaver_protocols.messages import Aside, SeatFiller, TurnReply
from palaver_protocols.seating import Handoff, rule_of
from palaver_protocols.transcript import USER, Message

from .teams import Asked, Voice, team_at

__all__ = ["SUM_UP", "UNCUT", "Cut", "Seat"]

SUM_UP = """\
Another agent takes over your seat now. It is shown your task, and nothing of what was said so far but what you write \
here. Write what it needs to know to go on in your place. Nobody else reads this."""
TAKE_OVER = """\
You take over this seat from another agent, in the middle of what is going on. That agent has left you this summary:

{summary}"""


@dataclass(frozen=True, slots=True)
class Cut:
    """What a newcomer is shown of what was said before it came, and what it is told instead.

    ``before`` counts what each seat had said by then, so that a view that has lost its oldest messages since, and in
    which the same words come again, is still told apart.
    """

    handoff: Handoff
    before: Mapping[str, int] = field(default_factory=dict)
    summary: str | None = None

    def of(self, view: tuple[Message, ...], spoken: Mapping[str, int]) -> tuple[Message, ...]:
        """Return a view as the newcomer sees it.

        The game's opening, and what the game itself said last before the handoff, stay in any case: without them there
        is nothing to answer.

        Args:
            view: what the seat is shown.
            spoken: how much each seat has said by now.
        """
        if self.handoff.kind == "all":
            return view
        opening = _opening(view, spoken)
        body = view[opening:]
        old = body[: self._first_new(body, spoken)]
        ending = _opening(old[::-1], spoken)
        said = old[: len(old) - ending]
        kept = said[max(0, len(said) - self.handoff.messages) :]  # none but for `last`
        told = () if self.summary is None else (Message.text_from(USER, TAKE_OVER.format(summary=self.summary)),)
        return (*view[:opening], *told, *kept, *body[len(said) :])

    def _first_new(self, body: Sequence[Message], spoken: Mapping[str, int]) -> int:
        """Return where in a view that begins which was said after the handoff."""
        new = {seat: count - self.before.get(seat, 0) for seat, count in spoken.items()}
        first = len(body)
        for place in range(len(body) - 1, -1, -1):
            speaker = body[place].speaker
            if speaker in new:
                if not new[speaker]:
                    break
                new[speaker] -= 1
                first = place
        return first


UNCUT = Cut(Handoff("all"))
"""Everything is shown."""


def _opening(view: Sequence[Message], seats: Collection[str]) -> int:
    """Count the game's own messages at the start of a view."""
    return sum(1 for _ in takewhile(lambda message: message.speaker not in seats, view))


@dataclass(slots=True)
class Seat:
    """A seat of an episode as it stands: whoever sits behind it, and what was said there.

    ``fillers`` are those who came, with the turns at which they did, ``waiting`` those who have not come yet.
    ``farewell`` is what the agent that leaves is asked while it owes its summary, and ``talk`` what was said within
    the present team, None where the seat itself spoke.
    """

    name: str
    fillers: list[SeatFiller]
    waiting: list[SeatFiller]
    cut: Cut = UNCUT
    farewell: Asked | None = None
    talk: list[Aside | None] = field(default_factory=list)
    tokens: int = 0
    usd: float = 0.0
    spoke: bool = False
    _voice: Voice | None = None

    @classmethod
    def of(cls, name: str, fillers: Sequence[SeatFiller]) -> "Seat":
        """Seat the first agent."""
        first, *others = fillers
        return cls(name, [first], others)

    @property
    def agent(self) -> str:
        """Who sits here: an agent, or a team."""
        return self.fillers[-1].agent

    @property
    def since(self) -> int:
        """The turn at which it came."""
        return self.fillers[-1].from_turn or 0

    @property
    def voice(self) -> Voice:
        """The voices behind the seat."""
        if self._voice is None:
            self._voice = team_at(self.name, self.agent)
        return self._voice

    @property
    def is_plain(self) -> bool:
        """Whether one agent sits here that is shown just what the game shows."""
        return self.cut is UNCUT and self.farewell is None and not self.voice.members

    def next_is_due(self, turn: int, stalled: int) -> bool:
        """Whether the next agent is to come in.

        Args:
            turn: the number of the turn that comes.
            stalled: how many turns have brought no progress.
        """
        if not self.waiting:
            return False
        rule = rule_of(self.waiting[0])
        match rule.kind:
            case "turn":
                return turn >= rule.limit
            case "stall":
                return min(stalled, turn - self.since) >= rule.limit
            case "tokens":
                return self.tokens >= rule.limit
            case "usd":
                return self.usd >= rule.limit
        return False

    def take_due(self, turn: int, stalled: int) -> SeatFiller | None:
        """Take the next agent that is to come in off those who wait; of several that are due by their turns, the last.

        Args:
            turn: the number of the turn that comes.
            stalled: how many turns have brought no progress.
        """
        if not self.next_is_due(turn, stalled):
            return None
        due = self.waiting.pop(0)
        while self.waiting and rule_of(self.waiting[0]).kind == "turn" and turn >= rule_of(self.waiting[0]).limit:
            due = self.waiting.pop(0)
        return due

    def relieve(self, newcomer: SeatFiller, turn: int, cut: Cut, farewell: Asked | None) -> None:
        """Let another agent come in at a turn; the one that leaves owes a summary where there is a ``farewell``."""
        if newcomer.when == "hand":
            self.waiting.clear()  # whoever changes a seat by hand has changed its plan
        self.fillers.append(newcomer.model_copy(update={"from_turn": turn}))
        self.cut, self.farewell = cut, farewell
        self.talk, self.tokens, self.usd, self.spoke, self._voice = [], 0, 0.0, False, None

    def hear_farewell(self, summary: str) -> None:
        """Keep what the agent that left has written for the one that came."""
        self.cut = replace(self.cut, summary=summary)
        self.farewell = None

    def count(self, reply: TurnReply) -> None:
        """Add what a reply took to what the present agent has used."""
        self.tokens += reply.usage.tokens
        self.usd += reply.cost_usd or 0.0
