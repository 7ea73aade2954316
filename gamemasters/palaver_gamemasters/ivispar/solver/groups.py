"""Which geoms belong together: a bound sees that geoms are in each other's way where they are in one group.

Two that stand in one line, and have to change their order in it, cost moves that the Manhattan distance leaves out. How
geoms are grouped decides how many of these are seen: eleven in rows, each row to be reversed, take 40 moves. A bound
says 36 if it looks at whole rows; if at columns, 20, as the Manhattan distance does.
"""

from itertools import combinations

from .puzzle import Puzzle

__all__ = ["Groups", "groupings"]

Groups = tuple[tuple[int, ...], ...]
"""All geoms, by their places in the order of the instance, each in one group."""
Ties = list[list[int]]
"""How much it is worth to have two geoms in one group."""

CONFLICT, NEAR = 2500, 1000
FADES = 5
"""A tie that one grouping has respected counts a fifth in the next: the greatest of their sums is to see them all."""


def groupings(puzzle: Puzzle, start: tuple[int, ...], most: int, count: int) -> list[Groups]:
    """Return so many ways to put the geoms into groups of ``most`` (and one of what is left), the best ones first.

    There may be fewer: with few geoms all are alike.
    """
    ties = _ties(puzzle.size, start, puzzle.goal)
    chosen = []
    for _ in range(count):
        groups = max(
            (_exchanged(ties, order, most) for order in _orders(puzzle, start)), key=lambda each: _worth(ties, each)
        )
        for group in groups:
            for one, other in combinations(group, 2):
                ties[one][other] //= FADES
                ties[other][one] //= FADES
        chosen.append(groups)
    return list(dict.fromkeys(chosen))


def _ties(size: int, start: tuple[int, ...], goal: tuple[int, ...]) -> Ties:
    """Return the ties of all pairs: conflicts first, then how near to each other they begin and end."""
    paths = [(*divmod(a, size), *divmod(b, size)) for a, b in zip(start, goal, strict=True)]
    ties = [[0] * len(paths) for _ in paths]
    for (one, (ay, ax, by, bx)), (other, (cy, cx, dy, dx)) in combinations(enumerate(paths), 2):
        reversed_row = ay == by == cy == dy and (ax - cx) * (bx - dx) < 0
        reversed_column = ax == bx == cx == dx and (ay - cy) * (by - dy) < 0
        apart = abs(ax - cx) + abs(ay - cy) + abs(bx - dx) + abs(by - dy)
        tie = CONFLICT * (reversed_row + reversed_column) + NEAR // (1 + apart)
        ties[one][other] = ties[other][one] = tie
    return ties


def _orders(puzzle: Puzzle, start: tuple[int, ...]) -> list[list[int]]:
    """Return orders to begin with: by rows and by columns, of the goal and of the start."""
    return [
        sorted(range(len(cells)), key=lambda geom: divmod(cells[geom], puzzle.size)[::sense])
        for cells in (puzzle.goal, start)
        for sense in (1, -1)
    ]


def _exchanged(ties: Ties, order: list[int], most: int) -> Groups:
    """Cut an order into groups, and exchange two geoms as long as that is worth something."""
    groups = [order[first : first + most] for first in range(0, len(order), most)]
    better = True
    while better:
        better = False
        for these, those in combinations(groups, 2):
            for here in range(len(these)):
                for there in range(len(those)):
                    one, other = these[here], those[there]
                    mine, yours = ties[one], ties[other]
                    if (
                        sum(yours[each] - mine[each] for each in these)
                        + sum(mine[each] - yours[each] for each in those)
                        > 2 * mine[other]
                    ):
                        these[here], those[there] = other, one
                        better = True
    return tuple(tuple(sorted(group)) for group in groups)


def _worth(ties: Ties, groups: Groups) -> int:
    return sum(ties[one][other] for group in groups for one, other in combinations(group, 2))
