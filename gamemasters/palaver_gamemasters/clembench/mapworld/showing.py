"""How a walk through a map stands, for those who watch: the rooms, the doors, the way so far, the room to be found."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from palaver_gamemasters import svg
from palaver_gamemasters.clembench import tiles
from palaver_gamemasters.showing import Move, Panel
from palaver_gamemasters.svg import Element

from .maps import STEPS, Connection, Place, neighbour

__all__ = ["Atlas", "Way", "laid_out", "panel", "steps"]

WIDE, HIGH, APART, EDGE, HEAD = 168.0, 112.0, 44.0, 34.0, 78.0
"""A room's size; what lies between rooms, around the map and above it."""
UNSEEN, SEEN, HERE, DOOR, TROD, TARGET = "#fbf9f4", "#dce8f7", "#2b5fb3", "#d3cbbb", "#2b5fb3", "#b46a00"
LETTERS = 15
"""Letters of a room's name in a line."""
KEYS: Mapping[str, tuple[str, ...]] = {
    "north": ("ArrowUp", "w"),
    "south": ("ArrowDown", "s"),
    "west": ("ArrowLeft", "a"),
    "east": ("ArrowRight", "d"),
}
ARROWS: Mapping[str, str] = {"north": "▲", "south": "▼", "west": "◀", "east": "▶"}


@dataclass(frozen=True)
class Atlas:
    """A map and a walk.

    ``rooms`` are their names by place, ``doors`` hold each connection once, ``way`` are the rooms that were walked to,
    one after the other, with the start as first and a room again where there was no door.
    """

    rooms: Mapping[Place, str]
    doors: frozenset[Connection]
    way: tuple[Place, ...]
    target: Place | None = None

    @property
    def here(self) -> Place:
        """The room that the walker is in."""
        return self.way[-1]

    @property
    def visited(self) -> tuple[Place, ...]:
        """The rooms that were entered, in that order."""
        return tuple(dict.fromkeys(self.way))

    @property
    def bumps(self) -> int:
        """How often there was no door."""
        return sum(old == new for old, new in pairwise(self.way))


@dataclass(frozen=True, slots=True)
class Way:
    """A direction in which a walker can go, or the end of its walk, with the whole answer that says so."""

    name: str
    says: str


def laid_out(start: str, ways: Mapping[tuple[str, str], str]) -> Mapping[str, Place] | None:
    """Find a place for each room of a map that tells only which room is in which direction of which.

    Args:
        start: the room to begin with.
        ways: the room beyond, by room and direction.

    Returns:
        The places, x growing eastwards, y northwards; None if the map has none, since its ways do not fit together.
    """
    found, ahead = {start: (0, 0)}, [start]
    while ahead:
        room = ahead.pop()
        for way in STEPS:
            beyond = ways.get((room, way))
            if beyond is None:
                continue
            place = neighbour(found[room], way)
            if beyond not in found:
                found[beyond] = place
                ahead.append(beyond)
            elif found[beyond] != place:
                return None
    return found if len(set(found.values())) == len(found) else None


def steps(ways: Iterable[Way], *, ends: bool) -> tuple[Move, ...]:
    """Return the buttons of a walker: the directions by the arrow keys, the end by no key that one could hit by chance.

    Args:
        ways: what can be said.
        ends: whether that is all there is to say; not where a graph has to be filled in.
    """
    return tuple(
        Move(way.says, f"{ARROWS[way.name]} {way.name}", "Go", KEYS[way.name], ends=ends)
        if way.name in STEPS
        else Move(way.says, "Done: stop here", "Stop", ends=ends)
        for way in ways
    )


def panel(atlas: Atlas, *, over: bool) -> Panel:
    """Draw a map with the walk so far."""
    lefts = [x for x, _ in atlas.rooms]
    tops = [y for _, y in atlas.rooms]
    columns, rows = 1 + max(lefts) - min(lefts), 1 + max(tops) - min(tops)
    width = 2 * EDGE + columns * WIDE + (columns - 1) * APART
    height = HEAD + EDGE + rows * HIGH + (rows - 1) * APART
    width, shift = max(width, 440.0), max(0.0, 440.0 - width) / 2

    def corner(place: Place) -> tuple[float, float]:
        across, down = place[0] - min(lefts), max(tops) - place[1]
        return EDGE + shift + across * (WIDE + APART), HEAD + down * (HIGH + APART)

    corners = {place: corner(place) for place in atlas.rooms}
    told = "\n".join(_told(atlas))
    drawing = svg.document(width, height, *_drawn(atlas, corners, width, height, over=over), title=told)
    title = f"The map: {len(atlas.visited)} of {len(atlas.rooms)} rooms"
    return Panel(title, told, svg=drawing, width=round(width), height=round(height))


