"""`palaver score --grader` where a grader is asked several questions about an episode: PuzzleWorld's judge of steps."""

import asyncio
import json
import re
import shutil
import signal
from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from PIL import Image as Pillow

from palaver_deploy.cli import exit_code
from palaver_gamemasters.puzzleworld.judge import SCHEMA
from tests.agents.providers.anthropic_server import AnthropicServer
from tests.agents.providers.google_server import GoogleServer
from tests.agents.providers.openai_server import USAGE, OpenAIServer, completion, json_answer
from tests.agents.providers.wire_server import WireServer
from tests.deploy.children import child, lines
from tests.deploy.conftest import Palaver

EPISODES = Path("run", "episodes.jsonl")
THREE, TWO, NONE = "Three_Steps", "Two_Steps", "No_Steps"
SOLUTION = "I see BRAILLE dots. I would try SOUP next.\nAnswer: NUTS"
STEPS = {
    THREE: ["The dots are BRAILLE.", "They say SOUP.", "Its reverse is the answer."],
    TWO: ["Each flag is one of FRANCE.", "Read the first letters."],
    NONE: [],
}
BY_SCRIPT = {THREE: 2 / 3, TWO: 0.0}
"""The stepwise score of :data:`SOLUTION` by the scripted judge."""
YES = '{"correct": true, "explanation": "It is there."}'
NO = '{"correct": false, "explanation": "It is not there."}'


def a_puzzle(name: str, colour: str) -> None:
    """Write a puzzle; its second step, if it has one, shows a figure."""
    folder = Path("data", name)
    folder.mkdir(parents=True)
    steps = [{"explanation": text, "figure": "figure_1.png" if n == 1 else None} for n, text in enumerate(STEPS[name])]
    about = {
        "title": name.replace("_", " "),
        "flavor_text": "Feel your way.",
        "difficulty": "easy",
        "solution": f"{name.upper()} SOLUTION",
        "reasoning": steps,
        "modality": ["visual"],
        "skills": ["cryptic"],
        "source": "palaver",
    }
    (folder / "metadata.json").write_text(json.dumps(about))
    Pillow.new("RGB", (40, 30), colour).save(folder / "content.png")
    if len(steps) > 1:
        Pillow.new("RGB", (20, 30), "white").save(folder / "figure_1.png")


class Judge:
    """Says of every step that it is there, unless told otherwise, and remembers what it was asked."""

    def __init__(self) -> None:
        self.says = YES
        self.refused: dict[str, str] = {}
        """What it says instead of the puzzles of these titles."""
        self.refused_steps: dict[str, str] = {}
        """What it says instead of these steps."""
        self.will_refuse: list[str] = []
        """The steps that it refuses once more, each."""
        self.steps: list[str] = []
        """The steps that it was asked about."""
        self.bodies: list[dict[str, Any]] = []

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        text = json.dumps(body["messages"][1]["content"])
        self.bodies.append(body)
        self.steps.append(next(step for steps in STEPS.values() for step in steps if step in text))
        refused = {**self.refused, **self.refused_steps}
        said = next((says for title, says in refused.items() if title in text), self.says)
        if self.steps[-1] in self.will_refuse:
            self.will_refuse.remove(self.steps[-1])
            said = "I would rather not."
        return web.json_response(completion(said))


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
async def server(judge: Judge) -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(otherwise=judge) as server:
        yield server


def played(out: str, *words: str) -> None:
    """Play the puzzles of the folder ``data``; every solver says the same."""
    Path("said.json").write_text(json.dumps({"texts": [SOLUTION]}))
    words = ("-a", "replay/said.json", "--set", "dataset=data", *words, "-q", "--out", out)
    assert exit_code(["run", "puzzleworld", *words]) == 0


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three puzzles, of three steps, of two and of none, and a run of them."""
    folder = tmp_path_factory.mktemp("steps")
    with chdir(folder):
        for name, colour in ((THREE, "red"), (TWO, "green"), (NONE, "blue")):
            a_puzzle(name, colour)
        played("run")
    return folder


@pytest.fixture(autouse=True)
def run(home: Path, origin: Path) -> None:
    """The run, to be graded."""
    shutil.copytree(origin, home, dirs_exist_ok=True)


def agent(server: WireServer, name: str = "vllm/judge") -> str:
    return f"{name}@{server.base_url.removesuffix('/v1').removesuffix('/v1beta')}"


def scoring(grader: str, *words: str) -> tuple[str, ...]:
    return ("score", "run", "--grader", grader, "-q", *words)


def records() -> dict[str, Any]:
    """Return the records by the puzzles' names."""
    return {record["instance_id"]: record for record in lines(EPISODES)}


