"""Night Street by Touch: reads windows as Braille, in the order of the houses, and goes back by their numbers."""

import re
from string import ascii_uppercase

from .solved import Solved, UnsolvedError, listed

__all__ = ["solve"]

HOUSE = re.compile(r"^house (?P<number>\d+), (?P<side>upper|lower) side: (?P<storeys>[a-z /]+)$", re.MULTILINE)
FIRST_TEN = ("1", "12", "14", "145", "15", "124", "1245", "125", "24", "245")
"""The raised dots of A to J. K to T have dot 3 as well, U, V, X, Y, Z dots 3 and 6; W came later."""
BRAILLE = {
    **dict(zip(FIRST_TEN, "ABCDEFGHIJ", strict=True)),
    **{"".join(sorted(f"{dots}3")): letter for dots, letter in zip(FIRST_TEN, "KLMNOPQRST", strict=True)},
    **{"".join(sorted(f"{dots}36")): letter for dots, letter in zip(FIRST_TEN[:5], "UVXYZ", strict=True)},
    "2456": "W",
}


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    found = {int(each["number"]): each for each in HOUSE.finditer(words)}
    numbers = sorted(found)
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        raise UnsolvedError("houses are missing")
    letters = {number: _letter(found[number]["storeys"]) for number in numbers}
    sides = {side: [number for number in numbers if found[number]["side"] == side] for side in ("upper", "lower")}
    coded = "".join(letters.values())
    answer = "".join(
        ascii_uppercase[(ascii_uppercase.index(letter) - number) % len(ascii_uppercase)]
        for number, letter in letters.items()
    )
    read = [
        f"on the {side} side {listed(letters[each] for each in row)} (houses {listed(row)})"
        for side, row in sides.items()
    ]
    return Solved(
        steps=(
            (
                "Louis, who reads with his fingertips, is Louis BRAILLE: each house is a cell of six dots, raised "
                "where there is light."
            ),
            f"The cells read {', '.join(read)}.",
            f"From number one upwards, across the road at every door, the letters are {coded}.",
            (
                "As many paces back as the door says: so many letters back in the alphabet. 1 from "
                f"{coded[0]} is {answer[0]}, 2 from {coded[1]} is {answer[1]}, and {numbers[-1]} from {coded[-1]} is "
                f"{answer[-1]}."
            ),
            f"All of them together: {answer}.",
        ),
        answer=answer,
        guess=coded,
    )


def _letter(storeys: str) -> str:
    """Return the letter of six windows, three storeys of two."""
    rows = [storey.split() for storey in storeys.split("/")]
    if [len(row) for row in rows] != [2, 2, 2]:
        raise UnsolvedError("a house has other windows")
    dots = "".join(sorted(str(3 * side + row + 1) for row in range(3) for side in range(2) if rows[row][side] == "lit"))
    if dots not in BRAILLE:
        raise UnsolvedError(f"dots {dots} are no letter")
    return BRAILLE[dots]
