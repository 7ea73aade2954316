"""Boards made from a seed (iVISPAR, section 4.1): by their number of geoms, path length and interference.

As in the study, the goal is any position, and the start is where a random walk leads that gets further away from the
goal with every move; so that geoms may stand at their goals from the start. What is mended: the walk is seeded, it ends
when it is stuck, no board comes twice, and how long a search may last is a number of moves, not a time.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from math import gcd, lcm
from typing import NamedTuple

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

from .board import Board, Cell, Geom
from .commands import check_names
from .options import BoardOptions
from .tangles import tangled
from .walks import straight_walk

__all__ = ["Kind", "Made", "generated", "kinds"]

MOVES = 200_000
"""Moves that are tried for one board without interference before it is given up; most boards need a few dozen."""
SOLUTIONS = 20_000
"""Boards that are looked at where geoms are to be in each other's way; most need a few hundred."""


Placed = tuple[Geom, Cell, Cell]
"""A geom, where it starts, and where it is to stand."""


class Kind(NamedTuple):
    """What is asked of a board. The study calls these g, c1 and c2."""

    size: int
    geoms: int
    path: int
    interference: int

    def __str__(self) -> str:
        """Return it in the words of errors."""
        tangled = f", interference {self.interference}" if self.interference else ""
        return f"a board of {self.size}x{self.size} with geoms={self.geoms}, path={self.path}{tangled}"


class Made(NamedTuple):
    """A board, of which kind it is, and how many of its kind came before."""

    kind: Kind
    board: Board
    before: int


def generated(options: BoardOptions, seed: int) -> Iterator[Made]:
    """Make boards without end: one of each kind, then a second one of each, and so on.

    Raises:
        InstanceError: boards of one of the kinds cannot exist; or, later, none was found.
    """
    pairs = [Geom(colour.lower(), shape.lower()) for colour in options.colors for shape in options.shapes]
    check_names(pairs)
    for geoms in range(options.min_geoms, options.max_geoms + 1):
        for path in range(options.min_path, options.max_path + 1):
            _check(Kind(options.size, geoms, path, options.interference), len(pairs))
    return _endless(kinds(options), pairs, seed)


def kinds(options: BoardOptions) -> list[Kind]:
    """Return all kinds of boards, each once: the first ten of the defaults have all ten numbers of geoms and lengths.

    They lie on the diagonals of the table of both, after the lengths were brought into an order in which short and long
    ones alternate; so that any number of boards has about as many of each, and length does not grow with geoms.
    """
    geoms = range(options.min_geoms, options.max_geoms + 1)
    paths = _scattered(range(options.min_path, options.max_path + 1))
    around = lcm(len(geoms), len(paths))
    return [
        Kind(
            options.size, geoms[place % len(geoms)], paths[(place + place // around) % len(paths)], options.interference
        )
        for place in range(len(geoms) * len(paths))
    ]


def _scattered(items: range) -> list[int]:
    """Bring items into an order whose neighbours lie apart: steps of about the golden section, round and round."""
    total = len(items)
    step = min(
        (step for step in range(1, total + 1) if gcd(step, total) == 1), key=lambda each: abs(each - 0.618 * total)
    )
    return [items[place * step % total] for place in range(total)]


def _check(kind: Kind, pairs: int) -> None:
    """Refuse what cannot exist.

    Raises:
        InstanceError: says why.
    """
    size, geoms, path, interference = kind
    if geoms >= size**2:
        raise InstanceError(f"{kind} has no free cell to move to", mend=f"max_geoms can be {size**2 - 1} at most")
    if geoms > pairs:
        raise InstanceError(
            f"{kind} needs {geoms} different geoms, and colours and shapes give {pairs}",
            mend="give more of them, such as --set colors=red,green,blue,yellow,orange",
        )
    if interference and geoms == 1:
        raise InstanceError(f"{kind}: a single geom has no other in its way", mend="give min_geoms=2")
    if interference and path < 2 * interference + 2:
        raise InstanceError(
            f"{kind} cannot exist: {2 * interference} moves to get out of the way leave two for the rest at least",
            mend=f"give min_path={2 * interference + 2}",
        )
    if path - 2 * interference > (most := _furthest(size, geoms)):
        raise InstanceError(
            f"{kind} cannot exist: its geoms cannot be more than {most} moves from their goals",
            mend=f"max_path can be {most + 2 * interference} at most, or take more geoms",
        )


@cache
def _furthest(size: int, geoms: int) -> int:
    """Return a bound for the sum of ways: no geom is further from its goal than both are from the board's centre."""
    cells = sorted(abs(2 * x - size + 1) + abs(2 * y - size + 1) for x in range(size) for y in range(size))
    return sum(cells[-geoms:])


def _endless(order: list[Kind], pairs: list[Geom], seed: int) -> Iterator[Made]:
    seen: set[frozenset[Placed]] = set()
    for before in count():
        for kind in order:
            # the dice know of one board only: it stays the same whatever other kinds are asked for
            dice = Dice("ivispar", seed, *kind, before)
            board = _new(kind, pairs, dice, seen)
            if board is None:
                raise InstanceError(
                    f"found no {'further ' if before else ''}board such as {kind}",
                    mend="ask for fewer episodes, or other geoms and paths"
                    if before
                    else "ask for other geoms or paths",
                )
            seen.add(_placed(board))
            yield Made(kind, board, before)


def _new(kind: Kind, pairs: list[Geom], dice: Dice, seen: set[frozenset[Placed]]) -> Board | None:
    cells = [(x, y) for x in range(kind.size) for y in range(kind.size)]
    left = SOLUTIONS if kind.interference else MOVES
    while left > 0:
        geoms, goal = tuple(dice.sample(pairs, kind.geoms)), tuple(dice.sample(cells, kind.geoms))
        found, tried = _tried(kind, Board(kind.size, geoms, goal, goal), dice)
        if found is not None and _placed(found) not in seen:
            return found
        left -= 1 + tried
    return None


def _tried(kind: Kind, board: Board, dice: Dice) -> tuple[Board | None, int]:
    """Look once for a board; return also how much work it was."""
    if kind.interference:
        return tangled(board, kind.path, kind.interference, dice)
    if _reach(board) < kind.path:
        return None, 0
    start, tried = straight_walk(board, kind.path, dice)
    return (None if start is None else replace(board, start=start)), tried


def _placed(board: Board) -> frozenset[Placed]:
    """Return what makes a board: in which order its geoms are listed is no difference."""
    return frozenset(zip(board.geoms, board.start, board.goal, strict=True))


def _reach(board: Board) -> int:
    """Return how far the geoms can be from the goal in all, if none were in another's way."""
    last = board.size - 1
    return sum(max(x, last - x) + max(y, last - y) for x, y in board.goal)
