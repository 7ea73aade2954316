"""What there is to play: the same from the same seed everywhere, all puzzles in turn, or from a file."""

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.puzzles import TEN
from palaver_gamemasters.game import Instance
from tests.deploy.children import lines
from tests.deploy.conftest import Palaver, home, palaver
from tests.gamemasters.comma.playing import WIRES, openings

__all__ = ["home", "palaver"]

WIRE: dict[str, Any] = {"puzzle": "wire", "setup": dict(WIRES)}


def some(number: int, seed: int = 0, **options: Any) -> list[Instance]:
    return list(islice(GAME.instances(GAME.configure(options), seed), number))


# From a seed.


def test_ten_episodes_are_one_of_each_puzzle() -> None:
    assert [instance.variant for instance in some(10)] == list(TEN)
    assert [opening.variant for opening in openings("random", episodes=10)] == list(TEN)


def test_a_thousand_episodes_are_a_hundred_of_each_puzzle() -> None:
    instances = some(1000)
    assert Counter(instance.variant for instance in instances) == dict.fromkeys(TEN, 100)
    assert len({instance.id for instance in instances}) == 1000
    assert len({json.dumps(instance.data) for instance in instances}) > 990


@pytest.mark.parametrize("name", TEN)
def test_a_puzzle_alone_is_played_in_the_same_initialisations_as_among_all(name: str) -> None:
    among_all = [instance for instance in some(50, seed=7) if instance.variant == name]
    assert some(5, seed=7, puzzle=name) == among_all
    assert [instance.id for instance in among_all] == [f"{name}-s7-{index:04d}" for index in range(5)]


def test_initialisations_depend_on_seed_and_index_alone() -> None:
    options: dict[str, Any] = {"modality": "text", "memory": "none", "turns": 3, "mistakes": 1, "experts": 2}
    assert some(20, **options) == some(20)
    assert [instance.data for instance in some(20, seed=1)] != [instance.data for instance in some(20)]


def test_the_initialisations_of_seed_0_stay_as_they_are() -> None:
    assert [instance.data for instance in some(2, puzzle="wire")] == [
        {
            "puzzle": "wire",
            "setup": {"wires": ["white", "yellow", "green", "green", "green"], "serial": "KHZ044"},
            "manual": None,
        },
        {
            "puzzle": "wire",
            "setup": {"wires": ["green", "green", "blue", "black", "red", "black"], "serial": "TPS148"},
            "manual": None,
        },
    ]


def test_an_initialisation_is_plain_json() -> None:
    for instance in some(10):
        assert json.loads(json.dumps(instance.data)) == instance.data


DIGEST = """
import hashlib, itertools, json
from palaver_gamemasters.comma import GAME
options = GAME.configure({"modality": "auto"})
made = list(itertools.islice(GAME.instances(options, 0), 200))
views = [GAME.view(GAME.start(each.data, options), seat) for each in made[:10] for seat in ("solver", "expert")]
shown = [message.model_dump(mode="json") for view in views for message in view]
print(hashlib.sha256(json.dumps([[each.id, each.data] for each in made] + shown).encode()).hexdigest())
"""


def test_initialisations_pictures_and_words_are_the_same_in_every_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1, "something depends on the order of a set"


# From a file.


