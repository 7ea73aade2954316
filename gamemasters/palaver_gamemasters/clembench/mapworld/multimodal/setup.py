"""Instances of MapWorld with pictures: clembench's fields (section 5.1), and the map that they describe."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from palaver_gamemasters.clembench.mapworld.forms import Pattern
from palaver_gamemasters.clembench.mapworld.game import Task
from palaver_gamemasters.clembench.mapworld.maps import SIDE, STEPS, Connection, Place, most_connections, neighbour
from palaver_protocols.content import Frozen

__all__ = ["MultimodalSetup"]

GROUPS = 3
"""Groups of a form of answers that hold a graph; the others have two."""

_PLACE = r"\(\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})\s*\)"


def _place(given: object) -> object:
    """Read ``(x, y)``."""
    if not isinstance(given, str):
        return given
    found = re.fullmatch(_PLACE, given.strip(), re.ASCII)
    if found is None:
        raise ValueError(f'{given!r} is no place such as "(1, 2)"')
    return int(found[1]), int(found[2])


def _edge(given: object) -> object:
    """Read ``((x1, y1), (x2, y2))``."""
    if not isinstance(given, str):
        return given
    found = re.fullmatch(rf"\(\s*{_PLACE}\s*,\s*{_PLACE}\s*\)", given.strip(), re.ASCII)
    if found is None:
        raise ValueError(f'{given!r} is no edge such as "((1, 2), (1, 3))"')
    return (int(found[1]), int(found[2])), (int(found[3]), int(found[4]))


PlaceField = Annotated[Place, BeforeValidator(_place)]
EdgeField = Annotated[Connection, BeforeValidator(_edge)]


class MultimodalSetup(Frozen):
    """An instance. ``edges`` hold both directions of every connection; ``imgs`` are the names of pictures, by room."""

    nodes: tuple[PlaceField, ...] = Field(min_length=1, max_length=SIDE * SIDE)
    edges: tuple[EdgeField, ...] = Field(max_length=2 * most_connections(SIDE * SIDE))
    imgs: Mapping[PlaceField, str]
    start: PlaceField
    initial_prompt: str
    success_response: str
    invalid_response: str
    response_regex: Pattern
    done_regex: Pattern
    move_regex: Pattern
    use_images: bool = True
    reprompt: Literal[False] = False
    target: PlaceField | None = None
    target_cat: str | None = None
    dist: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _makes_a_map(self) -> Self:
        nodes = set(self.nodes)
        if len(nodes) < len(self.nodes):
            raise ValueError("nodes: a room is in it twice")
        for room in nodes:
            if room not in self.imgs:
                raise ValueError(f"imgs: {room} is missing")
        for name, place in (("start", self.start), ("target", self.target)):
            if place is not None and place not in nodes:
                raise ValueError(f"{name}: {place} is not in nodes")
        edges = set(self.edges)
        for a, b in self.edges:
            if a not in nodes or b not in nodes:
                raise ValueError(f"edges: {a if a not in nodes else b} is not in nodes")
            if (b, a) not in edges:
                raise ValueError(f"edges: there is no way back from {b} to {a}")
            if b not in (neighbour(a, way) for way in STEPS):
                raise ValueError(f"edges: {b} is not next to {a}")
        if apart := nodes - self._reachable():
            raise ValueError(f"edges: no way leads from {self.start} to {min(apart)}")
        if self.move_regex.groups < 1:
            raise ValueError("move_regex: it has no group for the direction")
        return self

    @property
    def task(self) -> Task:
        """What the walker is to do."""
        if self.response_regex.groups >= GROUPS:
            return "graphs"
        return "explore" if {self.target, self.target_cat, self.dist} == {None} else "find"

    def beside(self, room: Place) -> tuple[Place, ...]:
        """Return the rooms that one can go to from a room, in the order of ``edges``."""
        return tuple(b for a, b in self.edges if a == room)

    def ways(self, room: Place) -> tuple[str, ...]:
        """Return the directions in which one can go from a room, in the order of ``edges``."""
        return tuple(way for b in self.beside(room) for way in STEPS if neighbour(room, way) == b)

    def _reachable(self) -> set[Place]:
        found, ahead = {self.start}, [self.start]
        while ahead:
            new = set(self.beside(ahead.pop())) - found
            found |= new
            ahead.extend(new)
        return found
