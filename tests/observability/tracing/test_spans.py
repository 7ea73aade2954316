"""What is recorded of episodes, turns and calls."""

from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ALWAYS_ON, ParentBased, Sampler

from palaver_observability.tracing.ids import root_of, span_of, trace_of
from palaver_observability.tracing.spans import CallSpans, EpisodeSpans, NamedIds
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
from palaver_protocols.messages import EpisodeEnded, Sampling, Usage
from tests.support import NOON, a_failure, a_reply, a_request, a_start

SECRET = "the key is under the mat"


class Recorded:
    """Spans as an exporter is given them."""

    def __init__(self, sampler: Sampler = ALWAYS_ON) -> None:
        self.ids = NamedIds()
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider(sampler, id_generator=self.ids, shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.episodes = EpisodeSpans(self.provider, self.ids)
        self.calls = CallSpans(self.provider, self.ids)

    @property
    def spans(self) -> dict[str, ReadableSpan]:
        return {span.name: span for span in self.exporter.get_finished_spans()}

    def play(self, *events: Event) -> None:
        for event in events:
            self.episodes(event)


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    found = Recorded()
    yield found
    found.provider.shutdown()


def about(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def ended(outcome: str = "solved", **fields: Any) -> EpisodeClosed:
    told = EpisodeEnded.model_validate({"key": "x", "outcome": outcome, "at": NOON, **fields})
    return EpisodeClosed(a_start(), told, turns=1)


REQUEST = a_request(agent="google/gemini-3", view=a_request().view, sampling=Sampling(temperature=0.5))
REPLY = a_reply(
    REQUEST,
    SECRET,
    provider="google",
    model="gemini-3-0815",
    usage=Usage(input_tokens=10, output_tokens=4, reasoning_tokens=3, cached_tokens=2),
    latency_s=1.5,
    cost_usd=0.01,
)
OPENED = EpisodeOpened(a_start(), 0)


def test_an_episode_is_a_trace_and_its_turns_are_its_parts(recorded: Recorded) -> None:
    recorded.play(OPENED, TurnAsked(REQUEST), TurnAnswered(REQUEST, REPLY), ended(scores={"success": 1.0, "no": None}))
    episode, turn = recorded.spans["invoke_workflow toy"], recorded.spans["invoke_agent google/gemini-3"]
    assert (episode.context.trace_id, episode.context.span_id) == (trace_of("run", "e0"), root_of("run", "e0"))
    assert episode.parent is None
    assert (turn.context.trace_id, turn.context.span_id) == (trace_of("run", "e0"), span_of("turn", REQUEST.key))
    assert turn.parent is not None
    assert turn.parent.span_id == root_of("run", "e0")
    assert about(episode)["palaver.score.success"] == 1.0
    assert "palaver.score.no" not in about(episode)
    assert about(turn)["gen_ai.provider.name"] == "gcp.gemini"
    assert about(turn)["gen_ai.usage.cache_read.input_tokens"] == 2
    assert about(turn)["palaver.cost_usd"] == 0.01


def test_a_call_is_a_part_of_the_turn_that_its_question_names(recorded: Recorded) -> None:
    request = REQUEST.model_copy(update={"traceparent": recorded.episodes.traceparent(REQUEST)})
    recorded.calls(ModelCalled(request, REPLY, "provider", 2.0))
    span = recorded.spans["chat gemini-3"]
    assert span.parent is not None
    assert (span.parent.trace_id, span.parent.span_id) == (trace_of("run", "e0"), span_of("turn", REQUEST.key))
    assert span.end_time is not None
    assert span.start_time is not None
    assert span.end_time - span.start_time == 1_500_000_000
    assert about(span)["gen_ai.request.temperature"] == 0.5
    assert about(span)["gen_ai.response.model"] == "gemini-3-0815"
    assert about(span)["gen_ai.response.finish_reasons"] == ("stop",)


def test_a_person_has_no_name_in_a_trace(recorded: Recorded) -> None:
    request = a_request(agent="human")
    recorded.calls(ModelCalled(request, a_reply(request, provider="human", model="mild-otter-7"), "provider", 9.0))
    (span,) = recorded.spans.values()
    assert about(span)["gen_ai.provider.name"] == "human"
    assert "mild-otter-7" not in about(span).values()


def test_a_call_that_failed_says_why_and_how_long_it_took(recorded: Recorded) -> None:
    recorded.calls(ModelCalled(REQUEST, a_failure(REQUEST, message=SECRET), "provider", 2.0))
    span = recorded.spans["chat gemini-3"]
    assert span.end_time is not None
    assert span.start_time is not None
    assert span.end_time - span.start_time == 2_000_000_000
    assert not span.status.is_ok
    assert about(span)["error.type"] == "rate_limited"


def test_what_the_journal_knows_is_no_call(recorded: Recorded) -> None:
    recorded.calls(ModelCalled(REQUEST, REPLY, "journal"))
    assert recorded.spans == {}


def test_a_call_of_somebody_who_keeps_no_traces_is_in_the_trace_of_its_episode(recorded: Recorded) -> None:
    recorded.calls(ModelCalled(REQUEST, REPLY, "provider"))
    span = recorded.spans["chat gemini-3"]
    assert span.parent is None
    assert span.context.trace_id == trace_of("run", "e0")


def test_retries_refusals_and_handovers_are_events(recorded: Recorded) -> None:
    recorded.play(
        OPENED,
        TurnAsked(REQUEST),
        TurnRetried(REQUEST, "rate_limited", SECRET, 1.0),
        TurnAnswered(REQUEST, REPLY),
        InvalidReply(REQUEST, REPLY, SECRET),
        SeatHandedOver(a_start(), "a", "other", 2),
        ended(),
    )
    names = {name: [event.name for event in span.events] for name, span in recorded.spans.items()}
    assert names == {
        "invoke_agent google/gemini-3": ["retry"],
        "invoke_workflow toy": ["refused", "handed over"],
    }


def test_an_episode_that_may_be_taken_up_again_leaves_its_own_name_to_whoever_ends_it(recorded: Recorded) -> None:
    recorded.play(OPENED, TurnAsked(REQUEST), ended("error", error=SECRET))
    recorded.play(EpisodeOpened(a_start(), 1), TurnAsked(REQUEST), TurnAnswered(REQUEST, REPLY), ended())
    spans = recorded.exporter.get_finished_spans()
    interrupted = recorded.spans["interrupted toy"]
    assert interrupted.parent is not None
    assert interrupted.parent.span_id == root_of("run", "e0")
    assert not interrupted.status.is_ok
    assert [span.name for span in spans if span.parent is None] == ["invoke_workflow toy"]
    assert recorded.spans["invoke_workflow toy"].start_time == int(NOON.timestamp() * 1e9)


def test_nothing_that_was_said_is_recorded_unless_somebody_asks_for_it(recorded: Recorded) -> None:
    recorded.play(OPENED, TurnAsked(REQUEST), TurnAnswered(REQUEST, REPLY), InvalidReply(REQUEST, REPLY, SECRET))
    recorded.play(ended("error", error=SECRET))
    recorded.calls(ModelCalled(REQUEST, REPLY, "provider"))
    assert recorded.spans
    said = [span.to_json() for span in recorded.exporter.get_finished_spans()]
    assert [text for text in said if SECRET in text or "Say something." in text] == []


def test_what_was_said_is_recorded_for_whoever_asks_for_it(recorded: Recorded) -> None:
    CallSpans(recorded.provider, recorded.ids, content=True)(ModelCalled(REQUEST, REPLY, "provider"))
    told = about(recorded.spans["chat gemini-3"])
    assert SECRET in told["gen_ai.output.messages"]
    assert "Say something." in told["gen_ai.input.messages"]


def test_a_trace_that_is_not_sampled_is_not_sampled_anywhere() -> None:
    recorded = Recorded(ALWAYS_OFF)
    assert recorded.episodes.traceparent(REQUEST).endswith("-00")
    request = REQUEST.model_copy(update={"traceparent": recorded.episodes.traceparent(REQUEST)})
    other = Recorded(ParentBased(ALWAYS_ON))
    other.calls(ModelCalled(request, REPLY, "provider"))
    recorded.play(OPENED, TurnAsked(REQUEST), TurnAnswered(REQUEST, REPLY), ended())
    assert recorded.spans == other.spans == {}
    for each in (recorded, other):
        each.provider.shutdown()


def test_what_others_have_taken_over_is_theirs_to_record(recorded: Recorded) -> None:
    recorded.play(OPENED, TurnAsked(REQUEST))
    recorded.episodes.keep_only([("run", "e1")])
    recorded.play(TurnAnswered(REQUEST, REPLY))
    assert recorded.spans == {}


def test_names_are_random_where_none_were_chosen() -> None:
    ids = NamedIds()
    ids.trace_id, ids.span_id = 7, 8
    assert (ids.generate_trace_id(), ids.generate_span_id()) == (7, 8)
    assert len({ids.generate_trace_id(), ids.generate_trace_id(), ids.generate_span_id(), 7, 8}) == 5
