"""The password puzzle (COMMA, appendix A): five slots of three letters each, of which one combination is a word."""

from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated

from PIL import Image as Pillow
from pydantic import Field

from palaver_gamemasters.comma.buttons import DOWNWARD, UPWARD
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step, setup_error
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError

from . import manual as manuals
from .manual import LENGTH, REACH, SECTION, PasswordRules, fitting
from .picture import draw
from .scene import PasswordScene, read, write
from .talk import PasswordTalk

__all__ = ["PasswordPuzzle", "PasswordSetup", "PasswordState"]

Three = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
UP, DOWN, SUBMIT = "press_up_", "press_down_", "submit"
NUMBERS = range(1, LENGTH + 1)
ACTIONS = (*(f"{UP}{number}" for number in NUMBERS), *(f"{DOWN}{number}" for number in NUMBERS), SUBMIT)
STARTS = len(ascii_uppercase) - REACH
"""So many runs of three letters there are."""
WORDS_TRIED, SLOTS_TRIED = 20, 100
BRIEFING = """\
The five slots count from 1 to 5, from left to right. Each goes through three consecutive letters of the alphabet, of \
which you see the current one: press_up_1 shows the letter before it in slot 1, press_down_1 the letter after it. \
After the last of the three comes the first again, and before the first the last. submit hands in the word that is \
shown."""


class PasswordSetup(Frozen):
    """The letters of each slot in the order of the alphabet, and those that are shown at the beginning."""

    slots: tuple[Three, Three, Three, Three, Three]
    shown: Annotated[str, Field(pattern=rf"^[A-Z]{{{LENGTH}}}$")]


@dataclass(frozen=True, slots=True)
class PasswordState:
    """The module as it is: what the slots hold, what they show, the password."""

    slots: tuple[str, ...]
    shown: str
    word: str
    open: bool = False


class PasswordPuzzle(Puzzle[PasswordSetup, PasswordState, PasswordScene, PasswordRules]):
    """Set the one word that the slots can make, and submit it; to submit another is a mistake."""

    name = "password"
    title = "Password"
    skills = ("multimodal grounding", "multi-step reasoning")
    setup_type = PasswordSetup
    manual = Path(__file__).with_name("manual.md")
    talk = PasswordTalk()

    def read_manual(self, manual: Manual) -> PasswordRules:
        """Read the list of words."""
        return manuals.read(manual)

    def generate(self, rules: PasswordRules, dice: Dice, images: Path | None) -> PasswordSetup:
        """Draw a word, letters around it that make no other, and what is shown at first, each equally likely (ours)."""
        word, slots = _slots(rules, dice)
        shown = word
        while shown == word:
            shown = "".join(dice.pick(slot) for slot in slots)
        return PasswordSetup.model_validate({"slots": slots, "shown": shown})

    def start(self, setup: PasswordSetup, rules: PasswordRules) -> PasswordState:
        """Find the word."""
        for number, (slot, letter) in enumerate(zip(setup.slots, setup.shown, strict=True)):
            if slot not in ascii_uppercase:
                raise setup_error(
                    self.name,
                    f"slots.{number} is {slot}",
                    mend="give three letters that follow one another in the alphabet, such as ABC",
                )
            if letter not in slot:
                raise setup_error(
                    self.name,
                    f"shown has {letter} in place {number + 1}, and slots.{number} is {slot}",
                    mend="show a letter of each slot",
                )
        words = fitting(rules, setup.slots)
        if len(words) != 1:
            can = f"can make {' and '.join(words)}" if words else "can make no word of the manual's list"
            raise setup_error(self.name, f"slots {can}", mend="let them make exactly one")
        if setup.shown == words[0]:
            raise setup_error(self.name, f"shown is {words[0]}, the password", mend="show other letters first")
        return PasswordState(setup.slots, setup.shown, words[0])

    def actions(self, state: PasswordState) -> tuple[str, ...]:
        """Up and down for each slot, and submit."""
        return ACTIONS

    def act(self, state: PasswordState, action: str) -> Step[PasswordState]:
        """Turn a slot, or try the lock."""
        if action == SUBMIT:
            is_open = state.shown == state.word
            return Step(replace(state, open=is_open), mistake=not is_open)
        place = int(action[-1]) - 1
        slot = state.slots[place]
        turned = slot[(slot.index(state.shown[place]) + (-1 if action.startswith(UP) else 1)) % len(slot)]
        return Step(replace(state, shown=state.shown[:place] + turned + state.shown[place + 1 :]))

    def solved(self, state: PasswordState) -> bool:
        """Whether the lock is open."""
        return state.open

    def progress(self, state: PasswordState) -> float:
        """Nothing counts but the open lock."""
        return float(state.open)

    def scene(self, state: PasswordState) -> PasswordScene:
        """Show the current letters."""
        return PasswordScene(state.shown, state.open)

    def write(self, scene: PasswordScene) -> str:
        """Show the letters as text."""
        return write(scene)

    def read(self, text: str) -> PasswordScene:
        """Read them."""
        return read(text)

    def draw(self, scene: PasswordScene) -> Pillow.Image:
        """Draw the lock."""
        return draw(scene)

    def briefing(self, state: PasswordState) -> str:
        """Explain the buttons."""
        return BRIEFING

    def moves(self, actions: tuple[str, ...], scene: PasswordScene) -> tuple[Move, ...]:
        """Up and down for each slot, by the same keys: those of the slot that is chosen; and submit."""
        turning = (
            Move(f"{action}{number}", label, f"Slot {number}: {letter}", keys)
            for number, letter in enumerate(scene.letters, 1)
            for action, label, keys in ((UP, "▲ letter before", UPWARD), (DOWN, "▼ letter after", DOWNWARD))
        )
        return (*turning, Move(SUBMIT, "Submit the word", "Lock"))

    def answer(self, state: PasswordState) -> str:
        """Name the word, and what the slots hold."""
        return f"The word is {state.word}, to be set and submitted; the slots hold {', '.join(state.slots)}."


def _slots(rules: PasswordRules, dice: Dice) -> tuple[str, tuple[str, ...]]:
    """Draw a word, and slots that can make no other."""
    for _ in range(WORDS_TRIED):
        word = dice.pick(rules)
        for _ in range(SLOTS_TRIED):
            slots = tuple(_around(letter, dice) for letter in word)
            if fitting(rules, slots) == (word,):
                return word, slots
    raise InstanceError(
        f"the password manual: no slots of three letters hold just one word of section {SECTION!r}",
        mend="list words that are less alike",
    )


def _around(letter: str, dice: Dice) -> str:
    """Draw one of the runs of three letters that hold a letter."""
    place = ascii_uppercase.index(letter)
    starts = [start for start in range(place - REACH, place + 1) if 0 <= start < STARTS]
    start = dice.pick(starts)
    return ascii_uppercase[start : start + REACH + 1]
