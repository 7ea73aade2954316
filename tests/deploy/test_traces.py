"""Traces of real runs: what a collector is sent by one process, by several, and by those that take a run up again."""

import signal
import sys
from asyncio import create_subprocess_exec, to_thread
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from palaver_deploy.tracing import UNTRACED, check_otlp, traces
from palaver_observability.tracing.ids import root_of, trace_of
from palaver_protocols.errors import UsageError
from tests.collector import SpanSeen, collecting
from tests.deploy.children import Oracle, asked, child, lines, until_taken
from tests.deploy.conftest import Palaver
from tests.deploy.test_fleet import said_by, served
from tests.redis_server import RedisServer, free_port, fresh_bus


def by_kind(spans: list[SpanSeen]) -> tuple[list[SpanSeen], list[SpanSeen], list[SpanSeen]]:
    """Sort spans into episodes, turns and calls."""
    kinds = ("invoke_workflow", "invoke_agent", "chat")
    assert {span.name.split()[0] for span in spans} <= set(kinds)
    episodes, turns, calls = ([span for span in spans if span.name.startswith(kind)] for kind in kinds)
    return episodes, turns, calls


def check_whole(spans: list[SpanSeen], folder: Path) -> None:
    """See that every episode is one trace with one root, and that every turn and every call of it is in its place."""
    records = {line["episode_id"]: line for line in lines(folder / "episodes.jsonl")}
    episodes, turns, calls = by_kind(spans)
    assert len({span.id for span in spans}) == len(spans)
    roots = {span.attributes["palaver.episode"]: span for span in episodes}
    assert roots.keys() == records.keys()
    assert len(episodes) == len(records)
    for episode_id, root in roots.items():
        assert root.trace == f"{trace_of(folder.name, episode_id):032x}"
        assert (root.id, root.parent) == (f"{root_of(folder.name, episode_id):016x}", "")
        assert root.attributes["palaver.outcome"] == records[episode_id]["outcome"]
        mine = [span for span in turns if span.trace == root.trace]
        assert len(mine) == records[episode_id]["turns"]
        assert {span.parent for span in mine} == {root.id}
        assert all(root.start <= span.start <= span.end <= root.end for span in mine)
        assert sorted(span.parent for span in calls if span.trace == root.trace) == sorted(span.id for span in mine)


async def test_a_run_that_is_stopped_and_taken_up_again_is_one_trace_an_episode(home: Path, palaver: Palaver) -> None:
    oracle = Oracle(patience=8)
    async with asked(oracle) as agent, collecting() as collector:
        words = ("maze", "--agents", agent, "-n", "4", "-c", "2", "--set", "max_turns=6", "-q", "--out", "run")
        async with child("run", *words, "--otlp", collector.url, cwd=home) as process:
            await until_taken(home / "run", 8, process)
            await oracle.waited_for.wait()
            process.send_signal(signal.SIGINT)
            await process.communicate()
        before = list(collector.spans)
        assert by_kind(before)[0] == [], "no episode has ended"
        assert len(by_kind(before)[1]) == 8
        oracle.open.set()
        assert (await to_thread(palaver, "resume", "run", "-q", "--otlp", collector.url)).code == 0
    assert len(collector.spans) > len(before)
    check_whole(collector.spans, home / "run")
    call = by_kind(collector.spans)[2][0].attributes
    assert call["gen_ai.provider.name"] == "openai"
    assert call["gen_ai.request.model"] == "test-model"
    assert call["gen_ai.usage.input_tokens"] > 0
    assert not [span for span in collector.spans if "thinking of" in str(span.attributes)]


async def test_agents_and_game_masters_of_a_bus_record_one_trace_an_episode_together(
    redis_server: RedisServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_BROKER", fresh_bus(redis_server))
    monkeypatch.setenv("PALAVER_STATE", str(home / "state"))
    async with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=games")
        async with (
            served("agent", "--agent", "scripted", "--otlp", collector.url, cwd=home) as agent,
            served("gamemaster", "--otlp", collector.url, cwd=home) as gamemaster,
        ):
            async with child("run", "maze", "--agents", "scripted", "-n", "3", "-q", "--out", "run", cwd=home) as run:
                code, _, err = await said_by(run)
            assert code == 0, err
            assert [await gamemaster.stop(), await agent.stop()] == [0, 0]
    check_whole(collector.spans, home / "run")
    who = {span.name.split()[0]: span.service for span in collector.spans}
    assert who == {
        "invoke_workflow": "palaver-gamemaster",
        "invoke_agent": "palaver-gamemaster",
        "chat": "palaver-agent",
    }
    assert {headers.get("x-team") for headers in collector.headers} == {"games"}


async def test_without_traces_nothing_that_makes_them_is_imported(home: Path) -> None:
    program = (
        "import sys\nfrom palaver_deploy.cli import exit_code\n"
        "code = exit_code(['run', 'maze', '--agents', 'scripted', '-q', '--out', 'run'])\n"
        "heavy = ('opentelemetry.sdk.trace', 'opentelemetry.exporter', 'palaver_observability.tracing.spans')\n"
        "sys.exit(code or any(name.startswith(heavy) for name in sys.modules))"  # redis-py takes some of it by itself
    )
    process = await create_subprocess_exec(sys.executable, "-c", program, cwd=home, stdout=PIPE, stderr=PIPE)
    _, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert "traceparent" not in "".join(file.read_text() for file in (home / "run/transcripts").iterdir())


def test_a_run_is_not_held_up_by_a_collector_that_is_not_there(
    palaver: Palaver, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver_observability.tracing.exporting.FLUSH_S", 0.05)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    said = palaver("run", "maze", "--agents", "scripted", "-q", "--out", "run")
    assert said.code == 0
    assert "traces were lost" in said.err
    assert '"event":"traces"' in (home / "run" / "log.jsonl").read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--otlp", "localhost:4318"), "--otlp is no URL of a collector"),
        (("--otlp", "http://localhost:4318", "--broker", "redis://localhost"), "serve gamemaster --otlp"),
    ],
)
def test_what_cannot_be_traced_is_refused_before_anything_is_begun(
    palaver: Palaver, home: Path, words: tuple[str, ...], complaint: str
) -> None:
    said = palaver("run", "maze", "--agents", "scripted", "--out", "run", *words)
    assert said.code == 2
    assert complaint in said.complaint
    assert not (home / "run").exists()


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'palaver\[otel\]'"):
        check_otlp("http://localhost:4318")


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": " "},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_TRACES_EXPORTER": "none"},
    ],
)
def test_there_are_no_traces_unless_somebody_asks_for_them(environ: dict[str, str]) -> None:
    with traces("palaver-run", None, environ) as tracing:
        assert tracing is UNTRACED


def test_variables_that_are_meant_for_others_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "palaver_observability.tracing.exporting", None)
    with traces("palaver-run", None, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}) as tracing:
        assert tracing is UNTRACED
