from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.maze.grid import (
    GOAL,
    HIDDEN,
    START,
    Cell,
    Maze,
    blank,
    check_views,
    merge,
    share_out,
    split,
)
from palaver_protocols.errors import InstanceError

MAZE = Maze.parse(["@.#", "#..", "..*"])


@st.composite
def mazes(draw: st.DrawFn) -> Maze:
    """Draw any whole maze of up to 7x7, solvable or not."""
    height, width = draw(st.integers(1, 7)), draw(st.integers(2, 7))
    inner = draw(st.lists(st.sampled_from(".#"), min_size=height * width - 2, max_size=height * width - 2))
    symbols = draw(st.permutations([START, GOAL, *inner]))
    return Maze(tuple("".join(symbols[row * width : (row + 1) * width]) for row in range(height)))


def test_cells_are_counted_from_the_top_left_row_first() -> None:
    assert (MAZE.start, MAZE.goal, MAZE[0, 2], MAZE[1, 0]) == ((0, 0), (2, 2), "#", "#")


def test_a_maze_draws_itself_as_it_was_read() -> None:
    assert str(MAZE) == "@.#\n#..\n..*"


def test_walls_hidden_cells_and_the_outside_are_closed() -> None:
    maze = Maze.parse(["@?", "#*"])

    assert [cell for cell in ((0, 0), (0, 1), (1, 0), (1, 1), (-1, 0), (0, 2)) if maze.is_open(cell)] == [
        (0, 0),
        (1, 1),
    ]


def test_distances_to_the_goal_are_of_shortest_paths() -> None:
    assert MAZE.to_goal == {(2, 2): 0, (1, 2): 1, (2, 1): 1, (1, 1): 2, (2, 0): 2, (0, 1): 3, (0, 0): 4}


def test_of_several_shortest_routes_the_first_in_the_order_up_down_left_right_is_taken() -> None:
    assert MAZE.route((0, 0)) == ((0, 0), (0, 1), (1, 1), (2, 1), (2, 2))


def test_there_is_no_route_where_walls_are_in_the_way() -> None:
    assert Maze.parse(["@#*"]).route((0, 0)) == ()


@given(mazes())
def test_a_route_is_legal_and_as_long_as_the_distance_says(maze: Maze) -> None:
    route = maze.route(maze.start)

    assert len(route) - 1 == maze.to_goal.get(maze.start, -1)
    assert all(step in maze.neighbours(cell) for cell, step in pairwise(route))


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([], "not all of one length"),
        ([""], "not all of one length"),
        (["@.", "*"], "not all of one length"),
        (["@x*"], "has a cell 'x'"),
        (["@@*"], "has 2 start cells"),
        (["@.."], "has 0 goal cells"),
    ],
)
def test_rows_that_make_no_maze_are_refused(rows: list[str], complaint: str) -> None:
    with pytest.raises(InstanceError, match=complaint):
        Maze.parse(rows)


def _hidden(view: Maze) -> set[Cell]:
    return {cell for cell in view.cells() if view[cell] == HIDDEN}


@given(mazes())
def test_a_split_hides_every_cell_in_exactly_one_copy_half_in_each(maze: Maze) -> None:
    first, second = (_hidden(view) for view in split(maze))

    assert not first & second
    assert first | second == set(maze.cells()) - {maze.start, maze.goal}
    assert 0 <= len(second) - len(first) <= 1


@given(mazes())
def test_the_two_copies_make_up_the_maze(maze: Maze) -> None:
    assert merge(*split(maze)) == maze
    assert check_views(maze, split(maze)) == split(maze)


def test_the_same_maze_is_always_split_the_same_way() -> None:
    first, second = split(Maze.parse(["@...", "#.#.", "...*"]))

    assert (first.rows, second.rows) == (("@?.?", "#.??", ".?.*"), ("@.?.", "??#.", "?.?*"))


@pytest.mark.parametrize(
    ("views", "complaint"),
    [
        ([["@.#", "#..", "..*"]], "has 1 views for 2 agents"),
        ([["@.", "#*"], ["@.#", "#..", "..*"]], "view 1 of the maze has another shape"),
        ([["@.#", "#..", "..*"], ["@??", "?#?", "??*"]], r"view 2 of the maze has '#' at \(1, 1\), the grid has '\.'"),
        ([["@.?", "#..", "..*"], ["@??", "???", "??*"]], r"both views of the maze hide \(0, 2\)"),
        ([["?@#", "#..", "..*"], ["@.#", "#..", "..*"]], r"view 1 of the maze has '@' at \(0, 1\)"),
    ],
)
def test_copies_that_do_not_make_up_the_maze_are_refused(views: list[list[str]], complaint: str) -> None:
    with pytest.raises(InstanceError, match=complaint):
        check_views(MAZE, [Maze.parse(rows) for rows in views])


def test_copies_may_overlap() -> None:
    assert check_views(MAZE, [MAZE, MAZE]) == (MAZE, MAZE)


def test_of_three_copies_a_cell_that_nobody_sees_is_named() -> None:
    views = [Maze.parse(rows) for rows in (["@.?", "?..", "..*"], ["@.?", "?#?", "??*"], ["@??", "???", "??*"])]

    with pytest.raises(InstanceError, match=r"view 2 of the maze has '#' at \(1, 1\)"):
        check_views(MAZE, views, 3)
    with pytest.raises(InstanceError, match=r"all 3 views of the maze hide \(0, 2\)"):
        check_views(MAZE, [views[0], views[2], views[2]], 3)


def known(view: Maze) -> set[Cell]:
    return {cell for cell in view.cells() if view[cell] not in (HIDDEN, START, GOAL)}


@given(mazes(), st.integers(2, 8).flatmap(lambda copies: st.tuples(st.just(copies), st.integers(1, copies))))
def test_every_cell_is_shown_in_exactly_so_many_copies_and_the_copies_are_balanced(
    maze: Maze, shape: tuple[int, int]
) -> None:
    copies, cover = shape
    views = split(maze, copies, cover)

    seen = Counter(cell for view in views for cell in known(view))
    counts = [len(known(view)) for view in views]
    assert len(views) == copies
    assert {cell: cover for cell in maze.cells() if cell not in (maze.start, maze.goal)} == seen
    assert max(counts) - min(counts) <= 1
    assert check_views(maze, views, copies) == split(maze, copies, cover)


def test_no_two_of_four_copies_show_the_same_half() -> None:
    maze = Maze(("@.....", "......", "......", "......", "......", ".....*"))

    views = split(maze, 4, 2)

    assert all(known(one) & known(other) for one, other in combinations(views, 2))
    assert len({view.rows for view in views}) == 4


def test_a_cell_that_all_copies_show_hides_nothing() -> None:
    assert split(MAZE, 2, 2) == (MAZE, MAZE)


@given(mazes(), st.integers(1, 5))
def test_a_teams_parts_make_up_its_map_without_overlap_and_evenly(maze: Maze, members: int) -> None:
    view = split(maze)[0]

    parts = share_out(view, members)

    assert sorted(cell for part in parts for cell in known(part)) == sorted(known(view))
    assert max(len(known(part)) for part in parts) - min(len(known(part)) for part in parts) <= 1
    assert all((part.start, part.goal) == (view.start, view.goal) for part in parts)
    assert share_out(view, members) == parts


@given(mazes())
def test_a_blank_map_shows_start_and_goal_alone(maze: Maze) -> None:
    assert not known(blank(maze))
    assert (blank(maze).start, blank(maze).goal) == (maze.start, maze.goal)
