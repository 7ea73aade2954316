import random
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops
from pydantic import JsonValue

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzles.corners import ACTIONS
from palaver_gamemasters.comma.puzzles.led import PUZZLE as LED
from palaver_gamemasters.comma.puzzles.led.picture import LIT, PAINT, key_box, led_point
from palaver_gamemasters.comma.puzzles.led.puzzle import LedState
from palaver_gamemasters.comma.puzzles.led.scene import LedScene
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

RULES = rules_of(LED)
TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT = ACTIONS


def stages(*told: str) -> LedState:
    """Set up stages such as ``red K W B U``; letters in reading order."""
    data: list[JsonValue] = [{"led": each.split()[0], "letters": list[JsonValue](each.split()[1:])} for each in told]
    return LED.start(LED.configure({"stages": data}), RULES)


# K = 10, times 2 is 20 = U; F = 5, times 3 is 15 = P; O = 14, times 5 is 70 = 18 = S.
THREE = ("red K W B U", "green P W B F", "yellow X S O Z")


# ---- the rule


@pytest.mark.parametrize(
    ("stage", "right"),
    [
        ("red K W B U", [TOP_LEFT]),  # 10 x 2 = 20
        ("red O W B U", [BOTTOM_RIGHT]),  # 20 x 2 = 40 = 26 + 14
        ("red P W B U", []),
        ("green B C G Z", [TOP_RIGHT]),  # 2 x 3 = 6
        ("blue H C U T", [BOTTOM_LEFT]),  # 20 x 4 = 80 = 3 x 26 + 2
        ("blue H D U T", []),
        ("yellow X S O Z", [BOTTOM_LEFT]),  # 14 x 5 = 70 = 2 x 26 + 18
        ("purple D X Y S", [TOP_LEFT]),  # 3 x 6 = 18
        ("orange Z A Q T", [TOP_LEFT]),  # 25 x 7 = 175 = 6 x 26 + 19
        ("red A B C N", [TOP_RIGHT, BOTTOM_RIGHT]),  # 1 x 2 = 2; 13 x 2 = 26 + 0
    ],
)
def test_a_button_is_right_if_its_multiple_is_the_letter_diagonally_opposite(stage: str, right: list[str]) -> None:
    colour, *letters = stage.split()
    assert [ACTIONS[button] for button in RULES.right(letters, colour)] == right


def test_a_right_press_leads_to_the_next_stage_until_all_are_passed() -> None:
    states = [stages(*THREE)]
    for action in (TOP_LEFT, BOTTOM_RIGHT, BOTTOM_LEFT):
        step = LED.act(states[-1], action)
        assert not step.mistake
        states.append(step.state)
    assert [LED.progress(state) for state in states] == [0, 1 / 3, 2 / 3, 1]
    assert [LED.solved(state) for state in states] == [False, False, False, True]


@pytest.mark.parametrize("action", [TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT])
def test_a_wrong_press_is_a_mistake_and_leaves_the_stage_as_it_is(action: str) -> None:
    state = performed(LED, stages(*THREE), TOP_LEFT)
    assert LED.act(state, action) == (state, True)


def test_the_letters_change_at_each_stage_and_the_last_ones_stay() -> None:
    state, seen = stages(*THREE), []
    for action in (TOP_LEFT, BOTTOM_RIGHT, BOTTOM_LEFT):
        seen.append("".join(LED.scene(state).letters))
        state = performed(LED, state, action)
    assert [*seen, "".join(LED.scene(state).letters)] == ["KWBU", "PWBF", "XSOZ", "XSOZ"]


def test_the_answer_names_every_right_button_of_every_stage() -> None:
    assert LED.answer(stages("red A B C N", "green P W B F")) == (
        "The right buttons are, at stage 1 (red LED): top right (B) or bottom right (N); "
        "stage 2 (green LED): bottom right (F)."
    )


# ---- initialisations


def test_generated_stages_have_different_letters_and_a_right_button_and_repeat_for_their_seed() -> None:
    for index in range(300):
        made = LED.generate(RULES, Dice("led", index), None)
        assert made == LED.generate(RULES, Dice("led", index), None)
        assert all(len(set(stage.letters)) == 4 for stage in made.stages)
        assert all(LED.start(made, RULES).right)


