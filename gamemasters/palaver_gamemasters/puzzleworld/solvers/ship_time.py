"""Ship Time: reads hands with flags as semaphore, in the order of the bells."""

import re

from .solved import Solved, UnsolvedError, counted, listed, spelt

__all__ = ["solve"]

CLOCK = re.compile(
    r"^clock, (?P<row>upper|lower) row, number (?P<place>\d+): hands (?P<one>[a-z-]+) and (?P<other>[a-z-]+); "
    r"(?P<bells>\d+) bells?$",
    re.MULTILINE,
)
CIRCLE = ("down", "down-left", "left", "up-left", "up", "up-right", "right", "down-right")
"""Where a flag can be, clockwise from below, as who looks at the sailor sees it."""
SEMAPHORE = {
    "A": "01", "B": "02", "C": "03", "D": "04", "E": "05", "F": "06", "G": "07", "H": "12", "I": "13", "J": "46",
    "K": "14", "L": "15", "M": "16", "N": "17", "O": "23", "P": "24", "Q": "25", "R": "26", "S": "27", "T": "34",
    "U": "35", "V": "47", "W": "56", "X": "57", "Y": "36", "Z": "67",
}  # fmt: skip
"""The places of the two flags on that circle."""
LETTERS = {places: letter for letter, places in SEMAPHORE.items()}
SEAFARING = (
    "ALL",
    "HANDS",
    "AYE",
    "SHIP",
    "AHOY",
    "LAND",
    "MAN",
    "OVERBOARD",
    "FIRST",
    "MATE",
    "CREW",
    "HEAVE",
    "AWAY",
)
"""Words that are called out on ships."""


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    clocks = sorted(CLOCK.finditer(words), key=lambda clock: (clock["row"] == "lower", int(clock["place"])))
    bells = [int(clock["bells"]) for clock in clocks]
    if len(clocks) != counted(words, "clocks") or sorted(bells) != list(range(1, len(clocks) + 1)):
        raise UnsolvedError("clocks are missing")
    letters = [_letter(clock["one"], clock["other"]) for clock in clocks]
    run = "".join(letter for _, letter in sorted(zip(bells, letters, strict=True)))
    answer = spelt(run, *SEAFARING)
    return Solved(
        steps=(
            "Hands with flags in them tell no time: the clocks wave in SEMAPHORE.",
            f"As they hang, row by row, the clocks say {listed(letters)}.",
            f"Below them there are {listed(bells)} bells: their order.",
            f"From one bell to {len(clocks)} the letters are {listed(run)}: {answer}.",
        ),
        answer=answer,
        guess="".join(letters),
    )


def _letter(one: str, other: str) -> str:
    if one not in CIRCLE or other not in CIRCLE:
        raise UnsolvedError("a hand points nowhere")
    places = "".join(sorted(str(CIRCLE.index(hand)) for hand in (one, other)))
    if places not in LETTERS:
        raise UnsolvedError(f"{one} and {other} are no letter")
    return LETTERS[places]
