"""The order in which our maps are written down, and their doors told, says nothing of where to go."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from statistics import mean, stdev
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld import MULTIMODAL_ROOM, TEXT_ROOM
from palaver_gamemasters.clembench.mapworld.game import MapWorldGame

MAPS = 300
Order = Sequence[Any]

GAMES = pytest.mark.parametrize("game", [MULTIMODAL_ROOM, TEXT_ROOM], ids=lambda game: game.name)
DISTANCES = pytest.mark.parametrize("experiment", ["close", "far"])


@dataclass(frozen=True)
class Written:
    """A map as an instance tells it: the rooms behind the doors of each, and all lists in their order."""

    start: Any
    target: Any
    doors: Mapping[Any, Order]
    rooms: tuple[Order, ...]
    connections: tuple[Order, ...]

    def distance(self, room: Any) -> int:
        """Moves to the target."""
        wave, far = {self.target}, 0
        while room not in wave:
            wave, far = wave | {b for a in wave for b in self.doors[a]}, far + 1
        return far


def read(field: object) -> Any:
    return ast.literal_eval(str(field))


def pictured(fields: Any) -> Written:
    edges = [read(edge) for edge in fields["edges"]]
    rooms = [read(room) for room in fields["nodes"]]
    doors = {room: [b for a, b in edges if a == room] for room in rooms}
    listed = [[read(room) for room in fields[name]] for name in ("imgs", "cats")]
    return Written(read(fields["start"]), read(fields["target"]), doors, (rooms, *listed), (edges,))


def textual(fields: Any) -> Written:
    lists = {name: read(fields[name]) for name in ("Graph_Nodes", "Graph_Edges", "Directions", "Moves", "Mapping")}
    moves = {each["node"]: dict(each["node_moves"]) for each in lists["Moves"]}
    doors = {room: [moves[room][way] for way in ways] for room, ways in lists["Directions"]}
    rooms = (lists["Graph_Nodes"], list(doors), list(moves), list(lists["Mapping"].values()))
    return Written(fields["Current_Position"], fields["Specific_Room"], doors, rooms, (lists["Graph_Edges"],))


@cache
def written(game: MapWorldGame[Any], experiment: str) -> list[Written]:
    made = islice(game.instances(game.configure({"experiment": experiment}), 11), MAPS)
    instances: list[Any] = [each.data for each in made]
    return [(pictured if game is MULTIMODAL_ROOM else textual)(each["instance"]) for each in instances]


def by_chance(found: Sequence[float], expected: float = 0.0) -> bool:
    """Whether the mean is within three standard errors of what is expected."""
    return bool(abs(mean(found) - expected) <= 3 * stdev(found) / len(found) ** 0.5)


def luck(made: Written, which: int) -> float:
    """How many more steps than by chance bring one nearer who takes the first (0) or the last (-1) new door."""
    here, seen, more = made.start, {made.start}, 0.0
    while here != made.target:
        new = [room for room in made.doors[here] if room not in seen]
        if not new:
            break
        nearer = [made.distance(room) < made.distance(here) for room in new]
        more += nearer[which] - mean(nearer)
        here = new[which]
        seen.add(here)
    return more


@GAMES
@DISTANCES
@pytest.mark.parametrize("which", [0, -1], ids=["first", "last"])
def test_a_new_door_is_right_no_more_often_than_by_chance(game: Any, experiment: str, which: int) -> None:
    assert by_chance([luck(made, which) for made in written(game, experiment)])


@GAMES
@DISTANCES
@pytest.mark.parametrize("end", ["start", "target"])
def test_start_and_target_stand_anywhere_in_all_lists_of_rooms(game: Any, experiment: str, end: str) -> None:
    maps = written(game, experiment)
    for at in range(len(maps[0].rooms)):
        found = [made.rooms[at].index(getattr(made, end)) for made in maps]
        assert by_chance(found, 3.5)
        assert by_chance([place in (0, 7) for place in found], 2 / 8)


@GAMES
@DISTANCES
@pytest.mark.parametrize("end", ["start", "target"])
@pytest.mark.parametrize("at", [0, -1], ids=["first", "last"])
@pytest.mark.parametrize("side", [0, 1], ids=["from", "to"])
def test_start_and_target_stand_anywhere_in_the_list_of_connections(
    game: Any, experiment: str, end: str, at: int, side: int
) -> None:
    more = []
    for made in written(game, experiment):
        (pairs,), room = made.connections, getattr(made, end)
        share = sum((room in pair) / 2 for pair in pairs) / len(pairs)
        more.append((pairs[at][side] == room) - share)
    assert by_chance(more)
