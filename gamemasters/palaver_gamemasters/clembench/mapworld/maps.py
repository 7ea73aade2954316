"""Maps of rooms: where the rooms lie on a grid of 4 by 4, which are connected, what they are, where a walk begins.

A map is made from the inside out: first the way from the start to the target, if there is one, then room after room
beside it, then connections that close cycles but shorten nothing. Neighbouring rooms need not be connected. At last
rooms and connections are shuffled: the order in which players hear of them must not tell where the way leads.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

__all__ = [
    "SIDE",
    "STEPS",
    "Connection",
    "MapGraph",
    "Place",
    "Span",
    "longest",
    "make_map",
    "most_connections",
    "neighbour",
]

SIDE = 4
"""Rooms lie on a grid of so many places by so many."""

Place = tuple[int, int]
"""Where a room lies: ``(x, y)``, from 0; x grows eastwards, y northwards."""

Connection = tuple[Place, Place]
Span = tuple[int, int]
"""The least and the greatest number that will do."""

STEPS: Mapping[str, Place] = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
"""The directions, and where they lead."""

TIGHT = {(15, 7), (16, 7), (16, 8)}
TRIES = 5000
TRIES_FOR_A_DEAD_END = 300


@dataclass(frozen=True)
class MapGraph:
    """A map.

    ``rooms`` and ``connections`` are in random order; connections hold each pair once, in either direction.
    ``categories`` say what each room is (``ambiguity`` of them share theirs with another). ``target`` is None where
    there is nothing to find.
    """

    rooms: tuple[Place, ...]
    connections: tuple[Connection, ...]
    categories: Mapping[Place, str]
    start: Place
    target: Place | None = None

    @property
    def edges(self) -> tuple[Connection, ...]:
        """Both directions of every connection, room by room."""
        linked = _linked(self.connections)
        return tuple((room, other) for room in self.rooms for other in linked.get(room, ()))

    @property
    def cycle(self) -> bool:
        """Whether one can walk in a circle."""
        return len(self.connections) >= len(self.rooms)

    @property
    def ambiguity(self) -> int:
        """How many rooms share their category with another."""
        of = list(self.categories.values())
        return sum(of.count(category) > 1 for category in of)

    def ways(self, room: Place) -> Mapping[str, Place]:
        """Return where one can go from a room, by direction."""
        linked = _linked(self.connections).get(room, ())
        return {way: to for way in STEPS if (to := neighbour(room, way)) in linked}

    def distance(self, one: Place, other: Place) -> int:
        """Return the number of moves between two rooms, at best."""
        return _distances(self.connections, one)[other]


def neighbour(place: Place, direction: str) -> Place:
    """Return the place next to another."""
    dx, dy = STEPS[direction]
    return place[0] + dx, place[1] + dy


def most_connections(rooms: int) -> int:
    """Return how many connections so many rooms can have on a grid, at most (packed as a square)."""
    return 2 * rooms - math.ceil(2 * math.sqrt(rooms))


def longest(rooms: int, connections: int) -> int:
    """Return how far a target can be from the start, at most, in moves.

    Without a cycle all rooms can lie in a row; each cycle takes a room out of it, and the last ones of a full grid take
    two. (Found by counting through all maps.)
    """
    cycles = connections - rooms + 1
    return rooms - 1 - cycles - ((rooms, cycles) in TIGHT)


def make_map(
    dice: Dice,
    rooms: int,
    connections: Span,
    categories: Sequence[str],
    *,
    ambiguity: int = 0,
    distance: Span | None = None,
    dead_end: bool = False,
) -> MapGraph:
    """Make a map.

    Args:
        dice: what chance is made of.
        rooms: how many.
        connections: how many, at least and at most; as many as there are rooms make a cycle.
        categories: what rooms can be.
        ambiguity: how many rooms share their category with another; a target never does.
        distance: of the target from the start, in moves, at least and at most; None for no target.
        dead_end: whether the walk begins in a room with one door. (In a map that has hardly such a room it may not.)

    Raises:
        InstanceError: there is no such map; says why.
    """
    _check(rooms, connections, len(categories), ambiguity, distance)
    far = None if distance is None else _roll(dice, distance)
    enough = [links for links in range(connections[0], connections[1] + 1) if (far or 0) <= longest(rooms, links)]
    links = dice.pick(enough)
    for attempt in range(TRIES):
        laid = _laid(dice, rooms, far or 0, packed=attempt % 2 == 1)
        closed = laid and _closed(dice, *laid, links, far or 0)
        if laid and closed:
            places, _ = laid
            start = places[0] if far is not None else dice.pick(places)
            if dead_end and attempt < TRIES_FOR_A_DEAD_END and len(_linked(closed)[start]) > 1:
                continue
            target = None if far is None else places[far]
            shuffled = tuple(dice.sample(places, rooms))
            kinds = _furnished(dice, shuffled, categories, ambiguity, target)
            return MapGraph(shuffled, _shuffled(dice, closed), kinds, start, target)
    raise InstanceError(
        f"found no map of {rooms} rooms with {links} connections" + (f" and distance {far}" if far is not None else ""),
        mend="ask for fewer connections or a shorter distance",
    )


def _check(rooms: int, connections: Span, categories: int, ambiguity: int, distance: Span | None) -> None:
    least, most = rooms - 1, most_connections(max(rooms, 1))
    if not 2 <= rooms <= SIDE * SIDE:
        raise InstanceError(f"no map has {rooms} rooms", mend=f"choose 2 to {SIDE * SIDE}")
    if not least <= connections[0] <= connections[1] <= most:
        raise InstanceError(
            f"no map of {rooms} rooms has {_span(connections)} connections", mend=f"choose {least} to {most}"
        )
    alone = 0 if distance is None else 1
    if ambiguity == 1 or not 0 <= ambiguity <= rooms - alone:
        why = " (a target is the only room of its category)" if alone else ""
        raise InstanceError(
            f"in a map of {rooms} rooms, not {ambiguity} can share their category with another{why}",
            mend=f"choose 0, or 2 to {rooms - alone}",
        )
    if (needed := rooms - ambiguity + ambiguity // 2) > categories:
        raise InstanceError(f"the map needs {needed} categories of rooms, and there are {categories}")
    if distance is None:
        return
    far = longest(rooms, connections[0])
    if not 0 <= distance[0] <= distance[1] <= far:
        raise InstanceError(
            f"in a map of {rooms} rooms with {_span(connections)} connections, no target is at distance "
            f"{_span(distance)}",
            mend=f"choose 0 to {far}",
        )


def _roll(dice: Dice, span: Span) -> int:
    return span[0] + dice.below(span[1] - span[0] + 1)


def _span(span: Span) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]}-{span[1]}"


def _inside(place: Place) -> bool:
    return 0 <= place[0] < SIDE and 0 <= place[1] < SIDE


def _beside(place: Place) -> list[Place]:
    return [to for way in STEPS if _inside(to := neighbour(place, way))]


def _laid(dice: Dice, rooms: int, far: int, *, packed: bool) -> tuple[list[Place], list[Connection]] | None:
    """Lay out rooms: a path of ``far`` moves, then the others beside it, each connected to one that was there.

    Returns:
        Rooms, and the connections of a tree; None where the path has led into a corner.
    """
    places = [(dice.below(SIDE), dice.below(SIDE))]
    tree: list[Connection] = []
    for _ in range(far):
        free = [to for to in _beside(places[-1]) if to not in places]
        if not free:
            return None
        tree.append((places[-1], dice.pick(free)))
        places.append(tree[-1][1])
    while len(places) < rooms:
        # most rooms can grow at several places: each side of each room is a chance of its own, as in a random tree
        chances = [(room, to) for room in places for to in _beside(room) if to not in places]
        if packed:
            crowd = {to: sum(near in places for near in _beside(to)) for _, to in chances}
            chances = [(room, to) for room, to in chances if crowd[to] == max(crowd.values())]
        tree.append(dice.pick(chances))
        places.append(tree[-1][1])
    return places, tree


def _closed(
    dice: Dice, places: Sequence[Place], tree: Sequence[Connection], links: int, far: int
) -> list[Connection] | None:
    """Add connections until there are ``links``; the room at the path's end stays ``far`` moves away.

    Returns:
        All of them; None if there is no room for so many.
    """
    known = {frozenset(each) for each in tree}
    spare = [(a, b) for a in places for b in _beside(a) if b in places and a < b and frozenset((a, b)) not in known]
    dice.shuffle(spare)
    made = list(tree)
    for each in spare:
        if len(made) < links and _distances([*made, each], places[0])[places[far]] == far:
            made.append(each)
    return None if len(made) < links else made


def _shuffled(dice: Dice, connections: Sequence[Connection]) -> tuple[Connection, ...]:
    """Put connections in random order, and each in a random direction: both decide which doors are told first."""
    return tuple(dice.pick(((a, b), (b, a))) for a, b in dice.sample(connections, len(connections)))


def _furnished(
    dice: Dice, places: Sequence[Place], categories: Sequence[str], ambiguity: int, target: Place | None
) -> Mapping[Place, str]:
    """Say what each room is: so many share theirs in pairs, the last of an odd number as a third."""
    shared = dice.sample([place for place in places if place != target], ambiguity)
    kinds = iter(dice.sample(categories, len(places)))
    found: dict[Place, str] = {}
    for at in range(0, ambiguity - 1, 2):
        kind = next(kinds)
        found.update(dict.fromkeys(shared[at : at + (3 if at + 3 == ambiguity else 2)], kind))
    return {place: found[place] if place in found else next(kinds) for place in places}


def _linked(connections: Sequence[Connection]) -> Mapping[Place, list[Place]]:
    linked: dict[Place, list[Place]] = {}
    for one, other in connections:
        linked.setdefault(one, []).append(other)
        linked.setdefault(other, []).append(one)
    return linked


def _distances(connections: Sequence[Connection], start: Place) -> Mapping[Place, int]:
    """Return how far all rooms are from one, in moves."""
    return dict(_waves(_linked(connections), start))


def _waves(linked: Mapping[Place, Sequence[Place]], start: Place) -> Iterator[tuple[Place, int]]:
    seen, wave, far = {start}, [start], 0
    while wave:
        yield from ((place, far) for place in wave)
        ahead = dict.fromkeys(to for place in wave for to in linked.get(place, ()) if to not in seen)
        seen.update(ahead)
        wave, far = list(ahead), far + 1
