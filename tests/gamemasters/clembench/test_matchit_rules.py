"""What an answer must look like, and what it counts: each rule by a case of its own."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.clembench.matchit import ASCII
from palaver_gamemasters.clembench.matchit.rules import decision_of, first_word, plainly, steps, tidied
from palaver_protocols.errors import InstanceError
from tests.gamemasters.clembench.matchit_playing import (
    PICTURES,
    PLAYED,
    after,
    an_instance,
    instead,
    played,
    scores,
    started,
)
from tests.gamemasters.clembench.playing import events

FLAG, SAME, DIFFERENT = "DECISION:", "same image", "different images"
FLAGS = ("DESCRIPTION:", "QUESTION:", "ANSWER:", FLAG)

FINE = {
    "leading white space": "\n ANSWER: yes",
    "leading tabs and next-line signs": "\t\x85\N{NO-BREAK SPACE}ANSWER: yes",
    "empty lines first": "\n\n\nANSWER: yes",
    "nothing behind the flag": "ANSWER:",
    "a line break behind the flag": "ANSWER:\nyes",
    "a question as well": "ANSWER: yes\nQUESTION: and you?",
    "several paragraphs": "ANSWER: yes\n\nand more\n\n",
    "two blanks": "ANSWER:  yes",
}
BROKEN = {
    "no blank": ("ANSWER:Yes", "ANSWER:Yes"),
    "a blank before the colon": ("ANSWER : Yes", "ANSWER"),
    "another case": ("Answer: yes", "Answer:"),
    "small letters": ("answer: yes", "answer:"),
    "markup": ("**ANSWER:** yes", "**ANSWER:**"),
    "quotes": ("'ANSWER: yes'", "'ANSWER:"),
    "a tab": ("ANSWER:\tYes", "ANSWER:\tYes"),
    "a carriage return": ("ANSWER:\r\nyes", "ANSWER:\r"),
    "a no-break space": ("ANSWER:\N{NO-BREAK SPACE}yes", "ANSWER:\N{NO-BREAK SPACE}yes"),
    "a next-line sign": ("ANSWER:\x85yes", "ANSWER:\x85yes"),
    "another flag": ("QUESTION: what?", "QUESTION:"),
    "words before": ("My ANSWER: yes", "My"),
    "the word that scorers look for": ("Aborted", "Aborted"),
}


@pytest.mark.parametrize("answer", FINE.values(), ids=FINE)
def test_whatever_follows_the_flag_is_let_pass(answer: str) -> None:
    state = played(instead(3, answer))
    assert state.ending is None
    assert events(state)[-1] == ("valid format", "continue")


@pytest.mark.parametrize(("answer", "word"), BROKEN.values(), ids=BROKEN)
def test_another_first_word_aborts(answer: str, word: str) -> None:
    state = played(instead(3, answer))
    assert state.ending == "aborted"
    assert events(state)[-2:] == [("invalid format", f"abort, first word: {word}"), ("Game over", "Aborted")]
    assert scores(state) == {
        "Main Score": None,
        "Aborted": 1,
        "Success": 0,
        "Lose": 0,
        "Player Score": None,
        "Request Count": 4,
        "Parsed Request Count": 3,
        "Violated Request Count": 1,
    }


@pytest.mark.parametrize("answer", ["", " ", "\n\t\r\x85\N{NO-BREAK SPACE}"])
def test_an_empty_answer_aborts_by_its_content(answer: str) -> None:
    state = played(instead(0, answer))
    assert [kind for kind, _ in events(state)] == ["invalid content", "Game over"]
    assert state.verdict.outcome == "aborted"


@pytest.mark.parametrize("place", range(len(PLAYED)))
def test_every_answer_must_have_its_own_flag(place: int) -> None:
    other = "ANSWER: yes" if not PLAYED[place].startswith("ANSWER") else "DECISION: same grid"
    state = played(instead(place, other))
    assert (state.ending, scores(state)["Request Count"]) == ("aborted", place + 1)


@pytest.mark.parametrize(
    "text",
    [
        "DECISION: same image",
        "DECISION: Same Image.",
        "DECISION: SAME IMAGE...\n",
        "\n.DECISION: same image",
        "decision: same image\n\n.",
    ],
)
def test_dots_and_line_ends_around_a_decision_are_let_pass(text: str) -> None:
    assert decision_of(text, FLAG, SAME, DIFFERENT) == "success"
    assert decision_of(text, FLAG, DIFFERENT, SAME) == "loss"


@pytest.mark.parametrize(
    "text",
    [
        "DECISION: same images",
        "DECISION: different image",
        "DECISION:  same image",
        "DECISION: same image ",
        " DECISION: same image",
        "DECISION: same image\r\n",
        "DECISION: same image.\t",
        "DECISION: same image!",
        "DECISION:\nsame image",
        "DECISION: same image because of the horse",
        "DECISION: same",
        "DECISION:",
    ],
)
def test_any_other_decision_is_none(text: str) -> None:
    assert decision_of(text, FLAG, SAME, DIFFERENT) is None


@pytest.mark.parametrize("place", [14, 15])
def test_a_decision_with_its_flag_but_other_words_is_parsed_and_violated(place: int) -> None:
    state = played(instead(place, "DECISION: same grids"))
    assert [kind for kind, _ in events(state)][-3:] == ["valid format", "invalid content", "Game over"]
    counted = {name: value for name, value in scores(state).items() if "Count" in name}
    assert counted == {
        "Request Count": place + 2,
        "Parsed Request Count": place + 1,
        "Violated Request Count": 1,
    }
    assert state.verdict.outcome == "aborted"


@pytest.mark.parametrize(
    ("place", "answer", "seat"), [(3, "yes", "player_1"), (14, "DECISION: same grids", "player_2")]
)
def test_a_refused_answer_is_not_in_the_players_history(place: int, answer: str, seat: str) -> None:
    assert played(instead(place, answer)).history(seat)[-1].speaker == "user"


@pytest.mark.parametrize(
    ("first", "second", "main", "score"),
    [
        ("same grid", "same grid", 100, 100),
        ("same grid", "different grids", 0, 50),
        ("different grids", "same grid", 0, 50),
        ("different grids", "different grids", 0, 0),
    ],
)
def test_both_must_decide_rightly(first: str, second: str, main: float, score: float) -> None:
    state = played((*PLAYED[:14], f"DECISION: {first}", f"DECISION: {second}"))
    read = {"same grid": "success", "different grids": "loss"}
    assert events(state)[-3::2] == [("Decision Player B", read[first]), ("Decision Player A", read[second])]
    assert scores(state) == {
        "Main Score": main,
        "Aborted": 0,
        "Success": main / 100,
        "Lose": 1 - main / 100,
        "Player Score": score,
        "Request Count": 16,
        "Parsed Request Count": 16,
        "Violated Request Count": 0,
    }
    assert state.verdict.outcome == ("solved" if main else "failed")


def test_what_is_right_is_what_the_experiment_says() -> None:
    assert played(alike=False).verdict.scores["Player Score"] == 0
    assert played((*PLAYED[:14], *["DECISION: different grids"] * 2), alike=False).verdict.outcome == "solved"


def test_a_wrong_decision_does_not_keep_the_other_from_deciding() -> None:
    state = played((*PLAYED[:14], "DECISION: different grids"))
    assert (state.ending, state.game.pending(state)) == (None, ("player_1",))


def test_an_episode_that_stops_in_the_middle_has_counts_and_no_main_score() -> None:
    measured = scores(played(PLAYED[:15]))
    assert (measured["Main Score"], measured["Player Score"], measured["Aborted"]) == (None, None, 0)
    assert (measured["Success"], measured["Lose"], measured["Request Count"]) == (0, 0, 15)


@pytest.mark.parametrize("questions", [1, 2, 3, 5, 8])
def test_an_episode_has_four_answers_a_question_and_four_more(questions: int) -> None:
    plan = list(steps(questions))
    assert len(plan) == 4 * questions + 4 == ASCII.turn_limit(ASCII.configure({"questions": questions}))
    asks = [step.player for step in plan if step.kind == "question"]
    assert asks.count("A") == asks.count("B") == questions
    assert [step.player for step in plan if step.kind == "decision"] == ["B", "A"]


def test_files_may_have_five_questions_whatever_the_option_says() -> None:
    assert ASCII.turn_limit(ASCII.configure({"instances": "somewhere.json"})) == 24


@given(st.text(), st.sampled_from(FLAGS))
def test_the_first_word_is_the_flag_just_where_a_blank_or_a_line_end_follows_it(rest: str, flag: str) -> None:
    ends = not rest.strip() or rest.startswith((" ", "\n"))
    assert (first_word(flag + rest) == flag) == ends


CLEAN = {
    "ANSWER:Yes": "ANSWER: Yes",
    "answer : yes": "ANSWER: yes",
    "**ANSWER:** yes": "ANSWER: yes",
    "\n> *Answer*:\tyes\r\n": "ANSWER: yes",
    "ANSWER: yes\nQUESTION: and you?": "ANSWER: yes",
    "ANSWER: yes, and\nso on": "ANSWER: yes, and\nso on",
    "ANSWER:": "ANSWER: ",
}


@pytest.mark.parametrize(("text", "read"), CLEAN.items())
def test_the_clean_profile_reads_a_flag_as_it_was_meant(text: str, read: str) -> None:
    assert tidied(text, "ANSWER:", FLAGS) == read


@pytest.mark.parametrize("text", ["yes", "QUESTION: what?", "ANSWERS: yes", "My ANSWER: yes", "ANSWER yes"])
def test_the_clean_profile_still_wants_the_flag(text: str) -> None:
    assert tidied(text, "ANSWER:", FLAGS) is None


@pytest.mark.parametrize(
    "text",
    [
        "DECISION:  Different  Image ",
        "decision: different images.",
        '"DECISION: different images"',
        "**DECISION:** different images!",
    ],
)
def test_the_clean_profile_reads_a_decision_as_it_was_meant(text: str) -> None:
    state = played((*PLAYED[:14], text, text), game=PICTURES, profile="clean", alike=False)
    assert state.verdict.outcome == "solved"


def test_the_clean_profile_wants_a_decision_without_an_explanation_and_counts_it_once() -> None:
    state = played(instead(14, "DECISION: same grid, because all rows agree"), profile="clean")
    assert state.verdict.outcome == "aborted"
    assert (scores(state)["Request Count"], scores(state)["Parsed Request Count"]) == (15, 14)


def test_the_clean_profile_tells_the_other_player_the_answer_alone() -> None:
    state = played(instead(3, "Answer: yes\nQUESTION: what else?"), profile="clean")
    state = after(state, ["QUESTION: and you?"])
    assert "what else" not in state.history("player_2")[-1].text


def test_plainly_keeps_the_two_decisions_apart() -> None:
    assert plainly("DECISION: Same Images.") != plainly("DECISION: different images")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"grid_b": None}, "matchit_ascii instance: grid_b is missing"),
        ({"flags": {"answer": "ANSWER:"}}, "matchit_ascii instance: flags.description is missing"),
    ],
)
def test_what_an_instance_lacks_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InstanceError, match=message):
        started(**change)


def test_an_instance_without_a_number_of_questions_is_refused() -> None:
    for wrong in (3_000_000, 101, 0, -1, "many", None, math.inf):
        given = an_instance()
        given["instance"]["decision_turn"] = wrong
        with pytest.raises(InstanceError, match="decision_turn"):
            ASCII.start(given, ASCII.configure({}))
