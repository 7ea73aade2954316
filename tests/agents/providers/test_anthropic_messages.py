"""Models behind the Messages API, against a local server that speaks the real wire format and refuses what it would."""

import hashlib
import io
import logging
from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Any

import anthropic
import pytest
from PIL import Image as Pillow

from palaver_agents.model import Completion
from palaver_agents.providers.anthropic_messages import AnthropicMessages
from palaver_agents.providers.endpoint import Endpoint, Price
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import RoleProtocol, Sampling, Usage
from palaver_protocols.quirks import ANTHROPIC, GO_ON
from palaver_protocols.roles import EMPTY, GO_BETWEEN, GO_BETWEEN_MANY
from palaver_protocols.transcript import Message
from tests.agents.providers.anthropic_server import (
    OLDER_MODEL,
    USAGE,
    AnthropicServer,
    complaint,
    error_answer,
    json_answer,
    message,
    text_block,
    thinking_block,
)
from tests.agents.providers.asking import KEY, a_picture, failure
from tests.agents.providers.wire_server import Answer, text_answer
from tests.support import a_request


@pytest.fixture
async def server() -> AsyncIterator[AnthropicServer]:
    async with AnthropicServer(key=KEY) as server:
        yield server


def an_endpoint(base_url: str, **changes: Any) -> Endpoint:
    fields: dict[str, Any] = {
        "provider": "anthropic",
        "model": "claude-test-4-6",
        "base_url": base_url,
        "key": KEY,
        "key_variable": "ANTHROPIC_API_KEY",
        "quirks": ANTHROPIC,
    }
    return Endpoint(**{**fields, **changes})


def at(base_url: str, blobs: MemoryBlobs | None = None, **changes: Any) -> AnthropicMessages:
    return AnthropicMessages(an_endpoint(base_url, **changes), blobs=blobs or MemoryBlobs())


@pytest.fixture
async def model(server: AnthropicServer, blobs: MemoryBlobs) -> AsyncIterator[AnthropicMessages]:
    async with at(server.base_url, blobs) as model:
        yield model


async def settings(server: AnthropicServer, sampling: Sampling, **changes: Any) -> dict[str, Any]:
    """Ask with some settings, and return what was sent of them."""
    async with at(server.base_url, **changes) as model:
        await model.complete(a_request(sampling=sampling))
    return {name: value for name, value in server.asked[-1].body.items() if name not in ("model", "messages")}


# What is sent.


RED, BLUE = a_picture("red"), a_picture("blue")
MAP, PIECE = Image.from_bytes(RED), Image.from_bytes(BLUE)
NAMES = {b64encode(RED).decode(): "<red>", b64encode(BLUE).decode(): "<blue>"}


def said(body: dict[str, Any]) -> list[list[str]]:
    """Return the messages that were sent, short: who speaks, and what; pictures by their colours."""

    def blocks(content: Any) -> list[str]:
        if isinstance(content, str):
            return [content]
        return [block["text"] if block["type"] == "text" else NAMES[block["source"]["data"]] for block in content]

    return [[message["role"], *blocks(message["content"])] for message in body["messages"]]


