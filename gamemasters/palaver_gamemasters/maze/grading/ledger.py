"""What is held of a negotiation: the moves that were made or considered, and the proposal on the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .cells import Spoken, adjacent, direction_of, same
from .extraction import Entry, Extraction
from .steps import Step

__all__ = ["Happening", "Preference", "Proposal", "alike", "follows", "record", "whole"]

Preference = Literal["cells", "directions"]
"""Which of the two is recorded of a move that is named by both ("right to (0, 1)"): one of them, consistently."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A move that was made, or only considered, in a turn (from 1)."""

    turn: int
    seat: str
    step: Step
    made: bool


def record(happened: Sequence[Happening], prefer: Preference = "cells", everyone: str = "both") -> Extraction:
    """Write down what happened as a grader does: by cells or by directions; by the other where only that was said.

    ``everyone`` is who made a move that was agreed on: ``both`` in the study's schema, ``all`` of more than two.
    """
    return Extraction(
        route=tuple(
            Entry.model_construct(
                turn=event.turn,
                coordinates=(_words(event.step, prefer),),
                turn_type="move" if event.made else "consider",
                agent=everyone if event.made else event.seat,
            )
            for event in happened
        )
    )


def _words(step: Step, prefer: Preference) -> Spoken:
    first, second = (step.cell, step.direction) if prefer == "cells" else (step.direction, step.cell)
    return first or second or ()


def alike(one: Step, other: Step) -> bool | None:
    """Whether two steps are the same move, by their cells if both have one, else by directions; None: unclear."""
    if one.cell and other.cell and (equal := same(one.cell, other.cell)) is not None:
        return equal
    if one.direction and other.direction:
        return direction_of(one.direction[0]) == direction_of(other.direction[0])
    return None


def follows(before: Step, after: Step) -> bool | None:
    """Whether a step's cell lies next to the other's; None: one cannot say."""
    return adjacent(before.cell, after.cell) if before.cell and after.cell else None


def whole(step: Step, other: Step) -> Step:
    """Complete a step by what was said of it again: its cell where only the direction was known, or the direction."""
    return Step(step.direction or other.direction, step.cell or other.cell)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is on the table: moves that a seat wants to make, and who stands behind how many of them.

    ``seat`` and ``turn`` are of whoever put the last of the moves. ``assents``: to how many of them, from the first on,
    each seat has agreed; whoever proposes agrees. ``affirmed``: who has confirmed the facts that it rests on.
    """

    seat: str
    turn: int
    steps: tuple[Step, ...]
    wants_facts: bool = False
    affirmed: frozenset[str] = frozenset()
    again: bool = False
    assents: Mapping[str, int] = field(default_factory=dict)

    def waits_for(self, seat: str) -> bool:
        """Whether a seat has yet to agree to some of it."""
        return seat != self.seat and self.assents.get(seat, 0) < len(self.steps)

    def reach(self, steps: Sequence[Step]) -> int | None:
        """Return how many of the proposed steps are done once these are; 0: other steps; None: one cannot say."""
        verdicts = [alike(mine, steps[-1]) for mine in self.steps]
        if True in verdicts:
            return len(verdicts) - verdicts[::-1].index(True) if len(steps) > 1 else verdicts.index(True) + 1
        return None if None in verdicts else 0
