import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from palaver_gamemasters.comma.instances import rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzles.corners import ACTIONS
from palaver_gamemasters.comma.puzzles.keypad import PUZZLE as KEYPAD
from palaver_gamemasters.comma.puzzles.keypad.glyphs import GLYPHS
from palaver_gamemasters.comma.puzzles.keypad.picture import LIT, key_box, lamp_point
from palaver_gamemasters.comma.puzzles.keypad.puzzle import KeypadState
from palaver_gamemasters.comma.puzzles.keypad.scene import KeypadScene
from palaver_gamemasters.comma.puzzles.keypad.symbols import CALLED, SYMBOLS, symbol_of
from palaver_gamemasters.comma.talk import Heard, Line
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.conversing import (
    advice,
    converse,
    generated,
    manual_with,
    performed,
    refusal,
    sight,
    told_to_solve,
)

RULES = rules_of(KEYPAD)
TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT = ACTIONS
FOUR = ("umbrella", "hourglass", "bell", "crown")
"""Column 1 has them in the order hourglass, crown, bell, umbrella."""
RIGHT = [TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT, TOP_LEFT]


def keypad(*symbols: str) -> KeypadState:
    """Set up four symbols in reading order."""
    return KEYPAD.start(KEYPAD.configure({"symbols": list(symbols)}), RULES)


# ---- the rule


@pytest.mark.parametrize(
    ("symbols", "order"),
    [
        (FOUR, RIGHT),
        (("arrow pointing up", "bell", "crown", "hourglass"), RIGHT[:0] + list(reversed(ACTIONS))),
        (("eye", "fish", "sun", "key"), list(ACTIONS)),
        (("mug", "anchor", "house", "mushroom"), [TOP_RIGHT, BOTTOM_RIGHT, TOP_LEFT, BOTTOM_LEFT]),
        (("spiral", "fish", "house", "ladder"), [BOTTOM_LEFT, BOTTOM_RIGHT, TOP_LEFT, TOP_RIGHT]),
        (("mushroom", "sun", "square inside a square", "heart"), [BOTTOM_LEFT, BOTTOM_RIGHT, TOP_RIGHT, TOP_LEFT]),
        (("plus sign", "mug", "ladder", "fir tree"), [BOTTOM_LEFT, BOTTOM_RIGHT, TOP_LEFT, TOP_RIGHT]),
    ],
)
def test_symbols_are_pressed_in_the_order_of_their_column(symbols: tuple[str, ...], order: list[str]) -> None:
    states = [keypad(*symbols)]
    for action in order:
        step = KEYPAD.act(states[-1], action)
        assert not step.mistake
        states.append(step.state)
    assert [KEYPAD.progress(state) for state in states] == [0, 0.25, 0.5, 0.75, 1]
    assert [KEYPAD.solved(state) for state in states] == [False] * 4 + [True]


@pytest.mark.parametrize("pressed", [0, 1, 2, 3])
def test_any_other_press_is_a_mistake_and_clears_the_presses(pressed: int) -> None:
    state = performed(KEYPAD, keypad(*FOUR), *RIGHT[:pressed])
    for action in set(ACTIONS) - {RIGHT[pressed]}:
        assert KEYPAD.act(state, action) == (keypad(*FOUR), True)


def test_pressing_a_lit_button_again_is_a_mistake() -> None:
    assert KEYPAD.act(performed(KEYPAD, keypad(*FOUR), RIGHT[0]), RIGHT[0]).mistake


def test_lamps_are_lit_on_what_was_pressed_in_its_turn() -> None:
    state = keypad(*FOUR)
    assert [KEYPAD.scene(performed(KEYPAD, state, *RIGHT[:count])).lit for count in range(5)] == [
        set(),
        {1},
        {1, 3},
        {1, 2, 3},
        {0, 1, 2, 3},
    ]


def test_the_answer_names_the_order() -> None:
    assert KEYPAD.answer(keypad(*FOUR)) == (
        "The right order is top right (hourglass), bottom right (crown), bottom left (bell), top left (umbrella)."
    )


# ---- initialisations


def test_exactly_one_column_holds_what_is_generated_and_a_seed_repeats() -> None:
    for index in range(300):
        made = KEYPAD.generate(RULES, Dice("keypad", index), None)
        assert made == KEYPAD.generate(RULES, Dice("keypad", index), None)
        assert len(set(made.symbols)) == 4
        assert sum(set(made.symbols) <= set(column) for column in RULES.columns) == 1


