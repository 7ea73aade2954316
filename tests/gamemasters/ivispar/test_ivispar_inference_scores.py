"""The measures of an answer: what they are, and that they add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.game import Scores
from palaver_gamemasters.ivispar.board import SHAPES, Geom, label_of
from palaver_gamemasters.ivispar.inference.answer import CLASSES
from palaver_gamemasters.ivispar.inference.scores import KINDS
from tests.gamemasters.ivispar.inference_cases import BOARD, LINES, board_with, listed, scores_of

GEOMS = float(len(LINES))
PERFECT = {
    "success": 1.0,
    "accuracy": 1.0,
    "board_state_inference": 100 * GEOMS / 6.5,
    "geoms": GEOMS,
    "correct": GEOMS,
}
"""All other measures of a perfect answer are 0."""


def number(scores: Scores, name: str) -> float:
    value = scores[name]
    assert value is not None
    return value


def nonzero(*lines: str) -> dict[str, float]:
    """Return the measures of a list that are not 0, but for those of what is right."""
    scores = scores_of(listed(*lines))
    return {name: number(scores, name) for name in scores if scores[name] and name not in PERFECT}


def test_a_perfect_answer() -> None:
    scores = scores_of(listed(*LINES))
    assert {name: value for name, value in scores.items() if value} == PERFECT


@given(st.permutations(LINES))
def test_the_order_of_a_perfect_answer_makes_no_difference(lines: list[str]) -> None:
    assert scores_of(listed(*lines)) == scores_of(listed(*LINES))


def test_a_missed_geom() -> None:
    assert nonzero(*LINES[:3]) == {"missed": 1}


def test_a_hallucinated_geom() -> None:
    assert nonzero(*LINES, "D4 red pyramid") == {"hallucinated": 1}


def test_a_geom_that_shares_nothing_is_missed_and_hallucinated() -> None:
    assert nonzero(*LINES[1:], "A1 yellow sphere") == {"missed": 1, "hallucinated": 1}


@pytest.mark.parametrize(
    ("line", "measures"),
    [
        ("A2 red cube", ("coordinate_errors", "coordinate_only")),
        ("A1 green cube", ("colour_errors", "colour_only")),
        ("A1 red sphere", ("shape_errors", "shape_only")),
        ("A2 green cube", ("coordinate_errors", "colour_errors", "coordinate_and_colour")),
        ("A2 red sphere", ("coordinate_errors", "shape_errors", "coordinate_and_shape")),
    ],
)
def test_what_is_wrong_is_counted_by_attribute_and_exclusively(line: str, measures: tuple[str, ...]) -> None:
    assert nonzero(line, *LINES[1:]) == {"imperfect": 1} | dict.fromkeys(measures, 1)


def test_two_geoms_that_changed_their_cells() -> None:
    found = nonzero("B2 red cube", "A1 blue sphere", *LINES[2:])
    assert found == {"imperfect": 2, "coordinate_errors": 2, "coordinate_only": 2}


def test_two_geoms_that_changed_their_shapes() -> None:
    found = nonzero("A1 red sphere", "B2 blue cube", *LINES[2:])
    assert found == {"imperfect": 2, "shape_errors": 2, "shape_only": 2}


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ("A2 empty", "e1_empty_cells"),
        ("A2 red", "e2_missing_attribute"),
        ("A2 purple cube", "e3_illegal_attribute"),
        ("A2 cube red", "e4_inverted_order"),
        ("A2 red blue cube", "e5_several_attributes"),
        ("E5 red cube", "e6_out_of_bounds"),
    ],
)
def test_an_unreadable_entry_beside_a_perfect_list_is_no_success(entry: str, kind: str) -> None:
    scores = scores_of(listed(*LINES, entry))
    expected = PERFECT | {"success": 0.0, "format_errors": 1, kind: 1}
    assert {name: value for name, value in scores.items() if value or name in expected} == expected


@pytest.mark.parametrize(
    ("text", "kind"), [("Solution: I see nothing clearly.", "e7_no_list"), ("\n".join(LINES), "e8_no_solution")]
)
def test_an_answer_that_is_not_read_counts_once_and_misses_everything(text: str, kind: str) -> None:
    scores = scores_of(text)
    assert {name: value for name, value in scores.items() if value} == {
        "geoms": GEOMS,
        "missed": GEOMS,
        "format_errors": 1,
        kind: 1,
    }


def test_the_published_percentage_is_of_the_mean_number_of_geoms() -> None:
    assert round(number(scores_of(listed("A1 red cube")), "board_state_inference") * 2.30, 2) == 35.38
    eleven = [f"{label_of((n // 4, n % 4))} {colour} {shape}" for n, (colour, shape) in enumerate(ELEVEN)]
    scores = scores_of(listed(*eleven), board_with(*eleven))
    assert (scores["accuracy"], scores["board_state_inference"]) == (1.0, 1100 / 6.5)


ELEVEN = [(colour, shape) for colour in ("red", "green", "blue") for shape in SHAPES[:4]][:11]
CELLS = [(x, y) for x in range(4) for y in range(4)]
NAMES = [Geom(colour, shape) for colour in ("red", "green", "blue", "yellow") for shape in SHAPES[:4]]
TRIPLES = st.builds(lambda cell, geom: f"{label_of(cell)} {geom}", st.sampled_from(CELLS), st.sampled_from(NAMES))
UNREADABLE = st.sampled_from(["A2 empty", "A2 red", "A2 purple cube", "A2 cube red", "A2 red red cube", "E5 red cube"])


@given(st.lists(TRIPLES | UNREADABLE, max_size=20))
def test_the_measures_add_up(lines: list[str]) -> None:
    scores = scores_of(listed(*lines))
    readable = {line for line in lines if line in ALL}

    def total(*names: str) -> float:
        return sum(number(scores, name) for name in names)

    assert scores["geoms"] == len(BOARD.geoms) == total("correct", "imperfect", "missed")
    assert len(readable) == total("correct", "imperfect", "hallucinated")
    assert scores["imperfect"] == total(*KINDS)
    assert scores["coordinate_errors"] == total("coordinate_only", "coordinate_and_colour", "coordinate_and_shape")
    assert scores["colour_errors"] == total("colour_only", "coordinate_and_colour")
    assert scores["shape_errors"] == total("shape_only", "coordinate_and_shape")
    assert scores["format_errors"] == total(*CLASSES)
    assert scores["success"] == float(set(lines) == set(LINES))


ALL = {f"{label_of(cell)} {geom}" for cell in CELLS for geom in NAMES}


@given(st.lists(TRIPLES, max_size=12).flatmap(lambda lines: st.tuples(st.just(lines), st.permutations(lines))))
def test_the_order_of_lines_makes_no_difference(orders: tuple[list[str], list[str]]) -> None:
    one, other = orders
    assert scores_of(listed(*one)) == scores_of(listed(*other))
