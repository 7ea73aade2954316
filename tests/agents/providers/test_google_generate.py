"""Models behind the Gemini API, against a local server that speaks the real wire format."""

import asyncio
import hashlib
import logging
import re
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from typing import Any

import google.genai._api_client
import pytest

from palaver_agents.model import Completion
from palaver_agents.providers.endpoint import Endpoint, Price
from palaver_agents.providers.google_generate import GoogleGenerate
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import RoleProtocol, Sampling, Usage
from palaver_protocols.quirks import GO_ON, GOOGLE
from palaver_protocols.roles import GO_BETWEEN
from palaver_protocols.transcript import Message
from tests.agents.providers.asking import KEY, a_picture, failure
from tests.agents.providers.google_server import (
    GoogleServer,
    content,
    error_answer,
    error_info,
    json_answer,
    quota_failure,
)
from tests.agents.providers.wire_server import Answer, text_answer
from tests.support import a_request


@pytest.fixture
async def server() -> AsyncIterator[GoogleServer]:
    async with GoogleServer(key=KEY) as server:
        yield server


def at(
    base_url: str, model: str = "gemini-2.5-flash", *, blobs: MemoryBlobs | None = None, **changes: Any
) -> GoogleGenerate:
    fields = {"key": KEY, "key_variable": "GOOGLE_API_KEY", "quirks": GOOGLE, **changes}
    endpoint = Endpoint(provider="google", model=model, base_url=base_url, **fields)
    return GoogleGenerate(endpoint, blobs=blobs or MemoryBlobs())


@pytest.fixture
async def model(server: GoogleServer, blobs: MemoryBlobs) -> AsyncIterator[GoogleGenerate]:
    async with at(server.base_url, blobs=blobs) as model:
        yield model


def inline(data: bytes, kind: str = "image/png") -> dict[str, Any]:
    return {"inlineData": {"mimeType": kind, "data": b64encode(data).decode()}}


# What is sent.


async def test_a_dialogue_of_two_is_sent_with_prefixes(server: GoogleServer, model: GoogleGenerate) -> None:
    view = (
        Message.text_from("user", "Solve the maze."),
        Message.text_from("a", "Shall we go up?"),
        Message.text_from("b", "Yes."),
    )
    await model.complete(a_request(seat="a", partners=("b",), view=view))
    assert server.asked[0].path == "/v1beta/models/gemini-2.5-flash:generateContent"
    assert server.asked[0].body == {
        "systemInstruction": {"parts": [{"text": GO_BETWEEN}]},
        "contents": [
            {"role": "user", "parts": [{"text": "[user]: Solve the maze."}]},
            {"role": "model", "parts": [{"text": "Shall we go up?"}]},
            {"role": "user", "parts": [{"text": "[other agent]: Yes."}]},
        ],
    }


async def test_what_is_set_is_sent_under_googles_names(server: GoogleServer, model: GoogleGenerate) -> None:
    sampling = Sampling(temperature=0.0, top_p=0.9, max_tokens=512, reasoning_effort="low")
    await model.complete(a_request(sampling=sampling))
    settings = {"temperature": 0.0, "topP": 0.9, "maxOutputTokens": 512, "thinkingConfig": {"thinkingBudget": 1024}}
    assert server.asked[0].body == {
        "contents": [{"role": "user", "parts": [{"text": "Say something."}]}],
        "generationConfig": settings,
    }


async def test_what_the_model_refuses_is_left_out(server: GoogleServer) -> None:
    sampling = Sampling(temperature=0.0, top_p=0.9, max_tokens=512, reasoning_effort="nonsense")
    async with at(server.base_url, refuses=frozenset({"temperature", "top_p", "reasoning_effort"})) as model:
        await model.complete(a_request(sampling=sampling))
    assert server.asked[0].body["generationConfig"] == {"maxOutputTokens": 512}


@pytest.mark.parametrize(
    ("name", "effort", "thinking"),
    [
        ("gemini-2.5-flash", "none", {"thinkingBudget": 0}),
        ("gemini-2.5-flash", "minimal", {"thinkingBudget": 1024}),
        ("gemini-2.5-flash", "medium", {"thinkingBudget": 8192}),
        ("gemini-2.5-pro", "high", {"thinkingBudget": 24576}),
        ("gemini-3-flash-preview", "minimal", {"thinkingLevel": "MINIMAL"}),
        ("gemini-3-pro-preview", "minimal", {"thinkingLevel": "LOW"}),
        ("gemini-3.1-pro-preview", "high", {"thinkingLevel": "HIGH"}),
        ("gemini-flash-latest", "medium", {"thinkingLevel": "MEDIUM"}),
    ],
)
async def test_an_effort_is_told_as_the_models_generation_knows_it(
    server: GoogleServer, name: str, effort: str, thinking: dict[str, Any]
) -> None:
    async with at(server.base_url, name) as model:
        await model.complete(a_request(sampling=Sampling(reasoning_effort=effort)))
    assert server.asked[0].body["generationConfig"] == {"thinkingConfig": thinking}


