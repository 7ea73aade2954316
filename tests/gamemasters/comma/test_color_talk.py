import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.comma.instances import rules_of
from palaver_gamemasters.comma.puzzles.color import PUZZLE
from palaver_gamemasters.comma.puzzles.color.groups import SQUARES
from palaver_gamemasters.comma.puzzles.color.scene import ColorScene
from palaver_gamemasters.comma.puzzles.color.talk import ASK, ASK_LAST, DONE, ColorTalk, action_of
from palaver_gamemasters.comma.state import MISTAKE, orders
from palaver_gamemasters.comma.talk import Heard, Line, Sight
from tests.gamemasters.comma.conversing import Wording, converse, generated

TALK = ColorTalk()
RULES = rules_of(PUZZLE)
ACTIONS = tuple(map(action_of, range(SQUARES)))
FIRST = "RBBG GGBR MMMB GMRG"  # red 3, blue 4, green 5, magenta 4
LATER = ".BBG GGB. MMMB .MYG"  # 3 white
LETTERS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "M": "magenta", ".": "white"}
RED = "Press all red squares, then tell me how many squares are white."


def grid(rows: str) -> tuple[str, ...]:
    return tuple(LETTERS[letter] for letter in rows if letter != " ")


DESCRIBED = (
    "Row 1: red, blue, blue, green.\nRow 2: green, green, blue, red.\n"
    "Row 3: magenta, magenta, magenta, blue.\nRow 4: green, magenta, red, green.\n"
)


def advice(*lines: str) -> str:
    """Let the expert answer what was said by turns, the last of it by the solver."""
    said = [Line(("expert", "solver")[(len(lines) - number) % 2], text) for number, text in enumerate(lines)]
    return TALK.advise(RULES, Heard(tuple(said)))


def answer(rows: str, *said: Line) -> str:
    return TALK.solve(Sight(ColorScene(grid(rows)), "", ACTIONS, Heard(said)))


def pressed(rows: str, expert: str) -> list[str]:
    """Return the squares that the solver presses, each as row and column."""
    done = orders(answer(rows, Line("solver", "I see."), Line("expert", expert)), ACTIONS)
    return [f"{action[10]}{action[-1]}" for action in done]


def test_the_pair_solves_every_game_in_time_and_without_a_mistake() -> None:
    talks = [converse(PUZZLE, generated(PUZZLE, seed)) for seed in range(100)]

    assert {(each.solved, each.mistakes) for each in talks} == {(True, 0)}
    assert max(each.turns for each in talks) <= 9


def polite(text: str) -> str:
    return f"Hi, no problem.\n{text}\nThank you very much, you are doing great!"


def in_words(text: str) -> str:
    for number, word in ((4, "four"), (7, "seven"), (3, "three"), (12, "twelve"), (5, "five"), (10, "ten")):
        text = text.replace(f" {number} ", f" {word} ").replace(f"{number} squares", f"{word} squares")
    return text.replace("magenta", "pink").replace("Row 1", "First row").replace("topmost", "top").replace("all", "the")


@pytest.mark.parametrize("wording", [str.upper, polite, in_words])
def test_the_pair_understands_itself_in_other_wordings(wording: Wording) -> None:
    talks = [converse(PUZZLE, generated(PUZZLE, seed), of_solver=wording, of_expert=wording) for seed in range(20)]

    assert {(each.solved, each.mistakes) for each in talks} == {(True, 0)}


@pytest.mark.parametrize("slip", [1, 3])
def test_the_pair_begins_anew_after_a_slip(slip: int) -> None:
    talks = [converse(PUZZLE, generated(PUZZLE, seed), slips=(slip,)) for seed in range(20)]

    assert {each.mistakes for each in talks} == {1}
    assert sum(each.solved for each in talks) >= 10


def test_without_memory_the_pair_still_gets_there_as_each_message_says_all() -> None:
    talks = [converse(PUZZLE, generated(PUZZLE, seed), memory=False) for seed in range(20)]

    assert {(each.solved, each.mistakes) for each in talks} == {(True, 0)}


