"""Models behind Google's Gemini API (``models/MODEL:generateContent``), through the official SDK.

The SDK's ``generate_content`` rebuilds a question out of its own types, warns of every word in an answer that is newer
than itself, and hands out neither what it sent nor what it got. So we write the question ourselves and use the request
method beneath. The connections are ours: that is where the very bytes can be seen, and the SDK's own would trust the
proxies and passwords that the environment names.

Importing this module imports the SDK; :func:`palaver_agents.providers.open_model` does so when it is needed.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import quote

import aiohttp
from google import genai
from google.genai.client import DebugConfig
from google.genai.types import HttpOptions, HttpRetryOptions
from pydantic import ConfigDict, JsonValue, NonNegativeInt
from pydantic.alias_generators import to_camel

from palaver_broker import BlobStore
from palaver_protocols.content import Frozen, Part, Text
from palaver_protocols.messages import FinishReason, Sampling, Schema, TurnRequest, Usage
from palaver_protocols.roles import ChatMessage

from ..model import Completion
from .calling import KEEP_ALIVE_S, MAX_CONNECTIONS, NO_KEY, Exchange, ProviderModel, Vault, read_as, wanted
from .endpoint import Endpoint
from .failures import failure, no_answer, sentence_in
from .google_errors import our_errors

__all__ = ["GoogleGenerate"]

BUDGETS: Mapping[str, int] = {"none": 0, "minimal": 1024, "low": 1024, "medium": 8192, "high": 24576}
"""The tokens that models before Gemini 3 may think for, by reasoning effort, as Google's OpenAI interface maps it."""
LEVELS: Mapping[str, str] = {"minimal": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "XHIGH"}
"""How hard models from Gemini 3 on think, by reasoning effort. They cannot be kept from it altogether."""
GENERATION = re.compile(r"gemini-(\d+)")

KIND = "generated content"
BLOCKED = (
    "BLOCKLIST",
    "ESCALATION",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "IMAGE_SAFETY",
    "MODEL_ARMOR",
    "PROHIBITED_CONTENT",
    "RECITATION",
    "SAFETY",
    "SPII",
)
FINISH: Mapping[str | None, FinishReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    **dict.fromkeys(BLOCKED, "content_filter"),
}

SDK_LOG = logging.getLogger("google_genai._api_client")

_seen: ContextVar[Exchange | None] = ContextVar("_seen", default=None)
"""The last exchange of this task, as the connection saw it."""


