"""Models behind OpenAI's chat completions interface, through the official SDK: OpenAI, xAI, Mistral, vLLM, Ollama, ...

What sets the providers apart is data (``providers.yaml``), or can be seen in the answer itself: reasoning may come in
fields of its own, in chunks, or in ``<think>`` tags, and is never the answer; tokens and costs are counted under
several names. All of it is read here.

Importing this module imports the SDK; :func:`palaver_agents.providers.open_model` does so when it is needed.
"""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import httpx2
import openai
from pydantic import JsonValue, NonNegativeInt

from palaver_broker import BlobStore
from palaver_protocols.content import Frozen, Part, Text
from palaver_protocols.messages import FinishReason, Sampling, Schema, TurnRequest, Usage
from palaver_protocols.roles import ChatMessage

from ..model import Completion
from .calling import NO_KEY, Exchange, ProviderModel, Vault, read_as, wanted
from .endpoint import Endpoint
from .failures import no_answer, sentence_in
from .httpx2_clients import LIMITS, timeout
from .openai_errors import is_filtered, our_errors

__all__ = ["OpenAICompatible"]

KIND = "chat completion"
FINISH: Mapping[str | None, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "model_length": "length",  # Mistral's: the context is full
    "content_filter": "content_filter",
    "refusal": "refusal",
}
CUT_SHORT = {"error": "bad_response", "abort": "server", "insufficient_system_resource": "overloaded"}
"""Finish reasons of OpenRouter and Mistral, vLLM and DeepSeek that mean: this is no answer, ask again."""
TICKS_A_DOLLAR = 1e10
"""xAI's unit of cost."""


class OpenAICompatible(ProviderModel):
    """A model of any provider that speaks chat completions; for the arguments see :class:`ProviderModel`."""

    def __init__(self, endpoint: Endpoint, *, blobs: BlobStore, vault: Vault | None = None) -> None:
        super().__init__(endpoint, blobs=blobs, vault=vault)
        self._client = openai.AsyncOpenAI(
            api_key=endpoint.key or NO_KEY,
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=openai.DefaultAioHttpClient(limits=LIMITS),
        )
        self._headers = _headers(endpoint)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _body(self, messages: tuple[ChatMessage, ...], sampling: Sampling) -> dict[str, Any]:
        return {
            "model": self._endpoint.model,
            "messages": [await self._message(message) for message in messages],
            **_parameters(sampling, self._endpoint),
        }

    def _held_to(self, body: dict[str, Any], schema: Schema) -> dict[str, Any]:
        named = {"name": _schema_name(schema), "strict": True, "schema": schema}
        return {**body, "response_format": {"type": "json_schema", "json_schema": named}}

    async def _send(self, body: dict[str, Any], request: TurnRequest) -> Exchange:
        try:
            # `chat.completions.create` walks every message through its unions first: 6 ms for 40 messages.
            answer = await self._client.post(
                "/chat/completions",
                body=body,
                cast_to=httpx2.Response,
                options={
                    "timeout": timeout(request.timeout_s),
                    "headers": {**self._headers, "Idempotency-Key": request.key},
                },
            )
        except openai.APIStatusError as error:
            if not is_filtered(error.body):
                raise
            answer = error.response  # Azure's and Moonshot's filters answer with status 400
        return Exchange(answer.request.content, answer.content)

    def _read(self, received: bytes) -> Completion:
        return _completion(received, self._endpoint)

    def _our_errors(self, timeout_s: float) -> AbstractContextManager[None]:
        return our_errors(self._endpoint, timeout_s)

    async def _part(self, part: Part) -> dict[str, Any]:
        if isinstance(part, Text):
            return {"type": "text", "text": part.text}
        return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{await self._picture(part)}"}}


def _headers(endpoint: Endpoint) -> dict[str, Any]:
    """Say who asks; and leave out what the SDK would take from OpenAI's own variables, whoever is asked."""
    authorization = f"Bearer {endpoint.key}" if endpoint.key else openai.omit
    account = dict.fromkeys(("OpenAI-Organization", "OpenAI-Project"), openai.omit)
    return {"Authorization": authorization, **account, **endpoint.headers}


def _parameters(sampling: Sampling, endpoint: Endpoint) -> dict[str, Any]:
    """Return the settings that are made and not refused, by the provider's names."""
    names = {"max_tokens": endpoint.max_tokens, "reasoning_effort": endpoint.effort}
    parameters: dict[str, Any] = {}
    for setting, value in wanted(sampling, endpoint).items():
        outer, _, inner = names.get(setting, setting).partition(".")
        parameters[outer] = {inner: value} if inner else value
    return parameters


