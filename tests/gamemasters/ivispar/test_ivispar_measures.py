"""The measures of an episode, against hand-made ones."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from palaver_gamemasters.ivispar import scores
from palaver_gamemasters.ivispar.actions import Step
from palaver_gamemasters.ivispar.board import Board, Geom, Position
from palaver_gamemasters.ivispar.scores import CLASSES, classes, distances, measure, progress, regrets
from palaver_protocols.errors import InstanceError
from tests.gamemasters.ivispar.sliding import a_board, moved, said

WORKED = [3, 2, 3, 2, 1, 0]
"""The distances of an episode that takes one step back."""
STEP_BACK = ["right", "left", "right", "right", "right"]


def far() -> Board:
    """Return a board of which the sphere has three moves to make."""
    return a_board({"blue sphere": ("A1", "D1"), "red cube": ("D4", "D4")})


def measured(board: Board, answers: Sequence[str], *, compat: bool = False) -> dict[str, float | None]:
    steps = said(*answers, board=board, compat=compat)
    return dict(measure(board, steps, steps[-1].after if steps else board.start))


def test_regret_never_asks_an_optimal_agent_to_pass_the_goal() -> None:
    assert regrets(WORKED) == [0, 0, 2, 2, 1, 0]


def test_regret_as_published_ends_with_the_moves_beyond_the_optimum() -> None:
    assert regrets(WORKED, clamped=False) == [0, 0, 2, 2, 2, 2]


def test_a_step_back_is_measured_as_by_hand() -> None:
    board = far()
    assert list(distances(board, said(*moved(STEP_BACK), board=board))) == WORKED
    assert measured(board, moved(STEP_BACK)) == {
        "success": 1,
        "solved": 1,
        "optimal_length": 3,
        "interference": 0,
        "step_deviation": 2,
        "regret": 5 / 6,
        "excess": 2,
        "closest": 0,
        "progress": 1,
        "effective": 4,
        "ineffective": 1,
        "occupied": 0,
        "out_of_bounds": 0,
        "illegal": 0,
        "malformed": 0,
    }


def test_progress_is_the_share_of_the_way_and_may_be_negative() -> None:
    board = far()
    assert [measured(board, moved(STEP_BACK[:steps]))["progress"] for steps in range(6)] == pytest.approx(
        [0, 1 / 3, 0, 1 / 3, 2 / 3, 1]
    )
    assert measured(board, moved(["up"]))["progress"] == pytest.approx(-1 / 3)


def test_an_optimal_agent_deviates_and_regrets_nothing() -> None:
    found = measured(far(), moved(["right"] * 3))
    assert (found["step_deviation"], found["regret"], found["excess"]) == (0, 0, 0)


def lined_up(path: int) -> Board:
    """Return a board with a shortest path of so many moves on a straight line."""
    return Board(13, (Geom("blue", "sphere"),), ((0, 0),), ((path, 0),))


def test_who_never_moves_deviates_by_six_and_a_half_and_regrets_five() -> None:
    found = [measured(lined_up(path), ["I wait."] * 20) for path in range(2, 12)]
    assert sum(each["step_deviation"] or 0 for each in found) / 10 == 6.5
    assert sum(each["regret"] or 0 for each in found) / 10 == pytest.approx(5.142857, abs=1e-6)
    assert {each["solved"] for each in found} == {0}
    assert {each["excess"] for each in found} == {None}


def test_the_deviation_is_not_known_before_an_optimal_agent_would_be_there() -> None:
    assert [measured(far(), moved(["up"] * steps))["step_deviation"] for steps in range(4)] == [None, None, None, 6]


def test_whoever_is_there_early_stays_there() -> None:
    board = far()
    found = measured(board, ["action: move blue sphere right 3"], compat=True)
    assert (found["solved"], found["step_deviation"], found["effective"]) == (1, 0, 1)


def test_a_repeated_move_may_fail_more_than_once_and_still_lead_nearer() -> None:
    found = measured(a_board(), ["action: move blue sphere right 5"], compat=True)
    assert (found["effective"], found["out_of_bounds"], found["occupied"]) == (1, 2, 0)
    assert classes(a_board(), said("action: move blue sphere right 5", compat=True)) == ("effective",)


def test_a_repeated_move_past_the_goal_and_as_far_beyond_is_of_no_class() -> None:
    board = Board(4, (Geom("blue", "sphere"),), ((0, 0),), ((1, 0),))
    steps = said("action: move blue sphere right twice, 2 cells", board=board, compat=True)
    assert classes(board, steps) == (None,)


def test_interference_counts_pairs_of_moves_beyond_the_sum_of_ways() -> None:
    swapped = a_board({"blue sphere": ("A1", "B1"), "red cube": ("B1", "A1")})
    found = measured(swapped, [])
    assert (found["optimal_length"], found["interference"]) == (4, 1)


class Helpless:
    """A solver that gives up beyond two cells from the goal, and counts what it is asked."""

    asked = 0

    def __init__(self, board: Board) -> None:
        self._board = board

    def of(self, position: Position) -> int:
        Helpless.asked += 1
        if (moves := self._board.manhattan(position)) > 2:
            raise InstanceError("too hard")
        return moves


@pytest.fixture
def helpless(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Helpless]]:
    monkeypatch.setattr(scores, "Distances", Helpless)
    scores.distances_of.cache_clear()
    scores.distance.cache_clear()
    Helpless.asked = 0
    yield Helpless
    scores.distances_of.cache_clear()
    scores.distance.cache_clear()


def test_what_a_distance_is_needed_for_is_unknown_where_the_solver_gives_up(helpless: type[Helpless]) -> None:
    board = far()
    found = measured(board, [*moved(["up", "left"]), "hm"])
    assert {name for name, value in found.items() if value is None} == {
        "optimal_length",
        "interference",
        "step_deviation",
        "regret",
        "excess",
        "closest",
        "progress",
        "effective",
        "ineffective",
    }
    assert (found["illegal"], found["out_of_bounds"], found["solved"]) == (1, 1, 0)
    assert helpless.asked == 1


@pytest.mark.usefixtures("helpless")
def test_an_episode_that_passes_a_position_beyond_the_solver_keeps_what_is_known() -> None:
    board = a_board()
    steps = said(*moved(["up", "down", "right", "right"]), board=board)
    assert distances(board, steps) == (2, None, None, None, 0)
    found = measure(board, steps, steps[-1].after)
    assert (found["optimal_length"], found["solved"], found["excess"], found["progress"]) == (2, 1, 2, 1)
    assert found["effective"] is None
    assert classes(board, [*steps, Step(None, board.start, board.start, failure="illegal")])[-1] == "illegal"


@pytest.mark.usefixtures("helpless")
def test_progress_is_unknown_where_the_solver_gives_up() -> None:
    assert progress(far(), far().start) is None
    assert progress(far(), far().goal) == 1


def test_every_move_changes_the_distance_by_one() -> None:
    board = a_board({"blue sphere": ("A1", "B1"), "red cube": ("B1", "A1"), "red cone": ("A2", "C3")})
    steps = said(*moved(["up", "right", "down", "left"] * 2, "red cone"), *moved(["up"], "red cube"), board=board)
    known = [each for each in distances(board, steps) if each is not None]
    assert len(known) == len(steps) + 1
    assert all(abs(after - before) == step.moved for step, (before, after) in zip(steps, pairwise(known), strict=True))
    assert set(classes(board, steps)) <= set(CLASSES)