@pytest.mark.parametrize(
    "said",
    [
        f"{DESCRIBED}No square is white.",
        f"Hello! {DESCRIBED.upper()}WHAT NOW?",
        DESCRIBED.replace("Row 1:", "The top row is").replace("magenta", "pink").replace(".\n", "; "),
        "\n".join(reversed(DESCRIBED.replace("magenta", "purple").replace("Row 1", "The first row").splitlines())),
        "RED BLUE BLUE GREEN\nGREEN GREEN BLUE RED\nMAGENTA MAGENTA MAGENTA BLUE\nGREEN MAGENTA RED GREEN",
        "red blue blue green green green blue red magenta magenta magenta blue green magenta red green",
        "There are 3 red, 4 blue, 5 green and 4 magenta squares. What should I press first?",
        "red: 3, blue: 4, green: 5, magenta: 4, yellow: 0",
        "Three squares are red, four are blue, five are green, four are magenta. None is yellow.",
        PUZZLE.write(ColorScene(grid(FIRST))),
    ],
)
def test_people_may_describe_the_first_grid_in_their_own_way(said: str) -> None:
    assert advice(said) == RED


@pytest.mark.parametrize(
    "report",
    [
        "I pressed all red squares: 3 squares are white. Which group is next?",
        "Done, 3 are white now.",
        "press_row_1_column_1\nThree of them are white.",
        "I've pushed the reds. White squares: 3",
        "I have pressed the red ones, and now there are three white squares!",
        "3 white",
        "Finished with RED. 3 SQUARES HAVE TURNED WHITE.",
    ],
)
def test_people_may_report_in_their_own_way(report: str) -> None:
    assert advice(RED, report) == (
        "3 squares are white and the last group was red, so the next group is green: press all green squares. "
        "If there is no green square, take the first of these that is there: yellow, magenta, red, blue."
    )


def test_what_the_solver_says_it_pressed_counts_more_than_what_it_was_told() -> None:
    assert "the last group was magenta, so the next group is Column" in advice(
        "Press all blue squares.", "There was no blue one, so I pressed all magenta squares. 4 are white."
    )
    assert "the next group is red" in advice(RED, "I pressed the top row. 4 squares are white.")


def test_a_grid_with_white_squares_lets_the_expert_see_what_is_there() -> None:
    told = answer("R... .B.. ..M. MY..", Line("solver", "I press the leftmost column."))
    assert "12 of them are white." not in told

    said = answer(".... .B.. ..M. MY.R", Line("solver", "I press the leftmost column: that makes 11 white squares."))

    assert "11 of them are white.\nThe last group that I pressed was the leftmost column." in said
    assert advice(said) == (
        "11 squares are white and the last group was column, "
        "so the next group is Row: press all coloured squares of the topmost row that has any."
    )


def test_an_absent_colour_is_replaced_where_the_expert_knows_the_grid() -> None:
    said = (
        "I pressed the reds. Row 1: white, blue, blue, white. Row 2: white, yellow, blue, magenta. "
        "Row 3: blue, blue, blue, blue. Row 4: blue, blue, blue, blue."
    )

    assert "the next group is green" not in advice(said)
    assert "the next group is yellow: press all yellow squares." in advice(said)


@pytest.mark.parametrize(
    "said", ["", "Hello!", "What should I press?", "Row 1: red, blue, green, white.", "3 red, 2 blue"]
)
def test_an_expert_that_has_not_been_told_enough_asks_with_an_example(said: str) -> None:
    assert advice(said) == ASK


def test_an_expert_that_does_not_know_the_last_group_asks_for_it() -> None:
    assert advice("5 squares are white.") == ASK_LAST


def test_an_expert_says_when_all_is_done() -> None:
    assert advice(RED, "16 squares are white.") == DONE


def test_a_solver_describes_row_by_row_at_the_beginning() -> None:
    assert answer(FIRST) == (
        "I see a grid of 4 by 4 squares. From left to right:\nRow 1: red, blue, blue, green.\n"
        "Row 2: green, green, blue, red.\nRow 3: magenta, magenta, magenta, blue.\nRow 4: green, magenta, red, green.\n"
        "No square is white.\nWhich group should I press?"
    )


@pytest.mark.parametrize("asked", [ASK, ASK_LAST, DONE, "Hmm.", "How many squares are white?", "Don't press blue!"])
def test_a_solver_that_is_given_no_order_describes_again(asked: str) -> None:
    assert answer(FIRST, Line("solver", "Hello."), Line("expert", asked)) == answer(FIRST)


