"""The Odd Key: fits words into a board, and deciphers with the one that is left over."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from string import ascii_uppercase

from .solved import Solved, UnsolvedError, counted, listed, spelt

__all__ = ["solve"]

Square = tuple[int, int]
Place = tuple[Square, ...]
ROW = re.compile(r"^board row (?P<row>\d+): (?P<squares>[#.\d ]+)$", re.MULTILINE)
SIZE = re.compile(r"squares, (?P<wide>\d+) wide and (?P<high>\d+) high")
KEY = re.compile(r"^key: (?P<word>[A-Z]+)$", re.MULTILINE)
AT_DOORS = ("OPEN", "SESAME", "KNOCK", "UP", "LET", "ME", "IN", "WELCOME", "HOME", "PLEASE")
"""Words that are said at doors."""


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    rows = {int(each["row"]): each["squares"].split() for each in ROW.finditer(words)}
    size = SIZE.search(words)
    keys = KEY.findall(words)
    if size is None or len(rows) != int(size["high"]) or len(keys) != counted(words, "keys"):
        raise UnsolvedError("rows or keys are missing")
    board = {(row, at): square for row, squares in rows.items() for at, square in enumerate(squares) if square != "#"}
    places = sorted((*_places(board, (0, 1)), *_places(board, (1, 0))), key=len, reverse=True)
    fillings = list(_fillings(places, keys, {}))
    if len(fillings) != 1:
        raise UnsolvedError(f"the keys fit in {len(fillings)} ways")
    (letters,) = fillings
    fitted = ["".join(letters[square] for square in place) for place in places]
    left = [key for key in keys if key not in fitted]
    numbered = sorted((int(square), letters[at]) for at, square in board.items() if square.isdigit())
    if len(left) != 1 or not numbered:
        raise UnsolvedError("one key should be left over, and squares be numbered")
    ((odd,), coded) = left, "".join(letter for _, letter in numbered)
    over = "".join(letter for letter, _ in zip(cycle(odd), coded, strict=False))
    run = "".join(_less(letter, key) for letter, key in zip(coded, over, strict=True))
    answer = spelt(run, *AT_DOORS)
    return Solved(
        steps=(
            f"The longest words first, so that crossings agree: {listed(word for word in fitted if len(word) > 5)}.",
            f"Then the others: {listed(word for word in fitted if len(word) <= 5)}. {odd} fits nowhere.",
            f"The squares 1 to {len(coded)} read {coded}.",
            f"Old Blaise is de VIGENERE. His cipher adds a keyword, over and over: {over}.",
            f"Without it, {coded[0]} less {odd[0]} is {run[0]}, and so on: {answer}.",
        ),
        answer=answer,
        guess=coded,
    )


def _places(board: Mapping[Square, str], way: Square) -> Iterator[Place]:
    """Yield the runs of two squares and more that go one way."""
    down, right = way
    for row, at in board:
        if (row - down, at - right) in board:
            continue
        run = [(row, at)]
        while (after := (run[-1][0] + down, run[-1][1] + right)) in board:
            run.append(after)
        if len(run) > 1:
            yield tuple(run)


def _fillings(
    places: Sequence[Place], keys: Sequence[str], letters: Mapping[Square, str]
) -> Iterator[dict[Square, str]]:
    """Yield all ways to put a key into each place."""
    if not places:
        yield dict(letters)
        return
    place, *rest = places
    for key in keys:
        pairs = list(zip(place, key, strict=False))
        if len(key) == len(place) and all(letters.get(square, letter) == letter for square, letter in pairs):
            yield from _fillings(rest, [other for other in keys if other != key], {**letters, **dict(pairs)})


def _less(letter: str, key: str) -> str:
    return ascii_uppercase[(ascii_uppercase.index(letter) - ascii_uppercase.index(key)) % len(ascii_uppercase)]
