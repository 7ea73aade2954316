# ruff: noqa: RUF001 - typographic quotes and full-width signs are what models write
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.maze.grading.notations import Alphabet, annotate
from palaver_gamemasters.maze.grading.plain import plain

Spoken = list[tuple[str, ...]]


def found(text: str, size: int = 6, pairs: bool = False) -> Spoken:
    return [spoken for mention in annotate(plain(text), Alphabet(size, pairs)).mentions for spoken in mention.spoken]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("r1c2", ("r1", "c2")),
        ("R1C2", ("r1", "c2")),
        ("c2r1", ("c2", "r1")),
        ("(r1, c2)", ("r1", "c2")),
        ("r=1, c=2", ("r1", "c2")),
        ("row 2, column 3", ("r2", "c3")),
        ("column 3, row 2", ("c3", "r2")),
        ("row 2 col 3", ("r2", "c3")),
        ("(row 0, col 1)", ("r0", "c1")),
        ("row 0/col 1", ("r0", "c1")),
        ("Row: 2, Column: 3", ("r2", "c3")),
        ("row A, column 3", ("rA", "c3")),
        ("row 1 and column 2", ("r1", "c2")),
        ("2nd row, 3rd column", ("r2", "c3")),
        ("(0,1)", ("0", "1")),
        ("[0, 1]", ("0", "1")),
        ("{0; 1}", ("0", "1")),
        ("(-1, 0)", ("-1", "0")),
        ("@(4,2)", ("4", "2")),
        ("('A', 1)", ("A", "1")),
        ("(A,1)", ("A", "1")),
        ("(A,B)", ("A", "B")),
        ("(a, b)", ("a", "b")),
        ("x=1, y=2", ("1", "2")),
        ("A1", ("A", "1")),
        ("b3", ("b", "3")),
        ("1A", ("1", "A")),
        ("go to 2,3.", ("2", "3")),
        ("move to 2, 3", ("2", "3")),
        ("（０，１）", ("0", "1")),
    ],
)
def test_cells_in_every_notation(text: str, tokens: tuple[str, ...]) -> None:
    assert found(text) == [tokens]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("move RIGHT", ["right"]),
        ("to the north", ["north"]),
        ("two cells right", ["right", "right"]),
        ("right 2 times", ["right", "right"]),
        ("right twice", ["right", "right"]),
        ("2 steps to the left", ["left", "left"]),
        ("Down 2, right 1.", ["down", "down", "right"]),
        ("up x3", ["up", "up", "up"]),
        ("R, R, D", ["R", "R", "D"]),
        ("RRDD", ["R", "R", "D", "D"]),
        ("N -> E -> E", ["N", "E", "E"]),
        ("↑→→", ["↑", "→", "→"]),
        ("↓ -> → -> ↓", ["↓", "→", "↓"]),
        ("move right now", ["right"]),
        ("moving up next", ["up"]),
        ("1. Down\n2. Right", ["down", "right"]),
        ("(0,0) -> (0,1)", ["0,0", "0,1"]),
        ("(0,0) → (0,1)", ["0,0", "0,1"]),
    ],
)
def test_directions_in_every_notation(text: str, words: list[str]) -> None:
    assert [",".join(spoken) for spoken in found(text)] == words


@pytest.mark.parametrize(
    "text",
    [
        "You're right, all right, that is absolutely right.",
        "Hurry up! It is up to you. Let me write it down.",
        "There are 3 moves left and nothing left to try.",
        "The bottom-right corner, the top left, the left side and the right edge.",
        "A wall is in the way. I see a 1 on it. OK, NO, GO, AI.",
        "north-east is no move",
        "The coordinates are (row, col), or (r, c), or (x, y).",
        "The maze is 6x6; message 1 of 50; gpt-4.1, U2, Z9.",
        "I AM SURE IT WILL BE FUN",
    ],
)
def test_ordinary_words_are_no_cells_and_no_moves(text: str) -> None:
    assert found(text) == []


def test_letters_go_as_far_as_the_maze_and_one_further() -> None:
    assert found("G1", 6) == [("G", "1")]
    assert found("H1", 6) == []
    assert found("H1", 8) == [("H", "1")]


def test_two_capitals_are_a_cell_where_they_come_in_numbers() -> None:
    assert found("AB") == []
    assert found("We go AB, BE, not OK", pairs=True) == [("A", "B"), ("B", "E")]
    assert Alphabet.of(["AB, AC", "and BC"], 6).pairs
    assert not Alphabet.of(["AB, AC", "and AC. I HAD TO GO, BE OK"], 6).pairs


def test_a_pair_of_axis_letters_is_directions_only_where_it_can_be() -> None:
    assert found("[R, D]") == [("R",), ("D",)]
    assert found("(E, D)") == [("E", "D")]
    assert found("(D, D)") == [("D", "D")]


@given(st.text(alphabet=string.printable + "→↓⟦⟧", max_size=200))
def test_any_text_can_be_annotated(text: str) -> None:
    said = annotate(plain(text), Alphabet(6, pairs=True))
    assert said.text.count("⟦") + said.text.count("⟪") == len(said.mentions)
