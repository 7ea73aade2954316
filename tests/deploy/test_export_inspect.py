"""`palaver export --to inspect`: logs that Inspect itself reads, lists, sums up and serves."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp
import pytest

from palaver_observability.folder import RunFolder
from palaver_observability.stats import summarize
from tests.deploy.conftest import Palaver
from tests.deploy.exported_runs import a_log, a_run, end, person, said, usual_run

pytest.importorskip("inspect_ai")
pytestmark = pytest.mark.filterwarnings("default::DeprecationWarning", "default::ResourceWarning")

from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log, read_eval_log_sample_summaries  # noqa: E402 - it may not be there


def the_log(folder: str) -> EvalLog:
    (found,) = list_eval_logs(folder)
    return read_eval_log(found.name, resolve_attachments=True)


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples is not None
    return list(log.samples)


@pytest.fixture(scope="module")
def comma(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an exported run of COMMA, played by scripts; the run lies beside it."""
    from palaver_deploy.cli import exit_code

    home = tmp_path_factory.mktemp("inspect")
    run, out = home / "run", home / "out"
    assert exit_code(["run", "comma", "-a", "random,scripted", "-n", "11", "-q", "--out", str(run)]) == 0
    assert exit_code(["export", str(run), "--to", "inspect", "--out", str(out), "-q"]) == 0
    return out


def test_a_run_is_one_log_that_inspect_lists_and_reads(comma: Path) -> None:
    log = the_log(str(comma))
    assert (log.status, log.eval.task, log.eval.model) == ("success", "comma", "random + scripted")
    assert log.eval.model_roles is not None
    assert {seat: role.model for seat, role in log.eval.model_roles.items() if not isinstance(role, list)} == {
        "solver": "random",
        "expert": "scripted",
    }
    assert log.eval.dataset.samples == 11
    assert len(samples(log)) == 11


def test_scores_and_means_are_those_of_our_own_tables(comma: Path) -> None:
    log = the_log(str(comma))
    records = RunFolder.open(comma.parent / "run").records()
    scores = {(each.metadata["episode_id"]): each.scores for each in samples(log)}
    for record in records:
        defined = {name: value for name, value in record.scores.items() if value is not None}
        assert {name: score.value for name, score in (scores[record.episode_id] or {}).items()} == defined
    assert log.results is not None
    assert log.results.scores[0].name == "partial_success"
    by_variant = log.results.scores[0].metadata
    assert by_variant == {
        "mean by variant": {row.variant: row.scores["partial_success"].mean for row in summarize(records)}
    }
    means = list(by_variant["mean by variant"].values())
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(sum(means) / len(means))
    assert "stderr" in log.results.scores[0].metrics


def test_the_dialogue_and_the_calls_hold_what_was_said_and_shown(comma: Path) -> None:
    sample = samples(the_log(str(comma)))[0]
    log = RunFolder.open(comma.parent / "run").read_log(sample.metadata["episode_id"])
    replies = [entry.reply for entry in log if entry.type == "turn.taken"]
    assert [message.text for message in sample.messages if message.role == "assistant"] == [
        f"[{reply.seat}]\n\n\n{reply.text}" for reply in replies
    ]
    calls = [event for event in sample.events if event.event == "model"]
    assert [(call.role, call.output.completion) for call in calls] == [(reply.seat, reply.text) for reply in replies]
    pictures = [
        part.image for part in calls[0].input[0].content_list + calls[0].input[-1].content_list if part.type == "image"
    ]
    assert pictures
    assert all(picture.startswith("data:image/png;base64,") for picture in pictures)
    assert len(calls[2].input[0].text) >= len(calls[0].input[0].text)


def test_the_same_run_gives_the_same_names(comma: Path, palaver: Palaver) -> None:
    palaver("export", comma.parent / "run", "--to", "inspect", "--out", "again", "--limit", 1)
    first, again = samples(the_log(str(comma))), samples(the_log("again"))
    same = next(each for each in first if each.id == again[0].id)
    assert (same.uuid, [event.uuid for event in same.events]) == (
        again[0].uuid,
        [each.uuid for each in again[0].events],
    )


def test_tokens_are_counted_by_agent_and_by_seat_as_inspect_counts_them(palaver: Palaver, home: Path) -> None:
    usual_run(home / "run")
    palaver("export", "run", "--to", "inspect", "--out", "out")
    sample = next(each for each in samples(the_log("out")) if each.id == "toy-0")
    usage = {
        agent: (each.input_tokens, each.input_tokens_cache_read, each.total_tokens, each.total_cost)
        for agent, each in sample.model_usage.items()
    }
    assert usage == {"openai/o3": (6, 4, 11, 0.25), "human": (32, 8, 44, 0.5)}
    assert {seat: each.output_tokens for seat, each in sample.role_usage.items()} == {"guide": 1, "finder": 4}


def test_what_was_paid_for_elsewhere_is_not_counted_again(palaver: Palaver, home: Path) -> None:
    usual_run(home / "run")
    palaver("export", "run", "--to", "inspect", "--out", "out")
    sample = next(each for each in samples(the_log("out")) if each.id == "toy-1")
    assert set(sample.model_usage) == {"human"}
    assert [(event.metadata or {}).get("copied_from") for event in sample.events if event.event == "model"] == [
        "old/toy-1",
        None,
    ]