def test_generation_uses_all_symbols_columns_and_orders() -> None:
    states = [generated(KEYPAD, index) for index in range(300)]
    assert {symbol for state in states for symbol in state.symbols} == {each for row in RULES.columns for each in row}
    assert len({state.order for state in states}) == 24
    assert {RULES.columns.index(RULES.holding(state.symbols)[0]) for state in states} == set(range(6))


@pytest.mark.parametrize(
    ("symbols", "problem"),
    [
        (["bell", "crown", "umbrella"], "symbols.3: Field required"),
        (["bell", "crown", "umbrella", "unicorn"], "symbols.3: there is no symbol 'unicorn'; there are: "),
        (["bell", "crown", "umbrella", "bell"], "symbols: bell, crown, umbrella, bell are not four different symbols"),
        (["bell", "crown", "umbrella", "eye"], "symbols: none of the manual's columns holds all of bell, crown, umb"),
    ],
)
def test_an_initialisation_that_makes_no_puzzle_is_refused_with_its_field(symbols: Any, problem: str) -> None:
    with pytest.raises(InstanceError) as error:
        KEYPAD.start(KEYPAD.configure({"symbols": symbols}), RULES)
    assert error.value.message.startswith(f"comma keypad instance: {problem}")


def test_symbols_that_two_columns_hold_are_refused() -> None:
    rules = KEYPAD.read_manual(Manual("mine.md", TWINS))
    with pytest.raises(InstanceError, match="symbols: 2 of the manual's columns hold all of bell, crown, eye, fish"):
        KEYPAD.start(KEYPAD.configure({"symbols": ["bell", "crown", "eye", "fish"]}), rules)


# ---- the manual

TWINS = """\
# Mine

Press them from top to bottom.

## Columns

| one | two |
| --- | --- |
| bell | fish |
| crown | eye |
| eye | crown |
| fish | bell |
| key | |
"""


def test_the_manual_has_six_columns_of_seven_and_no_two_share_four() -> None:
    assert [len(column) for column in RULES.columns] == [7] * 6
    assert max(len(set(one) & set(other)) for one, other in combinations(RULES.columns, 2)) < 4


def test_columns_may_be_of_different_lengths_and_generation_avoids_what_two_of_them_hold() -> None:
    rules = KEYPAD.read_manual(Manual("mine.md", TWINS))
    assert rules.columns == (("bell", "crown", "eye", "fish", "key"), ("fish", "eye", "crown", "bell"))
    assert all("key" in KEYPAD.generate(rules, Dice(index), None).symbols for index in range(30))


def test_a_manual_may_say_bottom_to_top() -> None:
    rules = rules_of(KEYPAD, manual_with(KEYPAD, "from top to bottom", "from bottom to top"))
    assert rules.order(FOUR) == ("umbrella", "bell", "crown", "hourglass")


def test_a_manual_may_call_symbols_as_people_do() -> None:
    assert rules_of(KEYPAD, manual_with(KEYPAD, "| anchor   ", "| Ship's Anchors ")) == RULES


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("| anchor   ", "| anchr ", "mine.md, line 13: there is no symbol 'anchr'; did you mean 'anchor'?"),
        ("| anchor   ", "| qqqq ", "mine.md, line 13: there is no symbol 'qqqq'; there are: anchor, arrow"),
        ("| eye   ", "| the sun | ", "mine.md, line 13: the row has 7 cells, the table's head 6"),
        ("| eye   ", "| fish ", "mine.md, line 14: 'fish' is in column 2 twice"),
        ("## Columns", "## Lists", "mine.md: there is no section 'Columns'; it has 'Keypad puzzle', 'Lists'"),
        ("from top to bottom", "in a good mood", "mine.md: it must say in which order a column is pressed"),
    ],
)
def test_a_malformed_manual_is_refused_with_file_and_line(old: str, new: str, problem: str) -> None:
    assert refusal(KEYPAD, manual_with(KEYPAD, old, new)).startswith(problem)


def test_columns_that_make_no_keypad_are_refused() -> None:
    with pytest.raises(InstanceError, match=r"mine\.md, line 5: no four symbols are in one column and in no other"):
        KEYPAD.read_manual(Manual("mine.md", TWINS.replace("| key | |\n", "")))


# ---- names


