"""What a dialogue agreed on: a fold over its turns, in which proposals are made, accepted, replaced and carried out.

The rules of the game are those of the study (Davidson et al., The Collaboration Gap, appendix A.4): a move is executed
as soon as all agree. So a proposal is held until the partner agrees to it, refuses it, or puts another in its place.
Where the wording of an agreement escapes the tables of cues, what the speakers do betrays it: they report the move as
made, or go on from where it leads. A cell next to a proposed one can only be a step beyond it, never an alternative to
it, because two neighbours of one cell are never neighbours themselves.

Speakers who split up and move each on their own ("I move down", "I move right": appendix F.2) agree on nothing, so
nothing counts; a one-sided move counts once the partner goes on from there. A move that is agreed on, announced and
reported is one move: what restates the last move is not counted again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from .cells import adjacent, direction_of, same
from .extraction import Entry, Extraction, Spoken
from .speech import Act, Step, Turn, read_turn

__all__ = ["Happening", "Preference", "read_dialogue", "record"]

Preference = Literal["cells", "directions"]
"""Which of the two is recorded of a move that is named by both ("right to (0, 1)"): one of them, consistently."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A move that was made, or only considered, in a turn (from 1)."""

    turn: int
    seat: str
    step: Step
    made: bool


def read_dialogue(turns: Sequence[tuple[str, str]], letters: int) -> tuple[Happening, ...]:
    """Return what happened in a dialogue, in order.

    Args:
        turns: (seat, text) in order.
        letters: the size of the maze, see :func:`.cells.annotate`.
    """
    talk = _Talk(seats=len({seat for seat, _ in turns}))
    for number, (seat, text) in enumerate(turns, start=1):
        talk.hear(number, seat, read_turn(text, letters))
    return tuple(talk.happened)


def record(happened: Sequence[Happening], prefer: Preference = "cells") -> Extraction:
    """Write down what happened as a grader does: by cells or by directions, and by the other where only that was said."""
    return Extraction(
        route=tuple(
            Entry.model_construct(
                turn=event.turn,
                coordinates=(_words(event.step, prefer),),
                turn_type="move" if event.made else "consider",
                agent="both" if event.made else event.seat,
            )
            for event in happened
        )
    )


def _words(step: Step, prefer: Preference) -> Spoken:
    first, second = (step.cell, step.direction) if prefer == "cells" else (step.direction, step.cell)
    return first or second or ()


def _alike(one: Step, other: Step) -> bool | None:
    """Whether two steps are the same move: by their cells if both have one, else by directions; None: one cannot say."""
    if one.cell and other.cell and (equal := same(one.cell, other.cell)) is not None:
        return equal
    if one.direction and other.direction:
        return direction_of(one.direction[0]) == direction_of(other.direction[0])
    return None


def _follows(before: Step, after: Step) -> bool | None:
    """Whether a step's cell lies next to the other's; None: one cannot say."""
    return adjacent(before.cell, after.cell) if before.cell and after.cell else None


@dataclass(frozen=True, slots=True)
class _Proposal:
    """What a seat wants to do. ``affirmed``: the partner confirmed its facts; ``backers``: who has agreed so far."""

    seat: str
    turn: int
    steps: tuple[Step, ...]
    wants_facts: bool = False
    affirmed: bool = False
    backers: frozenset[str] = frozenset()

    def reach(self, steps: Sequence[Step]) -> int | None:
        """Return how many of the proposed steps are done once these are; 0: other steps; None: one cannot say."""
        verdicts = [_alike(mine, steps[-1]) for mine in self.steps]
        if True in verdicts:
            return len(verdicts) - verdicts[::-1].index(True) if len(steps) > 1 else verdicts.index(True) + 1
        return None if None in verdicts else 0