def test_an_episode_that_ended_by_an_error_is_a_sample_with_one_and_counts_in_no_mean(
    palaver: Palaver, home: Path
) -> None:
    usual_run(home / "run")
    palaver("export", "run", "--to", "inspect", "--out", "out")
    log = the_log("out")
    broken = next(each for each in samples(log) if each.id == "toy-2")
    assert broken.error is not None
    assert (broken.error.message, broken.scores) == ("error: the provider is gone", None)
    assert log.status == "cancelled"
    assert log.results is not None
    assert (log.results.total_samples, log.results.completed_samples) == (3, 2)
    found = {score.name: (score.metrics["mean"].value, score.scored_samples) for score in log.results.scores}
    assert found == {"success": (0.5, 2), "speed": (0.5, 1)}


def test_what_is_said_behind_a_seat_is_marked(palaver: Palaver, home: Path) -> None:
    usual_run(home / "run")
    palaver("export", "run", "--to", "inspect", "--out", "out")
    sample = next(each for each in samples(the_log("out")) if each.id == "toy-0")
    texts = [message.text for message in sample.messages]
    assert "[member_1 to finder, behind the seat finder]\n\n\nRight, I think." in texts


def test_an_instance_that_is_played_again_is_another_epoch(palaver: Palaver, home: Path) -> None:
    logs = [a_log("run", f"toy-{at}", said(0, "guide", "Hm."), end(success=float(at))) for at in range(3)]
    again = [
        [log[0].model_copy(update={"instance_id": "i/0", "variant": "ab"[at // 2]}), *log[1:]]
        for at, log in enumerate(logs)
    ]
    a_run(home / "run", again)
    palaver("export", "run", "--to", "inspect", "--out", "out")
    assert sorted((each.id, each.epoch) for each in samples(the_log("out"))) == [
        ("a i|0", 1),
        ("a i|0", 2),
        ("b i|0", 1),
    ]


def test_a_handoff_by_hand_is_an_event(palaver: Palaver, home: Path) -> None:
    from palaver_protocols.messages import SeatChanged
    from tests.support import NOON

    change = SeatChanged(key="c", seat="finder", agent="scripted", at=NOON)
    a_run(home / "run", [a_log("run", "toy-0", said(0, "guide", "Hm."), change, person(1, "Yes."), end(success=1.0))])
    palaver("export", "run", "--to", "inspect", "--out", "out")
    (sample,) = samples(the_log("out"))
    (event,) = [event for event in sample.events if event.event == "info"]
    assert event.data == {"seat": "finder", "agent": "scripted", "how": "taken over by hand"}


def test_teams_are_folded_by_their_game(palaver: Palaver, home: Path) -> None:
    palaver("run", "maze", "-a", "team(lead=scripted,members=random),scripted", "-n", 1, "-q", "--out", "run")
    palaver("export", "run", "--to", "inspect", "--out", "out")
    (sample,) = samples(the_log("out"))
    calls = [event for event in sample.events if event.event == "model"]
    members = [call for call in calls if call.role == "member_1"]
    assert all((call.metadata or {})["behind"] == "agent_1" for call in members)
    assert all(len(call.input) >= 1 for call in calls)


def test_a_seat_whose_team_speaks_first_was_told_its_task_too(palaver: Palaver, home: Path) -> None:
    palaver("run", "maze", "-a", "team(lead=scripted,members=random),scripted", "-n", 1, "-q", "--out", "run")
    palaver("export", "run", "--to", "inspect", "--out", "out")
    (sample,) = samples(the_log("out"))
    assert not isinstance(sample.input, str)
    told = [message.text.split("\n", 1)[0] for message in sample.input]
    assert list(dict.fromkeys(told)) == ["[to agent_1]", "[to agent_2]"]


def test_summaries_hold_what_a_data_frame_of_samples_is_made_of(comma: Path) -> None:
    (found,) = list_eval_logs(str(comma))
    summaries = read_eval_log_sample_summaries(found.name)
    records = {record.episode_id: record for record in RunFolder.open(comma.parent / "run").records()}
    assert {each.metadata["episode_id"]: each.metadata["outcome"] for each in summaries} == {
        name: record.outcome for name, record in records.items()
    }
    assert {each.turn_count for each in summaries} == {record.turns for record in records.values()}


@contextmanager
def inspect_view(folder: Path) -> Iterator[str]:
    """Start Inspect's viewer on a free port; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("inspect")
    environ = {**os.environ, "HOME": str(folder.parent), "XDG_DATA_HOME": str(folder.parent)}
    process = subprocess.Popen(
        [program, "view", "start", "--log-dir", str(folder), "--port", str(port), "--display", "plain"],
        env=environ,
        cwd=folder.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


async def fetched(session: aiohttp.ClientSession, url: str) -> Any:
    """Get JSON from a server that may not have come up yet."""
    async with asyncio.timeout(40):
        while True:
            try:
                async with session.get(url) as answer:
                    assert answer.status == 200, (url, answer.status)
                    return json.loads(await answer.read())
            except aiohttp.ClientConnectorError:
                await asyncio.sleep(0.1)


async def test_inspect_view_lists_the_log_and_serves_a_sample(comma: Path) -> None:
    with inspect_view(comma) as address:
        async with aiohttp.ClientSession() as session:
            listing = await fetched(session, f"{address}/api/logs")
            (file,) = listing["files"]
            assert file["task"] == "comma"
            log = await fetched(session, f"{address}/api/logs/{quote(file['name'], safe='')}")
    assert {sample["scores"]["success"]["value"] for sample in log["samples"]} <= {0, 1}
    assert any("[solver]" in json.dumps(message["content"]) for message in log["samples"][0]["messages"])
