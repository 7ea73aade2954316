"""The graph edit distance with unit costs and no labels, by branch and bound.

Every edit path is a mapping of some nodes to some nodes. All costs are one and any node may stand for any, so mapping
one pair more saves two edits and loses no edge in common. So a best mapping leaves out no node of the smaller graph,
and what is looked for is the greatest number of edges in common. (Edges from a node to itself are another story, told
in ``looped.py``.)
"""

from collections.abc import Sequence
from typing import NamedTuple

from .looped import Near, fewest_edits_with_loops

__all__ = ["WORK", "Distance", "Near", "fewest_edits"]

WORK = 500_000
"""Pairs of nodes that are weighed at most: a fraction of a second. Two maps of 8 rooms take some thousands."""


class Distance(NamedTuple):
    """A number of edits; not ``exact`` where the work was cut short: it is then what the best mapping so far takes."""

    edits: int
    exact: bool = True


def fewest_edits(a: Near, b: Near) -> Distance:
    """Return the distance of two graphs, given as the neighbours of each node."""
    if any(node in near for graph in (a, b) for node, near in enumerate(graph)):
        return Distance(*fewest_edits_with_loops(a, b, WORK))
    small, large = sorted((a, b), key=len)
    search = _Search(small, large)
    edges = sum(map(len, a)) // 2 + sum(map(len, b)) // 2
    return Distance(len(large) - len(small) + edges - 2 * search.best, search.work > 0)


class _Search:
    """The greatest number of edges in common, over all mappings of one graph's nodes to the other's."""

    def __init__(self, small: Near, large: Near) -> None:
        self.best = 0
        self.work = WORK
        self._small = small
        self._large = [sum(1 << other for other in near) for near in large]
        self._most = min(sum(map(len, small)), sum(map(len, large))) // 2
        self._images = [0] * len(small)
        """For each node of the small graph: the images of its neighbours, as far as they are mapped."""
        busy = [node for node, near in enumerate(small) if near]
        self._go(busy, (1 << len(large)) - 1, 0)

    def _go(self, left: Sequence[int], free: int, common: int) -> None:
        """Map the nodes that are left in all ways that could have more edges in common than the best so far."""
        self.best = max(self.best, common)
        if not left or self.best == self._most or self.work <= 0:
            return
        spots = [spot for spot in range(len(self._large)) if free >> spot & 1]
        self.work -= len(left) * len(spots)
        # A node can have in common with its image the edges to nodes that are mapped, and half of each edge among those
        # that are left (the other half is the other end's). Counted in halves; its best image bounds what it can add.
        among = set(left)
        inner = [len(self._small[node] & among) for node in left]
        outer = [(self._large[spot] & free).bit_count() for spot in spots]
        gains = [
            [
                2 * (self._images[node] & self._large[spot]).bit_count() + min(own, other)
                for spot, other in zip(spots, outer, strict=True)
            ]
            for node, own in zip(left, inner, strict=True)
        ]
        hopes = [max(row, default=0) for row in gains]
        if 2 * common + sum(hopes) < 2 * self.best + 2:
            return
        at = max(range(len(left)), key=lambda i: (self._images[left[i]].bit_count(), len(self._small[left[i]])))
        node, rest = left[at], [other for other in left if other != left[at]]
        ways = sorted(zip(gains[at], spots, strict=True), key=lambda way: -way[0])
        for gain, spot in ways:
            if 2 * common + sum(hopes) - hopes[at] + gain < 2 * self.best + 2:
                return
            added = (self._images[node] & self._large[spot]).bit_count()
            for near in self._small[node]:
                self._images[near] |= 1 << spot
            self._go(rest, free & ~(1 << spot), common + added)
            for near in self._small[node]:
                self._images[near] &= ~(1 << spot)
