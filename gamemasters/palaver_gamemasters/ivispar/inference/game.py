"""The rules of board-state inference (iVISPAR, section 4.7): one picture, one answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.game import Game, GameOutcome, Instance, Reply, Scores, Usual
from palaver_gamemasters.ivispar import instances
from palaver_gamemasters.ivispar.board import Board
from palaver_gamemasters.ivispar.pictures import check
from palaver_gamemasters.ivispar.showing import position_panel
from palaver_gamemasters.minutes import Minutes
from palaver_gamemasters.showing import Panel
from palaver_protocols.messages import Player, Sampling
from palaver_protocols.transcript import Message

from .answer import Answer, read_answer
from .matching import Matching, match, standing_on
from .notes import notes
from .options import InferenceOptions
from .players import PLAYERS
from .prompt import question
from .published import published
from .scores import measure
from .showing import answer_panel
from .vocabulary import vocabulary_of

__all__ = ["InferenceGame", "InferenceState"]

PLAYER = "player"
UNREADABLE = frozenset({"e7_no_list", "e8_no_solution"})


@dataclass(frozen=True, slots=True)
class InferenceState:
    """An episode as it stands. ``said`` is all that the player answered, None before it has."""

    board: Board
    options: InferenceOptions
    said: str | None = None

    @property
    def answer(self) -> Answer:
        """What the answer says; nothing before there is one."""
        return Answer() if self.said is None else _read(self.board, self.said)[0]

    @property
    def matching(self) -> Matching:
        """Which geom of the answer is which on the board; all are missed before there is one."""
        return match(standing_on(self.board), ()) if self.said is None else _read(self.board, self.said)[1]


@lru_cache(maxsize=16)
def _read(board: Board, said: str) -> tuple[Answer, Matching]:
    """Read an answer once for all that ask."""
    answer = read_answer(said, vocabulary_of(board))
    return answer, match(standing_on(board), answer.placed)


class InferenceGame(Game[InferenceState, InferenceOptions]):
    """The auxiliary task of iVISPAR.

    The study shows one picture of each of its 300 boards. Whether the start or the goal is on it, it does not say; here
    it is the start, on the ground and with the label of a current state.
    """

    name = "ivispar_inference"
    summary = "telling what stands where from one picture of a board (iVISPAR's auxiliary task)"
    options_type = InferenceOptions
    primary_score = "accuracy"
    usual = Usual(episodes=100, protocol="user", sampling=Sampling(max_tokens=500))

    def of_variant(self, variant: str) -> Mapping[str, Any]:
        """Return the modality that a variant stands for."""
        return {"modality": variant}

    def variant(self, options: InferenceOptions) -> str:
        """Return the modality."""
        return options.modality

    def instances(self, options: InferenceOptions, seed: int) -> Iterator[Instance]:
        """Return the puzzle's boards, under the puzzle's names."""
        return instances.instances(options, seed)

    def seats(self, options: InferenceOptions) -> tuple[str, ...]:
        """Return the player."""
        return (PLAYER,)

    def turn_limit(self, options: InferenceOptions) -> int:
        """Return the one answer that there is."""
        return 1

    def start(self, instance: JsonValue, options: InferenceOptions) -> InferenceState:
        """Set the board up.

        Raises:
            InstanceError: it is none that the puzzle could be played on.
        """
        board = instances.board_of(instance)
        check(board, options)
        return InferenceState(board, options)

    def pending(self, state: InferenceState) -> tuple[str, ...]:
        """The player, once."""
        return (PLAYER,) if state.said is None else ()

    def view(self, state: InferenceState, seat: str) -> tuple[Message, ...]:
        """Return the question with its picture."""
        return (question(state.board, state.options),)

    def apply(self, state: InferenceState, replies: Mapping[str, Reply]) -> InferenceState:
        """Take the answer."""
        return replace(state, said=replies[PLAYER].text)

    def outcome(self, state: InferenceState) -> GameOutcome | None:
        """Solved if every geom is right, and there is nothing else."""
        if state.said is None:
            return None
        return "solved" if self.score(state)["success"] else "failed"

    def score(self, state: InferenceState) -> Scores:
        """Measure the answer."""
        return measure(state.matching, state.answer)

    def refused(self, state: InferenceState) -> int:
        """Return 1 for an answer without a list, or without its mark."""
        return int(any(error.kind in UNREADABLE for error in state.answer.errors))

    def minutes(self, state: InferenceState) -> Minutes:
        """Return what was made of the answer."""
        return () if state.said is None else (notes(state.matching, state.answer),)

    def panels(self, state: InferenceState) -> tuple[Panel, ...]:
        """Draw the board, and then what the answer makes of it. There are no moves: an answer is a list."""
        board = position_panel("board", state.board, state.board.start, state.options)
        if state.said is None:
            return (board,)
        return board, answer_panel(state.board, state.matching, state.answer, state.options)

    def published(self) -> Mapping[str, Any]:
        """Return the study's tables (appendices A.4.1, A.4.3 and A.6.1)."""
        return published()

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: chance, one that is right, and one that makes every kind of error."""
        return PLAYERS
