"""The progress display, with and without a terminal."""

import io
import re

import pytest

from palaver_observability.progress import Progress
from palaver_protocols.events import EpisodeClosed, TurnAnswered, TurnRetried
from palaver_protocols.messages import EpisodeEnded, Usage
from tests.support import NOON, a_reply, a_request, a_start


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def closed(outcome: str = "solved") -> EpisodeClosed:
    return EpisodeClosed(a_start(), EpisodeEnded.model_validate({"key": "x", "outcome": outcome, "at": NOON}), turns=1)


def answered() -> TurnAnswered:
    return TurnAnswered(a_request(), a_reply(a_request(), usage=Usage(input_tokens=900, output_tokens=100)))


def test_without_a_terminal_a_plain_line_each_tenth_of_the_way() -> None:
    stream, clock = io.StringIO(), Clock()
    with Progress(40, stream=stream, clock=clock) as progress:
        for _ in range(40):
            clock.now += 3
            progress(answered())
            progress(closed())
    lines = stream.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[0] == "4/40 episodes (4 solved), 4 turns, 4,000 tokens, 2 min left"
    assert lines[-1] == "40/40 episodes (40 solved), 40 turns, 40,000 tokens"


def test_it_counts_outcomes_and_retries() -> None:
    progress = Progress(10, stream=io.StringIO(), clock=Clock())
    for event in (closed("failed"), closed(), closed("failed"), TurnRetried(a_request(), "timeout", "", 1.0)):
        progress(event)
    assert str(progress).startswith("3/10 episodes (1 solved, 2 failed), 0 turns, 0 tokens, 1 retries")


def test_a_resumed_run_starts_where_it_stood_and_judges_by_its_own_pace() -> None:
    stream, clock = io.StringIO(), Clock()
    with Progress(100, done={"solved": 90, "failed": 5}, stream=stream, clock=clock) as progress:
        assert stream.getvalue() == "95/100 episodes (90 solved, 5 failed), 0 turns, 0 tokens\n"
        assert progress.seconds_left is None
        clock.now += 60
        progress(closed())
        assert progress.seconds_left == pytest.approx(240)


def test_more_episodes_than_expected_or_none_at_all_are_no_error() -> None:
    for total in (0, 1):
        progress = Progress(total, stream=io.StringIO())
        progress(closed())
        progress(closed())
        assert progress.seconds_left == 0


def test_on_a_terminal_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with Progress(2, stream=stream) as progress:
        progress(closed())
        progress(closed("aborted"))
    assert "\x1b[" in stream.getvalue()
    assert re.search(r"━\s*\n2/2 episodes \(1 solved, 1 aborted\)", re.sub(r"\x1b\[[0-9;?]*\w", "", stream.getvalue()))


def test_a_closed_stream_ends_no_run() -> None:
    stream = io.StringIO()
    with Progress(1, stream=stream) as progress:
        stream.close()
        progress(closed())
