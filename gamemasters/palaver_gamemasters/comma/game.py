"""The rules of COMMA (Ossowski et al., sections 3 and 4): a solver who sees, an expert who knows, ten puzzles.

A turn: the solver speaks; each line of its message that is a valid action is performed; then the expert speaks, who has
heard the solver and nothing else. Ten turns and three mistakes at most.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.calibration import Calibration
from palaver_gamemasters.game import Game, GameOutcome, Instance, Read, Reply, Scores, Usual, read_instance
from palaver_gamemasters.showing import Move, Panel
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.messages import Player, Sampling
from palaver_protocols.transcript import ENVIRONMENT, Message, view_of

from . import instances, judge, showing, tasks
from .instances import CommaInstance
from .manual import TELLING, divided, telling_lines
from .options import ALL, CommaOptions
from .published import published
from .puzzle import AnyPuzzle
from .puzzles import TEN, load_puzzle
from .scores import measure
from .show import scene_shown
from .speakers import PLAYERS
from .state import SOLVER, CommaState, heard

__all__ = ["CommaGame"]


class CommaGame(Game[CommaState, CommaOptions]):
    """The ten solver and expert puzzles of COMMA, and any that a user adds."""

    name = "comma"
    summary = "a solver sees a puzzle, an expert holds its manual: ten puzzles (COMMA)"
    options_type = CommaOptions
    primary_score = "partial_success"
    usual = Usual(episodes=len(TEN), protocol="transcript", sampling=Sampling(temperature=0.0))

    def of_variant(self, variant: str) -> Mapping[str, str]:
        """Return the puzzle that a variant stands for."""
        return {"puzzle": variant} if variant in TEN else {}

    def variant(self, options: CommaOptions) -> str:
        """Return the puzzle, or ``all``; each instance says its own."""
        return options.puzzle

    def instances(self, options: CommaOptions, seed: int) -> Iterator[Instance]:
        """Return the initialisations of the seed, or those of the options' file."""
        return instances.instances(options, seed)

    def seats(self, options: CommaOptions) -> tuple[str, ...]:
        """Return the solver, then the experts."""
        return (SOLVER, *tasks.experts_of(options.experts))

    def turn_limit(self, options: CommaOptions) -> int:
        """Return the number of messages if no turn solves the puzzle; the solver's last is the last of all."""
        return (options.turns - 1) * (options.experts + 1) + 1

    def start(self, instance: JsonValue, options: CommaOptions) -> CommaState:
        """Set the puzzle up, and write the task of every seat."""
        given: CommaInstance = read_instance("comma", CommaInstance, instance)
        try:
            puzzle = load_puzzle(given.puzzle)
        except InstanceError:
            raise
        except UsageError as error:
            raise InstanceError(error.message, mend=error.mend) from error
        if options.puzzle not in (ALL, given.puzzle):
            raise InstanceError(
                f"comma instance: its puzzle is {given.puzzle}, and {options.puzzle} is to be played",
                mend="leave variant and option out, or name its own puzzle",
            )
        rules = instances.rules_of(puzzle, given.manual)
        manual = _manual_of(puzzle, given)
        now = puzzle.start(puzzle.configure(given.setup), rules)
        actions = puzzle.actions(now)
        seats = self.seats(options)
        told = {SOLVER: tasks.solver_task(actions, *tasks.notes_on(options), puzzle.briefing(now))}
        if experts := seats[1:]:
            for seat, part in zip(experts, _parts_of(manual, len(experts)), strict=True):
                told[seat] = tasks.expert_task(seat, part, others=len(experts) - 1)
        return CommaState(puzzle, options, seats, told, rules, manual, now, actions)

    def pending(self, state: CommaState) -> tuple[str, ...]:
        """The solver speaks, then each expert."""
        return () if state.over else (state.seats[state.speaker],)

    def view(self, state: CommaState, seat: str) -> tuple[Message, ...]:
        """Return a seat's task, what it has heard, and for the solver the puzzle as it is now."""
        known = _remembered(state, seat)
        if seat != SOLVER:
            return (state.tasks[seat], *known)
        return (state.tasks[seat], *known, self._shown(state))

    def split(self, state: CommaState, seat: str, members: int) -> tuple[tuple[Message, ...], ...]:
        """Divide an expert's manual among a team; the lead holds none of it (ours, after the paper's section 7).

        Raises:
            UsageError: it is the solver's seat, or the manual has been divided already.
        """
        if seat == SOLVER or state.options.experts > 1:
            raise UsageError(
                f"comma: what {seat} is shown cannot be divided", mend="only one expert's manual can: seat a team there"
            )
        known = _remembered(state, seat)
        return tuple((task, *known) for task in tasks.expert_team(seat, state.puzzle, state.manual, members))

    def secrets(self, instance: JsonValue, options: CommaOptions) -> Mapping[str, tuple[str, ...]]:
        """Return the manual's lines for the solver, for experts those of other parts, and the puzzle as it begins."""
        given: CommaInstance = read_instance("comma", CommaInstance, instance)
        puzzle = load_puzzle(given.puzzle)
        now = puzzle.start(puzzle.configure(given.setup), instances.rules_of(puzzle, given.manual))
        scene = puzzle.write(puzzle.scene(now))
        parts = _parts_of(_manual_of(puzzle, given), max(1, options.experts))
        own = {SOLVER: f"{puzzle.briefing(now)}\n{scene}", **dict(zip(self.seats(options)[1:], parts, strict=False))}
        found = {}
        for seat, mine in own.items():
            lines = [line for part in parts if part != mine for line in telling_lines(part)]
            shown = scene if seat != SOLVER and len(scene) >= TELLING else ""
            found[seat] = tuple(text for text in (*lines, shown, puzzle.answer(now)) if text and text not in mine)
        return found

    def apply(self, state: CommaState, replies: Mapping[str, Reply]) -> CommaState:
        """Hear the seat whose turn it is. They talk: a picture that a seat sends along reaches nobody."""
        ((seat, reply),) = replies.items()
        return heard(state, Message.text_from(seat, reply.text))

    def outcome(self, state: CommaState) -> GameOutcome | None:
        """Solved, or failed: too many mistakes, or out of turns."""
        if not state.over:
            return None
        return "solved" if state.solved else "failed"

    def score(self, state: CommaState) -> Scores:
        """Measure the episode."""
        return measure(state)

    def progress(self, state: CommaState) -> float:
        """Return the best progress so far."""
        return state.best

    def panels(self, state: CommaState) -> tuple[Panel, ...]:
        """Show the solver's picture, and turns, mistakes and progress."""
        return showing.panels(state)

    def moves(self, state: CommaState, seat: str) -> tuple[Move, ...]:
        """Return the solver's actions as buttons; an expert can only talk."""
        return state.puzzle.moves(state.actions, state.puzzle.scene(state.now)) if seat == SOLVER else ()

    def published(self) -> Mapping[str, Any]:
        """Return the study's tables 1 to 5, and the efficiency of its figure 5."""
        return published()

    def grading_views(self, state: CommaState) -> tuple[tuple[Message, ...], ...]:
        """Ask a judge which errors there were, with the study's definitions (section 5.2)."""
        return (judge.grading_view(state),)

    def read_grade(self, state: CommaState, text: str, question: int = 0) -> Read:
        """Read which errors a judge has found; how the episode ended is the rules' business."""
        return judge.read_grade(self.outcome(state) or "failed", text)

    def graders(self) -> Mapping[str, Player]:
        """Return the judges that need no model."""
        return judge.GRADERS

    def calibration(self) -> Calibration:
        """Return the study's categories, and conversations whose main error is known."""
        return Calibration(judge.SCORES, lambda seed, each: judge.examples(self, seed, each))

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: at random, by talking, and by talking with a fault."""
        return PLAYERS

    def _shown(self, state: CommaState) -> Message:
        return scene_shown(state.puzzle, state.puzzle.scene(state.now), state.options.modality)


def _manual_of(puzzle: AnyPuzzle, given: CommaInstance) -> str:
    return instances.own_manual(puzzle).text if given.manual is None else given.manual


def _parts_of(manual: str, experts: int) -> tuple[str, ...]:
    """Return what each expert holds of a manual."""
    return (manual,) if experts == 1 else divided(manual, experts)


def _remembered(state: CommaState, seat: str) -> tuple[Message, ...]:
    """Return what a seat remembers of the dialogue: all of it, or what each of the others said last.

    Without memory (COMMA, section 5.3) a seat knows the latest message only. Where it has several partners, that is the
    latest of each; a solver alone has the environment's.
    """
    dialogue = view_of(state.dialogue, seat)
    if state.options.memory == "full":
        return dialogue
    partners = [other for other in state.seats if other != seat] or [ENVIRONMENT]
    latest = {message.speaker: number for number, message in enumerate(dialogue) if message.speaker in partners}
    return tuple(dialogue[number] for number in sorted(latest.values()))
