"""A server that speaks OpenAI's chat completions: real bodies, real headers, real faults."""

from collections.abc import Mapping
from typing import Any

from tests.agents.providers import wire_server
from tests.agents.providers.wire_server import Answer, WireServer

__all__ = ["USAGE", "Answer", "OpenAIServer", "completion", "error_answer", "json_answer"]

USAGE: dict[str, Any] = {
    "prompt_tokens": 120,
    "completion_tokens": 45,
    "total_tokens": 165,
    "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
    "completion_tokens_details": {
        "reasoning_tokens": 32,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0,
    },
}


def completion(
    content: str | None = "up", *, finish_reason: str | None = "stop", refusal: str | None = None, **changes: Any
) -> dict[str, Any]:
    """Write a whole completion; ``changes`` replace its fields."""
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": refusal, "annotations": []}
    return {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "gpt-test-2026-01-01",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}],
        "usage": USAGE,
        "service_tier": "default",
        "system_fingerprint": "fp_44709d6fcb",
        **changes,
    }


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Answer with JSON."""
    return wire_server.json_answer(body, status, {"x-request-id": "req_1", **(headers or {})})


def error_answer(
    status: int,
    message: str,
    *,
    code: str | None = None,
    type: str = "invalid_request_error",  # noqa: A002 - the wire calls it so
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Answer as OpenAI refuses."""
    body = {"error": {"message": message, "type": type, "param": None, "code": code}}
    return json_answer(body, status, headers)


class OpenAIServer(WireServer):
    """The server. It takes any question."""

    path = "/v1"

    def whole(self, text: str) -> dict[str, Any]:
        return completion(text)

    def refuses(self, status: int, said: str, headers: Mapping[str, str] | None = None) -> Answer:
        return error_answer(status, said, headers=headers)

    def filters(self) -> Answer:
        return error_answer(400, "filtered", code="content_filter")

    def last_text(self, body: Any) -> str:
        return str(body["messages"][-1]["content"])