TASK = Message(speaker="user", parts=(Text(text="Here is"), MAP, Text(text="and"), PIECE, Text(text="Solve it.")))
OWN = Message.text_from("a", "Shall we go up? \n")
OTHERS = Message(speaker="b", parts=(PIECE, Text(text="No, see this:"), MAP))
THIRD = Message(speaker="agent_3", parts=(MAP, PIECE, Text(text="Down.")))
SHOWN = ["and", "<blue>", "Solve it."]
TWO: dict[RoleProtocol, list[list[str]]] = {
    "prefixes": [
        ["user", "[user]: Here is", "<red>", *SHOWN],
        ["assistant", "Shall we go up? \n"],
        ["user", "[other agent]:", "<blue>", "No, see this:", "<red>"],
    ],
    "user": [
        ["user", "Here is", "<red>", *SHOWN],
        ["assistant", "Shall we go up? \n"],
        ["user", "<blue>", "No, see this:", "<red>"],
    ],
    "transcript": [
        [
            *("user", "Here is", "<red>", "and", "<blue>"),
            "Solve it.\n\nThe dialogue so far:\n\nA: Shall we go up? \n\n\nB:",
            *("<blue>", "No, see this:", "<red>"),
            "The next message is yours, A. Write what you say, without the label.\nA:",
        ],
    ],
}
THREE: dict[RoleProtocol, list[list[str]]] = {
    "prefixes": [
        ["user", "[user]: Here is", "<red>", *SHOWN],
        ["assistant", "Shall we go up? \n"],
        ["user", "[b]:", "<blue>", "No, see this:", "<red>", "[agent 3]:", "<red>", "<blue>", "Down."],
    ],
    "user": [
        ["user", "[user]: Here is", "<red>", *SHOWN],
        ["assistant", "Shall we go up? \n"],
        ["user", "[b]:", "<blue>", "No, see this:", "<red>", "[agent 3]:", "<red>", "<blue>", "Down."],
    ],
    "transcript": [
        [
            *TWO["transcript"][0][:-1],
            *("Agent 3:", "<red>", "<blue>"),
            "Down.\n\nThe next message is yours, A. Write what you say, without the label.\nA:",
        ],
    ],
}


@pytest.mark.parametrize("protocol", ["prefixes", "user", "transcript"])
async def test_two_parties_with_pictures_are_accepted_in_order(
    server: AnthropicServer, model: AnthropicMessages, protocol: RoleProtocol
) -> None:
    view = (TASK, OWN, OTHERS)
    await model.complete(a_request(view=view, seat="a", partners=("b",), protocol=protocol))
    body = server.asked[0].body
    assert said(body) == TWO[protocol]
    assert body.get("system") == (GO_BETWEEN if protocol == "prefixes" else None)


@pytest.mark.parametrize("protocol", ["prefixes", "user", "transcript"])
async def test_three_parties_with_pictures_are_accepted_in_order(
    server: AnthropicServer, model: AnthropicMessages, protocol: RoleProtocol
) -> None:
    view = (TASK, OWN, OTHERS, THIRD)
    await model.complete(a_request(view=view, seat="a", partners=("b", "agent_3"), protocol=protocol))
    body = server.asked[0].body
    assert said(body) == THREE[protocol]
    told = GO_BETWEEN_MANY.format(partners='"[b]:", "[agent 3]:"', seat="a")
    assert body.get("system") == (told if protocol == "prefixes" else None)


async def test_the_whole_body_of_a_plain_question(server: AnthropicServer, model: AnthropicMessages) -> None:
    view = (Message.text_from("system", "Be kind."), Message.text_from("user", "Play."))
    await model.complete(a_request(view=view))
    assert server.asked[0].path == "/v1/messages"
    assert server.asked[0].body == {
        "model": "claude-test-4-6",
        "max_tokens": 8192,
        "system": "Be kind.",
        "messages": [{"role": "user", "content": "Play."}],
    }


async def test_a_picture_is_sent_with_its_kind(
    server: AnthropicServer, model: AnthropicMessages, blobs: MemoryBlobs
) -> None:
    buffer = io.BytesIO()
    Pillow.new("RGB", (2, 2), "green").save(buffer, "JPEG")
    await blobs.put(buffer.getvalue())
    stored = Image.model_validate_json(Image.from_bytes(buffer.getvalue()).model_dump_json())
    await model.complete(a_request(view=(Message(speaker="user", parts=(stored,)),)))
    data = b64encode(buffer.getvalue()).decode()
    source = {"type": "base64", "media_type": "image/jpeg", "data": data}
    assert server.asked[0].body["messages"] == [{"role": "user", "content": [{"type": "image", "source": source}]}]


