"""What a dialogue agreed on: a fold over its turns, in which proposals are made, accepted, replaced and carried out.

The rules of the game are those of the study (Davidson et al., The Collaboration Gap, appendix A.4): a move is executed
as soon as all agree. So a proposal is held until the partner agrees to it, refuses it, or puts another in its place;
:mod:`.negotiation` holds it, :mod:`.group` where more than two talk.
Where the wording of an agreement escapes the tables of cues, what the speakers do betrays it: they report the move as
made, or go on from where it leads. A cell next to a proposed one can only be a step beyond it, never an alternative to
it, because two neighbours of one cell are never neighbours themselves.

Speakers who split up and move each on their own ("I move down", "I move right": appendix F.2) agree on nothing, so
nothing counts; a one-sided move counts once the partner goes on from there. A move that is agreed on, announced and
reported is one move: what restates the last move is not counted again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .addressing import without_names
from .clauses import Act
from .group import GroupNegotiation
from .ledger import Happening, Proposal, alike, follows
from .negotiation import Negotiation
from .notations import Alphabet
from .reception import concerns, counters, doubts, extent, refuses
from .speech import Turn, asks_right, read_turn
from .steps import Step

__all__ = ["read_dialogue"]


def read_dialogue(
    turns: Sequence[tuple[str, str]], alphabet: Alphabet, agents: int | None = None
) -> tuple[Happening, ...]:
    """Return what happened in a dialogue, in order.

    Args:
        turns: (seat, text) in order.
        alphabet: what letters can mean in this transcript.
        agents: how many must agree, whether they have spoken or not; if left out, those who have, and two at least.
    """
    seats = agents or max(2, len({seat for seat, _ in turns}))
    many = seats > 2
    table = GroupNegotiation(seats) if many else Negotiation()
    talk = _Talk(table)
    asked_right = False
    for number, (seat, text) in enumerate(turns, start=1):
        said = without_names(text, seat) if many else text
        talk.hear(number, seat, read_turn(said, alphabet, asked_right=asked_right))
        asked_right = asks_right(said)
    return tuple(table.happened)


@dataclass(slots=True)
class _Talk:
    """The turn that is being heard, and the table that its acts change."""

    table: Negotiation
    turn: Turn = field(default_factory=Turn)
    reported: bool = False  # a report parts the last move from what is said after it
    echo: Proposal | None = None  # "Agreed. Let's move down": the agreed move again, or the next one
    of_facts: bool = False  # the last question was about the maze, so that "And (0, 2)?" is one as well

    def hear(self, number: int, seat: str, turn: Turn) -> None:
        """Take in one turn."""
        self.table.open_turn(number, seat)
        self.turn, self.reported = turn, False
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
        if echo is None or self.table.pending or echo.seat == self.table.seat:
            return
        told = any(act.kind in ("report", "under way") for act in self.turn.acts)
        if not told and any(act.kind in ("agree", "affirm") and not act.fact for act in self.turn.acts):
            self.table.pending = echo

    # ---- what the turn says as a whole

    @property
    def _refused(self) -> bool:
        return refuses(self.turn, self.table.pending)

    @property
    def _doubted(self) -> bool:
        return doubts(self.turn, self.table.pending)

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
            if self.table.theirs and not self._refused:
                self.table.accept(extent(self.turn, self.table.theirs))
            return
        if self.table.theirs and (reach := self.table.theirs.reach(act.steps)) != 0:
            self.table.accept(reach or len(self.table.theirs.steps), details=act.steps)
        elif self._restates(act):
            self.table.fill(act.steps)
        elif self.table.theirs is None and act.cue in ("agree", "agree_with") and self.table.seats == 2:
            self.table.make(act.steps)  # one agrees to something: it was proposed in words that we did not catch
        elif act.cue != "sounds":
            self._propose(act)

    def _affirm(self, act: Act) -> None:
        theirs = self.table.theirs
        if theirs is None or self._refused:
            return
        others = [
            other for other in self.turn.acts if other is not act and other.kind not in ("doubt", "consider", "filler")
        ]
        if act.cue == "acti":
            if not self.table.answered:
                self.table.accept(len(theirs.steps))
        elif self._doubted or counters(self.turn, theirs):
            return
        elif act.fact or (theirs.wants_facts and not others):
            speaker = frozenset({self.table.seat})
            affirmed = theirs.affirmed | speaker if act.kind == "affirm" else theirs.affirmed - speaker
            self.table.pending = replace(theirs, affirmed=affirmed)
        elif act.kind == "affirm" or any(other.kind in _MOTION for other in others) or self._says_nothing_else(act):
            self.table.accept(extent(self.turn, theirs))

    def _says_nothing_else(self, act: Act) -> bool:
        return self.turn.acts == (act,) and not self.turn.asks_facts

    def _refuse(self, act: Act) -> None:
        if self.table.pending and concerns(act, self.table.pending) and (self._refused or not self.table.theirs):
            if act.cue == "wait" and not act.steps and not self._doubted:
                self.table.pending = replace(self.table.pending, wants_facts=True)
            else:
                troubled = [step for other in self.turn.acts if other.kind == "doubt" for step in other.steps]
                self.table.drop(replace(act, steps=act.steps or tuple(troubled)))

    def _propose(self, act: Act) -> None:
        if act.cue == "elliptic" and self.of_facts:
            return
        steps = act.steps or self._same_again(act)
        if act.steps and self.table.just_made and self._restates(act):
            self.table.fill(steps)
            if len(steps) == 1 and not steps[0].cell and not act.joined and not self._agreed_with:
                self.echo = Proposal(self.table.seat, self.table.number, steps)
            steps = steps[1:]
        if act.steps and (known := self.table.restated(act)):
            steps = steps[known:]
        if not steps:
            return
        before = self.table.earlier
        if (
            act.cue == "best_bet"
            and self.table.theirs
            and self._agrees
            and alike(self.table.theirs.steps[0], steps[0]) is not False
        ):
            return  # it gives the reason why the turn agrees
        if before and alike(before.steps[0], steps[0]) is True and before.waits_for(self.table.seat):
            reach = sum(alike(mine, other) is True for mine, other in zip(before.steps, steps, strict=False))
            self.table.accept(reach, details=steps)
            steps = steps[reach:]
        elif before and self._goes_on(before, act):
            self.table.accept(len(before.steps), final=True)
        self.table.put(steps, act.again)

    def _same_again(self, act: Act) -> tuple[Step, ...]:
        """Return the last move once more, if that is what is proposed and it is known by its direction."""
        last = self.table.pending.steps[-1] if self.table.pending else self.table.last
        return (Step(last.direction, None),) if act.cue == "same" and last and last.direction else ()

    def _goes_on(self, before: Proposal, act: Act) -> bool:
        """Whether a new proposal starts from where an earlier one leads, so that that one must have been made."""
        if self._refused or self._doubted:
            return False
        onward = follows(before.steps[-1], act.steps[0])
        if len(act.steps) > 1 and alike(before.steps[-1], act.steps[0]):
            return True  # "(0, 1) to (0, 2)" says where it starts
        unclear = onward is None and alike(before.steps[-1], act.steps[0]) is not True
        return bool(onward) or (unclear and bool(before.affirmed))

    def _under_way(self, act: Act) -> None:
        if not act.steps:
            return
        theirs, before = self.table.theirs, self.table.earlier
        if theirs and (reach := theirs.reach(act.steps)) != 0 and not self._refused:
            self.table.accept(reach or len(theirs.steps), details=act.steps)
        elif not act.further and self._restates(act) and self.table.may_restate:
            self.table.fill(act.steps)
        elif before and before.affirmed and before.reach(act.steps):
            self.table.accept(len(before.steps), final=True)
        else:
            self._propose(act)

    def _report(self, act: Act) -> None:
        before = self.table.earlier
        reach = before.reach(act.steps) if before and act.steps else 0
        if not act.steps:
            if before and not self._refused:
                self.table.accept(len(before.steps), final=True)
        elif self._completes_last(act):
            self.table.fill(act.steps)
        elif before and reach != 0 and not (before.seat != self.table.seat and self._refused):
            self.table.accept(reach or len(before.steps), details=act.steps, final=True)
        elif self._restates(act):
            self.table.fill(act.steps)
        elif self._believable(act):
            self.table.believe(act.steps)
        self.reported = True

    def _completes_last(self, act: Act) -> bool:
        """Whether a report gives the cell of the last move, of which only the direction was known."""
        last = self.table.last
        if last is None or last.cell or act.steps[-1].cell is None or alike(last, act.steps[-1]) is False:
            return False
        return self.table.may_restate

    def _believable(self, act: Act) -> bool:
        """Whether a move is reported that we did not see agreed on, and that can follow the last."""
        if self.table.last is None:
            return act.cue in ("we_moved", "puts_us") or self.table.proposed_before
        return bool(follows(self.table.last, act.steps[0])) or (act.steps[0].cell is None and act.cue == "we_moved")

    def _stand(self, act: Act) -> None:
        before = self.table.earlier
        if before and act.steps and any(alike(step, act.steps[-1]) is True for step in before.steps):
            self.table.accept(before.reach(act.steps) or 1, details=act.steps, final=True)
        elif act.steps and act.cue != "we_start" and self._completes_last(act):
            self.table.fill(act.steps)

    def _restates(self, act: Act) -> bool:
        """Whether the act speaks of the last move again. Without a cell, a word like "again" makes it another move."""
        if self.table.last is None:
            return False
        likeness = alike(self.table.last, act.steps[0])
        if self.table.last.cell and act.steps[0].cell:
            return likeness is True
        if act.kind == "report":
            return likeness is True
        further = act.further and not (act.again and self.table.accepted_again)
        return likeness is not False and not further and not self.reported and act.cue not in _ASKING

    def _end_turn(self) -> None:
        doubted = [act for act in self.turn.acts if act.kind == "doubt" and act.steps]
        if doubt := next((act for act in doubted if self.table.theirs and concerns(act, self.table.pending)), None):
            self.table.drop(doubt)
        considered = {act.steps for act in self.turn.acts if act.kind == "consider" and act.steps}
        if self.turn.asks_agreement and len(considered) == 1 and not self.table.put_now:
            self.table.put(considered.pop())
        if self.turn.plan and not self.table.put_now:
            self.table.put(self.turn.plan)
        if self.table.pending and self.table.put_now:
            facts = self.turn.asks_facts and not self.turn.asks_agreement
            self.table.pending = replace(self.table.pending, wants_facts=facts)
            self.table.consider()
        if self.table.put_now or self.turn.asks_facts:
            self.of_facts = not self.table.put_now


_ASKING = ("propose", "shall", "how_about", "do_you", "label", "bare", "elliptic")
"""Wordings that ask for a move, and so do not restate one that is agreed: "Agreed. Let's move down" is one move."""
_MOTION = ("propose", "under way", "report")
