"""Shortest solutions, beside a search that goes through everything and beside the A* of the study."""

import json
from heapq import heappop, heappush
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.ivispar import solver
from palaver_gamemasters.ivispar.board import Board, Cell, Geom, Position
from palaver_gamemasters.ivispar.solver import Distances, plain, wide
from palaver_gamemasters.ivispar.solver.puzzle import Puzzle
from palaver_protocols.errors import InstanceError

BOARDS = Path(__file__).parents[4] / "shared" / "data" / "ivispar" / "boards.jsonl"
COLOURS = [f"colour{number}" for number in range(40)]


def cells_of(size: int) -> list[Cell]:
    return [(x, y) for y in range(size) for x in range(size)]


def a_board(size: int, start: Position, goal: Position) -> Board:
    return Board(size, tuple(Geom(COLOURS[number], "cube") for number in range(len(goal))), start, goal)


def any_board(size: int, geoms: int, seed: object) -> Board:
    dice = Dice("solver test", size, geoms, seed)
    return a_board(size, tuple(dice.sample(cells_of(size), geoms)), tuple(dice.sample(cells_of(size), geoms)))


def by_brute_force(board: Board) -> dict[Position, int]:
    """Go through everything from the goal; a move can be taken back, so that this is the way to the goal too."""
    distances, front = {board.goal: 0}, [board.goal]
    while front:
        following = []
        for position in front:
            for _, _, after in board.moves(position):
                if after not in distances:
                    distances[after] = distances[position] + 1
                    following.append(after)
        front = following
    return distances


def by_plain_a_star(board: Board) -> int:
    """The A* of the study: ordered tuples, a binary heap of cost and state, the Manhattan distance, no closed set."""
    heap, cost = [(0, board.start)], {board.start: 0}
    while heap:
        _, position = heappop(heap)
        if position == board.goal:
            return cost[position]
        for _, _, after in board.moves(position):
            if cost[position] + 1 < cost.get(after, 999):
                cost[after] = cost[position] + 1
                heappush(heap, (cost[after] + board.manhattan(after), after))
    raise AssertionError("this board cannot be solved")


def wide_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "PLAIN", 0)
    monkeypatch.setattr(wide, "ALONE", 20)
    monkeypatch.setattr(wide, "HARD", 40)
    monkeypatch.setattr(wide, "LARGE_TABLES", (16, 6))  # as good as larger ones to try, and sooner made


@pytest.mark.parametrize("geoms", [1, 2])
def test_every_position_of_the_smallest_board_is_as_far_as_brute_force_says(geoms: int) -> None:
    for goal in permutations(cells_of(2), geoms):
        board = a_board(2, tuple(cells_of(2)[:geoms]), goal)
        truth, known = by_brute_force(board), Distances(board)
        assert {position: known.of(position) for position in truth} == truth


def test_every_position_of_two_geoms_on_4x4_is_as_far_as_brute_force_says() -> None:
    board = any_board(4, 2, 1)
    truth, known = by_brute_force(board), Distances(board)
    assert {position: known.of(position) for position in truth} == truth