async def test_nothing_blank_is_sent_and_nothing_visible_is_lost(
    server: AnthropicServer, model: AnthropicMessages
) -> None:
    blank = Message(speaker="a", parts=(Text(text=" \n"),))
    ended = Message(speaker="a", parts=(Text(text=""), Text(text="I go up. \n\t")))
    await model.complete(a_request(view=(Message.text_from("user", " Play. "), blank, ended), seat="a"))
    assert said(server.asked[0].body) == [
        ["user", " Play. "],
        ["assistant", f"{EMPTY}\n\nI go up. \n\t"],
        ["user", GO_ON],
    ]


async def test_the_headers_of_a_call(server: AnthropicServer, model: AnthropicMessages) -> None:
    await model.complete(a_request("k42", timeout_s=45.0))
    headers = server.asked[0].headers
    assert headers["x-api-key"] == KEY
    assert headers["Idempotency-Key"] == "k42"
    assert headers["Content-Type"] == "application/json"
    assert headers["x-stainless-timeout"] == "45.0"
    assert headers["Authorization"] == f"Bearer {KEY}"


async def test_the_sdks_debug_log_tells_no_key(
    server: AnthropicServer, model: AnthropicMessages, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await model.complete(a_request("k42"))
    assert "k42" in caplog.text
    assert KEY not in caplog.text


async def test_without_a_key_none_is_looked_for_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):  # the SDK would go on to the profile
        monkeypatch.delenv(name)
    async with AnthropicServer() as server, at(server.base_url, key=None) as model:
        await model.complete(a_request())
    headers = server.asked[0].headers
    assert "Authorization" not in headers
    assert "x-api-key" not in headers
    assert "ambient" not in str(headers).lower()


async def test_the_endpoints_own_headers_come_last() -> None:
    headers = {"Anthropic-Version": "2023-06-01", "Anthropic-Beta": "a-beta-2026-01-01", "Authorization": "Bearer it"}
    async with AnthropicServer(key="it") as server, at(server.base_url, key=None, headers=headers) as model:
        await model.complete(a_request())
    assert {name: server.asked[0].headers[name] for name in headers} == headers


async def test_a_version_that_is_given_is_the_version(server: AnthropicServer) -> None:
    async with at(server.base_url, headers={"Anthropic-Version": "2026-10-21"}) as model:
        error = await failure(model, sampling=Sampling(temperature=0.5))
    assert "temperature: Extra inputs are not permitted" in str(error)


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
async def test_the_url_may_name_the_version(server: AnthropicServer, path: str) -> None:
    async with at(server.base_url + path) as model:
        assert (await model.complete(a_request())).text == "up"


# Settings.


@pytest.mark.parametrize(("asked", "longest", "sent"), [(512, 64, 512), (None, 128_000, 128_000), (None, None, 8192)])
async def test_the_answers_length_is_always_limited(
    server: AnthropicServer, asked: int | None, longest: int | None, sent: int
) -> None:
    assert await settings(server, Sampling(max_tokens=asked), longest=longest) == {"max_tokens": sent}


@pytest.mark.parametrize("name", ["temperature", "top_p"])
async def test_a_sampling_setting_goes_by_the_version_that_takes_it(server: AnthropicServer, name: str) -> None:
    assert await settings(server, Sampling.model_validate({name: 0.5})) == {"max_tokens": 8192, name: 0.5}
    assert server.asked[-1].headers["anthropic-version"] == "2023-06-01"


async def test_other_calls_go_by_the_sdks_version(server: AnthropicServer, model: AnthropicMessages) -> None:
    await model.complete(a_request())
    assert server.asked[0].headers["anthropic-version"] == "2026-10-21"


async def test_of_both_sampling_settings_newer_models_are_told_the_temperature(server: AnthropicServer) -> None:
    sampling = Sampling(temperature=0.0, top_p=0.9)
    assert await settings(server, sampling) == {"max_tokens": 8192, "temperature": 0.0}


