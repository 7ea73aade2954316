"""The messages of the bus: the wire format, versions, errors, keys."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from palaver_protocols.codec import decode, encode
from palaver_protocols.errors import PalaverError, ProtocolError, VersionError
from palaver_protocols.keys import hash_view, key_prefix, request_key
from palaver_protocols.messages import (
    VERSION,
    TurnFailure,
    TurnReply,
    TurnRequest,
    Usage,
    Wire,
    make_reply,
    make_request,
)
from palaver_protocols.schema import examples
from palaver_protocols.transcript import USER, Message
from tests.protocols.strategies import messages, usages, values, wires

FAILURE = TurnFailure(
    key="k",
    run_id="r",
    episode_id="e",
    turn=3,
    seat="A",
    agent="x",
    code="timeout",
    message="no answer",
    retryable=True,
)
VIEW = (Message.text_from(USER, "task"), Message.text_from("A", "hi"))


def altered(**changes: Any) -> str:
    return json.dumps({**json.loads(encode(FAILURE)), **changes})


@given(wires)
def test_what_is_encoded_decodes_to_the_same(message: Wire) -> None:
    line = encode(message)
    assert decode(line) == message
    assert decode(line.decode()) == message
    assert b"\n" not in line


@given(st.dictionaries(st.text(min_size=1).map(lambda name: f"x_{name}"), values, min_size=1, max_size=3))
def test_unknown_fields_are_tolerated(extra: dict[str, Any]) -> None:
    assert decode(altered(**extra)) == FAILURE


def test_unknown_fields_are_tolerated_inside() -> None:
    plain = json.loads(encode(examples()[1]))
    plain["usage"]["cached_tokens"] = 3
    plain["parts"][0]["language"] = "en"
    assert decode(json.dumps(plain)) == examples()[1]


def test_a_newer_minor_version_is_understood() -> None:
    assert decode(altered(version="1.99")).turn == FAILURE.turn


@pytest.mark.parametrize("version", ["2.0", "0.9", "10.0", "two"])
def test_another_major_version_is_named(version: str) -> None:
    with pytest.raises(VersionError) as caught:
        decode(altered(version=version))
    assert str(caught.value) == (
        f"this message speaks version {version} of the protocol, this palaver speaks {VERSION} "
        "(run the same major version on both ends)"
    )


def test_a_type_of_another_major_version_is_blamed_on_the_version() -> None:
    with pytest.raises(VersionError):
        decode('{"type": "turn.murmur", "version": "2.0"}')


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"", "this message is no JSON: "),
        (b"{", "this message is no JSON: "),
        (b"\xff\xfe", "this message is no JSON: "),
        (b"[" * 5000, "this message is no JSON: "),
        (b"[]", "message: "),
        (b"{}", "message: .*'type'"),
        (b'{"type": "turn.murmur"}', "message: .*'turn.murmur'.*'turn.request'"),
        (altered(turn=-1), "turn.failure.turn: "),
        (altered(version=1), "turn.failure.version: "),
        (altered(version="1"), "turn.failure.version: "),
        (b'{"type": "turn.failure"}', r"turn.failure.key: Field required \(and \d more\)"),
    ],
)
def test_a_bad_message_is_explained(raw: bytes | str, complaint: str) -> None:
    with pytest.raises(ProtocolError, match=complaint):
        decode(raw)


@given(st.binary() | st.text() | values.map(json.dumps) | st.text().map(lambda text: altered(type=text, version=text)))
@example(altered(version="2\n\x1b[31mred" * 900))
@example(altered(type="a\nb" * 900))
def test_an_explanation_is_one_short_line(raw: bytes | str) -> None:
    try:
        decode(raw)
    except PalaverError as error:
        line = str(error)
        assert line.isprintable()
        assert len(line) < 500


@pytest.mark.parametrize("never", [float("inf"), float("nan")])
def test_a_time_that_json_cannot_write_is_refused(never: float) -> None:
    request, reply, *_ = examples()
    with pytest.raises(ValidationError, match="timeout_s"):
        TurnRequest.model_validate({**request.model_dump(), "timeout_s": never})
    with pytest.raises(ValidationError, match="latency_s"):
        TurnReply.model_validate({**reply.model_dump(), "latency_s": never})


def test_a_reply_reads_as_text() -> None:
    reply = examples()[1]
    assert isinstance(reply, TurnReply)
    assert reply.text == "So do I. Let us go right."


@given(usages, usages)
def test_usage_adds_up_field_by_field(one: Usage, other: Usage) -> None:
    both = one + other
    assert both.input_tokens == one.input_tokens + other.input_tokens
    assert both.output_tokens == one.output_tokens + other.output_tokens
    assert both.reasoning_tokens == one.reasoning_tokens + other.reasoning_tokens
    assert one + Usage() == one


FIXED = {"episode": "e", "seat": "A", "model": "m", "sampling": {"temperature": 0.5, "top_p": None}}


def key(fixed: dict[str, Any] = FIXED, turn: int = 2, view: tuple[Message, ...] = VIEW) -> str:
    return request_key(key_prefix(fixed), turn, view)


def test_the_same_question_has_the_same_key() -> None:
    shuffled = {name: FIXED[name] for name in reversed(FIXED)}
    fresh = tuple(Message.model_validate_json(message.model_dump_json()) for message in VIEW)
    assert key() == key(shuffled, view=fresh)
    assert len(key()) == 32


@pytest.mark.parametrize("name", FIXED)
def test_a_key_depends_on_every_fixed_parameter(name: str) -> None:
    assert key({**FIXED, name: "other"}) != key()


def test_a_key_depends_on_a_parameter_inside() -> None:
    assert key({**FIXED, "sampling": {"temperature": 0.6, "top_p": None}}) != key()


def test_a_key_depends_on_the_turn() -> None:
    assert key(turn=3) != key()


@given(st.lists(messages, max_size=3, unique_by=lambda message: message.digest), st.data())
def test_a_key_depends_on_the_whole_view_in_order(said: list[Message], data: st.DataObject) -> None:
    other = data.draw(st.permutations(said) | st.just(said[:-1]) | st.lists(messages, max_size=3))
    same = [message.digest for message in said] == [message.digest for message in other]
    assert (key(view=tuple(said)) == key(view=tuple(other))) == same


def test_a_prefix_can_be_used_again() -> None:
    prefix = key_prefix(FIXED)
    assert request_key(prefix, 1, VIEW) != request_key(prefix, 2, VIEW)
    assert request_key(prefix, 2, VIEW) == key()


@given(st.lists(messages, max_size=4), st.data())
def test_a_view_can_be_hashed_piece_by_piece(view: list[Message], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(view)))
    prefix = key_prefix(FIXED)
    hash_view(prefix, view[:cut])
    assert request_key(prefix, 2, view[cut:]) == key(view=tuple(view))


def test_making_a_message_of_its_fields_is_calling_its_class() -> None:
    request, reply, *_ = examples()
    assert make_request(request.model_dump()) == request
    assert make_reply(reply.model_dump()) == reply
    with pytest.raises(ValidationError, match="turn"):
        make_reply({**reply.model_dump(), "turn": -1})


def test_how_it_is_asked_is_no_part_of_the_key() -> None:
    """A key is made from turn, view and what is fixed; asking again copies the request with its key."""
    request = examples()[0]
    assert isinstance(request, TurnRequest)
    again = request.model_copy(update={"attempt": 2, "timeout_s": 5.0})
    assert again.key == request.key
    assert request_key(key_prefix(FIXED), again.turn, again.view) == key(turn=request.turn, view=request.view)
