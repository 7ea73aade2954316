"""The route that a solo player submits: the last one of its last turn that has one.

A solution is a run of cells (or of directions, where there are no cells): in one line, or one a line. The words before a
run say what it is; a list of walls is a run of cells too, but hardly one of neighbours. The critic step submits again or
merely confirms, and then the earlier solution stands (Davidson et al., The Collaboration Gap, figures A.2 and A.3).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .cells import Annotated, adjacent, annotate
from .extraction import Entry, Extraction, Spoken
from .plain import plain
from .speech import Step, steps_of

__all__ = ["submitted_route"]

_WORTH: tuple[tuple[int, str], ...] = (
    (2, r"\b(?:final\w*|corrected|revised|updated|adjusted|improved|submit\w*|complete|answer)\b"),
    (2, r"\b(?:solution|path|route)\b"),
    (1, r"\b(?:moves?|coordinates?|sequence|directions|steps)\b"),
    (-4, r"\b(?:original|previous|initial|first attempt|earlier|old|alternative|dead|tried|wrong|incorrect)\b"),
    (-5, r"\b(?:walls?|open|hidden|visible|known|unknown|merged?|obstacles?|blocked|neighbou?rs?|options?|path cells?)\b"),
)
"""What words before a run of cells make of it. Those about maps count only where none speaks of a solution."""

_LEAD = re.compile(
    r"^[^\w⟦⟪]*(?:(?:step|move)?\s*\d{1,3}\s*[.):\]—-]+\s*)?[^\w⟦⟪]*(?:\b(?:start(?:ing)?|begin|then|finally|goal|end|move[sd]?"
    r"|moving|go|step|down|from|to|at|one|cell|position|and|arrive|reach|the|is|with|in|point|current|next)\b[\s:,—-]*)*"
    r"[^\w⟦⟪]*(?=[⟦⟪])"
)
"""How a line of a vertical list begins."""
_MENTION = re.compile(r"[⟦⟪]\d+[⟧⟫]")
_GAP = re.compile(
    r"(?:[\s,;→\[\]()|.@*-]|\b(?:then|to|and|start|goal|finally|move|moving|go|going|step|next|again|followed by|from|at|reach"
    r"|into|the|cell)\b)*"
)
"""What may stand between two places of one run."""
_MAP_WORDS = re.compile(_WORTH[-1][1])


class _Run(NamedTuple):
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
        connected = sum(pairs) * 2 >= len(pairs) and len(self.steps) > 1
        return connected or self.worth > 1, self.worth, connected, bool(pairs)


def submitted_route(turns: Sequence[tuple[str, str]], letters: int) -> Extraction:
    """Extract the solution of a player who plays alone.

    Args:
        turns: (seat, text) in order; the last is usually the critic step.
        letters: the size of the maze, see :func:`.cells.annotate`.
    """
    chosen, number, speaker = _Run((), 0), 0, ""
    for place, (seat, text) in enumerate(turns, start=1):
        said = annotate(plain(text), letters)
        run = _best(list(_runs(Annotated(said.text.lower(), said.mentions))))
        if run and (not chosen.steps or _submits_again(run, chosen)):
            chosen, number, speaker = run, place, seat
    words = chosen.cells or [step.direction for step in chosen.steps if step.direction]
    return Extraction(route=tuple(Entry(turn=number, coordinates=(word,), agent=speaker) for word in words))


def _submits_again(run: _Run, chosen: _Run) -> bool:
    """Whether a run of the critic step is a solution of its own, not just some cells in a remark."""
    if run.merit[0] < chosen.merit[0] or bool(run.cells) < bool(chosen.cells):
        return False
    return run.worth > 1 or len(run.steps) * 2 >= len(chosen.steps)


def _best(runs: list[_Run]) -> _Run | None:
    """Return the likeliest run; of equals the last, unless it is but a part of a longer one."""
    runs = [run for run in runs if len(run.steps) > 1 or run.worth > 1]
    if not runs:
        return None
    merit = max(run.merit for run in runs)
    equals = [run for run in runs if run.merit == merit]
    longest = max(len(run.steps) for run in equals)
    return next(run for run in reversed(equals) if len(run.steps) * 5 >= longest * 3)


def _runs(said: Annotated) -> Iterator[_Run]:
    """Yield the runs of a text: lists in one line, and lists with an item a line."""
    heading, items, carried = "", list[Step](), False
    for line in (*said.text.split("\n"), "end"):
        if not line.strip(" []{}()`\"'|-_"):
            continue
        if (lead := _LEAD.match(line)) or (carried and _MENTION.search(line)):
            first = _first_chain(line[lead.end() if lead else 0 :])
            items.extend(steps_of(line[: lead.end()] + first if lead else first, said.mentions))
            carried = line.rstrip().endswith(("→", ","))
            continue
        yield _Run(tuple(items), _worth(heading))
        items, carried, heading = [], False, line
        chains = list(_chains(line))
        for before, chain in chains:
            run = _Run(steps_of(chain, said.mentions), _worth(before))
            if line.rstrip().endswith(("→", ",")) and (before, chain) == chains[-1]:
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
    for found in _MENTION.finditer(line):
        if end and not _GAP.fullmatch(line[end : found.start()]):
            break
        end = found.end()
    return line[:end]


def _chains(line: str) -> Iterator[tuple[str, str]]:
    """Yield every chain of at least two places in a line, with the words before it."""
    start = before = 0
    end: int | None = None
    count = 0
    for found in (*_MENTION.finditer(line), None):
        if found and end is not None and _GAP.fullmatch(line[end : found.start()]):
            end, count = found.end(), count + 1
            continue
        if end is not None and count > 1:
            yield line[before:start], line[start:end]
            before = end
        if found:
            start, end, count = found.start(), found.end(), 1