async def test_of_both_sampling_settings_older_models_are_told_both(server: AnthropicServer) -> None:
    sent = {"temperature": 0.0, "top_p": 0.9}
    assert await settings(server, Sampling(**sent), model=OLDER_MODEL) == {"max_tokens": 8192, **sent}


@pytest.mark.parametrize(
    ("refuses", "sent"),
    [
        ({"temperature", "top_p"}, {}),
        ({"temperature"}, {"top_p": 0.9}),
        ({"reasoning_effort"}, {"temperature": 0.7}),
    ],
)
async def test_what_a_model_refuses_is_left_out(
    server: AnthropicServer, refuses: set[str], sent: dict[str, float]
) -> None:
    effort = "high" if "reasoning_effort" in refuses else None
    sampling = Sampling(temperature=0.7, top_p=0.9, reasoning_effort=effort)
    assert await settings(server, sampling, refuses=frozenset(refuses)) == {"max_tokens": 8192, **sent}


@pytest.mark.parametrize(
    "name", ["claude-test-4-6", "claude-test-5", "claude-test-5-2-20260901", "claude-test-preview"]
)
@pytest.mark.parametrize("effort", ["low", "medium", "high", "xhigh", "max"])
async def test_newer_models_think_as_they_see_fit(server: AnthropicServer, name: str, effort: str) -> None:
    assert await settings(server, Sampling(reasoning_effort=effort), model=name) == {
        "max_tokens": 8192,
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": effort},
    }


@pytest.mark.parametrize(
    "name",
    ["claude-3-7-sonnet-20250219", "claude-opus-4-20250514", "claude-opus-4@20250514", "claude-haiku-4-5-20251001"],
)
@pytest.mark.parametrize(
    ("effort", "max_tokens", "budget"),
    [
        ("low", 10_000, 2000),
        ("medium", 10_000, 5000),
        ("high", 10_000, 8000),
        ("low", 1025, 1024),
        ("high", 1025, 1024),
    ],
)
async def test_older_models_think_by_a_budget_that_leaves_room_for_the_answer(
    server: AnthropicServer, name: str, effort: str, max_tokens: int, budget: int
) -> None:
    sampling = Sampling(reasoning_effort=effort, max_tokens=max_tokens)
    assert await settings(server, sampling, model=name) == {
        "max_tokens": max_tokens,
        "thinking": {"type": "enabled", "budget_tokens": budget},
    }


@pytest.mark.parametrize("name", ["claude-test-5", "claude-test-4-5"])
async def test_who_thinks_is_told_no_sampling(server: AnthropicServer, name: str) -> None:
    sampling = Sampling(temperature=0.0, top_p=0.9, reasoning_effort="low")
    assert {"temperature", "top_p"}.isdisjoint(await settings(server, sampling, model=name))


@pytest.mark.parametrize(
    ("name", "sent"), [("claude-test-5", {"thinking": {"type": "disabled"}}), ("claude-test-4-5", {})]
)
async def test_thinking_can_be_switched_off(server: AnthropicServer, name: str, sent: dict[str, Any]) -> None:
    sampling = Sampling(temperature=0.0, reasoning_effort="none")
    assert await settings(server, sampling, model=name) == {"max_tokens": 8192, "temperature": 0.0, **sent}


@pytest.mark.parametrize(
    ("name", "sampling", "line"),
    [
        (
            "claude-test-5",
            Sampling(reasoning_effort="a lot"),
            "reasoning_effort 'a lot' is not known (set it to none, low, medium, high, xhigh or max, or leave it out)",
        ),
        (
            "claude-test-4-5",
            Sampling(reasoning_effort="max"),
            "reasoning_effort 'max' is not known (set it to none, low, medium or high, or leave it out)",
        ),
        (
            "claude-test-4-5",
            Sampling(reasoning_effort="low", max_tokens=1024),
            "max_tokens 1024 leaves no room to think (set max_tokens above 1024, or reasoning_effort to none)",
        ),
    ],
)
async def test_a_setting_without_sense_is_an_error_before_any_call(
    server: AnthropicServer, name: str, sampling: Sampling, line: str
) -> None:
    async with at(server.base_url, model=name) as model:
        error = await failure(model, sampling=sampling)
    assert str(error) == f"anthropic/{name}: {line}"
    assert (error.code, error.retryable) == ("bad_request", False)
    assert server.asked == []