def test_generation_uses_all_colours_letters_counts_and_buttons() -> None:
    states = [generated(LED, index) for index in range(300)]
    assert {len(state.leds) for state in states} == {2, 3, 4, 5}
    assert {led for state in states for led in state.leds} == set(PAINT)
    assert {letter for state in states for four in state.letters for letter in four} == set(ascii_uppercase)
    assert {right[0] for state in states for right in state.right} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"stages": [{"led": "red", "letters": ["K", "W", "B", "U"]}]}, "stages: Tuple should have at least 2 items"),
        ({"stages": [{"led": "pink", "letters": ["K", "W", "B", "U"]}] * 2}, "stages.0.led: Input should be 'red'"),
        ({"stages": [{"led": "red", "letters": ["k", "W", "B", "U"]}] * 2}, "stages.0.letters.0: String should match"),
        ({"stages": [{"led": "red", "letters": ["K", "W"]}] * 2}, "stages.0.letters.2: Field required"),
        (
            {"stages": [{"led": "red", "letters": ["K", "W", "B", "U"]}, {"led": "red", "letters": ["K"] * 4}]},
            "stages.1.letters: K, K, K, K are not four different letters",
        ),
        (
            {"stages": [{"led": "red", "letters": ["K", "W", "B", "X"]}] * 2},
            "stages.0.letters: no button is right with K, W, B, X under a red LED",
        ),
    ],
)
def test_an_initialisation_that_makes_no_puzzle_is_refused_with_its_field(data: Any, problem: str) -> None:
    with pytest.raises(InstanceError) as error:
        LED.start(LED.configure(data), RULES)
    assert error.value.message.startswith(f"comma led instance: {problem}")


def test_the_mend_for_a_stage_without_a_right_button_is_a_letter_that_makes_one() -> None:
    with pytest.raises(InstanceError) as error:
        stages("red K W B X", "red K W B U")
    assert error.value.mend == "put U at the bottom right, for example"


def test_a_colour_that_the_manual_does_not_know_is_refused() -> None:
    rules = rules_of(LED, manual_with(LED, "| green | 3 |\n", ""))
    with pytest.raises(InstanceError, match=r"stages\.1\.led: the manual gives no multiplier for green"):
        LED.start(LED.configure({"stages": [{"led": led, "letters": list("KWBU")} for led in ("red", "green")]}), rules)


# ---- the manual


def test_the_manual_gives_the_studys_multipliers() -> None:
    assert RULES.multipliers == {"red": 2, "green": 3, "blue": 4, "yellow": 5, "purple": 6, "orange": 7}
    assert (RULES.first, RULES.modulus) == (0, 26)


@pytest.mark.parametrize(
    ("old", "new", "letters", "colour"),
    [
        ("| red | 2 |", "| red | 9 |", "BWXJ", "red"),  # 1 x 9 = 9
        ("modulo 26", "modulo 20", "LWXC", "red"),  # 11 x 2 = 22 = 2 + 20
        ("A = 0, B = 1, C = 2", "A = 1, B = 2, C = 3", "CWXF", "red"),  # 3 x 2 = 6 = F
    ],
)
def test_an_edited_manual_changes_the_game(old: str, new: str, letters: str, colour: str) -> None:
    rules = rules_of(LED, manual_with(LED, old, new))
    assert rules.right(letters, colour) == (0,)
    assert RULES.right(letters, colour) == ()
    for index in range(20):
        assert all(LED.start(LED.generate(rules, Dice(index), None), rules).right)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## Multipliers", "## Colours", "mine.md: there is no section 'Multipliers'; it has 'LED puzzle', 'Rule'"),
        ("| red | 2 |", "| pink | 2 |", "mine.md, line 19: there is no LED 'pink'"),
        ("| green | 3 |", "| red | 3 |", "mine.md, line 20: there are two multipliers for red"),
        ("| red | 2 |", "| red | two |", "mine.md, line 19: the multiplier of red is 'two', not a whole number"),
        ("| red | 2 |", "| red | 1 |", "mine.md, line 19: with the multiplier 1 no button could be right"),
        ("| red | 2 |", "| red |", "mine.md, line 19: the row has 1 cells, the table's head 2"),
        ("modulo 26", "without more ado", "mine.md, line 7: the section 'Rule' must say what products are reduced by"),
        ("A = 0, B = 1", "B = 1", "mine.md, line 7: the section 'Rule' must give the value of the first letter"),
    ],
)
def test_a_malformed_manual_is_refused_with_file_and_line(old: str, new: str, problem: str) -> None:
    assert refusal(LED, manual_with(LED, old, new)).startswith(problem)


