"""What all scripted players make of what is said to them, whatever the puzzle is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.comma.instances import own_manual
from palaver_gamemasters.comma.manual import divided
from palaver_gamemasters.comma.puzzles import load_puzzle
from palaver_gamemasters.comma.speech import (
    TIMES,
    asks,
    cardinals,
    is_shouted,
    ordinals,
    plain,
    sentences,
    straight,
    without_refusals,
)
from palaver_gamemasters.comma.state import MISTAKE, PERFORMED
from palaver_gamemasters.comma.talk import LONG, Heard, Line, Sight

# ---- what is said


@pytest.mark.parametrize(
    "said",
    [
        "Which wire is it?",
        "Which one is it, please?",
        "Can you tell me the colours?",
        "Could you please describe the display?",
        'Did you press "YES"?',
        "And what is the serial number, please? ",
    ],
)
def test_a_question_wants_an_answer(said: str) -> None:
    assert asks(said)


@pytest.mark.parametrize(
    "said",
    [
        "Cut the second wire.",
        "Could you cut the second wire?",
        "Would you please press the button that is on the top left?",
        "Press the blue one, please?",
        "Tell me the colours.",
        "",
    ],
)
def test_an_order_wants_none_however_polite_it_is(said: str) -> None:
    assert not asks(said)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Do not cut the first wire, cut the second.", " , cut the second."),
        ("Don't press A: press B.", " : press B."),
        ("Press B instead of A.", "Press B  ."),
        ("Never submit!\nTurn it.", " !\nTurn it."),
        ("Cut the nothing wire.", "Cut the nothing wire."),
    ],
)
def test_what_is_not_to_be_done_is_left_out_up_to_the_next_mark(said: str, left: str) -> None:
    assert without_refusals(said) == left


def test_sentences_end_at_marks_that_white_space_follows_and_at_the_ends_of_lines() -> None:
    assert sentences(" Pay 3.50 now. Go!\n\n- Stop; wait? ") == ["Pay 3.50 now.", "Go!", "- Stop;", "wait?"]
    assert sentences(" \n ") == []


def test_quotation_marks_of_all_kinds_become_straight() -> None:
    assert straight("\u201cYES\u201d, \u201eNO\u201c, it\u2019s \u2018A\u2019") == '"YES", "NO", it\'s \'A\''
    assert plain("**Don\u2019t**   PRESS `A`") == "don't press a"


def test_numbers_are_known_in_figures_and_in_words() -> None:
    assert cardinals(3) == {"1": 1, "one": 1, "2": 2, "two": 2, "3": 3, "three": 3}
    assert ordinals(2) == {"first": 1, "1st": 1, "second": 2, "2nd": 2}
    assert [cardinals(20)[word] for word in ("eleven", "20", "twenty")] == [11, 20, 20]
    assert [TIMES[word] for word in ("once", "two", "thrice")] == [1, 2, 3]


def test_capitals_mean_something_only_beside_small_letters() -> None:
    assert is_shouted("PRESS 1!")
    assert not is_shouted("Press READY.")


# ---- what a player knows


def sight(*lines: tuple[str, str]) -> Sight[None]:
    return Sight(None, "", ("press_1", "press_2"), Heard(tuple(Line(*line) for line in lines)))


@given(st.text(max_size=30), st.integers(0, 20_000))
def test_of_an_endless_message_only_the_end_is_heard(said: str, more: int) -> None:
    (line,) = Heard((Line("expert", "x" * more + said),)).lines
    assert len(line.text) == min(LONG, more + len(said))
    assert line.text.endswith(said)


def test_advice_is_what_experts_have_said_since_the_solver_spoke() -> None:
    seen = sight(
        ("expert", "Old."), ("solver", "?"), ("expert", "One."), ("environment", PERFORMED), ("expert", "Two.")
    )
    assert seen.advice == "One.\nTwo."
    assert seen.last_advice == "Two."
    assert sight(("expert", "Old."), ("solver", "?")).last_advice == ""


def test_a_manual_that_is_read_out_is_no_advice() -> None:
    part = divided(own_manual(load_puzzle("wire")).text, 2)[0]
    seen = sight(("solver", "?"), ("expert", "Cut it."), ("expert", part))
    assert seen.advice == seen.last_advice == "Cut it."


def test_each_line_of_feedback_is_about_one_of_the_actions_performed() -> None:
    seen = sight(
        ("solver", "I press:\npress_1\n press_2 \npress_1"),
        ("environment", f"{PERFORMED}\n\n{MISTAKE}"),
        ("solver", "press_2"),
        ("expert", "press_1"),
    )
    assert seen.heard.tried(seen.actions) == (("press_1", False), ("press_2", True))


def test_a_solver_admits_the_mistake_it_has_just_made() -> None:
    made = sight(("solver", "press_1"), ("environment", MISTAKE), ("expert", "Go on."))
    assert made.admitting("I see.") == "That was a mistake. I see."
    assert sight(("environment", MISTAKE), ("solver", "press_1")).admitting("I see.") == "I see."
