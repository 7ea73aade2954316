"""What lies on the table between two speakers, and what becomes of it.

A move is executed as soon as all agree (Davidson et al., The Collaboration Gap, appendix A.4): between two, as soon as
the partner of whoever proposed it does. :mod:`.group` tells how more than two agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .clauses import Act
from .ledger import Happening, Proposal, alike, follows, whole
from .steps import Step

__all__ = ["Negotiation"]


@dataclass(slots=True)
class Negotiation:
    """The proposal on the table, the moves made so far, and whose turn is being heard."""

    seats: int = 2
    happened: list[Happening] = field(default_factory=list)
    pending: Proposal | None = None
    aware: set[str] = field(default_factory=set)  # who has spoken of the last move as made
    number: int = 0
    seat: str = ""
    answered: bool = False  # the speaker has said in this turn to how much of the proposal it agrees
    proposed_before: bool = False
    accepted_again: bool = False  # the "again" of a proposal is no further step when its acceptance repeats it

    def open_turn(self, number: int, seat: str) -> None:
        """Give the floor to a speaker."""
        self.number, self.seat, self.answered, self.accepted_again = number, seat, False, False

    @property
    def theirs(self) -> Proposal | None:
        """The proposal that waits for this speaker."""
        return self.pending if self.pending and self.pending.waits_for(self.seat) else None

    @property
    def earlier(self) -> Proposal | None:
        """A proposal that may have been carried out by now: another's, or the speaker's own of an earlier turn."""
        return self.pending if self.pending and self.pending.turn < self.number else None

    @property
    def put_now(self) -> bool:
        """Whether the proposal on the table was put in this turn."""
        return bool(self.pending and self.pending.turn == self.number)

    @property
    def last(self) -> Step | None:
        """The last move made."""
        return next((event.step for event in reversed(self.happened) if event.made), None)

    @property
    def just_made(self) -> bool:
        """Whether the last move was made in this turn."""
        return any(event.made and event.turn == self.number for event in self.happened[-3:])

    @property
    def may_restate(self) -> bool:
        """Whether the speaker may be speaking of the last move as made for the first time."""
        return self.just_made or self.seat not in self.aware

    def accept(self, count: int, *, details: Sequence[Step] = (), final: bool = False) -> None:
        """Take it that the speaker agrees to the first steps of the proposal, or speaks of them as made (``final``)."""
        if self.pending is None:
            return
        self.accepted_again = self.pending.again
        steps, self.pending = self.pending.steps[:count], None
        self.make(steps)
        if details:
            self.fill(details[-1:])

    def restated(self, act: Act) -> int:
        """Return how many steps of a proposal are but those that the speaker has just agreed to, and others not yet."""
        return 0

    def put(self, steps: tuple[Step, ...], again: bool = False) -> None:
        """Hold a proposal; in the same turn, one that goes on from the last is added to it."""
        if not steps:
            return
        own = self.pending if self.pending and self.put_now and self.pending.seat == self.seat else None
        if own and alike(own.steps[-1], steps[0]) is True:
            return
        if own and follows(own.steps[-1], steps[0]):
            steps = (*own.steps, *steps)
        kept = self.pending.affirmed if self.pending and self.pending.steps == steps else frozenset()
        self.pending = Proposal(self.seat, self.number, steps, affirmed=kept, again=again)
        self.proposed_before = True

    def drop(self, act: Act) -> None:
        """Take back or refuse what is proposed."""
        self.pending = None

    def believe(self, steps: tuple[Step, ...]) -> None:
        """Take a speaker's word for moves that we did not see agreed on."""
        self.make(steps)

    def make(self, steps: Sequence[Step]) -> None:
        """Execute moves."""
        self.happened.extend(Happening(self.number, self.seat, step, made=True) for step in steps)
        self.aware = {self.seat}

    def fill(self, steps: Sequence[Step]) -> None:
        """Complete what is known of the last move."""
        self.aware.add(self.seat)
        self.accepted_again = False
        place = next((i for i in range(len(self.happened) - 1, -1, -1) if self.happened[i].made), None)
        if place is not None and steps:
            event = self.happened[place]
            self.happened[place] = replace(event, step=whole(event.step, steps[0]))

    def consider(self) -> None:
        """Note the proposal of this turn as considered only."""
        if self.pending and not self.just_made:
            self.happened.extend(Happening(self.number, self.seat, step, made=False) for step in self.pending.steps)
