"""What is the same whichever wire format a model speaks, against local servers of all three."""

import asyncio
import hashlib
import json
import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from palaver_agents import Model
from palaver_agents.names import parse_agent
from palaver_agents.providers import open_model
from palaver_agents.providers.calling import Exchange
from palaver_agents.providers.endpoint import Endpoint
from palaver_agents.providers.vault import DiskVault
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.content import Image
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnRequest, Usage
from palaver_protocols.transcript import Message
from tests.agents.providers.anthropic_server import AnthropicServer
from tests.agents.providers.asking import KEY, a_picture, failure
from tests.agents.providers.google_server import GoogleServer
from tests.agents.providers.openai_server import OpenAIServer
from tests.agents.providers.wire_server import (
    Answer,
    WireServer,
    drop_in_mid_body,
    never,
    never_the_rest,
    text_answer,
)
from tests.support import a_request

SERVERS: Mapping[str, type[WireServer]] = {
    "openai/gpt-test": OpenAIServer,
    "anthropic/claude-test-4-6": AnthropicServer,
    "google/gemini-2.5-flash": GoogleServer,
}
KEYS = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "GOOGLE_API_KEY": KEY}
SECRETS = ("Authorization", "x-api-key", "x-goog-api-key")


@pytest.fixture(params=SERVERS)
def agent(request: pytest.FixtureRequest) -> str:
    """Each wire format in turn, by a model that speaks it."""
    return str(request.param)


@pytest.fixture
async def server(agent: str) -> AsyncIterator[WireServer]:
    async with SERVERS[agent](key=KEY) as server:
        yield server


def at(base_url: str, agent: str, vault: DiskVault | None = None, environ: Mapping[str, str] = KEYS) -> Model:
    return open_model(parse_agent(f"{agent}@{base_url}"), blobs=MemoryBlobs(), environ=environ, vault=vault)


@pytest.fixture
async def model(server: WireServer, agent: str) -> AsyncIterator[Model]:
    async with at(server.base_url, agent) as model:
        yield model


def asking(text: str) -> TurnRequest:
    return a_request(view=(Message.text_from("user", text),))


# What is sent, and what is kept.


