"""Which geom of an answer is which on the board: the best assignment, whatever the order of lines."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.ivispar.board import Geom
from palaver_gamemasters.ivispar.inference.answer import Answer, Placed
from palaver_gamemasters.ivispar.inference.matching import COLOUR, COORDINATE, SHAPE, Matching, match, standing_on
from palaver_gamemasters.ivispar.inference.scores import measure
from tests.gamemasters.ivispar.inference_cases import BOARD, LINES, placed


def matched(true: Sequence[str], told: Sequence[str]) -> Matching:
    return match([placed(line) for line in true], [placed(line) for line in told])


def pairs_of(matching: Matching) -> dict[str, str]:
    return {str(pair.true): str(pair.told) for pair in matching.pairs}


def worth(pair: tuple[Placed, Placed]) -> int:
    """Return what a pair is worth by the rule, in words of its own; 0 if it must not be."""
    (cell, geom), (other_cell, other) = pair
    if geom.colour != other.colour and geom.shape != other.shape:
        return 0
    return 3 * (cell == other_cell) + 2 * (geom.colour == other.colour) + 2 * (geom.shape == other.shape)


def best(true: Sequence[Placed], told: Sequence[Placed]) -> int:
    """Return the largest sum there can be, by trying all."""
    short, long = sorted((true, told), key=len)
    return max(sum(map(worth, zip(short, some, strict=True))) for some in permutations(long, len(short)))


def greedy(true: Iterable[Placed], told: Iterable[Placed]) -> int:
    """Return the sum if every geom, in turn, took the best that is left."""
    left, total = list(told), 0
    for one in true:
        other = max(left, key=lambda each: worth((one, each)))
        total += worth((one, other))
        left.remove(other)
    return total


def test_the_board_is_what_stands_there_at_the_start() -> None:
    assert [str(each) for each in standing_on(BOARD)] == list(LINES)


def test_the_weights_are_3_2_and_2() -> None:
    assert (COORDINATE, COLOUR, SHAPE) == (3, 2, 2)


def test_a_geom_that_shares_neither_colour_nor_shape_is_missed_and_hallucinated_even_in_the_same_cell() -> None:
    found = matched(["A1 red cube"], ["A1 blue sphere"])
    assert (found.pairs, found.missed, found.hallucinated) == (
        (),
        (placed("A1 red cube"),),
        (placed("A1 blue sphere"),),
    )


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("A1 red cube", set()),
        ("B1 red cube", {"coordinate"}),
        ("A1 blue cube", {"colour"}),
        ("A1 red sphere", {"shape"}),
        ("B1 blue cube", {"coordinate", "colour"}),
        ("B1 red sphere", {"coordinate", "shape"}),
    ],
)
def test_what_is_wrong_with_a_pair(told: str, wrong: set[str]) -> None:
    (pair,) = matched(["A1 red cube"], [told]).pairs
    assert pair.wrong == wrong


def test_a_shared_cell_outweighs_a_shared_attribute_but_not_two() -> None:
    assert pairs_of(matched(["A1 red cube"], ["A1 red sphere", "B1 red sphere"])) == {"A1 red cube": "A1 red sphere"}
    assert pairs_of(matched(["A1 red cube"], ["A1 red sphere", "B1 red cube"])) == {"A1 red cube": "A1 red sphere"}
    assert pairs_of(matched(["A1 red cube", "B1 red sphere"], ["A1 red sphere", "B1 red cube"])) == {
        "A1 red cube": "A1 red sphere",
        "B1 red sphere": "B1 red cube",
    }


@pytest.mark.parametrize(
    ("told", "pairs", "sums"),
    [
        # the first would take what the second needs more
        (("A2 red cube", "B1 red pyramid"), ("B1 red pyramid", "A2 red cube"), (6, 7)),
        # the first would take the only one that the second can have
        (("A2 red sphere", "C1 green cube"), ("C1 green cube", "A2 red sphere"), (2, 9)),
    ],
)
def test_the_best_assignment_is_found_where_taking_the_best_in_turn_fails(
    told: tuple[str, str], pairs: tuple[str, str], sums: tuple[int, int]
) -> None:
    true = ("A1 red cube", "A2 red sphere")
    assert pairs_of(matched(true, told)) == dict(zip(true, pairs, strict=True))
    as_placed = [placed(line) for line in true], [placed(line) for line in told]
    assert (greedy(*as_placed), best(*as_placed)) == sums


def test_of_equal_sums_the_one_with_a_geom_that_is_all_right_is_taken() -> None:
    found = matched(["A1 red cube", "B1 blue sphere"], ["A1 red cube", "A1 red sphere"])
    assert pairs_of(found)["A1 red cube"] == "A1 red cube"


def test_of_equal_sums_the_one_with_the_right_colour_is_taken() -> None:
    for told in (["B1 red sphere", "C1 blue cube"], ["C1 red sphere", "B1 blue cube"]):
        (pair,) = matched(["A1 red cube"], told).pairs
        assert pair.wrong == {"coordinate", "shape"}


def test_nothing_is_hallucinated_by_saying_nothing_nor_missed_where_nothing_is() -> None:
    assert matched(LINES, []) == Matching((), standing_on(BOARD), ())
    assert matched([], LINES) == Matching((), (), standing_on(BOARD))


CELLS = st.tuples(st.integers(0, 2), st.integers(0, 2))
GEOMS = st.builds(Geom, st.sampled_from(["red", "green", "blue"]), st.sampled_from(["cube", "sphere", "cone"]))
PLACED = st.builds(Placed, CELLS, GEOMS)


@st.composite
def true_sets(draw: st.DrawFn) -> list[Placed]:
    """Draw what can stand on a board: no two geoms alike, none in the same cell."""
    count = draw(st.integers(1, 4))
    cells = draw(st.lists(CELLS, min_size=count, max_size=count, unique=True))
    geoms = draw(st.lists(GEOMS, min_size=count, max_size=count, unique=True))
    return [Placed(cell, geom) for cell, geom in zip(cells, geoms, strict=True)]


TOLD = st.lists(PLACED, min_size=1, max_size=5, unique=True)


@given(true_sets(), TOLD)
def test_no_assignment_is_better(true: list[Placed], told: list[Placed]) -> None:
    assert sum(map(worth, match(true, told).pairs)) == best(true, told)


@given(true_sets(), TOLD)
def test_all_geoms_are_in_one_place_each(true: list[Placed], told: list[Placed]) -> None:
    found = match(true, told)
    assert sorted([pair.true for pair in found.pairs] + [*found.missed]) == sorted(true)
    assert sorted([pair.told for pair in found.pairs] + [*found.hallucinated]) == sorted(told)
    assert all(worth(pair) for pair in found.pairs)


@given(true_sets(), TOLD.flatmap(lambda told: st.tuples(st.just(told), st.permutations(told))))
def test_the_order_of_lines_makes_no_difference(true: list[Placed], orders: tuple[list[Placed], list[Placed]]) -> None:
    told, other = orders
    assert match(true, told) == match(true[::-1], other)


def every_best(true: Sequence[Placed], told: Sequence[Placed]) -> Iterator[Matching]:
    """Yield all assignments with the largest sum."""
    most = best(true, told)
    for some in permutations([*told, *[None] * len(true)], len(true)):
        pairs = [(one, other) for one, other in zip(true, some, strict=True) if other is not None]
        if all(map(worth, pairs)) and sum(map(worth, pairs)) == most:
            yield matching_of(true, told, pairs)


def matching_of(true: Sequence[Placed], told: Sequence[Placed], pairs: Sequence[tuple[Placed, Placed]]) -> Matching:
    found = [match([one], [other]).pairs[0] for one, other in pairs]
    return Matching(
        tuple(found),
        tuple(each for each in true if each not in {one for one, _ in pairs}),
        tuple(each for each in told if each not in {other for _, other in pairs}),
    )


@given(true_sets().filter(lambda true: len(true) <= 3), TOLD.filter(lambda told: len(told) <= 3))
def test_of_the_best_assignments_the_one_with_the_best_measures_is_taken(
    true: list[Placed], told: list[Placed]
) -> None:
    def ranked(matching: Matching) -> tuple[float, ...]:
        scores = measure(matching, Answer())
        pairs = float(len(matching.pairs))
        named = [scores[name] or 0.0 for name in ("correct", "coordinate_errors", "colour_errors")]
        return (named[0], pairs, pairs - named[1], pairs - named[2])

    assert ranked(match(true, told)) == max(map(ranked, every_best(true, told)))


def test_large_boards_are_matched_exactly() -> None:
    colours, shapes = [f"c{n}" for n in range(26)], [f"s{n}" for n in range(26)]
    cells = [(x, y) for x in range(26) for y in range(26)]
    geoms = [Geom(colour, shape) for colour in colours for shape in shapes]
    true = [Placed(cell, geom) for cell, geom in zip(cells, geoms, strict=True)]
    found = match(true, true)
    assert all(not pair.wrong for pair in found.pairs)
    assert (len(found.pairs), found.missed, found.hallucinated) == (676, (), ())