@pytest.mark.parametrize(
    ("name", "effort", "words"),
    [
        ("gemini-2.5-flash", "a lot", "none, minimal, low, medium, high"),
        ("gemini-2.5-pro", "none", "minimal, low, medium, high"),
        ("gemini-3-flash-preview", "none", "minimal, low, medium, high, xhigh"),
    ],
)
async def test_an_effort_that_makes_no_sense_is_refused_before_any_call(
    server: GoogleServer, name: str, effort: str, words: str
) -> None:
    async with at(server.base_url, name) as model:
        error = await failure(model, sampling=Sampling(reasoning_effort=effort))
    assert (error.code, error.retryable, error.mend) == ("bad_request", False, f"choose one of {words}")
    assert server.asked == []


async def test_pictures_are_sent_in_their_places(
    server: GoogleServer, model: GoogleGenerate, blobs: MemoryBlobs
) -> None:
    red, blue = a_picture("red"), a_picture("blue", "JPEG")
    await blobs.put(red)
    stored = Image.model_validate_json(Image.from_bytes(red).model_dump_json())
    at_hand = Image.from_bytes(blue)
    parts = (Text(text="before"), stored, at_hand, Text(text="between"), stored, Text(text="after"))
    await model.complete(a_request(view=(Message(speaker="user", parts=parts),)))
    assert server.asked[0].body["contents"] == [
        {
            "role": "user",
            "parts": [
                {"text": "before"},
                inline(red),
                inline(blue, "image/jpeg"),
                {"text": "between"},
                inline(red),
                {"text": "after"},
            ],
        }
    ]


@pytest.mark.parametrize("protocol", ["prefixes", "user", "transcript"])
@pytest.mark.parametrize("partners", [("b",), ("b", "c")])
async def test_every_role_protocol_reaches_the_model_whole_and_in_order(
    server: GoogleServer, model: GoogleGenerate, protocol: RoleProtocol, partners: tuple[str, ...]
) -> None:
    pictures = [a_picture(colour) for colour in ("red", "green", "blue", "white", "black")]

    def shown(speaker: str, name: str, *numbers: int) -> Message:
        parts = [part for number in numbers for part in (Image.from_bytes(pictures[number]), Text(text=f"p{number}."))]
        return Message(speaker=speaker, parts=(Text(text=f"{name}."), *parts))

    view = (
        shown("a", "first", 0),  # the seat's own comes first, where Google wants the user's
        shown("user", "task", 1, 2),
        *(shown(partner, f"from-{partner}", 3) for partner in partners),
        Message.text_from("system", "rule."),
        shown("a", "last", 4),  # and last
    )
    await model.complete(a_request(seat="a", partners=partners, protocol=protocol, view=view))

    body = server.asked[0].body
    roles = [content["role"] for content in body["contents"]]
    assert roles == ["user" if number % 2 == 0 else "model" for number in range(len(roles))]
    named = {b64encode(picture).decode(): f"<{number}>" for number, picture in enumerate(pictures)}
    parts = [part for content in body["contents"] for part in content["parts"]]
    text = "".join(part["text"] if "text" in part else named[part["inlineData"]["data"]] for part in parts)
    marks = ["first.", "<0>", "p0.", "task.", "<1>", "p1.", "<2>", "p2."]
    marks += [mark for partner in partners for mark in (f"from-{partner}.", "<3>", "p3.")]
    marks += ["last.", "<4>", "p4."]
    assert re.findall("|".join(map(re.escape, sorted(set(marks)))), text) == marks
    instruction = body.get("systemInstruction", {"parts": [{"text": ""}]})["parts"][0]["text"]
    assert (instruction + text).count("rule.") == 1