# What is answered.


async def test_a_message_is_read_whole(server: AnthropicServer, model: AnthropicMessages) -> None:
    redacted = {"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3pzix"}
    blocks = thinking_block("Up, or down?"), redacted, text_block("Let us "), text_block("go up.")
    server.will(json_answer(message(*blocks)))
    answer = await model.complete(a_request())
    assert answer == Completion(
        parts=(Text(text="Let us go up."),),
        provider="anthropic",
        model="claude-test-4-6-20260101",
        finish_reason="stop",
        usage=Usage(input_tokens=120, output_tokens=45, reasoning_tokens=32, cached_tokens=48),
        sent=hashlib.sha256(server.asked[0].raw).hexdigest(),
    )


async def test_only_blocks_of_text_are_the_answer(server: AnthropicServer, model: AnthropicMessages) -> None:
    server.will(json_answer(message({"type": "of_a_later_time", "text": "Hm."}, text_block("up"))))
    assert (await model.complete(a_request())).text == "up"


async def test_a_price_makes_a_cost(server: AnthropicServer) -> None:
    async with at(server.base_url, price=Price(input=3.0, output=15.0, cached=0.3)) as model:
        answer = await model.complete(a_request())
    assert answer.cost_usd == pytest.approx((72 * 3.0 + 48 * 0.3 + 45 * 15.0) / 1e6)


@pytest.mark.parametrize(
    ("stop_reason", "finish_reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("tool_use", "other"),
        ("pause_turn", "other"),
        ("of_a_later_time", "other"),
        (None, "other"),
    ],
)
@pytest.mark.parametrize("content", [[], [text_block("up")]])
async def test_why_an_answer_ended(
    server: AnthropicServer,
    model: AnthropicMessages,
    stop_reason: str | None,
    finish_reason: str,
    content: list[dict[str, Any]],
) -> None:
    server.will(json_answer(message(*content, stop_reason=stop_reason)))
    answer = await model.complete(a_request())
    assert (answer.finish_reason, answer.text) == (finish_reason, "up" if content else "")


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (None, Usage()),
        ({}, Usage()),
        ({"input_tokens": 7, "output_tokens": 3}, Usage(input_tokens=7, output_tokens=3)),
        (
            {**USAGE, "cache_read_input_tokens": None, "output_tokens_details": None},
            Usage(input_tokens=72, output_tokens=45),
        ),
    ],
)
async def test_what_is_not_counted_is_zero(
    server: AnthropicServer, model: AnthropicMessages, usage: dict[str, Any] | None, counted: Usage
) -> None:
    server.will(json_answer(message(text_block("up"), usage=usage)))
    assert (await model.complete(a_request())).usage == counted


async def test_a_lean_answer_will_do(server: AnthropicServer, model: AnthropicMessages) -> None:
    server.will(json_answer({"content": [{"type": "text", "text": "up"}], "stop_reason": "end_turn"}))
    answer = await model.complete(a_request())
    assert (answer.text, answer.model, answer.usage) == ("up", "claude-test-4-6", Usage())


# What goes wrong.

INVALID = "invalid_request_error"


