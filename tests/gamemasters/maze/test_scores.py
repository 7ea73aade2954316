import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.maze.grading.grader import Grade
from palaver_gamemasters.maze.grid import Cell, Maze
from palaver_gamemasters.maze.scores import measure

MAZE = Maze.parse([".@.*", "....", "..#."])
"""Two moves from start to goal."""


def graded(*route: Cell) -> Grade:
    return Grade(route=route, ended="end of route", scheme=None)


@pytest.mark.parametrize(
    ("route", "success", "weighted", "moves"),
    [
        ([(0, 1), (0, 2), (0, 3)], 1, 1.0, 2),
        ([(0, 1)], 0, 0.0, 0),
        ([(0, 1), (0, 2)], 0, 0.5, 1),
        ([(0, 1), (0, 0)], 0, -0.5, 1),
        ([(0, 1), (1, 1), (2, 1), (2, 0)], 0, -1.5, 3),
        ([(0, 1), (0, 2), (0, 1)], 0, 0.0, 2),
        ([(0, 1), (0, 0), (0, 1), (0, 2), (0, 3)], 1, 1.0, 4),
    ],
)
def test_the_weighted_outcome_compares_what_is_left_with_what_was_to_do(
    route: list[Cell], success: int, weighted: float, moves: int
) -> None:
    assert measure(MAZE, graded(*route), 7) == {
        "success": success,
        "weighted_outcome": weighted,
        "moves": moves,
        "messages": 7,
    }


@given(st.lists(st.sampled_from(range(4)), max_size=12))
def test_success_is_a_weighted_outcome_of_one(steps: list[int]) -> None:
    route = [MAZE.start]
    for step in steps:
        nearby = list(MAZE.neighbours(route[-1]))
        route.append(nearby[step % len(nearby)])

    scores = measure(MAZE, graded(*route), 0)

    assert (scores["success"] == 1) == (scores["weighted_outcome"] == 1.0) == (route[-1] == MAZE.goal)
    assert scores["weighted_outcome"] is not None
    assert scores["weighted_outcome"] <= 1
