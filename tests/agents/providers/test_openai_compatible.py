"""Models behind chat completions, against a local server that speaks the real wire format."""

import hashlib
from base64 import b64encode
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_agents.model import Completion
from palaver_agents.names import parse_agent
from palaver_agents.providers import resolve
from palaver_agents.providers.failures import retry_after_s
from palaver_agents.providers.openai_compatible import OpenAICompatible
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import Sampling, Usage
from palaver_protocols.roles import GO_BETWEEN
from palaver_protocols.transcript import Message
from tests.agents.providers.asking import KEY, a_picture, failure
from tests.agents.providers.openai_server import USAGE, OpenAIServer, completion, error_answer, json_answer
from tests.agents.providers.wire_server import Answer, text_answer
from tests.support import NOON, a_request

DIALOGUE: dict[str, Any] = {
    "seat": "a",
    "partners": ("b",),
    "view": (
        Message.text_from("user", "Solve the maze."),
        Message.text_from("a", "Shall we go up?"),
        Message.text_from("b", "Yes."),
    ),
}


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server


def at(base_url: str, provider: str = "openai", blobs: MemoryBlobs | None = None, **environ: str) -> OpenAICompatible:
    name = parse_agent(f"{provider}/gpt-test@{base_url}")
    endpoint = resolve(name, {"OPENAI_API_KEY": KEY, "OPENROUTER_API_KEY": KEY, **environ})
    return OpenAICompatible(endpoint, blobs=blobs or MemoryBlobs())


@pytest.fixture
async def model(server: OpenAIServer, blobs: MemoryBlobs) -> AsyncIterator[OpenAICompatible]:
    async with at(server.base_url, blobs=blobs) as model:
        yield model


# What is sent.


async def test_a_dialogue_of_two_is_sent_with_prefixes(server: OpenAIServer, model: OpenAICompatible) -> None:
    await model.complete(a_request(**DIALOGUE))
    assert server.asked[0].path == "/v1/chat/completions"
    assert server.asked[0].body == {
        "model": "gpt-test",
        "messages": [
            {"role": "system", "content": GO_BETWEEN},
            {"role": "user", "content": "[user]: Solve the maze."},
            {"role": "assistant", "content": "Shall we go up?"},
            {"role": "user", "content": "[other agent]: Yes."},
        ],
    }


@pytest.mark.parametrize(("provider", "limit"), [("openai", "max_completion_tokens"), ("vllm", "max_tokens")])
async def test_what_is_set_is_sent_under_the_providers_name(server: OpenAIServer, provider: str, limit: str) -> None:
    sampling = Sampling(temperature=0.0, top_p=0.9, max_tokens=512, reasoning_effort="low")
    async with at(server.base_url, provider) as model:
        await model.complete(a_request(sampling=sampling))
    del server.asked[0].body["messages"], server.asked[0].body["model"]
    assert server.asked[0].body == {"temperature": 0.0, "top_p": 0.9, limit: 512, "reasoning_effort": "low"}


@pytest.mark.parametrize(
    ("agent", "sent"),
    [
        ("openai/o3", {"max_completion_tokens": 512, "reasoning_effort": "low"}),
        ("openai/gpt-4.1", {"temperature": 0.0, "top_p": 0.9, "max_completion_tokens": 512}),
        ("xai/grok-4", {"temperature": 0.0, "top_p": 0.9, "max_tokens": 512}),
        ("openrouter/m", {"temperature": 0.0, "top_p": 0.9, "max_tokens": 512, "reasoning": {"effort": "low"}}),
    ],
)
async def test_what_a_model_refuses_is_left_out(server: OpenAIServer, agent: str, sent: dict[str, Any]) -> None:
    sampling = Sampling(temperature=0.0, top_p=0.9, max_tokens=512, reasoning_effort="low")
    endpoint = resolve(parse_agent(f"{agent}@{server.base_url}"), {})
    async with OpenAICompatible(endpoint, blobs=MemoryBlobs()) as model:
        await model.complete(a_request(sampling=sampling))
    del server.asked[0].body["messages"], server.asked[0].body["model"]
    assert server.asked[0].body == sent


async def test_a_picture_that_a_model_cannot_take_is_an_error_before_any_call(server: OpenAIServer) -> None:
    picture = Image.from_bytes(a_picture("red"))
    endpoint = resolve(parse_agent(f"cohere/command-r-08-2024@{server.base_url}"), {})
    async with OpenAICompatible(endpoint, blobs=MemoryBlobs()) as model:
        with pytest.raises(AgentError, match="the pictures cannot be sent: it takes no pictures") as raised:
            await model.complete(a_request(view=(Message(speaker="user", parts=(picture,)),)))
    assert (raised.value.code, raised.value.retryable, server.asked) == ("pictures", False, [])


