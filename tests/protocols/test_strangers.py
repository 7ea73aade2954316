"""What somebody else's program says, and what of it is believed."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_protocols.codec import encode
from palaver_protocols.messages import TurnFailure, TurnReply
from palaver_protocols.strangers import (
    LIMITS,
    AgentHello,
    Limits,
    RefusedError,
    is_stranger,
    read_stranger,
    stranger,
    vetted,
)
from tests.protocols.strategies import values
from tests.support import a_failure, a_reply, a_request

ME = "bus/me"
REQUEST = a_request("k1", agent=ME)
REPLY: dict[str, Any] = json.loads(encode(a_reply(REQUEST)))
FAILURE: dict[str, Any] = json.loads(encode(a_failure(REQUEST)))
HELLO: dict[str, Any] = json.loads(encode(AgentHello(key="1", agent=ME)))
SIX = ("key", "run_id", "episode_id", "turn", "seat", "agent")
HOSTILE = "\x1b[2J\x9b31m\r\n\u202e"
"""What clears a terminal, colours it, begins a line, and turns text around."""


def read(message: object, limits: Limits = LIMITS) -> TurnReply | TurnFailure | AgentHello:
    return read_stranger(json.dumps(message).encode(), ME, limits)


def answer(**changes: Any) -> TurnReply | TurnFailure:
    said = read({**REPLY, **changes})
    assert isinstance(said, TurnReply)
    return vetted(said, REQUEST, 1.2345)


def tried(message: object) -> RefusedError | None:
    """Return why a message is not taken, by whoever looks at it first; None if it is."""
    try:
        said = read_stranger(message, ME) if isinstance(message, bytes) else read(message)
        if not isinstance(said, AgentHello):
            vetted(said, REQUEST, 0.0)
    except RefusedError as error:
        return error
    return None


def refusal(message: object) -> RefusedError:
    error = tried(message)
    assert error is not None, "it was taken"
    return error


class TestNames:
    @pytest.mark.parametrize("name", ["a", "7", "my-agent", "a" * 32, "a--b"])
    def test_a_name_is_letters_digits_and_dashes(self, name: str) -> None:
        assert is_stranger(stranger(name))

    @pytest.mark.parametrize(
        "name", ["", "-a", "a-", "A", "ä", "a_b", "a/b", "a b", "a\n", "a" * 33, "a*", "{a}", "a.b", "+", "#"]
    )
    def test_nothing_else_is(self, name: str) -> None:
        assert not is_stranger(stranger(name))

    @pytest.mark.parametrize("agent", ["", "bus/", "my-agent", "openai/gpt-4.1", "xbus/a", "bus/bus/a"])
    def test_other_agents_are_no_strangers(self, agent: str) -> None:
        assert not is_stranger(agent)


class TestReading:
    @pytest.mark.parametrize("message", [REPLY, FAILURE, HELLO], ids=lambda message: str(message["type"]))
    def test_what_is_right_is_read(self, message: dict[str, Any]) -> None:
        assert json.loads(encode(read(message))) == message

    @pytest.mark.parametrize("message", [REPLY, FAILURE, HELLO], ids=lambda message: str(message["type"]))
    def test_newer_minor_versions_and_unknown_fields_are_read(self, message: dict[str, Any]) -> None:
        assert read({**message, "version": "1.7", "mood": {"cheerful": [1]}}).key == message["key"]

    def test_the_least_that_an_answer_holds_is_enough(self) -> None:
        least = {name: REPLY[name] for name in ("type", "version", *SIX, "parts")}
        assert answer_text(read(least)) == "Hello."

    def test_a_message_may_be_as_large_as_the_limit_and_no_larger(self) -> None:
        raw = json.dumps(REPLY).encode()
        assert read_stranger(raw, ME, Limits(message_bytes=len(raw)))
        with pytest.raises(RefusedError) as caught:
            read_stranger(raw, ME, Limits(message_bytes=len(raw) - 1))
        assert caught.value.reason == "too_large"

    @pytest.mark.parametrize(
        ("raw", "reason"),
        [
            (b"", "not_json"),
            (b"hello", "not_json"),
            (b"\xff\xfe{}", "not_json"),
            (b"[" * 100_000, "not_json"),
            (b'{"key": "\\ud800"}', "not_json"),
            (b"null", "malformed"),
            (b"[]", "malformed"),
            (b"{}", "malformed"),
            (b'{"type": "turn.request"}', "malformed"),
            (b'{"type": "notice", "key": "k1", "agent": "bus/me", "code": "accepted"}', "malformed"),
        ],
    )
    def test_what_cannot_be_read_is_refused(self, raw: bytes, reason: str) -> None:
        assert refusal(raw).reason == reason

    @pytest.mark.parametrize(
        ("message", "field", "value"),
        [
            *((REPLY, "turn", "0"), (REPLY, "turn", 0.5), (REPLY, "latency_s", "1"), (REPLY, "cost_usd", "0.1")),
            *((FAILURE, "retryable", "yes"), (FAILURE, "retryable", 1), (HELLO, "concurrency", "8")),
        ],
    )
    def test_a_value_of_another_type_is_refused(self, message: dict[str, Any], field: str, value: object) -> None:
        assert refusal({**message, field: value}).reason == "malformed"

    def test_a_whole_number_is_a_number(self) -> None:
        assert read({**REPLY, "latency_s": 1})

    def test_the_version_has_to_be_said(self) -> None:
        without = {name: value for name, value in REPLY.items() if name != "version"}
        assert refusal(without).message.startswith("version: it is missing")

    @pytest.mark.parametrize("version", ["2.0", "0.9", "10.0"])
    def test_another_major_version_is_refused(self, version: str) -> None:
        error = refusal({**REPLY, "version": version})
        assert (error.reason, error.key) == ("version", "k1")

    @pytest.mark.parametrize("message", [REPLY, FAILURE, HELLO], ids=lambda message: str(message["type"]))
    def test_nobody_speaks_for_another(self, message: dict[str, Any]) -> None:
        error = refusal({**message, "agent": "bus/you"})
        assert (error.reason, error.key) == ("mismatch", message["key"])

    @pytest.mark.parametrize("field", [*SIX, "parts", "type"])
    def test_what_is_left_out_is_missed(self, field: str) -> None:
        assert refusal({name: value for name, value in REPLY.items() if name != field}).reason == "malformed"

    def test_a_refusal_says_what_it_is_about_though_the_message_is_broken(self) -> None:
        error = refusal({**REPLY, "parts": "Hello."})
        assert (error.reason, error.key) == ("malformed", "k1")
        assert "parts" in error.message

    @given(st.binary(max_size=200))
    def test_bytes_are_read_or_refused_in_one_line(self, raw: bytes) -> None:
        with pytest.raises(RefusedError) as caught:
            read_stranger(raw, ME)
        assert caught.value.message.isprintable()

    @given(st.dictionaries(st.sampled_from([*REPLY, "code", "message", "retryable"]), values, max_size=4))
    def test_any_change_is_read_or_refused_in_one_line(self, changes: dict[str, Any]) -> None:
        error = tried({**REPLY, **changes})
        assert error is None or f"{error.message}{error.key}".isprintable()
        assert error is None or len(error.message) < 1000

    def test_nothing_hostile_gets_into_what_people_read(self) -> None:
        hostile = HOSTILE + "x" * 5000
        for changes in ({"agent": hostile}, {"type": hostile}, {"version": hostile}, {"key": hostile, "parts": 1}):
            error = refusal({**REPLY, **changes})
            assert f"{error.message}{error.key}".isprintable()
            assert len(encode(error.notice(ME))) < 2000
        greeting = read({**HELLO, "software": HOSTILE})
        assert isinstance(greeting, AgentHello)
        assert greeting.software.isprintable()


class TestVetting:
    @pytest.mark.parametrize("name", [name for name in SIX if name != "agent"])
    def test_an_answer_repeats_the_names_of_its_question(self, name: str) -> None:
        other = 9 if name == "turn" else "other"
        error = refusal({**REPLY, name: other})
        assert (error.reason, error.key) == ("mismatch", "k1")
        assert name in error.message
        assert refusal({**FAILURE, name: other}).reason == "mismatch"

    def test_an_answer_is_text(self) -> None:
        picture = {"type": "image", "sha256": "0" * 64, "media_type": "image/png", "width": 1, "height": 1, "size": 1}
        assert refusal({**REPLY, "parts": [*REPLY["parts"], picture]}).reason == "not_text"

    def test_what_we_know_better_is_as_we_know_it(self) -> None:
        said = answer(latency_s=0.001, sent="0" * 64, cached=True, unverified=False)
        assert isinstance(said, TurnReply)
        assert (said.latency_s, said.sent, said.cached, said.unverified) == (1.234, None, False, True)

    def test_what_it_says_of_itself_is_kept_for_people(self) -> None:
        usage = {"input_tokens": 9, "output_tokens": 7, "reasoning_tokens": 5, "cached_tokens": 3}
        said = answer(provider=f"me{HOSTILE}", model="m" * 900, usage=usage, cost_usd=0.5)
        assert isinstance(said, TurnReply)
        assert said.provider.isprintable()
        assert len(said.model) < 210
        assert (said.usage.model_dump(), said.cost_usd) == (usage, 0.5)

    @pytest.mark.parametrize(
        "bill",
        [
            {"usage": {"input_tokens": 10**40}},
            {"usage": {"output_tokens": 10_000_001}},
            {"usage": {"output_tokens": 1, "reasoning_tokens": 2}},
            {"usage": {"input_tokens": 1, "cached_tokens": 2}},
            {"usage": {"input_tokens": -1}},
            {"cost_usd": 1000.01},
            {"cost_usd": float("nan")},
            {"cost_usd": float("inf")},
            {"latency_s": float("nan")},
        ],
        ids=str,
    )
    def test_a_bill_that_cannot_be_is_refused(self, bill: dict[str, Any]) -> None:
        assert refusal({**REPLY, **bill}).reason == "malformed"

    def test_a_failure_is_one_line_and_asks_for_no_long_wait(self) -> None:
        said = read({**FAILURE, "code": HOSTILE * 50, "message": HOSTILE + "x" * 5000, "retry_after_s": 1e300})
        assert isinstance(said, TurnFailure)
        failure = vetted(said, REQUEST, 0.0)
        assert isinstance(failure, TurnFailure)
        assert f"{failure.code}{failure.message}".isprintable()
        assert (len(failure.code) < 50, len(failure.message) < 510, failure.retry_after_s) == (True, True, 300.0)

    @pytest.mark.parametrize("wait_s", [float("nan"), -1.0])
    def test_a_failure_waits_for_some_time(self, wait_s: float) -> None:
        assert refusal({**FAILURE, "retry_after_s": wait_s}).reason == "malformed"

    @given(values)
    def test_vetting_twice_changes_nothing(self, said: Any) -> None:
        with suppress(RefusedError):
            once = answer(provider=said, model=said)
            assert vetted(once, REQUEST, 1.2345) == once


def answer_text(said: TurnReply | TurnFailure | AgentHello) -> str:
    assert isinstance(said, TurnReply)
    return said.text
