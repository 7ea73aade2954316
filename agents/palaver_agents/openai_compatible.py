"""Models behind OpenAI's chat completions interface, through the official SDK: OpenAI, OpenRouter, vLLM, Ollama, ...

One call, one try, one whole answer. The SDK's own retries are off, since the engine retries and counts; answers are not
streamed, since a turn is used only when it is complete, and only a whole answer carries its usage everywhere.

Importing this module imports the SDK; :func:`palaver_agents.providers.open_model` does so when it is needed.
"""

import asyncio
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

import aiohttp
import httpx2
import openai
from pydantic import JsonValue, NonNegativeInt, ValidationError

from palaver_broker import BlobStore
from palaver_protocols.content import Frozen, Image, Part, Text
from palaver_protocols.errors import AgentError, BrokerError
from palaver_protocols.messages import FinishReason, Sampling, TurnRequest, Usage
from palaver_protocols.roles import ChatMessage, render

from .model import Completion, Model
from .providers import Endpoint

__all__ = ["OpenAICompatible"]

MAX_CONNECTIONS = 4096
"""Calls at a time. The SDK's own limit is 1,000; aiohttp's, which None would choose, 100."""
KEEP_ALIVE_S = 4.0
"""Servers close idle connections too, vLLM's after 5 s; whoever asks at that moment loses the call. So we go first."""
CONNECT_S = 30.0
"""A server that does not even pick up within this time (seconds) is not there."""

FINISH: Mapping[str | None, FinishReason] = {"stop": "stop", "length": "length", "content_filter": "content_filter"}

BY_STATUS = {
    401: "auth",
    402: "quota",
    403: "auth",
    404: "unknown_model",
    408: "server",
    409: "server",
    429: "rate_limited",
}
BY_CODE = {
    "billing_hard_limit_reached": "quota",
    "billing_not_active": "quota",
    "context_length_exceeded": "context_length",
    "insufficient_quota": "quota",
    "model_not_found": "unknown_model",
}
"""What a provider's own code says more exactly than the status that comes with it."""
MAY_PASS = {"bad_response", "disconnected", "no_picture", "rate_limited", "server", "timeout", "unreachable"}
"""The errors for which asking again may help."""

TOO_LONG = re.compile(
    r"(maximum|available|model's) context|context (length|window|size)|prompt is too long", re.IGNORECASE
)
SECRET = re.compile(r"\b(sk|sess|key)-[\w*.-]+")
"""Keys as providers quote them back, half masked."""


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
        with _our_errors(self._endpoint, request.timeout_s):
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
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        why = f"{where}: {first['msg']}" if where else first["msg"]
        raise _failure(endpoint, f"the answer is no chat completion: {why}", "bad_response") from error
    choice = answer.choices[0] if answer.choices else _Choice()
    message = choice.message
    if message is None or choice.finish_reason == "error":
        body = answer.error or choice.error
        why = _said(body) if body else "it has no choices"
        raise _failure(endpoint, f"the answer is no chat completion: {why}", "bad_response")
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


@contextmanager
def _our_errors(endpoint: Endpoint, timeout_s: float) -> Iterator[None]:
    """Let no exception of the SDK out of this file."""
    try:
        yield
    except openai.APIStatusError as error:
        raise _refused(endpoint, error) from None  # its text may quote the key
    except TimeoutError as error:
        raise _failure(endpoint, f"no answer within {timeout_s:g} s", "timeout") from error
    except (openai.APIConnectionError, aiohttp.ClientError) as error:
        raise _lost(endpoint, error, timeout_s) from error


def _refused(endpoint: Endpoint, error: openai.APIStatusError) -> AgentError:
    """Read an answer whose status says that it is an error."""
    said = _said(error.body)
    code = _code(error, said)
    mends = {
        "auth": f"check {endpoint.key_variable}",
        "quota": "look at the account's plan and billing",
        "unknown_model": f"check the model's name, and the URL {endpoint.base_url}",
    }
    if error.status_code == 401:  # what is said then quotes the key
        said = f"the key in {endpoint.key_variable} is refused" if endpoint.key else "it wants a key"
        mends["auth"] = f"set {endpoint.key_variable} to a valid key"
    wait = retry_after_s(error.response.headers, datetime.now(UTC))
    return _failure(endpoint, f"{said} (status {error.status_code})", code, mends.get(code, ""), wait)


def _code(error: openai.APIStatusError, said: str) -> str:
    """Sort an error: by the provider's own code, by status, by what it says."""
    for code in (str(error.code), str(error.type)):
        if code in BY_CODE:
            return BY_CODE[code]
    if error.status_code >= 500:
        return "server"
    return BY_STATUS.get(error.status_code, "context_length" if TOO_LONG.search(said) else "bad_request")


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how long a provider asks us to wait (seconds), from ``retry-after-ms`` or ``retry-after``; None if not.

    Args:
        headers: of the answer; names in lower case, or without regard to case.
        now: with a time zone, for a ``retry-after`` that names a date.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    wait = headers.get("retry-after", "")
    seconds = _number(wait)
    if seconds is not None:
        return seconds
    try:
        until = parsedate_to_datetime(wait)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if isfinite(number) else None


def _lost(endpoint: Endpoint, error: Exception, timeout_s: float) -> AgentError:
    """Say how a connection failed. Only the innermost cause knows: the SDK calls all of them timeouts."""
    causes = [error, *_causes(error)]
    said = next((str(cause) for cause in reversed(causes) if str(cause)), type(error).__name__)
    if any(isinstance(cause, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError) for cause in causes):
        return _failure(endpoint, f"{endpoint.base_url} cannot be reached: {said}", "unreachable")
    if any(isinstance(cause, TimeoutError) for cause in causes):
        return _failure(endpoint, f"no answer within {timeout_s:g} s", "timeout")
    if any(isinstance(cause, aiohttp.ClientResponseError) for cause in causes):
        return _failure(endpoint, f"{endpoint.base_url} does not speak HTTP: {said}", "bad_response")
    return _failure(endpoint, f"the connection to {endpoint.base_url} broke: {said}", "disconnected")


def _causes(error: BaseException) -> Iterator[BaseException]:
    while (cause := error.__cause__) is not None:
        yield (error := cause)


def _failure(endpoint: Endpoint, said: str, code: str, mend: str = "", wait_s: float | None = None) -> AgentError:
    may_pass = code in MAY_PASS
    return AgentError(
        _line(endpoint, said), code=code, retryable=may_pass, retry_after_s=wait_s if may_pass else None, mend=mend
    )


def _said(body: object) -> str:
    """Find the sentence in an error's body, whichever of the known shapes it has."""
    if not isinstance(body, Mapping):
        return str(body or "it does not say why")
    said = _said(body.get("message") or body.get("error") or body.get("detail"))
    metadata = body.get("metadata")
    # OpenRouter says "Provider returned error", and here what the provider returned.
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return f"{said}: {raw}" if raw else said


def _line(endpoint: Endpoint, said: str) -> str:
    """Name the model, and say it in one line, without secrets."""
    hidden = said.replace(endpoint.key, "***") if endpoint.key else said
    line = " ".join(SECRET.sub("***", hidden).split())
    short = line if len(line) <= 300 else f"{line[:200]} ... {line[-90:]}"
    return f"{endpoint.provider}/{endpoint.model}: {short}"
