"""Which measures tables show: each thing once. Pure functions."""

import math
from collections.abc import Iterable, Mapping

from .stats import Estimate

__all__ = ["told_once"]


def told_once(rows: Iterable[Mapping[str, Estimate]]) -> list[str]:
    """Name the measures of some rows of one game, in their order, without those that another one tells already.

    That is a study's own word for what every game of ours calls the same in small letters, such as ``Success`` beside
    ``success``: left out where both count the same in every row. It may be undefined where ours is 0 (clembench gives
    aborted episodes of some games no ``Success``), and then its mean is over fewer episodes.
    """
    known = list(rows)
    names = dict.fromkeys(name for scores in known for name in scores)
    return [name for name in names if name == name.lower() or not _is_told(name, known)]


def _is_told(name: str, rows: Iterable[Mapping[str, Estimate]]) -> bool:
    """Whether a measure and that of the same name in small letters come to the same sum wherever one of them is."""
    ours = name.lower()
    both = [(scores.get(name, Estimate(n=0)), scores.get(ours)) for scores in rows if name in scores or ours in scores]
    return all(own is not None and one.n <= own.n and math.isclose(_sum(one), _sum(own)) for one, own in both)


def _sum(found: Estimate) -> float:
    return round(found.n * (found.mean or 0.0), 9)