@pytest.mark.parametrize(
    ("answer", "code", "may_pass", "line"),
    [
        (
            error_answer(401, "authentication_error", f"invalid x-api-key {KEY}"),
            "auth",
            False,
            "the key in ANTHROPIC_API_KEY is refused (status 401) (set ANTHROPIC_API_KEY to a valid key)",
        ),
        (error_answer(400, INVALID, "On hold", cause="organization_on_hold"), "auth", False, "On hold (status 400)"),
        (
            error_answer(402, "billing_error", "No card"),
            "quota",
            False,
            "No card (status 402) (look at the account's credit and its spend limits)",
        ),
        (error_answer(400, INVALID, "Your credit balance is too low to go on."), "quota", False, "credit balance"),
        (error_answer(400, INVALID, "You have reached your specified API usage limits."), "quota", False, "limits"),
        (
            error_answer(404, "not_found_error", "model: claude-x"),
            "unknown_model",
            False,
            "model: claude-x (status 404)",
        ),
        (text_answer("404: Not Found", 404, "text/plain"), "unknown_model", False, "404: Not Found"),
        (error_answer(400, INVALID, "prompt is too long: 210000 tokens"), "context_length", False, "210000"),
        (error_answer(400, INVALID, "`max_tokens` exceed context limit: 9 + 9 > 10"), "context_length", False, "9 + 9"),
        (error_answer(413, "request_too_large", "Too many bytes"), "context_length", False, "Too many bytes"),
        (error_answer(400, INVALID, "top_k: no"), "bad_request", False, "top_k: no (status 400)"),
        (error_answer(429, "rate_limit_error", "Ramp", cause="ramp_limit_exceeded"), "rate_limited", True, "Ramp"),
        (error_answer(429, "rate_limit_error", "Spent", cause="enforced_spend_limit_reached"), "quota", False, "Spent"),
        (error_answer(529, "overloaded_error", "Overloaded"), "overloaded", True, "Overloaded (status 529)"),
        (error_answer(503, "overloaded_error", "Overloaded"), "overloaded", True, "Overloaded (status 503)"),
        (error_answer(408, "timeout_error", "slow"), "server", True, "slow"),
        (error_answer(500, "api_error", "Internal server error"), "server", True, "Internal server error"),
        (error_answer(504, "timeout_error", "Timed out"), "server", True, "Timed out"),
        (json_answer({"error": {"type": ["odd"], "details": 7}}, 500), "server", True, "it does not say why"),
        (
            json_answer({}, 307, {"Location": "http://elsewhere.invalid/v1/messages"}),
            "bad_request",
            False,
            "it has moved (status 307) (check the URL http://127.0.0.1:",
        ),
    ],
)
async def test_a_refusal_is_sorted_by_what_can_be_done(
    answer: Answer, code: str, may_pass: bool, line: str, *, server: AnthropicServer, model: AnthropicMessages
) -> None:
    server.will(answer)
    error = await failure(model)
    assert (error.code, error.retryable) == (code, may_pass)
    assert line in str(error)


@pytest.mark.parametrize("key", [KEY[:-1], None])
async def test_a_wrong_key_and_none_are_told_apart(server: AnthropicServer, key: str | None) -> None:
    async with at(server.base_url, key=key) as model:
        error = await failure(model)
    assert error.code == "auth"
    assert ("is refused" if key else "it wants a key") in str(error)


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (json_answer({"object": "list"}), "it has no content"),
        (json_answer(message(content=None)), "it has no content"),
        (json_answer(message({"type": "text", "text": 7})), "content.0.text"),
        (json_answer(message(text_block("up"), usage={"input_tokens": -1})), "usage.input_tokens"),
    ],
)
async def test_status_200_does_not_make_an_answer(
    server: AnthropicServer, model: AnthropicMessages, answer: Answer, line: str
) -> None:
    server.will(answer)
    error = await failure(model)
    assert (error.code, error.retryable) == ("bad_response", True)
    assert line in str(error)


async def test_a_closed_model_says_so_in_one_line(server: AnthropicServer) -> None:
    model = at(server.base_url)
    await model.aclose()
    await model.aclose()
    assert "closed" in str(await failure(model))


