"""Textual MapWorld in which one room is to be found (``textmapworld_specificroom``)."""

from collections.abc import Mapping
from typing import ClassVar

from palaver_gamemasters.clembench.mapworld.game import DISTANCES
from palaver_gamemasters.clembench.mapworld.maps import Span
from palaver_gamemasters.clembench.mapworld.walk import Walked
from palaver_protocols.errors import InstanceError

from .game import TextMapWorld, TextState
from .setup import TextSetup

__all__ = ["TextMapWorldRoom"]


class TextMapWorldRoom(TextMapWorld):
    """One room is to be found."""

    name = "textmapworld_specificroom"
    summary = "a walker looks for one room in a map of named rooms (clembench)"
    sizes: ClassVar[Mapping[str, tuple[int, Span]]] = dict.fromkeys(DISTANCES, (8, (7, 7)))
    distances: ClassVar[Mapping[str, Span]] = DISTANCES
    task = "find"
    # section 8.3: this game's scorer forgets the rooms that it has called a loop, the others' scorers do not
    forgetful = True

    def check(self, setup: TextSetup) -> None:
        """Ask for a target."""
        if setup.target is None:
            raise InstanceError(f"{self.name} instance: Specific_Room is missing")

    def solved(self, now: TextState, walk: Walked[str]) -> bool:
        """Whether the guesser has stopped at the target."""
        return now.setup.target is not None and walk.last.lower() == now.setup.target.lower()

    def quality(self, now: TextState, walk: Walked[str]) -> float:
        """Return 100 or 0."""
        return 100.0 * self.solved(now, walk)

    def more(self, now: TextState, walk: Walked[str]) -> dict[str, float]:
        """Return what was the main score once: how well the map was explored."""
        return {"old_benchscore": walk.quality}
