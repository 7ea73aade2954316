"""Models behind Anthropic's Messages API, through the official SDK.

Two things differ from other interfaces, and both are settled here, call by call. Since its version of October 2026 the
API refuses a temperature or a ``top_p``, whatever the model: a call that sets one goes by the version before, which
models up to Claude 4.6 still heed. And a model thinks in one of two ways, by a budget of tokens or as it sees fit.

Importing this module imports the SDK; :func:`palaver_agents.providers.open_model` does so when it is needed.
"""

import json
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import anthropic
import httpx2
from pydantic import JsonValue, NonNegativeInt

from palaver_broker import BlobStore
from palaver_protocols.content import Frozen, Image, Part, Text
from palaver_protocols.messages import FinishReason, Sampling, Schema, TurnRequest, Usage
from palaver_protocols.roles import ChatMessage

from ..model import Completion
from .anthropic_errors import is_filtered, our_errors
from .calling import NO_KEY, Exchange, ProviderModel, Vault, read_as, wanted
from .endpoint import Endpoint
from .failures import failure, no_answer, sentence_in
from .httpx2_clients import LIMITS, timeout

__all__ = ["AnthropicMessages"]

MAX_TOKENS = 8192
"""The API wants a limit on the answer's length; this one, where nobody gave one, is more than a turn of a game takes,
and no more than the smallest models since Claude 3.5 can write."""
TAKES_SAMPLING = "2023-06-01"
"""The last version of the API that takes a temperature or a ``top_p``. Other calls go by the SDK's own version."""

LEAST_BUDGET = 1024
"""Fewer tokens for thinking are refused."""
SHARES: Mapping[str, float] = {"low": 0.2, "medium": 0.5, "high": 0.8}
"""For models that think by a budget: its share of ``max_tokens``, which thinking and the answer have in common."""
EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""For models that think as they see fit."""
NO_THINKING = "none"
"""For all."""
SWITCHED_OFF: Mapping[str, str] = {"type": "disabled"}

ADAPTIVE_SINCE = (4, 6)
"""Models from this version on think as they see fit; most of them refuse a budget, and older ones know nothing else."""
ONE_SETTING_SINCE = (4, 1)
"""Models from this version on refuse a temperature and a ``top_p`` at once."""

KIND = "message"
FINISH: Mapping[str | None, FinishReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
"""What else there is (``tool_use``, ``pause_turn``) ends no turn of ours, which have no tools: ``other``."""


class AnthropicMessages(ProviderModel):
    """A model that is asked through the Messages API; for the arguments see :class:`ProviderModel`.

    The endpoint's URL may end with ``/v1`` or not.
    """

    def __init__(self, endpoint: Endpoint, *, blobs: BlobStore, vault: Vault | None = None) -> None:
        super().__init__(endpoint, blobs=blobs, vault=vault)
        self._client = anthropic.AsyncAnthropic(
            api_key=endpoint.key or NO_KEY,
            base_url=endpoint.base_url.rstrip("/").removesuffix("/v1"),
            max_retries=0,
            open_telemetry=False,
            http_client=anthropic.DefaultAioHttpClient(limits=LIMITS),
        )
        # The SDK tells the key in `Authorization`; servers that stand in for the API may know the older header only.
        # Both belong to the client, since a call's own headers get into the SDK's debug log. And no argument keeps the
        # SDK from adding what ANTHROPIC_CUSTOM_HEADERS holds, but this does.
        self._client._custom_headers = {**({"X-Api-Key": endpoint.key} if endpoint.key else {}), **endpoint.headers}
        self._given = {name.lower() for name in endpoint.headers}

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _body(self, messages: tuple[ChatMessage, ...], sampling: Sampling) -> dict[str, Any]:
        # Nothing is blank and the user speaks last (palaver_protocols.quirks.fit). So neither an empty text nor
        # whitespace at the end of an assistant's last words, both of which the API refuses, can occur here.
        endpoint = self._endpoint
        max_tokens = sampling.max_tokens or endpoint.longest or MAX_TOKENS
        told = [part.text for message in messages if message.role == "system" for part in _texts(message)]
        return {
            "model": endpoint.model,
            "max_tokens": max_tokens,
            **({"system": "\n\n".join(told)} if told else {}),
            "messages": [await self._message(message) for message in messages if message.role != "system"],
            **_settings(endpoint, sampling, max_tokens),
        }

    def _held_to(self, body: dict[str, Any], schema: Schema) -> dict[str, Any]:
        output = {**body.get("output_config", {}), "format": {"type": "json_schema", "schema": schema}}
        return {**body, "output_config": output}

    async def _part(self, part: Part) -> dict[str, Any]:
        if isinstance(part, Text):
            return {"type": "text", "text": part.text}
        source = {"type": "base64", "media_type": part.media_type, "data": await self._picture(part)}
        return {"type": "image", "source": source}

    async def _send(self, body: dict[str, Any], request: TurnRequest) -> Exchange:
        sent = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            # Not `messages.create`: it wants long answers streamed unless it thinks that it was given a timeout, and
            # warns of models that it would see retired, which is the user's affair.
            answer = await self._client.post(
                "/v1/messages",
                content=sent,
                cast_to=httpx2.Response,
                options={
                    "timeout": timeout(request.timeout_s),
                    "headers": {**self._headers(body), "Idempotency-Key": request.key},
                    "follow_redirects": False,  # the key would go along, to whatever host
                },
            )
        except anthropic.BadRequestError as error:
            # The model has spoken, and is not heard: no fault of the question's form, but a way for an answer to end.
            if not is_filtered(error.body):
                raise
            return Exchange(sent, error.response.content)
        return Exchange(sent, answer.content)

    def _headers(self, body: dict[str, Any]) -> dict[str, str | anthropic.Omit]:
        """Name the version that takes what the body sets; and leave out the SDK's key where the endpoint has none."""
        headers: dict[str, str | anthropic.Omit] = {}
        if "temperature" in body or "top_p" in body:
            headers["anthropic-version"] = TAKES_SAMPLING
        if not self._endpoint.key:
            headers["Authorization"] = anthropic.omit
        return {name: value for name, value in headers.items() if name.lower() not in self._given}

    def _read(self, received: bytes) -> Completion:
        endpoint = self._endpoint
        answer = read_as(_Answer, received, endpoint, KIND)
        filtered = is_filtered(answer.error)
        if answer.content is None and not filtered:
            why = sentence_in(answer.error) if answer.error else "it has no content"
            raise no_answer(endpoint, KIND, why)
        return Completion(
            # Blocks of text are pieces of one text; what the model thinks comes in blocks of other types.
            parts=(Text(text="".join(block.text or "" for block in answer.content or () if block.type == "text")),),
            provider=endpoint.provider,
            model=answer.model or endpoint.model,
            finish_reason="content_filter" if filtered else FINISH.get(answer.stop_reason, "other"),
            usage=_tokens(answer.usage or _Usage()),
        )

    def _our_errors(self, timeout_s: float) -> AbstractContextManager[None]:
        return our_errors(self._endpoint, timeout_s)


