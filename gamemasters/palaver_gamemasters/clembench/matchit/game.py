"""MatchIt as it was played for the published runs (v1.6.5), with photographs and boards or with ASCII grids."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, get_args

from pydantic import Field, JsonValue, PositiveInt

from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.options import ClemOptions, PicturedOptions
from palaver_gamemasters.clembench.play import REPROMPT, SEND, Play
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Scores, read_instance
from palaver_gamemasters.showing import Move, Panel
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError
from palaver_protocols.messages import Player

from . import showing
from .instances import GRIDS, PICTURES, grid_instance, picture_instance
from .players import PLAYERS
from .prompts import Thing
from .rules import Decision, Kind, Step, decision_of, first_word, plainly, steps, tidied

__all__ = ["MatchIt", "MatchItAscii", "MatchItOptions", "MatchItSetup", "MatchItState", "PicturedMatchItOptions"]

SEATS = {"A": "player_1", "B": "player_2"}
GRID = "$GRID$"
MOST = 5
"""The most questions that each player asks in any published instance."""
LONGEST = 100
"""The most that an instance can ask for: its number is that of rounds, each of four answers."""


class MatchItOptions(ClemOptions):
    """What MatchIt can be set to."""

    questions: PositiveInt = Field(
        default=3, le=20, description="questions that each player asks (own instances; published: 3, also 1 and 5)"
    )
    info: bool = Field(default=False, description="tell the players how many questions they have (own instances)")


class PicturedMatchItOptions(PicturedOptions, MatchItOptions):
    """What MatchIt with pictures can be set to."""


class MatchItSetup(Frozen):
    """An instance: two pictures or two grids, and the experiment's texts.

    ``decision_turn`` is the number of questions that each player asks.
    """

    flags: Mapping[str, str]
    initial_prompt: str
    q_reprompt: str
    d_reprompt: str
    a_request: str
    desc_intro: str
    solution: str
    wrong_solution: str
    decision_turn: PositiveInt = Field(le=LONGEST)
    image_a: str | None = None
    image_b: str | None = None
    grid_a: str | None = None
    grid_b: str | None = None

    def shown(self, thing: Thing, player: str) -> str:
        """Return what a player sees: its grid, or the name of its picture; nothing if there is none."""
        given = {"image": (self.image_a, self.image_b), "grid": (self.grid_a, self.grid_b)}[thing]
        return given[player == "B"] or ""


@dataclass(frozen=True)
class MatchItState:
    """Which question is out, and what was said: by player and kind, the latest of each."""

    setup: MatchItSetup
    plan: tuple[Step, ...]
    at: int = 0
    said: Mapping[tuple[str, Kind], str] = field(default_factory=dict)
    parsed: int = 0
    violated: int = 0
    decisions: tuple[str, ...] = ()


class MatchIt(ClemGame[MatchItState, MatchItOptions]):
    """Two pictures: the same, similar, or different."""

    name = "matchit"
    summary = "two players find out by talking whether they see the same picture (clembench)"
    options_type: type[MatchItOptions] = PicturedMatchItOptions
    shown: ClassVar[Thing] = "image"
    """What the players see."""

    def turn_limit(self, options: MatchItOptions) -> int:
        """Return the number of answers of an episode that is played to its end.

        Instances of a file say themselves how many questions there are; none of the published ones has more than five.
        """
        questions = options.questions if options.instances is None else max(options.questions, MOST)
        return 4 * questions + 4

    def experiments(self, options: MatchItOptions) -> tuple[str, ...]:
        """Name the experiments: how alike the two pictures are."""
        return PICTURES

    def make(self, experiment: str, dice: Dice, options: MatchItOptions) -> ClemInstance:
        """Draw two pictures."""
        return picture_instance(experiment, dice, questions=options.questions, info=options.info)

    def panels(self, state: Play[MatchItState]) -> tuple[Panel, ...]:
        """Show what both players see, side by side."""
        return showing.panels(state, self.shown)

    def moves(self, state: Play[MatchItState], seat: str) -> tuple[Move, ...]:
        """Return the two decisions, or yes and no where a question is to be answered."""
        return showing.sayings(state) if seat == state.pending else ()

    def players(self) -> Mapping[str, Player]:
        """Return the scripts: chance, one that finds out, and one that hardly asks."""
        return PLAYERS

    def begin(self, play: Play[Any]) -> Play[MatchItState]:
        """Ask A for a description."""
        setup: MatchItSetup = read_instance(self.name, MatchItSetup, play.instance.fields)
        missing = [f"{self.shown}_{player.lower()}" for player in SEATS if not setup.shown(self.shown, player)]
        missing += [f"flags.{kind}" for kind in get_args(Kind) if kind not in setup.flags]
        if missing:
            raise InstanceError(f"{self.name} instance: {missing[0]} is missing")
        return self._ask(play.then(MatchItState(setup, tuple(steps(setup.decision_turn)))))

    def hear(self, play: Play[MatchItState], seat: str, text: str) -> Play[MatchItState]:
        """Check the answer, and ask the next question."""
        now = play.now
        step = now.plan[now.at]
        if not text.strip():
            return self._abort(play.note("invalid content", "abort, empty answer"))
        read = self._read(play, text)
        if read is None:
            return self._abort(play.note("invalid format", f"abort, first word: {first_word(text)}"))
        play = play.note("valid format", "continue")
        now = replace(now, said={**now.said, (step.player, step.kind): read.strip()}, parsed=now.parsed + 1)
        if step.kind == "decision":
            decision = self._decision(play, read)
            if decision is None:
                # section 3.5: v1.6.5 counts such a decision as parsed, by its flag, and as violated
                now = replace(now, parsed=now.parsed - play.clean)
                return self._abort(play.then(now).note("invalid content", f"abort, {text}"))
            play = play.note(f"Decision Player {step.player}", decision)
            now = replace(now, decisions=(*now.decisions, decision))
        play = play.keep(seat, read).then(replace(now, at=now.at + 1))
        if play.now.at == len(now.plan):
            return play.end("played")
        return self._ask(play.turn() if now.plan[play.now.at].turn > step.turn else play)

    def measure(self, play: Play[MatchItState]) -> tuple[bool, Scores]:
        """Return the measures of section 3.5: both decisions are right, one is, or none."""
        now = play.now
        right = now.decisions.count("success")
        decided = play.ending == "played"
        return right == 2, {
            "Main Score": 100.0 * (right == 2) if decided else None,
            "Aborted": float(play.ending == "aborted"),
            "Success": float(decided and right == 2),
            "Lose": float(decided and right < 2),
            "Player Score": 50.0 * right if decided else None,
            "Request Count": float(now.parsed + now.violated),
            "Parsed Request Count": float(now.parsed),
            "Violated Request Count": float(now.violated),
        }

    def _read(self, play: Play[MatchItState], text: str) -> str | None:
        """Return what was answered, flag and all; None if it does not begin with the flag that is due."""
        setup, step = play.now.setup, play.now.plan[play.now.at]
        flag = setup.flags[step.kind]
        if play.clean:
            return tidied(text, flag, setup.flags.values())
        # section 3.4: v1.6.5 splits at blanks alone, and minds the case, so "ANSWER:yes" and "Answer: yes" abort;
        # whatever follows the flag is let pass, and told to the other player
        return text if first_word(text) == flag else None

    def _decision(self, play: Play[MatchItState], text: str) -> Decision | None:
        setup = play.now.setup
        flag, solution, wrong = setup.flags["decision"], setup.solution, setup.wrong_solution
        if play.clean:
            return decision_of(plainly(text), flag, plainly(solution), plainly(wrong))
        # section 3.4: v1.6.5 compares to the letter, so that a trailing blank or a plural aborts
        return decision_of(text, flag, solution, wrong)

    def _abort(self, play: Play[MatchItState]) -> Play[MatchItState]:
        now = replace(play.now, violated=play.now.violated + 1)
        return play.then(now).note("Game over", "Aborted").end("aborted")

    def _ask(self, play: Play[MatchItState]) -> Play[MatchItState]:
        step = play.now.plan[play.now.at]
        text = self._question(play.now, step)
        seen = step.kind == "description" and self.shown == "image"
        pictures = (play.now.setup.shown(self.shown, step.player),) if seen else ()
        return play.tell(SEATS[step.player], text, pictures, REPROMPT if step.again else SEND)

    def _question(self, now: MatchItState, step: Step) -> str:
        """Write the game master's question (section 3.3)."""
        setup, said = now.setup, now.said
        other = "B" if step.player == "A" else "A"
        match step.kind:
            case "description":
                grid = setup.shown(self.shown, step.player) if self.shown == "grid" else GRID
                return setup.initial_prompt.replace(GRID, grid)
            case "question" if step.turn == 0:
                return f"{setup.desc_intro}{said[other, 'description']}\n{setup.q_reprompt}"
            case "question":
                return setup.q_reprompt
            case "answer" if step.player == "A" and step.turn == 1:
                heard = f"{setup.desc_intro}{said[other, 'description']}"
                return f"{heard}\n{said[other, 'question']}{setup.a_request}"
            case "answer":
                return f"{said[other, 'answer']}\n{said[other, 'question']}{setup.a_request}"
            case "decision":
                return setup.d_reprompt if step.player == "B" else f"{said[other, 'answer']}\n{setup.d_reprompt}"


class MatchItAscii(MatchIt):
    """Two grids of 5 by 5 cells, written as text."""

    name = "matchit_ascii"
    summary = "two players find out by talking whether they see the same grid (clembench)"
    options_type = MatchItOptions
    shown: ClassVar[Thing] = "grid"

    def experiments(self, options: MatchItOptions) -> tuple[str, ...]:
        """Name the experiments: how alike the two grids are."""
        return GRIDS

    def secrets(self, instance: JsonValue, options: MatchItOptions) -> Mapping[str, tuple[str, ...]]:
        """Return for each player the other's grid, where it is another one."""
        given: ClemInstance = read_instance(self.name, ClemInstance, instance)
        setup: MatchItSetup = read_instance(self.name, MatchItSetup, given.fields)
        grids = {player: setup.shown("grid", player) for player in SEATS}
        return {
            SEATS[player]: tuple(grid for other, grid in grids.items() if other != player and grid != mine)
            for player, mine in grids.items()
        }

    def make(self, experiment: str, dice: Dice, options: MatchItOptions) -> ClemInstance:
        """Draw two grids."""
        return grid_instance(experiment, dice, questions=options.questions, info=options.info)
