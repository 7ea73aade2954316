"""The connections to an A2A server: bounded, to where its user says, and with its token."""

import re
from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlsplit

import httpx

from palaver_protocols.errors import AgentError, UsageError

from ..providers.calling import KEEP_ALIVE_S, MAX_CONNECTIONS

__all__ = ["ANSWER_BYTES", "allowed_origins", "open_web", "origin_of", "timeout", "token_for"]

ANSWER_BYTES = 1024 * 1024
"""Of an answer, no more is read."""
CONNECT_S = 30.0
"""A server that does not even pick up within this time (seconds) is not there."""
TOKEN = "A2A_TOKEN"  # noqa: S105 - the name of a variable
ORIGINS = "A2A_ORIGINS"
LOOPBACK = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}  # noqa: S104 - what servers call themselves in their cards
PORTS = {"http": 80, "https": 443}


def open_web(token: str | None, cards_url: str) -> httpx.AsyncClient:
    """Make a client that follows no redirects and reads no more than is allowed.

    Args:
        token: shown to the server, if there is one.
        cards_url: whose server it is for, as errors call it.
    """

    async def limit(response: httpx.Response) -> None:
        # A server may repeat what it was asked, which is not its answer.
        most = ANSWER_BYTES + 2 * _sent(response.request)
        said = response.headers.get("content-length", "")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise AgentError(f"{cards_url} sends compressed answers unasked", code="bad_response", retryable=False)
        if said.isdecimal() and int(said) > most:
            raise _too_large(cards_url)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Limited(response.stream, most, cards_url)

    return httpx.AsyncClient(
        headers={
            "Accept-Encoding": "identity",  # what is small when it comes could be huge when it is unpacked
            **({"Authorization": f"Bearer {token}"} if token else {}),
        },
        follow_redirects=False,
        limits=httpx.Limits(max_connections=MAX_CONNECTIONS, keepalive_expiry=KEEP_ALIVE_S),
        event_hooks={"response": [limit]},
    )


def timeout(timeout_s: float) -> httpx.Timeout:
    """Return how long to wait in a call of ``timeout_s`` seconds: for each byte, and for a connection."""
    return httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s))


def token_for(url: str, environ: Mapping[str, str]) -> str | None:
    """Return the token for a server: its own (``A2A_TOKEN_HOST_PORT``), else that for all (``A2A_TOKEN``).

    Raises:
        UsageError: it cannot be a token.
    """
    own = re.sub(r"[^A-Z0-9]+", "_", urlsplit(url).netloc.upper()).strip("_")
    for variable in (f"{TOKEN}_{own}", TOKEN):
        value = environ.get(variable, "").strip()
        if value:
            if not value.isascii() or not value.isprintable() or " " in value:
                raise UsageError(f"{variable} holds what cannot be a token", mend="copy it again, without quotes")
            return value
    return None


def allowed_origins(url: str, environ: Mapping[str, str]) -> frozenset[tuple[str, str, int]]:
    """Return where the card at a URL may send us: to its own server, and where ``A2A_ORIGINS`` allows it.

    Raises:
        UsageError: the variable holds something else than URLs.
    """
    others = [word.strip() for word in environ.get(ORIGINS, "").split(",") if word.strip()]
    origins = [origin_of(other) for other in others]
    if None in origins:
        raise UsageError(f"{ORIGINS} holds what is no URL", mend="write https://HOST[:PORT], separated by commas")
    return frozenset(origin for origin in (origin_of(url), *origins) if origin is not None)


def origin_of(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port; one name for this machine, whatever it is called. None: it is no URL of HTTP."""
    try:
        split = urlsplit(url)
        host, port = split.hostname, split.port
    except ValueError:
        return None
    if split.scheme not in PORTS or not host or "@" in split.netloc:
        return None
    return split.scheme, "localhost" if host in LOOPBACK else host, port or PORTS[split.scheme]


def _sent(request: httpx.Request) -> int:
    length = request.headers.get("content-length", "0")
    return int(length) if length.isdecimal() else 0


def _too_large(cards_url: str) -> AgentError:
    return AgentError(
        f"{cards_url} answers with more than {ANSWER_BYTES:,} bytes; the rest was not read",
        code="too_large",
        retryable=False,
    )


class _Limited(httpx.AsyncByteStream):
    """A stream that ends in an error when it is too long."""

    def __init__(self, stream: httpx.AsyncByteStream, most: int, cards_url: str) -> None:
        self._stream = stream
        self._most = most
        self._cards_url = cards_url

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._stream:
            read += len(chunk)
            if read > self._most:
                raise _too_large(self._cards_url)
            yield chunk

    async def aclose(self) -> None:
        """Close what is behind it."""
        await self._stream.aclose()
