"""MapWorld with pictures as it was played for the published runs (v1.6.5): a walker sees the room that it is in.

The one player that is a model is clembench's Player 2, the walker. Player 1, the describer, is the game's own: it knows
the map, and tells in which directions one can go.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.play import GET, SEND, Play
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Scores, read_instance
from palaver_gamemasters.minutes import GM
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.messages import Player

from .maps import STEPS, Place, Span, neighbour
from .multimodal_answers import Answer, RefusedError, claimed, described, drawn
from .multimodal_making import SIZES, Variant, instance_of, map_of
from .multimodal_setup import MultimodalSetup
from .multimodal_walk import Move, Walked, harmonic, walked
from .options import MapWorldOptions, PicturedMapWorldOptions
from .similarity import graph_distance, similarity
from .walkers import PLAYERS

__all__ = ["TURNS", "MultimodalGraphs", "MultimodalMapWorld", "MultimodalRoom", "MultimodalState"]

TURNS = 20
"""Turns of an episode at most. The walker is not told."""

WALKER = "walker"
DESCRIBER = "Player 1"


@dataclass(frozen=True)
class MultimodalState:
    """Where the walker is, and what was logged: its moves, and the graphs that it has drawn."""

    setup: MultimodalSetup
    room: Place
    turns: int = 0
    moves: tuple[Move, ...] = ()
    graphs: tuple[str, ...] = ()


class MultimodalMapWorld(ClemGame[MultimodalState, MapWorldOptions]):
    """All rooms are to be visited, in as few moves as can be."""

    name = "mm_mapworld"
    summary = "a walker explores a map of pictured rooms, and must know when there is nothing left (clembench)"
    options_type = PicturedMapWorldOptions
    names: ClassVar[Mapping[str, str]] = {WALKER: "Player 2"}
    sizes: ClassVar[Mapping[str, tuple[int, Span]]] = SIZES
    distances: ClassVar[Mapping[str, Span]] = {}
    kind: ClassVar[Variant] = "explore"
    # section 6.1: the name is misspelt in v1.6.5
    efficiency = "effieciency"

    def turn_limit(self, options: MapWorldOptions) -> int:
        """Return the number of answers at most."""
        return TURNS

    def experiments(self, options: MapWorldOptions) -> tuple[str, ...]:
        """Name the experiments: how large the map is, or how far the target."""
        return tuple(self.sizes)

    def make(self, experiment: str, dice: Dice, options: MapWorldOptions) -> ClemInstance:
        """Make a map, and a picture for each of its rooms.

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
        made = map_of(dice, rooms, connections, options.ambiguity, distance)
        return instance_of(experiment, dice, made, self.name, self.kind)

    def players(self) -> Mapping[str, Player]:
        """Return the walkers that need no model."""
        return PLAYERS

    def begin(self, play: Play[Any]) -> Play[MultimodalState]:
        """Tell the walker what it is to do, and show the room that it is in."""
        setup: MultimodalSetup = read_instance(self.name, MultimodalSetup, play.instance.fields)
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
        walk = walked(play.now.setup, play.now.moves, clean=play.clean)
        solved = self.solved(play, walk)
        if play.ending == "aborted" and not play.clean:
            # these of all names, with none of the game's own: as v1.6.5 logs them
            names = ("Success", "Lose", *walk.counts, self.efficiency, *more, "exploration", "Main Score")
            return solved, {"Aborted": 1.0, **dict.fromkeys(names)}
        done = play.ending == "played"
        efficiency = "efficiency" if play.clean else self.efficiency
        return solved, {
            "Aborted": float(play.ending == "aborted"),
            "Success": float(done and solved),
            "Lose": float(done and not solved),
            **walk.counts,
            efficiency: self.efficient(play, walk),
            **more,
            **self.reached(play, walk),
            "Main Score": self.quality(play, walk) if done else None,
        }

    def more(self, play: Play[MultimodalState]) -> dict[str, float]:
        """Return what this game measures beside the others."""
        return {}

    def solved(self, play: Play[MultimodalState], walk: Walked) -> bool:
        """Whether a walker that has stopped has succeeded."""
        return walk.complete

    def efficient(self, play: Play[MultimodalState], walk: Walked) -> float:
        """Return how good the moves were."""
        return walk.efficiency

    def reached(self, play: Play[MultimodalState], walk: Walked) -> dict[str, float]:
        """Return what the walker has reached."""
        return {"exploration": walk.exploration}

    def quality(self, play: Play[MultimodalState], walk: Walked) -> float:
        """Return the main score of a walker that has stopped."""
        return harmonic(walk.exploration, walk.efficiency)

    def progress(self, state: Play[MultimodalState]) -> float:
        """Return the share of rooms visited."""
        setup = state.now.setup
        return len({setup.start, *(new for _, new in state.now.moves)}) / len(setup.nodes)

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


