"""A guess for large boards: one geom after another walks home, while all others stand still.

Where geoms are few and far between this mostly succeeds. The moves are then as many as the Manhattan distance, and
nothing is shorter than that. A search would have to be lucky: it does not notice that a geom is stuck before it has
tried all that the others can do.
"""

from itertools import pairwise

from .puzzle import Found, Moves, Puzzle

__all__ = ["walk"]


def walk(puzzle: Puzzle, start: int) -> Found | None:
    """Find a solution of as many moves as the Manhattan distance, or None if some geom cannot walk home."""
    path, occupied = [start], puzzle.occupied(start)
    left = [geom for geom in puzzle.geoms if geom[1][start >> geom[0] & puzzle.mask]]
    while left:
        for geom in left:
            shift, nearer, _, _ = geom
            way = _way(nearer, path[-1] >> shift & puzzle.mask, occupied)
            if way:
                break
        else:
            return None
        left.remove(geom)
        for before, after in pairwise(way):
            path.append(path[-1] ^ (before ^ after) << shift)
        occupied ^= 1 << way[0] | 1 << way[-1]
    return Found(len(path) - 1, tuple(path))


def _way(nearer: Moves, cell: int, occupied: int) -> list[int]:
    """Return the free cells that lead from one to the geom's goal, both included, each nearer than the last."""
    came = {cell: cell}
    cells = [cell]
    while cells:
        cell = cells.pop()
        if not nearer[cell]:
            way = [cell]
            while came[way[-1]] != way[-1]:
                way.append(came[way[-1]])
            return way[::-1]
        for bit, _, _ in nearer[cell]:
            to = bit.bit_length() - 1
            if not occupied & bit and to not in came:
                came[to] = cell
                cells.append(to)
    return []
