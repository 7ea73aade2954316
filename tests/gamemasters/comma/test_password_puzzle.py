"""The password puzzle: its slots, its word list, its picture, and how people talk about it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from string import ascii_uppercase
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import divided
from palaver_gamemasters.comma.puzzles import load_puzzle
from palaver_gamemasters.comma.puzzles.password.hearing import possible, seen
from palaver_gamemasters.comma.puzzles.password.manual import fitting
from palaver_gamemasters.comma.puzzles.password.orders import turns_to
from palaver_gamemasters.comma.puzzles.password.picture import LAMP, draw, window
from palaver_gamemasters.comma.puzzles.password.puzzle import ACTIONS, PasswordState
from palaver_gamemasters.comma.puzzles.password.scene import PasswordScene
from palaver_gamemasters.comma.state import MISTAKE
from palaver_gamemasters.dice import Dice
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

PASSWORD = load_puzzle("password")

SLOTS = ("NOP", "KLM", "ABC", "CDE", "EFG")
SETUP: Mapping[str, Any] = {"slots": list(SLOTS), "shown": "NKBEF"}
"""The word is PLACE."""
SETTING = "press_up_1\npress_down_2\npress_up_3\npress_down_4\npress_up_5"
"""N up is P (round the end), K down is L, B up is A, E down is C (round the end), F up is E."""


def begun(**changes: Any) -> PasswordState:
    state = PASSWORD.start(PASSWORD.configure({**SETUP, **changes}), rules_of(PASSWORD))
    assert isinstance(state, PasswordState)
    return state


def after(*actions: str) -> PasswordState:
    state = begun()
    for action in actions:
        state = PASSWORD.act(state, action).state
    return state


# ---- the rules


@pytest.mark.parametrize(
    ("action", "shown"),
    [
        ("press_up_1", "PKBEF"),
        ("press_down_1", "OKBEF"),
        ("press_up_2", "NMBEF"),
        ("press_down_2", "NLBEF"),
        ("press_up_3", "NKAEF"),
        ("press_down_3", "NKCEF"),
        ("press_up_4", "NKBDF"),
        ("press_down_4", "NKBCF"),
        ("press_up_5", "NKBEE"),
        ("press_down_5", "NKBEG"),
    ],
)
def test_up_is_the_letter_before_and_down_the_letter_after_round_and_round(action: str, shown: str) -> None:
    step = PASSWORD.act(begun(), action)
    assert (step.state.shown, step.mistake) == (shown, False)


def test_three_presses_lead_back() -> None:
    for action in ACTIONS[:-1]:
        assert after(action, action, action) == begun()


def test_only_the_word_opens_the_lock() -> None:
    wrong = PASSWORD.act(begun(), "submit")
    assert (wrong.mistake, wrong.state) == (True, begun())
    right = PASSWORD.act(after(*SETTING.split("\n")), "submit")
    assert (right.mistake, PASSWORD.solved(right.state), PASSWORD.progress(right.state)) == (False, True, 1.0)


def test_the_word_alone_counts_as_progress() -> None:
    assert PASSWORD.progress(after(*SETTING.split("\n"))) == 0.0


def test_initialisations_allow_for_one_word_and_show_another_combination() -> None:
    rules = rules_of(PASSWORD)
    words = set()
    for seed in range(300):
        state = PASSWORD.start(PASSWORD.generate(rules, Dice("password test", seed), None), rules)
        assert all(slot in ascii_uppercase and len(slot) == 3 for slot in state.slots)
        assert fitting(rules, state.slots) == (state.word,)
        assert state.shown != state.word
        assert all(letter in slot for letter, slot in zip(state.shown, state.slots, strict=True))
        setting = turns_to(state.word, state.shown)
        assert setting is not None
        assert len(setting) < 10
        words.add(state.word)
    assert len(words) == 35


def test_whoever_edits_the_list_changes_the_game() -> None:
    rules = rules_of(PASSWORD, "## List of possible words\n\n1. vwxyz,\n   aabbc\n2. Place.")
    assert rules == ("VWXYZ", "AABBC", "PLACE")
    assert {PASSWORD.generate(rules, Dice(seed), None).slots[4] for seed in range(30)} >= {"XYZ", "ABC", "EFG"}
    text = manual_with(PASSWORD, "place", "oldcf")
    assert (
        PASSWORD.start(PASSWORD.configure(dict(SETUP)), rules_of(PASSWORD, text.replace("plant", "place"))).word
        == "PLACE"
    )
    with pytest.raises(InstanceError, match="can make no word of the manual's list"):
        PASSWORD.start(PASSWORD.configure(dict(SETUP)), rules_of(PASSWORD, text))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## List of possible words", "## Words", "mine.md: there is no section 'List of possible words'"),
        ("could", "could be", "line 11: 'could be' is no word of 5 letters"),
        ("could", "can", "line 11: 'can' is no word of 5 letters"),
        ("could", "About", "line 11: 'About' is in the list twice"),
        ("could", "", "line 11: '' is no word of 5 letters"),
    ],
)
def test_a_malformed_manual_is_refused_in_one_line(old: str, new: str, problem: str) -> None:
    assert problem in refusal(PASSWORD, manual_with(PASSWORD, old, new))


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(InstanceError, match="line 1: section 'List of possible words' lists no words, such as"):
        rules_of(PASSWORD, "# List of possible words\n\nNone.")


def test_words_too_much_alike_make_no_puzzle() -> None:
    rules = rules_of(PASSWORD, "# List of possible words\n- aaaaa, aaaab, aaaac")
    setups = {PASSWORD.generate(rules, Dice("alike", seed), None) for seed in range(20)}
    assert {PASSWORD.start(setup, rules).word for setup in setups} == {"AAAAC"}, "the others cannot be had alone"
    alike = ", ".join("".join(letters) for letters in product("abc", repeat=5))
    with pytest.raises(InstanceError, match="no slots of three letters hold just one word of section"):
        PASSWORD.generate(rules_of(PASSWORD, f"# List of possible words\n- {alike}"), Dice("alike"), None)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"slots": ["NOP", "KLM", "ABC", "CDE"]}, "slots"),
        ({"slots": ["NOP", "KLM", "ABC", "CDE", "efg"]}, "slots.4"),
        ({"slots": ["NOP", "KLM", "ABC", "CDE", "EFGH"]}, "slots.4"),
        ({"slots": ["NOP", "KML", "ABC", "CDE", "EFG"]}, "slots.1 is KML"),
        ({"slots": ["NOP", "KLM", "ABC", "CDE", "YZA"]}, "slots.4 is YZA"),
        ({"slots": ["NOP", "KLM", "XYZ", "CDE", "EFG"], "shown": "NKXEF"}, "slots can make no word of the manual's"),
        ({"slots": ["STU", "GHI", "EFG", "QRS", "DEF"], "shown": "SGEQD"}, "slots can make THERE and THESE"),
        ({"shown": "NKB"}, "shown"),
        ({"shown": "NKBEA"}, "shown has A in place 5, and slots.4 is EFG"),
        ({"shown": "PLACE"}, "shown is PLACE, the password"),
    ],
)
def test_a_malformed_initialisation_is_refused_in_one_line(changes: Mapping[str, Any], problem: str) -> None:
    with pytest.raises(InstanceError) as raised:
        begun(**changes)
    assert f"comma password instance: {problem}" in str(raised.value)
    assert "\n" not in str(raised.value)


# ---- text and picture


def test_the_text_is_read_back() -> None:
    for letters, solved in product(("NKBEF", "ZZZZZ"), (False, True)):
        scene = PasswordScene(letters, solved)
        assert PASSWORD.read(PASSWORD.write(scene)) == scene


@lru_cache(maxsize=64)
def drawn(scene: PasswordScene) -> Image.Image:
    return draw(scene).convert("RGB")


def ink(picture: Image.Image, slot: int) -> npt.NDArray[np.bool_]:
    """Return the shape of a slot's letter: True where there is none."""
    left, top, right, bottom = (round(side) for side in window(slot))
    inside = picture.crop((left + 4, top + 30, right - 4, bottom - 30))
    shape: npt.NDArray[np.bool_] = np.asarray(inside.convert("L")) > 128
    return shape


