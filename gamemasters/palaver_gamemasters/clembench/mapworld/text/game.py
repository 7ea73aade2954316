"""Textual MapWorld as it was played for the published runs (v1.6.5): the rooms are names, the directions words.

The one player that is a model is clembench's Player 1, the guesser. Player 2, the describer, is the game's own.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.mapworld.game import TURNS, MapWorldGame, Task
from palaver_gamemasters.clembench.mapworld.maps import MapGraph
from palaver_gamemasters.clembench.mapworld.options import MapWorldOptions
from palaver_gamemasters.clembench.mapworld.showing import steps
from palaver_gamemasters.clembench.mapworld.walk import Walked, walked
from palaver_gamemasters.clembench.play import GET, SEND, Play
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Scores, read_instance
from palaver_gamemasters.minutes import GM
from palaver_gamemasters.showing import Move, Panel

from . import showing
from .making import instance_of, room_names
from .scores import Deed, loops_of, scores_of
from .setup import TextMap, TextSetup, shown

__all__ = ["Order", "Said", "TextMapWorld", "TextState"]

GUESSER = "guesser"
DESCRIBER = "Player 2"


class Said(NamedTuple):
    """An answer in the right form: its text as it is kept, the action in it, and whether it is to stop."""

    text: str
    action: str
    stop: bool


class Order(NamedTuple):
    """What the describer is to do: the direction to go in, and the graph that came with it."""

    way: str
    graph: str | None = None


@dataclass(frozen=True)
class TextState:
    """Where the guesser is, and what was logged.

    ``last`` is the latest move that the describer was asked for, with its graph: None for the room before the first,
    and the same room twice where there was no such way.
    """

    setup: TextSetup
    map: TextMap
    room: str
    last: Deed
    graph: str | None = None
    turns: int = 0
    moves: tuple[Deed, ...] = ()
    graphs: tuple[str, ...] = ()
    stopped: bool = False


class TextMapWorld(MapWorldGame[TextState]):
    """All rooms are to be visited, in as few moves as can be."""

    name = "textmapworld"
    summary = "a walker explores a map of named rooms, and must know when there is nothing left (clembench)"
    options_type = MapWorldOptions
    names: ClassVar[Mapping[str, str]] = {GUESSER: "Player 1"}
    games: ClassVar[Mapping[Task, str]] = {
        "explore": "textmapworld",
        "graphs": "textmapworld_graphreasoning",
        "find": "textmapworld_specificroom",
    }
    forgetful: ClassVar[bool] = False

    def categories(self) -> Sequence[str]:
        """Return what rooms of our own maps are called."""
        return room_names()

    def written(self, experiment: str, dice: Dice, made: MapGraph) -> ClemInstance:
        """Write a map down as an instance."""
        return instance_of(experiment, dice, made, self.task)

    def begin(self, play: Play[Any]) -> Play[TextState]:
        """Tell the guesser what it is to do, and where it is."""
        setup: TextSetup = read_instance(self.name, TextSetup, play.instance.fields)
        self.refuse_sisters(setup.task)
        self.check(setup)
        map_ = TextMap.of(setup)
        text = setup.prompt.replace("$INITIAL_ROOM$", shown(setup.start))
        text = text.replace("$INITIAL_DIRECTIONS$", ", ".join(map_.directions[setup.start]))
        if setup.target is not None:
            text = text.replace("$GOAL$", setup.target)
        return play.then(TextState(setup, map_, setup.start, Deed(None, setup.start))).tell(GUESSER, text)

    def check(self, setup: TextSetup) -> None:
        """Raise an InstanceError if an instance lacks what this game needs beside a map."""

    def hear(self, play: Play[TextState], seat: str, text: str) -> Play[TextState]:
        """Let the describer lead the guesser on, or end the episode."""
        said = self.read(play, text)
        if said is None:
            return self.left(play.note("aborted", True)).end("aborted")
        play = play.keep(seat, said.text)
        if said.stop:
            play = self.left(play.note("stop", True), said)
            return play.then(replace(play.now, stopped=True)).end("played")
        play = play.between(GM, DESCRIBER, SEND, said.text)
        order = self.order(play, said)
        if order is None:
            return self.left(play.note("aborted", True)).end("aborted")
        return self._go(play, order)

    def read(self, play: Play[TextState], text: str) -> Said | None:
        """Check the form of an answer: to the letter, and as it came (section 8.2); None if it is wrong."""
        return self.action(play.now.setup, text.strip() if play.clean else text, text)

    def action(self, setup: TextSetup, action: str, text: str) -> Said | None:
        """Read an action; None if it is none, or two at once."""
        stop, move = setup.stop.match(action), setup.move.match(action)
        return None if (stop is None) == (move is None) else Said(text, action, stop is not None)

    def order(self, play: Play[TextState], said: Said) -> Order | None:
        """Say what the describer makes of a move; None if it makes nothing of it."""
        way = play.now.setup.move.match(said.action)
        return None if way is None else Order(way[1].lower())

    def left(self, play: Play[TextState], said: Said | None = None) -> Play[TextState]:
        """Log what is logged when a turn ends before the describer's part: nothing."""
        return play

    def measure(self, play: Play[TextState]) -> tuple[bool, Scores]:
        """Return the measures of section 8.3. Not stopped: nothing is measured, unless cleanly."""
        measured = play.now.stopped or play.clean
        now = play.now if measured else replace(play.now, moves=(), graphs=())
        map_, start = now.map, now.setup.start
        walk = walked(map_.nodes, map_.edges, start, now.moves, clean=play.clean, known_only=False)
        loops = loops_of(start, [new for _, new in now.moves], forgetful=self.forgetful)
        solved = now.stopped and self.solved(now, walk)
        over = {**scores_of(walk, loops), "stopped": float(now.stopped), "turns_limit": float(now.turns == TURNS)}
        over |= self.more(now, walk)
        return solved, {
            "Main Score": self.quality(now, walk) if now.stopped else None,
            "Aborted": float(play.ending == "aborted"),
            "Success": float(solved),
            "Lose": float(now.stopped and not solved),
            **(over if measured else dict.fromkeys(over)),
        }

    def solved(self, now: TextState, walk: Walked[str]) -> bool:
        """Whether a guesser that has stopped has succeeded."""
        return walk.complete

    def quality(self, now: TextState, walk: Walked[str]) -> float:
        """Return the main score of a guesser that has stopped."""
        return walk.quality

    def panels(self, state: Play[TextState]) -> tuple[Panel, ...]:
        """Show the map with the walk so far."""
        return showing.panels(state)

    def moves(self, state: Play[TextState], seat: str) -> tuple[Move, ...]:
        """Return the doors of the room, by the arrow keys, and the end; a graph is the guesser's own to draw."""
        return steps(showing.ways(self, state), ends=self.task != "graphs") if seat == state.pending else ()

    def more(self, now: TextState, walk: Walked[str]) -> dict[str, float]:
        """Return what this game measures beside the others."""
        return {}

    def logged(self, play: Play[TextState]) -> Play[TextState]:
        """Log the latest move."""
        now = play.now
        old, new = now.last
        logged = replace(now, moves=(*now.moves, now.last))
        return play.then(logged).note("move", json.dumps({"old": old, "new": new}))

    def _go(self, play: Play[TextState], order: Order) -> Play[TextState]:
        now = play.now
        open_ = order.way in now.map.directions[now.room]
        room = now.map.ways[now.room, order.way] if open_ else now.room
        form = now.setup.positive if open_ else now.setup.negative
        text = form.replace("$DIRECTIONS$", ", ".join(now.map.directions[room]))
        text = text.replace("$ANOTHER_ROOM$" if open_ else "$SAME_ROOM$", shown(room))
        after = replace(now, room=room, last=Deed(now.room, room), graph=order.graph, turns=now.turns + 1)
        play = play.between(DESCRIBER, GM, GET, text).then(after)
        # section 8.2: v1.6.5 logs no move where there is no way, and so none lowers the efficiency
        if open_ or play.clean:
            play = self.logged(play)
        if after.turns == TURNS:
            return play.note("turns_limit", True).end("aborted")
        return play.turn().tell(GUESSER, text)
