"""How graders are calibrated: what their scores mean as labels, and examples to try them on."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

__all__ = ["NONE", "Calibration"]

NONE = "none"
"""The label of an episode to which none of the others applies."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a game knows of labels that people give to its episodes, and graders as scores.

    ``labels`` names, for each score of :meth:`~.game.Game.read_grade` that is 1 where a label applies and 0 where it
    does not, that label. Where a grader has given several, ``main`` in the detail of its reading is the one that counts
    (``none`` if no label applies); without it, the first of them in this order.

    ``examples`` makes labelled examples by code, in the format of calibration files: it takes a seed, and how many
    there are to be of each label.
    """

    labels: Mapping[str, str]
    examples: Callable[[int, int], Iterable[Mapping[str, JsonValue]]] | None = None
