"""`palaver replay`: hand-made dialogues in every way of naming cells, and whatever else a file may hold."""

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palaver_gamemasters.clembench.matchit import ASCII
from tests.deploy.conftest import Palaver

# Five moves: right, right, down, down, right. No symmetry, so that a wrong reading of a cell leads astray.
GRID = ["@..#", "##.#", "...*", ".#.."]
AGREED = "Agreed."


def dialogue(*places: str, end: str = "ACTI!") -> list[str]:
    """Let each seat agree to a move and propose the next one."""
    proposals = [f"I propose that we move to {place}. Do you agree?" for place in places]
    return [proposals[0], *(f"{AGREED} {proposal}" for proposal in proposals[1:]), f"{AGREED} {end}".strip()]


def steps(*words: str) -> list[str]:
    """The same in directions."""
    proposals = [f"I propose that we move {word}. Do you agree?" for word in words]
    return [
        proposals[0],
        *(f"{AGREED} Next, {proposal[0]}{proposal[1:]}" for proposal in proposals[1:]),
        "Agreed. ACTI!",
    ]


def a_replay(texts: Sequence[str], variant: str = "pair", grid: Sequence[str] = GRID, **more: Any) -> dict[str, Any]:
    return {"game": "maze", "variant": variant, "instance": {"grid": list(grid)}, "texts": list(texts), **more}


TO_THE_GOAL = {
    "r1c2": dialogue("r1c2", "r1c3", "r2c3", "r3c3", "r3c4"),
    "R0C1, from 0": dialogue("R0C1", "R0C2", "R1C2", "R2C2", "R2C3"),
    "A1, columns in letters": dialogue("B1", "C1", "C2", "C3", "D3"),
    "A1, rows in letters": dialogue("A2", "A3", "B3", "C3", "C4"),
    "A1 as on a chess board": dialogue("B4", "C4", "C3", "C2", "D2"),
    "(A,1)": dialogue("(B,1)", "(C,1)", "(C,2)", "(C,3)", "(D,3)"),
    "1A": dialogue("1B", "1C", "2C", "3C", "3D"),
    "(row, column) from 0": dialogue("(0,1)", "(0,2)", "(1,2)", "(2,2)", "(2,3)"),
    "[row, column] from 1": dialogue("[1, 2]", "[1, 3]", "[2, 3]", "[3, 3]", "[3, 4]"),
    "(column, row) from 0": dialogue("(1,0)", "(2,0)", "(2,1)", "(2,2)", "(3,2)"),
    "(column, row) from 1": dialogue("(2,1)", "(3,1)", "(3,2)", "(3,3)", "(4,3)"),
    "(x, y) from the bottom left": dialogue("(1,3)", "(2,3)", "(2,2)", "(2,1)", "(3,1)"),
    "(x, y) from 1 at the bottom left": dialogue("(2,4)", "(3,4)", "(3,3)", "(3,2)", "(4,2)"),
    "(row, column) from the bottom right": dialogue("(3,2)", "(3,1)", "(2,1)", "(1,1)", "(1,0)"),
    "row 1, column 2": dialogue(
        "row 1, column 2", "row 1, column 3", "row 2, column 3", "row 3, column 3", "row 3, column 4"
    ),
    "compass": steps("east", "east", "south", "south", "east"),
    "words": steps("right", "right", "down", "down", "right"),
    "arrows": steps("→", "→", "↓", "↓", "→"),
}


@pytest.mark.parametrize("texts", TO_THE_GOAL.values(), ids=TO_THE_GOAL)
def test_every_way_of_naming_cells_leads_to_the_goal(palaver: Palaver, texts: list[str]) -> None:
    Path("dialogue.json").write_text(json.dumps(a_replay(texts), indent=2))

    said = palaver("replay", "dialogue.json")

    assert said.code == 0
    assert said.document == {
        "file": "dialogue.json",
        "outcome": "solved",
        "scores": {"success": 1.0, "weighted_outcome": 1.0, "moves": 5.0, "messages": 6.0},
        "turns": 6,
        "error": None,
    }


# texts, outcome, weighted outcome (a - b) / a with a = 5, legal moves
ASTRAY = {
    "backtracking": (steps("right", "right", "left", "right", "down", "down", "right"), "solved", 1.0, 7),
    "a wall": (dialogue("r1c2", "r2c2", "r3c2"), "failed", 0.2, 1),
    "out of bounds": (steps("right", "right", "up", "down"), "failed", 0.4, 2),
    "a jump": (dialogue("r1c2", "r3c3", "r3c4"), "failed", 0.2, 1),
    "short of the goal": (steps("right", "right", "down"), "failed", 0.6, 3),
    "past the way": (steps("right", "right", "down", "down", "left"), "failed", 0.6, 5),
    "no agreement": (
        ["I propose that we move right.", "No, I do not agree. I propose that we move down.", "No. ACTI!"],
        "failed",
        0.0,
        0,
    ),
    "the phrase too early": (["We only have to say ACTI! at the end. I propose that we move right."], "failed", 0.0, 0),
    "not to the end": (dialogue("r1c2", "r1c3", end=""), "incomplete", 0.4, 2),
    "nothing said": ([], "incomplete", 0.0, 0),
}


