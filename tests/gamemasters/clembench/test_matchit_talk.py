"""What scripted players make of a text about a grid or a picture, in their own words and in those of people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.grids import Cell, Grid
from palaver_gamemasters.clembench.matchit.players.boards import GridSight
from palaver_gamemasters.clembench.matchit.players.claims import claims_of
from palaver_gamemasters.clembench.matchit.players.dialogue import Heard
from palaver_gamemasters.clembench.matchit.players.drawings import PictureSight
from palaver_gamemasters.clembench.matchit.players.lines import Line, line_of, named_in, patterns_in
from palaver_gamemasters.clembench.matchit.players.photographs import NoSight
from palaver_gamemasters.clembench.matchit.players.speaking import Sight
from palaver_gamemasters.clembench.matchit.players.style import SHALLOW, THOROUGH

FLAG_WITH_GAP = Grid.read("X X X X X\nX ▢ ▢ ▢ ▢\nX X X ▢ ▢\nX ▢ ▢ ▢ ▢\n▢ ▢ ▢ ▢ ▢")
GRID = GridSight(FLAG_WITH_GAP, THOROUGH)
ROOM = PictureSight(
    features_of(
        """kind: room
room: bedroom
wall: pink stripes
floor: green carpet
back right: a round silver mirror
left: a white wardrobe
centre: nothing
right: two bedside tables with a white lamp
front: a round purple rug"""
    ),
    THOROUGH,
)
OBJECTS = PictureSight(
    features_of(
        """kind: objects
