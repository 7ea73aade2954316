"""One Lump Too Many: finds the word that does not belong into a kitchen, and puts the work there in order."""

import re
from typing import NamedTuple

from .solved import Solved, UnsolvedError, counted, listed, only

__all__ = ["solve"]

CARD = re.compile(r"^card, (?P<row>top|second|third|bottom) row, (?P<column>left|right): (?P<text>.+)$", re.MULTILINE)
ROWS = ("top", "second", "third", "bottom")
KITCHEN_TALK = (
    "a all and any as at bag bags be before best biscuit boil boiling bowl brew bring by call camping can cold "
    "cool cosily cosy cup cups day drain dry each enough everybody everyone fill fire five for four fresh from "
    "full gas get give go goes guest guests half hang heat heats high hob hold hot hour in inside into is it "
    "kettle lay leaf leave leaves lemon let lid light line little low make milk minute minutes no not now of "
    "off on once one or our out over pan per plan please pot pour pours put right ring rinse round saucer "
    "saucers serve sieve sip slowly splash spoon spoonful spoons stand steam steep stir stove strain strainer "
    "sugar take tap tea teapot ten than that the them then three till tip to two under until up wait warm water "
    "we well when while whistle whistles with you your"
)
"""Words that people use when they make tea."""
KITCHEN = frozenset(KITCHEN_TALK.split())
WORK = (
    ("fill", "tap", "rinse"),
    ("hob", "stove", "fire", "gas"),
    ("warm",),
    ("leaves", "spoonful", "spoon"),
    ("boiling", "boils"),
    ("wait", "minutes", "steep", "stand"),
    ("cups", "strain", "serve"),
)
"""What tells each step of the work, from first to last: water, heat, a warm pot, leaves, water on them, time, cups."""


class Card(NamedTuple):
    """A card: its words, the one that is wrong, the one that was meant, and the letter between them."""

    step: int
    wrong: str
    meant: str
    letter: str


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    found = sorted(CARD.finditer(words), key=lambda card: (ROWS.index(card["row"]), card["column"]))
    if len(found) != counted(words, "cards"):
        raise UnsolvedError("there are more cards")
    cards = [_read(card["text"]) for card in found]
    order = sorted(cards)
    if [card.step for card in order] != list(range(len(cards))):
        raise UnsolvedError("this is no whole pot of tea")
    answer = "".join(card.letter for card in order)
    return Solved(
        steps=(
            f"On each card one word makes no sense: {listed(card.wrong for card in cards)}.",
            (
                f"Without one letter each it does: {listed(card.meant for card in cards)}. "
                f"One too many were {listed(card.letter for card in cards)}."
            ),
            (
                "Tea is made in this order: fill the kettle, heat it, warm the pot, leaves in, boiling water on, wait, "
                f"pour out. So the cards go {listed(card.wrong for card in order)}."
            ),
            f"The letters too many, in this order, are {listed(answer)}: {answer}.",
        ),
        answer=answer,
        guess="".join(card.letter for card in cards),
    )


def _read(text: str) -> Card:
    said = [word.lower() for word in re.findall(r"[A-Za-z]+", text)]
    wrong = only((word for word in said if word not in KITCHEN), "the wrong word of a card")
    meant = {wrong[:at] + wrong[at + 1 :]: wrong[at] for at in range(len(wrong))}
    right = only((word for word in meant if word in KITCHEN), "the word that was meant")
    steps = [number for number, cues in enumerate(WORK) if any(cue in said for cue in cues)]
    if len(steps) != 1:
        raise UnsolvedError("a card is no single step of making tea")
    return Card(steps[0], wrong.upper(), right.upper(), meant[right].upper())
