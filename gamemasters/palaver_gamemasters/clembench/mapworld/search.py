"""Which steps of a walker are good: those that begin a shortest walk to all rooms that it has heard of.

The efficiency of all MapWorld games is the share of such steps. What was published uses walks of a restricted kind
(:func:`best_first_edges`); :func:`true_first_edges` is what the paper describes (Algorithm 1).
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

__all__ = ["LONGEST", "Edge", "best_first_edges", "frontier_of", "true_first_edges"]

LONGEST = 100
"""Rooms of the longest walk that v1.6.5 considers, the first one included."""

Node = TypeVar("Node", bound=Hashable)
Edge = tuple[Node, Node]


def frontier_of(edges: Iterable[Edge[Node]], visited: Collection[Node]) -> frozenset[Node]:
    """Return the rooms that were not visited and that an edge leads to from one that was."""
    return frozenset(b for a, b in edges if a in visited and b not in visited)


def best_first_edges(
    edges: Iterable[Edge[Node]], current: Node, visited: Collection[Node], *, known_only: bool
) -> frozenset[Edge[Node]]:
    """Return the first edges of the shortest walks that v1.6.5 finds from a room to all of the frontier.

    Its walks go to rooms that are not yet in the walk while there is any beside them, and else to any room beside them.
    So they are not always the shortest ones: section 5.5.

    Args:
        edges: directed edges (from, to); order and repetitions do not matter.
        current: where the walker is.
        visited: the rooms that it has visited.
        known_only: whether only edges count of which one end at least was visited (the games with pictures).
    """
    given = tuple(edges)
    goal = frontier_of(given, visited)
    beside = _neighbours(given, visited, known_only)
    # Walks with the same last room and the same rooms have the same future. So one stands for all of them: it has the
    # first steps of all. Walks grow by one room a round, which is what a queue of walks does as well.
    walks: dict[tuple[Node, frozenset[Node]], frozenset[Node]] = {(current, frozenset((current,))): frozenset()}
    for _ in range(LONGEST - 1):
        longer: dict[tuple[Node, frozenset[Node]], frozenset[Node]] = {}
        found: frozenset[Node] = frozenset()
        for (last, rooms), firsts in walks.items():
            near = beside.get(last, frozenset())
            for room in near - rooms or near:
                first = firsts or frozenset((room,))
                after = rooms | {room}
                if goal <= after:
                    found |= first
                else:
                    longer[room, after] = longer.get((room, after), frozenset()) | first
        if found:
            return frozenset((current, first) for first in found)
        walks = longer
    return frozenset()


def true_first_edges(
    edges: Iterable[Edge[Node]], current: Node, visited: Collection[Node], *, known_only: bool = True
) -> frozenset[Edge[Node]]:
    """Return the first edges of all shortest walks from a room to all of the frontier; none where there is none.

    Arguments are those of :func:`best_first_edges`.
    """
    given = tuple(edges)
    goal = frontier_of(given, visited) - {current}
    beside = _neighbours(given, visited, known_only)
    # What matters of a walk is where it is and what it still has to touch: the first to come there are the shortest.
    walks: dict[tuple[Node, frozenset[Node]], frozenset[Node]] = {(current, goal): frozenset()}
    reached = set(walks)
    while walks and goal:
        longer: dict[tuple[Node, frozenset[Node]], frozenset[Node]] = {}
        for (last, left), firsts in walks.items():
            for room in beside.get(last, frozenset()):
                at = (room, left - {room})
                if at not in reached:
                    longer[at] = longer.get(at, frozenset()) | (firsts or {room})
        found = [firsts for (_, left), firsts in longer.items() if not left]
        if found:
            return frozenset((current, first) for first in frozenset().union(*found))
        reached |= set(longer)
        walks = longer
    return frozenset()


def _neighbours(
    edges: Iterable[Edge[Node]], visited: Collection[Node], known_only: bool
) -> Mapping[Node, frozenset[Node]]:
    beside: dict[Node, set[Node]] = {}
    for a, b in edges:
        if not known_only or a in visited or b in visited:
            beside.setdefault(a, set()).add(b)
    return {room: frozenset(rooms) for room, rooms in beside.items()}
