"""What traces and spans are called, and how a question tells it."""

import pytest

from palaver_observability.tracing.ids import parent_of, root_of, span_of, trace_of, traceparent_of, traces_url
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnRequest
from tests.support import a_request


def test_a_name_depends_on_what_it_names_alone() -> None:
    assert trace_of("run", "e0") == trace_of("run", "e0")
    assert len({trace_of("run", "e0"), trace_of("run", "e1"), trace_of("rune", "0")}) == 3
    assert len({root_of("run", "e0"), span_of("turn", "k0"), span_of("turn", "k1")}) == 3


def test_a_question_tells_its_trace_in_the_format_of_the_w3c() -> None:
    request = a_request(run_id="run", episode_id="e0")
    told = traceparent_of(request)
    version, trace, span, flags = told.split("-")
    assert (version, len(trace), len(span), flags) == ("00", 32, 16, "01")
    assert parent_of(told) == (trace_of("run", "e0"), span_of("turn", request.key), 1)
    assert traceparent_of(request, 0).endswith("-00")


@pytest.mark.parametrize(
    "told",
    [
        None,
        "",
        "here",
        f"00-{'0' * 32}-{'1' * 16}-01",  # no trace
        f"00-{'1' * 32}-{'0' * 16}-01",  # no span
        f"ff-{'1' * 32}-{'1' * 16}-01",  # a version that there never is
        f"00-{'A' * 32}-{'1' * 16}-01",
        f"00-{'1' * 32}-{'1' * 16}-01\n",
    ],
)
def test_what_makes_no_sense_is_no_parent(told: str | None) -> None:
    assert parent_of(told) is None


def test_a_later_version_may_say_more() -> None:
    assert parent_of(f"01-{'1' * 32}-{'2' * 16}-01-more") is not None


def test_the_trace_is_no_part_of_what_a_file_or_a_stranger_sees_where_there_is_none() -> None:
    assert "traceparent" not in a_request().model_dump_json()
    told = a_request(traceparent=traceparent_of(a_request()))
    assert TurnRequest.model_validate_json(told.model_dump_json()) == told


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ("http://localhost:4318", "http://localhost:4318/v1/traces"),
        ("http://localhost:4318/", "http://localhost:4318/v1/traces"),
        ("https://host/otlp", "https://host/otlp/v1/traces"),
        ("https://host/v1/traces", "https://host/v1/traces"),
    ],
)
def test_a_collector_is_found_by_its_address(given: str, where: str) -> None:
    assert traces_url(given) == where


@pytest.mark.parametrize("given", ["localhost:4318", "grpc://localhost", "http://", "http://h:x", ""])
def test_what_is_no_collector_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match=r"--otlp is no URL of a collector .*4318"):
        traces_url(given)