def _schema_name(schema: Schema) -> str:
    """Return a schema's title as the interface wants names: up to 64 letters, digits, underscores and dashes."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", str(schema.get("title", "")))[:64] or "answer"


class _InputDetails(Frozen):
    cached_tokens: NonNegativeInt | None = None


class _OutputDetails(Frozen):
    reasoning_tokens: NonNegativeInt | None = None


class _Usage(Frozen):
    prompt_tokens: NonNegativeInt | None = None
    completion_tokens: NonNegativeInt | None = None
    total_tokens: NonNegativeInt | None = None
    prompt_tokens_details: _InputDetails | None = None
    completion_tokens_details: _OutputDetails | None = None
    prompt_cache_hit_tokens: NonNegativeInt | None = None
    """DeepSeek's."""
    cached_tokens: NonNegativeInt | None = None
    """Moonshot's."""
    cost: JsonValue = None
    """OpenRouter's, in dollars."""
    cost_in_usd_ticks: JsonValue = None
    """xAI's."""


class _Chunk(Frozen):
    """A piece of content. Mistral's reasoning models answer in chunks, of which some are thoughts."""

    type: str = ""
    text: str | None = None


class _Said(Frozen):
    """A message; ``reasoning``, ``reasoning_content`` and the like are not read, since nobody has said them."""

    content: str | tuple[_Chunk, ...] | None = None
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
    """Read an answer that came with status 200, which does not make it one, or with the verdict of a filter."""
    answer = read_as(_Answer, raw, endpoint, KIND)
    choice = answer.choices[0] if answer.choices else _Choice()
    error_body = answer.error or choice.error
    filtered = is_filtered(error_body)
    message = _Said() if filtered else choice.message
    cut_short = CUT_SHORT.get(choice.finish_reason or "")
    if message is None or (cut_short and not filtered):
        missing = f"it was cut short ({choice.finish_reason})" if cut_short else "it has no choices"
        why = sentence_in(error_body) if error_body else missing
        raise no_answer(endpoint, KIND, why, cut_short or "bad_response")
    finish = "content_filter" if filtered else choice.finish_reason
    return Completion(
        parts=(Text(text=message.refusal or _spoken(message.content, endpoint)),),
        provider=endpoint.provider,
        model=answer.model or endpoint.model,
        finish_reason="refusal" if message.refusal else FINISH.get(finish, "other"),
        usage=_tokens(answer.usage or _Usage()),
        cost_usd=_cost(answer.usage) if endpoint.cost_in_usd else None,
    )


def _spoken(content: str | tuple[_Chunk, ...] | None, endpoint: Endpoint) -> str:
    """Return what is said to the others, without thoughts."""
    if isinstance(content, tuple):
        content = "".join(chunk.text or "" for chunk in content if chunk.type == "text")
    return _after_thoughts(content or "") if endpoint.think_tags else content or ""


def _after_thoughts(text: str) -> str:
    """Leave out thoughts in ``<think>`` tags. Chat templates open them for the model, so that only the end may show."""
    thoughts, ended, said = text.partition("</think>")
    before, begun, _ = thoughts.partition("<think>")
    if ended:
        return (before + said.lstrip() if begun else said).lstrip()
    return "" if begun and not before.strip() else text


def _tokens(usage: _Usage) -> Usage:
    read = usage.prompt_tokens or 0
    written = usage.completion_tokens or 0
    reasoning = (usage.completion_tokens_details or _OutputDetails()).reasoning_tokens or 0
    if reasoning and usage.total_tokens == read + written + reasoning:  # xAI counts thoughts apart from what is said
        written += reasoning
    details = usage.prompt_tokens_details or _InputDetails()
    cached = details.cached_tokens or usage.prompt_cache_hit_tokens or usage.cached_tokens or 0
    return Usage(
        input_tokens=read,
        output_tokens=written,
        reasoning_tokens=reasoning,
        cached_tokens=min(cached, read),
    )


def _cost(usage: _Usage | None) -> float | None:
    """Return what the provider says that a call has cost (US dollars)."""
    if usage is None:
        return None
    cost, ticks = usage.cost, usage.cost_in_usd_ticks
    if isinstance(cost, int | float) and cost >= 0:
        return float(cost)
    return ticks / TICKS_A_DOLLAR if isinstance(ticks, int | float) and ticks >= 0 else None
