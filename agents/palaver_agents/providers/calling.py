"""What calls to all providers have in common: one call, one try, one whole answer, counted and priced.

A provider's module says how a question is written in its wire format, how it is sent through the official SDK, and how
the answer is read. Retries are the engine's business, and the SDKs' own are off; answers are not streamed, since a turn
is used only when it is complete.
"""

import asyncio
import hashlib
from abc import abstractmethod
from base64 import b64encode
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

import structlog
from pydantic import BaseModel, ValidationError

from palaver_broker import BlobStore
from palaver_protocols.content import Image, Part, Text
from palaver_protocols.errors import AgentError, BrokerError, first_problem
from palaver_protocols.messages import Sampling, Schema, TurnRequest
from palaver_protocols.roles import ChatMessage, chat_of, unlabelled

from ..model import Completion, Model
from .endpoint import Endpoint
from .failures import check_pictures, is_about_schemas, no_answer

__all__ = [
    "KEEP_ALIVE_S",
    "MAX_CONNECTIONS",
    "NO_KEY",
    "Exchange",
    "ProviderModel",
    "Vault",
    "read_as",
    "wanted",
]

MAX_CONNECTIONS = 4096
"""Calls at a time. The SDKs' own limit is 1,000; aiohttp's, which None would choose, 100."""
KEEP_ALIVE_S = 4.0
"""Servers close idle connections too, vLLM's after 5 s; whoever asks at that moment loses the call. So we go first."""
NO_KEY = "none"
"""Given where there is no key, and never sent. Without any, an SDK looks for one in the environment and on the disk."""

Answer = TypeVar("Answer", bound=BaseModel)


class Exchange(NamedTuple):
    """The very bytes that were sent to a provider, and those that came back."""

    sent: bytes
    received: bytes


class Vault(Protocol):
    """Where exchanges are kept: so that a question that was answered is free, and an auditor can see what was sent."""

    async def look_up(self, endpoint: Endpoint, body: dict[str, Any], request: TurnRequest) -> Exchange | None:
        """Return the exchange of an earlier call for this very question; None: make it, then keep or release it.

        Whoever asks the same meanwhile waits for that.
        """
        ...

    async def keep(self, endpoint: Endpoint, body: dict[str, Any], request: TurnRequest, exchange: Exchange) -> None:
        """Keep an exchange whose answer could be used."""
        ...

    def release(self, endpoint: Endpoint, body: dict[str, Any], request: TurnRequest) -> None:
        """Say that a call came to nothing: whoever waits for it may ask."""
        ...


