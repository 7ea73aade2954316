"""The search for ordinary boards, in plain Python: most take a dozen states, and numpy would only be in the way.

A* with the Manhattan distance. A move changes that distance by one, so that the cost of a path through a state (moves
made, and moves at least to be made) stays as it is or grows by two. States are kept in layers of equal cost, and a
layer is searched depth first: where no geom is in another's way this walks straight to the goal. Whatever is met twice
in a layer was met after equally many moves, so that it need not be told which way was shorter. Moves that lead away
belong to the next layer, and are not looked at before this one is used up.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from .puzzle import Found, Puzzle, Unfinished

__all__ = ["search"]

Node = tuple[int, int, int]
"""A state, its occupied cells, and the state before."""


def search(puzzle: Puzzle, start: int, known: Mapping[int, int], *, below: int | None, stored: int) -> Found | None:
    """Find a shortest solution.

    Args:
        puzzle: where to go.
        start: the state to begin with.
        known: the distances of some states, the goal among them: nobody needs to look beyond these.
        below: only solutions of fewer moves than this are of interest.
        stored: how many states may be stored.

    Returns:
        The distance, and the states from ``start`` up to a known one; None if there is no such solution.

    Raises:
        Unfinished: it would take more states.
    """
    cost, best, last = puzzle.manhattan(start), below, start
    mask, geoms = puzzle.mask, puzzle.geoms
    came: dict[int, int] = {}
    nodes: list[Node] = [(start, puzzle.occupied(start), start)]
    while nodes and (best is None or cost < best):
        expanded: list[tuple[int, int]] = []
        while nodes:
            state, occupied, before = nodes.pop()
            if state in came:
                continue
            came[state] = before
            if state in known:
                total = cost - puzzle.manhattan(state) + known[state]
                if best is None or total < best:
                    best, last = total, state
                if total == cost:
                    break
                continue
            expanded.append((state, occupied))
            for shift, nearer, _, _ in geoms:
                for bit, flip, change in nearer[state >> shift & mask]:
                    if not occupied & bit and (after := state ^ change) not in came:
                        nodes.append((after, occupied ^ flip, state))
            if len(came) + len(nodes) > stored:
                raise Unfinished(stored)
        cost += 2
        if best is None or cost < best:
            nodes = list(islice(_away(puzzle, expanded, came), stored + 1))
            if len(nodes) > stored:
                raise Unfinished(stored)
    return None if best is None or best == below else Found(best, _back(came, last))


def _away(puzzle: Puzzle, expanded: Iterable[tuple[int, int]], came: Mapping[int, int]) -> Iterator[Node]:
    """Make the moves that lead away from the goal."""
    for state, occupied in expanded:
        for shift, _, farther, _ in puzzle.geoms:
            for bit, flip, change in farther[state >> shift & puzzle.mask]:
                if not occupied & bit and (after := state ^ change) not in came:
                    yield after, occupied ^ flip, state


def _back(came: Mapping[int, int], state: int) -> tuple[int, ...]:
    """Return the states that led to this one, from the start."""
    path = [state]
    while (before := came[path[-1]]) != path[-1]:
        path.append(before)
    return tuple(reversed(path))