def test_every_symbol_has_a_drawing_and_no_name_means_two() -> None:
    assert set(SYMBOLS) == set(GLYPHS)
    assert len(CALLED) == sum(1 + len(others) for others in SYMBOLS.values())
    assert [called for called, symbol in CALLED.items() if symbol_of(called) != symbol] == []


@pytest.mark.parametrize(
    ("called", "symbol"),
    [
        ("Half-Moon", "crescent moon"),
        ("waves", "three waves"),
        ("bull\N{RIGHT SINGLE QUOTATION MARK}s eye", "circle with a dot in the middle"),
        ("Five pointed star", "five-pointed star"),
        ("crosses", "plus sign"),
        ("Squiggly lines", "three waves"),
        ("A circle with a dot in the middle", "circle with a dot in the middle"),
        ("keyhole", None),
        ("starfish", None),
    ],
)
def test_symbols_are_known_by_what_people_call_them(called: str, symbol: str | None) -> None:
    assert symbol_of(called) == symbol


# ---- what is seen


def test_text_tells_all_of_a_scene_in_any_state() -> None:
    dice = random.Random(1)
    for index in range(60):
        state = generated(KEYPAD, index)
        for _ in range(12):
            scene = KEYPAD.scene(state)
            assert KEYPAD.read(KEYPAD.write(scene)) == scene
            if KEYPAD.solved(state):
                break
            state = KEYPAD.act(state, dice.choice([*ACTIONS, ACTIONS[state.order[state.pressed]]])).state
    scene = KEYPAD.scene(performed(KEYPAD, keypad(*FOUR), *RIGHT))
    assert KEYPAD.read(KEYPAD.write(scene)) == scene


def test_text_that_shows_no_keypad_is_refused() -> None:
    with pytest.raises(ValueError, match="no keypad"):
        KEYPAD.read("top left: anchor")


def test_the_picture_shows_which_lamps_are_lit() -> None:
    red, green, blue = (int(LIT[at : at + 2], 16) for at in (1, 3, 5))
    for lit in (frozenset[int](), frozenset({1}), frozenset({0, 3}), frozenset({0, 1, 2, 3})):
        pixels = KEYPAD.draw(KeypadScene(FOUR, lit)).convert("RGB")
        shown = [pixels.getpixel((round(x), round(y))) for x, y in map(lamp_point, range(4))]
        near = [
            isinstance(each, tuple) and abs(each[0] - red) + abs(each[1] - green) + abs(each[2] - blue) < 40
            for each in shown
        ]
        assert near == [number in lit for number in range(4)]


def test_every_symbol_looks_different_from_every_other() -> None:
    looks = {symbol: ink(KEYPAD.draw(KeypadScene((symbol, "bell", "crown", "eye"))), 0) for symbol in SYMBOLS}
    for one, other in combinations(SYMBOLS, 2):
        differing = ImageChops.difference(looks[one], looks[other]).histogram()[255]
        assert differing > 4000, f"{one} and {other} look alike"


def test_a_symbol_looks_the_same_on_every_key_and_keeps_to_it() -> None:
    for symbol in SYMBOLS:
        others = [each for each in SYMBOLS if each != symbol][:3]
        first = KEYPAD.draw(KeypadScene((symbol, *others)))
        last = KEYPAD.draw(KeypadScene((*others, symbol)))
        assert ImageChops.difference(ink(first, 0), ink(last, 3)).histogram()[255] < 20
        box = ink(first, 0).getbbox()
        assert box is not None
        assert min(box[0], box[1], 272 - box[2], 220 - box[3]) >= 8, f"{symbol} leaves its key"


def test_equal_scenes_give_equal_bytes_and_others_do_not() -> None:
    scene = KeypadScene(FOUR, frozenset({1}))
    others = [replace(scene, lit=frozenset({2})), replace(scene, symbols=("eye", *FOUR[1:]))]
    pictures = [png(KEYPAD.draw(each)) for each in [scene, *others]]
    assert len(set(pictures)) == len(pictures)
    assert png(KEYPAD.draw(KeypadScene(tuple(FOUR), frozenset({1})))) == pictures[0]


def ink(picture: Image.Image, number: int) -> Image.Image:
    """Return where a key is dark, below its lamp."""
    left, top, right, bottom = (round(side) for side in key_box(number))
    return (
        picture.convert("L")
        .crop((left + 12, top + 56, right - 12, bottom - 20))
        .point(lambda value: 255 * (value < 100))
    )


