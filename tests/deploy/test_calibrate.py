"""`palaver calibrate`: graders on episodes whose labels are known."""

import json
from asyncio import to_thread
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from palaver_deploy.labelled import agreement, read_examples, verdict
from palaver_gamemasters.comma.judge import SCORES
from palaver_protocols.runs import Grading
from tests.agents.providers.openai_server import Answer, OpenAIServer, completion, error_answer, json_answer
from tests.deploy.children import lines
from tests.deploy.conftest import Palaver

FILE = Path("examples.jsonl")
SETUP = {"wires": ["red", "blue", "blue", "white"], "serial": "ABC124"}
LABELS = tuple(SCORES.values())


def example(label: str = "none", *, solved: bool = True, **changes: Any) -> dict[str, Any]:
    """Make an example of the wire puzzle, one message long."""
    return {
        "game": "comma",
        "variant": "wire",
        "instance": {"puzzle": "wire", "setup": SETUP},
        "options": {"turns": 1, "modality": "text"},
        "replies": [{"seat": "solver", "text": "cut_wire_2" if solved else "cut_wire_1"}],
        "label": label,
        **changes,
    }


def write(*examples: dict[str, Any] | str) -> None:
    FILE.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in examples))


def says(*errors: str, main: str | None = None) -> Answer:
    verdict = f"errors: [{', '.join(errors)}]\nmain: {main or [*errors, 'none'][0]}\nreason: I think so."
    return json_answer(completion(verdict))


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    """A judge that finds no error, unless it is told to."""
    async with OpenAIServer() as server:
        server.otherwise = says()
        yield server


def folders() -> list[str]:
    return [folder.name for folder in Path("runs").iterdir()]


def judge(server: OpenAIServer) -> str:
    return f"vllm/judge@{server.base_url.removesuffix('/v1')}"


# ---- made by code


def test_examples_can_be_made_and_read_without_a_key(palaver: Palaver) -> None:
    made = palaver("calibrate", "--make", FILE, "--each", 2)
    said = palaver("calibrate", FILE, "--grader", "scripted", "-q")

    assert (made.code, made.err, said.code, said.err) == (0, "", 0, "")
    assert made.out.startswith("12 examples of comma in examples.jsonl: played by scripts that err on purpose (ours)")
    assert [line["label"] for line in lines(FILE)][::2] == [*LABELS, "none"]
    assert "scripted on examples.jsonl: 12 labelled episodes of comma" in said.out
    assert "published   0.94 (o1, on 50 examples of the study's own)" in said.out
    assert max(map(len, said.out.splitlines()[:24])) <= 100


def test_a_judge_by_rules_is_right_where_the_errors_are_plain_and_dice_are_not(palaver: Palaver) -> None:
    palaver("calibrate", "--make", FILE, "--each", 3)
    rules, dice = (
        palaver("calibrate", FILE, "--grader", grader, "-q", "--json").document for grader in ("scripted", "random")
    )

    assert rules["accuracy"]["estimate"] > 0.8 > 2 * dice["accuracy"]["estimate"]
    assert rules["kappa"] > 0.8 > dice["kappa"]
    assert rules["n"] == dice["n"] == 18


def test_nothing_is_written_over(palaver: Palaver) -> None:
    FILE.write_text("mine")

    said = palaver("calibrate", "--make", FILE)

    assert (said.code, said.complaint) == (2, "examples.jsonl is there already (name another file, or delete it)")
    assert FILE.read_text() == "mine"


def test_a_game_without_labels_makes_no_examples(palaver: Palaver) -> None:
    said = palaver("calibrate", "--make", FILE, "--game", "maze")

    assert (said.code, said.complaint) == (2, "maze makes no examples (write your own)")


# ---- graded by models


async def test_what_a_judge_says_is_set_beside_the_labels(palaver: Palaver, server: OpenAIServer) -> None:
    write(example(), "", example("other", solved=False), example("other", solved=False, labels=["other", "roleplay"]))
    server.will(says(), says("other"), says("roleplay", "other", main="roleplay"))

    said = await to_thread(palaver, "calibrate", FILE, "--grader", judge(server), "-c", "1", "-q", "--json")

    assert (said.code, said.err, len(server.asked)) == (0, "", 3)
    found = said.document
    assert (found["n"], found["ungraded"], round(found["accuracy"]["estimate"], 3)) == (3, 0, 0.667)
    assert found["confusion"]["other"] == {**dict.fromkeys((*LABELS, "none"), 0), "other": 1, "roleplay": 1}
    assert found["all_labels"]["estimate"] == 1.0
    assert found["wrong"] == [
        {"line": 4, "variant": "wire", "expected": "other", "said": "roleplay", "reason": "I think so."}
    ]


async def test_the_same_command_asks_nobody_twice(palaver: Palaver, server: OpenAIServer) -> None:
    write(example(), example("other", solved=False))
    words = ("calibrate", FILE, "--grader", judge(server), "--votes", "3", "--temperature", "0.5", "-q")

    first = await to_thread(palaver, *words)
    again = await to_thread(palaver, *words)

    assert (first.code, again.code, first.out == again.out, len(server.asked)) == (0, 0, True, 6)
    assert {call.body["temperature"] for call in server.asked} == {0.5}


async def test_whoever_changes_an_example_has_it_judged_anew(palaver: Palaver, server: OpenAIServer) -> None:
    words = ("calibrate", FILE, "--grader", judge(server), "-q")
    for solved in (True, False):
        write(example(solved=solved))
        await to_thread(palaver, *words)

    assert len(server.asked) == 2
    assert len(folders()) == 2


