"""What several votes on an episode come to."""

from collections.abc import Iterable, Sequence
from statistics import median

from .game import Scores

__all__ = ["majority"]


def majority(votes: Sequence[Scores]) -> dict[str, float | None]:
    """Return what most of the votes say (The Collaboration Gap, appendix D; how votes are merged is ours).

    A score that is 0 or 1 in every vote is what more than half of them say, 0 where as many say one as the other. Any
    other score is the median of the votes that agree with the majority on ``success``, or of all of them where there is
    no such score. A vote in which a score is None has none on it; a score that no vote has is None.

    Returns:
        Scores by name; empty for no votes.
    """
    names = dict.fromkeys(name for vote in votes for name in vote)
    binary = {name: verdict for name in names if (verdict := _verdict(_values(votes, name))) is not None}
    agreeing = [vote for vote in votes if "success" not in binary or vote.get("success") == binary["success"]]
    return {
        name: binary[name] if name in binary else median(values) if (values := _values(agreeing, name)) else None
        for name in names
    }


def _values(votes: Iterable[Scores], name: str) -> list[float]:
    return [value for vote in votes if (value := vote.get(name)) is not None]


def _verdict(values: Sequence[float]) -> float | None:
    """Return the verdict of votes that say 0 or 1; None for any other score."""
    if not values or not set(values) <= {0.0, 1.0}:
        return None
    return float(sum(values) * 2 > len(values))
