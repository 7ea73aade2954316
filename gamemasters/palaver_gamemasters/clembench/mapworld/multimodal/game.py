"""MapWorld with pictures as it was played for the published runs (v1.6.5): a walker sees the room that it is in.

The one player that is a model is clembench's Player 2, the walker. Player 1, the describer, is the game's own: it knows
the map, and tells in which directions one can go.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.mapworld.game import TURNS, MapWorldGame, Task
from palaver_gamemasters.clembench.mapworld.maps import STEPS, MapGraph, Place, neighbour
from palaver_gamemasters.clembench.mapworld.options import PicturedMapWorldOptions
from palaver_gamemasters.clembench.mapworld.showing import steps
from palaver_gamemasters.clembench.mapworld.walk import Walked, walked
from palaver_gamemasters.clembench.play import GET, SEND, Play
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Scores, read_instance
from palaver_gamemasters.minutes import GM
from palaver_gamemasters.showing import Move, Panel

from . import showing
from .answers import Answer, RefusedError, described
from .making import categories, instance_of
from .setup import MultimodalSetup

__all__ = ["MultimodalMapWorld", "MultimodalState"]

WALKER = "walker"
DESCRIBER = "Player 1"


@dataclass(frozen=True)
class MultimodalState:
    """Where the walker is, and what was logged: its moves, and the graphs that it has drawn."""

    setup: MultimodalSetup
    room: Place
    turns: int = 0
    moves: tuple[tuple[Place, Place], ...] = ()
    graphs: tuple[str, ...] = ()


class MultimodalMapWorld(MapWorldGame[MultimodalState]):
    """All rooms are to be visited, in as few moves as can be."""

    name = "mm_mapworld"
    summary = "a walker explores a map of pictured rooms, and must know when there is nothing left (clembench)"
    options_type = PicturedMapWorldOptions
    names: ClassVar[Mapping[str, str]] = {WALKER: "Player 2"}
    games: ClassVar[Mapping[Task, str]] = {
        "explore": "mm_mapworld",
        "graphs": "mm_mapworld_graphs",
        "find": "mm_mapworld_specificroom",
    }
    # section 6.1: the name is misspelt in v1.6.5
    efficiency = "effieciency"

    def ambiguity(self, dice: Dice, rooms: int) -> int:
        """Return 2 in every other map, about as in the published ones; else 0."""
        return dice.pick((0, 2)) if rooms > 2 else 0

    def categories(self) -> Sequence[str]:
        """Return the categories of rooms that there are pictures of."""
        return categories()

    def written(self, experiment: str, dice: Dice, made: MapGraph) -> ClemInstance:
        """Write a map down as an instance, with a picture for each of its rooms."""
        return instance_of(experiment, dice, made, self.name, self.task)

    def begin(self, play: Play[Any]) -> Play[MultimodalState]:
        """Tell the walker what it is to do, and show the room that it is in."""
        setup: MultimodalSetup = read_instance(self.name, MultimodalSetup, play.instance.fields)
        self.refuse_sisters(setup.task)
        self.check(setup)
        start = {"start": list(setup.start), "size": len(setup.nodes), "game": self.name}
        prompt = setup.initial_prompt.replace("$INITIAL_DIRECTIONS$", ", ".join(setup.ways(setup.start)))
        if setup.target_cat is not None:
            prompt = prompt.replace("$GOAL$", setup.target_cat.replace("_", " "))
        return self._show(play.then(MultimodalState(setup, setup.start)), json.dumps(start), prompt)

    def check(self, setup: MultimodalSetup) -> None:
        """Raise an InstanceError if an instance lacks what this game needs beside a map."""

    def hear(self, play: Play[MultimodalState], seat: str, text: str) -> Play[MultimodalState]:
        """Check the answer; let the walker go, or end the episode."""
        play = play.then(replace(play.now, turns=play.now.turns + 1))
        try:
            answer = self.read(play, text)
        except RefusedError as error:
            return self._abort(play.note(str(error), text))
        if answer.graph is not None:
            # section 5.4: logged whatever the action is
            play = play.then(replace(play.now, graphs=(*play.now.graphs, answer.graph))).note("graph", answer.graph)
        setup = play.now.setup
        if setup.done_regex.search(answer.action):
            play = play.note("DONE", True).keep(seat, answer.text)
            # section 5.3: in v1.6.5 a DONE in the last turn comes too late
            return self._run_out(play) if play.now.turns == TURNS and not play.clean else play.end("played")
        move = setup.move_regex.search(answer.action)
        if move is None:
            return self._abort(play.note("Invalid format", answer.action))
        return self._go(play.note("Valid format", "continue").keep(seat, answer.text), move[1].lower(), answer.text)

    def read(self, play: Play[MultimodalState], text: str) -> Answer:
        """Check the form of an answer.

        Raises:
            RefusedError: it is wrong.
            CrashError: v1.6.5 raises an exception here.
        """
        return described(text, play.now.setup, clean=play.clean)

    def measure(self, play: Play[MultimodalState]) -> tuple[bool, Scores]:
        """Return the measures of sections 5 to 7. Aborted: nothing is measured, unless cleanly."""
        more = self.more(play)
        setup, moves = play.now.setup, play.now.moves
        walk = walked(setup.nodes, setup.edges, setup.start, moves, clean=play.clean, known_only=True)
        counts = {**walk.moves, "visited": float(len(walk.visited)), "seen": float(len(walk.seen))}
        solved = self.solved(play, walk)
        if play.ending == "aborted" and not play.clean:
            # these of all names, with none of the game's own: as v1.6.5 logs them
            names = ("Success", "Lose", *counts, self.efficiency, *more, "exploration", "Main Score")
            return solved, {"Aborted": 1.0, **dict.fromkeys(names)}
        done = play.ending == "played"
        efficiency = "efficiency" if play.clean else self.efficiency
        return solved, {
            "Aborted": float(play.ending == "aborted"),
            "Success": float(done and solved),
            "Lose": float(done and not solved),
            **counts,
            efficiency: self.efficient(play, walk),
            **more,
            **self.reached(play, walk),
            "Main Score": self.quality(play, walk) if done else None,
        }

    def panels(self, state: Play[MultimodalState]) -> tuple[Panel, ...]:
        """Show the map with the walk so far, and the picture of the room."""
        return showing.panels(state, WALKER)

    def moves(self, state: Play[MultimodalState], seat: str) -> tuple[Move, ...]:
        """Return the doors of the room, by the arrow keys, and the end; a graph is the walker's own to draw."""
        return steps(showing.ways(self, state), ends=self.task != "graphs") if seat == state.pending else ()

    def more(self, play: Play[MultimodalState]) -> dict[str, float]:
        """Return what this game measures beside the others."""
        return {}

    def solved(self, play: Play[MultimodalState], walk: Walked[Place]) -> bool:
        """Whether a walker that has stopped has succeeded."""
        return walk.complete

    def efficient(self, play: Play[MultimodalState], walk: Walked[Place]) -> float:
        """Return how good the moves were."""
        return walk.efficiency

    def reached(self, play: Play[MultimodalState], walk: Walked[Place]) -> dict[str, float]:
        """Return what the walker has reached."""
        return {"exploration": walk.exploration}

    def quality(self, play: Play[MultimodalState], walk: Walked[Place]) -> float:
        """Return the main score of a walker that has stopped."""
        return walk.quality

    def _go(self, play: Play[MultimodalState], way: str, answer: str) -> Play[MultimodalState]:
        now, setup = play.now, play.now.setup
        beyond = neighbour(now.room, way) if way in STEPS else now.room
        room = beyond if beyond in setup.beside(now.room) else now.room
        play = play.then(replace(now, room=room, moves=(*now.moves, (now.room, room))))
        play = play.note("move", json.dumps({"old": list(now.room), "new": list(room)}))
        if now.turns == TURNS:
            return self._run_out(play)
        form = setup.success_response if room != now.room else setup.invalid_response
        return self._show(play.turn(), answer, form.replace("$DIRECTIONS$", ", ".join(setup.ways(room))))

    def _show(self, play: Play[MultimodalState], told: str, text: str) -> Play[MultimodalState]:
        """Let the describer, who was told something, tell the walker about the room; only its picture is to be seen."""
        setup = play.now.setup
        picture = setup.imgs[play.now.room]
        play = play.note("room_image", json.dumps({"image": [picture]}))
        play = play.between(GM, DESCRIBER, SEND, told).between(DESCRIBER, GM, GET, text)
        return play.forget_pictures(WALKER).tell(WALKER, text, (picture,) if setup.use_images else ())

    def _abort(self, play: Play[MultimodalState]) -> Play[MultimodalState]:
        play = play.note("aborted", True)
        return self._run_out(play) if play.now.turns == TURNS else play.end("aborted")

    def _run_out(self, play: Play[MultimodalState]) -> Play[MultimodalState]:
        return play.note("aborted", True).note("turn limit reached", True).end("aborted")
