"""How long shortest solutions of sliding geoms take, beside the A* that iVISPAR describes.

    python benchmarks/ivispar.py             (or: make bench; about a minute)

Boards of 4x4, made from seeds: as the study's (no geom in another's way), with some interference, uniformly random, and
all positions of random episodes. Our CPU time and the peer's alternate in this process, board by board; what takes the
peer more than ``LIMIT`` expansions is left out of both, and counted. The peer is our reading of the study's A*:
positions are numpy arrays that are made into nested tuples, a binary heap of cost and state, the Manhattan distance, no
closed set. The study's own program was measured at 5,700 to 9,500 expansions a CPU second; the table says what the peer
makes.
"""

import resource
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.ivispar.board import Board, Geom, Position
from palaver_gamemasters.ivispar.solver import Distances
from palaver_gamemasters.ivispar.solver.patterns import distances, patterns_of

SIZE = 4
LIMIT = 20_000
ROUNDS, SHORT_MS = 3, 100
HARDEST = 100
AIM_TIMES, AIM_S, AIM_MB = 50, 2.0, 500

STEPS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
CELLS = [(x, y) for x in range(SIZE) for y in range(SIZE)]
GEOMS = [Geom(c, s) for c in ("red", "green", "blue", "yellow") for s in ("cube", "sphere", "pyramid", "cylinder")]


@dataclass(frozen=True)
class Task:
    """A board, and the positions whose distances are wanted, in their order."""

    board: Board
    positions: tuple[Position, ...]


class TooLongError(Exception):
    """The peer has expanded as many states as we let it."""


class Peer:
    """A* as the study describes it (section 3.3 and the appendix), as we read it."""

    def __init__(self) -> None:
        self.expanded = 0

    def distances(self, task: Task) -> list[int]:
        """Solve each position on its own, as the study's program does."""
        self.expanded = 0
        return [self.distance(position, task.board.goal) for position in task.positions]

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
                raise TooLongError
            moves = cost[state] + 1
            for after in self.neighbours(state):
                if after not in cost or moves < cost[after]:
                    cost[after], came[after] = moves, state
                    left = int(np.abs(np.array(after) - np.array(goal)).sum())
                    heappush(heap, (moves + left, after))
        raise AssertionError("a board that cannot be solved")

    @staticmethod
    def neighbours(state: Position) -> Iterator[Position]:
        """Yield the states after every legal move."""
        taken = set(state)
        places = np.array(state)
        for geom in range(len(state)):
            for step in STEPS:
                cell = places[geom] + step
                if 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE and tuple(cell) not in taken:
                    after = places.copy()
                    after[geom] = cell
                    yield tuple((int(x), int(y)) for x, y in after)


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
        "as the study's, g and c1 2-11": tasks(
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
    """Return the CPU milliseconds, the median of some rounds if they are short, and what was worked out."""
    times: list[float] = []
    while len(times) < ROUNDS and sum(times) < SHORT_MS:
        patterns_of.cache_clear()  # what was made for hard boards in the last round
        distances.cache_clear()
        began = time.process_time()
        result = work()
        times.append(1000 * (time.process_time() - began))
    return statistics.median(times), result


def ours(task: Task) -> list[int]:
    """Begin with nothing known of the board."""
    known = Distances(task.board)
    return [known.of(each) for each in task.positions]


def hardest() -> None:
    """Print what uniformly random boards of eleven geoms take, before the peer has filled the memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    boards = [uniform(Dice("hardest", k), 11) for k in range(HARDEST)]
    times = sorted(cpu(partial(ours, Task(board, (board.start,))))[0] for board in boards)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{HARDEST} uniformly random boards of 11 geoms; aims: each under {AIM_S:.0f} s and {AIM_MB} MB")
    print(f"CPU ms: median {statistics.median(times):.0f}, greatest {times[-1]:.0f}")
    print(f"memory at its peak: {peak} MB, {before} of them before\n")


def main() -> None:
    """Measure and print."""
    hardest()
    print(f"{'CPU ms, median / mean':<33}{'ours':>14}{'peer':>18}{'expansions/s':>14}{'ratio':>7}  left out")
    for name, tasks in sets().items():
        mine: list[float] = []
        theirs: list[float] = []
        expanded = 0
        skipped: Counter[int] = Counter()
        for task in tasks:
            peer = Peer()
            try:
                there, expected = cpu(partial(peer.distances, task))
            except TooLongError:
                skipped[len(task.board.geoms)] += 1
                continue
            here, found = cpu(partial(ours, task))
            assert found == expected, "the two disagree"
            mine.append(here)
            theirs.append(there)
            expanded += peer.expanded
        both = [f"{statistics.median(each):.2f} / {statistics.mean(each):.2f}" for each in (mine, theirs)]
        rate, ratio = 1000 * expanded / sum(theirs), sum(theirs) / sum(mine)
        out = ", ".join(f"{number} with {geoms}" for geoms, number in sorted(skipped.items())) or "-"
        print(f"{name:<33}{both[0]:>14}{both[1]:>18}{rate:>14,.0f}{ratio:>7.0f}  {out}")
    print(
        f"\naim: a ratio of {AIM_TIMES}; left out: boards (with so many geoms) that take the peer "
        f"more than {LIMIT:,} expansions"
    )


if __name__ == "__main__":
    main()
