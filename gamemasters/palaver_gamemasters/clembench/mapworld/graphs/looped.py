"""The graph edit distance of graphs in which nodes are connected with themselves, as networkx 3 has it.

networkx lets such an edge, a loop, stand for any edge that is settled in the same step: when a node is mapped, its
edges to the nodes that were mapped before. So the distance depends on the order of the steps, which is that of the
nodes of whichever graph has more of them left. A map has no loops; a player may draw one all the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

__all__ = ["Near", "fewest_edits_with_loops"]

Near = tuple[frozenset[int], ...]
"""A graph: for each node, the nodes it is connected with."""


@dataclass(frozen=True)
class _Path:
    """An edit path so far: nodes mapped (None: added or taken away), nodes and edges that are left, edits."""

    mapped: tuple[tuple[int | None, int | None], ...]
    left_a: tuple[int, ...]
    left_b: tuple[int, ...]
    edges_a: int
    edges_b: int
    edits: int

    @property
    def bound(self) -> int:
        """The edits that it takes at least."""
        return self.edits + abs(len(self.left_a) - len(self.left_b)) + abs(self.edges_a - self.edges_b)


def fewest_edits_with_loops(a: Near, b: Near, work: int) -> tuple[int, bool]:
    """Return the distance, and whether it is exact.

    Args:
        a: a graph, as the neighbours of each node.
        b: another.
        work: how many pairs of nodes to weigh at most, about as in the search without loops.
    """
    nodes = tuple(range(len(a))), tuple(range(len(b)))
    best = len(a) + len(b) + _edges(a) + _edges(b)
    paths = [_Path((), *nodes, _edges(a), _edges(b), 0)]
    while paths:
        path = paths.pop()
        if path.bound >= best:
            continue
        if not path.left_a and not path.left_b:
            best = path.edits
            continue
        longer = [_step(path, a, b, *pair) for pair in _pairs(path)]
        work -= len(longer) * (len(path.mapped) + 4)
        if work <= 0:
            return best, False
        paths += sorted((each for each in longer if each.bound < best), key=lambda each: -each.bound)
    return best, True


def _edges(graph: Near) -> int:
    return sum(other >= node for node, near in enumerate(graph) for other in near)


def _pairs(path: _Path) -> Iterator[tuple[int | None, int | None]]:
    """Yield what the next step can be: the next node of the graph that has more left, with all of the other, or alone.

    Of two graphs with as many left, it is the second's.
    """
    if len(path.left_a) <= len(path.left_b):
        yield from ((node, path.left_b[0]) for node in (*path.left_a, None))
    else:
        yield from ((path.left_a[0], node) for node in (*path.left_b, None))


def _step(path: _Path, a: Near, b: Near, u: int | None, v: int | None) -> _Path:
    """Map two nodes, and settle the edges between them and those that were mapped before."""
    after = replace(
        path,
        mapped=(*path.mapped, (u, v)),
        left_a=tuple(node for node in path.left_a if node != u),
        left_b=tuple(node for node in path.left_b if node != v),
        edits=path.edits + (u is None or v is None),
    )
    if not path.mapped and path.edges_a and path.edges_b:
        return after  # networkx settles the first node's loop with the second node, where there are edges to compare
    # the first node's loop is left over from the first step, unless that one has settled it
    now = after.mapped if len(path.mapped) == 1 and _waits(path, a, b) else ((u, v),)
    loops_a = sum(p is not None and p in a[p] for p, _ in now)
    loops_b = sum(q is not None and q in b[q] for _, q in now)
    plain_a = [u is not None and p is not None and p in a[u] for p, _ in path.mapped]
    plain_b = [v is not None and q is not None and q in b[v] for _, q in path.mapped]
    alike = sum(x and y for x, y in zip(plain_a, plain_b, strict=True))
    over_a, over_b = sum(plain_a) - alike, sum(plain_b) - alike
    # a loop stands for an edge that has no counterpart, else for a loop
    stand_a, stand_b = min(loops_a, over_b), min(loops_b, over_a)
    settled_a, settled_b = sum(plain_a) + loops_a, sum(plain_b) + loops_b
    matched = alike + stand_a + stand_b + min(loops_a - stand_a, loops_b - stand_b)
    return replace(
        after,
        edges_a=path.edges_a - settled_a,
        edges_b=path.edges_b - settled_b,
        edits=after.edits + settled_a + settled_b - 2 * matched,
    )


def _waits(path: _Path, a: Near, b: Near) -> bool:
    """Whether the first step has settled nothing, because both graphs have edges."""
    return path.edges_a == _edges(a) and path.edges_b == _edges(b) and bool(path.edges_a and path.edges_b)