class Noted(DiskVault):
    """A cache that remembers what it was given."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.kept: list[Exchange] = []

    async def keep(self, endpoint: Endpoint, body: dict[str, Any], request: TurnRequest, exchange: Exchange) -> None:
        self.kept.append(exchange)
        await super().keep(endpoint, body, request, exchange)


async def test_a_question_is_asked_once_and_the_very_bytes_of_both_sides_are_kept(
    server: WireServer, agent: str, tmp_path: Path
) -> None:
    received = json.dumps(server.whole("Überall \N{SNOWMAN}"), ensure_ascii=False, indent=3).replace("\n", "\r\n")
    server.will(text_answer(received))
    vault, question = Noted(tmp_path), asking("Größe, 世界? \N{SNOWMAN} \U0001f600 </s>")
    async with at(server.base_url, agent, vault) as model:
        first = await model.complete(question)
        again = await model.complete(question)
    (asked,) = server.asked
    assert vault.kept == [Exchange(asked.raw, received.encode())]
    assert first.text == "Überall \N{SNOWMAN}"
    assert first.sent == hashlib.sha256(asked.raw).hexdigest()
    assert await vault.sent(first.sent) == asked.raw
    assert server.last_text(asked.body) == question.view[0].text
    assert again == first._replace(cached=True, cost_usd=0.0)


async def test_what_fails_is_not_kept_and_asked_again(server: WireServer, agent: str, tmp_path: Path) -> None:
    server.will(text_answer("{}", 500))
    vault = Noted(tmp_path)
    async with at(server.base_url, agent, vault) as model:
        await failure(model)
        assert vault.kept == []
        await model.complete(a_request())
    assert [exchange.sent for exchange in vault.kept] == [server.asked[1].raw]


async def test_the_verdict_of_a_filter_is_an_answer_that_is_not_kept(
    server: WireServer, agent: str, tmp_path: Path
) -> None:
    server.will(server.filters())
    vault = Noted(tmp_path)
    async with at(server.base_url, agent, vault) as model:
        answer = await model.complete(a_request())
    assert (answer.finish_reason, answer.text, answer.usage) == ("content_filter", "", Usage())
    assert answer.sent == hashlib.sha256(server.asked[0].raw).hexdigest()
    assert vault.kept == []


async def test_a_picture_that_is_not_there_is_an_error_before_any_call(server: WireServer, model: Model) -> None:
    lost = Image.model_validate_json(Image.from_bytes(a_picture("red")).model_dump_json())
    with pytest.raises(AgentError, match="a picture cannot be had: there is no blob") as raised:
        await model.complete(a_request(view=(Message(speaker="user", parts=(lost,)),)))
    assert (raised.value.code, raised.value.retryable) == ("no_picture", True)
    assert server.asked == []


async def test_nothing_comes_from_the_environment(server: WireServer, model: Model) -> None:
    await model.complete(a_request())
    assert any(KEY in server.asked[0].headers.get(name, "") for name in SECRETS)
    assert "ambient" not in str(server.asked[0]).lower()


async def test_a_server_without_a_key_is_told_none(agent: str) -> None:
    async with SERVERS[agent]() as server, at(server.base_url, agent, environ={}) as model:
        await model.complete(a_request())
    assert [name for name in SECRETS if name in server.asked[0].headers] == []
    assert "ambient" not in str(server.asked[0]).lower()


# What is answered with an error.


@pytest.mark.parametrize(
    ("status", "said", "code", "may_pass", "line"),
    [
        (422, "one\ntwo", "bad_request", False, "one two (status 422)"),
        (500, "x" * 9000, "server", True, "... xxx"),
        (401, f"Incorrect API key provided: {KEY}.", "auth", False, "(set {variable} to a valid key)"),
        (403, f"{KEY} may not use it.", "auth", False, "*** may not use it. (status 403) (check {variable})"),
        (429, "Slow down", "rate_limited", True, "Slow down (status 429)"),
        (503, "Overloaded", "overloaded", True, "Overloaded (status 503)"),
    ],
)
async def test_a_refusal_is_one_line_by_what_can_be_done(
    status: int, said: str, code: str, may_pass: bool, line: str, *, server: WireServer, model: Model, agent: str
) -> None:
    server.will(server.refuses(status, said))
    error = await failure(model)
    assert (error.code, error.retryable) == (code, may_pass)
    assert line.format(variable=f"{agent.partition('/')[0].upper()}_API_KEY") in str(error)
    assert len(str(error)) < 500


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (text_answer("<html>\n<h1>502</h1></html>", 502, "text/html"), "<html> <h1>502</h1></html>"),
        (text_answer("", 502), "it does not say why (status 502)"),
    ],
)
async def test_a_refusal_of_a_server_in_between_may_pass(
    server: WireServer, model: Model, answer: Answer, line: str
) -> None:
    server.will(answer)
    error = await failure(model)
    assert (error.code, error.retryable) == ("server", True)
    assert line in str(error)


@pytest.mark.parametrize(
    ("text", "content_type", "line"),
    [
        ('{"choices": [{', "application/json", "EOF while parsing"),
        ("<html>\n<body>Welcome to the hotel</body></html>", "text/html", "the answer is no "),
        ("", "application/json", "the answer is no "),
        ("null", "application/json", "the answer is no "),
        ('{"object": "list"}', "application/json", ": it has no "),
        ('{"error": {"code": 502, "message": "Upstream is down"}}', "application/json", ": Upstream is down"),
    ],
)
async def test_status_200_does_not_make_an_answer(
    server: WireServer, model: Model, text: str, content_type: str, line: str
) -> None:
    server.will(text_answer(text, 200, content_type))
    error = await failure(model)
    assert (error.code, error.retryable) == ("bad_response", True)
    assert line in str(error)


@pytest.mark.parametrize(("status", "code"), [(429, "rate_limited"), (503, "server")])
async def test_the_model_tries_once_and_says_how_long_to_wait(
    server: WireServer, model: Model, status: int, code: str
) -> None:
    server.will(server.refuses(status, "Slow down", {"Retry-After": "17", "x-should-retry": "true"}))
    error = await failure(model)
    assert (error.code, error.retry_after_s, len(server.asked)) == (code, 17.0, 1)
    assert (await model.complete(a_request())).text == "up"
    assert len(server.asked) == 2


# What goes wrong on the line.


@pytest.mark.parametrize("silence", [never, never_the_rest])
async def test_silence_is_a_timeout(server: WireServer, model: Model, silence: Answer) -> None:
    await model.complete(a_request())  # the first call opens what it needs
    server.will(silence)
    error = await failure(model, timeout_s=0.1)
    assert (error.code, error.retryable) == ("timeout", True)
    assert "no answer within 0.1 s" in str(error)


async def test_a_line_that_breaks_in_the_middle(server: WireServer, model: Model) -> None:
    server.will(drop_in_mid_body)
    error = await failure(model)
    assert (error.code, error.retryable, len(server.asked)) == ("disconnected", True, 1)
    assert f"the connection to {server.base_url} broke" in str(error)


async def test_nobody_at_the_port(agent: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and not listening
        base_url = f"http://127.0.0.1:{taken.getsockname()[1]}{SERVERS[agent].path}"
        async with at(base_url, agent) as model:
            error = await failure(model)
    assert (error.code, error.retryable) == ("unreachable", True)
    assert f"{base_url} cannot be reached" in str(error)


@pytest.mark.parametrize(("greeting", "code"), [(b"-ERR unknown command\r\n", "bad_response"), (b"", "disconnected")])
async def test_something_else_at_the_port(agent: str, greeting: bytes, code: str) -> None:
    asked = 0

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await reader.readuntil(b"\r\n")
        writer.write(greeting)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as other:
        async with at(f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}", agent) as model:
            error = await failure(model)
    assert (error.code, error.retryable, asked) == (code, True, 1)


async def test_cancellation_passes_through_and_the_model_goes_on(server: WireServer, model: Model) -> None:
    server.will(never)
    call = asyncio.create_task(model.complete(a_request()))
    await server.called.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await model.complete(a_request())).text == "up"


async def test_two_hundred_calls_are_under_way_at_once_and_none_is_mixed_up(server: WireServer, model: Model) -> None:
    together = asyncio.Barrier(200)

    async def answer_when_all_have_asked(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        await together.wait()
        return await server.says(server.last_text(body))(request)

    server.otherwise = answer_when_all_have_asked
    texts = [f"number {number}" for number in range(200)]
    answers = await asyncio.gather(*(model.complete(asking(text)) for text in texts))
    assert [answer.text for answer in answers] == texts
    raw = {server.last_text(asked.body): asked.raw for asked in server.asked}
    assert [answer.sent for answer in answers] == [hashlib.sha256(raw[text]).hexdigest() for text in texts]


async def test_closing_twice_is_harmless(server: WireServer, agent: str) -> None:
    model = at(server.base_url, agent)
    await model.complete(a_request())
    await model.aclose()
    await model.aclose()
