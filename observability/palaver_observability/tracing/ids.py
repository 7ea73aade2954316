"""What traces and their spans are called: by content, so that every process names them alike without asking.

A trace is its run and episode, its root is the episode, a span of a turn is the key of its question. An episode that is
taken up again, be it by another game master after a crash, goes on in the same trace and asks under the same names.
"""

import re
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import urlsplit

from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnRequest

__all__ = ["SAMPLED", "Parent", "parent_of", "root_of", "span_of", "trace_of", "traceparent_of", "traces_url"]

PATH = "v1/traces"
SAMPLED = 1
"""The flag of a trace that is recorded."""
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.{0,200})?")


class Parent(NamedTuple):
    """The span that another one is a part of: 128 bits, 64 bits, 8 bits."""

    trace_id: int
    span_id: int
    flags: int


def trace_of(run_id: str, episode_id: str) -> int:
    """Name the trace of an episode (128 bits, not zero)."""
    return _bits(16, "trace", run_id, episode_id)


def root_of(run_id: str, episode_id: str) -> int:
    """Name the span of the episode itself (64 bits, not zero)."""
    return _bits(8, "episode", run_id, episode_id)


def span_of(kind: str, *names: object) -> int:
    """Name another span, of a turn for instance, by what tells it from all others of its trace (64 bits, not zero)."""
    return _bits(8, kind, *names)


def traceparent_of(request: TurnRequest, flags: int = SAMPLED) -> str:
    """Return what a question tells its agent of its trace: the span of the turn is the parent of all that follows."""
    trace_id = trace_of(request.run_id, request.episode_id)
    return f"00-{trace_id:032x}-{span_of('turn', request.key):016x}-{flags:02x}"


def parent_of(traceparent: str | None) -> Parent | None:
    """Read a ``traceparent``; None where there is none, or none that makes sense: it may come from anywhere."""
    found = _TRACEPARENT.fullmatch(traceparent or "")
    if found is None:
        return None
    trace_id, span_id, flags = (int(part, 16) for part in found.groups())
    return Parent(trace_id, span_id, flags) if trace_id and span_id else None


def traces_url(url: str) -> str:
    """Return where spans go, given where the collector is: ``http://host:4318`` is ``http://host:4318/v1/traces``.

    Raises:
        UsageError: it is no URL of a collector.
    """
    try:
        split = urlsplit(url)
        fits = split.scheme in ("http", "https") and bool(split.hostname) and (split.port or 1) > 0
    except ValueError:
        fits = False
    if not fits:
        raise UsageError("--otlp is no URL of a collector", mend="write, for example, --otlp http://localhost:4318")
    return url if split.path.rstrip("/").endswith(PATH) else f"{url.rstrip('/')}/{PATH}"


def _bits(size: int, *names: object) -> int:
    said = "\0".join(map(str, names)).encode(errors="surrogatepass")
    return int.from_bytes(blake2b(said, digest_size=size).digest()) or 1
