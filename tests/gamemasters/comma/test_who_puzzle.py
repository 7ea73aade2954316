"""The who puzzle: both steps of its manual, its mistakes, its picture, and how people talk about it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import divided
from palaver_gamemasters.comma.puzzles import load_puzzle
from palaver_gamemasters.comma.puzzles.who.manual import ACTIONS, NO_TEXT, POSITIONS, WhoRules
from palaver_gamemasters.comma.puzzles.who.picture import DISPLAY, LAMP, draw, key_box
from palaver_gamemasters.comma.puzzles.who.puzzle import WhoState
from palaver_gamemasters.comma.puzzles.who.scene import WhoScene
from palaver_gamemasters.comma.state import MISTAKE, PERFORMED
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import Box
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.conversing import (
    REWORDINGS,
    advice,
    converse,
    generated,
    manual_with,
    refusal,
    told_to_solve,
)

WHO = load_puzzle("who")

ONE = ("READY", "LEFT", "MIDDLE", "WHAT", "NO", "PRESS")
OTHER = ("U", "DONE", "WHAT?", "LIKE", "SURE", "YOU")


def setup(display: str, labels: Sequence[str]) -> dict[str, Any]:
    places = [place.replace(" ", "_") for place in POSITIONS]
    return {"display": display, "labels": dict(zip(places, labels, strict=True))}


def begun(display: str = "YES", labels: Sequence[str] = ONE) -> WhoState:
    state = WHO.start(WHO.configure(setup(display, labels)), rules_of(WHO))
    assert isinstance(state, WhoState)
    return state


def read_with(old: str, new: str) -> WhoRules:
    text = manual_with(WHO, old, new)
    rules = rules_of(WHO, text)
    assert isinstance(rules, WhoRules)
    return rules


# ---- the rules


@pytest.mark.parametrize(
    ("display", "labels", "right"),
    [
        # middle left is MIDDLE: BLANK, READY, ...
        ("YES", ONE, "READY"),
        # top right is LEFT: RIGHT, LEFT, ...
        ("FIRST", ONE, "LEFT"),
        # bottom right is PRESS: RIGHT, MIDDLE, ...
        ("DISPLAY", ONE, "MIDDLE"),
        # bottom left is NO: BLANK, UHHH, WAIT, FIRST, WHAT, ...
        (NO_TEXT, ONE, "WHAT"),
        # top left is READY: YES, OKAY, WHAT, ...
        ("UR", ONE, "WHAT"),
        # middle right is WHAT: UHHH, WHAT, ...
        ("BLANK", ONE, "WHAT"),
        # top right is DONE: SURE, ...
        ("C", OTHER, "SURE"),
        # bottom right is YOU: SURE, ...
        ("CEE", OTHER, "SURE"),
        # bottom left is SURE: YOU ARE, DONE, ...
        ("THEY'RE", OTHER, "DONE"),
        # middle left is WHAT?: YOU, ...
        ("THEY ARE", OTHER, "YOU"),
        # top left is U: UH HUH, SURE, ...
        ("UR", OTHER, "SURE"),
        # middle right is LIKE: YOU'RE, NEXT, U, ...
        ("YOU'RE", OTHER, "U"),
    ],
)
def test_the_display_names_a_label_and_the_label_names_the_button(
    display: str, labels: Sequence[str], right: str
) -> None:
    assert begun(display, labels).right == labels.index(right)


def test_the_manual_holds_the_studys_tables() -> None:
    rules = rules_of(WHO)
    assert (len(rules.positions), len(rules.words)) == (28, 28)
    assert {len(words) for words in rules.words.values()} == {14}
    assert [len(family) for family in rules.families] == [14, 14]
    assert rules.words["YOU'RE"][:3] == ("YOU", "YOU'RE", "UR")


def test_a_wrong_press_is_a_mistake_and_changes_nothing() -> None:
    state = begun()
    for number, action in enumerate(ACTIONS):
        step = WHO.act(state, action)
        assert step.mistake == (number != state.right)
        assert step.state == state or not step.mistake
    done = WHO.act(state, ACTIONS[state.right])
    assert (done.mistake, WHO.solved(done.state), WHO.progress(done.state)) == (False, True, 1.0)


def test_initialisations_are_of_one_family_and_have_one_right_button() -> None:
    rules = rules_of(WHO)
    displays = set()
    for seed in range(300):
        given_setup = WHO.generate(rules, Dice("who test", seed), None)
        state = WHO.start(given_setup, rules)
        assert any(set(state.labels) <= set(family) for family in rules.families)
        displays.add(state.display)
        assert sum(not WHO.act(state, action).mistake for action in ACTIONS) == 1
    assert len(displays) == 28


def test_whoever_edits_the_manual_changes_the_game() -> None:
    rules = read_with('- "YES": Middle Left', '- "YES": top-right.')
    assert WHO.start(WHO.configure(setup("YES", ONE)), rules).right == ONE.index("LEFT")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## Step 1", "## Step one", "mine.md: there is no section 'Step 1'"),
        (
            '- "YES": Middle Left',
            '- "YES": Middle',
            "no position 'middle'; did you mean 'middle left'?",
        ),
        ('- "YES": Middle Left', "- YES, Middle Left", "line 14: 'YES, Middle Left' is no rule, such as"),
        ('- "YES": Middle Left', '- "Yes": Middle Left', "line 14: 'Yes' is no word: capitals, digits"),
        ('- "YES": Middle Left', '- "FIRST": Middle Left', 'line 15: "FIRST" has a rule in line 14 already'),
        ("PRESS, RIGHT, BLANK, READY, NO", "PRESS, RIGHT, BLANK, READY", '"READY" is not complete: it names'),
        ("PRESS, RIGHT, BLANK, READY, NO", "PRESS, RIGHT, BLANK, NO, NO", 'the list of "READY" names NO twice'),
        (
            "PRESS, RIGHT, BLANK, READY, NO",
            "PRESS, MAYBE, BLANK, READY, NO",
            "names MAYBE, which has no list of its own",
        ),
    ],
)
def test_a_malformed_manual_is_refused_in_one_line(old: str, new: str, problem: str) -> None:
    assert problem in refusal(WHO, manual_with(WHO, old, new))


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ('## Step 1\n\n- "A": Top Left\n\n## Step 2\n', "line 5: section 'Step 2' has no rules, such as"),
        ('## Step 1\n\n- "A": Top Left\n\n## Step 2\n\n- "A": A', 'line 7: the list of "A" is too short'),
        ('## Step 1\n\n- "A": Top Left\n\n## Step 2\n\n- "A": B\n- "B": B', 'the list of "A" does not name A itself'),
    ],
)
def test_a_manual_of_which_no_module_can_be_made_is_refused(steps: str, problem: str) -> None:
    with pytest.raises(InstanceError) as raised:
        rules_of(WHO, steps)
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (setup("MAYBE", ONE), 'display "MAYBE" is not in step 1 of the manual'),
        (setup("maybe", ONE), "display"),
        (setup("YES", ("READY", "LEFT", "LEFT", "WHAT", "NO", "PRESS")), 'labels names "LEFT" twice'),
        (setup("YES", ("READY", "LEFT", "MAYBE", "WHAT", "NO", "PRESS")), 'labels.middle_left "MAYBE" is to be read'),
        (setup("YES", ("READY", "LEFT", 'A"B', "WHAT", "NO", "PRESS")), "labels.middle_left"),
        ({"display": "YES", "labels": {"top_left": "READY"}}, "labels.top_right"),
    ],
)
def test_a_malformed_initialisation_is_refused_in_one_line(changed: Mapping[str, Any], problem: str) -> None:
    with pytest.raises(InstanceError) as raised:
        WHO.start(WHO.configure(dict(changed)), rules_of(WHO))
    assert "comma who instance: " in str(raised.value)
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


# ---- text and picture


@pytest.mark.parametrize("display", ["YES", "YOU'RE", NO_TEXT, "HOLD ON"])
@pytest.mark.parametrize("solved", [False, True])
def test_the_text_is_read_back(display: str, solved: bool) -> None:
    scene = WhoScene(display, OTHER, solved)
    assert WHO.read(WHO.write(scene)) == scene


@lru_cache(maxsize=256)
def drawn(scene: WhoScene) -> Image.Image:
    return draw(scene).convert("RGB")


def ink(picture: Image.Image, box: Box, *, light: bool) -> bytes:
    """Return the shape of what is written in a box."""
    left, top, right, bottom = (round(side) for side in box)
    return picture.crop((left + 16, top + 12, right - 16, bottom - 20)).convert("L").point(
        lambda value: 255 * ((value > 128) == light)
    ).tobytes()  # fmt: skip


def test_the_picture_can_be_read_back() -> None:
    rules = rules_of(WHO)
    words = [*rules.words]
    samples = [drawn(WhoScene(NO_TEXT, (word,) * 6)) for word in words]
    looks = {ink(sample, key_box(0), light=False): word for sample, word in zip(samples, words, strict=True)}
    assert len(looks) == len(words)
    labels = ("YOU'RE", "UH UH", "WHAT?", "WHAT", "NOTHING", "U")
    picture = drawn(WhoScene("YES", labels))
    assert tuple(looks[ink(picture, key_box(place), light=False)] for place in range(6)) == labels


def test_every_display_looks_different_and_an_empty_one_is_dark() -> None:
    displays = [*rules_of(WHO).positions]
    looks = {display: ink(drawn(WhoScene(display, ONE)), DISPLAY, light=True) for display in displays}
    assert len(set(looks.values())) == len(displays)
    assert set(looks[NO_TEXT]) == {0}


def test_the_lamp_is_green_once_it_is_solved() -> None:
    for solved in (False, True):
        colour = drawn(WhoScene("YES", ONE, solved)).getpixel(LAMP)
        assert isinstance(colour, tuple)
        assert (colour[1] > colour[0] + 60) == solved


# ---- the solver


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ('Press the button labelled "NO".', "NO"),
        ("press NO", "NO"),
        ("Press no.", "NO"),
        ('Push the button that says "what"', "WHAT"),
        ("Please press the LEFT button.", "LEFT"),
        ("press the middle left button", "MIDDLE"),
        ("press_middle_right_button", "WHAT"),
        ("Could you please press the top right one?", "LEFT"),
        ("Press the button in the lower right.", "PRESS"),
        ("PRESS THE BUTTON LABELLED WHAT", "WHAT"),
        ("Select the one labeled PRESS.", "PRESS"),
        ('"NO"', "NO"),
        ("**WHAT**", "WHAT"),
        ('"LEFT" is the one to press.', "LEFT"),
        ('The correct button is "LEFT".', "LEFT"),
        ("The button in the top left should be pressed.", "READY"),
        ("YES, OKAY, WHAT, MIDDLE, LEFT, PRESS, RIGHT", "WHAT"),
        ("Press the first one you have of: YES, OKAY, WHAT, MIDDLE, LEFT, PRESS", "WHAT"),
        ("Press the first of these that appears: yes, okay, middle, left", "MIDDLE"),
        ('Your list is: "YES", "OKAY", "PRESS", "NO". Press the first that is on a button.', "PRESS"),
        ("Go through this and press the first label you have:\n1. YES\n2. OKAY\n3. NO\n4. LEFT", "NO"),
        ('The list for "READY" is: YES, OKAY, WHAT, LEFT. Press the first that is there.', "WHAT"),
        ("Look for these in order: YES → OKAY → MIDDLE → LEFT. Press the first you find.", "MIDDLE"),
        ('Press the first label from this list: "YES, OKAY, WHAT, MIDDLE"', "WHAT"),
        ("Do not press the top left button; press the bottom left one.", "NO"),
        ('Since the label is "READY", press "WHAT".', "WHAT"),
    ],
)
def test_the_solver_presses_what_it_is_told_in_many_words(said: str, label: str) -> None:
    assert told_to_solve(WHO, begun(), said) == ACTIONS[ONE.index(label)]


@pytest.mark.parametrize(
    "said",
    [
        "Press the first of: HOLD, NEXT, WHAT?, DONE",
        "Push the first you have: UH HUH, UR, NEXT, WHAT?",
        'Press "what?"',
        "Press WHAT?",
        "UH HUH, WHAT?, DONE",
    ],
)
def test_a_label_with_a_question_mark_is_no_question(said: str) -> None:
    assert told_to_solve(WHO, begun(labels=OTHER), said) == "press_middle_left_button"


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("What is the label of the bottom right button?", ["PRESS"]),
        ("Read me the upper-left label before you press anything.", ["READY"]),
        ("Bottom right?", ["PRESS"]),
        ('For the display "NO", what does the top right button say?', ["LEFT"]),
        ("Read the label in the left middle and tell me", ["MIDDLE"]),
        ("second row, right", ["WHAT"]),
        ("Please read the top left and the bottom left.", ["READY", "NO"]),
        ("Tell me the labels of all six buttons.", list(ONE)),
        ("I will tell you which button to press. What does the display say?", list(ONE)),
        ("I do not understand.", list(ONE)),
    ],
)
def test_the_solver_reads_out_the_labels_it_is_asked_for(said: str, read: Sequence[str]) -> None:
    answer = told_to_solve(WHO, begun(), said)
    assert 'The display shows "YES".' in answer
    assert [label for label in ONE if f'"{label}"' in answer] == list(read)


def test_an_empty_display_is_described_as_empty() -> None:
    assert "it shows no text" in told_to_solve(WHO, begun(NO_TEXT), "")


def test_the_solver_makes_no_mistake_twice() -> None:
    did = "press_bottom_left_button"
    assert told_to_solve(WHO, begun(), "Press NO.", did=did, feedback=PERFORMED) == did
    again = told_to_solve(WHO, begun(), "Press NO.", did=did, feedback=MISTAKE)
    assert again.startswith("That was a mistake.")
    assert all(f'"{label}"' in again for label in ONE)


def test_the_solver_does_not_take_a_manual_that_is_read_out_for_advice() -> None:
    part = divided(own_manual(WHO).text, 2)[1]
    assert told_to_solve(WHO, begun(), "Press NO.", part) == "press_bottom_left_button"
    assert "Which label should I read" in told_to_solve(WHO, begun(), part)


# ---- the expert

READ = "Please read me the label of the bottom right button."
LIST = 'Press the button whose label comes first in this list: "YES", "OKAY", "WHAT", '


@pytest.mark.parametrize(
    "said",
    [
        'The display says "NO".',
        "The display says NO.",
        "NO",
        "no",
        "display: no",
        "THE DISPLAY SAYS NO",
        "The word on the screen is no, what now?",
        "\N{LEFT DOUBLE QUOTATION MARK}NO\N{RIGHT DOUBLE QUOTATION MARK} is on the display.",
        'I see a display with the word "NO" and six buttons.',
        "It says NO",
        'The display shows "NO". The top left button is labelled "READY".',
    ],
)
def test_the_expert_asks_for_the_label_that_the_display_names(said: str) -> None:
    assert advice(WHO, said) == READ


@pytest.mark.parametrize(
    "said",
    [
        ('The display says "NO".', "READY"),
        ('The display says "NO".', 'It says "READY".'),
        ('The display says "NO".', "The bottom right button says ready"),
        ('The display says "NO".', "the label is: READY"),
        ('Bottom right is "READY", and the display says "NO".',),
        ('The display shows "NO". The lower right button is labelled "READY".',),
        ("display no\nbottom right ready",),
        ("The bottom right says YES.", 'Sorry, the bottom right is "READY".', "The display is NO."),
    ],
)
def test_the_expert_reads_out_the_list_of_the_label(said: Sequence[str]) -> None:
    assert advice(WHO, *said).startswith(LIST)


@pytest.mark.parametrize(
    "said",
    [
        """The display says "NO". Top left: MIDDLE, top right: YES, middle left: NO, middle right: WHAT,
        bottom left: LEFT, bottom right: READY""",
        """Display: no
        top left: middle
        top right: yes
        middle left: no
        middle right: what
        bottom left: left
        bottom right: ready""",
        'The display says "NO". The buttons are "MIDDLE", "YES", "NO", "WHAT", "LEFT", "READY".',
        """"NO" is on the display. "MIDDLE" is at the top left and "YES" at the top right;
        "NO" is middle left, "WHAT" middle right; "LEFT" bottom left, "READY" bottom right.""",
    ],
)
def test_the_expert_names_the_button_when_it_knows_all_labels(said: str) -> None:
    assert advice(WHO, said) == 'Press the top right button, "YES".'


@pytest.mark.parametrize("said", ["The display is empty.", "There is no text on the display", 'Display: "(No Text)"'])
def test_the_expert_understands_an_empty_display(said: str) -> None:
    assert advice(WHO, said) == "Please read me the label of the bottom left button."


def test_the_expert_asks_whether_a_blank_display_shows_a_word() -> None:
    question = advice(WHO, "The display is blank.")
    assert 'the word "BLANK", or no text at all?' in question
    assert "bottom left" in advice(WHO, "The display is blank.", "No text at all.")
    assert "middle right" in advice(WHO, "The display is blank.", "The word blank.")
    assert "middle right" in advice(WHO, 'The display says "BLANK".')


def test_the_expert_asks_for_what_it_does_not_know() -> None:
    assert "What does the display show?" in advice(WHO, "Hello, what shall I do?")
    assert 'I do not find "MAYBE".' in advice(WHO, 'The display says "MAYBE".')
    assert 'I do not find "MAYBE".' in advice(WHO, 'The display says "NO", the bottom right is "MAYBE".')


# ---- both


@pytest.mark.parametrize("of_solver", REWORDINGS.values(), ids=REWORDINGS)
@pytest.mark.parametrize("of_expert", REWORDINGS.values(), ids=REWORDINGS)
def test_both_understand_each_other_in_other_words(of_solver: Any, of_expert: Any) -> None:
    for index in range(8):
        ended = converse(WHO, generated(WHO, index), of_solver=of_solver, of_expert=of_expert)
        assert (ended.solved, ended.mistakes, ended.turns) == (True, 0, 3), ended.lines


def test_both_do_without_quotation_marks() -> None:
    def plain(text: str) -> str:
        return text.replace('"', "")

    for index in range(100):
        ended = converse(WHO, generated(WHO, index), of_solver=plain, of_expert=plain)
        assert (ended.solved, ended.mistakes) == (True, 0), ended.lines


def test_both_solve_all_of_many_initialisations_in_three_turns() -> None:
    for index in range(1000):
        ended = converse(WHO, generated(WHO, index))
        assert (ended.solved, ended.mistakes, ended.turns) == (True, 0, 3), ended.lines


FRAGMENTS = [*ONE, *OTHER, *"\"'?.,:\n\ue000\x01", "display", "says", "is", "press", "top left", "(No Text)", "the",
             "label", "button", "do not", "read", "YOU'RE", "first", "blank", "**"]  # fmt: skip


@settings(max_examples=60)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map(" ".join)))
def test_nothing_that_is_said_breaks_either(said: str) -> None:
    for labels in (ONE, OTHER):
        assert told_to_solve(WHO, begun(labels=labels), said)
    assert advice(WHO, said)
    assert advice(WHO, 'The display says "NO".', said)
