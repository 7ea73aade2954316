"""What all games of MapWorld have in common: experiments, maps of our own, and how far a walker has come."""

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.messages import Player

from .maps import MapGraph, Span, make_map
from .options import MapWorldOptions
from .walkers import PLAYERS

__all__ = ["DISTANCES", "SIZES", "TREES", "TURNS", "MapWorldGame", "Task", "Walking"]

TURNS = 20
"""Turns of an episode at most. The walker is not told."""

SIZES: Mapping[str, tuple[int, Span]] = {
    "small": (4, (3, 3)),
    "medium": (6, (5, 5)),
    "large": (8, (7, 7)),
    "medium_cycle": (6, (6, 6)),
    "large_cycle": (8, (8, 9)),
}
"""Rooms and connections of the experiments (section 5.1)."""

TREES: Mapping[str, tuple[int, Span]] = {name: SIZES[name] for name in ("small", "medium", "large")}
"""Those in which one cannot walk in a circle: all that the games have in which the map is to be drawn."""

DISTANCES: Mapping[str, Span] = {"on": (0, 0), "close": (1, 2), "far": (3, 4)}
"""Moves from the start to the target, where there is one."""

Task = Literal["explore", "graphs", "find"]
"""What a walker is to do: visit all rooms, draw the map as well, or find one room."""


class _Map(Protocol):
    @property
    def start(self) -> Hashable: ...
    @property
    def nodes(self) -> Sequence[Hashable]: ...


class Walking(Protocol):
    """What the state of any of these games holds: the map, and the moves that were logged."""

    @property
    def setup(self) -> _Map:
        """The instance."""

    @property
    def moves(self) -> Sequence[tuple[Any, Hashable]]:
        """From where to where."""


T = TypeVar("T", bound=Walking)


class MapWorldGame(ClemGame[T, MapWorldOptions]):
    """A walker in a map.

    ``games`` name the sister games by their tasks, of which ``task`` is this one's. ``dead_end`` says whether walks
    begin in a room with one door.
    """

    sizes: ClassVar[Mapping[str, tuple[int, Span]]] = SIZES
    distances: ClassVar[Mapping[str, Span]] = {}
    games: ClassVar[Mapping[Task, str]]
    task: ClassVar[Task] = "explore"
    dead_end: ClassVar[bool] = False

    def turn_limit(self, options: MapWorldOptions) -> int:
        """Return the number of answers at most."""
        return TURNS

    def experiments(self, options: MapWorldOptions) -> tuple[str, ...]:
        """Name the experiments: how large the map is, or how far the target."""
        return tuple(self.sizes)

    def make(self, experiment: str, dice: Dice, options: MapWorldOptions) -> ClemInstance:
        """Make a map.

        Raises:
            UsageError: a distance is asked for where there is no target.
            InstanceError: there is no such map.
        """
        distance = self.distances.get(experiment)
        if options.distance is not None:
            if distance is None:
                raise UsageError(f"{self.name} has no target; leave the option distance out")
            distance = options.distance
        rooms, connections = options.shape(*self.sizes[experiment])
        ambiguity = self.ambiguity(dice, rooms) if options.ambiguity is None else options.ambiguity
        made = make_map(
            dice,
            rooms,
            connections,
            self.categories(),
            ambiguity=ambiguity,
            distance=distance,
            dead_end=self.dead_end,
        )
        return self.written(experiment, dice, made)

    def ambiguity(self, dice: Dice, rooms: int) -> int:
        """Return how many rooms share their category with another, where nobody says: none."""
        return 0

    @abstractmethod
    def categories(self) -> Sequence[str]:
        """Return what rooms of our own maps can be."""

    @abstractmethod
    def written(self, experiment: str, dice: Dice, made: MapGraph) -> ClemInstance:
        """Write a map down as an instance."""

    def players(self) -> Mapping[str, Player]:
        """Return the walkers that need no model."""
        return PLAYERS

    def progress(self, state: Play[T]) -> float:
        """Return the share of rooms visited."""
        setup = state.now.setup
        return len({setup.start, *(new for _, new in state.now.moves)}) / len(setup.nodes)

    def refuse_sisters(self, task: Task) -> None:
        """Refuse an instance of a sister game, which would be played by other rules than its own.

        Raises:
            InstanceError: the instance sets another task than this game's.
        """
        if task != self.task:
            sister = self.games[task]
            raise InstanceError(f"this is an instance of {sister}, not of {self.name}", mend=f"play {sister} with it")
