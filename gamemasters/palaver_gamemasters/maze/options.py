"""What the maze game can be set to (The Collaboration Gap, section 3 and appendix B)."""

from typing import Literal, Self

from pydantic import Field, PositiveInt, model_validator

from palaver_gamemasters.files import LocalPath
from palaver_gamemasters.game import Options
from palaver_protocols.errors import InstanceError, UsageError

__all__ = ["MazeOptions", "Order", "Setting", "usual_range"]

Setting = Literal["solo-full", "solo-distributed", "pair"]
Order = Literal["round-robin", "named"]
"""Who speaks next: the next seat, or whoever is named."""


class MazeOptions(Options):
    """What the maze game can be set to.

    Where ``min_path`` and ``max_path`` are left out they grow with the size, from the paper's 7 to 9 moves at 6x6: 1.4
    and 1.8 times (size - 1).
    """

    setting: Setting = Field(default="pair", description="who holds which part of the map")
    size: int = Field(default=6, ge=2, le=26, description="cells a side")
    density: float = Field(default=0.30, ge=0, le=1, description="share of walls, start and goal not counted")
    min_path: PositiveInt | None = Field(default=None, description="fewest moves from start to goal; grows with size")
    max_path: PositiveInt | None = Field(default=None, description="most moves from start to goal; grows with size")
    max_turns: PositiveInt = Field(default=50, description="messages before a dialogue is cut off")
    instances: LocalPath | None = Field(default=None, description="a JSON or JSONL file of mazes to play instead")
    agents: int = Field(default=2, ge=2, le=8, description="partial copies of the map, and how many talk")
    cover: int = Field(default=1, ge=1, description="in how many of the copies each cell is visible")
    order: Order = Field(default="round-robin", description="who speaks next: the next seat, or whoever is named")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        """Refuse at once what no maze can satisfy."""
        if self.cover > self.agents:
            raise UsageError(
                f"maze: cover {self.cover} is more than the {self.agents} agents",
                mend=f"each cell can be visible to {self.agents} of them at most",
            )
        shortest, longest = self.path_range
        name = f"a {self.size}x{self.size} maze"
        if shortest > longest:
            raise InstanceError(f"min_path {shortest} is more than max_path {longest}", mend="exchange them")
        if shortest > (limit := _longest_path(self.size)):
            raise InstanceError(
                f"{name} has no shortest path of {shortest} moves",
                mend=f"min_path can be {limit} at most, or take a larger size",
            )
        if shortest > self.free + 1:
            inner = self.size**2 - 2
            limit = (inner - shortest + 1) * 100 // inner
            raise InstanceError(
                f"{name} of density {self.density:g} has no room for a path of {shortest} moves",
                mend=f"density can be {limit / 100:g} at most, or take a smaller min_path",
            )
        return self

    @property
    def walls(self) -> int:
        """Number of walls: the density times the cells other than start and goal, rounded."""
        return round(self.density * (self.size**2 - 2))

    @property
    def free(self) -> int:
        """Number of path cells, start and goal not counted."""
        return self.size**2 - 2 - self.walls

    @property
    def path_range(self) -> tuple[int, int]:
        """Fewest and most moves from start to goal; a bound that is left out gives way to the one that is given."""
        least, most = usual_range(self.size)
        shortest = self.min_path or min(least, self.max_path or least)
        return shortest, self.max_path or max(most, shortest)


def usual_range(size: int) -> tuple[int, int]:
    """Return the path range of a size where none is given: 1.4 and 1.8 times (size - 1), rounded."""
    least, most = ((tenths * (size - 1) + 5) // 10 for tenths in (14, 18))
    return least, most


def _longest_path(size: int) -> int:
    """Return a bound on the shortest path of any maze: no maze has a longer one.

    A shortest path of k cells touches itself nowhere, so of its 4k sides 2(k - 1) face its own cells; at most 4 * size
    face the edge of the board and 4 * (size^2 - k) the other cells. Hence 6k <= 4 * size^2 + 4 * size - 2.
    """
    return (2 * size * size + 2 * size - 1) // 3 - 1