@dataclass(slots=True)
class _Talk:
    """The state of the negotiation, and the turn that is being heard."""

    seats: int
    happened: list[Happening] = field(default_factory=list)
    pending: _Proposal | None = None
    aware: set[str] = field(default_factory=set)  # who has spoken of the last move as made
    number: int = 0
    seat: str = ""
    turn: Turn = Turn((), False, False)
    reported: bool = False  # a report parts the last move from what is said after it
    proposed_before: bool = False

    def hear(self, number: int, seat: str, turn: Turn) -> None:
        """Take in one turn."""
        self.number, self.seat, self.turn, self.reported = number, seat, turn, False
        for act in turn.acts:
            match act.kind:
                case "agree":
                    self._agree(act)
                case "affirm" | "filler":
                    self._affirm(act)
                case "refuse":
                    self._refuse(act)
                case "propose":
                    self._propose(act)
                case "under way":
                    self._under_way(act)
                case "report":
                    self._report(act)
                case "we are":
                    self._stand(act)
        self._end_turn()

    # ---- what the partner's proposal meets with

    @property
    def _theirs(self) -> _Proposal | None:
        """The proposal that waits for this speaker."""
        return self.pending if self.pending and self.pending.seat != self.seat else None

    @property
    def _earlier(self) -> _Proposal | None:
        """A proposal that may have been carried out by now: the partner's, or the speaker's own of an earlier turn."""
        return self.pending if self.pending and self.pending.turn < self.number else None

    @property
    def _last(self) -> Step | None:
        """The last move made."""
        return next((event.step for event in reversed(self.happened) if event.made), None)

    @property
    def _just_made(self) -> bool:
        """Whether the last move was made in this turn."""
        return any(event.made and event.turn == self.number for event in self.happened[-3:])

    @property
    def _refused(self) -> bool:
        """Whether the turn's last word on the proposal is no."""
        stances = [
            act.kind
            for act in self.turn.acts
            if (act.kind == "refuse" and self._about_proposal(act)) or (act.kind == "agree" and not act.fact)
        ]
        return bool(stances) and stances[-1] == "refuse"

    @property
    def _doubted(self) -> bool:
        """Whether the turn names trouble, unless it is trouble with other cells."""
        return any(act.kind == "doubt" and self._about_proposal(act) for act in self.turn.acts)

    @property
    def _countered(self) -> bool:
        """Whether the turn proposes an alternative, by what the cells tell."""
        first = next((act.steps[0] for act in self.turn.acts if act.kind == "propose" and act.steps), None)
        return bool(
            first
            and self.pending
            and _alike(self.pending.steps[-1], first) is False
            and _follows(self.pending.steps[-1], first) is False
        )

    def _about_proposal(self, act: Act) -> bool:
        steps = self.pending.steps if self.pending else ()
        return not act.steps or any(_alike(step, mine) is True for step in act.steps for mine in steps)

    # ---- acts

    def _agree(self, act: Act) -> None:
        if act.fact:
            return
        if not act.steps:
            if self._theirs and not self._refused:
                self._accept(self._named_extent())
            return
        if self._theirs and (reach := self._theirs.reach(act.steps)) != 0:
            self._accept(reach or len(self._theirs.steps), details=act.steps)
        elif self._restates(act):
            self._fill(act.steps)
        elif self._theirs is None and act.cue == "agree" and self.seats == 2:
            self._make(act.steps)  # one agrees to something: it was proposed in words that we did not catch
        elif act.cue != "sounds":
            self._propose(act)

    def _affirm(self, act: Act) -> None:
        theirs = self._theirs
        if theirs is None or self._refused:
            return
        others = [other for other in self.turn.acts if other is not act and other.kind not in ("doubt", "consider", "filler")]
        if act.cue == "acti":
            self._accept(len(theirs.steps))
        elif self._doubted or self._countered:
            return
        elif act.fact or (theirs.wants_facts and not others):
            self.pending = replace(theirs, affirmed=act.kind == "affirm")
        elif act.kind == "affirm" or any(other.kind in _MOTION for other in others) or self._says_nothing_else(act):
            self._accept(self._named_extent())

    def _says_nothing_else(self, act: Act) -> bool:
        return self.turn.acts == (act,) and not self.turn.asks_facts

    def _refuse(self, act: Act) -> None:
        if self.pending and self._about_proposal(act) and (self._refused or not self._theirs):
            self.pending = None

    def _propose(self, act: Act) -> None:
        steps = act.steps
        if steps and self._just_made and self._restates(act):
            self._fill(steps)
            steps = steps[1:]
        if not steps:
            return
        before = self._earlier
        if before and _alike(before.steps[0], steps[0]) is True and before.seat != self.seat:
            reach = sum(_alike(mine, other) is True for mine, other in zip(before.steps, steps, strict=False))
            self._accept(reach, details=steps)
            steps = steps[reach:]
        elif before and self._goes_on(before, act):
            self._accept(len(before.steps), final=True)
        self._put(steps)

    def _goes_on(self, before: _Proposal, act: Act) -> bool:
        """Whether a new proposal starts from where an earlier one leads, so that that one must have been made."""
        if self._refused or self._doubted:
            return False
        follows = _follows(before.steps[-1], act.steps[0])
        return bool(follows) or (follows is None and before.affirmed and _alike(before.steps[-1], act.steps[0]) is not True)

    def _put(self, steps: tuple[Step, ...]) -> None:
        """Hold a proposal; in the same turn, one that goes on from the last is added to it."""
        if not steps:
            return
        own = self.pending if self.pending and self.pending.turn == self.number and self.pending.seat == self.seat else None
        if own and _alike(own.steps[-1], steps[0]) is True:
            return
        if own and _follows(own.steps[-1], steps[0]):
            steps = (*own.steps, *steps)
        affirmed = bool(self.pending and self.pending.affirmed and self.pending.steps == steps)
        self.pending = _Proposal(self.seat, self.number, steps, affirmed=affirmed)
        self.proposed_before = True

    def _under_way(self, act: Act) -> None:
        if not act.steps:
            return
        theirs, before = self._theirs, self._earlier
        if theirs and (reach := theirs.reach(act.steps)) != 0 and not self._refused:
            self._accept(reach or len(theirs.steps), details=act.steps)
        elif not act.further and self._restates(act) and (self._just_made or self.seat not in self.aware):
            self._fill(act.steps)
        elif before and before.affirmed and before.reach(act.steps):
            self._accept(len(before.steps), final=True)
        else:
            self._propose(act)

    def _report(self, act: Act) -> None:
        before = self._earlier
        reach = before.reach(act.steps) if before and act.steps else 0
        if not act.steps:
            if before and not self._refused:
                self._accept(len(before.steps), final=True)
        elif self._completes_last(act):
            self._fill(act.steps)
        elif before and reach != 0 and not (before.seat != self.seat and self._refused):
            self._accept(reach or len(before.steps), details=act.steps, final=True)
        elif self._restates(act):
            self._fill(act.steps)
        elif self._believable(act):
            self._make(act.steps)
        self.reported = True

    def _completes_last(self, act: Act) -> bool:
        """Whether a report gives the cell of the last move, of which only the direction was known."""
        last = self._last
        if last is None or last.cell or act.steps[-1].cell is None or _alike(last, act.steps[-1]) is False:
            return False
        return self._just_made or self.seat not in self.aware

    def _believable(self, act: Act) -> bool:
        """Whether a move is reported that we did not see agreed on, and that can follow the last."""
        if self._last is None:
            return act.cue in ("we_moved", "puts_us") or self.proposed_before
        return bool(_follows(self._last, act.steps[0])) or (act.steps[0].cell is None and act.cue == "we_moved")

    def _stand(self, act: Act) -> None:
        before = self._earlier
        if before and act.steps and any(_alike(step, act.steps[-1]) is True for step in before.steps):
            self._accept(before.reach(act.steps) or 1, details=act.steps, final=True)
        elif act.steps and self._completes_last(act):
            self._fill(act.steps)

    # ---- what becomes of it

    def _restates(self, act: Act) -> bool:
        """Whether the act speaks of the last move again. Without a cell, a word like "again" makes it another move."""
        if self._last is None:
            return False
        alike = _alike(self._last, act.steps[0])
        if self._last.cell and act.steps[0].cell:
            return alike is True
        if act.kind == "report":
            return alike is True
        return alike is not False and not act.further and not self.reported and act.cue not in _ASKING

    def _named_extent(self) -> int:
        """Return how many of several proposed steps a bare yes is for: up to the one that the turn names, or all."""
        assert self.pending
        extents = [
            self.pending.reach(act.steps)
            for act in self.turn.acts
            if act.steps and act.kind in ("under way", "report", "we are", "agree")
        ]
        named = next((extent for extent in extents if extent), None)
        return named or (1 if self._doubted else len(self.pending.steps))

    def _accept(self, count: int, *, details: Sequence[Step] = (), final: bool = False) -> None:
        """Carry out the first steps of the proposal, once every seat has agreed (or moves on: ``final``)."""
        if self.pending is None:
            return
        backers = self.pending.backers | {self.seat}
        if not final and len(backers - {self.pending.seat}) < self.seats - 1:
            self.pending = replace(self.pending, backers=backers)
            return
        steps, self.pending = self.pending.steps[:count], None
        self._make(steps)
        if details:
            self._fill(details[-1:])

    def _make(self, steps: Sequence[Step]) -> None:
        self.happened.extend(Happening(self.number, self.seat, step, made=True) for step in steps)
        self.aware = {self.seat}

    def _fill(self, steps: Sequence[Step]) -> None:
        """Complete what is known of the last move."""
        self.aware.add(self.seat)
        place = next((i for i in range(len(self.happened) - 1, -1, -1) if self.happened[i].made), None)
        if place is not None and steps:
            step = self.happened[place].step
            whole = Step(step.direction or steps[0].direction, step.cell or steps[0].cell)
            self.happened[place] = replace(self.happened[place], step=whole)

    def _end_turn(self) -> None:
        if self._theirs and any(act.kind == "doubt" and act.steps and self._about_proposal(act) for act in self.turn.acts):
            self.pending = None
        considered = {act.steps[0] for act in self.turn.acts if act.kind == "consider" and act.steps}
        if self.turn.asks_agreement and len(considered) == 1 and not (self.pending and self.pending.turn == self.number):
            self._put(tuple(considered))
        if self.pending and self.pending.turn == self.number:
            facts = self.turn.asks_facts and not self.turn.asks_agreement
            self.pending = replace(self.pending, wants_facts=facts)
            if not self._just_made:
                self.happened.extend(Happening(self.number, self.seat, step, made=False) for step in self.pending.steps)


_ASKING = ("propose", "shall", "how_about", "do_you", "label", "bare")
"""Wordings that ask for a move, and so do not restate one that is agreed: "Agreed. Let's move down" is one move."""
_MOTION = ("propose", "under way", "report")
