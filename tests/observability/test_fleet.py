"""The fleet as people and programs see it."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest

from palaver_broker.board import Kind, Member, Queue, RunState, RunStatus
from palaver_observability.fleet import fleet_as_dict, print_fleet, seconds_left, waits_for
from palaver_observability.table import PLAIN_WIDTH
from palaver_protocols.runs import RunConfig
from tests.support import NOON

GPT = "openai/gpt-4.1-mini"


def a_status(
    state: RunState = "open", run_id: str = "maze-2026", agents: tuple[str, ...] = (GPT,), **changes: Any
) -> RunStatus:
    fields: dict[str, Any] = {
        "config": RunConfig(run_id=run_id, game="maze", agents=agents),
        "state": state,
        "recorder": "service",
        "total": 1000,
        "owed": 576,
        "playing": 12,
        "ended": 2,
        "archived": 410,
        "outcomes": {"failed": 30, "solved": 380, "error": 2},
        "tokens": 1_234_567,
        "cost_usd": 3.411,
        "submitted": NOON - timedelta(seconds=412),
    }
    return RunStatus(**{**fields, **changes})


def a_member(kind: Kind, name: str, **changes: Any) -> Member:
    fields: dict[str, Any] = {
        "kind": kind,
        "name": name,
        "consumer": f"{name}-0",
        "host": "gpu-17",
        "pid": 4711,
        "version": "0.1.0",
        "concurrency": 64,
        "about": {},
        "since": NOON - timedelta(minutes=90),
        "busy": 3,
    }
    return Member(**{**fields, **changes})


AGENT = a_member("agent", GPT)
GAMEMASTER = a_member("gamemaster", "gm-5f3a", about={"games": ["maze", "comma"]})
RECORDER = a_member("recorder", "service")
FLEET = [AGENT, GAMEMASTER, RECORDER]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(
    *statuses: RunStatus, members: list[Member] = FLEET, queues: tuple[Queue, ...] = (), file: io.StringIO | None = None
) -> str:
    file = io.StringIO() if file is None else file
    print_fleet(statuses, members, queues, file, now=NOON)
    return file.getvalue()


# -- what a run waits for


def test_a_run_with_all_that_it_needs_waits_for_nobody() -> None:
    assert waits_for(a_status(), FLEET, [Queue(GPT, 5, 3, 2.0)]) is None


@pytest.mark.parametrize(
    ("status", "missing", "reason"),
    [
        (a_status(), AGENT, f"agent {GPT} is absent"),
        (a_status(agents=(GPT, "scripted", GPT)), None, "agent scripted is absent"),
        (a_status(), GAMEMASTER, "no game master"),
        (a_status(), RECORDER, "no recorder: 2 episodes wait"),
        (a_status(ended=1), RECORDER, "no recorder: 1 episode waits"),
        (a_status(owed=0, playing=0, ended=1000), RECORDER, "no recorder: 1,000 episodes wait"),
        (a_status(recorder="laptop"), None, "recorder laptop is absent: 2 episodes wait"),
        (a_status("loading"), None, "its submission: not all of its episodes are in"),
        (a_status("cancelled"), RECORDER, "no recorder: 2 episodes wait"),
    ],
)
def test_who_is_missing_is_named(status: RunStatus, missing: Member | None, reason: str) -> None:
    assert waits_for(status, [member for member in FLEET if member is not missing], []) == reason


@pytest.mark.parametrize(
    ("status", "missing"),
    [
        (a_status(ended=0), RECORDER),
        (a_status(owed=0, playing=0), AGENT),
        (a_status(owed=0, playing=0), GAMEMASTER),
        (a_status("cancelled"), AGENT),
        (a_status("cancelled"), GAMEMASTER),
    ],
)
def test_who_is_not_needed_is_not_waited_for(status: RunStatus, missing: Member) -> None:
    assert waits_for(status, [member for member in FLEET if member is not missing], []) is None


def test_a_finished_run_waits_for_nobody() -> None:
    assert waits_for(a_status("done", owed=0, playing=0, ended=0), [], []) is None


def test_everybody_who_is_missing_is_named_at_once() -> None:
    reason = waits_for(a_status(agents=(GPT, "random")), [], [Queue(GPT, 11, 1, 5.0), Queue("random", 0, 0, 0.0)])
    assert reason == (
        f"no game master; agent {GPT} is absent: 12 turns wait; agent random is absent; no recorder: 2 episodes wait"
    )


def test_a_game_that_no_game_master_knows_is_named() -> None:
    others = [a_member("gamemaster", f"gm-{game}", about={"games": [game]}) for game in ("comma", "toy")]
    assert waits_for(a_status(), [AGENT, RECORDER, *others], []) == "no game master knows game maze"
    assert waits_for(a_status(), [*FLEET, *others], []) is None


def test_a_game_master_that_names_no_games_is_trusted() -> None:
    assert waits_for(a_status(), [AGENT, RECORDER, a_member("gamemaster", "gm")], []) is None


# -- how long it takes


def test_the_time_left_is_judged_by_the_pace_so_far() -> None:
    assert seconds_left(a_status(), NOON) == pytest.approx(588)


@pytest.mark.parametrize(
    "status",
    [a_status(ended=0, archived=0), a_status("cancelled"), a_status("done"), a_status(submitted=NOON + timedelta(1))],
)
def test_without_a_pace_there_is_no_time(status: RunStatus) -> None:
    assert seconds_left(status, NOON) is None


# -- for people


def test_a_run_tells_all_about_itself() -> None:
    lines = shown(a_status()).splitlines()
    for line, facts in zip(
        lines[1:4],
        [
            ("maze-2026", "open", "━━━━━━━━", "380 solved", "1.2M tokens"),
            ("maze", "10 min left", "412/1,000", "30 failed", "$3.41"),
            ("12 playing", "2 error"),
        ],
        strict=True,
    ):
        for fact in facts:
            assert fact in line


def test_the_bar_is_as_long_as_what_is_done() -> None:
    lengths = [shown(a_status(ended=0, archived=done)).count("━") for done in (0, 500, 1000)]
    assert lengths == [0, 10, 20]


def test_agents_and_their_queues() -> None:
    members = [*FLEET, a_member("agent", GPT, consumer="other", busy=60), a_member("agent", "optimal", busy=0)]
    text = shown(members=members, queues=(Queue(GPT, 1500, 63, 61.0), Queue("vllm/gone", 4, 0, 7200.0)))
    agents = {line.split()[0]: line.split()[1:] for line in text.splitlines() if "/" in line}
    assert agents[GPT] == ["2", "63/128", "1,500", "63", "1", "min"]
    assert agents["optimal"] == ["1", "0/64", "0", "0", "-"]
    assert agents["vllm/gone"] == ["0", "0/0", "4", "0", "2", "h", "00", "min"]


def test_game_masters_and_recorders() -> None:
    lines = shown().splitlines()
    assert " ".join(lines[-2].split()) == "game master gm-5f3a gpu-17 4711 3/64 1 h 30 min maze, comma"
    assert lines[-1].split()[:4] == ["recorder", "service-0", "gpu-17", "4711"]


def test_the_doors_for_programs_of_others_are_services_too() -> None:
    gateway = GAMEMASTER._replace(kind="gateway", name="edge", about={})
    lines = shown(members=[AGENT, GAMEMASTER, gateway]).splitlines()
    assert lines[-1].split()[:4] == ["gateway", "edge", "gpu-17", "4711"]
    told = fleet_as_dict([], [AGENT, gateway], [], now=NOON)
    assert [door["name"] for door in told["doors"]] == ["edge"]


def test_services_of_one_kind_are_told_apart() -> None:
    gateways = [
        GAMEMASTER._replace(kind="gateway", name="gateway", consumer=name, about={"listen": f"0.0.0.0:{port}"})
        for name, port in (("edge", 8801), ("gateway-gpu-17-8802", 8802))
    ]
    recorders = [RECORDER._replace(consumer=f"gpu-17-{pid}", about={"out": f"/runs/{pid}"}) for pid in (1, 2)]
    text = shown(members=[*gateways, *recorders])
    for name in ("edge", "0.0.0.0:8801", "gateway-gpu-17-8802", "0.0.0.0:8802", "gpu-17-1", "/runs/2"):
        assert name in text.split()
    assert "gateway gateway " not in " ".join(text.split())


def test_what_runs_wait_for_stands_below_them() -> None:
    text = shown(a_status(), a_status(run_id="fine", agents=(GPT,), ended=0), members=[AGENT, GAMEMASTER])
    assert "maze-2026 waits: no recorder: 2 episodes wait" in text.splitlines()
    assert "fine waits" not in text


def test_an_empty_bus_says_so() -> None:
    assert shown(members=[]).split("\n") == ["no runs", "", "no agents", "", "no game masters", ""]


@pytest.mark.parametrize("columns", [80, 132])
def test_everything_is_whole_on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "dumb")
    long = a_status(
        run_id="collaboration-gap-table-2-seed-17",
        agents=("openrouter/deepseek/deepseek-r1-distill-llama-70b", "anthropic/claude-sonnet-4-20250514"),
        total=100_000,
        owed=98_000,
        playing=1_000,
        ended=1_000,
        archived=0,
        outcomes={"solved": 10_000, "failed": 20_000, "aborted": 12_345, "crashed": 45_678, "error": 5, "budget": 7},
        tokens=987_654_321,
        cost_usd=12_345.67,
        submitted=NOON - timedelta(hours=2),
    )
    gamemaster = a_member(
        "gamemaster",
        "gm-5f3a9b2c7d1e",
        host="node-0017.cluster.example.org",
        pid=4_194_304,
        busy=1_000,
        concurrency=1_000,
        about={"games": ["maze", "comma", "matchit", "ivispar"]},
    )
    queues = (Queue("openrouter/deepseek/deepseek-r1-distill-llama-70b", 12_345, 1_000, 7_384.0),)
    text = shown(long, members=[gamemaster], queues=queues, file=Terminal())
    assert max(len(line) for line in text.splitlines()) <= columns
    assert "…" not in text
    flat = " ".join(text.split())
    for fact in (
        "198 h 00 min left", "1,000/100,000", "1,000 playing", "45,678 crashed", "987.7M tokens", "$12,345.67",
        "12,345", "2 h 03 min", "4194304", "1,000/1,000", "agent anthropic/claude-sonnet-4-20250514 is absent",
    ):  # fmt: skip
        assert fact in flat


def test_plain_text_has_no_colours_and_fits_a_page() -> None:
    text = shown(a_status(), members=[GAMEMASTER])
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines()) <= PLAIN_WIDTH


def test_names_do_not_steer_the_terminal() -> None:
    nasty = "\x1b[2J[bold]x"
    text = shown(
        a_status(agents=(nasty,)), members=[a_member("agent", nasty), a_member("gamemaster", nasty, host=nasty)]
    )
    assert "\x1b" not in text
    assert "[bold]x" in text


# -- for programs


def test_programs_get_plain_values() -> None:
    told = fleet_as_dict([a_status()], [AGENT, GAMEMASTER], [Queue(GPT, 1, 2, 3.5), Queue("gone", 1, 0, 9.0)], now=NOON)
    assert json.loads(json.dumps(told)) == told
    run = told["runs"][0]
    assert (run["run_id"], run["game"], run["agents"], run["priority"]) == ("maze-2026", "maze", [GPT], 0)
    assert (run["state"], run["recorder"], run["outcomes"]["solved"]) == ("open", "service", 380)
    assert [run[name] for name in ("total", "owed", "playing", "ended", "archived")] == [1000, 576, 12, 2, 410]
    assert (run["tokens"], run["cost_usd"]) == (1_234_567, 3.411)
    assert run["submitted"] == (NOON - timedelta(seconds=412)).isoformat()
    assert run["seconds_left"] == pytest.approx(588)
    assert run["waits_for"] == "no recorder: 2 episodes wait"
    gone, gpt = told["agents"]
    assert gone == {"agent": "gone", "unread": 1, "pending": 0, "oldest_s": 9.0, "replicas": []}
    assert [replica["consumer"] for replica in gpt["replicas"]] == [f"{GPT}-0"]
    assert told["gamemasters"][0]["about"] == {"games": ["maze", "comma"]}
    assert told["recorders"] == []
