"""What a turn as a whole makes of the proposal on the table, before its acts are taken one by one."""

from .clauses import Act
from .ledger import Proposal, alike, follows
from .speech import Turn

__all__ = ["concerns", "counters", "doubts", "extent", "refuses"]


def concerns(act: Act, proposal: Proposal | None) -> bool:
    """Whether an act is, or may be, about the proposal: it names no move, or one of those proposed."""
    mine = proposal.steps if proposal else ()
    return not act.steps or any(alike(step, other) is True for step in act.steps for other in mine)


def refuses(turn: Turn, proposal: Proposal | None) -> bool:
    """Whether the turn's last word on the proposal is no."""
    stances = [
        act.kind
        for act in turn.acts
        if (act.kind == "refuse" and concerns(act, proposal)) or (act.kind == "agree" and not act.fact)
    ]
    return bool(stances) and stances[-1] == "refuse"


def doubts(turn: Turn, proposal: Proposal | None) -> bool:
    """Whether the turn names trouble, unless it is trouble with other cells."""
    return any(act.kind == "doubt" and concerns(act, proposal) for act in turn.acts)


def counters(turn: Turn, proposal: Proposal) -> bool:
    """Whether the turn proposes an alternative, as far as the cells tell: another cell that is no step beyond."""
    first = next((act.steps[0] for act in turn.acts if act.kind == "propose" and act.steps), None)
    last = proposal.steps[-1]
    return first is not None and alike(last, first) is False and follows(last, first) is False


def extent(turn: Turn, proposal: Proposal) -> int:
    """Return how many of several proposed steps a bare yes is for: so many as it says, or up to the one it names.

    Else it is for all, but with doubts for the first step only.
    """
    if said := next((act.count for act in turn.acts if act.count), 0):
        return min(said, len(proposal.steps))
    stated = ("under way", "report", "we are", "agree")
    reached = [proposal.reach(act.steps) for act in turn.acts if act.steps and act.kind in stated]
    named = next((count for count in reached if count), None)
    return named or (1 if doubts(turn, proposal) else len(proposal.steps))
