"""How alike the map that a player has drawn and the true one are: from their graph edit distance.

The distance is the least number of rooms and connections to add and to take away until the two have the same shape;
names do not matter. v1.6.5 has it from networkx (``graph_edit_distance``), which tries mappings of rooms for as long as
it takes. Here it is worked out by branch and bound, up to a bound of work.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .edits import WORK, Distance, Near, fewest_edits

__all__ = ["WORK", "Distance", "Graph", "NoGraphError", "graph_distance", "graph_of", "read_graph", "similarity"]

Pair = tuple[Hashable, Hashable]

DIRECTIONS = ("north", "south", "east", "west")


class NoGraphError(ValueError):
    """What a player has drawn is no graph; the message says why."""


class Graph(NamedTuple):
    """Rooms in order, and connections: each once, in the order and direction in which it was named first."""

    nodes: tuple[Hashable, ...]
    edges: tuple[Pair, ...]


def similarity(edits: float) -> float:
    """Return the similarity of two graphs, from 0 to 1, by their distance (section 6.2)."""
    return 1 - 2 * (1 / (1 + math.exp(-0.5 * edits)) - 0.5)


def graph_of(nodes: Iterable[Hashable], edges: Iterable[Pair]) -> Graph:
    """Make an undirected graph. Nodes that only edges name are nodes as well."""
    known = dict.fromkeys(nodes)
    once: dict[frozenset[Hashable], Pair] = {}
    for a, b in edges:
        known.update({a: None, b: None})
        once.setdefault(frozenset((a, b)), (a, b))
    return Graph(tuple(known), tuple(once.values()))


def graph_distance(
    nodes_a: Iterable[Hashable], edges_a: Iterable[Pair], nodes_b: Iterable[Hashable], edges_b: Iterable[Pair]
) -> Distance:
    """Return the graph edit distance of two undirected graphs: unit costs, no labels.

    An edge counts once, whatever its direction. What edges from a node to itself cost depends on the order of the nodes
    and of the graphs, as it does with networkx.

    Returns:
        The number of edits, and whether it is exact: graphs much larger than any map may take too much work.
    """
    return fewest_edits(_near(graph_of(nodes_a, edges_a)), _near(graph_of(nodes_b, edges_b)))


def _near(graph: Graph) -> Near:
    """Number the nodes, and say with which each is connected."""
    number = {node: at for at, node in enumerate(graph.nodes)}
    near: list[set[int]] = [set() for _ in graph.nodes]
    for a, b in graph.edges:
        near[number[a]].add(number[b])
        near[number[b]].add(number[a])
    return tuple(map(frozenset, near))


def read_graph(value: object, *, lenient: bool = False) -> Graph:
    """Read what a player has drawn: ``{"nodes": [...], "edges": {"north": [[a, b], ...], ...}}``.

    Entries of other lengths than two are no edges and are left out, as v1.6.5 does.

    Args:
        value: what the player's text holds, as JSON.
        lenient: whether to take what makes sense and leave out the rest: nodes that are no names, edges that have not
            two ends or only one; directions do not matter, and keys may have capitals.

    Raises:
        NoGraphError: v1.6.5 raises an exception here (section 6.2), or networkx does, for a node that is None.
    """
    if lenient:
        return _what_makes_sense(value)
    try:
        return _to_the_letter(value)
    except (TypeError, KeyError, IndexError) as error:
        raise NoGraphError(f"{type(error).__name__}: {error}") from error


def _to_the_letter(value: Any) -> Graph:
    nodes = list(value["nodes"])
    edges: list[Pair] = []
    if not isinstance(value["edges"], Mapping):
        raise NoGraphError("the edges are no object")
    for direction, entries in value["edges"].items():
        for entry in entries:
            if len(entry) != 2:
                continue
            if direction not in DIRECTIONS:
                raise NoGraphError(f"{direction!r} is no direction")
            edges.append((entry[0], entry[1]))
    graph = graph_of(nodes, edges)
    if None in graph.nodes:
        raise NoGraphError("a node is null")
    return graph


def _what_makes_sense(value: object) -> Graph:
    given = {key.lower(): held for key, held in value.items()} if isinstance(value, Mapping) else {}
    nodes, edges = given.get("nodes"), given.get("edges")
    lists = list(edges.values()) if isinstance(edges, Mapping) else [edges]
    pairs = [tuple(entry) for entries in lists for entry in _listed(entries) if len(_listed(entry)) == 2]
    named = [(a, b) for a, b in pairs if isinstance(a, str) and isinstance(b, str) and a != b]
    return graph_of([node for node in _listed(nodes) if isinstance(node, str)], named)


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
