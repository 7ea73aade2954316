"""`palaver run`: what it leaves, what it asks, what it refuses."""

import asyncio
import gzip
import hashlib
import json
import re
import socket
import sys
from asyncio import to_thread
from pathlib import Path

import aiohttp
import pytest
import yaml

from palaver_observability.folder import RunFolder
from tests.agents.providers.openai_server import OpenAIServer, completion, json_answer
from tests.deploy.children import Oracle, asked, child, lines
from tests.deploy.conftest import Palaver

SOLO = ("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-q")
FOLDER = ["blobs", "config.yaml", "episodes.jsonl", "log.jsonl", "summary.json", "transcripts"]


# -- what it leaves


def test_a_run_leaves_a_folder_and_prints_a_table(palaver: Palaver) -> None:
    said = palaver(*SOLO, "-n", 3, "--out", "run")

    assert (said.code, said.err) == (0, "")
    assert "3 solved" in said.out
    assert said.out.endswith("\nrun folder: run\n")
    assert sorted(file.name for file in Path("run").iterdir() if file.name[0] != ".") == FOLDER
    assert [record["outcome"] for record in lines(Path("run", "episodes.jsonl"))] == ["solved"] * 3


def test_the_config_holds_every_option_of_the_game(palaver: Palaver) -> None:
    palaver(*SOLO, "--set", "density=0.2", "--out", "run")

    config = yaml.safe_load(Path("run", "config.yaml").read_text())

    assert config["options"] == {
        "setting": "solo-full",
        "size": 6,
        "density": 0.2,
        "min_path": None,
        "max_path": None,
        "max_turns": 50,
        "instances": None,
        "agents": 2,
        "cover": 1,
        "order": "round-robin",
    }
    assert (config["agents"], config["episodes"], config["seed"], config["protocol"]) == (["optimal"], 1, 0, "prefixes")


def test_runs_without_a_name_do_not_meet(palaver: Palaver) -> None:
    folders = {palaver(*SOLO, "--json").document["folder"] for _ in range(3)}

    assert len(folders) == 3
    assert all(re.fullmatch(r"runs/maze-\d{8}-\d{6}-[0-9a-f]{4}", folder) for folder in folders)


def test_json_is_one_document_and_progress_goes_elsewhere(palaver: Palaver) -> None:
    said = palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-n", 2, "--json", "--out", "run")

    assert {key: said.document[key] for key in ("run_id", "folder", "outcomes")} == {
        "run_id": "run",
        "folder": "run",
        "outcomes": {"solved": 2},
    }
    assert said.document["rows"][0]["scores"]["success"]["mean"] == 1.0
    assert "2/2 episodes (2 solved), 4 turns" in said.err


def test_the_same_seed_gives_the_same_run_and_another_one_another(palaver: Palaver) -> None:
    def instances(*words: str) -> list[str]:
        folder = palaver(*SOLO, "-n", 4, "--json", *words).document["folder"]
        return sorted(record["instance_id"] for record in lines(Path(folder, "episodes.jsonl")))

    assert instances() == instances("--seed", "0") != instances("--seed", "1")


# -- whom it asks


async def test_two_models_play_a_maze_with_the_key_of_dotenv(palaver: Palaver, home: Path) -> None:
    (home / ".env").write_text("OPENAI_API_KEY=sk-from-dotenv\n")
    (home / "mazes.jsonl").write_text(json.dumps({"grid": ["@.", "#*"]}) + "\n")
    texts = ["Shall we move right to r1c2?", "Yes. Then down to r2c2?", "Agreed. ACTI!"]
    async with OpenAIServer() as server:
        server.will(*(json_answer(completion(text)) for text in texts))
        agent = f"openai/test-model@{server.base_url.removesuffix('/v1')}"
        words = ("--set", "instances=mazes.jsonl", "--temperature", "0.5", "--max-tokens", 99, "--out", "run")
        said = await to_thread(palaver, "run", "maze", "--agents", agent, *words)

    assert (said.code, said.err.count("\n")) == (0, 1)
    assert [call.headers["Authorization"] for call in server.asked] == ["Bearer sk-from-dotenv"] * 3
    assert {(call.body["model"], call.body["temperature"]) for call in server.asked} == {("test-model", 0.5)}
    (record,) = lines(home / "run" / "episodes.jsonl")
    assert (record["outcome"], record["turns"], record["scores"]["weighted_outcome"]) == ("solved", 3, 1.0)
    assert record["seats"]["agent_1"] == [{"agent": agent, "model": "gpt-test-2026-01-01", "from_turn": 0}]
    assert record["usage"] == {
        "agent_1": {"input_tokens": 240, "output_tokens": 90, "reasoning_tokens": 64, "cached_tokens": 128},
        "agent_2": {"input_tokens": 120, "output_tokens": 45, "reasoning_tokens": 32, "cached_tokens": 64},
    }
    assert re.search(r"\b495\s*$", said.out, re.MULTILINE), "the tokens are in the table"


