"""How many episodes are played where nobody says it."""

import json
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.clembench.matchit import ASCII
from tests.deploy.conftest import Palaver


def planned(palaver: Palaver, *words: str) -> int:
    said: dict[str, Any] = palaver("run", *words, "-a", "scripted", "--dry-run", "--json").document
    return int(said["episodes"])


def a_file(each: int, *names: str) -> Path:
    made = ASCII.instances(ASCII.configure({}), 0)
    data: Any = next(made).data
    experiments = [
        {
            **data["experiment"],
            "name": name,
            "game_instances": [{**data["instance"], "game_id": number} for number in range(each)],
        }
        for name in names
    ]
    file = Path("own.json")
    file.write_text(json.dumps({"experiments": experiments}))
    return file


@pytest.mark.parametrize(
    ("words", "episodes"),
    [
        (("matchit_ascii",), 28),
        (("multimodal_referencegame",), 26),
        (("matchit_ascii", "--set", "experiment=same_grid"), 30),
        (("mm_mapworld",), 30),
        (("comma",), 10),
        (("comma", "--set", "puzzle=wire"), 10),
        (("maze",), 1),
    ],
)
def test_each_experiment_is_played_as_often_as_the_others(
    palaver: Palaver, words: tuple[str, ...], episodes: int
) -> None:
    assert planned(palaver, *words) == episodes


@pytest.mark.parametrize(("each", "names"), [(45, ("a",)), (15, ("a", "b")), (6, ("a", "b", "c", "d", "e"))])
def test_all_that_a_file_holds_is_played(palaver: Palaver, each: int, names: tuple[str, ...]) -> None:
    assert planned(palaver, "matchit_ascii", "--set", f"instances={a_file(each, *names)}") == each * len(names)


def test_a_part_of_a_file_is_called_so(palaver: Palaver) -> None:
    words = ("run", "matchit_ascii", "-a", "scripted", "--set", f"instances={a_file(40, 'a')}", "--dry-run")
    assert "episodes   30, of 40 instances in the file" in palaver(*words, "-n", "30").out.splitlines()


def test_a_suite_may_name_a_file_in_the_home_folder(
    palaver: Palaver, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "elsewhere").mkdir()
    a_file(7, "a").rename(home / "elsewhere" / "own.json")
    monkeypatch.setenv("HOME", str(home / "elsewhere"))
    (home / "suite.yaml").write_text("game: matchit_ascii\nset: {instances: ~/own.json}\n")
    assert planned(palaver, "suite.yaml") == 7
