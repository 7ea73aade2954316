"""MapWorld with pictures in which one room is to be found (``mm_mapworld_specificroom``)."""

from collections.abc import Mapping
from typing import ClassVar

from palaver_gamemasters.clembench.mapworld.game import DISTANCES
from palaver_gamemasters.clembench.mapworld.maps import Place, Span
from palaver_gamemasters.clembench.mapworld.walk import Walked
from palaver_gamemasters.clembench.play import Play
from palaver_protocols.errors import InstanceError

from .game import MultimodalMapWorld, MultimodalState
from .setup import MultimodalSetup

__all__ = ["MultimodalRoom"]


class MultimodalRoom(MultimodalMapWorld):
    """One room is to be found."""

    name = "mm_mapworld_specificroom"
    summary = "a walker looks for one room in a map of pictured rooms (clembench)"
    sizes: ClassVar[Mapping[str, tuple[int, Span]]] = dict.fromkeys(DISTANCES, (8, (7, 9)))
    distances: ClassVar[Mapping[str, Span]] = DISTANCES
    task = "find"
    # as in all published instances of this game; in those of the others, walks begin anywhere
    dead_end = True

    def check(self, setup: MultimodalSetup) -> None:
        """Ask for a target."""
        for field in ("target", "target_cat", "dist"):
            if getattr(setup, field) is None:
                raise InstanceError(f"{self.name} instance: {field} is missing")

    def solved(self, play: Play[MultimodalState], walk: Walked[Place]) -> bool:
        """Whether the walker has stopped in the target."""
        return play.now.room == play.now.setup.target

    def efficient(self, play: Play[MultimodalState], walk: Walked[Place]) -> float:
        """Return how long the way was, set beside the shortest one (section 7); moves against a wall count as well."""
        return 100 / max(1, 1 + len(play.now.moves) - (play.now.setup.dist or 0))

    def reached(self, play: Play[MultimodalState], walk: Walked[Place]) -> dict[str, float]:
        """Return whether the room was found."""
        return {"finding": 100.0 * self.solved(play, walk)}

    def quality(self, play: Play[MultimodalState], walk: Walked[Place]) -> float:
        """Return 100 or 0."""
        return 100.0 * self.solved(play, walk)