async def test_a_seat_that_is_asked_twice_is_asked_to_go_on(server: GoogleServer, model: GoogleGenerate) -> None:
    view = (Message.text_from("user", "Play."), Message.text_from("a", "Up."))
    await model.complete(a_request(seat="a", view=view))
    assert server.asked[0].body["contents"][-1] == {"role": "user", "parts": [{"text": GO_ON}]}


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")  # aiohttp's, and silent outside of tests
async def test_a_question_of_many_megabytes_arrives_whole(
    server: GoogleServer, model: GoogleGenerate, blobs: MemoryBlobs
) -> None:
    picture = b"\x89PNG" + bytes(3_000_000)
    await blobs.put(picture)
    sha256 = hashlib.sha256(picture).hexdigest()
    part = Image(sha256=sha256, media_type="image/png", width=1000, height=1000, size=len(picture))
    answer = await model.complete(a_request(view=(Message(speaker="user", parts=(part,)),)))
    assert b64decode(server.asked[0].body["contents"][0]["parts"][0]["inlineData"]["data"]) == picture
    assert answer.sent == hashlib.sha256(server.asked[0].raw).hexdigest()


# Who is asked, and who asks.


async def test_the_key_is_in_a_header_and_never_in_the_url(server: GoogleServer, model: GoogleGenerate) -> None:
    await model.complete(a_request())
    assert server.asked[0].headers["x-goog-api-key"] == KEY
    assert "Authorization" not in server.asked[0].headers
    assert "key" not in server.asked[0].path
    assert server.asked[0].headers["Content-Type"] == "application/json"


async def test_the_sdk_tells_nobody_about_the_environment(
    server: GoogleServer, model: GoogleGenerate, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        await model.complete(a_request())
    assert [record for record in caplog.records if record.name.startswith("google")] == []
    assert logging.getLogger("google_genai._api_client").disabled is False


async def test_a_transport_that_is_not_installed_is_one_line(
    server: GoogleServer, model: GoogleGenerate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_GENAI_HTTP_CLIENT", "httpx")
    monkeypatch.setattr(google.genai._api_client, "httpx", None)
    error = await failure(model)
    assert (error.code, error.retryable, error.mend) == ("bad_request", False, "unset GOOGLE_GENAI_HTTP_CLIENT")
    monkeypatch.delenv("GOOGLE_GENAI_HTTP_CLIENT")
    assert (await model.complete(a_request())).text == "up"


async def test_headers_of_the_endpoint_go_along(server: GoogleServer) -> None:
    async with at(server.base_url, headers={"X-Title": "palaver"}) as model:
        await model.complete(a_request())
    assert server.asked[0].headers["X-Title"] == "palaver"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("gemini-2.5-pro", "models/gemini-2.5-pro"),
        ("models/gemini-2.5-pro", "models/gemini-2.5-pro"),
        ("tunedModels/mine", "tunedModels/mine"),
        ("gemini-x?alt#{api_version}", "models/gemini-x%3Falt%23%7Bapi_version%7D"),
    ],
)
async def test_a_models_name_is_its_path(server: GoogleServer, name: str, path: str) -> None:
    async with at(server.base_url, name) as model:
        await asyncio.gather(model.complete(a_request()), return_exceptions=True)
    assert server.asked[0].path == f"/v1beta/{path}:generateContent"


async def test_a_redirect_does_not_carry_the_key_away(server: GoogleServer, model: GoogleGenerate) -> None:
    server.will(json_answer({}, 307, {"Location": server.base_url}))
    error = await failure(model)
    assert (error.code, error.retryable, len(server.asked)) == ("bad_request", False, 1)
    assert f"the URL {server.base_url}" in error.mend


# What is answered.


async def test_an_answer_is_read_whole(server: GoogleServer) -> None:
    server.will(json_answer(content("Let us ", {"text": "Hm.", "thought": True}, {"text": "go up.", "thought": False})))
    async with at(server.base_url, price=Price(input=1.0, output=2.0, cached=0.5)) as model:
        answer = await model.complete(a_request())
    assert answer.cost_usd == pytest.approx((56 * 1.0 + 64 * 0.5 + 45 * 2.0) / 1e6)
    assert answer._replace(sent=None, cost_usd=None) == Completion(
        parts=(Text(text="Let us go up."),),
        provider="google",
        model="gemini-2.5-flash-001",
        finish_reason="stop",
        usage=Usage(input_tokens=120, output_tokens=45, reasoning_tokens=32, cached_tokens=64),
    )


