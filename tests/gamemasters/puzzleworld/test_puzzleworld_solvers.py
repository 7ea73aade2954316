"""The solvers of our own puzzles: each puzzle can be solved from its pages' words, by its reference's steps."""

import random
import re
from string import ascii_uppercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.puzzleworld.answers import answer_line, tells
from palaver_gamemasters.puzzleworld.judge.scripted import results_in
from palaver_gamemasters.puzzleworld.solvers import PLAYERS, hasty_solver, scripted_solver, solve
from palaver_gamemasters.puzzleworld.solvers import night_street_by_touch as street
from palaver_gamemasters.puzzleworld.solvers import ship_time as ship
from palaver_gamemasters.puzzleworld.solvers import the_conductor_counts as train
from palaver_gamemasters.puzzleworld.solvers import the_odd_key as keys
from palaver_gamemasters.puzzleworld.solvers.one_lump_too_many import solve as make_tea
from palaver_gamemasters.puzzleworld.solvers.solved import UnsolvedError, spelt
from palaver_gamemasters.puzzleworld.solvers.something_extra import solve as pair
from palaver_gamemasters.puzzleworld.solvers.strokes import STROKES, letter_of
from palaver_protocols.content import Text
from palaver_protocols.transcript import IN_WORDS, Message
from tests.gamemasters.puzzleworld.own_puzzles import NAMES, asked, metadata, words
from tests.support import a_request

EACH = pytest.mark.parametrize("name", NAMES)


# ---- all puzzles


@EACH
def test_each_puzzle_can_be_solved_from_its_words(name: str) -> None:
    solved = solve(words(name))

    assert solved is not None
    assert solved.answer == metadata(name)["solution"]


@EACH
def test_the_steps_have_every_intermediate_result_of_the_reference(name: str) -> None:
    solution = scripted_solver(asked(words(name)))

    results = [result for step in metadata(name)["reasoning"] for result in results_in(step["explanation"])]
    assert len(results) >= len(metadata(name)["reasoning"])
    assert [result for result in results if not tells(result, solution)] == []


@EACH
def test_every_step_of_the_reference_has_a_result(name: str) -> None:
    assert all(results_in(step["explanation"]) for step in metadata(name)["reasoning"])


@EACH
def test_the_order_of_the_lines_makes_no_difference(name: str) -> None:
    lines = words(name).splitlines()
    random.Random(name).shuffle(lines)

    solved = solve("\n".join(lines))

    assert solved is not None
    assert solved.answer == metadata(name)["solution"]


@EACH
@pytest.mark.parametrize("part", [0, 1])
def test_half_of_the_words_do_not_suffice(name: str, part: int) -> None:
    lines = words(name).splitlines()
    middle = len(lines) // 2

    assert solve("\n".join((lines[:middle], lines[middle:])[part])) is None


@EACH
def test_the_title_alone_gives_nothing_away(name: str) -> None:
    assert solve(f"title: {metadata(name)['title']}\nflavour: {metadata(name)['flavor_text']}") is None


# ---- players


def test_a_solution_is_numbered_and_ends_with_the_answer() -> None:
    solution = scripted_solver(asked(words("Ship_Time")))

    assert re.match(r"Step 1: .+\nStep 2: ", solution)
    assert answer_line(solution) == solution.splitlines()[-1].removeprefix("Answer: ") == "ALL HANDS"


def test_pages_may_come_one_by_one() -> None:
    pages = words("The_Odd_Key").split("title: ")[1:]

    assert len(pages) == 2
    assert answer_line(scripted_solver(asked(*pages))) == "OPEN SESAME"


def test_words_may_stand_in_the_place_of_pictures() -> None:
    text = Text(text=f"{IN_WORDS}\n{words('Capital_Letters')}")

    solution = scripted_solver(a_request(view=(Message(speaker="user", parts=(text,)),)))

    assert answer_line(solution) == "EMBASSY"


def test_other_words_of_the_view_are_no_page() -> None:
    told = (Message.text_from("user", words("Capital_Letters")), Message.text_from("system", words("Ship_Time")))

    assert answer_line(scripted_solver(a_request(view=told))) == "UNKNOWN"


@pytest.mark.parametrize("player", [scripted_solver, hasty_solver])
@pytest.mark.parametrize("shown", ["A picture of a fish.", ""])
def test_another_puzzle_is_given_up_in_the_right_form(player: object, shown: str) -> None:
    assert callable(player)

    solution = player(asked(shown))

    assert solution.startswith("Step 1: ")
    assert answer_line(solution) == "UNKNOWN"


@EACH
def test_haste_leaves_steps_out(name: str) -> None:
    hasty, thorough = (player(asked(words(name))) for player in (hasty_solver, scripted_solver))

    assert thorough.startswith(hasty.partition("\n\nAnswer: ")[0])
    assert 1 <= hasty.count("Step ") < thorough.count("Step ")


def test_haste_is_right_where_the_letters_come_in_order_and_nowhere_else() -> None:
    right = [name for name in NAMES if answer_line(hasty_solver(asked(words(name)))) == metadata(name)["solution"]]

    assert right == ["Something_Extra"]


def test_the_solvers_are_known_by_name() -> None:
    assert dict(PLAYERS) == {"scripted": scripted_solver, "scripted/hasty": hasty_solver}


