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

from .clauses import Act
from .ledger import Happening, Proposal, alike, follows
from .notations import Alphabet
from .reception import concerns, counters, doubts, extent, refuses
from .speech import Turn, asks_right, read_turn
from .steps import Step

__all__ = ["read_dialogue"]


def read_dialogue(turns: Sequence[tuple[str, str]], alphabet: Alphabet) -> tuple[Happening, ...]:
    """Return what happened in a dialogue, in order.

    Args:
        turns: (seat, text) in order.
        alphabet: what letters can mean in this transcript.
    """
    talk = _Talk(seats=len({seat for seat, _ in turns}))
    asked_right = False
    for number, (seat, text) in enumerate(turns, start=1):
        talk.hear(number, seat, read_turn(text, alphabet, asked_right=asked_right))
        asked_right = asks_right(text)
    return tuple(talk.happened)


@dataclass(slots=True)
class _Talk:
    """The state of the negotiation, and the turn that is being heard."""

    seats: int
    happened: list[Happening] = field(default_factory=list)
    pending: Proposal | None = None
    aware: set[str] = field(default_factory=set)  # who has spoken of the last move as made
    number: int = 0
    seat: str = ""
    turn: Turn = field(default_factory=Turn)
    reported: bool = False  # a report parts the last move from what is said after it
    accepted_again: bool = False  # the "again" of a proposal is no further step when its acceptance repeats it
    proposed_before: bool = False
    echo: Proposal | None = None  # "Agreed. Let's move down": the agreed move again, or the next one

    def hear(self, number: int, seat: str, turn: Turn) -> None:
        """Take in one turn."""
        self.number, self.seat, self.turn, self.reported = number, seat, turn, False
        self.accepted_again = False
        self._settle_echo()
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

    def _settle_echo(self) -> None:
        """Settle whether the last turn restated a move or proposed it again, by what this turn answers.

        A report of the move says that it was one and the same; a yes says that there was something to agree to.
        """
        echo, self.echo = self.echo, None
        if echo is None or self.pending or echo.seat == self.seat:
            return
        told = any(act.kind in ("report", "under way") for act in self.turn.acts)
        if not told and any(act.kind in ("agree", "affirm") and not act.fact for act in self.turn.acts):
            self.pending = echo

    # ---- what the partner's proposal meets with

    @property
    def _theirs(self) -> Proposal | None:
        """The proposal that waits for this speaker."""
        return self.pending if self.pending and self.pending.seat != self.seat else None

    @property
    def _earlier(self) -> Proposal | None:
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
        return refuses(self.turn, self.pending)

    @property
    def _doubted(self) -> bool:
        return doubts(self.turn, self.pending)

    @property
    def _agrees(self) -> bool:
        return any(act.kind == "agree" and not act.fact for act in self.turn.acts)

    @property
    def _agreed_with(self) -> bool:
        """Whether the turn agrees with the proposal by that name."""
        return any(act.cue == "agree_with" for act in self.turn.acts)

    # ---- acts

    def _agree(self, act: Act) -> None:
        if act.fact:
            return
        if not act.steps:
            if self._theirs and not self._refused:
                self._accept(extent(self.turn, self._theirs))
            return
        if self._theirs and (reach := self._theirs.reach(act.steps)) != 0:
            self._accept(reach or len(self._theirs.steps), details=act.steps)
        elif self._restates(act):
            self._fill(act.steps)
        elif self._theirs is None and act.cue in ("agree", "agree_with") and self.seats == 2:
            self._make(act.steps)  # one agrees to something: it was proposed in words that we did not catch
        elif act.cue != "sounds":
            self._propose(act)

    def _affirm(self, act: Act) -> None:
        theirs = self._theirs
        if theirs is None or self._refused:
            return
        others = [
            other for other in self.turn.acts if other is not act and other.kind not in ("doubt", "consider", "filler")
        ]
        if act.cue == "acti":
            self._accept(len(theirs.steps))
        elif self._doubted or counters(self.turn, theirs):
            return
        elif act.fact or (theirs.wants_facts and not others):
            self.pending = replace(theirs, affirmed=act.kind == "affirm")
        elif act.kind == "affirm" or any(other.kind in _MOTION for other in others) or self._says_nothing_else(act):
            self._accept(extent(self.turn, theirs))

    def _says_nothing_else(self, act: Act) -> bool:
        return self.turn.acts == (act,) and not self.turn.asks_facts

    def _refuse(self, act: Act) -> None:
        if self.pending and concerns(act, self.pending) and (self._refused or not self._theirs):
            waits = act.cue == "wait" and not act.steps and not self._doubted
            self.pending = replace(self.pending, wants_facts=True) if waits else None

    def _propose(self, act: Act) -> None:
        steps = act.steps or self._same_again(act)
        if act.steps and self._just_made and self._restates(act):
            self._fill(steps)
            if len(steps) == 1 and not steps[0].cell and not act.joined and not self._agreed_with:
                self.echo = Proposal(self.seat, self.number, steps)
            steps = steps[1:]
        if not steps:
            return
        before = self._earlier
        if (
            act.cue == "best_bet"
            and self._theirs
            and self._agrees
            and alike(self._theirs.steps[0], steps[0]) is not False
        ):
            return  # it gives the reason why the turn agrees
        if before and alike(before.steps[0], steps[0]) is True and before.seat != self.seat:
            reach = sum(alike(mine, other) is True for mine, other in zip(before.steps, steps, strict=False))
            self._accept(reach, details=steps)
            steps = steps[reach:]
        elif before and self._goes_on(before, act):
            self._accept(len(before.steps), final=True)
        self._put(steps, act.again)

    def _same_again(self, act: Act) -> tuple[Step, ...]:
        """Return the last move once more, if that is what is proposed and it is known by its direction."""
        last = self.pending.steps[-1] if self.pending else self._last
        return (Step(last.direction, None),) if act.cue == "same" and last and last.direction else ()

    def _goes_on(self, before: Proposal, act: Act) -> bool:
        """Whether a new proposal starts from where an earlier one leads, so that that one must have been made."""
        if self._refused or self._doubted:
            return False
        onward = follows(before.steps[-1], act.steps[0])
        if len(act.steps) > 1 and alike(before.steps[-1], act.steps[0]):
            return True  # "(0, 1) to (0, 2)" says where it starts
        return bool(onward) or (
            onward is None and before.affirmed and alike(before.steps[-1], act.steps[0]) is not True
        )

    def _put(self, steps: tuple[Step, ...], again: bool = False) -> None:
        """Hold a proposal; in the same turn, one that goes on from the last is added to it."""
        if not steps:
            return
        own = (
            self.pending
            if self.pending and self.pending.turn == self.number and self.pending.seat == self.seat
            else None
        )
        if own and alike(own.steps[-1], steps[0]) is True:
            return
        if own and follows(own.steps[-1], steps[0]):
            steps = (*own.steps, *steps)
        affirmed = bool(self.pending and self.pending.affirmed and self.pending.steps == steps)
        self.pending = Proposal(self.seat, self.number, steps, affirmed=affirmed, again=again)
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
        if last is None or last.cell or act.steps[-1].cell is None or alike(last, act.steps[-1]) is False:
            return False
        return self._just_made or self.seat not in self.aware

    def _believable(self, act: Act) -> bool:
        """Whether a move is reported that we did not see agreed on, and that can follow the last."""
        if self._last is None:
            return act.cue in ("we_moved", "puts_us") or self.proposed_before
        return bool(follows(self._last, act.steps[0])) or (act.steps[0].cell is None and act.cue == "we_moved")

    def _stand(self, act: Act) -> None:
        before = self._earlier
        if before and act.steps and any(alike(step, act.steps[-1]) is True for step in before.steps):
            self._accept(before.reach(act.steps) or 1, details=act.steps, final=True)
        elif act.steps and self._completes_last(act):
            self._fill(act.steps)

    # ---- what becomes of it

    def _restates(self, act: Act) -> bool:
        """Whether the act speaks of the last move again. Without a cell, a word like "again" makes it another move."""
        if self._last is None:
            return False
        likeness = alike(self._last, act.steps[0])
        if self._last.cell and act.steps[0].cell:
            return likeness is True
        if act.kind == "report":
            return likeness is True
        further = act.further and not (act.again and self.accepted_again)
        return likeness is not False and not further and not self.reported and act.cue not in _ASKING

    def _accept(self, count: int, *, details: Sequence[Step] = (), final: bool = False) -> None:
        """Carry out the first steps of the proposal, once every seat has agreed (or moves on: ``final``)."""
        if self.pending is None:
            return
        backers = self.pending.backers | {self.seat}
        if not final and len(backers - {self.pending.seat}) < self.seats - 1:
            self.pending = replace(self.pending, backers=backers)
            return
        self.accepted_again = self.pending.again
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
        self.accepted_again = False
        place = next((i for i in range(len(self.happened) - 1, -1, -1) if self.happened[i].made), None)
        if place is not None and steps:
            step = self.happened[place].step
            whole = Step(step.direction or steps[0].direction, step.cell or steps[0].cell)
            self.happened[place] = replace(self.happened[place], step=whole)

    def _end_turn(self) -> None:
        if self._theirs and any(
            act.kind == "doubt" and act.steps and concerns(act, self.pending) for act in self.turn.acts
        ):
            self.pending = None
        considered = {act.steps for act in self.turn.acts if act.kind == "consider" and act.steps}
        if (
            self.turn.asks_agreement
            and len(considered) == 1
            and not (self.pending and self.pending.turn == self.number)
        ):
            self._put(considered.pop())
        if self.turn.plan and not (self.pending and self.pending.turn == self.number):
            self._put(self.turn.plan)
        if self.pending and self.pending.turn == self.number:
            facts = self.turn.asks_facts and not self.turn.asks_agreement
            self.pending = replace(self.pending, wants_facts=facts)
            if not self._just_made:
                self.happened.extend(Happening(self.number, self.seat, step, made=False) for step in self.pending.steps)


_ASKING = ("propose", "shall", "how_about", "do_you", "label", "bare")
"""Wordings that ask for a move, and so do not restate one that is agreed: "Agreed. Let's move down" is one move."""
_MOTION = ("propose", "under way", "report")