def graded() -> dict[str, Any]:
    """Return what the last grader said of each puzzle that it has graded."""
    return {name: record["gradings"][-1] for name, record in records().items() if record["gradings"]}


def kept() -> bytes:
    return EPISODES.read_bytes()


# -- what counts


def test_every_step_is_judged_and_the_scores_follow(palaver: Palaver) -> None:
    rules = records()

    said = palaver(*scoring("scripted", "--json"))

    assert said.code == 0
    for name, stepwise in BY_SCRIPT.items():
        record = records()[name]
        assert record["scores"]["stepwise"] == pytest.approx(stepwise)
        assert record["scores"] == {**rules[name]["scores"], **record["gradings"][-1]["scores"]}
        assert record["outcome"] == rules[name]["outcome"] == "failed"
    assert graded()[THREE]["detail"] == [
        [
            {"step": 1, "correct": True, "explanation": "The solution has BRAILLE."},
            {"step": 2, "correct": True, "explanation": "The solution has SOUP."},
            {"step": 3, "correct": False, "explanation": "The answer is not THREE_STEPS SOLUTION."},
        ]
    ]


def test_a_puzzle_without_steps_is_named_and_left_out_and_nothing_of_it_is_lost(palaver: Palaver) -> None:
    rules = records()

    said = palaver(*scoring("scripted"))

    [complaint] = said.err.splitlines()
    assert complaint.startswith("palaver: left out, since there is nothing in it for a model to grade: puzzleworld-")
    assert complaint.endswith(f"({NONE}) (1 of 3 episodes)")
    assert records()[NONE] == rules[NONE]
    assert (said.code, graded().keys()) == (0, BY_SCRIPT.keys())


def test_a_run_of_puzzles_without_steps_has_nothing_to_grade(palaver: Palaver) -> None:
    played("none", "--set", f"puzzles={NONE}")

    said = palaver("score", "none", "--grader", "scripted", "-q")

    assert said.code == 2
    assert "puzzleworld has nothing for a model to grade in 1 episode (score it without --grader)" in said.complaint
    assert not Path("none", "gradings").exists()


# -- what a judge is asked


async def test_a_step_is_a_call_with_the_schema_and_all_pictures(
    palaver: Palaver, server: OpenAIServer, judge: Judge
) -> None:
    said = await to_thread(palaver, *scoring(agent(server)))

    assert (said.code, sorted(judge.steps)) == (0, sorted(STEPS[THREE] + STEPS[TWO]))
    for body, step in zip(judge.bodies, judge.steps, strict=True):
        kinds = [part["type"] for part in body["messages"][1]["content"]]
        figures = ["image_url"] if step in (STEPS[THREE][1], STEPS[TWO][1]) else []
        assert kinds == ["text", "image_url", "text", "text", "text", *figures, "text", "text"]
        assert body["response_format"]["json_schema"] == {"name": "StepComparison", "strict": True, "schema": SCHEMA}


async def test_nothing_of_ours_stands_between_what_the_study_sends_in_parts(
    palaver: Palaver, server: OpenAIServer, judge: Judge
) -> None:
    await to_thread(palaver, *scoring(agent(server)))

    body = judge.bodies[judge.steps.index(STEPS[THREE][0])]
    texts = [part["text"] for part in body["messages"][1]["content"] if part["type"] == "text"]
    assert texts == [
        "The puzzle's title is Three Steps.\n Its flavor text is Feel your way..",
        f"Candidate Solution:\n{SOLUTION}",
        "Reference Solution:\n",
        f"1. {STEPS[THREE][0]}",
        "Is step 1 in candidate solution? (True/False) Explain.",
        "\nExplain your answer.\n",
    ]