def test_a_table_without_rows_is_refused() -> None:
    text = own_manual(LED).text
    with pytest.raises(InstanceError, match="the table of multipliers is empty"):
        LED.read_manual(Manual("mine.md", text[: text.index("| red")]))


# ---- what is seen


def test_text_tells_all_of_a_scene_in_any_state() -> None:
    dice = random.Random(1)
    for index in range(60):
        state = generated(LED, index)
        while True:
            scene = LED.scene(state)
            assert LED.read(LED.write(scene)) == scene
            if LED.solved(state):
                break
            state = LED.act(state, dice.choice(ACTIONS)).state


def test_text_that_shows_no_leds_is_refused() -> None:
    with pytest.raises(ValueError, match="no LEDs"):
        LED.read("1. red\n2. blue")


def test_the_picture_shows_every_leds_colour_and_which_one_is_lit() -> None:
    for leds in [tuple(PAINT)[:5], tuple(PAINT)[::-1][:4], ("red", "orange", "yellow"), ("purple", "blue")]:
        for stage in range(len(leds) + 1):
            pixels = LED.draw(LedScene(leds, stage, tuple("KWBU"))).convert("RGB")
            points = [led_point(number, len(leds)) for number in range(len(leds))]
            shown = [hexed(pixels.getpixel((round(x), round(y) + 6))) for x, y in points]
            rims = [distance(hexed(pixels.getpixel((round(x), round(y) + 38))), LIT) < 40 for x, y in points]
            assert [closest(colour) for colour in shown] == list(leds)
            assert rims == [number == stage for number in range(len(leds))]


def test_equal_scenes_give_equal_bytes_and_others_do_not() -> None:
    scene = LedScene(("red", "blue", "green"), 1, tuple("KWBU"))
    others = [
        replace(scene, stage=2),
        replace(scene, leds=("red", "blue", "green", "red")),
        replace(scene, leds=("red", "blue", "orange")),
        replace(scene, letters=tuple("KWBV")),
    ]
    pictures = [png(LED.draw(each)) for each in [scene, *others]]
    assert len(set(pictures)) == len(pictures)
    assert png(LED.draw(LedScene(("red", "blue", "green"), 1, tuple("KWBU")))) == pictures[0]


def test_every_letter_is_drawn_differently_and_only_on_its_own_key() -> None:
    scene = LedScene(("red", "blue"), 0, tuple("KWBU"))
    keys = set()
    for letter in ascii_uppercase:
        picture = LED.draw(replace(scene, letters=("K", letter, "B", "U"))).convert("RGB")
        keys.add(picture.crop(key_box(1)).tobytes())
    assert len(keys) == 26
    plain, other = (LED.draw(replace(scene, letters=tuple(four))).convert("RGB") for four in ("KWBU", "KXBU"))
    changed = ImageChops.difference(plain, other).point(lambda value: 255 * (value > 64)).getbbox()
    left, top, right, bottom = key_box(1)
    assert changed is not None
    assert (changed[0] > left, changed[1] > top, changed[2] < right, changed[3] < bottom) == (True,) * 4


def hexed(pixel: Any) -> str:
    red, green, blue = pixel
    return f"#{red:02x}{green:02x}{blue:02x}"


def distance(one: str, other: str) -> int:
    return sum(abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) for at in (1, 3, 5))


def closest(colour: str) -> str:
    return min(PAINT, key=lambda name: distance(PAINT[name], colour))


# ---- talk


def test_the_scripts_solve_every_puzzle_without_a_mistake_and_with_turns_to_spare() -> None:
    talked = [converse(LED, generated(LED, index)) for index in range(300)]
    assert {(each.solved, each.mistakes) for each in talked} == {(True, 0)}
    assert max(each.turns for each in talked) == 6


def test_the_scripts_manage_with_the_latest_message_alone() -> None:
    talked = [converse(LED, generated(LED, index), memory=False) for index in range(100)]
    assert {(each.solved, each.mistakes) for each in talked} == {(True, 0)}


