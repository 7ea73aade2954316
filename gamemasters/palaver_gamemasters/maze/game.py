"""The rules of the maze game of The Collaboration Gap (sections 2 and 3), for two agents as there or for more.

The agents talk until one utters the completion phrase or the turns run out; or one agent proposes a solution and looks
it over once (the critic step). What they say is free text: nothing is executed while they talk, and a grader reads the
agreed route out of the dialogue when it is over.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.game import Game, GameOutcome, Instance, Read, Reply, Scores
from palaver_gamemasters.showing import Move, Panel
from palaver_gamemasters.texts import figures_of
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player
from palaver_protocols.transcript import USER, Message, view_of

from . import instances, render, showing, variants
from .baselines import optimal_player, random_player
from .grading import Grade, grade, model
from .grading.model_scripts import GRADERS
from .grid import Maze, blank, share_out
from .names import next_speaker
from .options import MazeOptions, Setting
from .scores import measure
from .speakers import PLAYERS

__all__ = ["PHRASE", "MazeGame", "MazeState"]

PHRASE = "ACTI!"
"""Whoever utters it ends the dialogue."""

SOLO_TURNS = 2
"""A solution, and a second look at it."""


@dataclass(frozen=True)
class MazeState:
    """An episode as it stands.

    ``views`` are the partial copies, ``prompts`` the game's own messages, ``dialogue`` what the seats said, in order.
    """

    maze: Maze
    views: tuple[Maze, ...]
    options: MazeOptions
    prompts: tuple[Message, ...]
    dialogue: tuple[Message, ...] = ()

    @property
    def setting(self) -> Setting:
        """Who holds which part of the map."""
        return self.options.setting

    @property
    def over(self) -> bool:
        """Whether the dialogue has ended: by the phrase (with a partner only), or because its turns are used up."""
        if len(self.dialogue) >= _turn_limit(self.options):
            return True
        return self.setting == "pair" and bool(self.dialogue) and PHRASE in self.dialogue[-1].text

    @cached_property
    def grade(self) -> Grade:
        """The most favourable reading of the dialogue so far, worked out when it is first asked for."""
        turns = [(message.speaker, message.text) for message in self.dialogue]
        return grade(self.maze, turns, self.setting, self.options.agents)


class MazeGame(Game[MazeState, MazeOptions]):
    """The collaborative maze: no output format, a grader, three settings, any number of agents from two to eight."""

    name = "maze"
    summary = "two agents with half a map each, or more with less, talk through a maze (The Collaboration Gap)"
    options_type = MazeOptions
    primary_score = "weighted_outcome"

    def of_variant(self, variant: str) -> Mapping[str, str]:
        """Return the setting, number of agents, cover and order that a variant stands for.

        Raises:
            UsageError: there is no such variant.
        """
        return variants.options_of(variant)

    def variant(self, options: MazeOptions) -> str:
        """Return the setting, or ``group-N-kK-named`` where the study's pair is not played."""
        return variants.name_of(options)

    def instances(self, options: MazeOptions, seed: int) -> Iterator[Instance]:
        """Return the mazes of the seed, or those of the options' file."""
        return instances.instances(options, seed)

    def seats(self, options: MazeOptions) -> tuple[str, ...]:
        """Return the seats; the first one starts."""
        return _seats(options)

    def turn_limit(self, options: MazeOptions) -> int:
        """Return the number of messages after which the dialogue ends."""
        return _turn_limit(options)

    def start(self, instance: JsonValue, options: MazeOptions) -> MazeState:
        """Draw the maps and write the task of every seat."""
        maze, views = instances.playable(instance, options.agents, options.cover)
        texts = render.tasks(options.setting, maze, views, options.order)
        prompts = [Message.text_from(USER, text, [seat]) for seat, text in zip(self.seats(options), texts, strict=True)]
        if options.setting != "pair":
            prompts.append(Message.text_from(USER, render.prompt("critic"), self.seats(options)))
        return MazeState(maze, views, options, tuple(prompts))

    def pending(self, state: MazeState) -> tuple[str, ...]:
        """The seats take turns, or whoever is named speaks next."""
        if state.over:
            return ()
        seats = _seats(state.options)
        if state.dialogue and state.options.order == "named":
            last = state.dialogue[-1]
            return (next_speaker(seats, last.speaker, last.text),)
        return (seats[len(state.dialogue) % len(seats)],)

    def view(self, state: MazeState, seat: str) -> tuple[Message, ...]:
        """Return the seat's task and the dialogue; alone, the critic's question follows the first solution."""
        if state.setting == "pair":
            return (*view_of(state.prompts, seat), *state.dialogue)
        task, critic = state.prompts
        first, last = state.dialogue[:1], state.dialogue[1:]
        return (task, *first, critic, *last) if first else (task,)

    def split(self, state: MazeState, seat: str, members: int) -> tuple[tuple[Message, ...], ...]:
        """Divide the map of a seat among a team: the lead sees start and goal alone, each member an equal part.

        What the seat sees is shown to exactly one of the members, start and goal to all. Where the seat holds all
        copies, each of them is divided. The rest of the view is the same for everybody.

        Raises:
            UsageError: there are no members.
        """
        if members < 1:
            raise UsageError(f"maze: {seat}'s map cannot be divided among {members} members", mend="give one or more")
        number = _seats(state.options).index(seat)
        maps = render.shown(state.setting, state.maze, state.views)[number]
        parts = zip(*(share_out(view, members) for view in maps), strict=True)
        rest = self.view(state, seat)[1:]
        views = []
        for part in (tuple(blank(view) for view in maps), *parts):
            text = render.task(state.setting, number + 1, part, state.options.agents, state.options.order)
            views.append((Message.text_from(USER, text, [seat]), *rest))
        return tuple(views)

    def secrets(self, instance: JsonValue, options: MazeOptions) -> Mapping[str, tuple[str, ...]]:
        """Return the whole map and the others' copies, for each seat that is shown another one."""
        maze, views = instances.playable(instance, options.agents, options.cover)
        seats = self.seats(options)
        shown = render.shown(options.setting, maze, views)
        return {
            seat: tuple(str(each) for each in dict.fromkeys((maze, *views)) if each not in mine)
            for seat, mine in zip(seats, shown, strict=True)
        }

    def apply(self, state: MazeState, replies: Mapping[str, Reply]) -> MazeState:
        """Add what was said to the dialogue, whatever it is: no format is imposed."""
        said = [Message(speaker=seat, parts=replies[seat].parts) for seat in self.pending(state)]
        return replace(state, dialogue=(*state.dialogue, *said))

    def outcome(self, state: MazeState) -> GameOutcome | None:
        """Solved if the agreed route leads to the goal."""
        if not state.over:
            return None
        return "solved" if self.score(state)["success"] else "failed"

    def score(self, state: MazeState) -> Scores:
        """Grade the dialogue and measure it."""
        return measure(state.maze, state.grade, len(state.dialogue))

    def progress(self, state: MazeState) -> float:
        """Return the weighted outcome of what has been agreed so far."""
        return float(self.score(state)["weighted_outcome"] or 0)

    def panels(self, state: MazeState) -> tuple[Panel, ...]:
        """Draw the whole maze with the way agreed on so far, and the map of every seat that has another one."""
        return showing.panels(state.maze, state.views, state.options, _seats(state.options), state.grade)

    def moves(self, state: MazeState, seat: str) -> tuple[Move, ...]:
        """Return steps by the arrow keys, and in a dialogue what answers them; none tells of the map."""
        if state.setting != "pair":
            return showing.moves_of_solution(again=bool(state.dialogue))
        others = self.partners(state.options, seat)
        return showing.moves_in_talk(state.options, others, begun=bool(state.dialogue), phrase=PHRASE)

    def published(self) -> Mapping[str, Any]:
        """Return the study's tables 2 and 3 (appendix C)."""
        return _published()

    def grading_views(self, state: MazeState) -> tuple[tuple[Message, ...], ...]:
        """Ask for the route with the paper's prompts (figures A.5 and A.6); for more than two agents, with ours."""
        return (model.grading_view(state.setting, state.dialogue, _seats(state.options)),)

    def read_grade(self, state: MazeState, text: str, question: int = 0) -> Read:
        """Read the route out of a grading model's YAML, and grade it under the most favourable scheme."""
        return model.read_grade(state.maze, text)

    def graded_scores(self) -> tuple[str, ...]:
        """Name what follows from the route; how many messages there were, nobody has to grade."""
        return model.GRADED

    def graders(self) -> Mapping[str, Player]:
        """Return the scripts that can grade: the rules' reading, written as the paper's YAML, and readings like it."""
        return GRADERS

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: at random, by the shortest path (alone), and by talking, in every style and strength."""
        return {"random": random_player, "optimal": optimal_player, **PLAYERS}


def _seats(options: MazeOptions) -> tuple[str, ...]:
    return tuple(f"agent_{number + 1}" for number in range(options.agents if options.setting == "pair" else 1))


def _turn_limit(options: MazeOptions) -> int:
    return options.max_turns if options.setting == "pair" else SOLO_TURNS


def _published() -> Mapping[str, Any]:
    return figures_of(__package__)