@pytest.mark.parametrize(
    ("said", "finish_reason", "text"),
    [
        (content("up", finish_reason="MAX_TOKENS"), "length", "up"),
        (content(finish_reason="MAX_TOKENS"), "length", ""),
        (content("I'm sorry, I can't."), "stop", "I'm sorry, I can't."),
        (content("up", finish_reason=None), "other", "up"),
        ({"candidates": [{"finishReason": "SAFETY", "index": 0}]}, "content_filter", ""),
        ({"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]}, "stop", ""),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {}}, "content_filter", ""),
        ({"candidates": [], "promptFeedback": {"blockReason": "OTHER"}}, "content_filter", ""),
        *((content("u", finish_reason=word), "content_filter", "u") for word in ("RECITATION", "BLOCKLIST", "SPII")),
        *((content(finish_reason=word), "content_filter", "") for word in ("IMAGE_SAFETY", "PROHIBITED_CONTENT")),
        *((content("u", finish_reason=word), "other", "u") for word in ("LANGUAGE", "OTHER", "A_NEW_WORD")),
        (content({"functionCall": {"name": "f"}}, finish_reason="MALFORMED_FUNCTION_CALL"), "other", ""),
    ],
)
async def test_why_an_answer_ended(
    server: GoogleServer, model: GoogleGenerate, said: dict[str, Any], finish_reason: str, text: str
) -> None:
    server.will(json_answer(said))
    answer = await model.complete(a_request())
    assert (answer.finish_reason, answer.text) == (finish_reason, text)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (None, Usage()),
        ({}, Usage()),
        ({"promptTokenCount": 7, "candidatesTokenCount": 3}, Usage(input_tokens=7, output_tokens=3)),
        ({"promptTokenCount": 7, "thoughtsTokenCount": 9}, Usage(input_tokens=7, output_tokens=9, reasoning_tokens=9)),
    ],
)
async def test_what_is_not_counted_is_zero(
    server: GoogleServer, model: GoogleGenerate, usage: dict[str, Any] | None, counted: Usage
) -> None:
    server.will(json_answer(content("up", usageMetadata=usage)))
    assert (await model.complete(a_request())).usage == counted


async def test_a_lean_answer_will_do(server: GoogleServer, model: GoogleGenerate) -> None:
    server.will(json_answer({"candidates": [{"content": {"parts": [{"text": "up"}]}, "finishReason": "STOP"}]}))
    answer = await model.complete(a_request())
    assert (answer.text, answer.model, answer.usage) == ("up", "gemini-2.5-flash", Usage())


# What goes wrong.

QUOTA = "You exceeded your current quota, please check your plan and billing details."
WAIT = {"@type": "RetryInfo", "retryDelay": "17s"}


