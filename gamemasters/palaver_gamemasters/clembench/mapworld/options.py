"""What MapWorld can be set to. Numbers that are not given are those of the experiment."""

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from palaver_gamemasters.clembench.options import ClemOptions, PicturedOptions

from .maps import SIDE, Span, most_connections

__all__ = ["MapWorldOptions", "NumberOrSpan", "PicturedMapWorldOptions"]


def _number_or_span(given: object) -> object:
    """Read ``2`` or ``1-2``."""
    if isinstance(given, bool):
        raise ValueError("give a number such as 2, or two such as 1-2")
    if isinstance(given, int):
        return given, given
    if isinstance(given, str):
        found = re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", given, re.ASCII)
        if found is None:
            raise ValueError("give a number such as 2, or two such as 1-2")
        return int(found[1]), int(found[2] or found[1])
    return given


def _rising(span: Span) -> Span:
    if span[0] > span[1]:
        raise ValueError(f"{span[0]}-{span[1]} goes down; give the smaller number first")
    return span


NumberOrSpan = Annotated[
    Span, AfterValidator(_rising), BeforeValidator(_number_or_span), WithJsonSchema({"type": "string"})
]
"""A number, or the least and the greatest: ``2``, ``1-2``."""


class MapWorldOptions(ClemOptions):
    """What MapWorld can be set to (own instances)."""

    rooms: int | None = Field(default=None, ge=2, le=SIDE * SIDE, description="rooms of a map; else the experiment's")
    connections: NumberOrSpan | None = Field(default=None, description="connections of a map: 8, or 8-9")
    cycle: bool | None = Field(default=None, description="whether one can walk in a circle, instead of connections")
    ambiguity: int | None = Field(
        default=None, ge=0, le=SIDE * SIDE, description="rooms that share their name or category with another"
    )
    distance: NumberOrSpan | None = Field(
        default=None, description="moves from the start to the target: 2, or 1-2 (where there is a target)"
    )

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> "MapWorldOptions":
        if self.connections is not None and self.cycle is not None:
            raise ValueError("give connections or cycle, not both")
        return self

    def shape(self, rooms: int, connections: Span) -> tuple[int, Span]:
        """Return how many rooms and connections a map has: an experiment's own numbers, where nobody says otherwise.

        Other rooms than the experiment's keep its cycles: as many connections more or less as there are rooms.
        """
        if self.connections is not None:
            return self.rooms or rooms, self.connections
        low, high = (each - rooms for each in connections)
        if self.cycle is not None:
            low, high = ((0, 1) if low < 0 else (low, high)) if self.cycle else (-1, -1)
        wanted = self.rooms or rooms
        low, high = wanted + low, wanted + high
        # a cycle more than there is room for is left out; that there is none at all is for the map maker to refuse
        return wanted, (low, max(low, min(high, most_connections(wanted))))


class PicturedMapWorldOptions(PicturedOptions, MapWorldOptions):
    """What MapWorld with pictures can be set to."""
