"""Spans of what game masters and agents do, made of the same events that logs and metrics are made of.

Needs ``palaver[otel]``; import it late. A span is made where the thing happens, and tells its parent by name
(:mod:`.ids`), so that no process has to know whether another one records anything.
"""

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.context import Context
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.id_generator import IdGenerator, RandomIdGenerator
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    Tracer,
    set_span_in_context,
)

from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    InvalidReply,
    ModelCalled,
    SeatHandedOver,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import OWED, TurnFailure, TurnReply, TurnRequest

from . import attributes
from .ids import SAMPLED, Parent, parent_of, root_of, span_of, trace_of, traceparent_of

__all__ = ["CallSpans", "EpisodeSpans", "NamedIds"]

Name = tuple[str, str]
"""An episode: run id, episode id."""


class NamedIds(IdGenerator):
    """Gives the next span the names that were chosen for it; random ones, where none were."""

    def __init__(self) -> None:
        self._random = RandomIdGenerator()
        self.trace_id: int | None = None
        self.span_id: int | None = None

    def generate_span_id(self) -> int:
        """Return the name of the next span."""
        chosen, self.span_id = self.span_id, None
        return chosen if chosen is not None else self._random.generate_span_id()

    def generate_trace_id(self) -> int:
        """Return the name of the next trace."""
        chosen, self.trace_id = self.trace_id, None
        return chosen if chosen is not None else self._random.generate_trace_id()


@dataclass(slots=True)
class _Episode:
    """An episode that is being played here: since when (ns), its turns without an answer, what else has happened."""

    since: int
    flags: int
    turns: dict[str, Span] = field(default_factory=dict)
    notes: list[tuple[str, int, dict[str, Any]]] = field(default_factory=list)


class EpisodeSpans:
    """A hook that records episodes and their turns.

    The span of an episode is made when the episode has ended: whoever plays it to its end makes it, however many have
    played before. One that ends in ``error`` or ``budget`` may be taken up again: that is a span of its own, a part of
    the episode's. A turn that a process has asked and leaves without an answer is recorded by whoever asks it again.

    Args:
        provider: of OpenTelemetry's SDK; its names are ``ids``.
        ids: gives spans their names.
    """

    def __init__(self, provider: TracerProvider, ids: NamedIds) -> None:
        self._tracer = _tracer(provider)
        self._sampler = provider.sampler
        self._ids = ids
        self._episodes: dict[Name, _Episode] = {}
        self._on: dict[type, Any] = {
            EpisodeOpened: self._opened,
            TurnAsked: self._asked,
            TurnAnswered: self._answered,
            TurnRetried: self._retried,
            InvalidReply: self._refused,
            SeatHandedOver: self._handed_over,
            EpisodeClosed: self._closed,
        }

    def __call__(self, event: Event) -> None:
        """Record one event; one that is unknown here is none of ours."""
        record = self._on.get(type(event))
        if record is not None:
            record(event)

    def traceparent(self, request: TurnRequest) -> str:
        """Return what a question tells its agent, in the format of the W3C."""
        return traceparent_of(request, self._of(request.run_id, request.episode_id).flags)

    def keep_only(self, names: Collection[Name]) -> None:
        """Forget the episodes that are played here no more, though they have not ended: others record them."""
        for name in [name for name in self._episodes if name not in names]:
            del self._episodes[name]

    def _of(self, run_id: str, episode_id: str) -> _Episode:
        """Return an episode; one that we have not seen opened begins now."""
        name = (run_id, episode_id)
        found = self._episodes.get(name)
        if found is None:
            decided = self._sampler.should_sample(None, trace_of(*name), "episode")
            flags = SAMPLED if decided.decision is Decision.RECORD_AND_SAMPLE else 0
            found = self._episodes[name] = _Episode(time.time_ns(), flags)
        return found

    def _opened(self, event: EpisodeOpened) -> None:
        started = event.started
        name = (started.run_id, started.episode_id)
        self._episodes.pop(name, None)  # we had lost it, and have it again: who had it has asked its turns
        episode = self._of(*name)
        if event.resumed_at:
            episode.since = int(started.at.timestamp() * 1e9)

    def _asked(self, event: TurnAsked) -> None:
        request = event.request
        name = (request.run_id, request.episode_id)
        episode = self._of(*name)
        if request.key in episode.turns:
            return
        parent = Parent(trace_of(*name), root_of(*name), episode.flags)
        self._ids.span_id = span_of("turn", request.key)
        episode.turns[request.key] = self._tracer.start_span(
            f"invoke_agent {request.agent}", _under(parent), SpanKind.CLIENT, attributes.asked(request)
        )

    def _answered(self, event: TurnAnswered) -> None:
        span = self._of(event.request.run_id, event.request.episode_id).turns.pop(event.request.key, None)
        if span is not None:
            span.set_attributes(attributes.answered(event.reply) | {"palaver.aside": event.aside})
            span.end()

    def _retried(self, event: TurnRetried) -> None:
        span = self._of(event.request.run_id, event.request.episode_id).turns.get(event.request.key)
        if span is not None:
            span.add_event("retry", {"error.type": event.code, "palaver.wait_s": event.wait_s})

    def _refused(self, event: InvalidReply) -> None:
        about = {"palaver.seat": event.request.seat, "palaver.turn": event.request.turn}
        self._of(event.request.run_id, event.request.episode_id).notes.append(("refused", time.time_ns(), about))

    def _handed_over(self, event: SeatHandedOver) -> None:
        about = {"palaver.seat": event.seat, "gen_ai.agent.name": event.agent, "palaver.turn": event.turn}
        episode = self._of(event.started.run_id, event.started.episode_id)
        episode.notes.append(("handed over", time.time_ns(), about))

    def _closed(self, event: EpisodeClosed) -> None:
        started, ended = event.started, event.ended
        name = (started.run_id, started.episode_id)
        episode = self._of(*name)
        del self._episodes[name]
        for span in episode.turns.values():
            _fail(span, "no answer")
            span.end()
        about = {**attributes.episode(started), "palaver.outcome": ended.outcome, "palaver.turns": event.turns}
        about |= {f"palaver.score.{key}": value for key, value in ended.scores.items() if value is not None}
        parent = None
        if ended.outcome in OWED:
            parent = Parent(trace_of(*name), root_of(*name), episode.flags)
            self._ids.span_id = span_of("interrupted", *name, event.turns, time.time_ns())
        else:
            self._ids.trace_id, self._ids.span_id = trace_of(*name), root_of(*name)
        what = f"invoke_workflow {started.game}" if parent is None else f"interrupted {started.game}"
        span = self._tracer.start_span(what, _under(parent), SpanKind.INTERNAL, about, start_time=episode.since)
        for note, at, more in episode.notes:
            span.add_event(note, more, at)
        if parent is not None:
            _fail(span, ended.outcome)
        span.end()