@pytest.mark.parametrize(
    ("answer", "code", "may_pass", "said"),
    [
        (
            error_answer(400, "INVALID_ARGUMENT", f"API key {KEY} expired.", error_info("API_KEY_INVALID")),
            "auth",
            False,
            "API key *** expired. (status 400) (set GOOGLE_API_KEY to a valid key)",
        ),
        (
            error_answer(403, "PERMISSION_DENIED", "Enable billing", error_info("BILLING_DISABLED")),
            "quota",
            False,
            "look at the project's plan and billing",
        ),
        (
            error_answer(404, "NOT_FOUND", "models/gemini-x is not found for API version v1beta"),
            "unknown_model",
            False,
            "check the model's name, and the URL http://127.0.0.1",
        ),
        (
            error_answer(400, "INVALID_ARGUMENT", "* GenerateContentRequest.model: unexpected model name format"),
            "unknown_model",
            False,
            "check the model's name",
        ),
        (error_answer(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted"), "rate_limited", True, "exhausted"),
        (
            error_answer(429, "RESOURCE_EXHAUSTED", QUOTA, quota_failure("RequestsPerMinutePerModel-FreeTier"), WAIT),
            "rate_limited",
            True,
            QUOTA,
        ),
        (
            error_answer(429, "RESOURCE_EXHAUSTED", QUOTA, quota_failure("PerMinute", "RequestsPerDayPerModel"), WAIT),
            "quota",
            False,
            "resume when the daily quota is renewed",
        ),
        (error_answer(429, "RESOURCE_EXHAUSTED", "requests, limit: 0, model: x"), "quota", False, "plan and billing"),
        (error_answer(429, "RESOURCE_EXHAUSTED", "limit: 05 a minute"), "rate_limited", True, "a minute"),
        (error_answer(429, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted."), "quota", False, "depleted"),
        (
            error_answer(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
            "bad_request",
            False,
            "see where Google offers the Gemini API",
        ),
        (
            error_answer(400, "FAILED_PRECONDITION", "No free tier in your country. Please enable billing."),
            "quota",
            False,
            "look at the project's plan and billing",
        ),
        (
            error_answer(400, "INVALID_ARGUMENT", "The input token count (1200293) exceeds the maximum (1048576)."),
            "context_length",
            False,
            "input token count",
        ),
        (error_answer(499, "CANCELLED", "The operation was cancelled."), "server", True, "cancelled"),
        (error_answer(500, "INTERNAL", "An internal error has occurred."), "server", True, "An internal error"),
        (error_answer(503, "UNAVAILABLE", "The model is overloaded."), "overloaded", True, "overloaded"),
        (error_answer(503, "UNAVAILABLE", "It is experiencing high demand."), "overloaded", True, "high demand"),
        (error_answer(503, "UNAVAILABLE", "The service is unavailable."), "server", True, "(status 503)"),
        (error_answer(504, "DEADLINE_EXCEEDED", "Deadline expired."), "server", True, "Deadline expired."),
        (
            json_answer([{"error": {"code": 500, "message": "In a list", "status": "INTERNAL"}}], 500),
            "server",
            True,
            "In",
        ),
        (
            json_answer({"error": {"message": "odd", "details": ["x", {"violations": [7]}]}}, 429),
            "rate_limited",
            True,
            "odd",
        ),
        (text_answer(b"{", 502), "bad_response", True, "the answer is no JSON"),
    ],
)
async def test_a_refusal_is_sorted_by_what_can_be_done(
    answer: Answer, code: str, may_pass: bool, said: str, *, server: GoogleServer, model: GoogleGenerate
) -> None:
    server.will(answer)
    error = await failure(model)
    assert (error.code, error.retryable) == (code, may_pass)
    assert said in str(error)
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    ("key", "code", "mend"),
    [
        ("AIza-another", "auth", "set GOOGLE_API_KEY to a valid key"),
        (None, "auth", "set GOOGLE_API_KEY to a valid key"),
        ("auth_tokens/0123", "auth", "set GOOGLE_API_KEY to a valid key"),
    ],
)
async def test_a_key_that_is_none_is_told_by_its_variable(
    server: GoogleServer, key: str | None, code: str, mend: str
) -> None:
    async with at(server.base_url, key=key) as model:
        error = await failure(model)
    assert (error.code, error.retryable, error.mend) == (code, False, mend)


async def test_a_picture_of_a_kind_that_google_does_not_read_is_a_bad_request(
    server: GoogleServer, model: GoogleGenerate
) -> None:
    error = await failure(model, view=(Message(speaker="user", parts=(Image.from_bytes(a_picture("red", "GIF")),)),))
    assert (error.code, error.retryable) == ("bad_request", False)
    assert "Unsupported MIME type: image/gif" in str(error)


@pytest.mark.parametrize(
    ("details", "headers", "seconds"),
    [
        ((), {}, None),
        ((WAIT,), {}, 17.0),
        (({"@type": "RetryInfo", "retryDelay": "0.25s"},), {}, 0.25),
        (({"@type": "RetryInfo"},), {}, None),
        (({"@type": "RetryInfo", "retryDelay": "soon"},), {}, None),
        ((quota_failure("PerMinute"), WAIT), {"Retry-After": "3"}, 3.0),
        ((), {"Retry-After": "3"}, 3.0),
        ((quota_failure("RequestsPerDay"), WAIT), {"Retry-After": "3"}, None),
    ],
)
async def test_the_wait_is_read_from_the_header_or_the_details(
    details: tuple[dict[str, Any], ...],
    headers: dict[str, str],
    seconds: float | None,
    *,
    server: GoogleServer,
    model: GoogleGenerate,
) -> None:
    server.will(error_answer(429, "RESOURCE_EXHAUSTED", QUOTA, *details, headers=headers))
    assert (await failure(model)).retry_after_s == seconds


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (text_answer(b'{"candidates": "\xff"}'), "the answer is no JSON"),
        (json_answer({}), "it has no candidates"),
        (json_answer({"candidates": [], "promptFeedback": {}}), "it has no candidates"),
        (json_answer({"candidates": None}), "it has no candidates"),
        (json_answer({"candidates": [{"content": {"parts": [{"text": 7}]}}]}), "candidates.0.content.parts.0.text"),
    ],
)
async def test_status_200_does_not_make_an_answer(
    server: GoogleServer, model: GoogleGenerate, answer: Answer, said: str
) -> None:
    server.will(answer)
    error = await failure(model)
    assert (error.code, error.retryable) == ("bad_response", True)
    assert said in str(error)


async def test_google_is_not_told_of_a_deadline_that_it_would_refuse(
    server: GoogleServer, model: GoogleGenerate
) -> None:
    await model.complete(a_request(timeout_s=5.0))
    assert "X-Server-Timeout" not in server.asked[0].headers