async def test_what_a_judge_was_not_asked_is_left_out_and_asked_for_again(
    palaver: Palaver, server: OpenAIServer
) -> None:
    write(example(), example())
    server.will(error_answer(400, "gone for a moment"))
    words = ("calibrate", FILE, "--grader", judge(server), "-c", "1", "-q", "--json", "--out", "judge")

    first = await to_thread(palaver, *words)
    again = await to_thread(palaver, *words)

    assert (first.code, first.document["n"], again.code, again.document["n"]) == (1, 1, 0, 2)
    assert "1 of 2 examples are left out, the first since " in first.err
    assert "gone for a moment" in first.err


async def test_answers_that_cannot_be_read_count_in_no_accuracy(palaver: Palaver, server: OpenAIServer) -> None:
    write(example(), example())
    server.will(json_answer(completion("All was well.")))

    said = await to_thread(palaver, "calibrate", FILE, "--grader", judge(server), "--reasks", "0", "-c", "1", "-q")

    assert "accuracy    1.000 [0.207, 1.000], 1 of 1" in said.out
    assert "ungraded    1, whose answers could not be read; they count in nothing here" in said.out
    assert "  line 1, wire: said ungraded, is none (it holds no YAML with `errors:` and `main:`)" in said.out


def test_a_dry_run_asks_nobody(palaver: Palaver) -> None:
    write(example(), example())

    said = palaver("calibrate", FILE, "--grader", "openai/gpt-4.1", "--dry-run", "--json")

    assert (said.code, said.document["calls_at_most"], Path("runs").exists()) == (0, 6, False)


# ---- bad files


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "examples.jsonl, line 2: it is no JSON (give a replay a line, with its"),
        (example("misread"), "examples.jsonl, line 2: there is no label 'misread' (comma has: roleplay, "),
        (example("other", labels=["roleplay"]), "line 2: its label is other, and `labels` does not name it"),
        ({**example(), "label": None}, "line 2: this is no example: label: "),
        ({**example(), "replies": None}, "line 2: a replay has either 'replies' or 'texts'"),
        (example(solved=False, options={}), "line 2: the replies end before the game does (give a whole episode)"),
        (example(options={"turn": 1}), "line 2: comma has no option 'turn'"),
        (example(game="maze"), "line 2: it is of maze, those before are of comma (use a file for each)"),
        (example(replies=[{"seat": "expert_7", "text": ""}]), "line 2: comma has no seat 'expert_7'"),
        (example(instance={"puzzle": "wire", "setup": {}}), "line 2: comma wire instance: wires: "),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_malformed_line_is_named(palaver: Palaver, line: dict[str, Any] | str, problem: str) -> None:
    write(example(), line, example())

    said = palaver("calibrate", FILE, "--grader", "scripted", "-q")

    assert said.code == 2
    assert problem in said.complaint


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("none.jsonl", "--grader", "scripted"), "cannot read none.jsonl: No such file or directory"),
        (("empty.jsonl", "--grader", "scripted"), "empty.jsonl holds no example"),
        (("empty.jsonl",), "no grader was given: for example --grader scripted"),
        (("empty.jsonl", "--grader", "scripted", "--each", 3), "--each says what is made: add --make, or leave it out"),
        (("empty.jsonl", "--grader", "scripted", "--make"), "--make writes examples, --grader reads them"),
    ],
)
def test_a_command_that_makes_no_sense_says_so(palaver: Palaver, words: tuple[Any, ...], problem: str) -> None:
    Path("empty.jsonl").write_text("\n\n")

    said = palaver("calibrate", *words)

    assert said.code == 2
    assert problem in said.complaint


def test_a_grader_that_there_is_not_is_named(palaver: Palaver) -> None:
    write(example())

    said = palaver("calibrate", FILE, "--grader", "scripted/kind", "-q")

    assert said.code == 2
    assert "grading has no player 'scripted/kind' (it has: random, scripted, scripted/sloppy)" in said.complaint


# ---- agreement


def test_texts_are_handed_out_as_the_game_asks(palaver: Palaver) -> None:
    write(
        {**example(options={"turns": 2}, replies=None), "texts": ["Hello.", "Cut the second wire.", "cut_wire_2"]},
    )
    _, (found,) = read_examples(FILE)

    assert [reply.seat for reply in found.played.replies] == ["solver", "expert", "solver"]


def test_most_votes_decide_and_the_order_of_the_labels_breaks_ties(palaver: Palaver) -> None:
    write(example("other", solved=False))
    _, (one,) = read_examples(FILE)

    def said(*mains: str) -> str | None:
        votes = tuple({score: float(label == main) for score, label in SCORES.items()} for main in mains)
        detail: list[Any] = [{"main": main, "reason": ""} for main in mains]
        return verdict(one, SCORES, Grading(grader="g", votes=votes, detail=detail)).said

    assert said("other", "other", "roleplay") == "other"
    assert said("none", "other", "repetition") == "repetition"
    assert said() is None


def test_agreement_is_counted_by_hand(palaver: Palaver) -> None:
    write(*[example("other", solved=False)] * 3, example())
    _, examples = read_examples(FILE)
    mains = ("other", "other", "none", "none")
    details: list[list[Any]] = [[{"main": main}] for main in mains]
    found = agreement(
        LABELS,
        [
            verdict(one, SCORES, Grading(grader="g", votes=({},), detail=detail))
            for one, detail in zip(examples, details, strict=True)
        ],
    )
    shares = {share.label: share for share in found.labels}

    assert found.accuracy.estimate == 0.75
    assert found.kappa == pytest.approx((0.75 - 0.5) / (1 - 0.5))
    assert shares["other"].precision == 1.0
    assert shares["other"].recall == pytest.approx(2 / 3)
    assert (shares["none"].precision, shares["none"].recall) == (0.5, 1.0)
    assert (shares["roleplay"].precision, shares["roleplay"].recall) == (None, None)
    assert found.confusion["other"]["none"] == 1