async def test_quirks_are_the_providers(server: OpenAIServer) -> None:
    view = (Message.text_from("user", "Play."), Message.text_from("system", "Be kind."))
    for provider in ("openai", "vllm"):
        async with at(server.base_url, provider) as model:
            await model.complete(a_request(view=view))
    assert [[message["role"] for message in asked.body["messages"]] for asked in server.asked] == [
        ["user", "system", "user"],
        ["system", "user"],
    ]


async def test_pictures_are_sent_in_their_places(
    server: OpenAIServer, model: OpenAICompatible, blobs: MemoryBlobs
) -> None:
    red, blue = a_picture("red"), a_picture("blue")
    await blobs.put(red)
    stored = Image.model_validate_json(Image.from_bytes(red).model_dump_json())
    at_hand = Image.from_bytes(blue)
    parts = (Text(text="before"), stored, Text(text="between"), at_hand, Text(text="after"))
    await model.complete(a_request(view=(Message(speaker="user", parts=parts),)))
    urls = [f"data:image/png;base64,{b64encode(data).decode()}" for data in (red, blue)]
    assert server.asked[0].body["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "before"},
                {"type": "image_url", "image_url": {"url": urls[0]}},
                {"type": "text", "text": "between"},
                {"type": "image_url", "image_url": {"url": urls[1]}},
                {"type": "text", "text": "after"},
            ],
        }
    ]


async def test_the_key_and_the_requests_own_key_are_in_the_headers(
    server: OpenAIServer, model: OpenAICompatible
) -> None:
    await model.complete(a_request("k42"))
    headers = server.asked[0].headers
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers["Idempotency-Key"] == "k42"
    assert "OpenAI-Organization" not in headers


async def test_openai_is_told_the_organization_that_was_handed_in(server: OpenAIServer) -> None:
    async with at(server.base_url, OPENAI_ORG_ID="org-1") as model:
        await model.complete(a_request())
    assert server.asked[0].headers["OpenAI-Organization"] == "org-1"


# What is answered.


async def test_a_completion_is_read_whole(server: OpenAIServer, model: OpenAICompatible) -> None:
    server.will(json_answer(completion("Let us go up.")))
    assert await model.complete(a_request()) == Completion(
        parts=(Text(text="Let us go up."),),
        provider="openai",
        model="gpt-test-2026-01-01",
        finish_reason="stop",
        usage=Usage(input_tokens=120, output_tokens=45, reasoning_tokens=32, cached_tokens=64),
        cost_usd=None,
        sent=hashlib.sha256(server.asked[0].raw).hexdigest(),
    )


@pytest.mark.parametrize(
    ("said", "finish_reason", "text"),
    [
        ({"finish_reason": "length"}, "length", "up"),
        ({"finish_reason": "content_filter", "content": None}, "content_filter", ""),
        ({"finish_reason": "tool_calls", "content": None}, "other", ""),
        ({"finish_reason": "end_turn"}, "other", "up"),
        ({"finish_reason": None}, "other", "up"),
        ({"finish_reason": "stop", "content": ""}, "stop", ""),
        ({"refusal": "I'm sorry, I can't.", "content": None}, "refusal", "I'm sorry, I can't."),
        ({"finish_reason": "refusal", "content": "No."}, "refusal", "No."),
    ],
)
async def test_why_an_answer_ended(
    server: OpenAIServer, model: OpenAICompatible, said: dict[str, Any], finish_reason: str, text: str
) -> None:
    server.will(json_answer(completion(**said)))
    answer = await model.complete(a_request())
    assert (answer.finish_reason, answer.text) == (finish_reason, text)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (None, Usage()),
        ({}, Usage()),
        ({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}, Usage(input_tokens=7, output_tokens=3)),
        ({"prompt_tokens": 7, "completion_tokens": None, "completion_tokens_details": None}, Usage(input_tokens=7)),
    ],
)
async def test_what_is_not_counted_is_zero(
    server: OpenAIServer, model: OpenAICompatible, usage: dict[str, Any] | None, counted: Usage
) -> None:
    server.will(json_answer(completion(usage=usage)))
    assert (await model.complete(a_request())).usage == counted


async def test_a_lean_answer_of_a_compatible_server_will_do(server: OpenAIServer, model: OpenAICompatible) -> None:
    server.will(json_answer({"choices": [{"message": {"content": "up"}, "finish_reason": "stop"}]}))
    answer = await model.complete(a_request())
    assert (answer.text, answer.model, answer.usage) == ("up", "gpt-test", Usage())


