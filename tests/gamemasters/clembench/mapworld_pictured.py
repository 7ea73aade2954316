"""A small map with pictures, and walks through it. Three rooms from west to east; a fourth north of the first."""

import json
from typing import Any

from palaver_gamemasters.clembench.mapworld.maps import STEPS, Place, neighbour
from palaver_gamemasters.clembench.mapworld.multimodal.game import MultimodalMapWorld, MultimodalState
from palaver_gamemasters.clembench.mapworld.multimodal.making import TEXTS
from palaver_gamemasters.clembench.pictures import Recipe
from palaver_gamemasters.clembench.pictures.room import make
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Reply
from tests.gamemasters.clembench.playing import events

WEST, MIDDLE, EAST, NORTH = (1, 1), (2, 1), (3, 1), (1, 2)
ROOMS = (WEST, MIDDLE, EAST, NORTH)
LINKS = ((WEST, MIDDLE), (MIDDLE, EAST), (WEST, NORTH))
EDGES = (*LINKS, *((b, a) for a, b in LINKS))
TOUR = ("north", "south", "east", "east")
NOTHING = {"nodes": [], "edges": {"north": [], "south": [], "east": [], "west": []}}


def room(name: str) -> Recipe:
    return make(Dice("room", name))


def instance(game: MultimodalMapWorld, **changed: Any) -> dict[str, Any]:
    """An instance as logs hold it; None leaves a field out."""
    wanted = " for a $GOAL$" if game.task == "find" else ""
    usual: dict[str, Any] = {
        "game_id": 0,
        "nodes": [str(each) for each in ROOMS],
        "edges": [str(each) for each in EDGES],
        "imgs": {str((x, y)): f"room-{x}-{y}.png" for x, y in ROOMS},
        "start": str(WEST),
        "initial_prompt": f"Look around{wanted}. From here we can go: $INITIAL_DIRECTIONS$.",
        **TEXTS[game.task],
        **({"target": str(EAST), "target_cat": "wine_cellar", "dist": 2} if game.task == "find" else {}),
    }
    fields = {name: value for name, value in (usual | changed).items() if value is not None}
    pictures = {name: {"draw": room(name)} for name in usual["imgs"].values()}
    return {"experiment": {"name": "small"}, "instance": fields, "pictures": pictures}


def go(way: str, description: str = "A room.") -> str:
    """An answer that moves on, or stops."""
    return json.dumps({"description": description, "action": f"GO: {way}" if way.lower() in STEPS else way})


def draw(way: str, graph: Any = None) -> str:
    """An answer with a graph."""
    action = f"GO: {way}" if way.lower() in STEPS else way
    return json.dumps({"action": action, "description": "A room.", "graph": NOTHING if graph is None else graph})


def walk(
    game: MultimodalMapWorld, *texts: str, given: dict[str, Any] | None = None, **options: Any
) -> Play[MultimodalState]:
    """Play the texts, which must all be asked for."""
    state = game.start(given or instance(game), game.configure(options))
    for text in texts:
        assert game.pending(state) == ("walker",), f"over before {text!r}"
        state = game.apply(state, {"walker": Reply.of(text)})
    return state


def tour(*ways: str, start: Place = WEST) -> tuple[tuple[Place, Place], ...]:
    """The moves of a walk that never meets a wall."""
    moves = []
    for way in ways:
        moves.append((start, neighbour(start, way)))
        start = moves[-1][1]
    return tuple(moves)


def told(state: Play[MultimodalState]) -> str:
    """What the walker was told last."""
    return state.history("walker")[-1].text


def noted(state: Play[MultimodalState]) -> list[tuple[str, Any]]:
    """What the game master has noted for itself, but for the pictures of rooms."""
    return [each for each in events(state) if each[0] != "room_image"]
