"""Watching a run: the options that say how, and the hooks that do it."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from .options import LEVELS, as_json, is_embedded
from .tracing import check_otlp, otlp_option

if TYPE_CHECKING:
    from palaver_observability.folder import RunFolder
    from palaver_protocols.events import Hook

__all__ = [
    "PAGES_AT",
    "TOKEN_VARIABLE",
    "Pages",
    "Spot",
    "Watch",
    "metrics_served",
    "scoring_options",
    "watching",
    "watching_options",
]


PAGES_AT = "127.0.0.1:8700"
"""Where the dashboard's pages are if nobody says."""
TOKEN_VARIABLE = "PALAVER_DASHBOARD_TOKEN"  # noqa: S105 - a variable's name


@dataclass(slots=True)
class Spot:
    """Where pages were last, and what has been said of it: those of a study's next run come to the same place.

    ``token`` is who is let in, once the first pages have made one.
    """

    port: int = 0
    said: str = ""
    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages of a run, while it is played: where, and whether they stay when it is over (None: if somebody is there).

    ``spot`` is the same for all runs of a study. ``is_chosen`` says that the user has chosen the address, so that no
    other will do.
    """

    at: str = PAGES_AT
    stay: bool | None = None
    is_chosen: bool = False
    spot: Spot = field(default_factory=Spot, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Watch:
    """How a run is watched. ``pages`` is None where nobody wants any."""

    metrics_port: int | None
    log_level: str
    quiet: bool
    otlp: str | None = None
    pages: Pages | None = None

    @property
    def again(self) -> str:
        """What `palaver resume DIR` has to be told to have pages like these, with a blank before it; perhaps nothing.

        Without them, people who sit in a run could not go on.
        """
        if self.pages is None:
            return ""
        return f" --watch-at {shlex.quote(self.pages.at)}" if self.pages.is_chosen else " --watch"


def scoring_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add what :func:`watching_options` adds, but the pages: nothing is played."""
    return _watch_options(command, has_pages=False)


def watching_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that make up a command's ``watch``, and ``--json``."""
    return _watch_options(command, has_pages=True)


def _watch_options(command: Callable[..., int], *, has_pages: bool) -> Callable[..., int]:
    @wraps(command)
    def with_watch(
        *,
        metrics_port: int | None,
        log_level: str,
        quiet: bool,
        otlp: str | None,
        watch: bool = False,
        watch_at: str | None = None,
        watch_stay: bool | None = None,
        **others: Any,
    ) -> int:
        check_otlp(otlp, others.get("broker"))
        pages = _pages(watch, watch_at, watch_stay, others.get("broker"))
        return command(watch=Watch(metrics_port, log_level, quiet, otlp, pages), **others)

    metrics = click.option(
        "--metrics-port",
        type=click.IntRange(0, 65535),
        metavar="PORT",
        help="Serve Prometheus metrics while it runs (0: at any free port).",
    )
    level = click.option(
        "--log-level", default="info", show_default=True, type=LEVELS, help="What goes into DIR/log.jsonl."
    )
    quiet = click.option("--quiet", "-q", is_flag=True, help="No progress display.")
    shown = as_json(with_watch)
    return metrics(otlp_option(level(quiet(_page_options(shown) if has_pages else shown))))


def _page_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options about pages."""
    shown = click.option("--watch", is_flag=True, help="Show it live as pages in a browser; people can sit down there.")
    at = click.option(
        "--watch-at", metavar="HOST:PORT", help=f"Where the pages are; port 0 is any free one.  [default: {PAGES_AT}]"
    )
    stay = click.option(
        "--watch-stay/--no-watch-stay",
        default=None,
        help="Keep the pages when the run is over, until Ctrl-C.  [default: if it runs at a terminal]",
    )
    return shown(at(stay(command)))


def _pages(watch: bool, at: str | None, stay: bool | None, broker: str | None) -> Pages | None:
    """Return what pages are wanted; to say where is to want them.

    Raises:
        UsageError: others play the run, and have the pages.
    """
    from palaver_protocols.errors import UsageError

    if not watch and at is None:
        if stay:
            raise click.UsageError("--watch-stay goes with --watch")
        return None
    if broker is not None and not is_embedded(broker):
        raise UsageError("on a bus, the pages are a service of its own", mend="palaver serve dashboard --broker URL")
    return Pages(at or PAGES_AT, stay, is_chosen=at is not None)


@contextmanager
def metrics_served(watch: Watch) -> Iterator[list["Hook"]]:
    """Serve metrics while the context lasts, and yield the hook that counts; none if nobody asked for metrics.

    Raises:
        UsageError: the port cannot be had.
    """
    if watch.metrics_port is None:
        yield []
        return
    from prometheus_client import CollectorRegistry, start_http_server

    from palaver_observability.metrics import Metrics
    from palaver_observability.service_metrics import AgentMetrics, build_info, calls_of_run
    from palaver_protocols.errors import UsageError

    registry = CollectorRegistry()
    try:
        server, thread = start_http_server(watch.metrics_port, registry=registry)
    except OSError as error:
        raise UsageError(
            f"port {watch.metrics_port} cannot serve metrics: {error.strerror}", mend="choose another --metrics-port"
        ) from error
    if not watch.quiet:
        click.echo(f"metrics at http://localhost:{server.server_port}/metrics", err=True)
    try:
        build_info(registry)
        yield [Metrics(registry), calls_of_run(AgentMetrics(registry))]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def watching(folder: "RunFolder", total: int, watch: Watch) -> Iterator[list["Hook"]]:
    """Yield the hooks that log into a run's folder and show how far it has come.

    Args:
        folder: the run.
        total: episodes of the whole run.
        watch: how it is watched.
    """
    from palaver_observability.logs import LogHook, logging_to
    from palaver_observability.progress import Progress

    with ExitStack() as stack:
        log = stack.enter_context(_log_file(folder.path / "log.jsonl"))
        hooks: list[Any] = [LogHook(stack.enter_context(logging_to(log, watch.log_level, json=True)))]
        if not watch.quiet:
            before = Counter(record.outcome for record in folder.records())
            hooks.append(stack.enter_context(Progress(total, done=before)))
        yield hooks


@contextmanager
def _log_file(path: Path) -> Iterator[TextIO]:
    """Open a log to add to it. One that cannot be written to its end (a full disk) ends no run."""
    log = path.open("a", encoding="utf-8", errors="backslashreplace", buffering=1)
    try:
        yield log
    finally:
        with suppress(OSError):
            log.close()
