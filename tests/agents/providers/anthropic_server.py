"""A server that speaks Anthropic's Messages API: real bodies, real headers, real faults.

A request that the API would refuse is refused here too, before any answer.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from aiohttp import web

from tests.agents.providers import wire_server
from tests.agents.providers.wire_server import Answer, Asked, WireServer, text_answer

__all__ = [
    "OLDER_MODEL",
    "USAGE",
    "AnthropicServer",
    "complaint",
    "error_answer",
    "json_answer",
    "message",
    "text_block",
    "thinking_block",
]

OLDER_MODEL = "claude-sonnet-4-20250514"
"""Takes a temperature and a ``top_p`` at once; all others here are newer, and do not."""
VERSIONS = ("2023-06-01", "2026-10-21")
FIELDS = {"model", "max_tokens", "messages", "system", "stream", "stop_sequences", "metadata", "thinking"}
FIELDS |= {"output_config", "cache_control"}
SAMPLING = {"temperature", "top_p", "top_k"}
STARTS = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8", "image/webp": b"RIFF"}
"""How pictures of each kind begin."""
HEADERS = {
    "request-id": "req_011CSHoEeqs5C35K2UUqR7Fy",
    "anthropic-organization-id": "00000000-0000-4000-8000-000000000000",
    "anthropic-ratelimit-requests-limit": "4000",
    "anthropic-ratelimit-requests-remaining": "3999",
    "anthropic-ratelimit-requests-reset": "2026-01-01T12:00:00Z",
    "anthropic-ratelimit-tokens-limit": "480000",
    "anthropic-ratelimit-tokens-remaining": "479000",
    "anthropic-ratelimit-tokens-reset": "2026-01-01T12:00:00Z",
}
USAGE: dict[str, Any] = {
    "input_tokens": 56,
    "cache_creation_input_tokens": 16,
    "cache_read_input_tokens": 48,
    "cache_creation": {"ephemeral_5m_input_tokens": 16, "ephemeral_1h_input_tokens": 0},
    "output_tokens": 45,
    "output_tokens_details": {"thinking_tokens": 32},
    "service_tier": "standard",
    "inference_geo": "global",
}


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": None}


def thinking_block(thinking: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": thinking, "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3h"}


def message(*content: dict[str, Any], stop_reason: str | None = "end_turn", **changes: Any) -> dict[str, Any]:
    """Write a whole message; ``changes`` replace its fields."""
    return {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-4-6-20260101",
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "stop_details": None,
        "usage": USAGE,
        **changes,
    }


def json_answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Answer with JSON."""
    return wire_server.json_answer(body, status, {**HEADERS, **(headers or {})})


