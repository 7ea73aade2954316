"""The measures of an answer (iVISPAR, sections 4.7 and 5, appendices A.4.3 and A.6.1)."""

from collections import Counter

from palaver_gamemasters.game import Scores

from .answer import CLASSES, Answer
from .matching import Matching

__all__ = ["MEAN_GEOMS", "measure"]

MEAN_GEOMS = 6.5
"""Geoms on a board of the published set on average: as many boards of each number from 2 to 11."""

KINDS = {
    "coordinate_only": {"coordinate"},
    "colour_only": {"colour"},
    "shape_only": {"shape"},
    "coordinate_and_colour": {"coordinate", "colour"},
    "coordinate_and_shape": {"coordinate", "shape"},
}
"""What can be wrong with a pair, by name."""


def measure(matching: Matching, answer: Answer) -> Scores:
    """Measure an answer.

    Returns:
        ``success``: 1 if every geom is right and there is nothing else, hallucinated or not to be read. ``accuracy``:
        the share of the board's geoms that are right. ``board_state_inference``: the right geoms as a percentage of
        6.5. Its mean over the published set is what the study prints under this name, to the last digit; on a single
        board, or on a set with another mean number of geoms, it is no percentage of what there is, and may exceed 100.

        ``geoms``: how many stand on the board, each either ``correct`` (all right), ``imperfect`` (in a pair with
        something wrong) or ``missed``. ``hallucinated``: geoms of the answer that are in no pair.
        ``coordinate_errors``, ``colour_errors``, ``shape_errors``: pairs in which this is wrong, as published, so that
        a pair may count twice. Each imperfect pair is in exactly one of ``coordinate_only``, ``colour_only``,
        ``shape_only``, ``coordinate_and_colour`` and ``coordinate_and_shape``.

        ``format_errors``: what could not be read, each in exactly one of ``e1_empty_cells``, ``e2_missing_attribute``,
        ``e3_illegal_attribute``, ``e4_inverted_order``, ``e5_several_attributes``, ``e6_out_of_bounds``,
        ``e7_no_list`` and ``e8_no_solution``; of the last two there is one at most.
    """
    wrong = Counter(pair.wrong for pair in matching.pairs)
    attributes = Counter(name for pair in matching.pairs for name in pair.wrong)
    errors = Counter(error.kind for error in answer.errors)
    pairs, correct = len(matching.pairs), wrong[frozenset()]
    geoms, hallucinated = pairs + len(matching.missed), len(matching.hallucinated)
    return {
        "success": float(correct == geoms and not hallucinated and not answer.errors),
        "accuracy": correct / geoms,
        "board_state_inference": 100 * correct / MEAN_GEOMS,
        "geoms": float(geoms),
        "correct": float(correct),
        "imperfect": float(pairs - correct),
        "missed": float(geoms - pairs),
        "hallucinated": float(hallucinated),
        "coordinate_errors": float(attributes["coordinate"]),
        "colour_errors": float(attributes["colour"]),
        "shape_errors": float(attributes["shape"]),
        **{name: float(wrong[frozenset(kind)]) for name, kind in KINDS.items()},
        "format_errors": float(len(answer.errors)),
        **{kind: float(errors[kind]) for kind in CLASSES},
    }
