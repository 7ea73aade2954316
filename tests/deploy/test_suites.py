"""Suites: runs that are written down in a file."""

import json
import re
from pathlib import Path

import pytest

from palaver_deploy.studies import is_study
from palaver_deploy.suites import packaged_suites, read_suite
from tests.deploy.children import lines
from tests.deploy.conftest import Palaver


def test_the_suite_of_the_study_has_its_main_setting(palaver: Palaver) -> None:
    facts = palaver("run", "collaboration-gap-pair", "-a", "openai/o3", "--dry-run", "--json").document

    assert (facts["game"], facts["variant"], facts["episodes"], facts["protocol"]) == ("maze", "pair", 100, "prefixes")
    assert {key: facts["options"][key] for key in ("size", "density", "min_path", "max_path", "max_turns")} == {
        "size": 6,
        "density": 0.3,
        "min_path": 7,
        "max_path": 9,
        "max_turns": 50,
    }


@pytest.mark.parametrize("name", packaged_suites())
def test_every_suite_that_comes_along_can_be_played(palaver: Palaver, name: str) -> None:
    who = ("--set", "models=random") if is_study(read_suite(packaged_suites()[name])) else ("-a", "random")
    assert palaver("run", name, *who, "--dry-run").code == 0
    for what in (f"{name}.yaml", packaged_suites()[name]):
        assert palaver("run", what, *who, "-n", 1, "--dry-run").code == 0
    assert read_suite(packaged_suites()[name])["about"]


def test_a_suite_and_the_command_line_are_merged_and_the_latter_wins(palaver: Palaver) -> None:
    Path("my.yaml").write_text(
        "game: maze\nagents: [random, scripted]\nepisodes: 3\nseed: 5\nprotocol: user\n"
        "sampling: {temperature: 1, top_p: 0.5}\nset: {size: 4, density: 0.2}\n"
    )

    words = ("-n", 2, "--set", "size=5", "--temperature", 0)
    facts = palaver("run", "my.yaml", *words, "--dry-run", "--json").document

    assert (facts["episodes"], facts["seed"], facts["protocol"]) == (2, 5, "user")
    assert facts["seats"] == {"agent_1": "random", "agent_2": "scripted"}
    assert (facts["options"]["size"], facts["options"]["density"]) == (5, 0.2)
    assert facts["sampling"] == {"temperature": 0.0, "top_p": 0.5}


def test_the_config_of_a_run_plays_it_again(palaver: Palaver) -> None:
    palaver("run", "maze", "-a", "optimal", "-n", 3, "--seed", 4, "--set", "setting=solo-full", "-q", "--out", "one")

    assert palaver("run", "one/config.yaml", "-q", "--out", "other").code == 0
    one, other = (
        [(each["instance_id"], each["seed"], each["scores"]) for each in lines(Path(run, "episodes.jsonl"))]
        for run in ("one", "other")
    )
    assert sorted(one, key=json.dumps) == sorted(other, key=json.dumps)


BAD = {
    "a misspelt name": (None, r"there is no game and no suite 'my-siute' \(there are: .*"),
    "an unknown word": ("game: maze\nepisods: 3", r"my.yaml: a run has no 'episods' \(it has: about, agents, .*\)"),
    "a word that is no word": ("game: maze\n1: 3\non: 4", r"my.yaml: a run has no '1' .*"),
    "no game": ("agents: random", r"my.yaml names no game \(begin with, for example, `game: maze`\)"),
    "a game that is no name": ("game: 3", r"my.yaml names no game .*"),
    "an unknown game": ("game: chess\nagents: random", r"there is no game 'chess' \(there are: .*\)"),
    "a list": ("- game: maze", r"my.yaml is no suite .*"),
    "nothing": ("", r"my.yaml is no suite .*"),
    "no YAML": ("game: [", r"my.yaml is no YAML: .*"),
    "no text": ("\udcff", r"my.yaml is no YAML: .*"),
    "set is a list": ("game: maze\nset: [1]", r"my.yaml: set cannot be \[1\] .*"),
    "sampling is a number": ("game: maze\nsampling: 1", r"my.yaml: sampling cannot be 1 .*"),
    "sampling is misspelt": (
        "game: maze\nagents: random\nsampling: {temprature: 1}",
        r"my.yaml: sampling has no 'temprature' \(it has: max_tokens, .*\)",
    ),
    "agents are a mapping": ("game: maze\nagents: {a: b}", r"agents cannot be \{'a': 'b'\} .*"),
    "agents are numbers": ("game: maze\nagents: [1, 2]", r"agents cannot be \[1, 2\] .*"),
    "a wrong number": ("game: maze\nagents: random\nepisodes: many", r"episodes cannot be 'many': .*"),
    "a wrong protocol": ("game: maze\nagents: random\nprotocol: telepathy", r"protocol cannot be 'telepathy': .*"),
}


@pytest.mark.parametrize(("text", "why"), BAD.values(), ids=BAD)
def test_a_bad_suite_is_one_line(palaver: Palaver, text: str | None, why: str) -> None:
    what = "my-siute" if text is None else "my.yaml"
    if text is not None:
        Path("my.yaml").write_bytes(text.encode(errors="surrogateescape"))

    said = palaver("run", what)

    assert said.code == 2
    assert re.fullmatch(why, said.complaint), said.complaint


def test_a_suite_that_is_not_there_is_named(palaver: Palaver) -> None:
    Path("folder.yaml").mkdir()

    assert palaver("run", "no.yaml").complaint == (
        "there is no suite no.yaml (`palaver list suites` names those that come along)"
    )
    assert palaver("run", "folder.yaml").complaint == "folder.yaml cannot be read: Is a directory"