def error_answer(
    status: int, kind: str, said: str, *, cause: str | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """Answer as the API refuses; ``cause`` is its ``error_code``."""
    error = {"type": kind, "message": said, "details": {"error_code": cause} if cause else None}
    return json_answer({"type": "error", "error": error, "request_id": HEADERS["request-id"]}, status, headers)


def events(whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Take a message of texts and thoughts apart, as the API does when it streams."""
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    yield "message_start", {"message": begun}
    for index, block in enumerate(whole["content"]):
        kind = "thinking" if block["type"] == "thinking" else "text"
        empty = {**block, kind: ""} | ({"signature": ""} if kind == "thinking" else {})
        yield "content_block_start", {"index": index, "content_block": empty}
        yield "ping", {}
        for word in re.findall(r"\S+\s*", block[kind]):
            yield "content_block_delta", {"index": index, "delta": {"type": f"{kind}_delta", kind: word}}
        if kind == "thinking":
            delta = {"type": "signature_delta", "signature": block["signature"]}
            yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    ended = {name: whole[name] for name in ("stop_reason", "stop_sequence", "stop_details")}
    yield "message_delta", {"delta": ended, "usage": {"output_tokens": whole["usage"]["output_tokens"]}}
    yield "message_stop", {}


def complaint(headers: Mapping[str, str], body: dict[str, Any], key: str | None) -> tuple[int, str, str] | None:
    """Say what the API would find wrong with a request, as status, type and message; None if nothing."""
    bearer = headers.get("Authorization", "").removeprefix("Bearer ")
    if key is not None and headers.get("x-api-key", bearer) != key:
        return 401, "authentication_error", "invalid x-api-key"
    if headers.get("anthropic-version") not in VERSIONS:
        return 400, "invalid_request_error", "anthropic-version: no such version"
    wrong = next(_wrong(body, headers["anthropic-version"]), None)
    return (400, "invalid_request_error", wrong) if wrong else None


def _wrong(body: dict[str, Any], version: str) -> Iterator[str]:
    known = FIELDS | SAMPLING if version == VERSIONS[0] else FIELDS
    yield from (f"{name}: Extra inputs are not permitted" for name in body if name not in known)
    if not isinstance(body.get("model"), str):
        yield "model: Field required"
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        yield "max_tokens: Field required"
    yield from _wrong_settings(body)
    yield from _wrong_blocks("system", body.get("system", "-"))
    yield from _wrong_messages(body.get("messages"))


def _wrong_settings(body: dict[str, Any]) -> Iterator[str]:
    """Check the settings, as of a model of version 4.6: it thinks in both ways."""
    thinking = body.get("thinking", {"type": "disabled"})
    if {"temperature", "top_p"} <= body.keys() and body["model"] != OLDER_MODEL:
        yield "temperature and top_p: one of them at most"
    if thinking["type"] not in ("enabled", "adaptive", "disabled"):
        yield "thinking.type: unknown"
    if thinking["type"] == "enabled" and not 1024 <= thinking["budget_tokens"] < body["max_tokens"]:
        yield "thinking.budget_tokens: at least 1024, and less than max_tokens"
    if thinking["type"] != "disabled" and body.keys() & SAMPLING:
        yield "temperature: not while thinking"
    wanted = body.get("output_config", {}).get("format")
    if wanted is not None and (wanted.keys() != {"type", "schema"} or wanted["type"] != "json_schema"):
        yield "output_config.format: unknown"
    if body.get("output_config", {}).get("effort", "low") not in ("low", "medium", "high", "xhigh", "max"):
        yield "output_config.effort: unknown"


def _wrong_messages(messages: Any) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
        return
    for index, said in enumerate(messages):
        if said["role"] not in ("user", "assistant"):
            yield f"messages.{index}: unexpected role"
        yield from _wrong_blocks(f"messages.{index}", said["content"])
        if said["role"] == "assistant" and isinstance(said["content"], list):
            yield from (f"messages.{index}: a picture" for block in said["content"] if block["type"] == "image")
    if messages[0]["role"] != "user":
        yield "messages: first message must be the user's"
    if any(before["role"] == after["role"] for before, after in pairwise(messages)):
        yield "messages: roles must alternate"
    if messages[-1]["role"] != "user":
        yield "messages: the last message must be the user's"


def _wrong_blocks(where: str, content: Any) -> Iterator[str]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(blocks, list) or not blocks:
        yield f"{where}: content must be non-empty"
        return
    for block in blocks:
        if block["type"] == "text":
            if not block["text"].strip():
                yield f"{where}: text must be non-empty"
        elif block["type"] == "image":
            yield from _wrong_source(where, block["source"])
        else:
            yield f"{where}: unexpected block"


def _wrong_source(where: str, source: dict[str, Any]) -> Iterator[str]:
    start = STARTS.get(source["media_type"])
    if source.keys() != {"type", "media_type", "data"} or source["type"] != "base64" or start is None:
        yield f"{where}: not a picture in base64"
    elif not b64decode(source["data"], validate=True).startswith(start):
        yield f"{where}: the picture is not {source['media_type']}"


@dataclass
class AnthropicServer(WireServer):
    """The server. Whoever wants a stream is given ``streamed``."""

    streamed: dict[str, Any] = field(default_factory=lambda: message(thinking_block("Hm, hm."), text_block("Go up.")))

    def whole(self, text: str) -> dict[str, Any]:
        return message(text_block(text))

    def refuses(self, status: int, said: str, headers: Mapping[str, str] | None = None) -> Answer:
        return error_answer(status, "api_error", said, headers=headers)

    def filters(self) -> Answer:
        return error_answer(400, "invalid_request_error", "Output blocked by content filtering policy")

    def last_text(self, body: Any) -> str:
        return str(body["messages"][-1]["content"])

    def at_once(self, asked: Asked) -> Answer | None:
        if asked.path != "/v1/messages":
            return text_answer("404: Not Found", 404, "text/plain")
        if refused := complaint(asked.headers, asked.body, self.key):
            return error_answer(*refused)
        return self._stream if asked.body.get("stream") else None

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={**HEADERS, "Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        for name, data in events(self.streamed):
            await response.write(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode())
        return response
