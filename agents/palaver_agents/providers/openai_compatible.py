"""Models behind OpenAI's chat completions interface, through the official SDK: OpenAI, OpenRouter, vLLM, Ollama, ...

One call, one try, one whole answer. The SDK's own retries are off, since the engine retries and counts; answers are not
streamed, since a turn is used only when it is complete, and only a whole answer carries its usage everywhere.

Importing this module imports the SDK; :func:`palaver_agents.providers.open_model` does so when it is needed.
"""

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import httpx2
import openai
from pydantic import JsonValue, NonNegativeInt, ValidationError

from palaver_broker import BlobStore
from palaver_protocols.content import Frozen, Image, Part, Text
from palaver_protocols.errors import AgentError, BrokerError, first_problem
from palaver_protocols.messages import FinishReason, Sampling, TurnRequest, Usage
from palaver_protocols.roles import ChatMessage, render

from ..model import Completion, Model
from .endpoint import Endpoint
from .failures import failure, sentence_in
from .openai_errors import our_errors

__all__ = ["OpenAICompatible"]

MAX_CONNECTIONS = 4096
"""Calls at a time. The SDK's own limit is 1,000; aiohttp's, which None would choose, 100."""
KEEP_ALIVE_S = 4.0
"""Servers close idle connections too, vLLM's after 5 s; whoever asks at that moment loses the call. So we go first."""
CONNECT_S = 30.0
"""A server that does not even pick up within this time (seconds) is not there."""

FINISH: Mapping[str | None, FinishReason] = {"stop": "stop", "length": "length", "content_filter": "content_filter"}


class OpenAICompatible(Model):
    """A model of any provider that speaks chat completions. All calls share one pool of connections.

    Args:
        endpoint: where it is and what it accepts (see :func:`palaver_agents.providers.resolve`).
        blobs: where the pictures are that views refer to.
    """

    def __init__(self, endpoint: Endpoint, *, blobs: BlobStore) -> None:
        self.provider = endpoint.provider
        self._endpoint = endpoint
        self._blobs = blobs
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=openai.DefaultAioHttpClient(
                limits=httpx2.Limits(max_connections=MAX_CONNECTIONS, keepalive_expiry=KEEP_ALIVE_S)
            ),
        )
        self._headers = _headers(endpoint)

    async def complete(self, request: TurnRequest) -> Completion:
        """Ask the model; see :meth:`palaver_agents.model.Model.complete`."""
        messages = render(
            request.view,
            seat=request.seat,
            partners=request.partners,
            protocol=request.protocol,
            quirks=self._endpoint.quirks,
        )
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [await self._message(message) for message in messages],
            **_parameters(request.sampling, self._endpoint.max_tokens),
        }
        with our_errors(self._endpoint, request.timeout_s):
            # The client's own timeouts start anew with every byte.
            async with asyncio.timeout(request.timeout_s):
                # `chat.completions.create` walks every message through its unions first: 6 ms for 40 messages.
                answer = await self._client.post(
                    "/chat/completions",
                    body=body,
                    cast_to=httpx2.Response,
                    options={
                        "timeout": openai.Timeout(request.timeout_s, connect=min(CONNECT_S, request.timeout_s)),
                        "headers": {**self._headers, "Idempotency-Key": request.key},
                    },
                )
        return _completion(answer.content, self._endpoint)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _message(self, message: ChatMessage) -> dict[str, Any]:
        """Write a message as the interface knows it: text alone is a string, anything else a list of parts."""
        match message.parts:
            case (Text(text=text),):
                return {"role": message.role, "content": text}
        return {"role": message.role, "content": [await self._part(part) for part in message.parts]}

    async def _part(self, part: Part) -> dict[str, Any]:
        if isinstance(part, Text):
            return {"type": "text", "text": part.text}
        data = b64encode(await self._bytes(part)).decode()
        return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{data}"}}

    async def _bytes(self, image: Image) -> bytes:
        try:
            return image.data if image.data is not None else await self._blobs.get(image.sha256)
        except BrokerError as error:
            raise AgentError(f"a picture cannot be had: {error}", code="no_picture", retryable=True) from error


def _headers(endpoint: Endpoint) -> dict[str, Any]:
    """Say who asks; and leave out what the SDK would take from OpenAI's own variables, whoever is asked."""
    authorization = f"Bearer {endpoint.key}" if endpoint.key else openai.omit
    account = dict.fromkeys(("OpenAI-Organization", "OpenAI-Project"), openai.omit)
    return {"Authorization": authorization, **account, **endpoint.headers}


def _parameters(sampling: Sampling, max_tokens: str) -> dict[str, Any]:
    """Return what is set; what is None stays out of the call, since some models refuse even the mention."""
    wanted = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        max_tokens: sampling.max_tokens,
        "reasoning_effort": sampling.reasoning_effort,
    }
    return {name: value for name, value in wanted.items() if value is not None}


class _Details(Frozen):
    reasoning_tokens: NonNegativeInt | None = None


class _Usage(Frozen):
    prompt_tokens: NonNegativeInt | None = None
    completion_tokens: NonNegativeInt | None = None
    completion_tokens_details: _Details | None = None
    cost: JsonValue = None


class _Said(Frozen):
    content: str | None = None
    refusal: str | None = None


class _Choice(Frozen):
    message: _Said | None = None
    finish_reason: str | None = None
    error: JsonValue = None


class _Answer(Frozen):
    """What we read of a chat completion. Compatible servers leave out what they do not know."""

    model: str | None = None
    choices: tuple[_Choice, ...] | None = None
    usage: _Usage | None = None
    error: JsonValue = None


def _completion(raw: bytes, endpoint: Endpoint) -> Completion:
    """Read an answer that came with status 200, which does not make it one."""
    try:
        answer = _Answer.model_validate_json(raw)
    except ValidationError as error:
        why = first_problem(error)
        raise failure(endpoint, f"the answer is no chat completion: {why}", "bad_response") from error
    choice = answer.choices[0] if answer.choices else _Choice()
    message = choice.message
    if message is None or choice.finish_reason == "error":
        body = answer.error or choice.error
        why = sentence_in(body) if body else "it has no choices"
        raise failure(endpoint, f"the answer is no chat completion: {why}", "bad_response")
    return Completion(
        parts=(Text(text=message.refusal or message.content or ""),),
        provider=endpoint.provider,
        model=answer.model or endpoint.model,
        finish_reason="refusal" if message.refusal else FINISH.get(choice.finish_reason, "other"),
        usage=_tokens(answer.usage or _Usage()),
        cost_usd=_cost(answer.usage) if endpoint.cost_in_usd else None,
    )


def _tokens(usage: _Usage) -> Usage:
    details = usage.completion_tokens_details or _Details()
    return Usage(
        input_tokens=usage.prompt_tokens or 0,
        output_tokens=usage.completion_tokens or 0,
        reasoning_tokens=details.reasoning_tokens or 0,
    )


def _cost(usage: _Usage | None) -> float | None:
    cost = usage.cost if usage else None
    return float(cost) if isinstance(cost, int | float) and cost >= 0 else None