@pytest.mark.parametrize(("texts", "outcome", "weighted", "moves"), ASTRAY.values(), ids=ASTRAY)
def test_a_route_counts_as_far_as_it_is_legal(
    palaver: Palaver, texts: list[str], outcome: str, weighted: float, moves: int
) -> None:
    Path("dialogue.json").write_text(json.dumps(a_replay(texts)))

    said = palaver("replay", "dialogue.json").document

    assert (said["outcome"], said["turns"], said["error"]) == (outcome, len(texts), None)
    assert said["scores"] == {
        "success": float(outcome == "solved"),
        "weighted_outcome": pytest.approx(weighted),
        "moves": moves,
        "messages": len(texts),
    }


def test_walking_away_from_the_goal_costs(palaver: Palaver) -> None:
    Path("away.json").write_text(json.dumps(a_replay(steps("left", "left"), grid=["..@.*"])))

    said = palaver("replay", "away.json").document

    assert (said["outcome"], said["scores"]["weighted_outcome"]) == ("failed", -1.0)


WAY = "(0,0), (0,1), (0,2), (1,2), (2,2), (2,3)"
WRONG = "(0,0), (0,1), (1,1), (2,1), (2,2), (2,3)"


@pytest.mark.parametrize("variant", ["solo-full", "solo-distributed"])
@pytest.mark.parametrize(
    ("texts", "outcome", "weighted"),
    [
        ([f"Final solution: {WAY}", "I have checked every step. The solution is complete and valid."], "solved", 1.0),
        ([f"Final solution: {WRONG}", f"I had stepped into a wall. Corrected final solution: {WAY}"], "solved", 1.0),
        ([f"Final solution: {WRONG}", f"I submit the final solution: {WRONG}"], "failed", 0.2),
        ([f"Final solution: {WAY}"], "incomplete", 1.0),
    ],
    ids=["confirmed", "corrected", "wrong twice", "no second look"],
)
def test_a_solution_is_looked_at_twice(
    palaver: Palaver, variant: str, texts: list[str], outcome: str, weighted: float
) -> None:
    Path("solo.json").write_text(json.dumps(a_replay(texts, variant)))

    said = palaver("replay", "solo.json").document

    assert (said["outcome"], said["turns"]) == (outcome, len(texts))
    assert said["scores"]["weighted_outcome"] == pytest.approx(weighted)


def test_replies_may_come_by_seat(palaver: Palaver) -> None:
    texts = TO_THE_GOAL["words"]
    replies = [{"seat": f"agent_{1 + turn % 2}", "text": text} for turn, text in enumerate(texts)]
    by_seat = {key: value for key, value in a_replay([]).items() if key != "texts"} | {"replies": replies}
    Path("seats.json").write_text(json.dumps(by_seat))

    assert palaver("replay", "seats.json").document["outcome"] == "solved"


def test_options_are_the_game_s(palaver: Palaver) -> None:
    Path("short.json").write_text(json.dumps(a_replay(TO_THE_GOAL["words"], options={"max_turns": 3})))

    said = palaver("replay", "short.json").document

    assert (said["outcome"], said["turns"], said["scores"]["weighted_outcome"]) == ("failed", 3, pytest.approx(0.4))


# -- files


def lines_of(said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.splitlines()]


def test_results_come_in_the_order_of_the_input_and_a_bad_line_stops_nothing(palaver: Palaver) -> None:
    good = json.dumps(a_replay(TO_THE_GOAL["words"]))
    Path("many.jsonl").write_text("\n".join([good, "", "{bad", good, '{"game": "chess"}', ""]))
    Path("one.json").write_text(json.dumps(a_replay([]), indent=1))

    said = palaver("replay", "one.json", "many.jsonl", "nofile", "one.json")

    assert said.code == 2
    results = lines_of(said.out)
    assert [result["file"] for result in results] == [
        "one.json",
        "many.jsonl:1",
        "many.jsonl:3",
        "many.jsonl:4",
        "many.jsonl:5",
        "nofile",
        "one.json",
    ]
    assert [result["outcome"] for result in results] == [
        "incomplete",
        "solved",
        None,
        "solved",
        None,
        None,
        "incomplete",
    ]
    assert all(list(result) == ["file", "outcome", "scores", "turns", "error"] for result in results)
    assert [result["error"] for result in results if result["outcome"] is None] == [
        "this is no replay: Invalid JSON: key must be a string at line 1 column 2",
        "this is no replay: instance: Field required",
        "nofile cannot be read: No such file or directory",
    ]


def test_a_file_whose_first_line_is_damaged_is_still_read_line_by_line(palaver: Palaver) -> None:
    Path("many.jsonl").write_text("{bad\n" + json.dumps(a_replay([])) + "\n")

    assert [each["outcome"] for each in lines_of(palaver("replay", "many.jsonl").out)] == [None, "incomplete"]