def from_file(path: Path, **options: Any) -> list[Instance]:
    return list(GAME.instances(GAME.configure({"instances": str(path), **options}), 0))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(WIRE),
        json.dumps(WIRE, indent=2),
        json.dumps([WIRE]),
        f"{json.dumps(WIRE)}\n",
        f"\n\n{json.dumps(WIRE)}\n\n",
        "\ufeff" + json.dumps(WIRE),
    ],
    ids=["one line", "one object", "a list", "a line with its end", "blank lines", "a byte order mark"],
)
def test_initialisations_come_as_json_or_a_line_each(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.json").write_text(text)
    assert from_file(tmp_path / "mine.json") == [Instance("mine-0000", {**WIRE, "manual": None}, "wire")]


def test_a_file_may_hold_several_puzzles_and_one_of_them_be_played(tmp_path: Path) -> None:
    other: Any = some(1, puzzle="keypad")[0].data
    (tmp_path / "mine.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in (WIRE, other, WIRE)))
    assert [instance.variant for instance in from_file(tmp_path / "mine.jsonl")] == ["wire", "keypad", "wire"]
    assert [instance.id for instance in from_file(tmp_path / "mine.jsonl", puzzle="wire")] == ["mine-0000", "mine-0001"]


def test_an_initialisation_s_own_manual_goes_before_that_of_the_run(tmp_path: Path) -> None:
    rules = "\n".join(f"## {count} wires\n- Cut the {{}} wire." for count in (3, 4, 5, 6))
    (tmp_path / "run.md").write_text(rules.replace("{}", "third"))
    mine = [WIRE, {**WIRE, "manual": rules.replace("{}", "first")}]
    (tmp_path / "mine.json").write_text(json.dumps(mine))
    instances = from_file(tmp_path / "mine.json", puzzle="wire", manuals=tmp_path / "run.md")
    assert [GAME.start(instance.data, GAME.configure({})).now.right for instance in instances] == [2, 0]


def test_only_what_the_file_holds_is_played(palaver: Palaver, home: Path) -> None:
    (home / "mine.json").write_text(json.dumps([WIRE, WIRE]))
    words = ("run", "comma", "--agents", "scripted", "--set", "instances=mine.json", "--out", "o", "-q")
    assert palaver(*words, "-n", 5).complaint == "comma has 2 instances, 5 episodes were asked for (use -n 2)"
    assert palaver(*words, "-n", 2).code == 0
    records = lines(home / "o" / "episodes.jsonl")
    assert sorted(record["instance_id"] for record in records) == ["mine-0000", "mine-0001"]
    assert [record["outcome"] for record in records] == ["solved", "solved"]


PLAIN = "# 3 wires"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "holds no initialisation (give {"),
        ("[]", "holds no initialisation (give {"),
        ("{", "line 1 is no JSON: "),
        (f"{json.dumps(WIRE)}\n{{]", "line 2 is no JSON: "),
        ("7", "initialisation 1: comma instance: "),
        (json.dumps([WIRE, {"setup": {}}]), "initialisation 2: comma instance: puzzle: Field required"),
        (f'{json.dumps(WIRE)}\n{{"puzzle": "wire"}}', "line 2: comma instance: setup: Field required"),
        (json.dumps({**WIRE, "puzzle": "wires"}), "initialisation 1: there is no puzzle 'wires' (did you mean wire?)"),
        (json.dumps({**WIRE, "manuel": "x"}), "initialisation 1: comma instance: manuel: Extra inputs are not"),
        (
            json.dumps({**WIRE, "setup": {**WIRES, "colour": "red"}}),
            "initialisation 1: comma wire instance: there is no field 'colour' (it has: wires, serial)",
        ),
        (
            json.dumps({**WIRE, "setup": {"wires": ["red", "pink", "red"], "serial": "AB1"}}),
            "initialisation 1: comma wire instance: wires.1: Input should be 'red', 'blue', ",
        ),
        (
            json.dumps({**WIRE, "setup": {"wires": ["red"], "serial": "AB1"}}),
            "initialisation 1: comma wire instance: wires: Tuple should have at least 3 items",
        ),
        (json.dumps({**WIRE, "setup": 3}), "initialisation 1: comma wire instance: "),
        (json.dumps({**WIRE, "setup": None}), "initialisation 1: comma wire instance: "),
        (
            json.dumps({**WIRE, "manual": PLAIN}),
            "initialisation 1: the wire manual: there is no section '4 wires'; it has '3 wires'",
        ),
        ("[" * 100_000, "line 1 is no JSON: "),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line_that_names_it_and_the_field(
    text: str, problem: str, *, palaver: Palaver, home: Path
) -> None:
    (home / "mine.json").write_text(text)
    said = palaver("run", "comma", "--agents", "random", "--set", "instances=mine.json", "-n", 3)
    assert said.code == 2
    assert said.complaint.startswith(f"{home / 'mine.json'}")
    assert said.complaint.removeprefix(f"{home / 'mine.json'}").lstrip(", ").startswith(problem)
    assert len(said.complaint) < 500


def test_a_file_without_what_is_to_be_played_says_so(palaver: Palaver, home: Path) -> None:
    (home / "mine.json").write_text(json.dumps(WIRE))
    words = ("--set", "instances=mine.json", "--set", "puzzle=keypad")
    assert palaver("run", "comma", "--agents", "random", *words).complaint.startswith(
        f"{home / 'mine.json'} holds no initialisation of keypad"
    )


def test_a_file_that_is_not_there_is_named(palaver: Palaver, home: Path) -> None:
    said = palaver("run", "comma", "--agents", "random", "--set", "instances=mine.json")
    assert said.complaint.startswith(f"cannot read {home / 'mine.json'}: No such file or directory")
