"""The suite that comes along for iVISPAR: the same boards in every modality, and what is played beside the models."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from palaver_deploy.studies import Cell, Study, cells_of
from palaver_deploy.suites import packaged_suites, read_suite
from palaver_gamemasters.ivispar import GAME
from tests.deploy.conftest import Palaver

SUITE = "ivispar-study"


def records(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "episodes.jsonl").read_text().splitlines()]


def cells(only: Sequence[str] = ()) -> tuple[Study, list[Cell]]:
    study = cells_of(SUITE, read_suite(packaged_suites()[SUITE]), {"models": "a/one,b/two"}, only=only)
    return study, list(study.cells)


def test_every_model_sees_the_boards_in_three_ways_and_reads_them_off_pictures() -> None:
    study, found = cells()
    models = ("a/one", "b/two")
    assert [(cell.id, study.game_of(cell), cell.agents) for cell in found] == [
        *((f"{modality}/{model}", "ivispar", model) for modality in ("3d", "2d", "text") for model in models),
        ("random", "ivispar", "random"),
        ("optimal", "ivispar", "optimal"),
        *((f"inference-{how}/{model}", "ivispar_inference", model) for how in ("3d", "2d") for model in models),
    ]
    assert (study.words["episodes"], study.words["seed"], study.words["protocol"]) == (300, 0, "user")


def test_what_the_study_did_not_do_is_played_when_it_is_named() -> None:
    _, found = cells(["compat", "interference"])
    assert [cell.id for cell in found] == ["compat/a/one", "compat/b/two", "interference/a/one", "interference/b/two"]


@pytest.mark.parametrize("experiment", ["3d", "2d", "text", "compat"])
def test_the_boards_are_those_of_the_benchmark(experiment: str) -> None:
    suite = read_suite(packaged_suites()[SUITE])
    options = GAME.configure(suite["experiments"][experiment]["set"])
    assert next(GAME.instances(options, suite["seed"])).data == next(GAME.instances(GAME.configure({}), 0)).data


def test_the_study_is_played_with_scripts(palaver: Palaver) -> None:
    said = palaver("run", SUITE, "--set", "models=random", "--only", "text,optimal", "-n", 10, "-q", "--out", "study")
    assert said.code == 0
    best, chance = (records(Path("study", "runs", name)) for name in ("optimal", "text--random"))
    assert sorted(each["instance_id"] for each in best) == sorted(each["instance_id"] for each in chance)
    assert {(each["outcome"], each["scores"]["step_deviation"]) for each in best} == {("solved", 0)}
