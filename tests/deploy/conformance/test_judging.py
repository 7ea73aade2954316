"""What to think of what was seen, without a bus."""

import re
from io import StringIO
from pathlib import Path

import pytest

from palaver_deploy.conformance.causes import blamed
from palaver_deploy.conformance.judging import verdicts
from palaver_deploy.conformance.points import CONDUCT, PAGE, POINTS, Mark, Verdict
from palaver_deploy.conformance.report import as_dict, print_report, report_on
from palaver_deploy.conformance.script import picture, script, still_there
from palaver_deploy.conformance.seen import Door, Heard, Played, Seen, Way, is_over
from palaver_protocols.codec import decode, encode
from palaver_protocols.content import Image
from palaver_protocols.messages import TurnFailure, TurnRequest
from palaver_protocols.strangers import LIMITS, Notice, Reason
from tests.deploy.conformance.redis_agents import NAMES
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
        (notice("malformed", "turn.reply.turn: Input should be a valid integer"), "form"),
        (notice("malformed", "turn.failure.retryable: Input should be a valid boolean"), "form"),
        (notice("malformed", "version: it is missing; this is 1.0"), "version"),
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
    assert (found["long-view"], found["size"]) == ("untried", "missed")


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


def printed(*played: Played, way: Way) -> list[str]:
    file = StringIO()
    print_report(report_on(AGENT, Seen(played, (), "known", "hello", way=way), (), questions=1, took_s=1.0), file)
    return file.getvalue().splitlines()


def first_failed(code: str, way: Way, message: str = "so it is") -> tuple[Verdict, Played]:
    (question,) = STEPS["answers"].questions
    names = {name: getattr(question, name) for name in NAMES}
    failure = TurnFailure(**names, code=code, message=message, retryable=False)
    played = Played(STEPS["answers"], (Heard(question, failure, 0.1),))
    (found,) = [each for each in verdicts(Seen((played,), (), "known", "", way=way)) if each.point == "answers"]
    return found, played


@pytest.mark.parametrize(
    ("code", "door", "mend"),
    [
        ("bug", "python", "mend the function"),
        ("bug", "redis", "these are its own words"),
        ("unreachable", "a2a", "see that the A2A server is running"),
        ("rate_limited", "model", "the provider was asked too much"),
        ("timeout", "gateway", "--timeout"),
        ("no_picture", "mqtt", "only for a question that shows a picture"),
        ("{who}", "redis", "these are its own words"),
    ],
)
def test_the_mend_of_a_failure_is_for_what_it_says_and_for_the_door(code: str, door: Door, mend: str) -> None:
    found, _ = first_failed(code, Way(door))
    assert mend in found.mend
    assert "inbox" not in found.mend


@pytest.mark.parametrize(
    ("way", "mend"),
    [
        (Way("redis", is_there=False), "is it running?"),
        (Way("redis"), "read the inbox from 0-0"),
        (Way("gateway"), "that the gateway sends"),
        (Way("mqtt"), "subscribe to your topic"),
        (Way("python"), "whether the function returns"),
        (Way("a2a"), "whether the A2A server answers"),
    ],
    ids=str,
)
def test_the_mend_of_silence_is_for_the_door(way: Way, mend: str) -> None:
    silent = Played(STEPS["answers"], (Heard(STEPS["answers"].questions[0], None, 30.0),))
    (found,) = [each for each in verdicts(Seen((silent,), (), "known", "", way=way)) if each.point == "answers"]
    assert mend in found.mend
    assert ("0-0" in found.mend) == (way.door == "redis")
    assert "--timeout" in found.mend


@pytest.mark.parametrize("door", ["script", "a2a"])
def test_a_script_is_not_blamed_for_knowing_no_other_game(door: Door) -> None:
    _, played = first_failed("script", Way(door), "check-agent has no player")
    *_, last = printed(played, way=Way(door, games=("maze",)))
    assert "cannot be tried: it is a script, which plays only the games that it knows: maze" in last
    _, played = first_failed("script", Way("redis"))
    assert "does not speak the protocol yet" in printed(played, way=Way("redis"))[-1]