def test_an_expert_who_only_names_buttons_is_enough_in_ten_turns() -> None:
    def laconic(heard: Heard) -> str:
        return LED.talk.advise(RULES, heard).split(" The rule")[0]

    talked = [converse(LED, generated(LED, index), expert=laconic) for index in range(100)]
    assert {(each.solved, each.mistakes) for each in talked} == {(True, 0)}


def test_a_solver_who_never_calculates_is_helped_at_each_stage() -> None:
    def simple(seen: Any) -> str:
        return LED.talk.describe(seen) if len(seen.heard.of("solver")) % 2 == 0 else asked(seen)

    def asked(seen: Any) -> str:
        return next(action for action, place in PLACED.items() if f"the {place} button" in seen.advice)

    talked = [converse(LED, generated(LED, index), solver=simple) for index in range(100)]
    assert {(each.solved, each.mistakes) for each in talked} == {(True, 0)}


PLACED = {action: action[6:-7].replace("_", " ") for action in ACTIONS}


@pytest.mark.parametrize(
    "said",
    [
        "red LED, K W B U",
        "The current LED is RED. The letters are K, W, B and U.",
        "Hi! I'm on stage 1. Its LED is red; top left: K, top right: W, bottom left: B, bottom right: U. Thanks!",
        "K is top left, W is top right, B is bottom left and U is bottom right. The LED's red.",
        "There are three LEDs: red, green, yellow. Letters: k w / b u",
        "LEDs: red, green, yellow. I see a K and a W in the top row, a B and a U in the bottom row.",
        "upper right is W, upper left is K, lower right U, lower left B. The lit one is the red one",
        "Stage two. green, red, yellow are the LEDs from left to right.\nK W\nB U",
        "I am at the second stage, LEDs blue red red. top-left K, top-right W, bottom-left B, bottom-right U",
        "LED colours: blue, red, green; stage 2; K W B U",
        "The first LED is blue, the second LED is red, the third LED is green. I'm at stage 2 now. K, W, B, U",
        "stage 1 blue, stage 2 red, stage 3 green. We are on stage 2. Buttons: K W / B U",
        "The number in the corner is 3, the LEDs are blue, green, red. Letters K, W, B, U",
        "LEDs blue, green, red, and the third one is lit. k, w, b, u",
        "The LEDs are blue, green and red. The LED of this stage is red. K W B U",
        LED.write(LED.scene(stages("red K W B U", "blue H C U T"))),
        "The red LED is lit, the others are blue and green. TL K, TR W, BL B, BR U",
        "top left shows the letter K, top right has a 'W', bottom left (B), bottom right = U. red light",
    ],
)
def test_an_expert_understands_a_stage_as_people_describe_it(said: str) -> None:
    assert advice(LED, said).startswith("Press the top left button (letter K).")


def test_an_expert_puts_a_description_together_from_several_messages() -> None:
    assert advice(LED, "The LEDs are blue, green, red.", "I'm at stage 3", "K W B U").startswith("Press the top left")


def test_an_expert_asks_for_what_it_was_not_told_with_an_example() -> None:
    assert "Please tell me the four letters by their places: for example 'stage 1, red LED;" in advice(
        LED, "A red LED."
    )
    assert "Please tell me the colour of the LED of the current stage: for example" in advice(LED, "K, W, B, U")
    assert "LED of the current stage and the four letters by their places: for example" in advice(LED, "What now?")


def test_after_a_press_an_expert_waits_for_new_letters() -> None:
    before = "LEDs red, green. Stage 1. Letters K W B U."
    assert advice(LED, before, TOP_LEFT).startswith("Please tell me")
    assert advice(LED, before, TOP_LEFT, "P W B F, stage 2").startswith("Press the bottom right button (letter F).")


def test_an_expert_says_so_when_no_button_can_be_right() -> None:
    assert advice(LED, "red LED, K W B X").startswith("No button is right with K, W, B, X under a red LED")


def test_an_expert_tells_the_rule_once_with_the_multipliers_of_the_leds() -> None:
    lines = [Line("solver", "LEDs: red, green. Stage 1. K W B U")]
    first = LED.talk.advise(RULES, Heard(tuple(lines)))
    lines += [Line("expert", first), Line("solver", "Sorry? Again: K W B U")]
    assert "Multipliers: red 2, green 3." in first
    assert LED.talk.advise(RULES, Heard(tuple(lines))) == "Press the top left button (letter K)."


