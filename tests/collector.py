"""A collector of traces: OTLP over HTTP, real protobuf, in this process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

__all__ = ["Collector", "SpanSeen", "collecting"]


@dataclass(frozen=True)
class SpanSeen:
    """A span as it came over the wire; names are hex, times are nanoseconds."""

    service: str
    trace: str
    id: str
    parent: str
    name: str
    start: int
    end: int
    failed: bool
    attributes: dict[str, Any]
    events: tuple[str, ...]


@dataclass
class Collector:
    """What has come so far, and where it comes."""

    spans: list[SpanSeen] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    async def take(self, request: web.Request) -> web.Response:
        self.headers.append(dict(request.headers))
        said = ExportTraceServiceRequest.FromString(await request.read())
        for resource in said.resource_spans:
            service = _values(resource.resource.attributes)["service.name"]
            for scope in resource.scope_spans:
                self.spans += [_seen(service, span) for span in scope.spans]
        return web.Response(content_type="application/x-protobuf")


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    """Collect spans while the context lasts."""
    collector = Collector()
    application = web.Application(client_max_size=2**26)
    application.router.add_post("/v1/traces", collector.take)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        collector.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield collector
    finally:
        await runner.cleanup()


def _seen(service: str, span: Any) -> SpanSeen:
    return SpanSeen(
        service,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        span.name,
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        span.status.code == 2,
        _values(span.attributes),
        tuple(event.name for event in span.events),
    )


def _values(attributes: Any) -> dict[str, Any]:
    return {each.key: _value(each.value) for each in attributes}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(each) for each in value.array_value.values]
    return getattr(value, kind)