def test_points_that_were_not_tried_share_a_line_and_reasons_are_whole() -> None:
    long = " ".join(f"word{number}" for number in range(25))
    _, played = first_failed("oops", Way("redis"), long)
    lines = printed(played, way=Way("redis"))
    assert [line for line in lines if "not tried: the first question" in line] == [
        "–  21 points were not tried: the first question has no answer that can be used"  # noqa: RUF001
    ]
    table = lines[: lines.index("")]
    assert not [line for line in table if "…" in line or "..." in line]
    assert "word24" in " ".join(table)
    report = report_on(AGENT, Seen((played,), (), "known", "hello"), (), questions=1, took_s=1.0)
    assert len(as_dict(report)["points"]) == len(POINTS)


def test_refusals_that_answers_do_not_mind_explain_no_silence() -> None:
    chat = notice("malformed", "turn.reply.parts: Field required", key="")
    (question,), (plain,) = STEPS["answers"].questions, STEPS["unknown-fields"].questions
    beside = Played(STEPS["answers"], (Heard(question, a_reply(question, "Yes."), 0.1, (chat,)),))
    after = still_there("r", AGENT, 30.0, 1)
    lives = Heard(after, a_reply(after, "Yes."), 0.1)
    found = marks(beside, Played(STEPS["unknown-fields"], (Heard(plain, None, 1.0, (chat,)),), lives))
    assert (found["unknown-fields"], found["answers"]) == ("missed", "met")


def test_what_is_refused_of_another_game_explains_no_silence() -> None:
    other = notice("closed", key="of another game")
    (plain,), after = STEPS["unknown-fields"].questions, still_there("r", AGENT, 30.0, 1)
    lives = Heard(after, a_reply(after, "Yes."), 0.1)
    found = marks(answered("answers"), Played(STEPS["unknown-fields"], (Heard(plain, None, 1.0, (other,)),), lives))
    assert (found["unknown-fields"], found["key"]) == ("missed", "met")


def test_what_is_refused_of_another_game_after_a_silence_explains_nothing_either() -> None:
    other = notice("closed", key="of another game")
    (plain,), after = STEPS["unknown-fields"].questions, still_there("r", AGENT, 30.0, 1)
    gone = Heard(after, None, 1.0, (other,))
    found = marks(answered("answers"), Played(STEPS["unknown-fields"], (Heard(plain, None, 1.0),), gone))
    assert (found["unknown-fields"], found["answers"], found["key"]) == ("untried", "missed", "met")


def test_an_answer_sent_again_in_good_faith_explains_no_silence() -> None:
    twice = Notice(key=KEY, agent=AGENT, code="duplicate")
    (plain,), after = STEPS["unknown-fields"].questions, still_there("r", AGENT, 30.0, 1)
    silent = Heard(plain, None, 1.0, stray=(twice,))
    lives = Played(STEPS["unknown-fields"], (silent,), Heard(after, a_reply(after, "Yes."), 0.1))
    assert marks(answered("answers"), lives)["unknown-fields"] == "missed"
    gone = Played(STEPS["unknown-fields"], (silent,), Heard(after, None, 1.0))
    found = marks(answered("answers"), gone)
    assert (found["answers"], found["key"], found["unknown-fields"]) == ("missed", "met", "untried")


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
    anywhere = {"known", "hello", "once", "words", "fetches", "speed", *CONDUCT}
    assert set(POINTS) == {*STEPS, *anywhere}


def test_the_page_has_every_section_that_is_named() -> None:
    headings = re.findall(r"^#+ (.+)$", (ROOT / PAGE).read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {point.section for point in POINTS.values()} <= set(headings)


def test_all_that_must_or_should_be_met_has_a_mend() -> None:
    assert [point.name for point in POINTS.values() if point.kind != "informative" and not point.mend] == []
