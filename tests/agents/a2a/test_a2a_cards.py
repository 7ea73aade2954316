"""Agent cards of A2A servers, good and bad; tokens; and servers that are not there."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import pytest
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentExtension,
    AgentInterface,
    APIKeySecurityScheme,
    HTTPAuthSecurityScheme,
    SecurityRequirement,
    SecurityScheme,
    StringList,
)
from aiohttp import web

from palaver_agents.a2a import open_a2a
from palaver_agents.a2a.plain import plain
from palaver_agents.a2a.web import token_for
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.errors import AgentError, UsageError
from tests.agents.a2a.sdk_server import a_card, pages, says, sdk_server
from tests.support import a_request

TOKEN = "s3cret-of-the-parrot"
Change = Callable[[str], dict[str, Any]]


async def ask(url: str, **environ: str) -> str:
    async with open_a2a(url, MemoryBlobs(), environ) as model:
        return (await model.complete(a_request(timeout_s=10))).text


async def trouble(url: str, **environ: str) -> AgentError:
    with pytest.raises(AgentError) as caught:
        await ask(url, **environ)
    assert "\n" not in str(caught.value)
    return caught.value


def at(url: str, version: str = "1.0", binding: str = "JSONRPC") -> dict[str, Any]:
    return {"supported_interfaces": [AgentInterface(protocol_binding=binding, url=url, protocol_version=version)]}


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (lambda url: at(url, "0.3.0"), "version", "it speaks A2A 0.3.0, and this palaver speaks 1.x"),
        (lambda url: at(url, "2.0"), "version", "it speaks A2A 2.0, and this palaver speaks 1.x"),
        (lambda url: at(url, binding="GRPC"), "bad_card", "it speaks GRPC, and this palaver speaks JSONRPC and"),
        (lambda url: at("http://10.0.0.1/admin"), "bad_card", "sends us elsewhere, to http://10.0.0.1/admin"),
        (lambda url: at(url.rpartition(":")[0] + ":1"), "bad_card", "sends us elsewhere"),
        (lambda url: {"supported_interfaces": []}, "bad_card", "its agent card names no interface"),
        (
            lambda url: {"capabilities": AgentCapabilities(extensions=[AgentExtension(uri="urn:x", required=True)])},
            "bad_card",
            "it requires the extension urn:x",
        ),
    ],
    ids=["old", "new", "gRPC", "elsewhere", "another port", "nothing", "extension"],
)
async def test_a_card_that_we_cannot_use(change: Change, code: str, said: str) -> None:
    async with sdk_server(says("Hello."), card=lambda url: a_card(url, **change(url))) as server:
        error = await trouble(server.url)
    assert (error.code, error.retryable) == (code, False)
    assert said in str(error)
    assert server.heard == []


async def test_a_card_may_send_us_where_the_user_allows_it() -> None:
    async with sdk_server(says("Hello.")) as server:
        there = server.url

        async def card(request: web.Request) -> web.StreamResponse:
            return web.json_response(plain(a_card(there)))

        async with pages(card=card) as url:
            assert "elsewhere" in str(await trouble(url))
            assert await ask(url, A2A_ORIGINS=f"https://other.example, {there}") == "Hello."


async def test_a_server_that_calls_this_machine_by_another_name() -> None:
    async with sdk_server(says("Hello."), card=lambda url: a_card(url.replace("127.0.0.1", "localhost"))) as server:
        assert await ask(server.url) == "Hello."


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (404, "no", "it has no agent card (status 404)"),
        (200, "<html>", "has no agent card that we can read"),
        (200, "[]", "has no agent card that we can read"),
        (200, '{"name": 7}', "has no agent card that we can read"),
        (302, "", "it sends us elsewhere; name the URL that it means (status 302)"),
    ],
)
async def test_a_server_without_a_card(status: int, body: str, said: str) -> None:
    async def card(_: web.Request) -> web.StreamResponse:
        return web.Response(status=status, text=body, headers={"Location": "http://10.0.0.1/"})

    async with pages(card=card) as url:
        error = await trouble(url)
    assert (error.code, error.retryable) == ("bad_card", False)
    assert said in str(error)


async def test_a_card_without_end_is_cut_off() -> None:
    async def card(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b" " * 65536)

    async with pages(card=card) as url:
        assert (await trouble(url)).code == "too_large"


async def test_a_server_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    error = await trouble(f"http://127.0.0.1:{port}")
    assert (error.code, error.retryable) == ("unreachable", True)
    assert str(error) == f"nobody answers at http://127.0.0.1:{port}"


async def test_a_server_that_is_overloaded_says_when_to_come_back() -> None:
    async def card(_: web.Request) -> web.StreamResponse:
        return web.Response(status=503, headers={"Retry-After": "7"})

    async with pages(card=card) as url:
        error = await trouble(url)
    assert (error.code, error.retryable, error.retry_after_s) == ("server", True, 7.0)


async def test_a_card_is_read_again_after_the_server_was_started_anew() -> None:
    async with sdk_server(says("Hello.")) as first:
        model = open_a2a(first.url, MemoryBlobs(), {})
        assert (await model.complete(a_request())).model == "parrot 2.1"
    port = int(first.url.rpartition(":")[2])
    async with model:
        with pytest.raises(AgentError, match="nobody answers"):
            await model.complete(a_request())

        def renamed(url: str) -> AgentCard:
            return a_card(url, name="raven", version="3", bindings=("HTTP+JSON",))

        async with sdk_server(says("Never."), port=port, card=renamed):
            said = await model.complete(a_request())
    assert (said.text, said.model) == ("Never.", "raven 3")


async def test_many_first_questions_read_one_card() -> None:
    async with sdk_server(says("Hello.")) as server, open_a2a(server.url, MemoryBlobs(), {}) as model:
        await asyncio.gather(*(model.complete(a_request(f"k{number}")) for number in range(8)))
    assert server.calls.count("GET /.well-known/agent-card.json") == 1


class TestTokens:
    def guarded(self, url: str) -> AgentCard:
        card = a_card(url, security_requirements=[SecurityRequirement(schemes={"bearer": StringList()})])
        bearer = SecurityScheme(http_auth_security_scheme=HTTPAuthSecurityScheme(scheme="bearer"))
        card.security_schemes["bearer"].CopyFrom(bearer)
        return card

    async def test_a_token_is_shown(self) -> None:
        async with sdk_server(says("Hello."), card=self.guarded, token=TOKEN) as server:
            assert await ask(server.url, A2A_TOKEN=f"{TOKEN}\n") == "Hello."

    async def test_a_token_that_is_missing_is_missed_before_anything_is_sent(self) -> None:
        async with sdk_server(says("Hello."), card=self.guarded, token=TOKEN) as server:
            error = await trouble(server.url)
        assert (error.code, error.retryable) == ("auth", False)
        assert "set A2A_TOKEN" in str(error)
        assert server.calls == ["GET /.well-known/agent-card.json"]

    async def test_a_wrong_token_is_named_in_no_error(self) -> None:
        async with sdk_server(says("Hello."), token=TOKEN) as server:
            error = await trouble(server.url, A2A_TOKEN="wrong-token-of-mine")
        assert (error.code, error.retryable) == ("auth", False)
        assert "does not let us in (status 401)" in str(error)
        assert "wrong-token-of-mine" not in str(error)

    async def test_a_server_may_quote_the_token_in_vain(self) -> None:
        async def rpc(request: web.Request) -> web.StreamResponse:
            said = {"code": -32603, "message": f"bad: {request.headers['Authorization']}"}
            return web.json_response({"jsonrpc": "2.0", "id": (await request.json())["id"], "error": said})

        async def card(request: web.Request) -> web.StreamResponse:
            return web.json_response(plain(a_card(f"http://{request.host}")))

        async with pages(card=card, rpc=rpc) as url:
            error = await trouble(url, A2A_TOKEN=TOKEN)
        assert "bad: Bearer ***" in str(error)

    async def test_a_server_that_wants_what_we_have_not(self) -> None:
        def card(url: str) -> AgentCard:
            card = a_card(url, security_requirements=[SecurityRequirement(schemes={"key": StringList()})])
            key = SecurityScheme(api_key_security_scheme=APIKeySecurityScheme(name="X-Key", location="header"))
            card.security_schemes["key"].CopyFrom(key)
            return card

        async with sdk_server(says("Hello."), card=card) as server:
            error = await trouble(server.url, A2A_TOKEN=TOKEN)
        assert error.code == "auth"
        assert "it wants api key security, and this palaver has bearer tokens only" in str(error)

    def test_a_server_may_have_a_token_of_its_own(self) -> None:
        environ = {"A2A_TOKEN": "all", "A2A_TOKEN_A_EXAMPLE_8080": "own"}
        assert token_for("http://a.example:8080/x", environ) == "own"
        assert token_for("http://a.example/x", environ) == "all"
        assert token_for("http://a.example/x", {}) is None

    @pytest.mark.parametrize("variable", [{"A2A_TOKEN": "two words"}, {"A2A_ORIGINS": "here"}])
    def test_an_environment_that_makes_no_sense(self, variable: dict[str, str]) -> None:
        with pytest.raises(UsageError, match=next(iter(variable))):
            open_a2a("http://localhost:1", MemoryBlobs(), variable)
