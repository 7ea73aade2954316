"""The map maker: connected maps with exactly the numbers that were asked for, or a clear refusal."""

from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.clembench.mapworld.maps import (
    SIDE,
    STEPS,
    MapGraph,
    Span,
    longest,
    make_map,
    most_connections,
    neighbour,
)
from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

KINDS = [f"kind {number}" for number in range(40)]
SEEDS = range(300)


def a_map(seed: object, rooms: int, connections: Span, **more: Any) -> MapGraph:
    return make_map(Dice("test", seed), rooms, connections, KINDS, **more)


def check(made: MapGraph, rooms: int, connections: Span) -> None:
    places = set(made.rooms)
    assert len(places) == len(made.rooms) == rooms
    assert all(0 <= x < SIDE and 0 <= y < SIDE for x, y in places)
    assert connections[0] <= len(made.connections) <= connections[1]
    assert len({frozenset(each) for each in made.connections}) == len(made.connections)
    assert all(b in [neighbour(a, way) for way in STEPS] for a, b in made.connections)
    assert {place for each in made.connections for place in each} == places
    assert all(made.distance(made.start, place) < rooms for place in places)
    assert set(made.categories) == places
    assert made.start in places


SHAPES = [(4, (3, 3)), (6, (5, 5)), (8, (7, 7)), (6, (6, 6)), (8, (8, 9)), (8, (10, 10)), (16, (15, 24)), (2, (1, 1))]


@pytest.mark.parametrize(("rooms", "connections"), SHAPES)
def test_maps_have_the_numbers_that_were_asked_for(rooms: int, connections: Span) -> None:
    for seed in SEEDS:
        check(a_map(seed, rooms, connections), rooms, connections)


def test_all_numbers_of_a_span_come_up() -> None:
    assert {len(a_map(seed, 8, (7, 10)).connections) for seed in SEEDS} == {7, 8, 9, 10}


@pytest.mark.parametrize("distance", [(0, 0), (1, 2), (3, 4), (7, 7)])
def test_targets_are_as_far_as_was_asked_for(distance: Span) -> None:
    found = set()
    for seed in SEEDS:
        made = a_map(seed, 8, (7, 7), distance=distance)
        assert made.target is not None
        found.add(made.distance(made.start, made.target))
    assert found == set(range(distance[0], distance[1] + 1))


def test_fewer_connections_are_made_where_a_far_target_wants_them() -> None:
    # with nine connections, eight rooms are never six moves apart
    found = [a_map(seed, 8, (7, 9), distance=(6, 6)) for seed in SEEDS]
    assert {len(each.connections) for each in found} == {7, 8}


@pytest.mark.parametrize("ambiguity", [0, 2, 3, 4, 7])
def test_so_many_rooms_share_their_category(ambiguity: int) -> None:
    for seed in SEEDS:
        made = a_map(seed, 8, (7, 7), ambiguity=ambiguity, distance=(1, 2))
        assert made.ambiguity == ambiguity
        assert list(made.categories.values()).count(made.categories[made.target or (0, 0)]) == 1


def test_no_target_was_asked_for_and_none_is_there() -> None:
    assert {a_map(seed, 4, (3, 3)).target for seed in SEEDS} == {None}


@pytest.mark.parametrize("distance", [None, (0, 0), (1, 2), (3, 4)])
def test_a_walk_begins_in_a_dead_end_where_that_is_asked_for(distance: Span | None) -> None:
    for seed in SEEDS:
        made = a_map(seed, 8, (7, 9), distance=distance, dead_end=True)
        check(made, 8, (7, 9))
        assert len(made.ways(made.start)) == 1


def test_a_map_without_a_dead_end_is_made_all_the_same() -> None:
    assert len(a_map(0, 4, (4, 4), distance=(2, 2), dead_end=True).connections) == 4


def test_the_same_dice_make_the_same_map() -> None:
    assert a_map(1, 8, (8, 9), distance=(3, 4)) == a_map(1, 8, (8, 9), distance=(3, 4))
    assert len({a_map(seed, 8, (8, 9)).connections for seed in SEEDS}) > 250


def test_all_is_told_of_both_sides() -> None:
    made = a_map(5, 8, (9, 9))
    assert len(made.edges) == 18
    assert {(b, a) for a, b in made.edges} == set(made.edges)
    assert {(a, b) for a in made.rooms for b in made.ways(a).values()} == set(made.edges)
    assert all(neighbour(room, way) == to for room in made.rooms for way, to in made.ways(room).items())


def test_a_map_with_as_many_connections_as_rooms_has_a_cycle() -> None:
    assert [a_map(1, 6, (links, links)).cycle for links in (5, 6, 7)] == [False, True, True]