@pytest.mark.parametrize(
    ("provider", "cost", "cost_usd"),
    [
        ("openrouter", 0.00492, 0.00492),
        ("openrouter", 0, 0.0),
        ("openrouter", None, None),
        ("openai", 0.00492, None),
        ("openai", {"total": 1}, None),
    ],
)
async def test_a_cost_is_believed_where_it_is_in_dollars(
    server: OpenAIServer, provider: str, cost: Any, cost_usd: float | None
) -> None:
    server.will(json_answer(completion(usage={**USAGE, "cost": cost})))
    async with at(server.base_url, provider) as model:
        assert (await model.complete(a_request())).cost_usd == cost_usd


# What goes wrong.


@pytest.mark.parametrize(
    ("answer", "code", "may_pass", "said"),
    [
        (error_answer(403, f"Key {KEY} (sk-te**cdef) is barred."), "auth", False, "Key *** (***) is barred. (status"),
        (error_answer(429, "You exceeded your quota", code="insufficient_quota"), "quota", False, "plan and billing"),
        (error_answer(429, "You exceeded your quota", type="insufficient_quota"), "quota", False, "plan and billing"),
        (error_answer(402, "Insufficient credits"), "quota", False, "Insufficient credits"),
        (error_answer(429, "Rate limit reached", code="rate_limit_exceeded"), "rate_limited", True, "Rate limit"),
        (error_answer(404, "No model `x`", code="model_not_found"), "unknown_model", False, "check the model's name"),
        (text_answer("404 page not found", 404, "text/plain"), "unknown_model", False, "404 page not found"),
        (json_answer({"detail": "Not Found"}, 404), "unknown_model", False, "Not Found (status 404)"),
        (error_answer(400, "Unsupported value: 'temperature'"), "bad_request", False, "Unsupported value"),
        (error_answer(400, "Too long", code="context_length_exceeded"), "context_length", False, "Too long"),
        (
            json_answer({"object": "error", "message": "This model's maximum context length is 4096 tokens."}, 400),
            "context_length",
            False,
            "maximum context length is 4096",
        ),
        (error_answer(408, "slow"), "server", True, "slow"),
        (error_answer(409, "busy"), "server", True, "busy"),
        (error_answer(500, "The server had an error"), "server", True, "The server had an error"),
        (error_answer(529, "Overloaded", type="overloaded_error"), "overloaded", True, "Overloaded (status 529)"),
    ],
)
async def test_a_refusal_is_sorted_by_what_can_be_done(
    answer: Answer, code: str, may_pass: bool, said: str, *, server: OpenAIServer, model: OpenAICompatible
) -> None:
    server.will(answer)
    error = await failure(model)
    assert (error.code, error.retryable) == (code, may_pass)
    assert said in str(error)
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (json_answer(completion(choices=[])), "it has no choices"),
        (json_answer(completion(choices=None)), "it has no choices"),
        (json_answer(completion(choices=[{"message": {"content": 7}}])), "choices.0.message.content"),
        (json_answer({"error": "out of memory"}), "out of memory"),
        (
            json_answer({"error": {"message": "Provider returned error", "metadata": {"raw": "CUDA\nerror"}}}),
            "Provider returned error: CUDA error",
        ),
        (
            json_answer(completion(choices=[{"finish_reason": "error", "error": {"message": "cut"}, "message": {}}])),
            "no chat completion: cut",
        ),
    ],
)
async def test_status_200_does_not_make_an_answer(
    server: OpenAIServer, model: OpenAICompatible, answer: Answer, said: str
) -> None:
    server.will(answer)
    error = await failure(model)
    assert (error.code, error.retryable) == ("bad_response", True)
    assert said in str(error)


async def test_no_wait_is_passed_on_where_waiting_is_in_vain(server: OpenAIServer, model: OpenAICompatible) -> None:
    server.will(error_answer(429, "Quota", code="insufficient_quota", headers={"Retry-After": "17"}))
    assert (await failure(model)).retry_after_s is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "20", "retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "20", "retry-after-ms": "?"}, 20.0),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
    ],
)
def test_the_wait_is_read_in_each_of_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, NOON) == seconds


@given(st.text(), st.datetimes(timezones=st.just(UTC)))
def test_whatever_a_header_holds_the_wait_is_none_or_not_negative(text: str, now: datetime) -> None:
    wait = retry_after_s({"retry-after": text, "retry-after-ms": text}, now)
    assert wait is None or wait >= 0


async def test_no_such_host() -> None:
    async with at("http://nowhere.invalid/v1") as model:
        error = await failure(model)
    assert (error.code, error.retryable) == ("unreachable", True)
    assert "http://nowhere.invalid/v1" in str(error)