async def test_what_a_run_cost_is_said_where_the_price_is_known(palaver: Palaver, home: Path) -> None:
    (home / "mazes.jsonl").write_text(json.dumps({"grid": ["@.", "#*"]}) + "\n")
    words = ("--set", "instances=mazes.jsonl", "-q", "--out", "run")
    async with OpenAIServer() as server:
        server.will(*[json_answer(completion("Right, then down. ACTI!"))] * 2)
        place = server.base_url.removesuffix("/v1")
        priced = await to_thread(palaver, "run", "maze", "--agents", f"openai/gpt-4.1@{place}", *words)
        unpriced = await to_thread(palaver, "run", "maze", "--agents", f"vllm/m@{place}", *words[:-1], "other")

    assert "\ncost: $0.0005\n" in priced.out, "56 new, 64 cached and 45 written tokens"
    assert f"\ncost: unknown, since no price is known for vllm/m@{place} (add it to" in unpriced.out
    assert [lines(home / run / "episodes.jsonl")[0]["cost_usd"] for run in ("run", "other")] == [
        pytest.approx((56 * 2 + 64 * 0.5 + 45 * 8) / 1e6),
        None,
    ]


async def test_with_a_cache_a_run_that_was_played_costs_nothing(
    palaver: Palaver, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_CACHE", str(home / "cache"))
    (home / "mazes.jsonl").write_text(json.dumps({"grid": ["@.", "#*"]}) + "\n")
    async with OpenAIServer() as server:
        texts = ["Shall we move right to r1c2?", "Yes. Then down to r2c2?", "Agreed. ACTI!"]
        server.will(*(json_answer(completion(text)) for text in texts))
        agent = f"openai/gpt-4.1@{server.base_url.removesuffix('/v1')}"
        words = ("run", "maze", "--agents", agent, "--set", "instances=mazes.jsonl", "--cache", "-q", "--out")
        first, second = [await to_thread(palaver, *words, folder) for folder in ("first", "second")]

    assert (first.code, second.code, len(server.asked)) == (0, 0, 3)
    paid, free = (lines(home / folder / "episodes.jsonl")[0] for folder in ("first", "second"))
    assert paid["cost_usd"] > 0 == free["cost_usd"]
    assert (free["outcome"], free["turns"]) == (paid["outcome"], paid["turns"]) == ("solved", 3)
    turns = [entry for entry in lines(next((home / "second" / "transcripts").iterdir())) if "reply" in entry]
    assert {turn["reply"]["cached"] for turn in turns} == {True}
    for turn in turns:
        sha = turn["reply"]["sent"]
        sent = gzip.decompress((home / "cache" / "sent" / sha[:2] / f"{sha}.gz").read_bytes())
        assert json.loads(sent)["model"] == "gpt-4.1"
        assert hashlib.sha256(sent).hexdigest() == sha


@pytest.mark.parametrize("agents", ["vllm/m@http://127.0.0.1:9", "scripted@usd:0.5>vllm/m@http://127.0.0.1:9"])
def test_dollars_that_cannot_be_counted_bound_nothing(palaver: Palaver, agents: str) -> None:
    bound = () if "usd" in agents else ("--budget-usd", "1")
    said = palaver("run", "maze", "--agents", agents, *bound, "--out", "run")
    assert said.code == 2
    assert "no price is known for vllm/m@http://127.0.0.1:9: its dollars cannot be counted" in said.complaint
    assert not Path("run").exists()


async def test_the_environment_goes_before_dotenv(
    palaver: Palaver, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".env").write_text("OPENAI_API_KEY=sk-from-dotenv\n")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-shell")
    async with OpenAIServer() as server:
        words = ("--agents", f"openai/m@{server.base_url}", "--set", "max_turns=1", "-q")
        await to_thread(palaver, "run", "maze", *words)
    assert [call.headers["Authorization"] for call in server.asked] == ["Bearer sk-from-the-shell"]


def test_an_endpoint_that_is_not_there_is_an_error_of_the_run(palaver: Palaver) -> None:
    with socket.socket() as bound:  # and not listening: refused for as long as it is bound
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        said = palaver("run", "maze", "-a", f"openai/x@{url}", "-n", 2, "--tries", 1, "--timeout", 5, "-q", "--json")

    assert said.code == 1
    assert said.document["outcomes"] == {"error": 2}
    assert said.err.count("\n") == 1
    assert f"{url}/v1 cannot be reached" in said.err
    assert "2 of 2 episodes ended with errors" in said.err


def test_the_sdk_is_missed_before_anything_is_written(
    palaver: Palaver, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.delitem(sys.modules, "palaver_agents.providers.openai_compatible", raising=False)

    said = palaver("run", "maze", "-a", "vllm/x")

    assert said.code == 2
    assert said.complaint.startswith("vllm/x needs the openai package: ")
    assert said.complaint.endswith("(pip install 'palaver[openai]')")
    assert list(home.iterdir()) == []


# -- what it refuses

REFUSED = {
    "a game": (("maz", "-a", "random"), "there is no game and no suite 'maz' (did you mean maze?)"),
    "no agents": (
        ("maze",),
        "no agents were given (for example --agents scripted; `palaver list agents` names more)",
    ),
    "an agent": (
        ("maze", "-a", "scriptd"),
        "there is no agent 'scriptd' (did you mean 'scripted'? see `palaver list agents`)",
    ),
    "a player": (("maze", "-a", "scripted/latin"), r"maze has no player 'scripted/latin' \(it has: random, .*\)"),
    "a person without a page": (
        ("maze", "-a", "human"),
        r"nobody can sit down .* \(add --watch, .*: palaver play GAME\|DIR\)",
    ),
    "a missing key": (
        ("maze", "-a", "openai/gpt-4.1"),
        "openai/gpt-4.1 needs a key (set OPENAI_API_KEY or put it into .env)",
    ),
    "too many agents": (
        ("maze", "-a", "random,random,random"),
        "3 agents were given for 2 seats (agent_1, agent_2) (give one agent for all seats, or one for each)",
    ),
    "an option of the game": (("maze", "-a", "random", "--set", "colour=1"), r"maze has no option 'colour' .*"),
    "its value": (
        ("maze", "-a", "random", "--set", "size=abc"),
        r"maze: option size cannot be 'abc': Input should be a valid integer.*",
    ),
    "no key=value": (
        ("maze", "-a", "random", "--set", "size"),
        "--set 'size' is no key=value (write, for example, --set size=8)",
    ),
    "broken YAML": (("maze", "-a", "random", "--set", "size=[1"), r"maze: option size cannot be '\[1': .*"),
    "a date that is none": (("maze", "-a", "random", "--set", "size=2020-13-45"), r"maze: option size cannot be .*"),
    "a missing file of mazes": (
        ("maze", "-a", "random", "--set", "instances=no.jsonl"),
        "cannot read the mazes of .*/no.jsonl: No such file or directory .name a JSON or JSONL file.",
    ),
    "a temperature": (("maze", "-a", "random", "--temperature", "-1"), r"sampling.temperature cannot be -1.0: .*"),
    "a timeout": (("maze", "-a", "random", "--timeout", "nan"), r"timeout_s cannot be nan: .*"),
    "a misspelt option": (
        ("maze", "-a", "random", "--concurency", "3"),
        "No such option '--concurency'. Did you mean '--concurrency'? (see `palaver run --help`)",
    ),
    "no number": (("maze", "-a", "random", "-n", "many"), r"Invalid value for '--episodes' / '-n': .*"),
    "another bus": (
        ("maze", "-a", "random", "--broker", "mqtt://localhost"),
        "a bus is not at mqtt:// (use redis://; agents that speak MQTT come in by `palaver serve mqtt`)",
    ),
    "no bus": (
        ("maze", "-a", "random", "--broker", "amqp://me:secret@host"),
        "there is no bus 'amqp' (use memory:// or redis://HOST:PORT)",
    ),
    "a folder below a file": (
        ("maze", "-a", "random", "--out", "/dev/null/run"),
        "cannot write to /dev/null/run: Not a directory (give another folder)",
    ),
    "a read-only place": (
        ("maze", "-a", "random", "--out", "/proc/run"),
        "cannot write to /proc/run: No such file or directory (give another folder)",
    ),
    "the root": (("maze", "-a", "random", "--out", "/"), "/ cannot be a run folder (give a new folder)"),
}


@pytest.mark.parametrize(("words", "why"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_one_line_and_leaves_nothing_behind(
    palaver: Palaver, home: Path, words: tuple[str, ...], why: str
) -> None:
    said = palaver("run", *words)

    assert said.code == 2
    assert said.complaint == why or re.fullmatch(why, said.complaint)
    assert list(home.iterdir()) == []


def test_there_can_be_fewer_instances_than_episodes(palaver: Palaver) -> None:
    Path("mazes.jsonl").write_text('{"grid": ["@.", "#*"]}\n' * 2)

    said = palaver(*SOLO, "-n", 3, "--set", "instances=mazes.jsonl")

    assert (said.code, said.complaint) == (2, "maze has 2 instances, 3 episodes were asked for (use -n 2)")


def test_the_folder_of_another_run_is_refused(palaver: Palaver) -> None:
    assert palaver(*SOLO, "--out", "run").code == 0

    said = palaver(*SOLO, "--out", "run", "--seed", 7)

    assert said.code == 2
    assert "run holds another run, run (another seed)" in said.complaint


def test_a_folder_of_something_else_is_refused(palaver: Palaver) -> None:
    Path("thesis").mkdir()
    Path("thesis", "chapter.tex").touch()

    said = palaver(*SOLO, "--out", "thesis")

    assert (said.code, said.complaint) == (
        2,
        "thesis is no run folder and not empty (chapter.tex) (give a new folder)",
    )


def test_the_same_command_goes_on_with_the_same_run(palaver: Palaver) -> None:
    first = palaver(*SOLO, "-n", 2, "--out", "run", "--json").document
    before = Path("run", "episodes.jsonl").read_bytes()

    assert palaver(*SOLO, "-n", 2, "--out", "run", "--json").document == first
    assert Path("run", "episodes.jsonl").read_bytes() == before


@pytest.mark.parametrize("damage", ["directory", "no text"])
def test_a_dotenv_that_cannot_be_read_is_named(palaver: Palaver, home: Path, damage: str) -> None:
    if damage == "directory":
        (home / ".env").mkdir()
        assert palaver(*SOLO).code == 0
    else:
        (home / ".env").write_bytes(b"\xff\xfe")
        said = palaver(*SOLO)
        assert (said.code, said.complaint) == (
            2,
            ".env cannot be read: it is no UTF-8 text (write KEY=value, one a line)",
        )


# -- --dry-run


def test_a_dry_run_says_what_would_be_played_and_does_nothing(palaver: Palaver, home: Path) -> None:
    words = ("run", "maze", "-a", "openai/o3,openai/gpt-4.1-mini", "-n", 100, "--seed", 3, "--temperature", 0.5)

    said = palaver(*words, "--dry-run")

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(
        "game       maze, variant pair\n"
        "episodes   100\n"
        "instances  6x6-d30-s3-00000 to 6x6-d30-s3-00099\n"
        "seats      agent_1=openai/o3, agent_2=openai/gpt-4.1-mini\n"
        "options    setting=pair, size=6, density=0.3, max_turns=50, agents=2, cover=1, order=round-robin\n"
        "protocol   prefixes\n"
        "sampling   temperature=0.5\n"
        "calls      about "
    )
    assert ", at most 5,000, tries not counted\ntokens     openai/o3: about " in said.out
    assert "\ncost       about $" in said.out
    assert said.out.endswith("\nThis was a dry run: nobody was asked, nothing was written.\n")
    assert list(home.iterdir()) == []


def test_a_dry_run_for_programs(palaver: Palaver) -> None:
    facts = palaver("run", "maze", "-a", "openai/o3", "-n", 7, "--set", "max_turns=9", "--dry-run", "--json").document

    assert (facts["episodes"], facts["turn_limit"], facts["calls_at_most"]) == (7, 9, 63)
    assert facts["seats"] == {"agent_1": "openai/o3", "agent_2": "openai/o3"}
    assert facts["options"]["density"] == 0.3


@pytest.mark.parametrize("agent", ["scripted/latin", "replay/nothing-there", "nobody"])
def test_a_dry_run_knows_who_is_unknown(palaver: Palaver, agent: str) -> None:
    assert palaver("run", "maze", "-a", agent, "--dry-run").code == 2


# -- metrics


async def test_metrics_are_served_while_it_runs(home: Path) -> None:
    oracle = Oracle(patience=5)
    async with asked(oracle) as agent, aiohttp.ClientSession() as browser:
        words = ("--agents", agent, "--set", "max_turns=6", "--metrics-port", "0", "--out", "run")
        async with child("run", "maze", *words, cwd=home) as process:
            assert process.stderr is not None
            line = (await process.stderr.readline()).decode()
            found = re.fullmatch(r"metrics at (http://localhost:\d+/metrics)\n", line)
            assert found
            await oracle.waited_for.wait()
            text = await (await browser.get(found[1].replace("localhost", "127.0.0.1"))).text()
            oracle.open.set()
            assert await process.wait() == 0

    tokens = [line for line in text.splitlines() if line.startswith("palaver_tokens_total{") and 'kind="input"' in line]
    assert sorted((re.findall('seat="(.*?)"', line)[0], line.split()[-1]) for line in tokens) == [
        ("agent_1", "360.0"),
        ("agent_2", "240.0"),
    ]


def test_a_port_in_use_is_named_before_anything_is_written(palaver: Palaver, home: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        said = palaver(*SOLO, "--metrics-port", port)

    assert (said.code, said.complaint) == (
        2,
        f"port {port} cannot serve metrics: Address already in use (choose another --metrics-port)",
    )
    assert list(home.iterdir()) == []


def test_a_run_is_closed_behind_itself(palaver: Palaver) -> None:
    palaver(*SOLO, "--metrics-port", 0, "--out", "run")

    async def lock_it() -> None:
        async with RunFolder.open(Path("run")) as folder:
            folder.lock()

    asyncio.run(lock_it())


def test_without_a_number_of_episodes_what_there_is_is_played(palaver: Palaver) -> None:
    Path("mazes.jsonl").write_text('{"grid": ["@.", "#*"]}\n')

    refused = palaver(*SOLO, "-n", 2, "--set", "instances=mazes.jsonl", "--out", "run")
    assert refused.complaint == "maze has 1 instance, 2 episodes were asked for (use -n 1)"

    wires = [json.dumps({"puzzle": "wire", "setup": {"wires": ["red", "blue", "white"], "serial": "AB1"}})] * 2
    for count in (1, 2):
        Path("wires.jsonl").write_text("\n".join(wires[:count]))
        said = palaver("run", "comma", "-a", "random", "--set", "instances=wires.jsonl", "-q", "--out", f"run{count}")
        assert (said.code, len(lines(Path(f"run{count}", "episodes.jsonl")))) == (0, count), said.err
        assert palaver("resume", f"run{count}", "-q").code == 0