count: 3
back left: a small red metal cube
front left: a large cyan metal cube
front middle: a large purple rubber sphere
middle: nothing"""
    ),
    THOROUGH,
)


def cells(*lines: tuple[str, int]) -> set[Cell]:
    """Return the cells of rows and columns, counted from 1."""
    named = [line for what, at in lines for each in named_in(f"{what} {at}", 5) for line in each.lines]
    return {cell for line in named for cell in line_of(line, 5)}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("row 2", ["row 2"]),
        ("Row two", ["row 2"]),
        ("rows 2 and 4", ["row 2", "row 4"]),
        ("rows 1, 2, and 5", ["row 1", "row 2", "row 5"]),
        ("rows 2-4", ["row 2", "row 3", "row 4"]),
        ("columns 3 through 5", ["column 3", "column 4", "column 5"]),
        ("the third row", ["row 3"]),
        ("the 4th column", ["column 4"]),
        ("the first and last rows", ["row 1", "row 5"]),
        ("top row and bottom row", ["row 1", "row 5"]),
        ("the middle row", ["row 3"]),
        ("leftmost column", ["column 1"]),
        ("every column", [f"column {at}" for at in range(1, 6)]),
        ("row 9, row 0 and row 4711", []),
        ("a row of ducks", []),
    ],
)
def test_lines_are_understood_by_number_and_by_place(text: str, lines: list[str]) -> None:
    assert [str(line) for named in named_in(text, 5) for line in named.lines] == lines


@pytest.mark.parametrize(
    "text", ["X ▢ X ▢ X", "x▢x▢x", "X, empty, X, empty, X", "[X | ▢ | X | ▢ | X]", "X, blank, X, ▢, and X"]
)
def test_a_line_can_be_written_symbol_by_symbol(text: str) -> None:
    assert [pattern.filled for pattern in patterns_in(text, 5)] == [(True, False, True, False, True)]


@pytest.mark.parametrize("text", ["X ▢ X ▢", "X ▢ X ▢ X ▢", "max x x x x", "empty"])
def test_more_or_fewer_symbols_are_no_line(text: str) -> None:
    assert patterns_in(text, 5) == []


@pytest.mark.parametrize(
    ("text", "filled", "empty"),
    [
        ("Row 2: X X X X X.", cells(("row", 2)), set()),
        ("The second row is ▢, ▢, ▢, ▢, ▢", set(), cells(("row", 2))),
        ("The top row is completely filled with X. The bottom row is empty.", cells(("row", 1)), cells(("row", 5))),
        ("The first row is all X's.", cells(("row", 1)), set()),
        ("There are no X's in row 5.", set(), cells(("row", 5))),
        ("rows 2-4 are empty", set(), cells(("row", 2), ("row", 3), ("row", 4))),
        ("Column 3 is full", cells(("column", 3)), set()),
        ("The cell in row 2, column 3 is empty.", set(), {(1, 2)}),
        ("Row 3 has X in columns 1, 2, and 3.", {(2, 0), (2, 1), (2, 2)}, {(2, 3), (2, 4)}),
        ("Row 1: X X X X X, row 2: ▢ ▢ ▢ ▢ ▢", cells(("row", 1)), cells(("row", 2))),
    ],
)
def test_what_is_said_of_cells_is_understood(text: str, filled: set[Cell], empty: set[Cell]) -> None:
    claimed = claims_of(text, 5).cells
    assert {cell for cell, is_filled in claimed.items() if is_filled} == filled
    assert {cell for cell, is_filled in claimed.items() if not is_filled} == empty


@pytest.mark.parametrize(
    "text",
    [
        "The grid consists of 5 rows and 5 columns.",
        "The first column is not empty.",
        "All rows have an X in the first column except the last.",
        "Some of row 2 is filled.",
        "Is row 2 empty?",
        "5 filled cells in row 1",
        "3 cells in row 2 are empty",
        "about 11 filled cells",
        "The grid looks like the letter F.",
    ],
)
def test_what_can_be_understood_in_two_ways_says_nothing(text: str) -> None:
    claims = claims_of(text, 5)
    assert (dict(claims.cells), claims.counts) == ({}, frozenset())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("There are 11 X's.", 11),
        ("A 5x5 grid with 11 filled cells", 11),
        ("11 of the 25 cells are filled", 11),
        ("It has 14 empty cells", 11),
        ("ten X", 10),
    ],
)
def test_a_number_of_filled_cells_is_understood(text: str, count: int) -> None:
    assert claims_of(text, 5).counts == {count}


def test_a_grid_that_is_written_out_says_all() -> None:
    claims = claims_of(f"My grid is:\n{FLAG_WITH_GAP.text}", 5)
    assert len(claims.cells) == 25
    assert claims.hold_of(FLAG_WITH_GAP)
    assert not claims.hold_of(FLAG_WITH_GAP.flipped([(2, 2)]))


def test_an_answer_need_not_name_the_line_that_was_asked_for() -> None:
    assert claims_of("It is X X X X X", 5, [Line("row", 1)]).cells == dict.fromkeys(cells(("row", 2)), True)


def test_who_contradicts_itself_speaks_of_no_grid() -> None:
    both = claims_of("Row 1 is empty.", 5) | claims_of("Row 1 is full.", 5)
    assert not both.hold_of(Grid.of([]))
    assert not both.hold_of(Grid.of(cells(("row", 1))))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is in row 2?", "Row 2: X ▢ ▢ ▢ ▢."),
        ("In my grid, row 2: X X ▢ ▢ ▢. What is row 2 in yours?", "No, row 2: X ▢ ▢ ▢ ▢."),
        ("Is the third row empty?", "No, row 3: X X X ▢ ▢."),
        ("Is the bottom row empty?", "Yes, row 5: ▢ ▢ ▢ ▢ ▢."),
        ("Is the top row filled with X?", "Yes, row 1: X X X X X."),
        ("Does your grid have any filled cells in the bottom row?", "No, row 5: ▢ ▢ ▢ ▢ ▢."),
        ("Does the second row have any empty cells?", "Yes, row 2: X ▢ ▢ ▢ ▢."),
        ("Are there any empty cells in the first row?", "No, row 1: X X X X X."),
        ("Is the second row all empty?", "No, row 2: X ▢ ▢ ▢ ▢."),
        ("Does the first column contain only X's?", "No, column 1: X X X X ▢."),
        ("Does your second row look like X ▢ ▢ ▢ ▢?", "Yes, row 2: X ▢ ▢ ▢ ▢."),
        ("What is the content of the first and last rows?", "Row 1: X X X X X; row 5: ▢ ▢ ▢ ▢ ▢."),
        ("Are rows 2 and 4 the same?", "Yes, row 2: X ▢ ▢ ▢ ▢; row 4: X ▢ ▢ ▢ ▢."),
        ("How many X are in your grid?", "10 of the 25 cells are filled."),
        ("Are there 11 X's?", "No, 10 of the 25 cells are filled."),
        ("How many X's are in the third row?", "Filled cells: 3 in row 3."),
        ("How many rows are completely empty?", "Completely empty: 1 of them (row 5: ▢ ▢ ▢ ▢ ▢)."),
        (
            "Which columns contain an X?",
            "Column 1: X X X X ▢; column 2: X ▢ X ▢ ▢; column 3: X ▢ X ▢ ▢; column 4: X ▢ ▢ ▢ ▢; column 5: X ▢ ▢ ▢ ▢.",
        ),
        ("Is there an X in the center of your grid?", "Yes, the cell in row 3, column 3 is filled."),
        ("Is the top left corner filled?", "Yes, the cell in row 1, column 1 is filled."),
        ("What is in row 3, column 2?", "The cell in row 3, column 2 is filled."),
        ("Is the cell at row 5, column 5 filled?", "No, the cell in row 5, column 5 is empty."),
        ("Is your grid symmetrical?", "No, it is not symmetric."),
        ("Are there any other symbols besides X and ▢?", "No, there are only X and ▢."),
        ("Is the border filled?", "8 of the 16 cells of the border are filled."),
        ("Does your grid form a letter?", "No, it has no name that I know; 10 of the 25 cells are filled."),
        (f"Is this your grid?\n{FLAG_WITH_GAP.text}", "Yes, that is my grid."),
        (f"Is this your grid?\n{FLAG_WITH_GAP.mirrored().text}", "No, row 2: X ▢ ▢ ▢ ▢."),
        ("Are the squares evenly spaced?", "I can only say that 10 of the 25 cells are filled, and row 3: X X X ▢ ▢."),
    ],
)
def test_questions_about_a_grid_are_answered_truly(question: str, answer: str) -> None:
    assert GRID.answer(question) == answer


def test_a_grid_that_has_a_name_is_called_by_it() -> None:
    letter = GridSight(Grid.read("X X X X X\nX ▢ ▢ ▢ ▢\nX X X X ▢\nX ▢ ▢ ▢ ▢\nX X X X X"), THOROUGH)
    assert letter.answer("Does it look like a letter?") == "Yes, it looks like the letter E."
    assert letter.answer("Is it symmetric?") == "Yes, it is symmetric as to top and bottom."


@pytest.mark.parametrize(
    ("sight", "question", "answer"),
    [
        (ROOM, "What colour is the floor?", "Floor: green carpet."),
        (ROOM, "Is there a mirror in your image?", "Yes, back right: a round silver mirror."),
        (ROOM, "Is there a red car in the image?", "No, I do not see that."),
        (ROOM, "How many bedside tables do you see?", "2. right: two bedside tables with a white lamp."),
        (ROOM, "What is on the left?", "Left: a white wardrobe."),
        (ROOM, "What is in the middle of the room?", "Centre: nothing."),
        (ROOM, "Is there anything in the center?", "No, centre: nothing."),
        (ROOM, "Is the wardrobe white?", "Yes, left: a white wardrobe."),
        (ROOM, "Is the rug yellow?", "No, I do not see that. front: a round purple rug."),
        (ROOM, "Is it a bedroom?", "Yes, room: bedroom."),
        (ROOM, "What color is the rug?", "Front: a round purple rug."),
        (
            ROOM,
            "In my image, floor: green carpet; wall: pink stripes. What about yours?",
            "Yes, the same. floor: green carpet; wall: pink stripes.",
        ),
        (ROOM, "In my image, front: a red rug. What about yours?", "No. front: a round purple rug."),
        (
            ROOM,
            "In my image, setting: beach. What about yours?",
            "No, there is no such thing. kind: room; room: bedroom.",
        ),
        (
            OBJECTS,
            "How many cubes are there?",
            "2. back left: a small red metal cube; front left: a large cyan metal cube.",
        ),
        (OBJECTS, "How many objects are there?", "3. count: 3."),
        (OBJECTS, "Do you have a red cube?", "Yes, back left: a small red metal cube."),
        (OBJECTS, "Is there a green cylinder?", "No, I do not see that."),
        (OBJECTS, "What is in the middle?", "Middle: nothing."),
    ],
)
def test_questions_about_a_picture_are_answered_truly(sight: PictureSight, question: str, answer: str) -> None:
    assert sight.answer(question) == answer


ASKED = "In my grid, row 2: X ▢ ▢ ▢ ▢. What is row 2 in yours?"


@pytest.mark.parametrize(
    ("heard", "differs"),
    [
        (Heard("description", "A grid of 5 by 5 cells, 10 of them filled. Row 1: X X X X X."), False),
        (Heard("description", "A grid of 5 by 5 cells, 11 of them filled."), True),
        (Heard("description", "I see the letter F."), False),
        (Heard("answer", "Row 2: X ▢ ▢ ▢ ▢.", ASKED), False),
        (Heard("answer", "Row 2: X X ▢ ▢ ▢.", ASKED), True),
        (Heard("answer", "X X ▢ ▢ ▢", ASKED), True),
        (Heard("answer", "Yes, the same.", ASKED), False),
        (Heard("answer", "No.", ASKED), True),
        (Heard("answer", "It is different", ASKED), True),
        (Heard("answer", "No idea, I am not sure.", ASKED), False),
        (Heard("answer", "No.", "Is the last row empty?"), True),
        (Heard("answer", "No.", "Is the first row empty?"), False),
        (Heard("question", "In my grid, row 3: X ▢ X ▢ ▢. What is row 3 in yours?"), True),
        (Heard("question", "Is row 3 X ▢ X ▢ ▢ in your grid?"), False),
    ],
)
def test_grids_differ_where_what_was_said_does_not_hold(heard: Heard, differs: bool) -> None:
    assert GRID.differs([heard]) is differs


TOLD = "In my image, floor: green carpet; front: a round purple rug. What about yours?"


@pytest.mark.parametrize(
    ("heard", "differs"),
    [
        (Heard("description", "kind: room; room: bedroom; left: a white wardrobe."), False),
        (Heard("description", "kind: scene; setting: beach."), True),
        (Heard("description", "A bedroom with a rug."), False),
        (Heard("answer", "Yes, the same. floor: green carpet; front: a round purple rug.", TOLD), False),
        (Heard("answer", "No. floor: green carpet; front: a round yellow rug.", TOLD), True),
        (Heard("answer", "The floor has a green carpet, and the round rug in front is purple.", TOLD), False),
        (Heard("answer", "The floor has oak boards, and the rug is white.", TOLD), True),
        (Heard("answer", "Both are the same in my image.", TOLD), False),
        (Heard("answer", "Hard to tell.", TOLD), False),
        (Heard("answer", "No, I see no mirror.", "Is there a mirror?"), True),
        (Heard("question", "In my image, left: a black wardrobe. What about yours?"), True),
    ],
)
def test_pictures_differ_where_what_was_said_does_not_hold(heard: Heard, differs: bool) -> None:
    assert ROOM.differs([heard]) is differs


def test_who_changes_its_mind_is_not_believed() -> None:
    heard = [Heard("answer", "left: a black wardrobe."), Heard("answer", "left: a white wardrobe.")]
    assert ROOM.differs(heard)
    assert ROOM.differs(heard[::-1])


def test_a_thorough_player_asks_for_the_row_that_rules_out_most() -> None:
    own = Grid.read("X X X X X\nX ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ ▢")
    sight = GridSight(own, THOROUGH)
    # turned by a half or upside down, the last row would be full; mirrored, any row but the first tells
    assert sight.ask([Heard("description", "Row 5: X ▢ ▢ ▢ ▢. Row 3: X ▢ ▢ ▢ ▢.")], []).startswith("In my grid, row 2")
    assert sight.ask([], []).endswith("What is row 5 in yours?")


def test_no_row_is_asked_for_twice_before_all_were() -> None:
    asked: list[str] = []
    for _ in range(5):
        asked.append(GRID.ask([], asked))
    assert len(set(asked)) == 5


def test_when_all_is_known_it_asks_for_something_else() -> None:
    heard = [Heard("description", FLAG_WITH_GAP.text)]
    assert GRID.ask(heard, []) != GRID.ask(heard, ["?"])
    assert "row" not in GRID.ask(heard, [])


def test_a_shallow_player_describes_less_and_asks_for_one_thing() -> None:
    for thorough, shallow in (
        (GRID, GridSight(FLAG_WITH_GAP, SHALLOW)),
        (ROOM, PictureSight(ROOM.features, SHALLOW)),
    ):
        assert len(shallow.describe()) < len(thorough.describe())
        assert "special" in shallow.ask([], ["QUESTION: What is row 1?"])


SIGHTS: tuple[Sight, ...] = (GRID, ROOM, OBJECTS, NoSight(), GridSight(Grid.read("X"), SHALLOW))

LONG_S = "\N{LATIN SMALL LETTER LONG S}"
"""A search that minds no case takes it for an s; a table of words does not."""
WORDS = f"""
row|rows 1 to|2|column|X ▢ X ▢ X|top left|how many|is|empty|filled|left:|kind:|a|?|.|;|yes|no|same|which|all|-|second|
99999999999999999999|{LONG_S}econd|row {LONG_S}ix|row {LONG_S}even|symmetric|letter|diagonal"""
PHRASES = st.sampled_from(WORDS.split("|"))
TEXTS = st.text() | st.lists(PHRASES, max_size=12).map(" ".join)


@pytest.mark.parametrize("sight", SIGHTS, ids=lambda sight: type(sight).__name__)
@given(said=TEXTS, question=TEXTS)
def test_whatever_is_said_there_is_something_to_say(sight: Sight, said: str, question: str) -> None:
    heard = [Heard("description", said), Heard("answer", said, question), Heard("question", question)]
    assert sight.answer(question)
    assert sight.ask(heard, [question])
    assert sight.differs(heard) in (True, False)


@given(st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
def test_a_grid_never_differs_from_what_it_says_of_itself(filled: frozenset[Cell]) -> None:
    sight = GridSight(Grid.of(filled), THOROUGH)
    question = sight.ask([], [])
    heard = [
        Heard("description", sight.describe()),
        Heard("question", question),
        *(Heard("answer", sight.answer(each), each) for each in (question, "Is row 2 empty?", "How many X?")),
    ]
    assert not sight.differs(heard)
