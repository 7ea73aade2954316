"""The LED puzzle (COMMA, appendix A): at each stage, press a button whose letter fits the one diagonally opposite."""

from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Literal

from PIL import Image as Pillow
from pydantic import Field

from palaver_gamemasters.comma.buttons import numbered
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step, setup_error
from palaver_gamemasters.comma.puzzles.corners import ACTIONS, PLACES
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen

from . import manual as manuals
from .manual import LedRules
from .picture import draw
from .scene import LedScene, read, write
from .talk import LedTalk

__all__ = ["LedPuzzle", "LedSetup", "LedStage", "LedState"]

LedColour = Literal["red", "green", "blue", "yellow", "purple", "orange"]
Letter = Annotated[str, Field(pattern=r"^[A-Z]$")]
COUNTS = (2, 3, 4, 5)


class LedStage(Frozen):
    """A stage: its LED, and its four letters in reading order."""

    led: LedColour
    letters: tuple[Letter, Letter, Letter, Letter]


class LedSetup(Frozen):
    """The stages in order."""

    stages: Annotated[tuple[LedStage, ...], Field(min_length=2, max_length=5)]


@dataclass(frozen=True, slots=True)
class LedState:
    """The stages as they are. ``right`` holds the right buttons of each; ``stage`` is the current one, from 0."""

    leds: tuple[str, ...]
    letters: tuple[tuple[str, ...], ...]
    right: tuple[tuple[int, ...], ...]
    stage: int = 0


class LedPuzzle(Puzzle[LedSetup, LedState, LedScene, LedRules]):
    """A right press leads to the next stage; a wrong one is a mistake and changes nothing."""

    name = "led"
    title = "LED"
    skills = ("memory recall", "multi-step reasoning")
    setup_type = LedSetup
    manual = Path(__file__).with_name("manual.md")
    talk = LedTalk()

    def read_manual(self, manual: Manual) -> LedRules:
        """Read the multipliers and the rule."""
        return manuals.read(manual)

    def generate(self, rules: LedRules, dice: Dice, images: Path | None) -> LedSetup:
        """Draw a number of stages; for each a colour, the button that is to be right, and letters (ours).

        Letters are drawn again until all four differ and the one opposite the chosen button makes it right. By chance
        other buttons may be right as well.
        """
        return LedSetup(stages=tuple(_stage(rules, dice) for _ in range(dice.pick(COUNTS))))

    def start(self, setup: LedSetup, rules: LedRules) -> LedState:
        """Find the buttons that are right at each stage."""
        right = []
        for number, stage in enumerate(setup.stages):
            where = f"stages.{number}"
            if stage.led not in rules.multipliers:
                raise setup_error(
                    self.name,
                    f"{where}.led: the manual gives no multiplier for {stage.led}",
                    mend=f"choose from {', '.join(rules.multipliers)}, or add it to the manual's table",
                )
            if len(set(stage.letters)) < len(PLACES):
                raise setup_error(
                    self.name,
                    f"{where}.letters: {', '.join(stage.letters)} are not four different letters",
                    mend="give each button a letter of its own",
                )
            right.append(rules.right(stage.letters, stage.led))
            if not right[-1]:
                raise setup_error(
                    self.name,
                    f"{where}.letters: no button is right with {', '.join(stage.letters)} under a {stage.led} LED",
                    mend=_mend(rules, stage),
                )
        return LedState(
            leds=tuple(stage.led for stage in setup.stages),
            letters=tuple(stage.letters for stage in setup.stages),
            right=tuple(right),
        )

    def actions(self, state: LedState) -> tuple[str, ...]:
        """One for each button."""
        return ACTIONS

    def act(self, state: LedState, action: str) -> Step[LedState]:
        """Press a button."""
        if ACTIONS.index(action) in state.right[state.stage]:
            return Step(replace(state, stage=state.stage + 1))
        return Step(state, mistake=True)

    def solved(self, state: LedState) -> bool:
        """Whether all stages are passed."""
        return state.stage == len(state.leds)

    def progress(self, state: LedState) -> float:
        """Return the share of stages that are passed."""
        return state.stage / len(state.leds)

    def scene(self, state: LedState) -> LedScene:
        """Show all LEDs, and the letters of the current stage; those of the last one when all is done."""
        return LedScene(state.leds, state.stage, state.letters[min(state.stage, len(state.leds) - 1)])

    def write(self, scene: LedScene) -> str:
        """List the LEDs and the letters."""
        return write(scene)

    def read(self, text: str) -> LedScene:
        """Read the list."""
        return read(text)

    def draw(self, scene: LedScene) -> Pillow.Image:
        """Draw the module."""
        return draw(scene)

    def moves(self, actions: tuple[str, ...], scene: LedScene) -> tuple[Move, ...]:
        """The four buttons, with their letters."""
        labels = (f"{place.capitalize()}: {letter}" for place, letter in zip(PLACES, scene.letters, strict=True))
        return numbered(actions, labels, "Buttons")

    def answer(self, state: LedState) -> str:
        """Name the right buttons of each stage."""
        told = [
            f"stage {number + 1} ({led} LED): {' or '.join(f'{PLACES[each]} ({letters[each]})' for each in right)}"
            for number, (led, letters, right) in enumerate(zip(state.leds, state.letters, state.right, strict=True))
        ]
        return f"The right buttons are, at {'; '.join(told)}."


def _stage(rules: LedRules, dice: Dice) -> LedStage:
    colour = dice.pick(tuple(rules.multipliers))
    while True:
        letters = [dice.pick(ascii_uppercase) for _ in PLACES]
        right = dice.below(len(PLACES))
        letters[3 - right] = rules.wanted(letters[right], colour) or letters[right]
        if len(set(letters)) == len(PLACES):
            return LedStage.model_validate({"led": colour, "letters": tuple(letters)})


def _mend(rules: LedRules, stage: LedStage) -> str:
    """Say which letter would make the first button right, or that it must be another."""
    wanted = rules.wanted(stage.letters[0], stage.led)
    if wanted is None or wanted in stage.letters:
        return "choose other letters"
    return f"put {wanted} at the bottom right, for example"