def _texts(message: ChatMessage) -> tuple[Text, ...]:
    return tuple(part for part in message.parts if not isinstance(part, Image))


def _settings(endpoint: Endpoint, sampling: Sampling, max_tokens: int) -> dict[str, Any]:
    """Return the settings that are made and that the model takes; what thinking forbids stays out of the call too."""
    made = wanted(sampling, endpoint)
    thinking = _thinking(endpoint, made["reasoning_effort"], max_tokens) if "reasoning_effort" in made else {}
    if thinking.get("thinking", SWITCHED_OFF) != SWITCHED_OFF:
        return thinking
    settings: dict[str, Any] = {name: made[name] for name in ("temperature", "top_p") if name in made}
    if len(settings) > 1 and _is_since(ONE_SETTING_SINCE, endpoint.model):
        del settings["top_p"]  # the temperature is what studies report
    return {**thinking, **settings}


def _thinking(endpoint: Endpoint, effort: str, max_tokens: int) -> dict[str, Any]:
    """Say how much a model is to think, in the words that its generation knows.

    Raises:
        AgentError: the word makes no sense, or ``max_tokens`` leaves no room to think.
    """
    adaptive = _is_since(ADAPTIVE_SINCE, endpoint.model)
    known = (NO_THINKING, *(EFFORTS if adaptive else SHARES))
    if effort not in known:
        mend = f"set it to {', '.join(known[:-1])} or {known[-1]}, or leave it out"
        raise failure(endpoint, f"reasoning_effort {effort!r} is not known", "bad_request", mend)
    if effort == NO_THINKING:
        return {"thinking": SWITCHED_OFF} if adaptive else {}  # newer ones may think unless they are told not to
    if adaptive:
        return {"thinking": {"type": "adaptive"}, "output_config": {"effort": effort}}
    if max_tokens <= LEAST_BUDGET:
        mend = f"set max_tokens above {LEAST_BUDGET}, or reasoning_effort to {NO_THINKING}"
        raise failure(endpoint, f"max_tokens {max_tokens} leaves no room to think", "bad_request", mend)
    budget = max(LEAST_BUDGET, int(SHARES[effort] * max_tokens))
    return {"thinking": {"type": "enabled", "budget_tokens": budget}}


def _is_since(version: tuple[int, int], model: str) -> bool:
    """Tell whether a model is of a version or newer, by its name. One without a number is taken for a new one.

    The version is in the middle, ``claude-opus-4-6``, or, up to Claude 3.7, in front, ``claude-3-7-sonnet-20250219``;
    eight digits are a date.
    """
    found = re.search(r"(?<!\d)(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)", model)
    return found is None or (int(found[1]), int(found[2] or 0)) >= version


class _Details(Frozen):
    thinking_tokens: NonNegativeInt | None = None


class _Usage(Frozen):
    input_tokens: NonNegativeInt | None = None
    output_tokens: NonNegativeInt | None = None
    cache_read_input_tokens: NonNegativeInt | None = None
    cache_creation_input_tokens: NonNegativeInt | None = None
    output_tokens_details: _Details | None = None


class _Block(Frozen):
    type: str
    text: str | None = None


class _Answer(Frozen):
    """What we read of a message."""

    model: str | None = None
    content: tuple[_Block, ...] | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None
    error: JsonValue = None


def _tokens(usage: _Usage) -> Usage:
    """Count as all providers do: here, what comes from the cache or goes into it is not part of the input."""
    seen = usage.cache_read_input_tokens or 0
    details = usage.output_tokens_details or _Details()  # a server that does not tell counts none
    return Usage(
        input_tokens=(usage.input_tokens or 0) + seen + (usage.cache_creation_input_tokens or 0),
        output_tokens=usage.output_tokens or 0,
        reasoning_tokens=details.thinking_tokens or 0,
        cached_tokens=seen,
    )
