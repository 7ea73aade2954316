"""The rules of the described puzzle: before each move the describers speak, one after another; then the mover moves.

What is asked of the players is the same as in the study, and measured alike, but that seeing and acting are two seats:
so that what a pair solves, beside what each model solves alone, tells how well they work together.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.game import Game, GameOutcome, Instance, Reply, Scores, Usual
from palaver_gamemasters.minutes import Minutes
from palaver_gamemasters.showing import Move, Panel
from palaver_protocols.errors import InstanceError
from palaver_protocols.messages import Player
from palaver_protocols.transcript import Message

from .. import observation
from ..board import Board, Position
from ..game import IvisparGame, IvisparState
from ..instances import board_of
from ..showing import moves_of, position_panel, steps_of
from .options import DescribedOptions
from .prompts import MOVER, describers_of, tasks
from .showing import mentioned
from .speakers import PLAYERS

__all__ = ["DescribedGame", "DescribedState"]

ALONE = IvisparGame()
"""The puzzle itself."""


@dataclass(frozen=True, slots=True)
class DescribedState:
    """An episode as it stands: the puzzle, the tasks, and all that was said."""

    puzzle: IvisparState
    seats: tuple[str, ...]
    tasks: Mapping[str, Message]
    dialogue: tuple[Message, ...] = ()

    @property
    def speaker(self) -> str:
        """Whose turn it is."""
        return self.seats[len(self.dialogue) % len(self.seats)]


class DescribedGame(Game[DescribedState, DescribedOptions]):
    """iVISPAR's sliding geom puzzle for a mover who sees nothing, and one or several describers who see the board."""

    name = "ivispar_described"
    summary = "a mover who sees nothing slides shapes by what describers tell (after iVISPAR)"
    options_type = DescribedOptions
    primary_score = ALONE.primary_score
    usual = Usual(episodes=ALONE.usual.episodes, sampling=ALONE.usual.sampling)

    def of_variant(self, variant: str) -> Mapping[str, Any]:
        """Return the modality and the number of describers that a variant stands for."""
        modality, _, describers = variant.partition("-")
        return {"modality": modality, **({"describers": describers} if describers else {})}

    def variant(self, options: DescribedOptions) -> str:
        """Return the modality, and the number of describers where there are several: ``3d``, ``text-2``."""
        return options.modality if options.describers == 1 else f"{options.modality}-{options.describers}"

    def instances(self, options: DescribedOptions, seed: int) -> Iterator[Instance]:
        """Return the boards that are played alone, too."""
        return ALONE.instances(options, seed)

    def seats(self, options: DescribedOptions) -> tuple[str, ...]:
        """Return the mover, then the describers."""
        return (MOVER, *describers_of(options))

    def turn_limit(self, options: DescribedOptions) -> int:
        """Return the number of messages: for each move, one of each seat."""
        return options.moves * (1 + options.describers)

    def start(self, instance: JsonValue, options: DescribedOptions) -> DescribedState:
        """Set the board up, and write everybody's task.

        Raises:
            InstanceError: it makes no game, or there are more describers than geoms.
        """
        puzzle = ALONE.start(instance, options)
        if options.describers > len(puzzle.board.geoms):
            raise InstanceError(
                f"{options.describers} describers cannot share a board of {len(puzzle.board.geoms)} geoms",
                mend=f"give min_geoms={options.describers}, or fewer describers",
            )
        return DescribedState(puzzle, (*describers_of(options), MOVER), tasks(puzzle.board, options))

    def pending(self, state: DescribedState) -> tuple[str, ...]:
        """The describers speak, then the mover."""
        return () if state.puzzle.over else (state.speaker,)

    def view(self, state: DescribedState, seat: str) -> tuple[Message, ...]:
        """Return the task and the dialogue; to a describer also the goal, and last the board as it is now."""
        if seat == MOVER:
            return (state.tasks[seat], *state.dialogue)
        board, options = _share(state, seat), state.puzzle.options
        goal, active = observation.told_apart(board, options, _now(state, board), seat)
        return (state.tasks[seat], goal, *state.dialogue, active)

    def secrets(self, instance: JsonValue, options: DescribedOptions) -> Mapping[str, tuple[str, ...]]:
        """Return where objects stand at first and at the goal: all for the mover, the others' for a describer."""
        board = board_of(instance)
        shares = {seat: _dealt(board, options.describers, at) for at, seat in enumerate(describers_of(options))}
        everything = _places(board)
        return {
            seat: tuple(line for line in everything if line not in (_places(shares[seat]) if seat in shares else ()))
            for seat in self.seats(options)
        }

    def apply(self, state: DescribedState, replies: Mapping[str, Reply]) -> DescribedState:
        """Hear who speaks; the mover's answer also moves."""
        ((seat, reply),) = replies.items()
        dialogue = (*state.dialogue, Message.text_from(seat, reply.text))
        puzzle = ALONE.acted(state.puzzle, reply.text) if seat == MOVER else state.puzzle
        return replace(state, dialogue=dialogue, puzzle=puzzle)

    def outcome(self, state: DescribedState) -> GameOutcome | None:
        """Solved if all geoms stand at their goals."""
        return ALONE.outcome(state.puzzle)

    def score(self, state: DescribedState) -> Scores:
        """Measure the episode as one that is played alone."""
        return ALONE.score(state.puzzle)

    def progress(self, state: DescribedState) -> float | None:
        """Return the share of the way that lies behind."""
        return ALONE.progress(state.puzzle)

    def minutes(self, state: DescribedState) -> Minutes:
        """Note of each move what it did; what describers say does nothing."""
        spoken = ((),) * (len(state.seats) - 1)
        return tuple(each for note in ALONE.minutes(state.puzzle) for each in (*spoken, note))

    def panels(self, state: DescribedState) -> tuple[Panel, ...]:
        """Draw the board as it stands and the goal; where describers share the geoms, what each of them sees, too."""
        describers = state.seats[:-1]
        shares = [(seat, _share(state, seat)) for seat in describers] if len(describers) > 1 else []
        seen = (
            position_panel(f"what {seat} sees", share, _now(state, share), state.puzzle.options, seat)
            for seat, share in shares
        )
        return (*ALONE.panels(state.puzzle), *seen)

    def moves(self, state: DescribedState, seat: str) -> tuple[Move, ...]:
        """Return the moves of the geoms that were spoken of; to a describer, those of the geoms that it sees."""
        board, options = state.puzzle.board, state.puzzle.options
        if seat == MOVER:
            return moves_of(mentioned(board, options, state.dialogue), options)
        return steps_of(_share(state, seat).geoms, options)

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: chance, and partners who tell and do what is best."""
        return PLAYERS


def _share(state: DescribedState, seat: str) -> Board:
    """Return the board with the geoms that a describer sees: every so-manieth, so that all shares are alike in size."""
    describers = state.seats[:-1]
    return _dealt(state.puzzle.board, len(describers), describers.index(seat))


def _now(state: DescribedState, share: Board) -> Position:
    """Return where the geoms of a share stand."""
    placed = zip(state.puzzle.board.geoms, state.puzzle.position, strict=True)
    return tuple(cell for geom, cell in placed if geom in share.geoms)


def _dealt(whole: Board, describers: int, place: int) -> Board:
    return whole.only(range(place, len(whole.geoms), describers))


def _places(board: Board) -> tuple[str, ...]:
    return (*board.lines(board.start), *board.lines(board.goal))