def test_a_solver_that_has_made_a_mistake_says_so_and_does_nothing_else() -> None:
    said = answer(FIRST, Line("solver", "-"), Line("environment", MISTAKE), Line("expert", "Press all red squares."))

    assert said.startswith("That was a mistake, and the module has been reset.\nI see a grid")
    assert orders(said, ACTIONS) == ()


def test_a_solver_says_that_there_is_no_such_colour() -> None:
    said = answer(FIRST, Line("solver", "-"), Line("expert", "Press the yellow squares."))

    assert "There is no yellow square." in said


@pytest.mark.parametrize(
    ("expert", "squares"),
    [
        ("Press all blue squares.", "12 13 23 34"),
        ("PRESS THE BLUE ONES, PLEASE!", "12 13 23 34"),
        ("Please push every pink tile", "31 32 33 42"),
        ("Blue.", "12 13 23 34"),
        ("The next group is yellow", "43"),
        ("Next: magenta", "31 32 33 42"),
        ("You pressed red before. Now press the topmost row.", "12 13 14"),
        ("Press the top row", "12 13 14"),
        ("The next group is Row: press all coloured squares of the topmost row that has any.", "12 13 14"),
        ("Go on with the left column: press all that are not white there", "21 31"),
        ("Column: press all coloured squares of the leftmost column that has any.", "21 31"),
        ("Press the third row.", "31 32 33 34"),
        ("press everything in column 4", "14 34 44"),
        ("Press row 1, column 2 and row 4, column 4.", "12 44"),
        ("press_row_1_column_2\npress_row_2_column_1", "12 21"),
        ("Press row 1 column 1 and row 1 column 2", "12"),
        ("If 2 squares are white, press blue. If 3 squares are white, press yellow.", "43"),
        ("With 5 white squares you press red; with 3 white squares press green.", "14 21 22 44"),
        ("Don't press blue. Press yellow.", "43"),
        ("Press red. If there is no red square, take the first of these that is there: yellow, blue.", "43"),
        ("Press all the reds. If there are none, choose blue.", "12 13 23 34"),
        ("No problem! Press green, then tell me how many are white.", "14 21 22 44"),
        ("Is there any red left? If not, that is fine. Press green.", "14 21 22 44"),
    ],
)
def test_people_may_give_orders_in_their_own_way(expert: str, squares: str) -> None:
    assert pressed(LATER, expert) == squares.split()


def test_an_order_for_another_number_of_white_squares_is_not_obeyed() -> None:
    told = "7 squares are white and the last group was blue, so the next group is Row: press the topmost row."

    assert pressed(LATER, told) == []
    assert pressed(LATER, told.replace("7", "3")) == ["12", "13", "14"]


def test_a_report_says_what_was_pressed_and_how_much_is_white_then() -> None:
    expert = Line(
        "expert", "Press red. If there is no red square, take the first of these that is there: yellow, blue."
    )

    assert answer(LATER, Line("solver", "-"), expert) == (
        "press_row_4_column_3\nI press all yellow squares: that makes 4 white squares. Which group is next?"
    )


FRAGMENTS = (
    "press all|red squares|the topmost row|row 1|column 4|if there is no|blue|take the first of these"
    "|3 squares are white|\n|.|?|, then|next group is|row 5, column 9|press_row_1_column_2|row 9: red, red, red, red"
    "|16|99 white|none|not|row 2: red, blue, white, white|mistake|pink|I pressed|0 white|17 red"
)
SPOKEN = st.lists(st.sampled_from(FRAGMENTS.split("|"))).map(" ".join)


@given(said=st.lists(st.one_of(st.text(), SPOKEN), max_size=4), rows=st.sampled_from([FIRST, LATER, f"{'.' * 15}R"]))
@settings(deadline=None, max_examples=150)
def test_nothing_that_is_said_breaks_a_player(said: list[str], rows: str) -> None:
    lines = tuple(Line(("solver", "expert")[place % 2], text) for place, text in enumerate(said))

    assert TALK.advise(RULES, Heard(lines))
    assert answer(rows, *lines)


def test_a_number_without_end_is_no_number_of_squares() -> None:
    assert advice(f"{'9' * 5000} squares are white, {'1' * 5000} red") == ASK