def _told(atlas: Atlas) -> Iterator[str]:
    yield f"{_counted(atlas)}."
    for place, name in atlas.rooms.items():
        marks = ["start"] * (place == atlas.way[0]) + ["target"] * (place == atlas.target)
        marks += ["visited"] * (place in atlas.visited) + ["the walker is here"] * (place == atlas.here)
        doors = [way for way in STEPS if _door(place, neighbour(place, way)) & atlas.doors]
        yield f"{name} at {place[0]}, {place[1]} ({', '.join(marks) or 'not visited'}); doors: {', '.join(doors)}"


def _counted(atlas: Atlas) -> str:
    moves = len(atlas.way) - 1
    bumped = f", {atlas.bumps} against a wall" if atlas.bumps else ""
    return f"{len(atlas.visited)} of {len(atlas.rooms)} rooms, {moves} move{'s' * (moves != 1)}{bumped}"


def _door(one: Place, other: Place) -> frozenset[Connection]:
    return frozenset(((one, other), (other, one)))


def _drawn(
    atlas: Atlas, corners: Mapping[Place, tuple[float, float]], width: float, height: float, *, over: bool
) -> Iterator[Element]:
    middles = {place: (x + WIDE / 2, y + HIGH / 2) for place, (x, y) in corners.items()}
    yield svg.rectangle(1, 1, width - 2, height - 2, tiles.PAPER, radius=20, stroke=tiles.RIM, stroke_width=2)
    yield svg.words(EDGE, 50, _counted(atlas), 26, tiles.FAINT)
    for one, other in sorted(atlas.doors):
        yield svg.line(middles[one], middles[other], DOOR, 30, stroke_linecap="butt")
    yield from _trod(atlas, middles)
    for place, name in atlas.rooms.items():
        yield from _room(atlas, place, name, corners[place], over=over)


def _trod(atlas: Atlas, middles: Mapping[Place, tuple[float, float]]) -> Iterator[Element]:
    """Draw the moves, older ones fainter, and the latest with a head."""
    moves = [(old, new) for old, new in pairwise(atlas.way) if old != new]
    for age, (old, new) in enumerate(reversed(moves)):
        if (old, new) not in moves[len(moves) - age :] and (new, old) not in moves[len(moves) - age :]:
            yield svg.line(middles[old], middles[new], TROD, 9, stroke_opacity=max(0.35, 1 - 0.12 * age))
    if moves:
        (ax, ay), (bx, by) = middles[moves[-1][0]], middles[moves[-1][1]]
        along, across = ((bx > ax) - (bx < ax), (by > ay) - (by < ay))
        x, y = (ax + bx) / 2 + 10 * along, (ay + by) / 2 + 10 * across
        sides = [(x - 18 * along - 15 * across * side, y - 18 * across - 15 * along * side) for side in (1, -1)]
        yield svg.path([(x + 6 * along, y + 6 * across), *sides], closed=True, fill=TROD)


def _room(atlas: Atlas, place: Place, name: str, corner: tuple[float, float], *, over: bool) -> Iterator[Element]:
    x, y = corner
    here, seen, sought = place == atlas.here, place in atlas.visited, place == atlas.target
    fill = HERE if here else SEEN if seen else UNSEEN
    ink = "#ffffff" if here else tiles.INK if seen else tiles.FAINT
    dashes = None if seen else "9 8"
    rim = HERE if seen else tiles.FAINT
    yield svg.rectangle(x, y, WIDE, HIGH, fill, radius=16, stroke=rim, stroke_width=3, stroke_dasharray=dashes)
    if sought:
        yield svg.rectangle(x - 8, y - 8, WIDE + 16, HIGH + 16, "none", radius=22, stroke=TARGET, stroke_width=7)
    lines = _lines(name)
    for number, line in enumerate(lines):
        yield svg.centred(x + WIDE / 2, y + HIGH / 2 + 25 * (number - (len(lines) - 1) / 2), line, 21, ink,
                          font_weight="600" if here else "400")  # fmt: skip
    if seen:
        entered = str(atlas.visited.index(place) + 1)
        yield svg.element("circle", cx=x + 4, cy=y + 4, r=19, fill=tiles.INK, stroke=tiles.PAPER, stroke_width=3)
        yield svg.centred(x + 4, y + 4, entered, 21, "#ffffff", font_weight="600")
    if sought:
        yield tiles.pill((x + WIDE - 40, y - 6), "target", TARGET, 20)
    if here:
        yield tiles.pill((x + WIDE / 2, y + HIGH), "stopped here" if over else "walker", tiles.INK, 20)
    elif place == atlas.way[0]:
        yield svg.centred(x + WIDE / 2, y + HIGH - 16, "start", 18, ink)


def _lines(name: str) -> list[str]:
    return textwrap.wrap(name, LETTERS, max_lines=3, placeholder="…") or [""]