def test_a_damaged_document_of_many_lines_is_one_bad_replay(palaver: Palaver) -> None:
    Path("one.json").write_text(json.dumps(a_replay(["a", "b"]), indent=2)[:-1])

    assert [each["file"] for each in lines_of(palaver("replay", "one.json").out)] == ["one.json"]


BAD = {
    "no JSON": "{",
    "a list": "[]",
    "nothing to say": '{"game": "maze", "instance": {"grid": ["@*"]}}',
    "both ways at once": json.dumps(a_replay([], replies=[])),
    "an unknown game": json.dumps(a_replay([]) | {"game": "chess"}),
    "an unknown variant": json.dumps(a_replay([], "alone")),
    "an unknown option": json.dumps(a_replay([], options={"colour": 1})),
    "an unknown seat": json.dumps({**a_replay([]), "texts": None, "replies": [{"seat": "x", "text": ""}]}),
    "no maze": json.dumps(a_replay([], grid=["."])),
    "a hundred thousand brackets": "[" * 100_000,
    "a lone surrogate": json.dumps(a_replay([]) | {"game": "\ud800"}),
    "no UTF-8": b'{"game": "\xff"}',
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD)
def test_what_is_no_replay_says_why(palaver: Palaver, line: str | bytes) -> None:
    Path("bad.json").write_bytes(line if isinstance(line, bytes) else line.encode())

    said = palaver("replay", "bad.json")

    assert (said.code, said.err) == (2, "")
    assert said.document["outcome"] is None
    assert "\n" not in said.document["error"]
    assert said.document["error"] != ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NEARLY = st.fixed_dictionaries(
    {"game": st.just("maze") | JSON, "instance": st.fixed_dictionaries({"grid": JSON | st.just(GRID)}) | JSON},
    optional={"variant": JSON, "options": JSON, "texts": st.lists(st.text(), max_size=4) | JSON, "replies": JSON},
)


@given(
    st.lists(NEARLY.map(json.dumps).map(str.encode) | JSON.map(json.dumps).map(str.encode) | st.binary(), max_size=5)
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_line_holds_there_is_one_result(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch, lines: list[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))

    said = palaver("replay", "-")

    given_lines = b"\n".join(lines).split(b"\n")
    results = lines_of(said.out)
    assert [result["file"] for result in results] == [f"-:{n}" for n, line in enumerate(given_lines, 1) if line.strip()]
    assert said.code == (2 if any(result["error"] for result in results) else 0)
    assert "NaN" not in said.out


def test_standard_input_is_answered_as_it_comes(home: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "palaver_deploy", "replay", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    with child:
        for number in (1, 2):
            child.stdin.write(json.dumps(a_replay(["ACTI!"])) + "\n")
            child.stdin.flush()
            assert json.loads(child.stdout.readline())["file"] == f"-:{number}"
        child.stdin.close()
    assert child.returncode == 0


def test_a_variant_that_contradicts_its_instance_is_named(palaver: Palaver) -> None:
    instance = {"puzzle": "wire", "setup": {"wires": ["red", "blue", "white"], "serial": "AB1"}}
    for variant in ("who", "wire"):
        line = {"game": "comma", "variant": variant, "instance": instance, "texts": ["cut_wire_1"]}
        Path(f"{variant}.json").write_text(json.dumps(line))

    other, own = palaver("replay", "who.json"), palaver("replay", "wire.json")

    assert (other.code, own.code) == (2, 0)
    assert other.document["error"].startswith("comma instance: its puzzle is wire, and who is to be played (")


def grids(variant: str | None, own: str = "same_grid", **changes: Any) -> dict[str, Any]:
    """A replay of `matchit_ascii`: the first answer ends the game."""
    instance: Any = next(ASCII.instances(ASCII.configure({}), 0)).data
    instance["experiment"]["name"] = own
    return {"game": "matchit_ascii", "variant": variant, "instance": instance, "texts": ["no flag"], **changes}


@pytest.mark.parametrize("variant", ["published", "clean", "similar_grid_2", "their own", None])
def test_a_variant_is_a_profile_an_experiment_or_that_of_the_instance(palaver: Palaver, variant: str | None) -> None:
    Path("one.json").write_text(json.dumps(grids(variant, "their own")))
    assert palaver("replay", "one.json").document["outcome"] == "aborted"


def test_a_variant_that_there_is_not_is_named_with_those_that_there_are(palaver: Palaver) -> None:
    Path("one.json").write_text(json.dumps(grids("nope")))
    said = palaver("replay", "one.json")
    assert said.code == 2
    assert said.document["error"] == (
        "matchit_ascii has no variant 'nope' "
        "(it has: published, clean, same_grid, similar_grid_1, similar_grid_2, different_grid)"
    )


def test_replies_after_the_end_are_told(palaver: Palaver) -> None:
    Path("one.json").write_text(json.dumps(grids(None, texts=["no flag", "more", "and more"])))
    Path("two.json").write_text(json.dumps(grids(None)))
    said = palaver("replay", "one.json", "two.json")
    assert [result.get("unused") for result in lines_of(said.out)] == [2, None]
    assert said.err == (
        "palaver: one.json holds 2 replies that nobody asked for: the game was over, or waited for another seat\n"
    )
    assert said.code == 0
