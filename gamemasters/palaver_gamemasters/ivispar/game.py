"""The rules of the sliding geom puzzle (iVISPAR, section 3): one move at a time, until all stand at their goals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.game import Game, GameOutcome, Instance, Reply, Scores, Usual
from palaver_gamemasters.minutes import GM, Minute, Minutes
from palaver_gamemasters.showing import Move, Panel
from palaver_protocols.messages import Player, Sampling
from palaver_protocols.transcript import Message

from . import instances, observation, showing
from .actions import Step, performed
from .board import Board, Position
from .commands import NO_ACTION
from .options import IvisparOptions
from .pictures import check
from .players import PLAYERS
from .published import published
from .scores import Class, Distance, classes, distances, measure, progress

__all__ = ["IvisparGame", "IvisparState"]

PLAYER = "player"


@dataclass(frozen=True, slots=True)
class IvisparState:
    """An episode as it stands."""

    board: Board
    options: IvisparOptions
    steps: tuple[Step, ...] = ()

    @property
    def position(self) -> Position:
        """Where the geoms stand now."""
        return self.steps[-1].after if self.steps else self.board.start

    @property
    def solved(self) -> bool:
        """Whether all geoms stand at their goals."""
        return self.position == self.board.goal

    @property
    def over(self) -> bool:
        """Whether the board is solved, or the actions are used up."""
        return self.solved or len(self.steps) >= self.options.moves


def _note(step: Step, kind: Class | None, left: Distance) -> Minute:
    told = NO_ACTION if step.action is None else step.action
    return Minute(GM, GM, kind or "moved", told, more={"moves to go": "unknown" if left is None else left})


class IvisparGame(Game[IvisparState, IvisparOptions]):
    """The sliding geom puzzle of iVISPAR."""

    name = "ivispar"
    summary = "sliding coloured shapes to their goals, seen in 3D, from above or in words (iVISPAR)"
    options_type = IvisparOptions
    primary_score = "success"
    usual = Usual(episodes=100, protocol="user", sampling=Sampling(max_tokens=500))

    def of_variant(self, variant: str) -> Mapping[str, Any]:
        """Return the modality that a variant stands for."""
        return {"modality": variant}

    def variant(self, options: IvisparOptions) -> str:
        """Return the modality."""
        return options.modality

    def instances(self, options: IvisparOptions, seed: int) -> Iterator[Instance]:
        """Return the boards of the seed, or those of the options' file."""
        return instances.instances(options, seed)

    def seats(self, options: IvisparOptions) -> tuple[str, ...]:
        """Return the player."""
        return (PLAYER,)

    def turn_limit(self, options: IvisparOptions) -> int:
        """Return the number of actions."""
        return options.moves

    def start(self, instance: JsonValue, options: IvisparOptions) -> IvisparState:
        """Set the board up.

        Raises:
            InstanceError: it makes no game, or cannot be drawn.
        """
        board = instances.board_of(instance)
        check(board, options)
        return IvisparState(board, options)

    def pending(self, state: IvisparState) -> tuple[str, ...]:
        """The player, until it is over."""
        return () if state.over else (PLAYER,)

    def view(self, state: IvisparState, seat: str) -> tuple[Message, ...]:
        """Return the task, the window of past steps, the goal, the board now, and the question."""
        board, options = state.board, state.options
        told = [observation.task(board, options), *observation.history(board, options, state.steps, seat)]
        if options.modality != "text":
            told.append(observation.goal_shown(board, options))
            told.append(observation.position_shown(board, options, state.position, "active"))
        return (*told, observation.step_told(board, options, state.position))

    def apply(self, state: IvisparState, replies: Mapping[str, Reply]) -> IvisparState:
        """Do what the player says."""
        return self.acted(state, replies[PLAYER].text)

    def acted(self, state: IvisparState, answer: str) -> IvisparState:
        """Do what an answer says, whoever gave it."""
        options = state.options
        step = performed(state.board, state.position, answer, compat=options.compat, ours=options.modality == "2d")
        return replace(state, steps=(*state.steps, step))

    def outcome(self, state: IvisparState) -> GameOutcome | None:
        """Solved if all geoms stand at their goals."""
        if not state.over:
            return None
        return "solved" if state.solved else "failed"

    def score(self, state: IvisparState) -> Scores:
        """Measure the episode."""
        return measure(state.board, state.steps, state.position)

    def progress(self, state: IvisparState) -> float | None:
        """Return the share of the way that lies behind."""
        return progress(state.board, state.position)

    def minutes(self, state: IvisparState) -> Minutes:
        """Note of each action what class it is of, and how many moves are left from there."""
        steps = state.steps
        found = zip(steps, classes(state.board, steps), distances(state.board, steps)[1:], strict=True)
        return tuple((_note(step, kind, left),) for step, kind, left in found)

    def panels(self, state: IvisparState) -> tuple[Panel, ...]:
        """Draw the board as it stands, and the goal."""
        now = showing.now_panel(state.board, state.steps, state.options, state.options.moves)
        return now, showing.goal_panel(state.board, state.options)

    def moves(self, state: IvisparState, seat: str) -> tuple[Move, ...]:
        """Return each geom's four moves; each is a whole answer."""
        return showing.moves_of(state.board.geoms, state.options)

    def published(self) -> Mapping[str, Any]:
        """Return the study's tables (appendix A.4)."""
        return published()

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: chance, and the best there can be."""
        return PLAYERS