def test_the_picture_can_be_read_back() -> None:
    looks = {letter: ink(drawn(PasswordScene(letter * 5)), 0) for letter in ascii_uppercase}

    def seen(shape: npt.NDArray[np.bool_]) -> str:  # slots lie at parts of a pixel, so shapes differ a little
        return min(looks, key=lambda letter: int((looks[letter] != shape).sum()))

    for letters in ("NKBEF", "WATER", "JQVXZ", "CODGU"):
        picture = drawn(PasswordScene(letters))
        assert "".join(seen(ink(picture, slot)) for slot in range(5)) == letters


def test_the_lamp_is_green_once_the_lock_is_open() -> None:
    for solved in (False, True):
        colour = drawn(PasswordScene("PLACE", solved)).getpixel(LAMP)
        assert isinstance(colour, tuple)
        assert (colour[1] > colour[0] + 60) == solved


# ---- the solver


@pytest.mark.parametrize(
    "said",
    [
        'The password is "PLACE". Please set it and submit it.',
        "Set it to place and submit.",
        "Spell PLACE.",
        "p-l-a-c-e",
        "P, L, A, C, E",
        "The word is place",
        "The word should be place.",
        "place",
        "THE WORD IS PLACE. SUBMIT IT.",
        'It\'s not "PLANT", it\'s "PLACE".',
        "Could you please set the word to PLACE and press submit?",
        "Change the first letter to P, the second to L, third to A, fourth to C and fifth to E, then submit.",
    ],
)
def test_the_solver_sets_the_word_and_submits_it(said: str) -> None:
    assert told_to_solve(PASSWORD, begun(), said) == f"{SETTING}\nsubmit"