class GoogleGenerate(ProviderModel):
    """A model of Google's; for the arguments see :class:`ProviderModel`. The first call opens the connections.

    Reasoning effort becomes ``thinkingBudget`` (:data:`BUDGETS`) or, from Gemini 3 on and for names that tell no
    generation, ``thinkingLevel`` (:data:`LEVELS`). Google counts thoughts as output, so that they too use up
    ``max_tokens``.
    """

    def __init__(self, endpoint: Endpoint, *, blobs: BlobStore, vault: Vault | None = None) -> None:
        super().__init__(endpoint, blobs=blobs, vault=vault)
        self._session: aiohttp.ClientSession | None = None
        self._client: genai.Client | None = None

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        session, self._session = self._session, None
        if client is not None:
            await client.aio.aclose()
            client.close()
        if session is not None:
            await session.close()

    async def _body(self, messages: tuple[ChatMessage, ...], sampling: Sampling) -> dict[str, Any]:
        body: dict[str, Any] = {}
        contents = []
        for message in messages:
            parts = [await self._part(part) for part in message.parts]
            if message.role == "system":
                body["systemInstruction"] = {"parts": parts}
            else:
                contents.append({"role": "user" if message.role == "user" else "model", "parts": parts})
        body["contents"] = contents
        if settings := self._settings(sampling):
            body["generationConfig"] = settings
        return body

    def _held_to(self, body: dict[str, Any], schema: Schema) -> dict[str, Any]:
        wanted_so = {"responseMimeType": "application/json", "responseJsonSchema": schema}
        return {**body, "generationConfig": {**body.get("generationConfig", {}), **wanted_so}}

    async def _part(self, part: Part) -> dict[str, Any]:
        if isinstance(part, Text):
            return {"text": part.text}
        return {"inlineData": {"mimeType": part.media_type, "data": await self._picture(part)}}

    def _settings(self, sampling: Sampling) -> dict[str, Any]:
        """Return the settings that are made and that the model takes, by Google's names."""
        made = wanted(sampling, self._endpoint)
        names = {"temperature": "temperature", "top_p": "topP", "max_tokens": "maxOutputTokens"}
        settings: dict[str, Any] = {names[name]: value for name, value in made.items() if name in names}
        if "reasoning_effort" in made:
            settings["thinkingConfig"] = self._thinking(made["reasoning_effort"])
        return settings

    def _thinking(self, effort: str) -> dict[str, Any]:
        """Write a reasoning effort as the model's generation knows it."""
        model = self._endpoint.model
        generation = GENERATION.search(model)
        early, pro = generation is not None and int(generation[1]) < 3, "-pro" in model
        # The early Pro models cannot be kept from thinking; the later ones begin at LOW, and Google's own map obliges.
        known: Mapping[str, Any] = BUDGETS if early else {**LEVELS, "minimal": "LOW"} if pro else LEVELS
        words = [word for word in known if not (pro and word == "none")]
        if effort not in words:
            said, mend = f"it has no reasoning effort {effort!r}", f"choose one of {', '.join(words)}"
            raise failure(self._endpoint, said, "bad_request", mend)
        return {"thinkingBudget" if early else "thinkingLevel": known[effort]}

    async def _send(self, body: dict[str, Any], request: TurnRequest) -> Exchange:
        client = self._connected()
        model = self._endpoint.model
        path = quote(model if model.startswith(("models/", "tunedModels/")) else f"models/{model}")
        _seen.set(None)
        # No timeout goes along: the caller keeps it, and Google refuses to be told of one below ten seconds.
        await client._api_client.async_request("post", f"{path}:generateContent", body)
        exchange = _seen.get()
        if exchange is None:
            raise RuntimeError("the SDK went past the session that it was given")
        return exchange

    def _connected(self) -> genai.Client:
        """Open what needs a running event loop. All that the SDK would look up in the environment is given instead."""
        endpoint = self._endpoint
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=MAX_CONNECTIONS, keepalive_timeout=KEEP_ALIVE_S),
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=True,  # proxies, as the other providers' clients do
                middlewares=(self._see,),
            )
        if self._client is None:
            with _unheard():
                self._client = genai.Client(
                    vertexai=False,
                    api_key=endpoint.key or NO_KEY,
                    debug_config=DebugConfig(client_mode=None, replays_directory=None, replay_id=None),
                    http_options=HttpOptions(
                        base_url=endpoint.base_url,
                        api_version="",  # the URL ends with it
                        headers=dict(endpoint.headers),
                        retry_options=HttpRetryOptions(attempts=1),  # left out, a broken connection is tried again
                        aiohttp_client=self._session,
                        async_client_args={"allow_redirects": False},  # the key would go along
                    ),
                )
        return self._client

    async def _see(self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
        """Keep what goes over the wire; and no key of ours goes there if there is none."""
        if self._endpoint.key is None:
            request.headers.popall("x-goog-api-key", None)
        response = await handler(request)
        sent = await request.body.as_bytes() if isinstance(request.body, aiohttp.Payload) else request.body
        _seen.set(Exchange(sent, await response.read()))
        return response

    def _read(self, received: bytes) -> Completion:
        endpoint = self._endpoint
        answer = read_as(_Answer, received, endpoint, KIND)
        blocked = answer.prompt_feedback.block_reason if answer.prompt_feedback else None
        if not answer.candidates and blocked is None:
            why = sentence_in(answer.error) if answer.error else "it has no candidates"
            raise no_answer(endpoint, KIND, why)
        candidate = answer.candidates[0] if answer.candidates else _Candidate(finish_reason="SAFETY")
        said = candidate.content.parts if candidate.content else None
        return Completion(
            parts=(Text(text="".join(part.text or "" for part in said or () if not part.thought)),),
            provider=endpoint.provider,
            model=answer.model_version or endpoint.model,
            finish_reason=FINISH.get(candidate.finish_reason, "other"),
            usage=_tokens(answer.usage_metadata or _Usage()),
        )

    def _our_errors(self, timeout_s: float) -> AbstractContextManager[None]:
        return our_errors(self._endpoint, timeout_s)


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep the SDK from telling people about variables that it finds and we overrule."""
    before, SDK_LOG.disabled = SDK_LOG.disabled, True
    try:
        yield
    finally:
        SDK_LOG.disabled = before


class _Wire(Frozen):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class _Part(_Wire):
    text: str | None = None
    thought: bool | None = None


class _Content(_Wire):
    parts: tuple[_Part, ...] | None = None


class _Candidate(_Wire):
    content: _Content | None = None
    finish_reason: str | None = None


class _Feedback(_Wire):
    block_reason: str | None = None


class _Usage(_Wire):
    prompt_token_count: NonNegativeInt | None = None
    candidates_token_count: NonNegativeInt | None = None
    thoughts_token_count: NonNegativeInt | None = None
    cached_content_token_count: NonNegativeInt | None = None


class _Answer(_Wire):
    """What we read of an answer. Google leaves out what is zero or empty."""

    candidates: tuple[_Candidate, ...] | None = None
    prompt_feedback: _Feedback | None = None
    usage_metadata: _Usage | None = None
    model_version: str | None = None
    error: JsonValue = None


def _tokens(usage: _Usage) -> Usage:
    """Count as we count everywhere: output includes reasoning, which Google keeps apart."""
    thoughts = usage.thoughts_token_count or 0
    return Usage(
        input_tokens=usage.prompt_token_count or 0,
        output_tokens=(usage.candidates_token_count or 0) + thoughts,
        reasoning_tokens=thoughts,
        cached_tokens=usage.cached_content_token_count or 0,
    )
