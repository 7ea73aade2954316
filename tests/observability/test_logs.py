"""What is logged, at which level and how."""

import io
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
import structlog

from palaver_observability.logs import LogHook, configure_logging, logging_to
from palaver_protocols.errors import UsageError
from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    InvalidReply,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import EpisodeEnded
from tests.support import NOON, a_reply, a_request, a_start

REQUEST = a_request(turn=3)
EVENTS: list[Event] = [
    EpisodeOpened(a_start(), 0),
    TurnAsked(REQUEST),
    TurnRetried(REQUEST, "rate_limited", "bitte später", 1.5),
    TurnAnswered(REQUEST, a_reply(REQUEST, latency_s=0.25)),
    InvalidReply(REQUEST, a_reply(REQUEST), "no move in it"),
    EpisodeClosed(a_start(), EpisodeEnded(key="x", outcome="solved", scores={"s": 1.0}, at=NOON), turns=4),
]


def logged(level: str, **options: Any) -> str:
    stream = io.StringIO()
    hook = LogHook(configure_logging(stream, level, **options))
    for event in EVENTS:
        hook(event)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (
            "debug",
            ["episode opened", "turn asked", "turn retried", "turn answered", "invalid reply", "episode closed"],
        ),
        ("info", ["episode opened", "turn retried", "invalid reply", "episode closed"]),
        ("warning", ["turn retried", "invalid reply"]),
        ("error", []),
    ],
)
def test_each_event_has_its_level(level: str, expected: list[str]) -> None:
    lines = [json.loads(line) for line in logged(level, json=True).splitlines()]
    assert [line["event"] for line in lines] == expected


def test_every_line_says_when_how_bad_and_where() -> None:
    for line in (json.loads(text) for text in logged("debug", json=True).splitlines()):
        assert datetime.fromisoformat(line["timestamp"]).utcoffset() == timedelta(0)
        assert line["level"] in ("debug", "info", "warning")
        assert (line["run_id"], line["episode_id"]) == ("run", "e0")
        if line["event"].startswith("turn"):
            assert (line["turn"], line["seat"], line["agent"]) == (3, "a", "echo")


def test_for_people_it_is_plain_text_where_there_is_no_terminal() -> None:
    text = logged("info")
    assert "\x1b" not in text
    assert "bitte später" in text
    assert "episode_id=e0" in text


def test_two_loggers_keep_to_their_own_streams() -> None:
    quiet, loud = io.StringIO(), io.StringIO()
    LogHook(configure_logging(quiet, "error"))(EVENTS[0])
    LogHook(configure_logging(loud, "info"))(EVENTS[0])
    assert (quiet.getvalue(), "episode opened" in loud.getvalue()) == ("", True)


def test_for_a_while_everything_is_logged_there(capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    with logging_to(stream, json=True) as logger:
        logger.info("ours")
        try:
            raise ValueError("odd")
        except ValueError:
            structlog.get_logger().exception("theirs", episode_id="e0")
    structlog.get_logger().info("after")
    ours, theirs = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (ours["event"], theirs["event"], theirs["episode_id"]) == ("ours", "theirs", "e0")
    assert "ValueError: odd" in theirs["exception"]
    assert "after" in capsys.readouterr().out


def test_a_log_that_cannot_be_written_ends_no_episode() -> None:
    stream = io.StringIO()
    hook = LogHook(configure_logging(stream))
    stream.close()
    hook(EVENTS[0])


def test_an_unknown_level_is_named() -> None:
    with pytest.raises(UsageError, match=r"no log level 'loud'.*debug, info"):
        configure_logging(io.StringIO(), "loud")