# ---- talk


def test_the_scripts_solve_every_keypad_without_a_mistake_in_two_turns() -> None:
    talked = [converse(KEYPAD, generated(KEYPAD, index)) for index in range(300)]
    assert {(each.solved, each.mistakes, each.turns) for each in talked} == {(True, 0, 2)}


def test_the_scripts_manage_with_the_latest_message_alone() -> None:
    talked = [converse(KEYPAD, generated(KEYPAD, index), memory=False) for index in range(100)]
    assert {(each.solved, each.mistakes) for each in talked} == {(True, 0)}


def test_an_expert_who_names_one_symbol_at_a_time_is_enough_in_ten_turns() -> None:
    def patient(heard: Heard) -> str:
        pressed = sum(said in ACTIONS for said in heard.of("solver"))
        order = RULES.order(KEYPAD.read(heard.lines[0].text.replace(", ", "\n").replace(". ", "\n").lower()).symbols)
        return f"Now press the {order[pressed]}, please."

    def plain(seen: Any) -> str:
        return KEYPAD.talk.solve(seen) if seen.heard.lines else KEYPAD.write(seen.scene)

    talked = [converse(KEYPAD, generated(KEYPAD, index), solver=plain, expert=patient) for index in range(100)]
    assert {(each.solved, each.mistakes, each.turns) for each in talked} == {(True, 0, 5)}


@pytest.mark.parametrize(
    "said",
    [
        "umbrella, hourglass, bell, crown",
        "Top left: UMBRELLA. Top right: HOURGLASS. Bottom left: BELL. Bottom right: CROWN.",
        "Hello! I can see a parasol, a sand timer, a bell and a king's crown. What shall I do?",
        "bell bottom-left; crown bottom-right; umbrella top-left; hourglass top-right",
        "Top left key is an umbrella, top right key an hour glass, lower left key a bell, lower right key a crown",
        "There is an umbrella (top left), an egg timer (top right), then a bell and a crown below.",
        "Top left is an umbrella or is it a mushroom? Top right: hourglass. Bottom left: bell. Bottom right: crown.",
    ],
)
def test_an_expert_understands_symbols_as_people_describe_them(said: str) -> None:
    assert advice(KEYPAD, said) == "Press the hourglass, then the crown, then the bell, and last the umbrella."


def test_an_expert_tells_a_key_from_the_keys_of_the_keypad() -> None:
    said = "The top left key is a fish, the top right one an eye, the bottom left key is a key, bottom right is the sun"
    assert advice(KEYPAD, said) == "Press the eye, then the fish, then the sun, and last the key."


def test_an_expert_puts_a_description_together_from_several_messages() -> None:
    assert advice(KEYPAD, "An umbrella and an hourglass above", "below a bell, a crown").startswith("Press the hourgl")


def test_an_expert_says_what_it_knows_so_far_and_asks_for_the_rest_with_an_example() -> None:
    assert advice(KEYPAD, "There is a bell at the top left.").startswith("So far I know of: bell. Please tell me all")
    assert advice(KEYPAD, "Hello, what now?").startswith("Please tell me all four symbols: for example 'top left: a")


def test_an_expert_says_so_when_no_column_holds_the_four() -> None:
    said = advice(KEYPAD, "bell, crown, eye, fish")
    assert said.startswith("I understood bell, crown, eye, fish, but these four are not in one column together.")


@pytest.mark.parametrize(
    "advice",
    [
        "Press the hourglass, then the crown, then the bell, and last the umbrella.",
        "HOURGLASS, CROWN, BELL, UMBRELLA",
        "1. hourglass\n2. crown\n3. bell\n4. umbrella",
        "Please press top right, bottom right, bottom left, top left. Thank you!",
        "It is column 1. Press them in this order: hourglass (top right), crown (bottom right), bell, umbrella.",
        "Umbrella, hourglass, bell, crown: column 1. So press hourglass, crown, bell and after that the umbrella.",
        "Could you please push the sand timer first, then the crown, then the bell, then the parasol?",
        "First the hourglass, then the crown. Next comes the bell, finally the umbrella.",
        "The hourglass first, then the crown, then the bell, then the umbrella.",
        "The column reads: hourglass, crown, crescent moon, bell, five-pointed star, umbrella, arrow pointing up.",
        "press_top_right_button\npress_bottom_right_button\npress_bottom_left_button\npress_top_left_button",
        "Don't press the umbrella first. Press hourglass, crown, bell, umbrella.",
        "The order is: TR, BR, BL, TL",
    ],
)
def test_a_solver_understands_orders_as_people_give_them(advice: str) -> None:
    assert told_to_solve(KEYPAD, keypad(*FOUR), advice).split("\n") == RIGHT


