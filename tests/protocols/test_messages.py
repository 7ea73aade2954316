"""The messages of the bus and of the log, as values."""

import pytest
from hypothesis import given
from pydantic import ValidationError

from palaver_protocols.messages import (
    TurnReply,
    TurnRequest,
    Usage,
    make_reply,
    make_request,
)
from palaver_protocols.schema import examples
from tests.protocols.strategies import usages


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


def test_making_a_message_of_its_fields_is_calling_its_class() -> None:
    request, reply, *_ = examples()
    assert make_request(request.model_dump()) == request
    assert make_reply(reply.model_dump()) == reply
    with pytest.raises(ValidationError, match="turn"):
        make_reply({**reply.model_dump(), "turn": -1})
