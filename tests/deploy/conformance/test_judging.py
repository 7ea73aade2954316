"""What to think of what was seen, without a bus."""

import re
from io import StringIO
from pathlib import Path

import pytest

from palaver_deploy.conformance.judging import Heard, Played, Seen, blamed, is_over, verdicts
from palaver_deploy.conformance.points import CONDUCT, PAGE, POINTS, Mark
from palaver_deploy.conformance.report import as_dict, print_report, report_on
from palaver_deploy.conformance.script import picture, script, still_there
from palaver_protocols.codec import decode, encode
from palaver_protocols.content import Image
from palaver_protocols.messages import TurnRequest
from palaver_protocols.strangers import LIMITS, Notice, Reason
from tests.support import a_reply

ROOT = Path(__file__).parents[3]
AGENT = "bus/toy"
STEPS = {step.point: step for step in script("r", AGENT, 30.0, Image.from_bytes(picture("r")))}
KEY = STEPS["answers"].questions[0].key


def notice(reason: Reason, message: str = "", key: str = KEY) -> Notice:
    return Notice(key=key, agent=AGENT, code="refused", reason=reason, message=message)


def answered(point: str, text: str = "Yes.") -> Played:
    step = STEPS[point]
    return Played(step, tuple(Heard(each, a_reply(each, text), 0.5) for each in step.questions))


def marks(*played: Played, notices: tuple[Notice, ...] = ()) -> dict[str, Mark]:
    found = verdicts(Seen(played, notices, "known", "hello"))
    assert [verdict.point for verdict in found] == list(POINTS)
    return {verdict.point: verdict.mark for verdict in found}


@pytest.mark.parametrize(
    ("refusal", "point"),
    [
        (notice("too_large"), "size"),
        (notice("too_fast"), "size"),
        (notice("not_json"), "form"),
        (notice("malformed", "turn.reply.parts: Input should be a valid tuple"), "form"),
        (notice("malformed", "turn.reply.parts.0.text.text: Field required (and 2 more)"), "form"),
        (notice("malformed", "turn.reply.run_id: Field required (and 4 more)"), "names"),
        (notice("malformed", "turn.reply.turn: Input should be a valid integer"), "names"),
        (notice("malformed", "turn.failure.key: Field required"), "key"),
        (notice("malformed", "usage: no turn takes so many tokens (at most 10,000,000)"), "form"),
        (notice("version"), "version"),
        (notice("not_text"), "text"),
        (notice("mismatch", "turn is '3', not 2"), "names"),
        (notice("closed"), "names"),
        (notice("closed", key="mine"), "key"),
        (notice("revoked"), "known"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.reason} {value.message}",
)
def test_a_refusal_is_blamed_on_one_point(refusal: Notice, point: str) -> None:
    assert blamed(refusal, [KEY]) == point


def test_an_agent_that_is_turned_out_meanwhile_is_not_known() -> None:
    assert marks(answered("answers"), notices=(notice("revoked"),))["known"] == "missed"


def test_what_was_refused_in_place_of_an_answer_is_missed_once() -> None:
    refusal = notice("too_large", key=STEPS["long-view"].questions[0].key)
    step = Played(STEPS["long-view"], (Heard(STEPS["long-view"].questions[0], None, 1.0, (refusal,)),))
    found = marks(answered("answers"), step, notices=(refusal,))
    assert (found["long-view"], found["size"]) == ("missed", "met")


def test_late_answers_to_other_games_are_no_fault() -> None:
    found = marks(answered("answers"), notices=(notice("closed", key="of another game"),))
    assert {found[name] for name in CONDUCT} == {"met"}


def test_an_answer_that_came_twice_since_its_question_did_is_no_fault() -> None:
    def again(point: str) -> tuple[Notice, ...]:
        return tuple(Notice(key=each.key, agent=AGENT, code="duplicate") for each in STEPS[point].questions)

    first, several = answered("answers"), answered("at-once")
    assert marks(first, answered("duplicates"), notices=again("duplicates"))["once"] == "met"
    assert marks(first, several, notices=again("answers"))["once"] == "met", "one may be sent again in good faith"
    assert marks(first, several, notices=again("at-once"))["once"] == "missed"


def test_words_that_several_questions_ask_for_tell_whose_answer_it_is() -> None:
    several = STEPS["at-once"].questions

    def found(*texts: str) -> Mark:
        heard = tuple(Heard(each, a_reply(each, text), 0.1) for each, text in zip(several, texts, strict=True))
        return marks(answered("answers"), Played(STEPS["at-once"], heard))["at-once"]

    assert found("Heron.", "otter", "the maple", "QUARTZ") == "met"
    assert found("I", "do", "not", "repeat") == "met"
    assert found("heron, otter, maple", "otter", "maple", "quartz") == "met"
    assert found("heron", "maple", "otter", "quartz") == "missed"


def test_nobody_is_asked_on_who_has_nothing_to_say() -> None:
    silent = Played(STEPS["answers"], (Heard(STEPS["answers"].questions[0], None, 30.0),))
    assert is_over(silent)
    assert not is_over(answered("answers"))
    found = marks(silent)
    assert (found["answers"], found["key"], found["pictures"]) == ("missed", "untried", "untried")


def test_a_report_of_one_point_has_the_misses_too() -> None:
    silent = Played(STEPS["answers"], (Heard(STEPS["answers"].questions[0], None, 30.0),))
    report = report_on(AGENT, Seen((silent,), (), "known", ""), ["unicode"], questions=1, took_s=30.0)
    assert [(each["point"], each["mark"]) for each in as_dict(report)["points"]] == [
        ("answers", "missed"),
        ("unicode", "untried"),
    ]


def test_on_a_narrow_terminal_each_point_has_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    file = StringIO()
    seen = Seen(tuple(map(answered, STEPS)), (), "known", "hello")
    print_report(report_on(AGENT, seen, (), questions=20, took_s=9.0), file)
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in file.getvalue().splitlines()][: len(POINTS) + 1]
    assert [row.split()[1] for row in rows[1:]] == list(POINTS)
    assert max(map(len, rows)) <= 80
    assert all(row.endswith(POINTS[row.split()[1]].section) for row in rows[1:])


def test_every_question_travels_as_any_other() -> None:
    for step in STEPS.values():
        for question in step.questions:
            read = decode(encode(question))
            assert isinstance(read, TurnRequest)
            assert read.key == question.key


def test_no_two_questions_share_a_key() -> None:
    asked = [question for step in STEPS.values() for question in step.questions]
    asked += [still_there("r", AGENT, 30.0, number) for number in range(3)]
    assert len({question.key for question in asked}) == len(asked)


def test_the_long_view_is_long_and_may_be_repeated() -> None:
    (question,) = STEPS["long-view"].questions
    text = "\n".join(message.text for message in question.view)
    assert len(text.encode()) >= 200_000
    assert len(encode(a_reply(question, text))) < LIMITS.message_bytes


def test_each_point_is_seen_somewhere() -> None:
    anywhere = {"known", "hello", "once", "fetches", "speed", *CONDUCT}
    assert set(POINTS) == {*STEPS, *anywhere}


def test_the_page_has_every_section_that_is_named() -> None:
    headings = re.findall(r"^#+ (.+)$", (ROOT / PAGE).read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {point.section for point in POINTS.values()} <= set(headings)


def test_all_that_must_or_should_be_met_has_a_mend() -> None:
    assert [point.name for point in POINTS.values() if point.kind != "informative" and not point.mend] == []
