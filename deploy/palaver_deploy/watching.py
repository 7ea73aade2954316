"""Watching a run: the options that say how, and the hooks that do it."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from .options import as_json

if TYPE_CHECKING:
    from palaver_observability.folder import RunFolder
    from palaver_protocols.events import Hook

__all__ = ["Watch", "metrics_served", "watching", "watching_options"]


@dataclass(frozen=True, slots=True)
class Watch:
    """How a run is watched."""

    metrics_port: int | None
    log_level: str
    quiet: bool


def watching_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that make up a command's ``watch``, and ``--json``."""

    @wraps(command)
    def with_watch(*, metrics_port: int | None, log_level: str, quiet: bool, **others: Any) -> int:
        return command(watch=Watch(metrics_port, log_level, quiet), **others)

    metrics = click.option(
        "--metrics-port",
        type=click.IntRange(0, 65535),
        metavar="PORT",
        help="Serve Prometheus metrics while it runs (0: at any free port).",
    )
    level = click.option(
        "--log-level",
        default="info",
        show_default=True,
        type=click.Choice(["debug", "info", "warning", "error"]),
        help="What goes into DIR/log.jsonl.",
    )
    quiet = click.option("--quiet", "-q", is_flag=True, help="No progress display.")
    return metrics(level(quiet(as_json(with_watch))))


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
        yield [Metrics(registry)]
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
