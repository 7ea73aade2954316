import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.maze.grid import Maze
from palaver_gamemasters.maze.speakers.styles import NAMED_STYLES, Style, mentions

BOARD = Maze(("@.....", "......", "......", "......", ".....*"))
WIDE = Maze(("@" + "." * 30, "." * 30 + "*"))

styles = st.builds(
    Style,
    form=st.sampled_from(["rc", "words", "pair", "letter"]),
    base=st.integers(0, 1),
    column_first=st.booleans(),
    from_bottom=st.booleans(),
    from_right=st.booleans(),
)


@pytest.mark.parametrize("maze", [BOARD, WIDE])
@given(style=styles, data=st.data())
def test_a_cell_that_is_written_reads_back(maze: Maze, style: Style, data: st.DataObject) -> None:
    cell = data.draw(st.sampled_from(list(maze.cells())))

    (mention,) = mentions(f"Look at {style.write(cell, maze)}, please.")

    assert style.read(mention, maze) == cell


@pytest.mark.parametrize(
    ("style", "name"),
    [
        ("rc", "r1c3"),
        ("tuple0", "(0, 2)"),
        ("tuple1", "(1, 3)"),
        ("chess", "C5"),
        ("xy0", "(2, 4)"),
        ("xy1", "(3, 5)"),
        ("words", "row 1, column 3"),
    ],
)
def test_each_named_style_writes_the_same_cell_its_own_way(style: str, name: str) -> None:
    assert NAMED_STYLES[style].write((0, 2), BOARD) == name


@pytest.mark.parametrize(
    "text",
    [
        "r2c3",
        "R2C3",
        "row2col3",
        "row 2, column 3",
        "row 2/col 3",
        "column 3, row 2",
        "x = 3, y = 2",
        "(2,3)",
        "[2, 3]",
    ],
)
def test_row_two_column_three_is_found_in_any_spelling(text: str) -> None:
    (mention,) = mentions(f"see {text}.")

    assert (mention.first, mention.second) == (2, 3)


@pytest.mark.parametrize("text", ["B3", "b3", "3B", "(B, 3)", "(3, b)"])
def test_letters_are_found_in_any_spelling(text: str) -> None:
    (mention,) = mentions(f"see {text}.")

    assert (mention.form, mention.first, mention.second) == ("letter", 1, 3)


@pytest.mark.parametrize(
    "text", ["a 6x6 maze", "gpt-4.1 says hello", "2 steps, then 3 more", "row 2: @ . # ?", "up and down"]
)
def test_other_text_names_no_cell(text: str) -> None:
    assert not list(mentions(text))


def test_every_named_style_states_its_corner_in_its_own_spelling() -> None:
    for style in NAMED_STYLES.values():
        (corner,) = mentions(style.statement(BOARD))
        assert style.read(corner, BOARD) == (4 if style.from_bottom else 0, 0)
