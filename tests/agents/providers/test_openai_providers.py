"""Each provider that speaks chat completions, in its own manner: what it refuses, how it answers, how it fails."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from palaver_agents.names import parse_agent
from palaver_agents.providers import resolve
from palaver_agents.providers.endpoint import Endpoint
from palaver_agents.providers.failures import MAY_PASS
from palaver_agents.providers.openai_compatible import OpenAICompatible
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import Sampling, Usage
from palaver_protocols.quirks import OPENAI
from palaver_protocols.transcript import Message
from tests.agents.providers.openai_personalities import PERSONALITIES, Personality, Wrong, said
from tests.agents.providers.openai_server import OpenAIServer, completion, json_answer
from tests.support import a_request

KEY = "xai-0123456789abcdef"
SAMPLING = Sampling(temperature=0.5, top_p=0.9, max_tokens=512, reasoning_effort="low")
DIALOGUE: dict[str, Any] = {
    "seat": "a",
    "sampling": SAMPLING,
    "view": (
        Message.text_from("user", "Solve the maze."),
        Message.text_from("a", "Shall we go up?"),
        Message.text_from("system", "One minute left."),
        Message.text_from("b", "Yes."),
        Message.text_from("user", "Go on."),
    ),
}
WRONGS = [(personality, wrong) for personality in PERSONALITIES for wrong in personality.wrongs]

each = pytest.mark.parametrize("personality", PERSONALITIES, ids=lambda personality: personality.agent)


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server


def endpoint(agent: str, server: OpenAIServer) -> Endpoint:
    name = parse_agent(f"{agent}@{server.base_url}")
    variables = ("OPENAI", "XAI", "DEEPSEEK", "MISTRAL", "CO", "MOONSHOT", "OPENROUTER")
    return resolve(name, {f"{variable}_API_KEY": KEY for variable in variables})


def opened(where: Endpoint) -> OpenAICompatible:
    return OpenAICompatible(where, blobs=MemoryBlobs())


@each
async def test_all_settings_and_any_dialogue_are_taken_by_each(server: OpenAIServer, personality: Personality) -> None:
    server.otherwise = personality.serve
    async with opened(endpoint(personality.agent, server)) as model:
        answer = await model.complete(a_request(partners=("b",), **DIALOGUE))
    assert answer._replace(sent=None, cost_usd=None) == personality.read._replace(cost_usd=None)
    assert answer.cost_usd == pytest.approx(personality.read.cost_usd)
    assert 512 in server.asked[0].body.values()


@pytest.mark.parametrize(
    "personality",
    [personality for personality in PERSONALITIES if not personality.agent.startswith("moonshot")],
    ids=lambda personality: personality.agent,
)
async def test_a_provider_that_is_taken_for_another_refuses(server: OpenAIServer, personality: Personality) -> None:
    known = endpoint(personality.agent, server)
    wrong = "max_tokens" if personality.agent.startswith("openai") else "max_completion_tokens"
    mistaken = replace(known, quirks=OPENAI, refuses=frozenset(), max_tokens=wrong, effort="reasoning_effort")
    server.otherwise = personality.serve
    async with opened(mistaken) as model:
        with pytest.raises(AgentError) as raised:
            await model.complete(a_request(**DIALOGUE))
    assert (raised.value.code, raised.value.retryable) == ("bad_request", False)


@pytest.mark.parametrize(
    ("personality", "wrong"), WRONGS, ids=[f"{who.agent}-{wrong.status}-{wrong.code}" for who, wrong in WRONGS]
)
async def test_each_ones_errors_are_sorted(server: OpenAIServer, personality: Personality, wrong: Wrong) -> None:
    server.will(json_answer(wrong.body, wrong.status))
    async with opened(endpoint(personality.agent, server)) as model:
        if wrong.code == "content_filter":
            answer = await model.complete(a_request())
            assert (answer.finish_reason, answer.text, answer.usage) == ("content_filter", "", Usage())
            return
        with pytest.raises(AgentError) as raised:
            await model.complete(a_request())
    assert (raised.value.code, raised.value.retryable) == (wrong.code, wrong.code in MAY_PASS)
    assert wrong.said in str(raised.value)
    assert "xa***" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<think>a</think>up", "up"),
        ("  <think>\na\nb\n</think>\n\nup\n", "up"),
        ("a</think> up", "up"),
        ("Well, <think>a</think> up", "Well, up"),
        ("<think>\n\n</think>\n\nup", "up"),
        ("<think>a, and no end", ""),
        ("I say <think> and mean it", "I say <think> and mean it"),
        ("up", "up"),
        ("", ""),
    ],
)
async def test_thoughts_in_tags_are_not_said(server: OpenAIServer, content: str, text: str) -> None:
    server.will(json_answer(completion(content)))
    async with opened(endpoint("vllm/m", server)) as model:
        assert (await model.complete(a_request())).text == text


async def test_where_nobody_thinks_in_tags_they_are_said(server: OpenAIServer) -> None:
    server.will(json_answer(completion("<think>a</think>up")))
    async with opened(endpoint("openai/m", server)) as model:
        assert (await model.complete(a_request())).text == "<think>a</think>up"


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content", "thinking"])
async def test_reasoning_is_never_the_answer(server: OpenAIServer, field: str) -> None:
    server.will(json_answer({"choices": said({"content": None, field: "Let me think."}, "length")}))
    async with opened(endpoint("openrouter/m", server)) as model:
        answer = await model.complete(a_request())
    assert (answer.text, answer.finish_reason) == ("", "length")


async def test_a_full_context_is_a_matter_of_length(server: OpenAIServer) -> None:
    server.will(json_answer(completion("Let", finish_reason="model_length")))
    async with opened(endpoint("mistral/m", server)) as model:
        assert (await model.complete(a_request())).finish_reason == "length"


async def test_more_tokens_cached_than_read_are_not_believed(server: OpenAIServer) -> None:
    server.will(json_answer(completion(usage={"prompt_tokens": 5, "completion_tokens": 1, "cached_tokens": 9})))
    async with opened(endpoint("moonshot/m", server)) as model:
        assert (await model.complete(a_request())).usage == Usage(input_tokens=5, output_tokens=1, cached_tokens=5)