@pytest.mark.parametrize(
    "advice",
    [
        "Press the top left button.",
        "PRESS TOP LEFT",
        "Could you please push the upper left one?",
        "Please go ahead and click on the button in the top-left corner, thank you!",
        "Don't press the top right; press the top left.",
        "Top left!",
        "press_top_left_button",
        "You should press K",
        "Press the button with the letter K.",
        "The bottom right one is not right, so press the top left button.",
        "Multiply by 2, modulo 26, and look at the diagonally opposite letter. A = 0.",
        "Multipliers are 3 for green, 2 for red. Value times multiplier mod 26 must be the opposite letter.",
        "Red means multiply by two... I mean red = 2. Mod 26, diagonal.",
    ],
)
def test_a_solver_understands_advice_as_people_give_it(advice: str) -> None:
    assert told_to_solve(LED, stages(*THREE), advice) == TOP_LEFT


@pytest.mark.parametrize(
    "advice",
    [
        "Is the top left letter a K?",
        "What is at the top left?",
        "Do not press the top left button.",
        "Please tell me the letters, for example 'top left K, top right W'.",
        "Which button? I do not know.",
        "",
    ],
)
def test_a_solver_that_is_not_told_what_to_press_describes_again(advice: str) -> None:
    assert told_to_solve(LED, stages(*THREE), advice) == (
        "I see 3 LEDs, from left to right red, green, yellow. I am at stage 1: the lit LED is red. "
        "The letters are top left K, top right W, bottom left B, bottom right U. Which button should I press?"
    )


def test_a_solver_does_not_repeat_a_press_that_was_a_mistake_at_this_stage() -> None:
    lines = [
        Line("solver", TOP_RIGHT),
        Line("environment", "That action seems to have been a mistake"),
        Line("expert", "Press the top right button."),
    ]
    said = LED.talk.solve(sight(LED, stages(*THREE), *lines))
    assert said.startswith("That was a mistake. I see 3 LEDs")


def test_a_solver_may_press_the_same_button_again_at_the_next_stage() -> None:
    lines = [
        Line("solver", TOP_RIGHT),
        Line("environment", "That action seems to have been a mistake"),
        Line("expert", "Press the top left button."),
        Line("solver", TOP_LEFT),
        Line("environment", "The action was performed successfully"),
        Line("expert", "Press the top right button."),
    ]
    assert LED.talk.solve(sight(LED, performed(LED, stages(*THREE), TOP_LEFT), *lines)) == TOP_RIGHT


def test_a_successor_goes_on_by_the_rule_that_was_told_before() -> None:
    lines = [
        Line("expert", "Letters count from A = 0; value x multiplier mod 26 = the diagonal one. Red 2, green 3."),
        Line("solver", TOP_LEFT),
        Line("environment", "The action was performed successfully"),
        Line("expert", "Well done!"),
    ]
    assert LED.talk.solve(sight(LED, performed(LED, stages(*THREE), TOP_LEFT), *lines)) == BOTTOM_RIGHT


def test_no_line_of_a_description_is_an_action() -> None:
    for index in range(50):
        said = LED.talk.describe(sight(LED, generated(LED, index)))
        assert not {line.strip() for line in said.splitlines()} & set(ACTIONS)


def test_an_expert_reads_the_text_that_a_solver_copies_at_any_stage() -> None:
    state = performed(LED, stages(*THREE), TOP_LEFT)
    assert advice(LED, LED.write(LED.scene(state))).startswith("Press the bottom right button (letter F).")


REAL = [line.text for index in range(3) for line in converse(LED, generated(LED, index)).lines]
FRAGMENTS = sorted({piece for text in REAL for piece in text.replace(",", " ,").split()} | {"\n", "modulo 0", "times"})
SAID = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map(" ".join))
DIALOGUE = st.lists(st.builds(Line, st.sampled_from(["solver", "expert", "environment"]), SAID), max_size=5)


@settings(max_examples=120, deadline=None)
@given(DIALOGUE, st.integers(0, 20))
def test_nothing_that_is_said_breaks_a_player(lines: list[Line], index: int) -> None:
    assert LED.talk.advise(RULES, Heard(tuple(lines)))
    assert LED.talk.solve(sight(LED, generated(LED, index), *lines))
