"""What an answer does to the board, and of which class it is."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.ivispar.board import DIRECTIONS, Board, Geom
from palaver_gamemasters.ivispar.scores import CLASSES, classes, measure
from palaver_protocols.errors import InstanceError
from tests.gamemasters.ivispar.sliding import PAIR, a_board, cell, moved, said

WALLED = {"blue sphere": ("A1", "C1"), "red cube": ("B1", "D4")}


def the_class(answer: str, *, compat: bool, placed: Mapping[str, tuple[str, str]] = PAIR) -> str | None:
    board = a_board(placed)
    return classes(board, said(answer, board=board, compat=compat))[0]


@pytest.mark.parametrize(
    ("answer", "strict", "compat"),
    [
        ("**Action: move blue sphere right**", "effective", "effective"),
        ("action: move blue sphere right.", "effective", "effective"),
        ("action:move blue sphere right", "illegal", "illegal"),
        ("action:  move blue sphere right", "illegal", "illegal"),
        ("action: `move blue sphere right`", "illegal", "illegal"),
        ("action: 'move blue sphere right'", "illegal", "illegal"),
        ("action: done", "illegal", "illegal"),
        ("error", "illegal", "illegal"),
        ("action: move blue circle up", "ineffective", "ineffective"),
        ("action: move the blue sphere to the right", "malformed", "effective"),
        ("action: move blue sphere right, move red cube left", "malformed", "ineffective"),
        ("action: move blue sphere right 2", "malformed", "effective"),
        ("action: move blue sphere from A1 to B1 (right)", "malformed", "effective"),
        ("action: move blue sphere right\nThis is often best", "malformed", "effective"),
        ("action: move red cone up", "malformed", "malformed"),
        ("action: move sphere blue right", "malformed", "malformed"),
        ("action: move blue spheres right", "malformed", "malformed"),
        ("action: move blue sphere", "malformed", "malformed"),
        ("action: move purple cube left", "malformed", "malformed"),
        ("action: move red cube right", "out_of_bounds", "out_of_bounds"),
        ("action: move red cube left 0", "malformed", "malformed"),
    ],
)
def test_each_answer_has_its_class(answer: str, strict: str, compat: str) -> None:
    assert the_class(answer, compat=False) == strict
    assert the_class(answer, compat=True) == compat


def test_a_cell_that_is_taken_stays_taken() -> None:
    (step,) = said("action: move blue sphere right", board=a_board(WALLED))
    assert (step.failure, step.occupied, step.after) == ("occupied", 1, step.before)


def test_directions_are_those_of_the_board_seen_from_the_south() -> None:
    board = a_board({"red cube": ("B2", "D4")})
    ends = {way: said(f"action: move red cube {way}", board=board)[0].after[0] for way in DIRECTIONS}
    assert ends == {"left": cell("A2"), "right": cell("C2"), "up": cell("B3"), "down": cell("B1")}


def test_a_failed_action_leaves_the_board_and_counts_as_one() -> None:
    steps = said(*moved(["left", "down", "sideways"]), "hm")
    assert [step.failure for step in steps] == ["out_of_bounds", "out_of_bounds", "malformed", "illegal"]
    assert {step.after for step in steps} == {a_board().start}


def test_with_the_published_quirks_one_answer_moves_several_times_and_fails_several_times() -> None:
    (step,) = said("action: move blue sphere right 5", compat=True)
    assert (step.moved, step.out_of_bounds, step.failure) == (3, 2, None)
    (step,) = said("action: move blue sphere right four times", compat=True, board=a_board(WALLED))
    assert (step.moved, step.occupied, step.failure) == (0, 4, "occupied")


def test_a_number_beyond_all_bounds_takes_no_time() -> None:
    (step,) = said("action: move blue sphere right 2000000000", compat=True)
    assert (step.moved, step.out_of_bounds) == (3, 1_999_999_997)


def test_what_a_step_made_of_its_answer_is_kept() -> None:
    steps = said("I think... Action: **move blue circle right!**", "no idea")
    assert [step.action for step in steps] == ["move blue sphere right", None]


def test_colours_in_hexadecimal_are_said_without_their_mark() -> None:
    board = Board(3, (Geom("#ff8800", "cube"),), ((0, 0),), ((2, 0),))
    assert [step.moved for step in said("action: move #ff8800 cube right", board=board)] == [1]


def test_shapes_of_a_file_may_have_schematic_names() -> None:
    board = a_board({"red square": ("A1", "B1")})
    assert said("action: move red square right", board=board)[0].after == board.goal
    assert said("action: move red cube right", board=board)[0].after == board.goal


def test_our_names_of_schematic_shapes_move_them() -> None:
    board = a_board({"red cone": ("A1", "B1")})
    assert said("action: move red diamond right", board=board, ours=True)[0].moved == 1
    assert said("action: move red diamond right", board=board)[0].failure == "malformed"
    assert said("action: move red diamond right", board=board, ours=True, compat=True)[0].failure == "malformed"


WORDS = st.sampled_from(
    ["blue", "red", "green", "sphere", "cube", "up", "down", "left", "right", "2", "now", "Action:"]
)
ANSWERS = st.one_of(
    st.builds(
        "action: move {} {}".format, st.sampled_from(["blue sphere", "red cube"]), st.sampled_from([*DIRECTIONS])
    ),
    st.lists(WORDS, max_size=5).map(lambda words: "action: move " + " ".join(words)),
    st.lists(WORDS, max_size=5).map(" ".join),
)


@settings(max_examples=60)
@given(st.lists(ANSWERS, max_size=20))
def test_the_six_classes_sum_to_the_number_of_actions(answers: list[str]) -> None:
    board = a_board()
    steps = said(*answers, board=board)
    scores = measure(board, steps, steps[-1].after if steps else board.start)
    assert sum(scores[each] or 0 for each in CLASSES) == len(answers)
    assert all(classes(board, steps))


def test_positions_never_share_cells_or_leave_the_board() -> None:
    board = a_board(WALLED)
    position, seen = board.start, {board.start}
    for turn in range(200):
        following = [after for _, _, after in board.moves(position)]
        position = following[turn * 7 % len(following)]
        seen.add(position)
        assert len(set(position)) == 2
        assert all(map(board.holds, position))
    assert len(seen) > 20


@pytest.mark.parametrize(
    ("make", "said_of_it"),
    [
        (lambda: Board(0, (), (), ()), "grid_size 0 makes no board"),
        (lambda: Board(27, (Geom("red", "cube"),), ((0, 0),), ((1, 0),)), "grid_size 27 makes no board"),
        (lambda: Board(4, (), (), ()), "the board has no geoms"),
        (lambda: Board(4, (Geom("red", "cube"),) * 2, ((0, 0), (1, 0)), ((2, 0), (3, 0))), "two of red cube"),
        (lambda: a_board({"red cube": ("A1", "E1")}), r"the red cube has its goal at \[4, 0\], outside of the board"),
        (lambda: a_board({"red cube": ("A1", "B1"), "red cone": ("A1", "C1")}), "two geoms have their start"),
        (lambda: a_board({"red cube": ("A1", "A1")}, size=1), "all cells are taken, so that nothing can move"),
    ],
)  # fmt: skip
def test_what_makes_no_game_is_refused(make: object, said_of_it: str) -> None:
    assert callable(make)
    with pytest.raises(InstanceError, match=said_of_it):
        make()


def test_a_share_of_a_board_keeps_places() -> None:
    share = a_board(WALLED).only([1])
    assert (share.geoms, share.start, share.goal) == ((Geom("red", "cube"),), (cell("B1"),), (cell("D4"),))