def test_maps_as_large_and_as_far_as_can_be_are_made() -> None:
    for rooms in range(2, SIDE * SIDE + 1):
        for links in range(rooms - 1, most_connections(rooms) + 1):
            far = longest(rooms, links)
            made = a_map(0, rooms, (links, links), distance=(far, far))
            check(made, rooms, (links, links))
            assert made.target is not None
            assert made.distance(made.start, made.target) == far


def test_the_farthest_target_and_the_fullest_map_are_known_exactly() -> None:
    # the smallest maps, counted out: all sets of connections of a grid of three by two
    places = list(product(range(3), range(2)))
    pairs = [(a, b) for a in places for b in [(a[0] + 1, a[1]), (a[0], a[1] + 1)] if b in places]
    found: dict[tuple[int, int], int] = {}
    for chosen in product([False, True], repeat=len(pairs)):
        links = tuple(pair for pair, there in zip(pairs, chosen, strict=True) if there)
        rooms = tuple(sorted({place for pair in links for place in pair}))
        if not links:
            continue
        made = MapGraph(rooms, links, {}, rooms[0])
        try:
            far = max(made.distance(a, b) for a in rooms for b in rooms)
        except KeyError:  # not connected
            continue
        size = (len(rooms), len(links))
        found[size] = max(far, found.get(size, 0))
    assert {links for rooms, links in found if rooms == 6} == set(range(5, most_connections(6) + 1))
    assert {size: longest(*size) for size in found} == found


@pytest.mark.parametrize(
    ("rooms", "connections", "more", "said"),
    [
        (1, (0, 0), {}, "no map has 1 rooms (choose 2 to 16)"),
        (0, (0, 0), {}, "no map has 0 rooms"),
        (17, (16, 16), {}, "no map has 17 rooms"),
        (8, (6, 6), {}, "no map of 8 rooms has 6 connections (choose 7 to 10)"),
        (8, (7, 11), {}, "no map of 8 rooms has 7-11 connections (choose 7 to 10)"),
        (8, (9, 7), {}, "no map of 8 rooms has 9-7 connections"),
        (4, (3, 3), {"ambiguity": 1}, "not 1 can share their category with another (choose 0, or 2 to 4)"),
        (4, (3, 3), {"ambiguity": 5}, "not 5 can share"),
        (4, (3, 3), {"ambiguity": 4, "distance": (0, 0)}, "(choose 0, or 2 to 3)"),
        (8, (7, 7), {"distance": (9, 9)}, "no target is at distance 9 (choose 0 to 7)"),
        (8, (7, 7), {"distance": (2, 1)}, "no target is at distance 2-1"),
        (8, (7, 7), {"distance": (-1, 1)}, "no target is at distance"),
        (8, (10, 10), {"distance": (5, 5)}, "no target is at distance 5 (choose 0 to 4)"),
    ],
)
def test_what_cannot_be_is_refused(rooms: int, connections: Span, more: dict[str, Any], said: str) -> None:
    with pytest.raises(InstanceError) as caught:
        a_map(0, rooms, connections, **more)
    assert said in str(caught.value)


def test_too_few_categories_are_refused() -> None:
    with pytest.raises(InstanceError, match="the map needs 4 categories of rooms, and there are 3"):
        make_map(Dice(0), 4, (3, 3), ["a", "b", "c"])
    assert make_map(Dice(0), 4, (3, 3), ["a", "b", "c"], ambiguity=2).ambiguity == 2


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_whatever_is_asked_for_is_made_or_refused(data: st.DataObject) -> None:
    rooms = data.draw(st.integers(1, 17))
    links = st.integers(rooms - 2, most_connections(rooms) + 1)
    connections = data.draw(st.tuples(links, links).map(lambda pair: (min(pair), max(pair))))
    ambiguity = data.draw(st.integers(0, rooms))
    far = st.integers(0, rooms)
    distance = data.draw(st.none() | st.tuples(far, far).map(lambda pair: (min(pair), max(pair))))
    made = None
    with suppress(InstanceError):
        made = a_map(data.draw(st.integers(0, 99)), rooms, connections, ambiguity=ambiguity, distance=distance)
    possible = (
        2 <= rooms <= 16
        and rooms - 1 <= connections[0]
        and connections[1] <= most_connections(rooms)
        and ambiguity != 1
        and (distance is None or (ambiguity < rooms and distance[1] <= longest(rooms, connections[0])))
    )
    assert (made is not None) is possible
    if made is not None:
        check(made, rooms, connections)
        assert made.ambiguity == ambiguity
        assert (made.target is None) is (distance is None)
    if made is not None and distance is not None and made.target is not None:
        assert distance[0] <= made.distance(made.start, made.target) <= distance[1]
