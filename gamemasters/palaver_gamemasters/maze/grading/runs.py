"""Runs of places in a text: routes and plans, but also lists of walls; and which of them is likeliest a route.

A run is told in one line, one place a line, or from place to place. The words before it say what it is; a list of walls
is a run of cells too, but hardly one of neighbours.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .cells import Spoken, adjacent
from .notations import Annotated
from .steps import MENTION, Step, steps_of

__all__ = ["Run", "likeliest", "runs"]

_WORTH: tuple[tuple[int, str], ...] = (
    (2, r"\b(?:final\w*|corrected|revised|updated|adjusted|improved|submit\w*|complete|answer)\b"),
    (2, r"\b(?:solution|path|route)\b"),
    (1, r"\b(?:moves?|coordinates?|sequence|directions|steps)\b"),
    (-4, r"\b(?:original|previous|initial|first attempt|earlier|old|alternative|dead|tried|wrong|incorrect)\b"),
    (-5, r"\b(?:walls?|open|hidden|visible|known|unknown|merged?|obstacles?|blocked|neighbou?rs?|options?)\b"),
)
"""What words before a run of cells make of it. Those about maps count only where none speaks of a solution."""

_LEAD = re.compile(
    r"^[^\w⟦⟪]*+(?:(?:step|move)?\s*\d{1,3}\s*[.):\]—-]+\s*)?[^\w⟦⟪]*+"
    r"(?:\b(?:start(?:ing)?|begin|then|finally|goal|end|move[sd]?|moving|go|step|down|from|to|at|one|cell|position|and|arrive|reach|the|is|with|in|point|current|next)\b[\s:,—-]*+)*+"
    r"[^\w⟦⟪]*+(?=[⟦⟪])"
)
"""How a line of a vertical list begins."""
_GAP = re.compile(
    r"(?:[\s,:;→⟶\[\](){}|.@*'\"-]|\b(?:then|to|and|start|goal|finally|move|moving|go|going|step|next|again"
    r"|followed by|from|at|reach|into|the|cell|i|we|there|first)\b)*"
)
"""What may stand between two places of one run."""

_REACH = 300
"""How far back the words before a run can stand, in characters; without a bound, a long line takes quadratic time."""


class Run(NamedTuple):
    """A run of steps, and what the words before it are worth."""

    steps: tuple[Step, ...]
    worth: int

    @property
    def cells(self) -> list[Spoken]:
        """The cells of the run."""
        return [step.cell for step in self.steps if step.cell]

    @property
    def merit(self) -> tuple[bool, int, bool, bool]:
        """How likely this is the solution: called so, connected from cell to cell, told in cells."""
        pairs = [adjacent(a, b) is True or a == b for a, b in zip(self.cells, self.cells[1:], strict=False)]
        several = len(self.steps) > 1
        connected = several and sum(pairs) * 2 >= len(pairs)
        return several and (connected or self.worth > 1), self.worth, connected, bool(pairs)


def likeliest(found: Sequence[Run]) -> Run | None:
    """Return the likeliest run; of equals the last, unless it is but a part of a longer one."""
    found = [run for run in found if len(run.steps) > 1 or (run.steps and run.worth > 1)]
    if not found:
        return None
    merit = max(run.merit for run in found)
    equals = [run for run in found if run.merit == merit]
    longest = max(len(run.steps) for run in equals)
    return next(run for run in reversed(equals) if len(run.steps) * 5 >= longest * 3)


def runs(said: Annotated) -> Iterator[Run]:
    """Yield the runs of a text: lists in one line, and lists with an item a line."""
    heading, items, carried = "", list[Step](), False
    for line in (*said.text.split("\n"), "end"):
        if not line.strip(" []{}()`\"'|-_"):
            continue
        if (lead := _LEAD.match(line)) or (carried and MENTION.search(line)):
            first = _first_chain(line[lead.end() if lead else 0 :])
            items.extend(steps_of(line[: lead.end()] + first if lead else first, said.mentions))
            carried = line.rstrip().endswith(("→", "⟶", ","))
            continue
        yield Run(tuple(items), _worth(heading))
        items, carried, heading = [], False, line
        chains = list(_chains(line))
        for before, chain in chains:
            run = Run(steps_of(chain, said.mentions), _worth(before))
            if line.rstrip().endswith(("→", "⟶", ",")) and (before, chain) == chains[-1]:
                items, carried = list(run.steps), True
            else:
                yield run


def _worth(words: str) -> int:
    found = [worth for worth, pattern in _WORTH if re.search(pattern, words)]
    about_solution = sum(worth for worth in found if worth > 0) >= 2
    return sum(worth for worth in found if not (worth == _WORTH[-1][0] and about_solution))


def _first_chain(line: str) -> str:
    """Return a line up to the first words that are more than links between places."""
    end = 0
    for found in MENTION.finditer(line):
        if end and not _GAP.fullmatch(line[end : found.start()]):
            break
        end = found.end()
    return line[:end]


def _chains(line: str) -> Iterator[tuple[str, str]]:
    """Yield every chain of places in a line, with the words of its sentence between it and the last true chain."""
    start = before = first = 0
    end: int | None = None
    for found in (*MENTION.finditer(line), None):
        if found and end is not None and _GAP.fullmatch(line[end : found.start()]):
            end = found.end()
            continue
        if end is not None:
            yield _last_sentence(line[max(before, start - _REACH) : start]), line[start:end]
            before = before if end == first else end
        if found:
            start, end = found.start(), found.end()
            first = end


def _last_sentence(words: str) -> str:
    return re.split(r"[.!?] ", words)[-1]