@pytest.mark.parametrize(
    ("advice", "pressed"),
    [
        ("Start with the hourglass.", [TOP_RIGHT]),
        ("The hourglass!", [TOP_RIGHT]),
        ("First press the hourglass, then tell me whether its lamp is lit.", [TOP_RIGHT]),
        ("Press the hourglass and then the crown.", [TOP_RIGHT, BOTTOM_RIGHT]),
        ("You have a crown, a bell, an umbrella and an hourglass. Press the hourglass first.", [TOP_RIGHT]),
    ],
)
def test_a_solver_does_one_part_of_the_order_at_a_time(advice: str, pressed: list[str]) -> None:
    said = told_to_solve(KEYPAD, keypad(*FOUR), advice)
    assert [line for line in said.split("\n") if line in ACTIONS] == pressed


def test_a_solver_skips_what_is_lit_when_the_whole_order_is_said_again() -> None:
    state = performed(KEYPAD, keypad(*FOUR), *RIGHT[:2])
    assert (
        told_to_solve(KEYPAD, state, "Press the hourglass, the crown, the bell, the umbrella.").split("\n") == RIGHT[2:]
    )


def test_a_solver_tells_which_lamps_are_lit() -> None:
    state = performed(KEYPAD, keypad(*FOUR), *RIGHT[:2])
    assert told_to_solve(KEYPAD, state, "And now?").endswith(
        "bottom right: crown. Lit so far: hourglass, crown. In which order should I press them?"
    )


@pytest.mark.parametrize(
    "advice",
    [
        "Is the top left one an umbrella?",
        "Please tell me all symbols: for example 'top left: bell, top right: crown'.",
        "Which of them is the crown? Does the bell have a clapper?",
        "Do not press the bell.",
        "If the top left is a bell, tell me.",
        "Press the crown after the hourglass.",
        "I think you said an umbrella and a bell, and I am still looking for them.",
        "",
    ],
)
def test_a_solver_that_is_not_told_what_to_press_describes_again(advice: str) -> None:
    assert told_to_solve(KEYPAD, keypad(*FOUR), advice) == (
        "I see four symbols. Top left: umbrella, top right: hourglass, bottom left: bell, bottom right: crown. "
        "In which order should I press them?"
    )


def test_a_solver_says_so_when_something_was_a_mistake() -> None:
    lines = [Line("solver", TOP_LEFT), Line("environment", "That action seems to have been a mistake")]
    assert KEYPAD.talk.solve(sight(KEYPAD, keypad(*FOUR), *lines)).startswith("That was a mistake. I see four")


def test_no_line_of_a_description_is_an_action() -> None:
    for index in range(50):
        said = KEYPAD.talk.describe(sight(KEYPAD, generated(KEYPAD, index)))
        assert not {line.strip() for line in said.splitlines()} & set(ACTIONS)


REAL = [line.text for index in range(4) for line in converse(KEYPAD, generated(KEYPAD, index)).lines]
FRAGMENTS = sorted({piece for text in REAL for piece in text.replace(",", " ,").split()} | {"\n", "left key", "after"})
SAID = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(FRAGMENTS), max_size=25).map(" ".join),
    st.lists(st.sampled_from(sorted(CALLED)), max_size=8).map(", top left ".join),
)
DIALOGUE = st.lists(st.builds(Line, st.sampled_from(["solver", "expert", "environment"]), SAID), max_size=5)


@settings(max_examples=120, deadline=None)
@given(DIALOGUE, st.integers(0, 20), st.integers(0, 3))
def test_nothing_that_is_said_breaks_a_player(lines: list[Line], index: int, pressed: int) -> None:
    state = generated(KEYPAD, index)
    state = performed(KEYPAD, state, *(ACTIONS[button] for button in state.order[:pressed]))
    assert KEYPAD.talk.advise(RULES, Heard(tuple(lines)))
    assert KEYPAD.talk.solve(sight(KEYPAD, state, *lines))
