"""Messages as bytes: round trips, versions, explanations."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palaver_protocols.codec import decode, encode
from palaver_protocols.errors import PalaverError, ProtocolError, VersionError
from palaver_protocols.messages import (
    VERSION,
    TurnFailure,
    Wire,
)
from palaver_protocols.schema import examples
from tests.protocols.strategies import values, wires

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
    plain["usage"]["audio_tokens"] = 3
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
