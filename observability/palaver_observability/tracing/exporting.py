"""Where spans go: to a collector that speaks OTLP over HTTP, from a thread of its own.

Needs ``palaver[otel]``; import it late. OpenTelemetry's own variables say what is not said here: headers, timeouts,
batches, sampling.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version

import structlog
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from palaver_protocols.errors import UsageError, one_line

from .ids import traces_url
from .spans import NamedIds

__all__ = ["open_provider"]

QUEUE, QUEUED = "OTEL_BSP_MAX_QUEUE_SIZE", 2**16
"""How many spans wait to be sent where nobody says: many games that begin at once make thousands within a second."""
FLUSH_S = 5.0
"""How long the end of a process waits for a collector that does not answer."""


@contextmanager
def open_provider(
    service: str, url: str | None, ids: NamedIds, *, on_trouble: Callable[[str], object] = lambda said: None
) -> Iterator[TracerProvider]:
    """Send spans while the context lasts, and what is left of them when it ends.

    Args:
        service: what the process is called, unless ``OTEL_SERVICE_NAME`` says.
        url: where the collector is; None: where OpenTelemetry's variables say.
        ids: gives spans their names.
        on_trouble: told in one line at the end, if not all spans could be sent; the log says it as it happens.

    Raises:
        UsageError: it is no URL of a collector, or a variable of OpenTelemetry's makes no sense.
    """
    endpoint = None if url is None else traces_url(url)
    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": service}
    try:
        exporter: SpanExporter = OTLPSpanExporter(endpoint)
        processor = BatchSpanProcessor(exporter, max_queue_size=None if QUEUE in os.environ else QUEUED)
        resource = Resource.create({**named, "service.version": version("palaver")})
        provider = TracerProvider(resource=resource, id_generator=ids, shutdown_on_exit=False)
    except ValueError as error:
        said = f"OpenTelemetry cannot be set up: {one_line(str(error), 200)}"
        raise UsageError(said, mend="look at the OTEL_ variables of the environment") from error
    provider.add_span_processor(processor)
    with _complaints_logged() as complaints:
        try:
            yield provider
        finally:
            _flush(processor, exporter)
            if complaints.first:
                on_trouble(f"traces were lost (is there a collector?): {complaints.first}")


def _flush(processor: BatchSpanProcessor, exporter: SpanExporter) -> None:
    """Send what is left; a collector that does not answer holds nobody up for long."""
    flushing = threading.Thread(target=processor.shutdown, name="last spans", daemon=True)
    flushing.start()
    flushing.join(FLUSH_S)
    if flushing.is_alive():
        exporter.shutdown()  # no more tries
        flushing.join(FLUSH_S)


class _Complaints(logging.Handler):
    """Brings what the SDK complains of into our log, a line each."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Log one complaint."""
        reason = one_line(record.getMessage(), 300)
        self.first = self.first or reason
        structlog.get_logger().warning("traces", reason=reason)


@contextmanager
def _complaints_logged() -> Iterator[_Complaints]:
    """Keep the SDK's complaints off the terminal while the context lasts."""
    logger, complaints = logging.getLogger("opentelemetry"), _Complaints()
    before = logger.propagate
    logger.addHandler(complaints)
    logger.propagate = False
    try:
        yield complaints
    finally:
        logger.removeHandler(complaints)
        logger.propagate = before
