"""Instances of textual MapWorld: clembench's fields, and the map that they describe."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from palaver_gamemasters.clembench.mapworld.forms import Pattern
from palaver_gamemasters.clembench.mapworld.game import Task
from palaver_gamemasters.clembench.mapworld.maps import SIDE, most_connections
from palaver_gamemasters.clembench.mapworld.search import Edge
from palaver_protocols.content import Frozen

from .literals import literal

__all__ = ["TextMap", "TextSetup", "shown"]


def shown(node: str) -> str:
    """Return what players see of a room's name: ``Kitchen`` of ``Kitchen_(1, 2)``."""
    return node.split("_", maxsplit=1)[0]


def _evaluated(given: object) -> object:
    return literal(given) if isinstance(given, str) else given


def _with_groups(least: int) -> AfterValidator:
    def check(pattern: re.Pattern[str]) -> re.Pattern[str]:
        if pattern.groups < least:
            raise ValueError(f"{pattern.pattern!r} has {pattern.groups} groups; {least} are needed")
        return pattern

    return AfterValidator(check)


Evaluated = BeforeValidator(_evaluated)
Ways = tuple[tuple[str, str], ...]


class _NodeMoves(Frozen):
    """Where one can go from a room. v1.6.5's instances repeat it once for each direction."""

    node: str
    node_moves: Ways


class TextSetup(Frozen):
    """An instance. Lists are Python literals in strings (section 8.1)."""

    prompt: str = Field(alias="Prompt")
    positive: str = Field(alias="Player2_positive_answer")
    negative: str = Field(alias="Player2_negative_answer")
    move: Annotated[Pattern, _with_groups(1)] = Field(alias="Move_Construction")
    stop: Pattern = Field(alias="Stop_Construction")
    response: Annotated[Pattern, _with_groups(1)] | None = Field(default=None, alias="Response_Construction")
    nodes: Annotated[tuple[str, ...], Evaluated] = Field(alias="Graph_Nodes", min_length=1, max_length=SIDE * SIDE)
    connections: Annotated[tuple[tuple[str, str], ...], Evaluated] = Field(
        alias="Graph_Edges", max_length=most_connections(SIDE * SIDE)
    )
    start: str = Field(alias="Current_Position")
    directions: Annotated[tuple[tuple[str, tuple[str, ...]], ...], Evaluated] = Field(alias="Directions")
    moves: Annotated[tuple[_NodeMoves, ...], Evaluated] = Field(alias="Moves")
    target: str | None = Field(default=None, alias="Specific_Room")
    distance: str | int | None = Field(default=None, alias="Specific_Room_Distance")
    loop_reminder: Literal[False] = Field(default=False, alias="Loop_Reminder")
    turns_reminder: Literal[False] = Field(default=False, alias="Max_Turns_Reminder")

    @model_validator(mode="after")
    def _makes_a_map(self) -> Self:
        nodes = set(self.nodes)
        if len(nodes) < len(self.nodes):
            raise ValueError("Graph_Nodes: a room is in it twice")
        _known(nodes, "Current_Position", self.start)
        for each in self.connections:
            _known(nodes, "Graph_Edges", *each)
        map_ = TextMap.of(self)
        edges = set(map_.edges)
        for node in self.nodes:
            if node not in map_.directions:
                raise ValueError(f"Directions: {node} is missing")
            for way in map_.directions[node]:
                to = map_.ways.get((node, way))
                if to is None:
                    raise ValueError(f"Moves: {way} of {node} is missing")
                if (node, to) not in edges:
                    raise ValueError(f"Moves: {way} of {node} leads to {to}, to which it has no edge in Graph_Edges")
        if apart := nodes - map_.reachable(self.start):
            raise ValueError(f"Graph_Edges: no way leads from {self.start} to {min(apart)}")
        if self.target is not None and self.target.lower() not in {node.lower() for node in nodes}:
            raise ValueError(f"Specific_Room: {self.target} is not in Graph_Nodes")
        return self

    @property
    def task(self) -> Task:
        """What the guesser is to do."""
        if self.response is not None:
            return "graphs"
        return "explore" if {self.target, self.distance} == {None} else "find"


def _known(nodes: set[str], field: str, *names: str) -> None:
    for name in names:
        if name not in nodes:
            raise ValueError(f"{field}: {name} is not in Graph_Nodes")


@dataclass(frozen=True)
class TextMap:
    """The map of an instance.

    ``nodes`` are in the instance's order (it matters for the distance to graphs with loops), ``edges`` go both ways,
    ``directions`` are those of each room in the order in which they are told, ``ways`` say where they lead.
    """

    nodes: tuple[str, ...]
    edges: tuple[Edge[str], ...]
    directions: Mapping[str, tuple[str, ...]]
    ways: Mapping[tuple[str, str], str]

    @classmethod
    def of(cls, setup: TextSetup) -> Self:
        """Read the map of an instance."""
        there = setup.connections
        back = tuple((b, a) for a, b in there)
        ways = {(each.node, way): to for each in setup.moves for way, to in each.node_moves}
        return cls(setup.nodes, back + there, dict(setup.directions), ways)

    def beside(self, node: str) -> frozenset[str]:
        """Return the rooms that are connected with a room."""
        return frozenset(b for a, b in self.edges if a == node)

    def reachable(self, start: str) -> frozenset[str]:
        """Return the rooms that one can come to."""
        found, ahead = {start}, [start]
        while ahead:
            new: Any = self.beside(ahead.pop()) - found
            found |= new
            ahead.extend(new)
        return frozenset(found)
