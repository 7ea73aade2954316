"""The keypad puzzle (COMMA, appendix A): press four symbols in the order of the one column that holds them all."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from PIL import Image as Pillow
from pydantic import AfterValidator

from palaver_gamemasters.comma.buttons import numbered
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step, setup_error
from palaver_gamemasters.comma.puzzles.corners import ACTIONS, PLACES
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen

from . import manual as manuals
from .manual import KeypadRules, keypads
from .picture import draw
from .scene import KeypadScene, read, write
from .symbols import SYMBOLS
from .talk import KeypadTalk

__all__ = ["KeypadPuzzle", "KeypadSetup", "KeypadState"]


def _known(name: str) -> str:
    if name not in SYMBOLS:
        raise ValueError(f"there is no symbol {name!r}; there are: {', '.join(SYMBOLS)}")
    return name


Symbol = Annotated[str, AfterValidator(_known)]


class KeypadSetup(Frozen):
    """The four symbols in reading order."""

    symbols: tuple[Symbol, Symbol, Symbol, Symbol]


@dataclass(frozen=True, slots=True)
class KeypadState:
    """The keypad as it is. ``order`` holds the buttons as they are to be pressed; ``pressed`` of them are."""

    symbols: tuple[str, ...]
    order: tuple[int, ...]
    pressed: int = 0


class KeypadPuzzle(Puzzle[KeypadSetup, KeypadState, KeypadScene, KeypadRules]):
    """Only the next button of the column is right; any other press is a mistake, and all begins again."""

    name = "keypad"
    title = "Keypad"
    skills = ("multimodal grounding", "multi-step reasoning")
    setup_type = KeypadSetup
    manual = Path(__file__).with_name("manual.md")
    talk = KeypadTalk()

    def read_manual(self, manual: Manual) -> KeypadRules:
        """Read the columns."""
        return manuals.read(manual)

    def generate(self, rules: KeypadRules, dice: Dice, images: Path | None) -> KeypadSetup:
        """Choose four symbols that exactly one column holds, each such set as likely as the others (ours)."""
        return KeypadSetup.model_validate({"symbols": tuple(dice.sample(dice.pick(keypads(rules)), len(PLACES)))})

    def start(self, setup: KeypadSetup, rules: KeypadRules) -> KeypadState:
        """Find the order of the buttons."""
        symbols = setup.symbols
        shown = ", ".join(symbols)
        if len(set(symbols)) < len(PLACES):
            raise setup_error(
                self.name,
                f"symbols: {shown} are not four different symbols",
                mend="give each button a symbol of its own",
            )
        order = rules.order(symbols)
        if order is None:
            count = len(rules.holding(symbols))
            raise setup_error(
                self.name,
                f"symbols: {count or 'none'} of the manual's columns hold{'s' * (not count)} all of {shown}",
                mend="choose four symbols that exactly one column holds",
            )
        return KeypadState(symbols, tuple(symbols.index(symbol) for symbol in order))

    def actions(self, state: KeypadState) -> tuple[str, ...]:
        """One for each button."""
        return ACTIONS

    def act(self, state: KeypadState, action: str) -> Step[KeypadState]:
        """Press a button: one that was pressed already is wrong too."""
        if ACTIONS.index(action) == state.order[state.pressed]:
            return Step(replace(state, pressed=state.pressed + 1))
        return Step(replace(state, pressed=0), mistake=True)

    def solved(self, state: KeypadState) -> bool:
        """Whether all four are pressed."""
        return state.pressed == len(state.order)

    def progress(self, state: KeypadState) -> float:
        """Return the share of the buttons that are pressed."""
        return state.pressed / len(state.order)

    def scene(self, state: KeypadState) -> KeypadScene:
        """Show the symbols, and the lamps of those that were pressed in their turn."""
        return KeypadScene(state.symbols, frozenset(state.order[: state.pressed]))

    def write(self, scene: KeypadScene) -> str:
        """List the symbols."""
        return write(scene)

    def read(self, text: str) -> KeypadScene:
        """Read the list."""
        return read(text)

    def draw(self, scene: KeypadScene) -> Pillow.Image:
        """Draw the keypad."""
        return draw(scene)

    def briefing(self, state: KeypadState) -> str:
        """Say what the lamps are for."""
        return "A lamp on a button is lit once it has been pressed in its turn; a mistake puts out all lamps."

    def moves(self, actions: tuple[str, ...], scene: KeypadScene) -> tuple[Move, ...]:
        """The four buttons by their places: what is drawn on them, it is for the solver to say."""
        labels = (f"{place.capitalize()}{' (lit)' * (button in scene.lit)}" for button, place in enumerate(PLACES))
        return numbered(actions, labels, "Buttons")

    def answer(self, state: KeypadState) -> str:
        """Name the buttons in order."""
        told = ", ".join(f"{PLACES[button]} ({state.symbols[button]})" for button in state.order)
        return f"The right order is {told}."
