"""How long shortest solutions of sliding geoms take, beside the A* that iVISPAR describes.

    python benchmarks/ivispar.py             (or: make bench; about a minute)

Boards of 4x4, made from seeds: as the study's (no geom in another's way), with some interference, uniformly random, and
all positions of random episodes. Our CPU time and the peer's alternate in this process, board by board; what takes the
peer more than ``LIMIT`` expansions is left out of both, and counted. The peer is our reading of the study's
description: states are ordered tuples of coordinates, a binary heap of cost and state, the Manhattan distance, no closed
set. Its authors' program makes 5,700 to 9,500 expansions a CPU second on a machine like ours.
"""

import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.ivispar.board import Board, Geom, Position
from palaver_gamemasters.ivispar.solver import Distances
from palaver_gamemasters.ivispar.solver.patterns import distances, patterns_of

SIZE = 4
LIMIT = 100_000
HARDEST = 100
AIM_TIMES, AIM_S, AIM_MB = 50, 2.0, 500

CELLS = [(x, y) for x in range(SIZE) for y in range(SIZE)]
GEOMS = [Geom(c, s) for c in ("red", "green", "blue", "yellow") for s in ("cube", "sphere", "pyramid", "cylinder")]


@dataclass(frozen=True)
class Task:
    """A board, and the positions whose distances are wanted, in their order."""

    board: Board
    positions: tuple[Position, ...]


class TooLong(Exception):
    """The peer has expanded as many states as we let it."""


class Peer:
    """A* as the study describes it (section 3.3 and the appendix), as we read it."""

    def __init__(self) -> None:
        self.expanded = 0

    def distance(self, start: Position, goal: Position) -> int:
        """Return the moves of a shortest solution."""
        heap: list[tuple[int, Position]] = [(0, start)]
        cost, came, until = {start: 0}, {start: start}, self.expanded + LIMIT
        while heap:
            _, state = heappop(heap)
            if state == goal:
                return cost[state]
            self.expanded += 1
            if self.expanded > until:
                raise TooLong
            moves = cost[state] + 1
            for after in self.neighbours(state):
                if after not in cost or moves < cost[after]:
                    cost[after], came[after] = moves, state
                    left = sum(abs(x - gx) + abs(y - gy) for (x, y), (gx, gy) in zip(after, goal, strict=True))
                    heappush(heap, (moves + left, after))
        raise AssertionError("a board that cannot be solved")

    @staticmethod
    def neighbours(state: Position) -> Iterator[Position]:
        """Yield the states after every legal move."""
        taken = set(state)
        for geom, (x, y) in enumerate(state):
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE and cell not in taken:
                    yield (*state[:geom], cell, *state[geom + 1 :])


def uniform(dice: Dice, geoms: int) -> Board:
    """Start and goal anywhere: the hardest boards that there are."""
    while True:
        start, goal = tuple(dice.sample(CELLS, geoms)), tuple(dice.sample(CELLS, geoms))
        if start != goal:
            return Board(SIZE, tuple(dice.sample(GEOMS, geoms)), start, goal)


def benchmark_like(dice: Dice, geoms: int, path: int) -> Board:
    """No geom in another's way: so many moves from the goal, each further away."""
    while True:
        probe = uniform(dice, geoms)
        now = probe.goal
        for moves in range(1, path + 1):
            further = [after for _, _, after in probe.moves(now) if probe.manhattan(after) == moves]
            if not further:
                break
            now = dice.pick(further)
        else:
            return Board(SIZE, probe.geoms, now, probe.goal)


def interfering(dice: Dice, geoms: int) -> Board:
    """8 to 14 moves, two or four of them because geoms are in each other's way."""
    while True:
        board = uniform(dice, geoms)
        direct = board.manhattan(board.start)
        if 8 <= direct <= 12 and 0 < Distances(board).of(board.start) - direct <= 4:
            return board


def episode(dice: Dice, geoms: int) -> Task:
    """A benchmark board, and 20 random legal moves."""
    board = benchmark_like(dice, geoms, 6)
    positions = [board.start]
    for _ in range(20):
        positions.append(dice.pick([after for _, _, after in board.moves(positions[-1])]))
    return Task(board, tuple(positions))


def sets() -> dict[str, list[Task]]:
    """Make all boards."""

    def tasks(boards: list[Board]) -> list[Task]:
        return [Task(board, (board.start,)) for board in boards]

    return {
        "like the study's, g and c1 2-11": tasks(
            [benchmark_like(Dice("like", g, c), g, c) for g in range(2, 12) for c in range(2, 12)]
        ),
        "interference, g 4-6, c1 10-14": tasks(
            [interfering(Dice("way", g, k), g) for g in (4, 5, 6) for k in range(20)]
        ),
        "uniform, g 2-7": tasks([uniform(Dice("any", g, k), g) for g in range(2, 8) for k in range(6)]),
        "uniform, g 8-11": tasks([uniform(Dice("any", g, k), g) for g in range(8, 12) for k in range(4)]),
        "random episodes, g 2, 5, 8, 11": [episode(Dice("walk", g, k), g) for g in (2, 5, 8, 11) for k in range(3)],
    }


def cpu(work: Callable[[], list[int]]) -> tuple[float, list[int]]:
    """Return the CPU seconds, and what was worked out."""
    gc.collect()
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def ours(task: Task) -> list[int]:
    """Begin with nothing known; the tables of hard boards are made anew too."""
    patterns_of.cache_clear()
    distances.cache_clear()
    known = Distances(task.board)
    return [known.of(each) for each in task.positions]


def hardest() -> None:
    """Print what uniformly random boards of eleven geoms take, before the peer has filled the memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    boards = [uniform(Dice("hardest", k), 11) for k in range(HARDEST)]
    times = sorted(cpu(lambda board=board: ours(Task(board, (board.start,))))[0] for board in boards)  # type: ignore[misc]  # a default binds the loop's board
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{HARDEST} uniformly random boards of 11 geoms; aims: each under {AIM_S} s and {AIM_MB} MB")
    print(f"CPU s: median {statistics.median(times):.3f}, greatest {times[-1]:.3f}; peak memory {peak // 1024} MB")
    print(f"({before // 1024} MB of it before)\n")


def main() -> None:
    """Measure and print."""
    hardest()
    print(
        f"{'CPU ms a board (median / mean)':<34}{'ours':>18}{'peer':>20}{'peer exp/s':>12}{'x mean':>9}{'left out':>10}"
    )
    for name, tasks in sets().items():
        mine, theirs, expanded, skipped = [], [], 0, []
        for task in tasks:
            peer = Peer()
            try:
                there, expected = cpu(lambda p=peer, t=task: [p.distance(each, t.board.goal) for each in t.positions])  # type: ignore[misc]  # as above
            except TooLong:
                skipped.append(f"g {len(task.board.geoms)}")
                continue
            here, found = cpu(lambda t=task: ours(t))  # type: ignore[misc]  # as above
            assert found == expected, "the two disagree"
            mine.append(1000 * here)
            theirs.append(1000 * there)
            expanded += peer.expanded
        both = [f"{statistics.median(each):.2f} / {statistics.mean(each):.2f}" for each in (mine, theirs)]
        rate, times = 1000 * expanded / sum(theirs), sum(theirs) / sum(mine)
        print(f"{name:<34}{both[0]:>18}{both[1]:>20}{rate:>12,.0f}{times:>9.0f}{len(skipped):>10} {', '.join(skipped)}")
    print(f"\naim: {AIM_TIMES} times; left out: boards that take the peer more than {LIMIT:,} expansions")


if __name__ == "__main__":
    main()
