"""What the two places of a pairing are called: who starts and who follows, or the seats' own names. Pure functions."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from .study import Cell

__all__ = ["TURNS", "Places", "places_of"]

NUMBER = re.compile(r"[_ ]?\d+$")


class Places(NamedTuple):
    """The places of two agents: ``first`` and ``second`` head their columns, ``by`` comes before them in a sentence."""

    first: str
    second: str
    by: str

    def starting(self, agent: str) -> str:
        """Say that an agent has the first place."""
        return f"{agent} {self.by}{self.first}"

    def pair(self, first: str, second: str) -> str:
        """Say which agent has which place."""
        return f"{self.starting(first)}, {second} {self.by}{self.second}"


TURNS = Places("starts", "follows", "")
"""Where both seats are alike, and only the order tells them apart."""


def places_of(cells: Iterable[Cell]) -> Places:
    """Name the places of runs for two: by their seats, unless these are but numbered."""
    for cell in cells:
        for record in cell.records[:1]:
            seats = [seat.replace("_", " ") for seat in record.seats]
            if len(seats) == 2 and NUMBER.sub("", seats[0]) != NUMBER.sub("", seats[1]):
                return Places(seats[0], seats[1], "as ")
    return TURNS