# ---- what single solvers know


def test_all_26_letters_have_their_braille_cell() -> None:
    assert sorted(street.BRAILLE.values()) == list(ascii_uppercase)


@pytest.mark.parametrize(("dots", "letter"), [("1", "A"), ("123", "L"), ("2456", "W"), ("1356", "Z"), ("13456", "Y")])
def test_braille_cells_are_the_usual_ones(dots: str, letter: str) -> None:
    assert street.BRAILLE[dots] == letter


def test_going_back_from_a_goes_round_to_z() -> None:
    dark = "dark dark"
    houses = [f"house 1, upper side: lit dark / {dark} / {dark}", f"house 2, lower side: lit dark / {dark} / {dark}"]

    assert street.solve("\n".join(houses)).answer == "ZY"


def test_a_missing_house_is_noticed() -> None:
    with pytest.raises(UnsolvedError, match="houses are missing"):
        street.solve("\n".join(line for line in words("Night_Street_by_Touch").splitlines() if "house 4," not in line))


def test_all_26_letters_have_their_own_flags() -> None:
    assert len(ship.LETTERS) == len(ship.SEMAPHORE) == 26


@pytest.mark.parametrize(
    ("hands", "letter"),
    [(("down", "left"), "B"), (("left", "right"), "R"), (("up-left", "up-right"), "U"), (("up", "right"), "J")],
)
def test_semaphore_is_read_as_who_looks_at_the_sailor_sees_it(hands: tuple[str, str], letter: str) -> None:
    clock = f"one clocks\nclock, upper row, number 1: hands {hands[1]} and {hands[0]}; 1 bell"

    assert ship.solve(clock).answer == letter


@settings(max_examples=25, deadline=None)
@given(
    letter=st.sampled_from("CILMNVWZSOPUDAR"),
    wide=st.floats(1, 20),
    tall=st.floats(1, 20),
    left=st.floats(-50, 50),
)
def test_a_letter_in_one_stroke_is_known_at_any_size(letter: str, wide: float, tall: float, left: float) -> None:
    form = STROKES[letter].split("|")[-1].split(";")[0] if letter not in "AR" else ONE_STROKE[letter]

    line = [(left + wide * int(point[0]), tall * int(point[1])) for point in form.split()]

    assert letter_of(line) == letter


ONE_STROKE = {"A": "04 02 20 42 44 42 02", "R": "04 00 30 41 32 02 22 44"}
"""Letters that go over a line twice."""


def carriage(*remarks: str) -> str:
    lists = ["on board: Ann, Bob, Cy", "in the rack: drum, lute, pipe"]
    return "\n".join([*lists, *(f"remark: {remark}." for remark in remarks)])


def test_remarks_of_each_kind_are_understood() -> None:
    solved = train.solve(
        carriage(
            "There are exactly one seats between Ann and Cy",
            "Ann sits somewhere to the left of Cy",
            "Bob plays the drum",
            "The pipe is somewhere to the left of the drum",
            "The lute is next to the drum",
        )
    )

    assert solved.answer == "PRT"


@pytest.mark.parametrize("remark", ["Ann sits next to Bob", "Ann is fond of Bob"])
def test_a_carriage_without_one_seating_is_not_solved(remark: str) -> None:
    with pytest.raises(UnsolvedError):
        train.solve(carriage(remark))


def test_a_board_that_two_fillings_fit_is_not_solved() -> None:
    board = "A board of squares, 2 wide and 2 high.\nboard row 1: 1 .\nboard row 2: . #\n"

    with pytest.raises(UnsolvedError, match="2 ways"):
        keys.solve(f"{board}three keys\nkey: AB\nkey: AC\nkey: DE")


def test_the_key_that_is_left_over_deciphers_the_board() -> None:
    board = "A board of squares, 2 wide and 2 high.\nboard row 1: . 1\nboard row 2: # 2\n"

    assert keys.solve(f"{board}three keys\nkey: AB\nkey: BE\nkey: FC").answer == "WC"


def test_pictures_that_can_be_paired_in_two_ways_are_not_solved() -> None:
    columns = ["Two pictures", "left column, picture 1: a cat; 3 boxes", "left column, picture 2: a hat; 3 boxes",
               "right column, picture 1: a chat; 4 boxes", "right column, picture 2: a chat; 4 boxes"]  # fmt: skip

    with pytest.raises(UnsolvedError, match="2 ways"):
        pair("\n".join(columns))


def test_tea_is_not_made_without_all_its_steps() -> None:
    cards = ["Two cards", "card, top row, left: Fill the kettle bright up to the line.",
             "card, top row, right: Spoon in the leaves, and one cover."]  # fmt: skip

    with pytest.raises(UnsolvedError, match="no whole pot"):
        make_tea("\n".join(cards))


@pytest.mark.parametrize(
    ("run", "phrase"), [("OPENSESAME", "OPEN SESAME"), ("OPENDOOR", "OPENDOOR"), ("SESAME", "SESAME")]
)
def test_a_run_of_letters_is_divided_into_known_words_alone(run: str, phrase: str) -> None:
    assert spelt(run, "OPEN", "SESAME") == phrase
