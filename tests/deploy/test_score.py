"""`palaver score`: a run scored again, from its transcripts, by its rules and by models."""

import asyncio
import json
import signal
from asyncio import to_thread
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from palaver_gamemasters.maze import GAME
from tests.agents.providers.openai_server import Answer, OpenAIServer, completion, error_answer, json_answer
from tests.deploy.children import child, lines, logs
from tests.deploy.conftest import Palaver

EPISODES = Path("run", "episodes.jsonl")


@pytest.fixture(autouse=True)
def run(palaver: Palaver) -> None:
    """A run of two episodes."""
    palaver("run", "maze", "-a", "optimal", "--set", "setting=solo-full", "-n", 2, "-q", "--out", "run")


def test_a_run_scored_again_comes_to_the_same(palaver: Palaver) -> None:
    before = EPISODES.read_bytes(), Path("run", "summary.json").read_bytes()

    said = palaver("score", "run")

    assert (said.code, said.err) == (0, "")
    assert "2 solved" in said.out
    assert (EPISODES.read_bytes(), Path("run", "summary.json").read_bytes()) == before


def test_records_that_were_tampered_with_are_mended(palaver: Palaver) -> None:
    before = EPISODES.read_bytes()
    EPISODES.write_bytes(before.replace(b'"solved"', b'"failed"').replace(b'"success":1.0', b'"success":0.0'))

    assert palaver("score", "run", "--json").document["outcomes"] == {"solved": 2}
    assert EPISODES.read_bytes() == before


def test_the_rules_of_today_count(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "outcome", lambda self, state: "failed" if not self.pending(state) else None)
    monkeypatch.setattr(type(GAME), "score", lambda self, state: {"success": 0.25})

    said = palaver("score", "run", "--json").document

    assert said["outcomes"] == {"failed": 2}
    assert {record["scores"]["success"] for record in lines(EPISODES)} == {0.25}