@pytest.mark.parametrize(
    ("kind", "name", "picture"),
    [
        (AnthropicServer, "anthropic/claude-test-4-6", '"type":"image"'),
        (GoogleServer, "google/gemini-2.5-flash", '"inlineData"'),
    ],
)
async def test_other_wire_formats_carry_both_too(
    palaver: Palaver, kind: type[WireServer], name: str, picture: str
) -> None:
    async with kind() as server:
        server.otherwise = server.says(YES)
        said = await to_thread(palaver, *scoring(agent(server, name)))

    assert (said.code, len(server.asked)) == (0, 5)
    for asked in server.asked:
        assert picture in asked.raw.decode().replace(": ", ":")
        assert json.dumps(SCHEMA["required"]).replace(" ", "") in asked.raw.decode().replace(" ", "")
    assert {grading["scores"]["stepwise"] for grading in graded().values()} == {1.0}


async def test_every_vote_is_asked_about_every_step(palaver: Palaver, server: OpenAIServer, judge: Judge) -> None:
    said = await to_thread(palaver, *scoring(agent(server), "--votes", "3"))

    assert (said.code, len(judge.steps)) == (0, 3 * 5)
    assert [len(grading["votes"]) for grading in graded().values()] == [3, 3]
    assert graded()[THREE]["usage"]["output_tokens"] == 9 * USAGE["completion_tokens"]


# -- what goes wrong


@pytest.mark.parametrize("nonsense", ["True. It is there.", "", '{"correct": "yes"}', f"{YES} or {NO}"])
async def test_a_judge_that_answers_nonsense_leaves_that_puzzle_ungraded_and_no_other(
    palaver: Palaver, server: OpenAIServer, judge: Judge, nonsense: str
) -> None:
    judge.refused["Three Steps"] = nonsense

    said = await to_thread(palaver, *scoring(agent(server), "--reasks", "1"))

    assert said.code == 0
    assert "ungraded: 1 of 2 votes of vllm/judge" in said.err
    assert "the first: question 1 of 3: " in said.err
    assert (graded()[THREE]["votes"], graded()[THREE]["ungraded"]) == ([], 1)
    assert judge.steps.count(STEPS[THREE][0]) == 2
    assert STEPS[THREE][1] not in judge.steps
    scores = {name: record["scores"] for name, record in records().items()}
    assert (scores[THREE]["stepwise"], scores[TWO]["stepwise"]) == (None, 1.0)
    assert scores[THREE]["acc_strict"] == 0.0


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"refusal": "I will not judge that.", "content": None}, "it is a refusal"),
        ({"finish_reason": "length"}, "it was cut off at the length limit"),
    ],
)
async def test_a_refusal_and_an_answer_that_is_cut_off_are_not_read(
    palaver: Palaver, server: OpenAIServer, changes: dict[str, Any], reason: str
) -> None:
    server.otherwise = json_answer(completion(**{"content": YES, **changes}))

    said = await to_thread(palaver, *scoring(agent(server), "--reasks", "0"))

    assert said.code == 0
    assert re.search(rf"the first: question 1 of [23]: {reason}", said.err)
    assert "2 of 2 episodes" in said.err


async def test_a_picture_that_has_gone_leaves_that_puzzle_owed(home: Path, palaver: Palaver, origin: Path) -> None:
    page = origin / "data" / THREE / "content.png"
    away = page.rename(page.with_name("away.png"))
    try:
        async with child(*scoring("scripted"), cwd=home) as process:  # this process may remember the picture
            _, err = await process.communicate()
    finally:
        away.rename(page)
    again = await to_thread(palaver, *scoring("scripted"))

    assert (process.returncode, again.code) == (1, 0)
    assert b"graded 1 of 2 episodes, so the scores are those of the rules: cannot read picture" in err
    assert graded()[THREE]["scores"]["stepwise"] == pytest.approx(BY_SCRIPT[THREE])


