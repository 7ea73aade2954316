"""The who puzzle (COMMA, appendix A): a display names a button to read, its label names the button to press."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from PIL import Image as Pillow
from pydantic import Field

from palaver_gamemasters.comma.buttons import numbered
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step, setup_error
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen

from . import manual as manuals
from .manual import ACTIONS, NO_TEXT, POSITIONS, WORD, WhoRules, button_to_press
from .picture import draw
from .scene import WhoScene, read, write
from .talk import WhoTalk

__all__ = ["Labels", "WhoPuzzle", "WhoSetup", "WhoState"]

Label = Annotated[str, Field(pattern=rf"^{WORD}$")]


class Labels(Frozen):
    """What stands on the buttons: six different labels."""

    top_left: Label
    top_right: Label
    middle_left: Label
    middle_right: Label
    bottom_left: Label
    bottom_right: Label


class WhoSetup(Frozen):
    """What the display says, ``(No Text)`` if it is empty, and the labels."""

    display: Annotated[str, Field(pattern=rf"^(?:{WORD}|{re.escape(NO_TEXT)})$")]
    labels: Labels


@dataclass(frozen=True, slots=True)
class WhoState:
    """The module as it is. ``labels`` go row by row; ``right`` is the button to press, by its index."""

    display: str
    labels: tuple[str, ...]
    right: int
    pressed: bool = False


class WhoPuzzle(Puzzle[WhoSetup, WhoState, WhoScene, WhoRules]):
    """Only the right button is to be pressed; a wrong press changes nothing and is a mistake."""

    name = "who"
    title = "Who"
    skills = ("multimodal grounding",)
    setup_type = WhoSetup
    manual = Path(__file__).with_name("manual.md")
    talk = WhoTalk()

    def read_manual(self, manual: Manual) -> WhoRules:
        """Read both steps."""
        return manuals.read(manual)

    def generate(self, rules: WhoRules, dice: Dice, images: Path | None) -> WhoSetup:
        """Draw a display and six labels of one family, each as likely as the others (ours)."""
        display = dice.pick(tuple(rules.positions))
        labels = dice.sample(dice.pick(rules.families), len(POSITIONS))
        return WhoSetup(display=display, labels=Labels(**dict(zip(Labels.model_fields, labels, strict=True))))

    def start(self, setup: WhoSetup, rules: WhoRules) -> WhoState:
        """Find the button to press."""
        labels = tuple(setup.labels.model_dump().values())
        twice = next((label for label in labels if labels.count(label) > 1), None)
        if twice is not None:
            raise setup_error(self.name, f'labels names "{twice}" twice', mend="give every button a label of its own")
        if setup.display not in rules.positions:
            raise setup_error(
                self.name,
                f'display "{setup.display}" is not in step 1 of the manual',
                mend=f"take one of: {', '.join(rules.positions)}",
            )
        place = rules.positions[setup.display]
        if labels[place] not in rules.words:
            raise setup_error(
                self.name,
                f'labels.{tuple(Labels.model_fields)[place]} "{labels[place]}" is to be read, '
                "and is not in step 2 of the manual",
                mend=f"take one of: {', '.join(rules.words)}",
            )
        return WhoState(setup.display, labels, button_to_press(rules, setup.display, labels))

    def actions(self, state: WhoState) -> tuple[str, ...]:
        """One for each button."""
        return ACTIONS

    def act(self, state: WhoState, action: str) -> Step[WhoState]:
        """Press a button."""
        if ACTIONS.index(action) != state.right:
            return Step(state, mistake=True)
        return Step(replace(state, pressed=True))

    def solved(self, state: WhoState) -> bool:
        """Whether the right button was pressed."""
        return state.pressed

    def progress(self, state: WhoState) -> float:
        """There is but one step."""
        return float(state.pressed)

    def scene(self, state: WhoState) -> WhoScene:
        """Show the display and the labels."""
        return WhoScene(state.display, state.labels, state.pressed)

    def write(self, scene: WhoScene) -> str:
        """List the display and the buttons."""
        return write(scene)

    def read(self, text: str) -> WhoScene:
        """Read the list."""
        return read(text)

    def draw(self, scene: WhoScene) -> Pillow.Image:
        """Draw the module."""
        return draw(scene)

    def moves(self, actions: tuple[str, ...], scene: WhoScene) -> tuple[Move, ...]:
        """The six buttons, with what stands on them."""
        labels = (f"{place.capitalize()}: {label}" for place, label in zip(POSITIONS, scene.labels, strict=True))
        return numbered(actions, labels, "Buttons")

    def answer(self, state: WhoState) -> str:
        """Name the button."""
        return (
            f'The right button is the {POSITIONS[state.right]} one, "{state.labels[state.right]}" '
            f"({ACTIONS[state.right]})."
        )