def test_what_is_not_over_by_the_rules_of_today_is_named(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    before = EPISODES.read_bytes()
    monkeypatch.setattr(type(GAME), "outcome", lambda self, state: None)

    said = palaver("score", "run")

    assert said.code == 2
    assert "is not over by the rules of today" in said.complaint
    assert EPISODES.read_bytes() == before


def test_errors_stay_errors(palaver: Palaver) -> None:
    first, second = lines(EPISODES)
    first |= {"outcome": "error", "error": "the network"}
    EPISODES.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")

    said = palaver("score", "run", "--json")

    assert (said.code, said.document["outcomes"]) == (1, {"error": 1, "solved": 1})
    assert "1 of 2 episodes ended with errors, the first: the network" in said.err


def test_a_transcript_that_is_gone_is_named(palaver: Palaver) -> None:
    logs(Path("run"))[0].unlink()

    said = palaver("score", "run")

    assert (said.code, said.complaint) == (2, "maze-solo-full-00000 cannot be scored: it has no transcript")


# -- by models

NOBODY_MOVED = "route: []"
PROSE = "They did well."
ROUTES = ("maze-solo-full-00000", "maze-solo-full-00001")


def says(text: str, **changes: Any) -> Answer:
    return json_answer(completion(text, **changes))


def records() -> dict[str, Any]:
    return {record["episode_id"]: record for record in lines(EPISODES)}


def kept() -> tuple[bytes, bytes]:
    """Return what the run folder says of the episodes."""
    return EPISODES.read_bytes(), Path("run", "summary.json").read_bytes()


def grading_folders() -> list[str]:
    return [file.name for file in Path("run", "gradings").glob("*")]


def summary_rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(Path("run", "summary.json").read_text())["rows"]
    return rows


def graders(record: dict[str, Any]) -> list[str]:
    return [grading["grader"] for grading in record["gradings"]]


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    """A model that says of every episode that nobody moved, unless it is told to say something else."""
    async with OpenAIServer() as server:
        server.otherwise = says(NOBODY_MOVED)
        yield server


def judge(server: OpenAIServer) -> str:
    return f"vllm/judge@{server.base_url.removesuffix('/v1')}"


def priced_judge(server: OpenAIServer) -> str:
    """Return a model whose price is known: an answer of 120 tokens (64 of them cached) and 45 costs $0.000504."""
    return f"openai/gpt-4.1@{server.base_url.removesuffix('/v1')}"


def test_what_a_grader_reads_counts_and_the_rules_are_kept_beside_it(palaver: Palaver) -> None:
    rules = records()

    said = palaver("score", "run", "--grader", "random", "-q", "--json")

    assert (said.code, said.err, said.document["outcomes"]) == (0, "", {"failed": 2})
    for episode_id, record in records().items():
        assert graders(record) == ["rules", "random"]
        assert record["gradings"][0]["scores"] == rules[episode_id]["scores"]
        assert record["scores"] == {**rules[episode_id]["scores"], **record["gradings"][1]["scores"]}
        assert (record["scores"]["success"], record["scores"]["messages"], record["error"]) == (0.0, 2.0, None)


def test_a_grader_that_reads_as_the_rules_do_changes_no_score(palaver: Palaver) -> None:
    before = {episode_id: record["scores"] for episode_id, record in records().items()}

    assert palaver("score", "run", "--grader", "scripted", "-q").code == 0
    assert {episode_id: record["scores"] for episode_id, record in records().items()} == before


def test_without_a_grader_the_rules_count_again_and_gradings_stay(palaver: Palaver) -> None:
    palaver("score", "run", "--grader", "random", "-q")

    said = palaver("score", "run", "--json")

    assert said.document["outcomes"] == {"solved": 2}
    assert [graders(record) for record in records().values()] == [["rules", "random"]] * 2


def test_graders_stand_beside_each_other_and_the_last_one_counts(palaver: Palaver) -> None:
    for grader in ("scripted", "random", "scripted"):
        palaver("score", "run", "--grader", grader, "-q")

    assert [graders(record) for record in records().values()] == [["rules", "random", "scripted"]] * 2
    assert {record["outcome"] for record in records().values()} == {"solved"}


async def test_each_vote_is_asked_for_once_and_the_majority_counts(palaver: Palaver, server: OpenAIServer) -> None:
    words = ("score", "run", "--grader", judge(server), "--votes", "3", "--temperature", "0.5", "-q")

    first = await to_thread(palaver, *words)
    asked = len(server.asked)
    again = await to_thread(palaver, *words)

    assert (first.code, first.err, again.code, asked, len(server.asked)) == (0, "", 0, 6, 6)
    assert {call.body["temperature"] for call in server.asked} == {0.5}
    grading = records()[ROUTES[0]]["gradings"][1]
    assert (len(grading["votes"]), grading["ungraded"], grading["usage"]["output_tokens"]) == (3, 0, 135)
    assert grading_folders()[0].endswith("-votes3-t0.5")


async def test_what_no_vote_can_be_used_of_counts_in_no_score(palaver: Palaver, server: OpenAIServer) -> None:
    server.otherwise = says(PROSE)

    said = await to_thread(palaver, "score", "run", "--grader", judge(server), "--reasks", "1", "-q", "--json")

    assert (said.code, said.document["outcomes"], len(server.asked)) == (0, {"solved": 2}, 4)
    assert "ungraded: 2 of 2 votes of vllm/judge" in said.err
    assert "the first: it holds no YAML" in said.err
    [row] = said.document["rows"]
    assert (row["n"], row["ungraded"], row["outcomes"]) == (0, 2, {})
    for record in records().values():
        assert (record["scores"]["success"], record["scores"]["weighted_outcome"], record["error"]) == (
            None,
            None,
            None,
        )
        assert (record["scores"]["messages"], record["gradings"][1]["ungraded"]) == (2.0, 1)
    assert row["scores"]["success"]["n"] == 0


async def test_some_answers_that_cannot_be_read_take_no_score_of_other_episodes(
    palaver: Palaver, server: OpenAIServer
) -> None:
    server.will(says(PROSE))

    said = await to_thread(palaver, "score", "run", "--grader", judge(server), "--reasks", "0", "-c", "1", "-q")

    assert (said.code, summary_rows()[0]["n"], summary_rows()[0]["ungraded"]) == (0, 1, 1)
    by_votes = {len(record["gradings"][1]["votes"]): record["scores"] for record in records().values()}
    assert by_votes == {
        0: {"success": None, "weighted_outcome": None, "moves": None, "messages": 2.0},
        1: {"success": 0.0, "weighted_outcome": 0.0, "moves": 0.0, "messages": 2.0},
    }


@pytest.fixture
def puzzles(palaver: Palaver) -> dict[str, Any]:
    """A run of two puzzles, and its records by the rules."""
    words = ("--set", "puzzle=wire", "--set", "modality=text")
    assert palaver("run", "comma", "-a", "scripted", *words, "-n", 2, "-q", "--out", "duo").code == 0
    return {record["episode_id"]: record for record in lines(PUZZLES)}


PUZZLES = Path("duo", "episodes.jsonl")
VERDICT = "```yaml\nerrors: [other]\nmain: other\nreason: so it is\n```"
NO_ERRORS = dict.fromkeys(
    ("error_roleplay", "error_misinterpretation", "error_repetition", "error_miscommunication", "error_other")
)


async def test_a_judge_of_errors_that_cannot_be_read_leaves_what_the_rules_say(
    palaver: Palaver, server: OpenAIServer, puzzles: dict[str, Any]
) -> None:
    server.otherwise = says(PROSE)

    said = await to_thread(palaver, "score", "duo", "--grader", judge(server), "--reasks", "0", "-q", "--json")

    [row] = said.document["rows"]
    assert (said.code, row["n"], row["ungraded"], said.document["outcomes"]) == (0, 2, 0, {"solved": 2})
    for record in lines(PUZZLES):
        rules = puzzles[record["episode_id"]]
        assert (record["scores"], record["outcome"]) == ({**rules["scores"], **NO_ERRORS}, rules["outcome"])


async def test_a_judge_of_errors_that_can_be_read_in_part_has_its_own_scores_alone(
    palaver: Palaver, server: OpenAIServer, puzzles: dict[str, Any]
) -> None:
    server.will(says(PROSE))
    server.otherwise = says(VERDICT)

    said = await to_thread(
        palaver, "score", "duo", "--grader", judge(server), "--reasks", "0", "-c", "1", "-q", "--json"
    )

    [row] = said.document["rows"]
    assert (row["n"], row["ungraded"], row["scores"]["error_other"]["n"]) == (2, 0, 1)
    assert row["scores"]["success"] == {**row["scores"]["success"], "n": 2, "mean": 1.0}
    found = {record["scores"]["error_other"]: record for record in lines(PUZZLES)}
    assert set(found) == {None, 1.0}
    assert found[None]["scores"] == {**puzzles[found[None]["episode_id"]]["scores"], **NO_ERRORS}


async def test_an_unreadable_answer_is_shown_to_its_grader_again(palaver: Palaver, server: OpenAIServer) -> None:
    server.will(says(PROSE))

    said = await to_thread(palaver, "score", "run", "--grader", judge(server), "-c", "1", "-q")

    assert (said.code, said.err, len(server.asked)) == (0, "", 3)
    task, answer, problem = server.asked[1].body["messages"]
    assert [message["role"] for message in (task, answer, problem)] == ["user", "assistant", "user"]
    assert (answer["content"], "it holds no YAML" in problem["content"]) == (PROSE, True)


async def test_a_provider_that_fails_for_good_leaves_the_run_as_it_was(palaver: Palaver, server: OpenAIServer) -> None:
    server.otherwise = error_answer(404, "The model `judge` does not exist", code="model_not_found")
    before = kept()

    said = await to_thread(palaver, "score", "run", "--grader", judge(server), "-q")

    assert said.code == 1
    assert "has graded no episode, all is as it was: " in said.complaint
    assert "does not exist" in said.complaint
    assert kept() == before


async def test_ungraded_episodes_are_shown_apart_until_the_rules_count_again(
    palaver: Palaver, server: OpenAIServer
) -> None:
    server.otherwise = says(PROSE)

    by_model = await to_thread(palaver, "score", "run", "--grader", judge(server), "--reasks", "0", "-q")
    [row] = summary_rows()
    by_rules = await to_thread(palaver, "score", "run")

    assert "2 ungraded" in by_model.out
    assert row["ungraded"] == 2
    assert "ungraded" not in by_rules.out


async def test_the_same_command_asks_for_what_could_not_be_graded(palaver: Palaver, server: OpenAIServer) -> None:
    server.will(error_answer(400, "gone for a moment"))
    words = ("score", "run", "--grader", judge(server), "-c", "1", "-q", "--json")

    first = await to_thread(palaver, *words)
    again = await to_thread(palaver, *words)

    assert (first.code, first.err.count("\n")) == (1, 1)
    assert "has graded 1 of 2 episodes, so the scores are those of the rules: " in first.err
    assert "gone for a moment" in first.err
    assert (again.code, again.err, again.document["outcomes"], len(server.asked)) == (0, "", {"failed": 2}, 3)


async def test_a_grading_counts_once_it_is_whole(palaver: Palaver, server: OpenAIServer) -> None:
    rules = records()
    words = ("score", "run", "--grader", judge(server), "-c", "1", "-q", "--json")

    poor = await to_thread(palaver, *words, "--budget-tokens", "100")
    first, second = sorted(records().values(), key=lambda record: len(record["gradings"]))
    rich = await to_thread(palaver, *words, "--budget-tokens", "1000")

    assert poor.document["outcomes"] == {"solved": 2}
    assert (first["gradings"], graders(second)) == ([], ["rules", judge(server)])
    assert second["gradings"][1]["scores"]["success"] == 0.0
    for record in (first, second):
        assert record["scores"] == rules[record["episode_id"]]["scores"]
    assert rich.document["outcomes"] == {"failed": 2}


async def test_what_a_grader_had_said_is_kept_while_it_grades_anew(palaver: Palaver, server: OpenAIServer) -> None:
    words = ("score", "run", "--grader", judge(server), "-c", "1", "-q")
    await to_thread(palaver, *words)

    await to_thread(palaver, *words, "--temperature", "1", "--budget-tokens", "100")

    assert [graders(record) for record in records().values()] == [["rules", judge(server)]] * 2
    assert {record["gradings"][1]["scores"]["success"] for record in records().values()} == {0.0}


async def test_a_budget_that_is_spent_is_no_error_and_can_be_raised(palaver: Palaver, server: OpenAIServer) -> None:
    words = ("score", "run", "--grader", judge(server), "-c", "1", "-q")

    poor = await to_thread(palaver, *words, "--budget-tokens", "100")
    rich = await to_thread(palaver, *words, "--budget-tokens", "1000")

    assert (poor.code, rich.code, rich.err, len(server.asked)) == (0, 0, "", 2)
    overspent, owed = poor.err.splitlines()
    assert overspent == "palaver: spent 165 of 100 tokens: what was in flight is paid too"
    assert owed.startswith("palaver: the budget is spent: vllm/judge")
    assert "has graded 1 of 2 episodes, so the scores are those of the rules (raise it and give the same" in owed


async def test_a_budget_that_is_overspent_is_told_though_all_was_answered(
    palaver: Palaver, server: OpenAIServer
) -> None:
    said = await to_thread(
        palaver, "score", "run", "--grader", priced_judge(server), "-c", "1", "-q", "--budget-usd", "0.0006"
    )

    assert said.err == "palaver: spent $0.00101 of $0.0006: what was in flight is paid too\n"
    assert {record["outcome"] for record in records().values()} == {"failed"}


async def test_a_budget_in_dollars_needs_a_price(palaver: Palaver, server: OpenAIServer) -> None:
    said = await to_thread(palaver, "score", "run", "--grader", judge(server), "--budget-usd", "1", "-q")

    assert (said.code, server.asked) == (2, [])
    assert said.complaint.startswith(f"no price is known for {judge(server)}: its dollars cannot be counted")
    assert grading_folders() == []


async def test_what_grading_has_cost_is_the_last_word(palaver: Palaver, server: OpenAIServer) -> None:
    words = ("score", "run", "-q", "--grader")

    known = await to_thread(palaver, *words, priced_judge(server))
    unknown = await to_thread(palaver, *words, judge(server))
    nothing = await to_thread(palaver, *words, "random")

    assert known.out.splitlines()[-1] == f"grading: 2 answers of {priced_judge(server)}, $0.00101"
    assert unknown.out.splitlines()[-1] == (
        f"grading: 2 answers of {judge(server)}, cost unknown, since no price is known for {judge(server)}"
    )
    assert "grading" not in nothing.out


@pytest.fixture
def study(home: Path, palaver: Palaver) -> Path:
    """A study of two runs of one episode each."""
    (home / "both.yaml").write_text(
        "game: maze\nset: {setting: solo-full}\nparams: {models: [optimal, random]}\n"
        "experiments:\n  solo: {agents: '{a}', each: {a: models}}\n"
    )
    assert palaver("run", "both.yaml", "-q", "--out", "both").code == 0
    return home / "both"


async def test_the_runs_of_a_study_have_one_bill(palaver: Palaver, server: OpenAIServer, study: Path) -> None:
    said = await to_thread(palaver, "score", study, "-q", "--grader", priced_judge(server))

    assert said.out.count("grading: ") == 1
    assert said.out.splitlines()[-1] == f"grading: 2 answers of {priced_judge(server)}, $0.00101"


async def test_a_grading_that_is_stopped_goes_on_with_the_same_command(
    home: Path, palaver: Palaver, server: OpenAIServer
) -> None:
    waiting = asyncio.Event()

    async def wait(_: web.Request) -> web.StreamResponse:
        waiting.set()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    server.will(says(NOBODY_MOVED))
    server.otherwise = wait
    words = ("score", "run", "--grader", judge(server), "-c", "1", "-q")
    before = kept()

    async with child(*words, cwd=home) as process:
        await waiting.wait()
        process.send_signal(signal.SIGINT)
        _, err = await process.communicate()
    left = kept()
    server.otherwise = says(NOBODY_MOVED)
    said = await to_thread(palaver, *words)

    assert (process.returncode, left) == (130, before)
    assert b"stopped; the run is scored as before. The same command asks for what is owed" in err
    assert (said.code, len(server.asked)) == (0, 3)
    assert {record["outcome"] for record in records().values()} == {"failed"}


def test_episodes_that_ended_with_an_error_are_not_graded(palaver: Palaver) -> None:
    first, second = lines(EPISODES)
    first |= {"outcome": "error", "error": "the network"}
    EPISODES.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")

    palaver("score", "run", "--grader", "scripted", "-q")

    assert {tuple(graders(record)) for record in records().values()} == {(), ("rules", "scripted")}
    assert records()[first["episode_id"]]["outcome"] == "error"


def test_a_grading_of_another_dialogue_is_not_used(palaver: Palaver) -> None:
    palaver("score", "run", "--grader", "scripted", "-q")
    log = logs(Path("run"))[0]
    log.write_bytes(log.read_bytes().replace(b"I have checked", b"We have checked"))

    said = palaver("score", "run", "--grader", "scripted", "-q")

    assert said.code == 2
    assert "the grading of maze-solo-full-00000 is not of the dialogue that is there now" in said.complaint


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--votes", "3"], "--votes says how a model grades (add --grader NAME, or leave it out)"),
        (["--timeout", "9"], "--timeout says how a model grades (add --grader NAME, or leave it out)"),
        (["--grader", "scripted", "--votes", "2"], "a majority needs an odd number of votes"),
        (["--grader", "scripted", "--temperature", "-1"], "temperature cannot be -1.0"),
        (["--grader", "scripted/nix"], "grading has no player 'scripted/nix'"),
        (["--grader", "gpt-4.1"], "there is no agent 'gpt-4.1'"),
        (["--grader", "openai/gpt-4.1"], "openai/gpt-4.1 needs a key (set OPENAI_API_KEY"),
    ],
)
def test_a_wrong_word_is_named_before_anything_is_written(palaver: Palaver, words: list[str], complaint: str) -> None:
    said = palaver("score", "run", *words)

    assert said.code == 2
    assert complaint in said.complaint
    assert not Path("run", "gradings").exists()


def test_the_help_teaches_by_example(palaver: Palaver) -> None:
    said = palaver("score", "--help").out

    assert "palaver score runs/mixed --grader openai/gpt-4.1 --votes 3 --temperature 0.5" in said
    assert "--budget-usd and --budget-tokens bound each of its run folders" in " ".join(said.split())
