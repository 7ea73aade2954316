"""What people are shown of a walk through named rooms: the map, and the answers to choose from."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import JsonValue

from palaver_gamemasters.clembench.mapworld.showing import Atlas, Way, laid_out, panel
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.showing import Panel

from .literals import literal
from .setup import shown

if TYPE_CHECKING:
    from .game import TextMapWorld, TextState

__all__ = ["panels", "ways"]

BLANK: JsonValue = {"nodes": [], "edges": {}}
STOP = "DONE"


def panels(play: Play["TextState"]) -> tuple[Panel, ...]:
    """Draw the map; none if its ways do not fit on a plane."""
    now, setup = play.now, play.now.setup
    places = laid_out(setup.start, now.map.ways)
    if places is None or any(node not in places for node in now.map.nodes):
        return ()
    doors = frozenset(
        (min(one, other), max(one, other)) for one, other in ((places[a], places[b]) for a, b in now.map.edges)
    )
    rooms = {places[node]: shown(node).replace("_", " ") for node in now.map.nodes}
    target = next((places[node] for node in now.map.nodes if node.lower() == (setup.target or "").lower()), None)
    way = (setup.start, *_entered(play))
    atlas = Atlas(dict(sorted(rooms.items())), doors, tuple(places[node] for node in way), target)
    return (panel(atlas, over=play.ending is not None),)


def ways(game: "TextMapWorld", play: Play["TextState"]) -> Iterator[Way]:
    """Yield the answers that lead through a door or end the walk, as far as the instance's form takes them."""
    now = play.now
    for name in (*now.map.directions[now.room], STOP):
        says = _answer(game, play, STOP if name == STOP else f"GO: {name}")
        said = game.read(play, says)
        if said is not None and said.stop == (name == STOP):
            yield Way(name, says)


def _entered(play: Play["TextState"]) -> Iterator[str]:
    """Yield the rooms that the moves have led to, in order; moves that the scorer has logged twice but once."""
    before = play.now.setup.start
    for old, new in play.now.moves:
        if old == before:
            yield new
            before = new
    if before != play.now.room:
        yield play.now.room


def _answer(game: "TextMapWorld", play: Play["TextState"], action: str) -> str:
    """Write an answer in one line; where the map is to be drawn, with the one that was drawn last."""
    return json.dumps({"action": action, "graph": _latest(play)}) if game.task == "graphs" else action


def _latest(play: Play["TextState"]) -> object:
    try:
        read = literal(play.now.graph) if play.now.graph else None
        return json.loads(json.dumps(read)) if isinstance(read, dict) else BLANK
    except (ValueError, TypeError, RecursionError):
        return BLANK