@pytest.mark.parametrize("said", ["Set PLACE but do not submit yet", 'Can you set "PLACE"?'])
def test_the_solver_waits_where_it_is_told_not_to_submit(said: str) -> None:
    assert told_to_solve(PASSWORD, begun(), said) == SETTING


@pytest.mark.parametrize(
    ("said", "pressed"),
    [
        ("Please press down once in every slot, then tell me the letters that you see.", "d1 d2 d3 d4 d5"),
        ("PRESS UP IN EVERY SLOT", "u1 u2 u3 u4 u5"),
        ("Press all the down buttons.", "d1 d2 d3 d4 d5"),
        ("press_down_3", "d3"),
        ("press_up_1\npress_down_2", "u1 d2"),
        ("Press up in slot 3 twice.", "u3 u3"),
        ("press up 2 times in the fifth slot", "u5 u5"),
        ("Press the up button of slot 2 and the down button of slot 4 twice", "u2 d4 d4"),
        ("In slot 3, press up twice; in slot 4, press down once.", "u3 u3 d4"),
        ("Press down on slots 1, 2 and 4.", "d1 d2 d4"),
        ("Press the arrow below the first letter", "d1"),
        ("Press the button above the third letter once", "u3"),
        ("Press down in slots 2 to 4, please", "d2 d3 d4"),
        ("Set slot 1 to P", "u1"),
    ],
)
def test_the_solver_turns_slots_as_it_is_told(said: str, pressed: str) -> None:
    names = {"u": "press_up_", "d": "press_down_"}
    assert told_to_solve(PASSWORD, begun(), said).split("\n") == [
        f"{names[each[0]]}{each[1]}" for each in pressed.split()
    ]


@pytest.mark.parametrize(
    "said",
    [
        "What letters do you see? Please name them from left to right.",
        "Which letters do you see now? For example: 'The letters are P, L, A, C, E'.",
        "Do not submit yet.",
        "When you have set the word, submit.",
        'It is either "PLACE" or "PLANT".',
        'The word is "WORLD".',
        "Cycle through every slot and tell me all three letters.",
        "I do not know.",
    ],
)
def test_the_solver_describes_where_there_is_no_clear_order(said: str) -> None:
    assert "N, K, B, E, F, from left to right" in told_to_solve(PASSWORD, begun(), said)


def test_never_is_a_word_like_any_other() -> None:
    state = begun(slots=["MNO", "EFG", "TUV", "DEF", "QRS"], shown="MFTEQ")
    for said in ('The password is "NEVER".', "Set NEVER and submit.", "The word is never."):
        assert told_to_solve(PASSWORD, state, said).endswith("\nsubmit")


def test_the_solver_submits_nothing_twice() -> None:
    assert told_to_solve(PASSWORD, begun(), "Now submit") == "submit"
    again = told_to_solve(PASSWORD, begun(), "Now submit", did="submit", feedback=MISTAKE)
    assert again.startswith('That was a mistake: "NKBEF" is not the password.')
    later = told_to_solve(PASSWORD, begun(), 'Set "NKBEF" and submit.', did=again)
    assert "The five slots show" in later


def test_the_solver_does_not_take_a_manual_that_is_read_out_for_advice() -> None:
    part = divided(own_manual(PASSWORD).text, 2)[1]
    assert told_to_solve(PASSWORD, begun(), 'Set "PLACE".', part) == f"{SETTING}\nsubmit"
    assert "The five slots show" in told_to_solve(PASSWORD, begun(), part)


# ---- the expert


