"""A cache of calls on the disk: a question that was answered before is free, and an auditor can see what was sent.

    CACHE/exchanges/ab/ab12....json.gz    an answer, under the digest of its question, and the SHA-256 of what was sent
    CACHE/sent/cd/cd34....gz              the very bytes that were sent, under their SHA-256

Any number of processes may share the folder, since every file is written whole or not at all. Nothing is ever thrown
away: to delete the cache, delete the folder, or part of it; what is missing is asked again. No key is written into it,
but all that was said is.
"""

import asyncio
import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple
from uuid import uuid4

import structlog
from pydantic import ConfigDict, Field, ValidationError

from palaver_broker.disk import sync_folder
from palaver_protocols.content import Frozen, Image
from palaver_protocols.errors import UsageError, first_problem
from palaver_protocols.messages import TurnRequest

from .calling import Exchange
from .endpoint import Endpoint

__all__ = ["DiskVault", "default_cache", "key_of"]

SCHEMA = "palaver.exchange/1.0"
LEVEL = 6
"""Of compression. A dialogue shrinks to a third or less, in a millisecond."""

DAMAGE = (OSError, EOFError, zlib.error, ValueError, RecursionError)
"""What reading a file ends in that is cut off, or was never ours."""


class _Record(Frozen):
    """What a file of ``exchanges`` holds."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["palaver.exchange/1.0"] = Field(default="palaver.exchange/1.0", alias="schema")
    key: str
    provider: str
    model: str
    at: datetime
    sent: str
    received: str


class _Call(NamedTuple):
    """A call that is under way: when it is over at the latest (the loop's time), and what will come of it."""

    until: float
    answer: asyncio.Future[Exchange | None]


def default_cache(environ: Mapping[str, str]) -> Path:
    """Return where the cache is if nobody says: ``PALAVER_CACHE``, or ``palaver`` in the user's folder of caches.

    Args:
        environ: the environment, with what ``.env`` adds to it.
    """
    if chosen := environ.get("PALAVER_CACHE", "").strip():
        return Path(chosen).expanduser()
    caches = Path(environ.get("XDG_CACHE_HOME", ""))
    # The XDG base directory specification wants a relative one to be ignored.
    return (caches if caches.is_absolute() else Path(environ.get("HOME") or Path.home()) / ".cache") / "palaver"


def key_of(endpoint: Endpoint, body: Mapping[str, Any], request: TurnRequest) -> str:
    """Return the digest of a question: who is asked what, where, and as which sample (SHA-256 in hex).

    Two episodes may come to ask the same words, and so may three votes of a grader: their seeds, seats and turns keep
    them apart, as the separate samples that they are. A second run of one configuration has the same ones. The model
    is named beside the body, because Google's is a part of the URL.
    """
    place = (endpoint.provider, endpoint.base_url, endpoint.model)
    sample = (request.seed, request.seat, request.turn, request.role)
    text = json.dumps([*place, body, *sample], sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


async def _key_of(endpoint: Endpoint, body: Mapping[str, Any], request: TurnRequest) -> str:
    """Digest a question; one with pictures, which takes milliseconds, in a thread."""
    if any(isinstance(part, Image) for message in request.view for part in message.parts):
        return await asyncio.to_thread(key_of, endpoint, body, request)
    return key_of(endpoint, body, request)


class DiskVault:
    """A :class:`~palaver_agents.providers.calling.Vault` in a folder. For one event loop; nothing to close.

    What cannot be read counts as not there, and what cannot be written is not kept: both are logged, and no run ends
    by it. Where two calls in this process are the same, the second waits for the first and takes its answer.

    Args:
        folder: where it is; made if it is missing.

    Raises:
        UsageError: the folder cannot be made or written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._under_way: dict[str, _Call] = {}
        self._fails = False
        try:
            for part in ("exchanges", "sent"):
                (folder / part).mkdir(parents=True, exist_ok=True)
                probe = folder / part / f".{uuid4().hex}"
                probe.write_bytes(b"probe")
                probe.unlink()
        except OSError as error:
            raise UsageError(
                f"the cache cannot be written to {folder}: {error.strerror}", mend="give another folder, or no cache"
            ) from error

    async def look_up(self, endpoint: Endpoint, body: dict[str, Any], request: TurnRequest) -> Exchange | None:
        """Return the exchange of an earlier call for this very question, or of one that is under way.

        Whoever is given None is expected to make the call, and to :meth:`keep` what comes of it or :meth:`release` it;
        others who ask the same wait for that, at most ``request.timeout_s`` seconds.
        """
        key = await _key_of(endpoint, body, request)
        loop = asyncio.get_running_loop()
        while (call := self._under_way.get(key)) is not None and (left := call.until - loop.time()) > 0:
            done, _ = await asyncio.wait([call.answer], timeout=left)
            if done and (answer := call.answer.result()) is not None:
                return answer
        self._under_way[key] = _Call(loop.time() + request.timeout_s, loop.create_future())
        try:
            kept = await asyncio.to_thread(self._load, key)
        except BaseException:
            self._end(key, None)
            raise
        if kept is not None:
            self._end(key, kept)
        return kept

    async def keep(self, endpoint: Endpoint, body: dict[str, Any], request: TurnRequest, exchange: Exchange) -> None:
        """Keep an exchange; what is there for the same question is replaced."""
        key = await _key_of(endpoint, body, request)
        self._end(key, exchange)
        record = _Record(
            key=key,
            provider=endpoint.provider,
            model=endpoint.model,
            at=datetime.now(UTC),
            sent=hashlib.sha256(exchange.sent).hexdigest(),
            # Answers are UTF-8; were one not, the stray bytes come back all the same.
            received=exchange.received.decode(errors="surrogateescape"),
        )
        await asyncio.to_thread(self._store, record, exchange.sent)

    def release(self, endpoint: Endpoint, body: dict[str, Any], request: TurnRequest) -> None:
        """Let others make the call that :meth:`look_up` left to us: nothing came of it, or nothing to keep."""
        self._end(key_of(endpoint, body, request), None)

    async def sent(self, sha256: str) -> bytes | None:
        """Return the bytes that were sent to a provider by their SHA-256 (hex), or None if they are not there."""
        return await asyncio.to_thread(self._load_sent, sha256)

    def _end(self, key: str, answer: Exchange | None) -> None:
        """Tell those who wait what came of a call."""
        call = self._under_way.pop(key, None)
        if call is not None and not call.answer.done():
            call.answer.set_result(answer)

    # What follows is done in threads.

    def _load(self, key: str) -> Exchange | None:
        file = self._exchange(key)
        try:
            record = _Record.model_validate(json.loads(gzip.decompress(file.read_bytes())))
        except FileNotFoundError:
            return None
        except DAMAGE as error:
            _warn("an answer in the cache cannot be read, and is asked for again", file, error)
            return None
        if record.key != key:
            _warn("an answer in the cache is not in its place, and is asked for again", file)
            return None
        sent = self._load_sent(record.sent)
        if sent is None:
            return None
        return Exchange(sent, record.received.encode(errors="surrogateescape"))

    def _load_sent(self, sha256: str) -> bytes | None:
        file = self._sent(sha256)
        try:
            data = gzip.decompress(file.read_bytes())
        except FileNotFoundError:
            return None
        except DAMAGE as error:
            _warn("what was sent cannot be read from the cache", file, error)
            return None
        if hashlib.sha256(data).hexdigest() != sha256:
            _warn("what the cache says was sent is something else", file)
            return None
        return data

    def _store(self, record: _Record, sent: bytes) -> None:
        try:
            # What was sent first: an answer refers to it.
            if self._load_sent(record.sent) is None:
                _replace(self._sent(record.sent), sent)
            _replace(self._exchange(record.key), json.dumps(record.model_dump(mode="json")).encode())
        except OSError as error:
            if not self._fails:  # a full disk is told once, and not at every call
                _warn("the cache cannot be written, and answers are not kept", self._folder, error)
            self._fails = True
        else:
            self._fails = False

    def _exchange(self, key: str) -> Path:
        return self._folder / "exchanges" / key[:2] / f"{key}.json.gz"

    def _sent(self, sha256: str) -> Path:
        return self._folder / "sent" / sha256[:2] / f"{sha256}.gz"


def _replace(file: Path, data: bytes) -> None:
    """Write a file whole or not at all, compressed; the same bytes make the same file."""
    file.parent.mkdir(exist_ok=True, parents=True)
    part = file.with_name(f".{file.name}.{uuid4().hex[:8]}")
    try:
        with part.open("xb") as stream:
            stream.write(gzip.compress(data, LEVEL, mtime=0))
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except BaseException:
        with suppress(OSError):  # the disk's own error says more
            part.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def _warn(event: str, place: Path, error: Exception | None = None) -> None:
    why = {} if error is None else {"error": _gist(error)}
    structlog.get_logger().warning(event, place=str(place), **why)


def _gist(error: Exception) -> str:
    """Return the gist of an error in one line, without what was said."""
    if isinstance(error, ValidationError):
        return first_problem(error)
    return error.strerror or str(error) if isinstance(error, OSError) else " ".join(str(error).split())
