"""Which numbers are compared with which: scores by maze, runs that were played under the same conditions.

Two settings are compared over the same instances wherever both have played them: such differences are paired, and
an easy or a hard instance counts on both sides. Pure functions.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from palaver_observability.statistics import Comparison, Interval, difference, holm, mean_ci, wilson
from palaver_protocols.runs import EpisodeRecord

from .study import Cell, Study

__all__ = [
    "SUCCESS",
    "Conditions",
    "Sample",
    "compare",
    "conditions",
    "corrected",
    "mean_of",
    "paired",
    "sample",
    "success_of",
]

SUCCESS = "success"
"""The score that is 1 for an episode that was solved and 0 else, in every game that has it."""

Sample = Mapping[tuple[str, int], float | None]
"""A score by instance, and by how often that instance has come before."""

VARIED = {"setting"}
"""Options by which settings differ that are compared with each other."""


class Conditions(NamedTuple):
    """Runs of one game that differ in nothing but who played, and in which setting. ``name`` tells them from others."""

    game: str
    primary: str
    name: str
    cells: tuple[Cell, ...]


def sample(cells: Iterable[Cell], score: str) -> Sample:
    """Return a score of every episode that counts, by instance; of several runs of an instance, each."""
    found: dict[tuple[str, int], float | None] = {}
    seen: Counter[str] = Counter()
    for cell in cells:
        for record in cell.played:
            found[record.instance_id, seen[record.instance_id]] = record.scores.get(score)
            seen[record.instance_id] += 1
    return found


def paired(first: Sample, second: Sample) -> tuple[list[float | None], list[float | None]]:
    """Return the scores of the instances that both have, in the same order."""
    common = [key for key in first if key in second]
    return [first[key] for key in common], [second[key] for key in common]


def compare(first: Sample, second: Sample) -> Comparison:
    """Return first minus second: paired over the same instances, independent where they share none."""
    one, other = paired(first, second)
    both = sum(a is not None and b is not None for a, b in zip(one, other, strict=True))
    if both >= 2:
        return difference(one, other, paired=True)
    return difference(list(first.values()), list(second.values()), paired=False)


def corrected(found: Iterable[Comparison]) -> list[float | None]:
    """Correct the p values of a family of comparisons by Holm's method; None stays where no test is defined."""
    p_values = [each.p for each in found]
    adjusted = iter(holm([p for p in p_values if p is not None]))
    return [None if p is None else next(adjusted) for p in p_values]


def mean_of(cells: Iterable[Cell], score: str) -> Interval:
    """Estimate a mean over all episodes of some runs."""
    return mean_ci(list(sample(cells, score).values()))


def success_of(records: Iterable[EpisodeRecord]) -> Interval | None:
    """Return the share of episodes that were solved, with Wilson's interval; None where the game has no such score."""
    known = [value for record in records if (value := record.scores.get(SUCCESS)) is not None]
    return wilson(sum(value >= 0.5 for value in known), len(known)) if known else None


def conditions(study: Study, cells: Sequence[Cell]) -> list[Conditions]:
    """Group runs by all that must be the same before who played them can be compared."""
    groups: dict[tuple[tuple[str, str], ...], list[Cell]] = {}
    for cell in cells:
        groups.setdefault(_same(cell), []).append(cell)
    common = set.intersection(*(set(key) for key in groups)) if groups else set()
    found = []
    for key, members in groups.items():
        game = members[0].config.game
        name = ", ".join(f"{what} {value}" for what, value in key if (what, value) not in common and value != "None")
        found.append(Conditions(game, study.primary(game), name, tuple(members)))
    return found


def _same(cell: Cell) -> tuple[tuple[str, str], ...]:
    config = cell.config
    options = sorted((name, str(value)) for name, value in config.options.items() if name not in VARIED)
    sampling = [(name, str(value)) for name, value in config.sampling if value is not None]
    return (("game", config.game), *options, ("protocol", config.protocol), *sampling)
