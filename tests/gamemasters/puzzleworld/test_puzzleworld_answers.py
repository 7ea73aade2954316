"""What is an answer, and by which of the two rules it is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.puzzleworld.answers import (
    answer_line,
    answer_of,
    is_compatibly,
    is_strictly,
    normal,
    tells,
)

TYPOGRAPHIC = "I\u2019M IN"


@pytest.mark.parametrize(
    ("solution", "output", "compatibly", "strictly"),
    [
        ("ROLL WITH IT", "Answer: ROLL WITH IT", True, True),
        ("ROLL WITH IT", "Answer: Roll with it", False, True),
        ("ROLL WITH IT", "Answer: ROLLWITHIT", False, True),
        ("ROLL WITH IT", "I doubt ROLL WITH IT is right.\nAnswer: GET TO THE BOTTOM OF IT", True, False),
        ("ART", "Answer: PARTY", True, False),
        ("", "anything", True, False),
        ("I'M IN", f"Answer: {TYPOGRAPHIC}", False, True),
        ("ROLL WITH IT", "It is ROLL WITH IT.", True, False),
        ("42", "Answer: 42.", True, True),
    ],
)
def test_the_published_rule_and_the_strict_one(solution: str, output: str, compatibly: bool, strictly: bool) -> None:
    assert (is_compatibly(solution, output), is_strictly(solution, output)) == (compatibly, strictly)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("Answer: RED", "RED"),
        ("answer : red", "red"),
        ("**Answer: RED**", "RED**"),
        ("**Answer:** RED", "** RED"),
        ("  ANSWER\uff1aRED", "RED"),
        ("Answer: RED\nAnswer: BLUE", "BLUE"),
        ("Answer: RED\r\nThat is all.", "RED"),
        ("The answer: RED", None),
        ("Final Answer: RED", None),
        ("Answer:\nRED", None),
        ("Answer: ", None),
        ("Answers: RED", None),
        ("- Answer: RED", None),
        ("", None),
    ],
)
def test_the_last_line_that_begins_with_answer_counts(output: str, said: str | None) -> None:
    assert answer_line(output) == said


@pytest.mark.parametrize(
    ("output", "answer"),
    [("**Answer: RED**", "RED"), ('Answer: "Red"', "Red"), ("Answer: **", None), ("Red", None)]
    + [(f"Answer: {none}", None) for none in ("<answer>", "`<answer>`", "<your answer>.", "[Answer]", "?", "...", "<>")]
    + [("Answer: <RED>", "<RED>"), ("Answer: answer", "answer"), ("Answer: <answer>\nAnswer: RED", "RED")],
)
def test_an_answer_is_shown_without_what_stands_around_it(output: str, answer: str | None) -> None:
    assert answer_of(output) == answer


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Roll with it!", "ROLLWITHIT"),
        ("I\u2019m in \u2013 now", "IMINNOW"),
        ("\uff32\uff4f\uff4c\uff4c", "ROLL"),
        ("stra\u00dfe", "STRASSE"),
        ("caf\u00e9", "CAF\u00c9"),
        ("cafe\u0301", "CAF\u00c9"),
        ("No. 7", "NO7"),
        ("? !", "?!"),
    ],
)
def test_letters_and_digits_are_what_is_compared(text: str, plain: str) -> None:
    assert normal(text) == plain


@given(st.text(alphabet="aB7 -'\u2019\u2013", max_size=20))
def test_case_and_marks_make_no_difference_to_the_strict_rule(text: str) -> None:
    spread = " ".join(text.upper())
    assert normal(text) == normal(spread) or not any(map(str.isalnum, text))


@pytest.mark.parametrize(
    "text", ["ROLL WITH IT", "just roll-with-it now", "ROLLWITHIT", "R O L L W I T H I T", "say 'Roll, with: IT'"]
)
def test_a_solution_is_told_however_its_words_are_divided(text: str) -> None:
    assert tells("ROLL WITH IT", text)


@pytest.mark.parametrize("text", ["ROLL WITH", "STROLL WITH IT", "ROLL WITH ITS", "IT WITH ROLL", ""])
def test_a_part_of_a_solution_does_not_tell_it(text: str) -> None:
    assert not tells("ROLL WITH IT", text)