@pytest.mark.parametrize(
    "said",
    [
        "The five slots show N, K, B, E, F, from left to right.",
        "n k b e f",
        "N-K-B-E-F",
        "NKBEF",
        'It says "nkbef" now.',
        "I see NKBEF",
        "THE LETTERS ARE N K B E F",
        "the letters are: n, k, b, e and f",
        "Slot 1 shows N, slot 2 K, slot 3 B, slot 4 E and slot 5 shows F",
        "First letter is N, second is K, third is B, fourth is E, fifth is F.",
        "1: N\n2: K\n3: B\n4: E\n5: F",
        'From the left: "N", "K", "B", "E", "F".',
    ],
)
def test_the_expert_finds_the_word_that_the_letters_allow_for(said: str) -> None:
    assert advice(PASSWORD, said) == 'The password is "PLACE". Please set it and submit it.'


def test_letters_are_remembered_as_far_as_they_go_together() -> None:
    assert seen(["N, K, B, E, F", "press_down_1", "O, L, C, C, G"]) == tuple(
        map(frozenset, ("NO", "KL", "BC", "CE", "FG"))
    )
    assert seen(["The fourth one is T", "Sorry, slot 4 shows E"])[3] == {"E"}
    assert seen(["slot 1: N, O, P\nslot 2: K L M"])[:2] == (frozenset("NOP"), frozenset("KLM"))
    assert seen(["I see a lock with five letters."]) == (frozenset(),) * 5
    assert possible(frozenset("CE")) == set("CDE")
    assert possible(frozenset("A")) == set("ABC")


def test_the_expert_asks_for_more_where_several_words_are_left() -> None:
    both = "T, H, F, R, E"
    assert advice(PASSWORD, both).startswith("Please press down once in every slot")
    assert advice(PASSWORD, both, "press_down_1\npress_down_2").startswith("Which letters do you see now")
    assert '"THERE"' in advice(PASSWORD, both, "press_down_4", "The letters are T, H, F, P, E.")


def test_the_expert_asks_for_what_it_does_not_know() -> None:
    assert advice(PASSWORD, "Hello!").startswith("Which letters do the five slots show")
    assert "slot 4 and slot 5 too" in advice(PASSWORD, "slot 1: T, slot 2: H, slot 3: E")
    assert advice(PASSWORD, "The letters are Q, Q, Q, Q, Q.").startswith("No word of my list goes")


def test_a_slip_of_the_solver_can_be_mended() -> None:
    assert '"PLACE"' in advice(PASSWORD, "The letters are Q, Q, Q, Q, Q.", "Sorry: N, K, B, E, F")


def test_a_word_that_was_wrong_is_not_named_again() -> None:
    wrong = 'That was a mistake: "PLACE" is not the password. The five slots show P, L, A, C, E, from left to right.'
    assert '"PLACE"' not in advice(PASSWORD, wrong)


# ---- both


@pytest.mark.parametrize("of_solver", REWORDINGS.values(), ids=REWORDINGS)
@pytest.mark.parametrize("of_expert", REWORDINGS.values(), ids=REWORDINGS)
def test_both_understand_each_other_in_other_words(of_solver: Any, of_expert: Any) -> None:
    for index in range(12):
        ended = converse(PASSWORD, generated(PASSWORD, index), of_solver=of_solver, of_expert=of_expert)
        assert (ended.solved, ended.mistakes) == (True, 0), ended.lines


def test_both_do_without_quotation_marks_and_capitals() -> None:
    def plain(text: str) -> str:
        return text.replace('"', "").lower()

    for index in range(100):
        ended = converse(PASSWORD, generated(PASSWORD, index), of_solver=plain, of_expert=plain)
        assert (ended.solved, ended.mistakes) == (True, 0), ended.lines


def test_both_solve_all_of_many_initialisations() -> None:
    for index in range(1000):
        ended = converse(PASSWORD, generated(PASSWORD, index))
        assert (ended.solved, ended.mistakes) == (True, 0), ended.lines


FRAGMENTS = [*"ABx12,.?-\n\"", "slot", "first", "five", "up", "down", "twice", "press", "submit", "not", "all", "to",
             "place", "NEVER", "there", "word", "is", "The letters are N, K, B, E, F."]  # fmt: skip


@settings(max_examples=60)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map(" ".join)))
def test_nothing_that_is_said_breaks_either(said: str) -> None:
    assert told_to_solve(PASSWORD, begun(), said)
    assert advice(PASSWORD, said)
    assert advice(PASSWORD, "N, K, B, E, F", said)


def test_random_words_are_not_taken_for_the_password() -> None:
    small: Sequence[str] = ("It is right there.", "Think about other things first.", "Which place would that be?")
    for said in small:
        assert "The five slots show" in told_to_solve(PASSWORD, begun(), said)