@pytest.mark.parametrize(("size", "geoms"), [(3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (4, 3)])
def test_positions_of_small_boards_are_as_far_as_brute_force_says(size: int, geoms: int) -> None:
    board = any_board(size, geoms, 2)
    truth, known = by_brute_force(board), Distances(board)
    some = Dice("some", size, geoms).sample(list(truth), 150)
    assert [known.of(position) for position in some] == [truth[position] for position in some]


@pytest.mark.parametrize("geoms", [1, 2, 3, 4, 5])
def test_the_search_in_numpy_agrees_with_brute_force(geoms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wide_only(monkeypatch)
    board = any_board(3, geoms, 3)
    truth, known = by_brute_force(board), Distances(board)
    some = Dice("some", geoms).sample(list(truth), 25)
    assert [known.of(position) for position in some] == [truth[position] for position in some]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("geoms", [4, 6, 8])
def test_both_searches_agree_with_the_a_star_of_the_study(
    geoms: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = Dice("walked", geoms, seed)
    goal = tuple(dice.sample(cells_of(4), geoms))
    position, probe = goal, a_board(4, goal, goal[::-1])
    for _ in range(16):
        position = dice.pick([after for _, _, after in probe.moves(position)])
    board = a_board(4, position, goal)
    truth = by_plain_a_star(board)
    assert Distances(board).of(board.start) == truth
    wide_only(monkeypatch)
    assert Distances(board).of(board.start) == truth


@pytest.mark.parametrize("seed", range(3))
def test_the_way_back_is_as_long_on_the_hardest_boards(seed: int) -> None:
    board = any_board(4, 11, seed)
    back = a_board(4, board.goal, board.start)
    assert Distances(board).of(board.start) == Distances(back).of(back.start)


def test_reversing_a_row_takes_what_the_a_star_of_the_study_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    row = tuple((x, 0) for x in range(4))
    board = a_board(4, row, row[::-1])
    wide_only(monkeypatch)
    assert Distances(board).of(board.start) == by_plain_a_star(board) == 14


def on_cells(start: list[int], goal: list[int]) -> Board:
    """A 4x4 board whose cells are numbers, row by row from the south-west."""
    return a_board(4, tuple((cell % 4, cell // 4) for cell in start), tuple((cell % 4, cell // 4) for cell in goal))


@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ([0, 1, 2, 3, 4, 5, 6], [3, 2, 1, 0, 6, 5, 4]),
        ([0, 1, 2, 3, 12, 13, 14], [3, 2, 1, 0, 14, 13, 12]),
        ([0, 4, 8, 12, 1, 5, 9], [12, 8, 4, 0, 9, 5, 1]),
        ([5, 6, 9, 10, 4, 7, 8], [10, 9, 6, 5, 8, 4, 7]),
        ([0, 1, 2, 3, 12, 13, 14], [12, 13, 14, 3, 2, 1, 0]),
    ],
    ids=["two rows", "rows apart", "columns", "the centre", "end to end"],
)
def test_geoms_in_each_others_way_take_what_a_search_with_the_manhattan_distance_needs(
    start: list[int], goal: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = on_cells(start, goal)
    puzzle = Puzzle.of(board)
    slow = plain.search(puzzle, puzzle.state(board.start), {puzzle.solved: 0}, below=None, stored=400_000)
    wide_only(monkeypatch)
    assert slow is not None
    assert Distances(board).of(board.start) == slow.distance


@pytest.mark.parametrize(
    ("start", "goal", "moves"),
    [
        ([0, 1, 2, 3, 9, 10, 11, 12, 13, 14, 15], [3, 2, 1, 0, 11, 10, 9, 15, 14, 13, 12], 38),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], 40),
        ([0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14], [12, 8, 4, 0, 13, 14, 1, 2, 3, 7, 11], None),
    ],
    ids=["rows reversed", "all reversed", "turned"],
)
def test_boards_made_to_be_hard_are_as_far_from_both_ends_and_a_legal_path_leads_there(
    start: list[int], goal: list[int], moves: int | None
) -> None:
    board, back = on_cells(start, goal), on_cells(goal, start)
    path = Distances(board).path(board.start)
    assert (path[0], path[-1]) == (board.start, board.goal)
    for before, after in pairwise(path):
        assert after in [reached for _, _, reached in board.moves(before)]
    assert len(path) - 1 == Distances(back).of(back.start)
    if moves is not None:  # as a search with a worse bound, that of all pairs of neighbours, has found
        assert len(path) - 1 == moves


def test_eleven_geoms_in_rows_to_be_reversed_take_few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    board = on_cells(rows, [3, 2, 1, 0, 7, 6, 5, 4, 10, 9, 8])
    monkeypatch.setattr(wide, "EXPANDED", 500_000)
    assert Distances(board).of(board.start) == 40


@given(st.integers(2, 5), st.data())
@settings(max_examples=60, deadline=None)
def test_a_legal_move_changes_the_distance_by_one(size: int, data: st.DataObject) -> None:
    geoms = data.draw(st.integers(1, min(size**2 - 2, 6)))
    board = any_board(size, geoms, data.draw(st.integers(0, 10**6)))
    known, position = Distances(board), board.start
    for _ in range(6):
        after = data.draw(st.sampled_from([after for _, _, after in board.moves(position)]))
        assert abs(known.of(after) - known.of(position)) == 1
        position = after


@given(st.integers(1, 6), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_detour_is_no_shorter(geoms: int, seed: int) -> None:
    board = any_board(4, geoms, seed)
    between = tuple(Dice("between", seed).sample(cells_of(4), geoms))
    direct = Distances(board)
    assert direct.of(board.start) <= Distances(a_board(4, board.start, between)).of(board.start) + direct.of(between)


@given(st.integers(1, 7), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_path_is_legal_and_as_long_as_the_distance(geoms: int, seed: int) -> None:
    board = any_board(4, geoms, seed)
    known = Distances(board)
    path = known.path(board.start)
    assert (path[0], path[-1]) == (board.start, board.goal)
    assert [known.of(position) for position in path] == list(range(len(path) - 1, -1, -1))
    for before, after in pairwise(path):
        assert after in [reached for _, _, reached in board.moves(before)]


@pytest.mark.parametrize("only_wide", [False, True])
def test_a_path_is_the_same_whatever_was_asked_before(only_wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if only_wide:
        wide_only(monkeypatch)
    board = any_board(4, 7, 4)
    asked = Distances(board)
    for _, _, after in board.moves(board.start):
        asked.of(after)
    assert asked.path(board.start) == Distances(board).path(board.start)


def test_the_goal_is_no_move_away() -> None:
    board = any_board(4, 5, 5)
    known = Distances(board)
    assert (known.of(board.goal), known.path(board.goal)) == (0, (board.goal,))


@pytest.mark.parametrize("only_wide", [False, True])
def test_what_an_episode_has_taught_changes_no_distance(only_wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if only_wide:
        wide_only(monkeypatch)
    board, dice = any_board(4, 8, 6), Dice("episode")
    known, position = Distances(board), board.start
    for _ in range(12):
        assert known.of(position) == Distances(board).of(position)
        position = dice.pick([after for _, _, after in board.moves(position)])


def test_half_of_the_positions_with_one_free_cell_are_refused() -> None:
    board = any_board(2, 3, 7)
    reached = by_brute_force(board)
    assert len(reached) == 12
    for position in permutations(cells_of(2), 3):
        if position in reached:
            assert Distances(board).of(position) == reached[position]
        else:
            with pytest.raises(InstanceError, match="one free cell"):
                Distances(board).of(position)


def test_two_exchanged_geoms_among_fifteen_are_refused_at_once() -> None:
    goal = tuple(cells_of(4)[:15])
    board = a_board(4, (goal[1], goal[0], *goal[2:]), goal)
    with pytest.raises(InstanceError, match=r"^the 4x4 board with 15 geoms cannot be solved: with one free cell.*\)$"):
        Distances(board).of(board.start)


@pytest.mark.parametrize("seed", range(4))
def test_a_shuffled_board_of_fifteen_is_solved(seed: int) -> None:
    goal, dice = tuple(cells_of(4)[:15]), Dice("fifteen", seed)
    position, probe = goal, a_board(4, goal[::-1], goal)
    for _ in range(40):
        position = dice.pick([after for _, _, after in probe.moves(position)])
    board = a_board(4, position, goal)
    assert Distances(board).of(position) == by_plain_a_star(board)


def test_a_board_that_is_too_hard_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "PLAIN", 100)
    monkeypatch.setattr(wide, "EXPANDED", 1000)
    board = any_board(4, 11, 0)
    known = Distances(board)
    with pytest.raises(InstanceError, match=r"^the 4x4 board with 11 geoms is too hard: [\d,]+ states .*\(fewer geoms"):
        known.of(board.start)
    near = next(after for _, _, after in board.moves(board.goal))
    assert known.of(near) == 1


def test_after_a_long_search_in_vain_there_is_no_second_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "PLAIN", 100)
    monkeypatch.setattr(wide, "EXPANDED", 1000)
    board = any_board(4, 11, 0)
    known = Distances(board)
    with pytest.raises(InstanceError):
        known.of(board.start)
    monkeypatch.setattr(wide, "search", lambda *_, **__: pytest.fail("a second long search"))
    with pytest.raises(InstanceError, match="100 states do not suffice"):
        known.of(next(after for _, _, after in board.moves(board.start)))


def test_a_board_of_large_states_that_is_too_hard_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "PLAIN_ALONE", 2000)
    board = any_board(5, 20, 1)
    with pytest.raises(InstanceError, match="2,000 states do not suffice"):
        Distances(board).of(board.start)


def test_thirty_geoms_far_apart_on_the_largest_board_walk_home() -> None:
    start = tuple((0, y) for y in range(26)) + tuple((2, 2 * y) for y in range(4))
    goal = tuple((20, y) for y in range(26)) + tuple((25, 2 * y + 1) for y in range(4))
    board = a_board(26, start, goal)
    assert Distances(board).of(board.start) == board.manhattan(start) == 26 * 20 + 4 * 24


def test_a_large_board_where_nobody_can_walk_home_is_searched() -> None:
    board = a_board(10, ((0, 0), (1, 0), (9, 9)), ((1, 0), (0, 0), (9, 8)))
    assert Distances(board).of(board.start) == 1 + 4 == board.manhattan(board.start) + 2


def test_the_recorded_boards_have_their_recorded_complexities() -> None:
    if not BOARDS.exists():
        pytest.skip("the published boards lie beside the repository, and only there")
    lines = BOARDS.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 83
    for each in map(json.loads, lines):
        start, goal = (
            tuple((x, y) for x, y in (landmark[f"{name}_coordinate"] for landmark in each["landmarks"]))
            for name in ("start", "goal")
        )
        board = a_board(each["grid_size"], start, goal)
        length = Distances(board).of(start)
        assert (length, (length - board.manhattan(start)) // 2) == (each["c1"], each["c2"]), each["id"]
