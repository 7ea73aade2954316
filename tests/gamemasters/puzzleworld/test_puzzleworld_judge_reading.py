"""What a judge of steps answers, and what its verdicts come to (PuzzleWorld, section 4 and appendix A)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from palaver_gamemasters.game import UnreadableGradeError
from palaver_gamemasters.puzzleworld.judge import SCHEMA, SCORES, measure, merge_verdicts, read_verdict

YES = '{"correct": true, "explanation": "It reads the Braille."}'
VERDICTS = st.lists(st.booleans(), min_size=1, max_size=30)


# -- reading


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(YES, id="as it is"),
        pytest.param(f"\n  {YES}\n", id="with space around it"),
        pytest.param(f"```json\n{YES}\n```", id="in a fence"),
        pytest.param(f"```\n{YES}\n```", id="in a plain fence"),
        pytest.param(f"Let me see. Step {{2}} of the reference:\n\n{YES}\nI hope this helps!", id="in prose"),
        pytest.param('{\n "explanation": "It reads the Braille.",\n "correct": true\n}', id="laid out otherwise"),
    ],
)
def test_one_object_is_read_wherever_it_stands(answer: str) -> None:
    read = read_verdict("failed", 2, answer)

    assert (read.outcome, read.scores) == ("failed", {"correct": 1.0})
    assert read.detail == {"step": 2, "correct": True, "explanation": "It reads the Braille."}


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "it holds no JSON object"),
        ("True. The step is there.", "it holds no JSON object"),
        ("true", "it holds no JSON object"),
        (f"[{YES[:-1]}", "it holds no JSON object"),
        (f"{YES}\n{YES}", "it holds 2 JSON objects"),
        ('{"correct": true, "correct": false, "explanation": "?"}', "it holds no JSON object"),
        ('{"correct": NaN, "explanation": "?"}', "it holds no JSON object"),
        ('{"correct": true}', "explanation: Field required"),
        ('{"explanation": "?"}', "correct: Field required"),
        ('{"correct": "True", "explanation": "?"}', "correct: "),
        ('{"correct": 1, "explanation": "?"}', "correct: "),
        ('{"correct": null, "explanation": "?"}', "correct: "),
        ('{"correct": true, "explanation": 7}', "explanation: "),
        ('{"correct": true, "explanation": "?", "score": 1}', "score: "),
        ('{"steps": [{"correct": true, "explanation": "?"}]}', "correct: Field required"),
    ],
)
def test_anything_else_is_asked_for_again_with_its_problem(answer: str, problem: str) -> None:
    with pytest.raises(UnreadableGradeError) as raised:
        read_verdict("failed", 1, answer)

    assert raised.value.message.startswith(problem)
    assert '{"correct": true, "explanation": "..."}' in raised.value.message


@given(
    st.booleans(), st.text(max_size=60), st.sampled_from(["", "Well: ", "```json\n"]), st.sampled_from(["", "\n```"])
)
def test_whatever_the_explanation_says_it_is_read_back(correct: bool, said: str, before: str, after: str) -> None:
    answer = before + json.dumps({"correct": correct, "explanation": said}) + after

    assert read_verdict("solved", 1, answer).detail == {"step": 1, "correct": correct, "explanation": said}


@given(st.text(max_size=80))
def test_no_answer_breaks_the_reader(answer: str) -> None:
    with pytest.raises(UnreadableGradeError):
        read_verdict("failed", 1, answer)


def test_the_schema_is_strict_and_takes_what_the_reader_takes() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    taken = Draft202012Validator(SCHEMA)

    assert taken.is_valid(json.loads(YES))
    assert not taken.is_valid({**json.loads(YES), "score": 1})
    assert not taken.is_valid({"correct": True})
    assert SCHEMA["title"] == "StepComparison"


# -- scores


@pytest.mark.parametrize(
    ("verdicts", "stepwise", "prefix", "mean", "answer"),
    [
        ([True, False, False], 1 / 3, 1 / 3, 1 / 3, 0.0),
        ([False, False, True], 1.0, 0.0, 1 / 3, 1.0),
        ([True, False, True, False], 0.75, 0.25, 0.5, 0.0),
        ([False, False, False], 0.0, 0.0, 0.0, 0.0),
        ([True, True, True], 1.0, 1.0, 1.0, 1.0),
        ([True], 1.0, 1.0, 1.0, 1.0),
        ([False], 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_the_scores_of_verdicts(
    verdicts: list[bool], stepwise: float, prefix: float, mean: float, answer: float
) -> None:
    assert measure(verdicts) == {
        "stepwise": stepwise,
        "step_prefix": prefix,
        "step_mean": mean,
        "judged_answer": answer,
    }


@given(VERDICTS)
def test_the_studys_score_is_never_below_the_others(verdicts: list[bool]) -> None:
    stepwise, prefix, mean, answer = (measure(verdicts)[name] or 0.0 for name in SCORES)

    assert 0 <= prefix <= mean <= stepwise <= 1
    assert (stepwise == 1) == (answer == 1)


@given(VERDICTS)
def test_a_grade_keeps_every_verdict_so_that_scores_can_be_made_again(verdicts: list[bool]) -> None:
    said = [json.dumps({"correct": correct, "explanation": f"no. {n}"}) for n, correct in enumerate(verdicts)]

    grade = merge_verdicts("solved", [read_verdict("solved", step, text) for step, text in enumerate(said, 1)])

    assert isinstance(grade.detail, list)
    assert [(each["step"], each["correct"]) for each in grade.detail if isinstance(each, dict)] == [
        *enumerate(verdicts, 1)
    ]
    assert (grade.outcome, grade.scores) == ("solved", measure(verdicts))