class MultimodalGraphs(MultimodalMapWorld):
    """All rooms are to be visited, and the map is to be drawn with every answer."""

    name = "mm_mapworld_graphs"
    summary = "a walker explores a map of pictured rooms and writes down the map with every answer (clembench)"
    sizes: ClassVar[Mapping[str, tuple[int, Span]]] = {name: SIZES[name] for name in ("small", "medium", "large")}
    kind = "graphs"
    efficiency = "efficiency"

    def check(self, setup: MultimodalSetup) -> None:
        """Ask for a form of answers that holds a graph."""
        if setup.response_regex.groups < 3:
            raise InstanceError(f"{self.name} instance: response_regex: it has no third group for the graph")

    def read(self, play: Play[MultimodalState], text: str) -> Answer:
        """Check the form of an answer."""
        return drawn(text, play.now.setup)

    def more(self, play: Play[MultimodalState]) -> dict[str, float]:
        """Return how near the last graph comes to the map; 0 where there is none.

        Raises:
            CrashError: v1.6.5 cannot read one of the graphs; it reads all, even those of aborted episodes.
        """
        now = play.now
        graphs = [claimed(graph, clean=play.clean) for graph in now.graphs]
        if not graphs:
            return {"graph_similarity": 0.0}
        distance = graph_distance(*graphs[-1], now.setup.nodes, now.setup.edges)
        return {"graph_similarity": 100 * similarity(distance.edits)}


class MultimodalRoom(MultimodalMapWorld):
    """One room is to be found."""

    name = "mm_mapworld_specificroom"
    summary = "a walker looks for one room in a map of pictured rooms (clembench)"
    sizes: ClassVar[Mapping[str, tuple[int, Span]]] = dict.fromkeys(("on", "close", "far"), (8, (7, 9)))
    distances: ClassVar[Mapping[str, Span]] = {"on": (0, 0), "close": (1, 2), "far": (3, 4)}
    kind = "find"

    def check(self, setup: MultimodalSetup) -> None:
        """Ask for a target."""
        for field in ("target", "target_cat", "dist"):
            if getattr(setup, field) is None:
                raise InstanceError(f"{self.name} instance: {field} is missing")

    def solved(self, play: Play[MultimodalState], walk: Walked) -> bool:
        """Whether the walker has stopped in the target."""
        return play.now.room == play.now.setup.target

    def efficient(self, play: Play[MultimodalState], walk: Walked) -> float:
        """Return how long the way was, set beside the shortest one (section 7); moves against a wall count as well."""
        return 100 / max(1, 1 + len(play.now.moves) - (play.now.setup.dist or 0))

    def reached(self, play: Play[MultimodalState], walk: Walked) -> dict[str, float]:
        """Return whether the room was found."""
        return {"finding": 100.0 * self.solved(play, walk)}

    def quality(self, play: Play[MultimodalState], walk: Walked) -> float:
        """Return 100 or 0."""
        return 100.0 * self.solved(play, walk)
