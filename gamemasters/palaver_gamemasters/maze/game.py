"""The rules of the maze game of The Collaboration Gap (sections 2 and 3).

Two agents talk in turns until one utters the completion phrase or the turns run out; or one agent proposes a solution
and looks it over once (the critic step). What they say is free text: nothing is executed while they talk, and a grader
reads the agreed route out of the dialogue when it is over.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import get_args

from pydantic import JsonValue

from palaver_gamemasters.game import Game, GameOutcome, Instance, Reply, Scores
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player
from palaver_protocols.transcript import USER, Message, view_of

from . import instances, render
from .baselines import optimal_player, random_player
from .grading import Grade, grade
from .grid import Maze
from .options import MazeOptions, Setting
from .scores import measure
from .speakers import STYLES, scripted_player, styled_player

__all__ = ["PHRASE", "MazeGame", "MazeState"]

PHRASE = "ACTI!"
"""Whoever utters it ends the dialogue."""

SOLO_TURNS = 2
"""A solution, and a second look at it."""


@dataclass(frozen=True)
class MazeState:
    """An episode as it stands. ``prompts`` are the game's own messages, ``dialogue`` what the seats said, in order."""

    maze: Maze
    setting: Setting
    turn_limit: int
    prompts: tuple[Message, ...]
    dialogue: tuple[Message, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the dialogue has ended: by the phrase (with a partner only), or because its turns are used up."""
        if len(self.dialogue) >= self.turn_limit:
            return True
        return self.setting == "pair" and bool(self.dialogue) and PHRASE in self.dialogue[-1].text

    @cached_property
    def grade(self) -> Grade:
        """The most favourable reading of the dialogue so far, worked out when it is first asked for."""
        return grade(self.maze, [(message.speaker, message.text) for message in self.dialogue], self.setting)


class MazeGame(Game[MazeState, MazeOptions]):
    """The collaborative maze: no output format, a grader, three settings."""

    name = "maze"
    summary = "two agents with half a map each talk their way through a maze (The Collaboration Gap)"
    options_type = MazeOptions
    primary_score = "weighted_outcome"

    def of_variant(self, variant: str) -> Mapping[str, str]:
        """A variant is a setting.

        Raises:
            UsageError: it is none.
        """
        if variant not in (known := get_args(Setting)):
            raise UsageError(f"the maze has no variant {variant!r}", mend=f"it has: {', '.join(known)}")
        return {"setting": variant}

    def variant(self, options: MazeOptions) -> str:
        """Return the setting."""
        return options.setting

    def instances(self, options: MazeOptions, seed: int) -> Iterator[Instance]:
        """Return the mazes of the seed, or those of the options' file."""
        return instances.instances(options, seed)

    def seats(self, options: MazeOptions) -> tuple[str, ...]:
        """Return the seats; the first one starts."""
        return _seats(options.setting)

    def turn_limit(self, options: MazeOptions) -> int:
        """Return the number of messages after which the dialogue ends."""
        return options.max_turns if options.setting == "pair" else SOLO_TURNS

    def start(self, instance: JsonValue, options: MazeOptions) -> MazeState:
        """Draw the maps and write the task of every seat."""
        maze, views = instances.playable(instance)
        texts = render.tasks(options.setting, maze, views)
        prompts = [Message.text_from(USER, text, [seat]) for seat, text in zip(self.seats(options), texts, strict=True)]
        if options.setting != "pair":
            prompts.append(Message.text_from(USER, render.prompt("critic"), self.seats(options)))
        return MazeState(maze, options.setting, self.turn_limit(options), tuple(prompts))

    def pending(self, state: MazeState) -> tuple[str, ...]:
        """The seats take turns."""
        if state.over:
            return ()
        seats = _seats(state.setting)
        return (seats[len(state.dialogue) % len(seats)],)

    def view(self, state: MazeState, seat: str) -> tuple[Message, ...]:
        """Return the seat's task and the dialogue; alone, the critic's question follows the first solution."""
        if state.setting == "pair":
            return (*view_of(state.prompts, seat), *state.dialogue)
        task, critic = state.prompts
        first, last = state.dialogue[:1], state.dialogue[1:]
        return (task, *first, critic, *last) if first else (task,)

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

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: at random, by the shortest path (alone), and by talking, in every style."""
        styled = {f"scripted/{style}": styled_player(style) for style in STYLES}
        return {"random": random_player, "optimal": optimal_player, "scripted": scripted_player, **styled}


def _seats(setting: Setting) -> tuple[str, ...]:
    return ("agent_1", "agent_2") if setting == "pair" else ("agent_1",)
