"""Agents of other frameworks, in one environment with palaver: the examples play, and see."""

import asyncio
import importlib
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from io import BytesIO
from pathlib import Path

import pytest
from aiohttp import web
from PIL import Image as Pillow

import palaver_agents
from palaver_agents import Completion
from palaver_agents.callables import CallableModel
from palaver_broker.memory import MemoryBlobs
from palaver_gamemasters.maze.speakers import scripted_player
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import USER, Message
from tests.agents.providers.openai_server import USAGE, OpenAIServer, completion
from tests.deploy.children import child, taken
from tests.deploy.test_fleet import said_by, served
from tests.redis_server import RedisServer, fresh_bus
from tests.support import a_request

ROOT = Path(__file__).parent.parent
SDKS = {"openai_agents_sdk": "agents", "langgraph_agent": "langgraph"}
"""The examples, and the packages that they wrap."""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("openai", *SDKS.values()):
        pytest.importorskip(package, reason=f"this needs {package}, which is not installed")
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
    monkeypatch.setenv("LANGSMITH_TRACING", "false")


@pytest.fixture(params=SDKS)
def example(request: pytest.FixtureRequest) -> Iterator[str]:
    """An example that is imported anew, since its client belongs to the test's event loop."""
    name = f"examples.{request.param}"
    sys.modules.pop(name, None)
    yield name
    sys.modules.pop(name, None)


def test_a_package_called_agents_and_palaver_live_in_one_environment() -> None:
    agents = importlib.import_module("agents")
    assert agents.Runner.__module__.startswith("agents.")
    assert Path(agents.__file__ or "").parent != Path(palaver_agents.__file__).parent
    assert palaver_agents.AgentService.__module__ == "palaver_agents.service"


def test_the_examples_are_short() -> None:
    assert all(len((ROOT / f"examples/{name}.py").read_text().splitlines()) <= 60 for name in SDKS)


async def ask(name: str, request: TurnRequest, blobs: MemoryBlobs, url: str) -> Completion:
    """Ask an example's agent once, with its client led to a server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", url)
        patch.setenv("MODEL", "test-model")
        module = importlib.import_module(name)
    async with module.client:
        return await CallableModel(f"{name}:reply", module.reply, blobs).complete(request)


async def test_pictures_and_words_reach_the_model_and_its_usage_comes_back(example: str) -> None:
    data = BytesIO()
    Pillow.new("RGB", (4, 3), "red").save(data, "PNG")
    picture = Image.from_bytes(data.getvalue())
    blobs = MemoryBlobs()
    await blobs.put(data.getvalue())
    view = (
        Message(speaker=USER, parts=(Text(text="What is this?"), picture)),
        Message.text_from("a", "A box."),
        Message.text_from(USER, "Of which colour?"),
    )
    request = TurnRequest.model_validate_json(a_request(view=view).model_dump_json())
    async with OpenAIServer() as server:
        server.will(server.says("Red."))
        said = await ask(example, request, blobs, server.base_url)
        (asked,) = server.asked

    assert (said.text, said.model) == ("Red.", "test-model")
    assert said.usage.input_tokens == USAGE["prompt_tokens"]
    assert said.usage.output_tokens == USAGE["completion_tokens"]
    first, second, third = asked.body["messages"]
    assert [part["type"] for part in first["content"]] == ["text", "image_url"]
    assert first["content"][1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    assert (second["role"], third["content"]) == ("assistant", "Of which colour?")


@pytest.mark.parametrize("example", ["langgraph_agent"], indirect=True)
async def test_the_graph_asks_again_where_nothing_was_said(example: str) -> None:
    async with OpenAIServer() as server:
        server.will(server.says(" "), server.says("Here I am."))
        said = await ask(example, a_request(), MemoryBlobs(), server.base_url)
    assert (said.text, len(server.asked)) == ("Here I am.", 2)
    assert said.usage.input_tokens == 2 * USAGE["prompt_tokens"]


async def speak(request: web.Request) -> web.StreamResponse:
    """Say what the maze's own script would: the model is called after the seat for which it speaks."""
    body = await request.json()
    seat = body["model"]
    other = {"agent_1": "agent_2", "agent_2": "agent_1"}[seat]
    told, *dialogue = body["messages"]
    assert told["role"] == "system"
    view = []
    for message in dialogue:
        text = message["content"] if isinstance(message["content"], str) else message["content"][0]["text"]
        mark, _, rest = text.partition(": ")
        speaker = {"[user]": USER, "[other agent]": other}.get(mark) if message["role"] == "user" else seat
        assert speaker is not None, f"nobody has said {text!r}"
        view.append(Message.text_from(speaker, text if speaker == seat else rest))
    asked = a_request(game="maze", seat=seat, partners=(other,), turn=len(view) - 1, view=tuple(view))
    return web.json_response(completion(scripted_player(asked)))


async def test_an_openai_agent_and_a_langgraph_graph_solve_a_maze_together(
    redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_BROKER", fresh_bus(redis_server))
    monkeypatch.setenv("PALAVER_STATE", str(tmp_path / "state"))
    async with OpenAIServer(otherwise=speak) as server, AsyncExitStack() as stack:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        for seat, name in zip(("agent_1", "agent_2"), SDKS, strict=True):
            monkeypatch.setenv("MODEL", seat)
            words = ("agent", "--python", f"examples.{name}:reply")
            await stack.enter_async_context(served(*words, cwd=ROOT))
        await stack.enter_async_context(served("gamemaster", cwd=tmp_path))
        agents = "bus/openai-agents-sdk,bus/langgraph-agent"
        run = ("run", "maze", "--agents", agents, "-n", "2", "--set", "size=4", "--out", "run")
        async with child(*run, cwd=tmp_path) as playing, asyncio.timeout(50):
            code, _, err = await said_by(playing)
    assert (code, "2/2 episodes (2 solved)" in err) == (0, True), err
    replies = [reply for replies in taken(tmp_path / "run").values() for reply in replies]
    assert {(reply["agent"], reply["provider"], reply["model"]) for reply in replies} == {
        ("bus/openai-agents-sdk", "openai-agents", "agent_1"),
        ("bus/langgraph-agent", "langgraph", "agent_2"),
    }
    assert {reply["usage"]["input_tokens"] for reply in replies} == {USAGE["prompt_tokens"]}