# The server itself.


async def test_the_server_streams_as_the_sdk_expects(server: AnthropicServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_CUSTOM_HEADERS")
    said: list[anthropic.types.MessageParam] = [{"role": "user", "content": "Play."}]
    async with anthropic.AsyncAnthropic(api_key=KEY, base_url=server.base_url) as client:
        async with client.messages.stream(model="claude-test-4-6", max_tokens=64, messages=said) as stream:
            whole = await stream.get_final_message()
    assert whole.model_dump(include={"content", "stop_reason"}, exclude_none=True) == {
        "content": [
            {"type": "thinking", "thinking": "Hm, hm.", "signature": server.streamed["content"][0]["signature"]},
            {"type": "text", "text": "Go up."},
        ],
        "stop_reason": "end_turn",
    }
    assert whole.usage.output_tokens == 45


def turn(content: Any, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": content}


def block(media_type: str, data: str) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


PICTURE = block("image/png", b64encode(RED).decode())
BODY: dict[str, Any] = {"model": "claude-test-4-6", "max_tokens": 64, "messages": [turn("Play.")]}
VERSION = {"anthropic-version": "2026-10-21"}
KNOWN = {**VERSION, "x-api-key": KEY}


@pytest.mark.parametrize("headers", [KNOWN, {**VERSION, "Authorization": f"Bearer {KEY}"}])
def test_the_server_takes_either_header_with_the_key(headers: dict[str, str]) -> None:
    assert complaint(headers, BODY, KEY) is None


@pytest.mark.parametrize(
    ("headers", "changes", "refusal"),
    [
        (VERSION, {}, "invalid x-api-key"),
        ({**KNOWN, "x-api-key": "sk-other"}, {}, "invalid x-api-key"),
        ({"x-api-key": KEY}, {}, "anthropic-version: no such version"),
        (KNOWN, {"temperature": 1.0}, "temperature: Extra inputs are not permitted"),
        (KNOWN, {"colour": "red"}, "colour: Extra inputs are not permitted"),
        (KNOWN, {"max_tokens": None}, "max_tokens: Field required"),
        (KNOWN, {"model": None}, "model: Field required"),
        (KNOWN, {"system": " "}, "system: text must be non-empty"),
        (KNOWN, {"messages": []}, "messages: at least one message is required"),
        (KNOWN, {"messages": [turn("Be kind.", "system")]}, "messages.0: unexpected role"),
        (KNOWN, {"messages": [turn("")]}, "messages.0: text must be non-empty"),
        (KNOWN, {"messages": [turn([])]}, "messages.0: content must be non-empty"),
        (KNOWN, {"messages": [turn("one"), turn("two")]}, "messages: roles must alternate"),
        (KNOWN, {"messages": [turn("Up.", "assistant"), turn("No.")]}, "messages: first message must be the user's"),
        (KNOWN, {"messages": [turn("So?"), turn("Up ", "assistant")]}, "messages: the last message must be the user's"),
        (KNOWN, {"messages": [turn("So?"), turn([PICTURE], "assistant"), turn("No.")]}, "messages.1: a picture"),
        (KNOWN, {"messages": [turn([block("image/png", "R0lG")])]}, "messages.0: the picture is not image/png"),
        (KNOWN, {"messages": [turn([block("image/bmp", "R0lG")])]}, "messages.0: not a picture in base64"),
        (KNOWN, {"thinking": {"type": "enabled", "budget_tokens": 64}}, "thinking.budget_tokens: at least 1024"),
        (KNOWN, {"output_config": {"effort": "a lot"}}, "output_config.effort: unknown"),
    ],
)
def test_the_server_refuses_what_the_api_refuses(
    headers: dict[str, str], changes: dict[str, Any], refusal: str
) -> None:
    refused = complaint(headers, {**BODY, **changes}, KEY)
    assert refused is not None
    assert refused[2].startswith(refusal)
