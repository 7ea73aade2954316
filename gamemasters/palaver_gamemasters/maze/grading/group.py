"""How more than two agree (ours): a move is made once everybody has agreed to it, whoever proposed it included.

While some are yet to answer, others go on: "Agreed. Then down to (1, 1)?" So what waits is a chain of steps, and each
speaker stands behind so many of them, counted from the first. A plain yes is for the whole chain; who goes on from its
end agrees to it; who names a step agrees up to it. Nobody's word alone makes a move, and silence agrees to nothing.

An objection takes the chain off the table, and so does an alternative. If somebody puts the same steps again, those who
had agreed need not say so twice: only whoever objected must.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from .clauses import Act
from .ledger import Proposal, alike, follows, whole
from .negotiation import Negotiation
from .steps import Step

__all__ = ["GroupNegotiation"]


@dataclass(slots=True)
class GroupNegotiation(Negotiation):
    """What lies on the table of more than two."""

    backed: bool = False  # the speaker has agreed in this turn to what waits for others
    shelved: tuple[Step, ...] = ()  # what was taken off the table last
    supporters: Mapping[str, int] = field(default_factory=dict)  # who stood behind how much of it

    def open_turn(self, number: int, seat: str) -> None:
        """Give the floor to a speaker."""
        Negotiation.open_turn(self, number, seat)
        self.backed = False

    def accept(self, count: int, *, details: Sequence[Step] = (), final: bool = False) -> None:
        """Note that the speaker agrees to the first steps; who has affirmed their facts agrees to doing them."""
        if self.pending is None:
            return
        agreeing = {self.seat, *(self.pending.affirmed if final else ())}
        more = {seat: max(count, self.pending.assents.get(seat, 0)) for seat in agreeing}
        steps = list(self.pending.steps)
        if details and 0 < count <= len(steps):
            steps[count - 1] = whole(steps[count - 1], details[-1])
        self.pending = replace(self.pending, steps=tuple(steps), assents={**self.pending.assents, **more})
        made = self._settle()
        if made == count and details:
            self.fill(details[-1:])
        self.backed, self.answered = made < count, True

    def restated(self, act: Act) -> int:
        """Return how many steps of a proposal are but those that the speaker has just agreed to.

        Without a cell, a word like "again" or "next" makes it a step beyond them.
        """
        if not self.backed or self.pending is None:
            return 0
        first = act.steps[0]
        for place, step in enumerate(self.pending.steps):
            further = act.further and not (step.cell and first.cell)
            likeness = alike(step, first)
            if likeness is True and not further:
                pairs = zip(self.pending.steps[place:], act.steps, strict=False)
                return sum(alike(mine, other) is True for mine, other in pairs)
            if likeness is None and not further and place == len(self.pending.steps) - 1:
                steps = (*self.pending.steps[:-1], whole(step, first))
                self.pending = replace(self.pending, steps=steps)
                return 1
        return 0

    def put(self, steps: tuple[Step, ...], again: bool = False) -> None:
        """Hold a proposal, at the end of the chain where it goes on from what the speaker stands behind."""
        chain = self.pending
        if not steps:
            return
        self.proposed_before = True
        if chain is None or chain.waits_for(self.seat):
            self._replace(steps, again)
            return
        onward = follows(chain.steps[-1], steps[0])
        if onward or (onward is None and self.backed):
            agreed = {**chain.assents, chain.seat: len(chain.steps)}
            self.pending = replace(
                chain, seat=self.seat, turn=self.number, steps=(*chain.steps, *steps), again=again, assents=agreed
            )
        elif len(steps) > 1 and alike(chain.steps[-1], steps[0]) is True:
            self.put(steps[1:], again)
        elif not chain.reach(steps):
            self._replace(steps, again)

    def drop(self, act: Act) -> None:
        """Take off the table what the speaker objects to, and all that builds on it."""
        if self.pending is None:
            return
        named = (place for place, step in enumerate(self.pending.steps) if _names(act, step))
        if place := next(named, 0):
            left = {seat: min(count, place) for seat, count in self.pending.assents.items()}
            self.pending = replace(self.pending, steps=self.pending.steps[:place], assents=left)
        else:
            self._shelve(self.pending)
            self.pending = None

    def believe(self, steps: tuple[Step, ...]) -> None:
        """Take a speaker's word for no more than its own agreement."""
        self.put(steps)

    def _replace(self, steps: tuple[Step, ...], again: bool) -> None:
        """Put other steps on the table; behind steps that lay there before, those who stood behind them still do."""
        same = len(steps) == len(self.shelved) and all(map(_alike, steps, self.shelved))
        supporters = {seat: count for seat, count in self.supporters.items() if seat != self.seat} if same else {}
        if self.pending:
            self._shelve(self.pending)
        self.pending = Proposal(self.seat, self.number, steps, again=again, assents=supporters)
        self._settle()

    def _shelve(self, proposal: Proposal) -> None:
        everybody = {**proposal.assents, proposal.seat: len(proposal.steps)}
        self.shelved = proposal.steps
        self.supporters = {seat: count for seat, count in everybody.items() if seat != self.seat}

    def _settle(self) -> int:
        """Make the steps that everybody stands behind; the rest still waits. Returns how many were made."""
        if self.pending is None:
            return 0
        everybody = {**self.pending.assents, self.pending.seat: len(self.pending.steps)}
        agreed = min(everybody.values()) if len(everybody) >= self.seats else 0
        if agreed:
            self.accepted_again = self.pending.again
            steps, rest = self.pending.steps[:agreed], self.pending.steps[agreed:]
            left = {seat: count - agreed for seat, count in self.pending.assents.items()}
            self.pending = replace(self.pending, steps=rest, assents=left) if rest else None
            self.shelved = ()
            self.make(steps)
        return agreed


def _alike(one: Step, other: Step) -> bool:
    return alike(one, other) is True


def _names(act: Act, step: Step) -> bool:
    return any(_alike(step, other) for other in act.steps)
