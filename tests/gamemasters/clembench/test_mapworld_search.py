"""Good steps: what v1.6.5 finds, by a second writing of its search and by hand, and what the paper describes."""

from collections import deque
from collections.abc import Collection, Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.clembench.mapworld.maps import make_map
from palaver_gamemasters.clembench.mapworld.search import best_first_edges, frontier_of, true_first_edges
from palaver_gamemasters.dice import Dice

Edges = list[tuple[str, str]]


def as_written(edges: Edges, current: str, visited: Collection[str], known_only: bool) -> set[tuple[str, str]]:
    """The search as v1.6.5 makes it: a queue of walks."""
    frontier = {b for a, b in edges if a in visited and b not in visited}
    queue: deque[tuple[str, ...]] = deque([(current,)])
    longest = 100
    found: set[tuple[str, str]] = set()
    while queue:
        walk = queue.popleft()
        if len(walk) > longest:
            break
        if frontier <= set(walk) and len(walk) > 1:
            found.add((walk[0], walk[1]))
            longest = len(walk)
            continue
        if len(walk) == longest:
            continue
        near = [b for a, b in edges if a == walk[-1] and (not known_only or a in visited or b in visited)]
        queue.extend((*walk, b) for b in [b for b in near if b not in walk] or near)
    return found


def shortest_by_brute_force(edges: Edges, current: str, visited: Collection[str]) -> set[tuple[str, str]]:
    frontier = {b for a, b in edges if a in visited and b not in visited}
    walks: list[tuple[str, ...]] = [(current,)]
    while True:
        walks = [(*walk, b) for walk in walks for a, b in edges if a == walk[-1] and (a in visited or b in visited)]
        found = {(walk[0], walk[1]) for walk in walks if frontier <= set(walk)}
        if found:
            return found


def both_ways(text: str) -> Edges:
    """Edges of ``a-b a-c``."""
    there = [(each[0], each[2]) for each in text.split()]
    return there + [(b, a) for a, b in there]


@st.composite
def walks(draw: st.DrawFn, most: int = 8) -> tuple[Edges, str, set[str]]:
    """A map, and where somebody is who has walked about in it."""
    rooms = draw(st.integers(2, most))
    links = rooms - 1 + draw(st.integers(0, 2 if rooms > 5 else 0))
    made = make_map(Dice("search", draw(st.integers(0, 10_000))), rooms, (links, links), [f"c{i}" for i in range(16)])
    edges = [(str(a), str(b)) for a, b in made.edges]
    room = str(made.start)
    visited = {room}
    for choice in draw(st.lists(st.integers(0, 11), max_size=12)):
        beside = [b for a, b in edges if a == room]
        room = beside[choice % len(beside)]
        visited.add(room)
    return edges, room, visited


@given(walks(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_good_steps_are_those_that_a_queue_of_walks_finds(walk: tuple[Edges, str, set[str]], known_only: bool) -> None:
    edges, room, visited = walk
    assert best_first_edges(edges, room, visited, known_only=known_only) == as_written(edges, room, visited, known_only)


@given(walks(5))
@settings(max_examples=80, deadline=None)
def test_true_steps_are_those_of_all_shortest_walks(walk: tuple[Edges, str, set[str]]) -> None:
    edges, room, visited = walk
    if len(visited) < len({a for a, _ in edges}):
        assert true_first_edges(edges, room, visited) == shortest_by_brute_force(edges, room, visited)


@given(walks())
@settings(max_examples=40, deadline=None)
def test_order_and_repetition_of_edges_do_not_matter(walk: tuple[Edges, str, set[str]]) -> None:
    edges, room, visited = walk
    turned = [*reversed(edges), *edges[:3]]
    for search in (best_first_edges, true_first_edges):
        assert search(edges, room, visited, known_only=True) == search(turned, room, visited, known_only=True)


def firsts(found: Iterable[tuple[str, str]]) -> str:
    return "".join(sorted(first for _, first in found))


def test_both_ways_are_good_where_both_are_as_long() -> None:
    assert firsts(best_first_edges(both_ways("x-a x-b"), "x", {"x"}, known_only=True)) == "ab"


def test_what_is_near_comes_first() -> None:
    # b waits beside x, f beyond the rooms a and c that were visited: there first would mean all the way back
    edges = both_ways("x-b x-a a-c c-f")
    assert firsts(best_first_edges(edges, "x", {"x", "a", "c"}, known_only=True)) == "b"
    assert firsts(true_first_edges(edges, "x", {"x", "a", "c"})) == "b"


def test_a_published_walk_does_not_turn_back_while_it_could_go_on() -> None:
    # f hangs on v, as the visited dead end w does; g is three rooms away on the other side. The shortest walk goes to f
    # first: x v f v x y z g. The published one, once back at v, must look into w before it may turn back
    edges = both_ways("x-v v-f v-w x-y y-z z-g")
    visited = set("xvwyz")
    assert firsts(true_first_edges(edges, "x", visited)) == "v"
    assert firsts(best_first_edges(edges, "x", visited, known_only=True)) == "y"


def test_connections_that_nobody_knows_count_only_where_they_are_asked_for() -> None:
    # f and g are connected, which nobody has seen yet: a walk from f to g is as short as can be, if it may be used
    edges = both_ways("c-f c-v v-u u-g f-g c-w w-h")
    visited = set("cvuw")
    assert firsts(best_first_edges(edges, "c", visited, known_only=True)) == "fw"
    assert firsts(best_first_edges(edges, "c", visited, known_only=False)) == "w"


@pytest.mark.parametrize(("rooms", "found"), [(100, {(0, 1)}), (101, set())])
def test_a_walk_has_a_hundred_rooms_at_most(rooms: int, found: set[tuple[int, int]]) -> None:
    there = [(room, room + 1) for room in range(rooms - 1)]
    edges = there + [(b, a) for a, b in there]
    assert best_first_edges(edges, 0, set(range(rooms - 1)), known_only=True) == found


def test_there_is_no_good_step_towards_what_cannot_be_reached() -> None:
    edges = both_ways("a-b b-c c-a x-y")
    assert best_first_edges(edges, "a", {"a", "b", "c", "x"}, known_only=True) == frozenset()
    assert true_first_edges(edges, "a", {"a", "b", "c", "x"}) == frozenset()


def test_where_nothing_is_left_the_published_search_takes_any_step_and_the_true_one_none() -> None:
    edges = both_ways("a-b b-c")
    assert firsts(best_first_edges(edges, "b", set("abc"), known_only=True)) == "ac"
    assert true_first_edges(edges, "b", set("abc")) == frozenset()


def test_the_frontier_is_what_visited_rooms_lead_to() -> None:
    assert frontier_of(both_ways("a-b b-c c-d"), {"a", "b"}) == {"c"}