async def test_a_grading_that_was_stopped_between_two_steps_asks_no_step_twice(
    home: Path, palaver: Palaver, server: OpenAIServer, judge: Judge
) -> None:
    waiting, patience = asyncio.Event(), 2

    async def wait(request: web.Request) -> web.StreamResponse:
        if len(judge.steps) < patience:
            return await judge(request)
        waiting.set()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    server.otherwise = wait
    before = kept()
    async with child(*scoring(agent(server), "-c", "1"), cwd=home) as process:
        await waiting.wait()
        process.send_signal(signal.SIGKILL)
        await process.communicate()
    assert kept() == before
    server.otherwise = judge

    said = await to_thread(palaver, *scoring(agent(server), "-c", "1"))

    assert (said.code, sorted(judge.steps)) == (0, sorted(STEPS[THREE] + STEPS[TWO]))
    assert {grading["scores"]["stepwise"] for grading in graded().values()} == {1.0}


async def test_with_a_cache_a_grading_that_was_thrown_away_costs_nothing_again(
    home: Path, palaver: Palaver, server: OpenAIServer, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_CACHE", str(home / "cache"))
    await to_thread(palaver, *scoring(agent(server), "--cache"))
    await to_thread(Path("run", "gradings").rename, "away")

    said = await to_thread(palaver, *scoring(agent(server), "--cache"))

    assert (said.code, len(judge.steps)) == (0, 5)
    assert graded()[THREE]["detail"][0][0]["explanation"] == "It is there."


# -- what it will cost


PRICED = "openai/gpt-4.1"


async def test_what_it_will_come_to_is_said_before_anybody_is_asked(palaver: Palaver, server: OpenAIServer) -> None:
    said = await to_thread(palaver, "score", "run", "--grader", agent(server, PRICED), "--votes", "3")

    forecast = next(line for line in said.err.splitlines() if line.startswith("grading: "))
    assert forecast.startswith(f"grading: about 15, at most 45 calls of {agent(server, PRICED)}: about ")
    assert "tokens in" in forecast
    assert "cost less than a cent" in forecast or "cost about $" in forecast
    assert re.search(r"\(answers are taken to be of \d+ tokens each, and no max_tokens bounds them\)$", forecast)


def test_who_costs_nothing_is_no_matter_for_a_forecast(palaver: Palaver) -> None:
    assert "grading: " not in palaver("score", "run", "--grader", "scripted").err


def test_a_dry_run_counts_the_steps_and_asks_nobody(palaver: Palaver) -> None:
    said = palaver("score", "run", "--grader", PRICED, "--votes", "3", "--reasks", "0", "--dry-run", "--json")

    found = said.document
    assert (said.code, found["episodes"], found["calls_about"], found["calls_at_most"]) == (0, 2, 15, 15)
    assert found["cost_usd_about"] > 0
    assert NONE in said.err
    assert not Path("run", "gradings").exists()


def test_pictures_count_in_a_forecast(palaver: Palaver) -> None:
    words = ("score", "run", "--grader", PRICED, "--dry-run", "--json")
    before = palaver(*words).document["input_tokens_about"]
    Pillow.new("RGB", (1000, 900), "red").save(Path("data", THREE, "content.png"))
    played("larger")

    after = palaver("score", "larger", *words[2:]).document["input_tokens_about"]

    assert after - before > 3 * 1000


async def test_what_was_graded_before_is_not_counted_again(palaver: Palaver, server: OpenAIServer) -> None:
    grader = agent(server, PRICED)
    await to_thread(palaver, *scoring(grader, "-c", "1", "--budget-tokens", "300"))

    part = palaver(*scoring(grader, "--dry-run", "--json")).document
    await to_thread(palaver, *scoring(grader))
    whole = palaver(*scoring(grader, "--dry-run"))

    assert (part["episodes"], part["calls_about"]) in [(1, 2), (1, 3)]
    assert "All of it is graded already: nobody would be asked." in whole.out


# -- what stayed ungraded, asked anew


async def test_what_stayed_ungraded_is_asked_again_and_nothing_else(
    palaver: Palaver, server: OpenAIServer, judge: Judge
) -> None:
    judge.refused_steps[STEPS[THREE][1]] = "I would rather not."
    await to_thread(palaver, *scoring(agent(server), "--reasks", "1"))
    before, judge.refused_steps, judge.steps, judge.bodies = graded(), {}, [], []

    same = await to_thread(palaver, *scoring(agent(server), "--reasks", "1"))
    asked_by_the_same = list(judge.steps)
    said = await to_thread(palaver, *scoring(agent(server), "--reasks", "1", "--again"))

    assert ("add --again to ask anew" in same.err, asked_by_the_same) == (True, [])
    assert (said.code, said.err.count("ungraded")) == (0, 0)
    assert judge.steps == [STEPS[THREE][1], STEPS[THREE][2]]
    assert [message["role"] for message in judge.bodies[0]["messages"]] == ["system", "user"]
    assert {name: grading["scores"]["stepwise"] for name, grading in graded().items()} == {THREE: 1.0, TWO: 1.0}
    assert before[THREE]["usage"]["output_tokens"] == 3 * USAGE["completion_tokens"]
    assert graded()[THREE]["usage"]["output_tokens"] == 5 * USAGE["completion_tokens"]


async def test_of_several_votes_only_those_that_ran_out_are_asked_again(
    palaver: Palaver, server: OpenAIServer, judge: Judge
) -> None:
    judge.will_refuse = [STEPS[THREE][1]]
    words = ("--votes", "3", "--reasks", "0")
    await to_thread(palaver, *scoring(agent(server), *words))
    votes, judge.steps = graded()[THREE]["votes"], []

    said = await to_thread(palaver, *scoring(agent(server), *words, "--again"))

    assert (said.code, len(votes), judge.steps) == (0, 2, [STEPS[THREE][1], STEPS[THREE][2]])
    assert (len(graded()[THREE]["votes"]), graded()[THREE]["ungraded"]) == (3, 0)


async def test_what_stays_ungraded_again_can_be_asked_again(
    palaver: Palaver, server: OpenAIServer, judge: Judge
) -> None:
    judge.refused["Three Steps"] = "I would rather not."
    words = ("--reasks", "0")
    await to_thread(palaver, *scoring(agent(server), *words))
    again = await to_thread(palaver, *scoring(agent(server), *words, "--again"))
    judge.refused, judge.steps = {}, []

    said = await to_thread(palaver, *scoring(agent(server), *words, "--again"))

    assert "ungraded: 1 of 2 votes" in again.err
    assert (said.code, judge.steps, graded()[THREE]["scores"]["stepwise"]) == (0, STEPS[THREE], 1.0)


async def test_what_asking_again_will_come_to_is_said_before(
    palaver: Palaver, server: OpenAIServer, judge: Judge
) -> None:
    judge.refused_steps[STEPS[THREE][1]] = "I would rather not."
    grader = agent(server, PRICED)
    await to_thread(palaver, *scoring(grader, "--reasks", "1"))
    asked = len(judge.steps)

    found = (await to_thread(palaver, *scoring(grader, "--reasks", "1", "--again", "--dry-run", "--json"))).document
    none = await to_thread(palaver, *scoring(grader, "--reasks", "1", "--dry-run"))

    assert (found["episodes"], found["calls_about"], found["calls_at_most"], len(judge.steps)) == (1, 2, 4, asked)
    assert "All of it is graded already" in none.out


def test_a_grading_that_was_never_made_cannot_be_asked_again(palaver: Palaver) -> None:
    said = palaver(*scoring("scripted", "--again"))

    assert (said.code, Path("run", "gradings").exists()) == (2, False)
    assert "scripted has not graded run with these options: nothing stayed ungraded" in said.complaint


def test_asking_again_is_for_graders(palaver: Palaver) -> None:
    assert "--again says how a model grades" in palaver("score", "run", "--again").complaint