class ProviderModel(Model):
    """A model of a provider. All its calls share one pool of connections.

    Args:
        endpoint: where it is and what it accepts (see :func:`palaver_agents.providers.resolve`).
        blobs: where the pictures are that views refer to.
        vault: where exchanges are kept, if anywhere.
    """

    def __init__(self, endpoint: Endpoint, *, blobs: BlobStore, vault: Vault | None = None) -> None:
        self.provider = endpoint.provider
        self._endpoint = endpoint
        self._blobs = blobs
        self._vault = vault
        self._schemas = endpoint.schemas

    async def complete(self, request: TurnRequest) -> Completion:
        """Ask the model; see :meth:`palaver_agents.model.Model.complete`.

        A model that turns out to take no schema for its answers is asked without, now and from then on: the view says
        in words what is wanted. What it refuses so has not been worked on, and is no try.
        """
        if request.answer_schema is not None and self._schemas:
            try:
                return await self._ask(request, request.answer_schema)
            except AgentError as error:
                if not is_about_schemas(error):
                    raise
                if self._schemas:  # else another call has found out, and has said so
                    said = "a model takes no schema for its answers, and is asked in words alone"
                    mend = "`schemas: false` for it in palaver.providers.yaml saves the question"
                    structlog.get_logger().warning(said, error=error.message, mend=mend)
                self._schemas = False
        return await self._ask(request, None)

    async def _ask(self, request: TurnRequest, schema: Schema | None) -> Completion:
        endpoint = self._endpoint
        messages = chat_of(request, endpoint.quirks)
        check_pictures(endpoint, messages)
        body = await self._body(messages, request.sampling)
        if schema is not None:
            body = self._held_to(body, schema)
        kept = await self._vault.look_up(endpoint, body, request) if self._vault else None
        if kept is not None:
            said = _said(self._read(kept.received), request)
            return said._replace(cost_usd=0.0, sent=_digest(kept.sent), cached=True)
        try:
            with self._our_errors(request.timeout_s):
                # The SDKs' own timeouts start anew with every byte.
                async with asyncio.timeout(request.timeout_s):
                    exchange = await self._send(body, request)
            completion = _said(self._read(exchange.received), request)
        except BaseException:
            if self._vault:
                self._vault.release(endpoint, body, request)
            raise
        if self._vault:
            if completion.finish_reason == "content_filter":  # another try may pass the filter
                self._vault.release(endpoint, body, request)
            else:
                await self._vault.keep(endpoint, body, request, exchange)
        cost = completion.cost_usd
        if cost is None and endpoint.price is not None:
            cost = endpoint.price.of(completion.usage)
        return completion._replace(cost_usd=cost, sent=_digest(exchange.sent))

    @abstractmethod
    async def _body(self, messages: tuple[ChatMessage, ...], sampling: Sampling) -> dict[str, Any]:
        """Write a question in the provider's wire format, as plain JSON values, pictures included."""

    @abstractmethod
    def _held_to(self, body: dict[str, Any], schema: Schema) -> dict[str, Any]:
        """Return a question whose answer is held to a JSON Schema, in the provider's words."""

    @abstractmethod
    async def _part(self, part: Part) -> dict[str, Any]:
        """Write a part of a message in the provider's wire format."""

    @abstractmethod
    async def _send(self, body: dict[str, Any], request: TurnRequest) -> Exchange:
        """Send a question, once, within ``request.timeout_s`` seconds."""

    @abstractmethod
    def _read(self, received: bytes) -> Completion:
        """Read an answer that came with a status of success, which does not make it one.

        Raises:
            AgentError: it is none.
        """

    @abstractmethod
    def _our_errors(self, timeout_s: float) -> AbstractContextManager[None]:
        """Let no exception of the SDK get past: each becomes an :class:`AgentError`."""

    async def _message(self, message: ChatMessage) -> dict[str, Any]:
        """Write a message as most providers know it: text alone is a string, anything else a list of parts."""
        match message.parts:
            case (Text(text=text),):
                return {"role": message.role, "content": text}
        return {"role": message.role, "content": [await self._part(part) for part in message.parts]}

    async def _picture(self, image: Image) -> str:
        """Fetch a picture, in base64."""
        try:
            data = image.data if image.data is not None else await self._blobs.get(image.sha256)
        except BrokerError as error:
            raise AgentError(f"a picture cannot be had: {error}", code="no_picture", retryable=True) from error
        return b64encode(data).decode()


def wanted(sampling: Sampling, endpoint: Endpoint) -> dict[str, Any]:
    """Return the settings that are made and that the model takes; some models refuse even the mention of the rest."""
    return {name: value for name, value in sampling if value is not None and name not in endpoint.refuses}


def read_as(schema: type[Answer], received: bytes, endpoint: Endpoint, kind: str) -> Answer:
    """Read an answer by what we know of its shape; ``kind`` is what people call it.

    Raises:
        AgentError: it has another shape (``bad_response``).
    """
    try:
        return schema.model_validate_json(received)
    except ValidationError as error:
        raise no_answer(endpoint, kind, first_problem(error)) from error


def _said(completion: Completion, request: TurnRequest) -> Completion:
    """Return an answer without white space at its ends, as clembench's backends do: a blank after a full stop is noise.

    So too without the label that the role protocol asks a seat to leave out.
    """
    if not completion.parts or not isinstance(first := completion.parts[0], Text):
        return completion
    text = first.text.strip()
    if request.partners:
        text = unlabelled(text, request.seat, request.protocol)
    return completion if text == first.text else completion._replace(parts=(Text(text=text), *completion.parts[1:]))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
