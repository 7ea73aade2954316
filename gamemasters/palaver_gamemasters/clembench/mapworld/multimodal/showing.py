"""What people are shown of a walk through pictured rooms: the map, the picture of the room, the answers to choose."""

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import JsonValue

from palaver_gamemasters.clembench import tiles
from palaver_gamemasters.clembench.mapworld.maps import Place
from palaver_gamemasters.clembench.mapworld.showing import Atlas, Way, panel
from palaver_gamemasters.clembench.play import CrashError, Play
from palaver_gamemasters.showing import Panel

from .answers import RefusedError

if TYPE_CHECKING:
    from .game import MultimodalMapWorld, MultimodalState

__all__ = ["panels", "ways"]

HERE = "We are in this room."
"""The description that goes with a click: no measure looks at it."""
BLANK: JsonValue = {"nodes": [], "edges": {}}
STOP = "DONE"


def panels(play: Play["MultimodalState"], seat: str) -> tuple[Panel, ...]:
    """Draw the map, and what the walker at a seat sees of it."""
    now, setup = play.now, play.now.setup
    doors = frozenset((a, b) for a, b in setup.edges if a < b)
    rooms = {place: _called(play, place) for place in sorted(setup.nodes)}
    way = (setup.start, *(new for _, new in now.moves))
    drawn = panel(Atlas(rooms, doors, way, setup.target), over=play.ending is not None)
    if not setup.use_images:
        return (drawn,)
    picture = tiles.as_png(play, setup.imgs[now.room])
    told = picture.alt or f"a picture of {rooms[now.room]}"
    seen = Panel("The room", told, png=picture.data or b"", width=picture.width, height=picture.height, seat=seat)
    return (drawn, seen)


def ways(game: "MultimodalMapWorld", play: Play["MultimodalState"]) -> Iterator[Way]:
    """Yield the answers that lead through a door or end the walk, as far as the instance's form takes them."""
    setup = play.now.setup
    for name in (*setup.ways(play.now.room), STOP):
        says = _answer(game, play, STOP if name == STOP else f"GO: {name}")
        try:
            action = game.read(play, says).action
        except (RefusedError, CrashError):
            continue
        if setup.done_regex.search(action) if name == STOP else setup.move_regex.search(action):
            yield Way(name, says)


def _answer(game: "MultimodalMapWorld", play: Play["MultimodalState"], action: str) -> str:
    """Write an answer in one line; where the map is to be drawn, with the one that was drawn last."""
    if game.task != "graphs":
        return json.dumps({"description": HERE, "action": action})
    return json.dumps({"action": action, "description": HERE, "graph": _latest(play)})


def _latest(play: Play["MultimodalState"]) -> object:
    try:
        return json.loads(play.now.graphs[-1]) if play.now.graphs else BLANK
    except (ValueError, RecursionError):
        return BLANK


def _called(play: Play["MultimodalState"], place: Place) -> str:
    """Return what a room is called: its category, where the instance says it, else its picture's name."""
    kinds = play.instance.fields.get("cats")
    named = {re.sub(r"\s", "", key): kind for key, kind in kinds.items()} if isinstance(kinds, dict) else {}
    kind = str(named.get(f"({place[0]},{place[1]})") or play.now.setup.imgs[place])
    return re.sub(r"\.\w{3,4}$", "", kind.rsplit("/", 1)[-1]).replace("_", " ")
