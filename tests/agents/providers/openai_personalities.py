"""What sets the providers apart that speak chat completions, as their documentation shows it.

Each personality answers in its provider's own shape, and refuses requests that its provider refuses.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from aiohttp import web

from palaver_agents.model import Completion
from palaver_protocols.content import Text
from palaver_protocols.messages import Usage
from tests.agents.providers.openai_server import completion

Body = Mapping[str, Any]
Refusal = tuple[int, Any]
"""A status and a body."""


@dataclass(frozen=True)
class Wrong:
    """An error as a provider reports it, and what we make of it."""

    status: int
    body: Any
    code: str
    said: str = ""


@dataclass(frozen=True)
class Personality:
    """A provider's model: what it answers, how that is read, what it refuses and how it fails."""

    agent: str
    answer: Body
    read: Completion
    refuse: Callable[[Body], Refusal | None] = field(default=lambda _: None)
    wrongs: tuple[Wrong, ...] = ()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer, or refuse."""
        refused = self.refuse(await request.json())
        status, body = refused or (200, self.answer)
        return web.json_response(body, status=status)


def openai_error(message: str, code: str | None = None, kind: str = "invalid_request_error") -> Body:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def read_as(agent: str, model: str, text: str, usage: Usage, cost_usd: float | None = None) -> Completion:
    provider = agent.partition("/")[0]
    return Completion((Text(text=text),), provider=provider, model=model, usage=usage, cost_usd=cost_usd)


def said(message: Body, finish_reason: str = "stop", **more: Any) -> list[Body]:
    return [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason, **more}]


def roles(body: Body) -> list[str]:
    return [message["role"] for message in body["messages"]]


def speaks_twice(body: Body) -> bool:
    spoken = [role for role in roles(body) if role != "system"]
    return any(before == after for before, after in pairwise(spoken))


# What is refused.


def by_a_reasoning_model(body: Body) -> Refusal | None:
    for parameter in ("temperature", "top_p", "max_tokens"):
        if parameter in body:
            return 400, openai_error(f"Unsupported parameter: '{parameter}'", "unsupported_parameter")
    return None


def by_a_model_without_reasoning(body: Body) -> Refusal | None:
    if "reasoning_effort" in body:
        return 400, openai_error("Unrecognized request argument supplied: reasoning_effort")
    return None


def by_grok(body: Body) -> Refusal | None:
    if "reasoning_effort" in body:
        return 400, {"code": "Client specified an invalid argument", "error": "no parameter reasoningEffort"}
    return None


def by_deepseek(body: Body) -> Refusal | None:
    if speaks_twice(body):
        return 400, openai_error("deepseek-reasoner wants user and assistant in turns", "invalid_request_error")
    return None


def by_mistral(body: Body) -> Refusal | None:
    known = {"model", "messages", "temperature", "top_p", "max_tokens"}
    if extra := sorted(body.keys() - known):
        problem = {"type": "extra_forbidden", "loc": ["body", extra[0]], "msg": "Extra inputs are not permitted"}
        return 422, {"detail": [problem]}
    if "system" in roles(body)[1:] or roles(body)[-1] != "user":
        return 400, {"object": "error", "message": "Unexpected role", "type": "invalid_request_error", "code": "3230"}
    return None


def by_a_chat_template(body: Body) -> Refusal | None:
    if "max_completion_tokens" in body or "system" in roles(body)[1:] or speaks_twice(body):
        return 400, openai_error("Conversation roles must alternate", kind="BadRequestError")
    return None


def by_openrouter(body: Body) -> Refusal | None:
    if "reasoning_effort" in body or body.get("reasoning", {}).keys() - {"effort"}:
        return 400, {"error": {"code": 400, "message": "reasoning: unknown"}}
    return None


PLAIN = {"prompt_tokens": 26, "completion_tokens": 9, "total_tokens": 35}
COUNTED = Usage(input_tokens=26, output_tokens=9)

PERSONALITIES = (
    Personality(
        "openai/o3",
        completion("up", model="o3-2025-04-16"),
        read_as(
            "openai/o3",
            "o3-2025-04-16",
            "up",
            Usage(input_tokens=120, output_tokens=45, reasoning_tokens=32, cached_tokens=64),
            # 56 tokens at 2 dollars a million, 64 at 0.5 and 45 at 8
            cost_usd=(56 * 2 + 64 * 0.5 + 45 * 8) / 1e6,
        ),
        by_a_reasoning_model,
        (
            Wrong(400, openai_error("Unsupported value: 'x'", "unsupported_value"), "bad_request"),
            Wrong(400, openai_error("flagged", "invalid_prompt"), "content_filter"),
            Wrong(403, openai_error("Country not supported", "unsupported_country"), "auth", "check OPENAI_API_KEY"),
            Wrong(503, openai_error("The engine is currently overloaded", kind="server_error"), "overloaded"),
        ),
    ),
    Personality(
        "openai/gpt-4.1-mini",
        completion("up", model="gpt-4.1-mini-2025-04-14", usage=PLAIN),
        read_as("openai/gpt-4.1-mini", "gpt-4.1-mini-2025-04-14", "up", COUNTED, (26 * 0.4 + 9 * 1.6) / 1e6),
        by_a_model_without_reasoning,
        (
            Wrong(400, openai_error("Too long", "context_length_exceeded"), "context_length"),
            Wrong(
                400,  # Azure
                {"error": {"message": "filtered", "param": "prompt", "code": "content_filter", "status": 400}},
                "content_filter",
            ),
        ),
    ),
    Personality(
        "xai/grok-4",
        {
            "id": "a3d1008e",
            "object": "chat.completion",
            "model": "grok-4-0709",
            "choices": said({"content": "up", "reasoning_content": "Let me think.", "refusal": None}),
            "usage": {
                "prompt_tokens": 32,
                "completion_tokens": 9,
                "total_tokens": 141,
                "prompt_tokens_details": {"text_tokens": 32, "audio_tokens": 0, "image_tokens": 0, "cached_tokens": 6},
                "completion_tokens_details": {"reasoning_tokens": 100, "audio_tokens": 0},
                "num_sources_used": 0,
                "cost_in_usd_ticks": 37_756_000,
            },
        },
        read_as(
            "xai/grok-4",
            "grok-4-0709",
            "up",
            Usage(input_tokens=32, output_tokens=109, reasoning_tokens=100, cached_tokens=6),
            cost_usd=0.0037756,
        ),
        by_grok,
        (
            Wrong(
                400,
                {"code": "Client specified an invalid argument", "error": "Incorrect API key provided: xa***89."},
                "auth",
                "set XAI_API_KEY to a valid key",
            ),
            Wrong(
                404,
                {"code": "Some requested entity was not found", "error": "The model grok-x does not exist"},
                "unknown_model",
            ),
            Wrong(429, {"code": "exhausted", "error": "Your team has used all available credits"}, "quota"),
            Wrong(403, {"code": "denied", "error": "Content violates usage guidelines."}, "content_filter"),
            Wrong(
                400,
                {"code": "invalid", "error": "This model's maximum prompt length is 131072"},
                "context_length",
            ),
        ),
    ),
    Personality(
        "deepseek/deepseek-reasoner",
        {
            "id": "930c60df",
            "object": "chat.completion",
            "model": "deepseek-reasoner",
            "choices": said({"content": "up", "reasoning_content": "Let me think."}, logprobs=None),
            "usage": {
                "prompt_tokens": 26,
                "completion_tokens": 90,
                "total_tokens": 116,
                "prompt_cache_hit_tokens": 16,
                "prompt_cache_miss_tokens": 10,
                "completion_tokens_details": {"reasoning_tokens": 80},
            },
            "system_fingerprint": "fp_x",
        },
        read_as(
            "deepseek/deepseek-reasoner",
            "deepseek-reasoner",
            "up",
            Usage(input_tokens=26, output_tokens=90, reasoning_tokens=80, cached_tokens=16),
            cost_usd=(10 * 0.28 + 16 * 0.028 + 90 * 0.42) / 1e6,
        ),
        by_deepseek,
        (
            Wrong(402, openai_error("Insufficient Balance", kind="unknown_error"), "quota", "plan and billing"),
            Wrong(400, openai_error("Model Not Exist", "invalid_request_error"), "unknown_model"),
            Wrong(400, openai_error("Content Exists Risk", "invalid_request_error"), "content_filter"),
            Wrong(422, openai_error("Invalid parameters"), "bad_request"),
            Wrong(503, openai_error("Server Overloaded", kind="service_unavailable_error"), "overloaded"),
            Wrong(
                200,
                {"choices": said({"content": "Let us"}, "insufficient_system_resource")},
                "overloaded",
                "it was cut short (insufficient_system_resource)",
            ),
        ),
    ),
    Personality(
        "mistral/magistral-medium-2509",
        {
            "id": "cmpl-e5cc",
            "object": "chat.completion",
            "model": "magistral-medium-2509",
            "choices": said(
                {
                    "content": [
                        {"type": "thinking", "thinking": [{"type": "text", "text": "Let me think."}]},
                        {"type": "text", "text": "u"},
                        {"type": "text", "text": "p"},
                    ],
                    "tool_calls": None,
                    "prefix": False,
                }
            ),
            "usage": PLAIN,
        },
        read_as("mistral/magistral-medium-2509", "magistral-medium-2509", "up", COUNTED),
        by_mistral,
        (
            Wrong(
                400,
                {"object": "error", "message": "Invalid model: x", "type": "invalid_model", "code": "1500"},
                "unknown_model",
            ),
            Wrong(
                429,
                {"object": "error", "message": "Rate limit exceeded", "type": "rate_limited", "code": "1300"},
                "rate_limited",
            ),
            Wrong(
                429,
                {"object": "error", "message": "Service tier capacity exceeded for this model.", "code": "3505"},
                "overloaded",
            ),
            Wrong(
                400,
                {"object": "error", "message": "Prompt contains 66385 tokens, too large for 32768 maximum context"},
                "context_length",
            ),
            Wrong(
                422,
                {"detail": [{"type": "extra_forbidden", "loc": ["body", "store"], "msg": "not permitted"}]},
                "bad_request",
                "body.store: not permitted (status 422)",
            ),
            Wrong(401, {"detail": "Unauthorized"}, "auth", "set MISTRAL_API_KEY to a valid key"),
        ),
    ),
    Personality(
        "cohere/command-a-03-2025",
        {
            "id": "a4d0",
            "object": "chat.completion",
            "model": "command-a-03-2025",
            "choices": said({"content": "up"}, logprobs=None),
            "usage": PLAIN,
        },
        read_as("cohere/command-a-03-2025", "command-a-03-2025", "up", COUNTED, (26 * 2.5 + 9 * 10) / 1e6),
        by_a_model_without_reasoning,
        (
            Wrong(401, {"id": "x", "message": "invalid api token"}, "auth", "set CO_API_KEY to a valid key"),
            Wrong(404, {"id": "x", "message": "model 'x' not found"}, "unknown_model"),
            Wrong(400, {"id": "x", "message": "too many tokens: 9 of 8"}, "context_length"),
            Wrong(429, {"message": "You are using a Trial key, which is limited"}, "rate_limited"),
        ),
    ),
    Personality(
        "moonshot/kimi-k2-0711-preview",
        {
            "id": "cmpl-04ea",
            "object": "chat.completion",
            "model": "kimi-k2-0711-preview",
            "choices": said({"content": "up"}),
            "usage": {**PLAIN, "cached_tokens": 20},
        },
        read_as(
            "moonshot/kimi-k2-0711-preview",
            "kimi-k2-0711-preview",
            "up",
            Usage(input_tokens=26, output_tokens=9, cached_tokens=20),
            cost_usd=(6 * 0.6 + 20 * 0.15 + 9 * 2.5) / 1e6,
        ),
        wrongs=(
            Wrong(400, {"error": {"type": "content_filter", "message": "high risk"}}, "content_filter"),
            Wrong(429, {"error": {"type": "exceeded_current_quota_error", "message": "suspended"}}, "quota"),
            Wrong(429, {"error": {"type": "rate_limit_reached_error", "message": "RPM"}}, "rate_limited"),
            Wrong(429, {"error": {"type": "engine_overloaded_error", "message": "later"}}, "overloaded"),
            Wrong(403, {"error": {"type": "permission_denied", "message": "insufficient balance"}}, "quota"),
            Wrong(404, {"error": {"type": "resource_not_found_error", "message": "Not found"}}, "unknown_model"),
            Wrong(
                400,
                {"error": {"type": "invalid_request_error", "message": "Your request exceeded model token limit: 8"}},
                "context_length",
            ),
        ),
    ),
    Personality(
        "openrouter/qwen/qwen3-235b-a22b",
        {
            "id": "gen-1",
            "provider": "Somebody",
            "object": "chat.completion",
            "model": "qwen/qwen3-235b-a22b",
            "choices": said({"content": "up", "refusal": None, "reasoning": "Hm."}, native_finish_reason="stop"),
            "usage": {
                **PLAIN,
                "cost": 0.00078,
                "is_byok": False,
                "prompt_tokens_details": {"cached_tokens": 0},
                "cost_details": {"upstream_inference_cost": None},
                "completion_tokens_details": {"reasoning_tokens": 4},
            },
        },
        read_as(
            "openrouter/qwen/qwen3-235b-a22b",
            "qwen/qwen3-235b-a22b",
            "up",
            Usage(input_tokens=26, output_tokens=9, reasoning_tokens=4),
            cost_usd=0.00078,
        ),
        by_openrouter,
        (
            Wrong(400, {"error": {"code": 400, "message": "x is not a valid model ID"}}, "unknown_model"),
            Wrong(402, {"error": {"code": 402, "message": "Insufficient credits"}}, "quota"),
            Wrong(
                403,
                {
                    "error": {
                        "code": 403,
                        "message": "Input was flagged",
                        "metadata": {"reasons": ["violence"], "flagged_input": "up", "provider_name": "x"},
                    }
                },
                "content_filter",
            ),
            Wrong(502, {"error": {"code": 502, "message": "Provider returned error"}}, "server"),
            Wrong(
                200,
                {"choices": said({"content": ""}, "error", error={"code": 429, "message": "upstream"})},
                "bad_response",
                "upstream",
            ),
        ),
    ),
    Personality(
        "vllm/deepseek-ai/DeepSeek-R1-Distill-Qwen-7B",
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B",
            "choices": said(
                # without a reasoning parser; the chat template opens the tag
                {"content": "Let me think.\n</think>\n\nup", "reasoning": None, "tool_calls": []},
                stop_reason=None,
            ),
            "usage": {**PLAIN, "prompt_tokens_details": None},
            "prompt_logprobs": None,
        },
        read_as(
            "vllm/deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "up", COUNTED
        ),
        by_a_chat_template,
        (
            Wrong(404, openai_error("The model `x` does not exist.", kind="NotFoundError"), "unknown_model"),
            Wrong(
                400,
                {"object": "error", "message": "This model's maximum context length is 4096 tokens.", "code": 400},
                "context_length",
            ),
            Wrong(401, {"error": "Unauthorized"}, "auth", "it wants a key"),
            Wrong(200, {"choices": said({"content": "Let"}, "abort")}, "server", "it was cut short (abort)"),
        ),
    ),
    Personality(
        "ollama/qwen3:8b",
        {
            "id": "chatcmpl-498",
            "object": "chat.completion",
            "model": "qwen3:8b",
            "system_fingerprint": "fp_ollama",
            "choices": said({"content": "<think>\nLet me think.\n</think>\n\nup"}),
            "usage": PLAIN,
        },
        read_as("ollama/qwen3:8b", "qwen3:8b", "up", COUNTED),
        by_a_chat_template,
        (
            Wrong(
                404,
                openai_error("model 'x' not found, try pulling it first", kind="api_error"),
                "unknown_model",
            ),
            Wrong(500, openai_error("model runner has unexpectedly stopped", kind="api_error"), "server"),
        ),
    ),
)
