"""The solver's tables: bounds that never say too much, and a table of states that forgets none."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.ivispar.solver.closed import NEVER, Closed
from palaver_gamemasters.ivispar.solver.groups import groupings
from palaver_gamemasters.ivispar.solver.herds import SMALL, Steps, Waiting, different, fits
from palaver_gamemasters.ivispar.solver.patterns import Patterns, distances, patterns_of
from palaver_gamemasters.ivispar.solver.puzzle import Puzzle


def packed(puzzle: Puzzle, cells: tuple[int, ...]) -> int:
    return sum(cell << shift for cell, shift in zip(cells, puzzle.shifts, strict=True))


def by_brute_force(puzzle: Puzzle) -> dict[int, int]:
    reached, front = {puzzle.solved: 0}, [puzzle.solved]
    while front:
        following = []
        for state in front:
            for after in puzzle.neighbours(state):
                if after not in reached:
                    reached[after] = reached[state] + 1
                    following.append(after)
        front = following
    return reached


def some_puzzle(size: int, geoms: int) -> Puzzle:
    return Puzzle(size, tuple(Dice("goal", size, geoms).sample(range(size**2), geoms)))


def some_states(puzzle: Puzzle, count: int) -> list[int]:
    dice = Dice("states", puzzle.size, puzzle.goal)
    return [packed(puzzle, tuple(dice.sample(range(puzzle.size**2), len(puzzle.goal)))) for _ in range(count)]


def test_a_state_says_where_the_geoms_stand() -> None:
    puzzle = Puzzle(4, (0, 5, 15))
    state = puzzle.state(((3, 1), (0, 0), (1, 2)))
    assert (puzzle.cells(state), puzzle.position(state)) == ((7, 0, 9), ((3, 1), (0, 0), (1, 2)))


@pytest.mark.parametrize(("size", "geoms"), [(2, 2), (3, 4), (4, 11), (5, 12), (6, 9), (8, 10)])
def test_all_moves_at_once_are_the_moves_of_each(size: int, geoms: int) -> None:
    puzzle = some_puzzle(size, geoms)
    states = some_states(puzzle, 30)
    after = {each for state in states for each in puzzle.neighbours(state)}
    assert Steps(puzzle)(np.array(states, np.uint64)).tolist() == sorted(after)


@pytest.mark.parametrize(
    ("size", "goal"), [(2, (0, 3)), (3, (4,)), (3, (0, 1, 8)), (3, (8, 4, 2, 0)), (4, (5, 6, 9)), (5, (0, 24))]
)
def test_a_table_holds_the_distances_on_the_otherwise_empty_board(size: int, goal: tuple[int, ...]) -> None:
    puzzle = Puzzle(size, goal)
    truth, table = by_brute_force(puzzle), distances(size, goal)
    assert {state: int(table[state]) for state in truth} == truth
    assert len(truth) == len(list(permutations(range(size**2), len(goal))))


@pytest.mark.parametrize("tables", [(16, 4), (20, 4), (8, 3)])
@pytest.mark.parametrize("geoms", [1, 2, 3, 4, 5, 6])
def test_a_bound_is_between_manhattan_and_the_truth(geoms: int, tables: tuple[int, int]) -> None:
    puzzle = some_puzzle(3, geoms)
    truth = by_brute_force(puzzle)
    start = tuple(Dice("start", geoms).sample(range(9), geoms))
    bounds = patterns_of(3, start, puzzle.goal, *tables).of(np.array(list(truth), np.uint64)).tolist()
    assert all(
        puzzle.manhattan(state) <= bound <= left for (state, left), bound in zip(truth.items(), bounds, strict=True)
    )


@pytest.mark.parametrize(("size", "geoms", "bits"), [(4, 7, 16), (4, 11, 20), (4, 15, 16), (5, 12, 15), (8, 10, 12)])
def test_a_move_changes_a_bound_by_one(size: int, geoms: int, bits: int) -> None:
    puzzle = some_puzzle(size, geoms)
    patterns = patterns_of(size, puzzle.goal[::-1], puzzle.goal, bits, 3)
    for state in some_states(puzzle, 10):
        states = np.array([state, *puzzle.neighbours(state)], np.uint64)
        bounds = patterns.of(states).astype(int)
        assert set(abs(bounds[1:] - bounds[0]).tolist()) == {1}


def test_geoms_that_are_in_each_others_way_are_seen() -> None:
    puzzle = Puzzle(4, (3, 2, 1, 0, 7, 6, 5, 4, 10, 9, 8))
    start = tuple(range(11))
    states = np.array([packed(puzzle, start)], np.uint64)
    by_columns = Patterns(puzzle, [((0, 4, 8), (1, 5, 9), (2, 6, 10), (3, 7))])
    by_rows = patterns_of(4, start, puzzle.goal, 16, 1)
    assert (puzzle.manhattan(int(states[0])), int(by_columns.of(states)[0]), int(by_rows.of(states)[0])) == (20, 20, 36)


@pytest.mark.parametrize(
    ("size", "geoms", "most"), [(4, 11, 4), (4, 15, 5), (5, 12, 3), (3, 4, 4), (3, 2, 4), (2, 1, 8)]
)
def test_every_geom_is_in_one_group_each_time(size: int, geoms: int, most: int) -> None:
    puzzle = some_puzzle(size, geoms)
    start = tuple(Dice("start", size, geoms).sample(range(size**2), geoms))
    chosen = groupings(puzzle, start, most, 4)
    assert 1 <= len(chosen) <= 4
    for groups in chosen:
        assert sorted(geom for group in groups for geom in group) == list(range(geoms))
        assert max(map(len, groups)) <= most


def test_rows_to_be_reversed_are_groups_wherever_they_are_in_the_instance() -> None:
    rows = [[0, 1, 2, 3], [8, 9, 10, 11], [12, 13, 14]]
    places = Dice("rows").sample(range(11), 11)
    pairs = [pair for row in rows for pair in zip(row, row[::-1], strict=True)]
    puzzle = Puzzle(4, tuple(pairs[place][1] for place in places))
    (groups,) = groupings(puzzle, tuple(pairs[place][0] for place in places), 4, 1)
    assert sorted(sorted(pairs[places[geom]][0] for geom in group) for group in groups) == rows


def test_the_table_of_states_forgets_none_as_it_grows() -> None:
    closed, dice = Closed(width=3), Dice("closed")
    met: dict[int, int] = {}
    for moves in range(40):
        new = {dice.below(2**44) for _ in range(moves * 3)} - set(met)
        closed.add(np.array(sorted(new), np.uint64), moves)
        met |= dict.fromkeys(new, moves)
    states = [*met, *(dice.below(2**44) for _ in range(500))]
    assert closed.moves(np.array(states, np.uint64)).tolist() == [met.get(state, NEVER) for state in states]
    assert closed.count == len(met)


def test_the_cheapest_wait_least_and_the_deepest_of_these_come_first() -> None:
    waiting = Waiting()
    for cost, moves, states in [(12, 9, [7]), (10, 3, [5, 4, 5]), (10, 4, [1]), (10, 4, [2])]:
        waiting.add(cost, moves, np.array(states, np.uint64))
    taken = [(cost, moves, states.tolist()) for cost, moves, states in (waiting.take() for _ in range(3))]
    assert taken == [(10, 4, [1, 2]), (10, 3, [4, 5]), (12, 9, [7])]
    assert (waiting.cheapest(), waiting.count) == (None, 0)


def test_a_large_herd_is_taken_in_parts_and_none_is_lost() -> None:
    waiting, seen = Waiting(), Counter[int]()
    for part in range(5):
        waiting.add(10, 3, np.arange(part * 3000, (part + 1) * 3000, dtype=np.uint64))
    sizes = []
    while waiting.cheapest() is not None:
        _, _, states = waiting.take()
        sizes.append(len(states))
        seen.update(states.tolist())
    assert sizes[0] == SMALL
    assert seen == Counter(range(15000))


def test_nothing_is_different_among_nothing() -> None:
    assert different(np.array([], np.uint64)).tolist() == []


@pytest.mark.parametrize(("size", "geoms", "fit"), [(4, 15, True), (5, 12, True), (5, 13, False), (9, 2, False)])
def test_states_of_64_bits_fit(size: int, geoms: int, fit: bool) -> None:
    assert fits(some_puzzle(size, geoms)) is fit
