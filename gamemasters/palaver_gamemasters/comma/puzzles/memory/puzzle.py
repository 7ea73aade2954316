"""The memory puzzle (COMMA, appendix A): five stages, each of which asks for what was pressed in earlier ones."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from PIL import Image as Pillow
from pydantic import Field

from palaver_gamemasters.comma.buttons import numbered
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step, setup_error
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen

from . import manual as manuals
from .manual import PLACES, STAGES, MemoryRules, Press
from .picture import draw
from .scene import MemoryScene, read, write
from .talk import MemoryTalk

__all__ = ["MemoryPuzzle", "MemorySetup", "MemoryState"]

Digit = Literal[1, 2, 3, 4]
PREFIX = "press_"
ACTIONS = tuple(f"{PREFIX}{position}" for position in range(1, 5))


class MemorySetup(Frozen):
    """The display of each stage, and the labels of its buttons from left to right."""

    displays: Annotated[tuple[Digit, ...], Field(min_length=STAGES, max_length=STAGES)]
    labels: Annotated[tuple[tuple[Digit, Digit, Digit, Digit], ...], Field(min_length=STAGES, max_length=STAGES)]


@dataclass(frozen=True, slots=True)
class MemoryState:
    """``right`` are the positions to press, stage by stage, from 1; the first ``passed`` of them were pressed."""

    displays: tuple[int, ...]
    labels: tuple[tuple[int, ...], ...]
    right: tuple[int, ...]
    passed: int = 0


class MemoryPuzzle(Puzzle[MemorySetup, MemoryState, MemoryScene, MemoryRules]):
    """A wrong press is a mistake, and leads back to the first stage: displays and labels are the same again (ours).

    Pressed at random, this gives PSR 16.3 %, 2.99 mistakes and a length of 2.99 (20,000 episodes; published: 15 +- 1.6,
    3.00, 2.95 +- .1).
    """

    name = "memory"
    title = "Memory"
    skills = ("memory recall", "multi-step reasoning")
    setup_type = MemorySetup
    manual = Path(__file__).with_name("manual.md")
    talk = MemoryTalk()

    def read_manual(self, manual: Manual) -> MemoryRules:
        """Read the rules of each stage."""
        return manuals.read(manual)

    def generate(self, rules: MemoryRules, dice: Dice, images: Path | None) -> MemorySetup:
        """Draw displays and orders of labels, each as likely as the others (ours)."""
        digits = (1, 2, 3, 4)
        displays = [dice.pick(digits) for _ in range(STAGES)]
        labels = [dice.sample(digits, len(digits)) for _ in range(STAGES)]
        return MemorySetup.model_validate({"displays": displays, "labels": labels})

    def start(self, setup: MemorySetup, rules: MemoryRules) -> MemoryState:
        """Find the button to press at each stage: those before it were the right ones.

        Raises:
            InstanceError: two buttons of a stage have the same label.
        """
        presses: dict[int, Press] = {}
        for stage, (display, labels) in enumerate(zip(setup.displays, setup.labels, strict=True), 1):
            if len({*labels}) < len(labels):
                raise setup_error(
                    self.name,
                    f"labels[{stage - 1}] has a label twice",
                    mend="give each of the labels 1, 2, 3 and 4 once, such as [2, 4, 1, 3]",
                )
            rule = rules[stage - 1][display - 1].known(presses)
            if rule is None:
                raise setup_error(self.name, f"the manual's stage {stage} refers to no earlier stage")
            position = rule.position(labels)
            presses[stage] = Press(position, labels[position - 1])
        return MemoryState(setup.displays, setup.labels, tuple(press.position for press in presses.values()))

    def actions(self, state: MemoryState) -> tuple[str, ...]:
        """One for each position."""
        return ACTIONS

    def act(self, state: MemoryState, action: str) -> Step[MemoryState]:
        """Press a button: the right one leads to the next stage, any other back to the first."""
        if int(action.removeprefix(PREFIX)) == state.right[state.passed]:
            return Step(replace(state, passed=state.passed + 1))
        return Step(replace(state, passed=0), mistake=True)

    def solved(self, state: MemoryState) -> bool:
        """Whether all stages are passed."""
        return state.passed == STAGES

    def progress(self, state: MemoryState) -> float:
        """Return the share of stages passed."""
        return state.passed / STAGES

    def scene(self, state: MemoryState) -> MemoryScene:
        """Show the stage that is on; the last one stays when it is passed."""
        stage = min(state.passed, STAGES - 1)
        return MemoryScene(state.passed, state.displays[stage], state.labels[stage])

    def write(self, scene: MemoryScene) -> str:
        """Say what is on the module."""
        return write(scene)

    def read(self, text: str) -> MemoryScene:
        """Read what is on the module."""
        return read(text)

    def draw(self, scene: MemoryScene) -> Pillow.Image:
        """Draw the module."""
        return draw(scene)

    def briefing(self, state: MemoryState) -> str:
        """Say that buttons are named by position: names alone could as well mean labels."""
        return (
            "The actions name the buttons by their position from left to right, whatever their labels are: "
            f"{ACTIONS[0]} presses the leftmost button, {ACTIONS[-1]} the rightmost."
        )

    def moves(self, actions: tuple[str, ...], scene: MemoryScene) -> tuple[Move, ...]:
        """The four buttons from left to right: it is the position that counts, so that is what the keys go by."""
        labels = (f"Button {position} (label {label})" for position, label in enumerate(scene.labels, 1))
        return numbered(actions, labels, "From left to right")

    def answer(self, state: MemoryState) -> str:
        """Name the button of every stage."""
        told = (
            f"stage {stage} (display {display}): {PREFIX}{position}, the {PLACES[position - 1]} button, "
            f'labeled "{labels[position - 1]}"'
            for stage, (display, labels, position) in enumerate(
                zip(state.displays, state.labels, state.right, strict=True), 1
            )
        )
        return f"The right buttons are: {'; '.join(told)}."
