"""Which puzzles are played: all of a dataset once, or those that options choose."""

from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.puzzleworld import GAME
from palaver_protocols.errors import UsageError
from tests.gamemasters.puzzleworld.puzzle_folders import instances, make_puzzle


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    make_puzzle(tmp_path / "Red,_Green", title="Red, Green", difficulty="easy", modality=["text"], skills=["logic"])
    make_puzzle(tmp_path / "Blue", title="Blue!", difficulty="hard", modality="text, visual", skills=["tool_use"])
    make_puzzle(tmp_path / "Grey", title="Grey", difficulty=None, modality=["odd"], skills=[])
    return tmp_path


def chosen(dataset: Path, **options: Any) -> set[str]:
    return {instance.id for instance in instances(dataset, **options)}


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({}, {"Red,_Green", "Blue", "Grey"}),
        ({"puzzles": "blue"}, {"Blue"}),
        ({"puzzles": "Blue!"}, {"Blue"}),
        ({"puzzles": "Red, Green"}, {"Red,_Green"}),
        ({"puzzles": "Grey, Blue"}, {"Blue", "Grey"}),
        ({"skip": "Red,_Green"}, {"Blue", "Grey"}),
        ({"puzzles": "Grey,Blue,Grey"}, {"Blue", "Grey"}),
        ({"difficulty": "HARD"}, {"Blue"}),
        ({"modality": "text"}, {"Red,_Green", "Blue"}),
        ({"modality": "odd"}, {"Grey"}),
        ({"skill": "tool use"}, {"Blue"}),
        ({"modality": "text", "skill": "logic"}, {"Red,_Green"}),
    ],
)
def test_options_choose_puzzles(dataset: Path, options: dict[str, Any], ids: set[str]) -> None:
    assert chosen(dataset, **options) == ids


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"puzzles": "Bleu"}, r"option puzzles: there is no puzzle 'Bleu' \(did you mean Blue\?\)"),
        ({"skip": "Xylophone"}, r"option skip: there is no puzzle 'Xylophone' \(name it by its folder or its title\)"),
        (
            {"difficulty": "medium"},
            r"no puzzle is chosen \(the puzzles are .*(easy|hard).*\)",
        ),
        ({"puzzles": "Blue", "skip": "Blue"}, "there is no puzzle 'Blue'"),
    ],
)
def test_what_chooses_nothing_is_refused(dataset: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        instances(dataset, **options)


def test_a_seed_gives_another_order_of_the_same_puzzles() -> None:
    options = GAME.configure({})
    orders = [[instance.id for instance in GAME.instances(options, seed)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


def test_our_own_puzzles_are_named_alike_on_every_machine() -> None:
    for instance in GAME.instances(GAME.configure({}), 0):
        data: Any = instance.data
        files = [page["file"] for page in (*data["pages"], *data["figures"].values())]
        assert all(file.startswith(f"{instance.id}/") for file in files)
        assert data["revision"] is None


def test_a_dataset_is_found_again_from_another_folder(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(dataset.parent)
    assert GAME.configure({"dataset": dataset.name}).dataset == str(dataset)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"divide": "modalities"}, "one solver has nothing to divide"),
        ({"turns": 3}, "a solver alone writes one message"),
        ({"revision": "v1"}, "our own puzzles have no revision"),
        ({"expert": True, "turns": 1}, "nobody would hear the expert"),
    ],
)
def test_options_that_would_make_no_difference_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        GAME.configure(options)


@pytest.mark.parametrize("dataset", ["", " "], ids=["empty", "blank"])
def test_a_dataset_has_a_name(dataset: str) -> None:
    with pytest.raises(UsageError, match="it names no folder"):
        GAME.configure({"dataset": dataset})


def test_yaml_s_reading_of_the_hub_is_understood() -> None:
    assert GAME.configure({"dataset": {"hf": None}}).dataset == "hf:"


@pytest.mark.parametrize("variant", ["foo-2", "pages", "pages-1", "pages-9", "pages-2-foo", "", "alone-expert"])
def test_a_variant_that_is_none_is_refused(variant: str) -> None:
    with pytest.raises(UsageError, match=r"has no variant '.*' \(it has: alone, expert, and with 2 to 8 solvers"):
        GAME.configure({}, variant)


@pytest.mark.parametrize(
    ("options", "variant"),
    [
        ({}, "alone"),
        ({"expert": True}, "expert"),
        ({"solvers": 2}, "pages-2"),
        ({"solvers": 3, "divide": "modalities"}, "modalities-3"),
        ({"solvers": 2, "divide": "nothing", "expert": True}, "nothing-2-expert"),
    ],
)
def test_a_variant_says_who_solves_with_whom(options: dict[str, Any], variant: str) -> None:
    read = GAME.configure(options)
    assert GAME.variant(read) == variant
    assert GAME.configure({}, variant) == read