class CallSpans:
    """Records the calls that an agent makes of its provider. An agent service takes it as its ``on_call``.

    Args:
        provider: of OpenTelemetry's SDK; its names are ``ids``.
        ids: gives spans their names.
        content: whether spans hold what was said.
    """

    def __init__(self, provider: TracerProvider, ids: NamedIds, *, content: bool = False) -> None:
        self._tracer = _tracer(provider)
        self._ids = ids
        self._content = content

    def __call__(self, event: ModelCalled) -> None:
        """Record one call, from its end; what was found in the journal was no call."""
        request, answer = event.request, event.answer
        if event.source != "provider":
            return
        now = time.time_ns()
        took = answer.latency_s if isinstance(answer, TurnReply) else event.seconds
        about = attributes.call(request)
        if self._content:
            about |= attributes.content(request, answer)
        parent = parent_of(request.traceparent)
        if parent is None:  # whoever asks keeps no traces: what we know of it is in one, all the same
            self._ids.trace_id = trace_of(request.run_id, request.episode_id)
        span = self._tracer.start_span(
            f"chat {about['gen_ai.request.model']}",
            _under(parent),
            SpanKind.CLIENT,
            about,
            start_time=now - int(took * 1e9),
        )
        if isinstance(answer, TurnFailure):
            _fail(span, answer.code)
        else:
            span.set_attributes(attributes.answered(answer))
        span.end(now)


def _tracer(provider: TracerProvider) -> Tracer:
    return provider.get_tracer("palaver")


def _under(parent: Parent | None) -> Context:
    """Return the context of a span that is a part of another one; of one that is a part of none."""
    if parent is None:
        return Context()
    context = SpanContext(parent.trace_id, parent.span_id, is_remote=True, trace_flags=TraceFlags(parent.flags))
    return set_span_in_context(NonRecordingSpan(context), Context())


def _fail(span: Span, why: str) -> None:
    span.set_attribute("error.type", why)
    span.set_status(Status(StatusCode.ERROR))
