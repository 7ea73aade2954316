"""``--otlp``: whether traces are kept, and where they go. What it takes is imported where they are, and not before."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import is_embedded

if TYPE_CHECKING:
    from palaver_protocols.events import Hook, ModelCalled
    from palaver_protocols.messages import TurnRequest

__all__ = ["UNTRACED", "Tracing", "both", "check_otlp", "otlp_option", "traces"]

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
IN_SPANS = frozenset({"true", "1", "span_only", "span_and_event"})

otlp_option = click.option(
    "--otlp",
    metavar="URL",
    help="Send traces to a collector, OTLP over HTTP.  [env: OTEL_EXPORTER_OTLP_ENDPOINT; default: no traces]",
)


@dataclass(frozen=True, slots=True)
class Tracing:
    """What records a process's part of the traces: its hooks, what is told of calls, what questions are told.

    ``keep_only`` is told now and then which episodes are still played here.
    """

    hooks: tuple["Hook", ...] = ()
    on_call: "Callable[[ModelCalled], None] | None" = None
    traceparent: "Callable[[TurnRequest], str | None] | None" = None
    keep_only: "Callable[[Collection[tuple[str, str]]], None]" = lambda names: None


UNTRACED = Tracing()
"""There are no traces."""


def check_otlp(url: str | None, broker: str | None = None) -> None:
    """Refuse ``--otlp`` where it could do nothing, before anything is begun.

    Args:
        url: what was given.
        broker: the bus of a run; None where it makes no difference.

    Raises:
        UsageError: it is no URL of a collector, OpenTelemetry is missing, or others play the run and keep its traces.
    """
    if url is None:
        return
    from importlib.util import find_spec

    from palaver_observability.tracing.ids import traces_url
    from palaver_protocols.errors import UsageError

    traces_url(url)
    if broker is not None and not is_embedded(broker):
        raise UsageError(
            "on a bus, those keep the traces who play: palaver serve gamemaster --otlp, serve agent --otlp",
            mend="here, leave --otlp out",
        )
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter.otlp.proto.http") is None:
        raise UsageError("--otlp needs OpenTelemetry", mend="pip install 'palaver[otel]'")


@contextmanager
def traces(
    service: str,
    url: str | None,
    environ: Mapping[str, str],
    *,
    on_trouble: Callable[[str], object] = lambda said: None,
) -> Iterator[Tracing]:
    """Keep traces while the context lasts, where somebody has asked for them.

    Args:
        service: what the process is called among the others.
        url: where the collector is; None: where the environment says, if it does.
        environ: the environment.
        on_trouble: told in one line at the end, if not all of it could be sent; the log says it in any case.

    Raises:
        UsageError: a variable of OpenTelemetry's makes no sense.
    """
    if url is None and not _is_configured(environ):
        yield UNTRACED
        return
    try:
        from palaver_observability.tracing.exporting import open_provider
        from palaver_observability.tracing.spans import CallSpans, EpisodeSpans, NamedIds
    except ImportError:
        import structlog

        # the variables may be meant for others
        structlog.get_logger().warning("no traces: OpenTelemetry is missing", mend="pip install 'palaver[otel]'")
        yield UNTRACED
        return
    for name, value in environ.items():  # its SDK reads them where .env is not
        if name.startswith("OTEL_"):
            os.environ.setdefault(name, value)
    ids = NamedIds()
    with open_provider(service, url, ids, on_trouble=on_trouble) as provider:
        episodes = EpisodeSpans(provider, ids)
        calls = CallSpans(provider, ids, content=environ.get(CONTENT, "").lower() in IN_SPANS)
        yield Tracing((episodes,), calls, episodes.traceparent, episodes.keep_only)


def both(
    first: "Callable[[ModelCalled], None]", second: "Callable[[ModelCalled], None] | None"
) -> "Callable[[ModelCalled], None]":
    """Return what tells both of a call; the first alone, where there is no second."""
    if second is None:
        return first

    def tell(event: "ModelCalled") -> None:
        first(event)
        second(event)

    return tell


def _is_configured(environ: Mapping[str, str]) -> bool:
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    if environ.get("OTEL_TRACES_EXPORTER", "otlp").strip() == "none":
        return False
    return any(environ.get(name, "").strip() for name in ENDPOINTS)
