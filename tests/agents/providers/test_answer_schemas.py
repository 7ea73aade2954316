"""Answers that are held to a JSON Schema: how each wire format says so, and what becomes of models that take none."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from palaver_agents import Model
from palaver_agents.names import parse_agent
from palaver_agents.providers import facts, open_model
from palaver_agents.providers.vault import DiskVault
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.content import Image, Text
from palaver_protocols.messages import Sampling, Schema, TurnRequest
from palaver_protocols.transcript import Message
from tests.agents.providers.anthropic_server import AnthropicServer
from tests.agents.providers.asking import KEY, a_picture, failure
from tests.agents.providers.google_server import GoogleServer
from tests.agents.providers.openai_server import OpenAIServer
from tests.agents.providers.wire_server import WireServer, json_answer
from tests.support import a_request

SCHEMA: Schema = {
    "title": "Step Comparison",
    "type": "object",
    "properties": {"correct": {"type": "boolean"}},
    "required": ["correct"],
    "additionalProperties": False,
}
SERVERS: Mapping[str, type[WireServer]] = {
    "openai/gpt-test": OpenAIServer,
    "anthropic/claude-test-4-6": AnthropicServer,
    "google/gemini-2.5-flash": GoogleServer,
}
KEYS = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "GOOGLE_API_KEY": KEY}
REFUSALS = {
    "openai/gpt-test": "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    "anthropic/claude-test-4-6": "'claude-test-4-6' does not support output_config.format.",
    "google/gemini-2.5-flash": "JSON mode is not enabled for models/gemini-2.5-flash",
}
HELD: Mapping[str, Mapping[str, Any]] = {
    "openai/gpt-test": {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "Step_Comparison", "strict": True, "schema": SCHEMA},
        }
    },
    "anthropic/claude-test-4-6": {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
    "google/gemini-2.5-flash": {
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}
    },
}
"""What a question says of its answer, beside all else."""
NOT_SO = ("response_format", "output_config", "generationConfig")


@pytest.fixture(params=SERVERS)
def agent(request: pytest.FixtureRequest) -> str:
    """Each wire format in turn."""
    return str(request.param)


@pytest.fixture
async def server(agent: str) -> AsyncIterator[WireServer]:
    async with SERVERS[agent](key=KEY) as server:
        yield server


def at(server: WireServer, agent: str, vault: DiskVault | None = None) -> Model:
    return open_model(parse_agent(f"{agent}@{server.base_url}"), blobs=MemoryBlobs(), environ=KEYS, vault=vault)


@pytest.fixture
async def model(server: WireServer, agent: str) -> AsyncIterator[Model]:
    async with at(server, agent) as model:
        yield model


def asking(**changes: Any) -> TurnRequest:
    return a_request(answer_schema=SCHEMA, **changes)


def constraints(body: dict[str, Any]) -> dict[str, Any]:
    return {name: body[name] for name in NOT_SO if name in body}


async def test_each_wire_format_says_it_in_its_own_words(server: WireServer, model: Model, agent: str) -> None:
    await model.complete(asking())
    assert constraints(server.asked[0].body) == HELD[agent]


async def test_without_a_schema_nothing_is_said_of_the_answer(server: WireServer, model: Model) -> None:
    await model.complete(a_request())
    assert constraints(server.asked[0].body) == {}


async def test_pictures_and_a_schema_go_together(server: WireServer, model: Model, agent: str) -> None:
    shown = Message(speaker="user", parts=(Text(text="Look:"), Image.from_bytes(a_picture("red"))))
    await model.complete(asking(view=(shown,)))
    assert constraints(server.asked[0].body) == HELD[agent]
    assert any(word in server.asked[0].raw.decode() for word in ("image_url", "inlineData", '"image"'))


async def test_anthropic_is_told_effort_and_schema_in_one_word() -> None:
    async with AnthropicServer(key=KEY) as server, at(server, "anthropic/claude-test-4-6") as model:
        await model.complete(asking(sampling=Sampling(reasoning_effort="low")))
    assert server.asked[0].body["output_config"] == {
        "effort": "low",
        "format": {"type": "json_schema", "schema": SCHEMA},
    }


async def test_a_model_that_takes_none_is_asked_in_words_from_then_on_and_the_log_says_so_once(
    server: WireServer, model: Model, agent: str
) -> None:
    server.will(server.refuses(400, REFUSALS[agent]))
    with capture_logs() as logs:
        answers = [(await model.complete(asking())).text for _ in range(2)]
    assert answers == ["up", "up"]
    assert [bool(constraints(asked.body)) for asked in server.asked] == [True, False, False]
    (said,) = logs
    assert said["event"] == "a model takes no schema for its answers, and is asked in words alone"
    assert REFUSALS[agent] in said["error"]


async def test_none_of_a_models_hosts_takes_a_schema() -> None:
    async with OpenAIServer() as server, at(server, "openrouter/any/model") as model:
        server.will(server.refuses(404, "No endpoints found that support response_format"))
        with capture_logs():
            assert (await model.complete(asking())).text == "up"


async def test_another_refusal_is_no_matter_of_schemas(server: WireServer, model: Model) -> None:
    server.will(server.refuses(400, "The sky is too high"))
    error = await failure(model, answer_schema=SCHEMA)
    assert (error.code, len(server.asked)) == ("bad_request", 1)


async def test_what_passes_by_itself_leaves_the_schema_in_place(server: WireServer, model: Model, agent: str) -> None:
    server.will(server.refuses(503, "response_format is overloaded"))
    await failure(model, answer_schema=SCHEMA)
    await model.complete(asking())
    assert constraints(server.asked[1].body) == HELD[agent]


async def test_answers_with_and_without_a_schema_are_kept_apart(server: WireServer, agent: str, tmp_path: Path) -> None:
    async with at(server, agent, DiskVault(tmp_path)) as model:
        kept = [(await model.complete(request)).cached for request in (asking(), a_request(), asking(), a_request())]
    assert (kept, len(server.asked)) == ([False, False, True, True], 2)


async def test_a_refusal_in_the_place_of_json_is_a_refusal() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I will not judge that."}
    answer = {"model": "gpt-test", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    async with OpenAIServer(key=KEY) as server, at(server, "openai/gpt-test") as model:
        server.will(json_answer(answer))
        said = await model.complete(asking())
    assert (said.finish_reason, said.text) == ("refusal", "I will not judge that.")


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        ("openai/gpt-4o", True),
        ("openai/gpt-4o-2024-05-13", False),
        ("anthropic/claude-sonnet-4-5", True),
        ("anthropic/claude-3-7-sonnet-latest", False),
        ("google/gemma-3-27b-it", False),
        ("deepseek/deepseek-chat", False),
        ("vllm/any", True),
    ],
)
def test_the_table_knows_who_takes_none(name: str, takes: bool) -> None:
    assert facts(parse_agent(name), {}).schemas is takes


async def test_who_is_known_to_take_none_is_never_asked_with_one() -> None:
    async with OpenAIServer() as server, at(server, "deepseek/deepseek-chat") as model:
        await model.complete(asking())
    assert (constraints(server.asked[0].body), len(server.asked)) == ({}, 1)
