"""The puzzles that come with the game: whole, well labelled, with pages that open and do not tell the answer."""

from collections import Counter
from typing import get_args

import pytest
from PIL import Image

from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.puzzleworld.answers import tells
from palaver_gamemasters.puzzleworld.drawn import SHIPPED
from palaver_gamemasters.puzzleworld.puzzle import MODALITIES, SKILLS, Difficulty
from tests.gamemasters.puzzleworld.own_puzzles import NAMES, metadata, pictures, words

ACTIONS = ("Pattern discovery", "Sketching", "Manipulation", "Combining", "Extraction")
EACH = pytest.mark.parametrize("name", NAMES)


def test_there_are_nine_puzzles_and_the_game_plays_each() -> None:
    assert {each.id for each in GAME.instances(GAME.configure({}), 0)} == set(NAMES)
    assert len(NAMES) == 9


@pytest.mark.parametrize("label", MODALITIES)
def test_every_modality_is_covered(label: str) -> None:
    assert any(label in metadata(name)["modality"] for name in NAMES)


@pytest.mark.parametrize("label", SKILLS)
def test_every_skill_is_covered(label: str) -> None:
    assert any(label in metadata(name)["skills"] for name in NAMES)


@pytest.mark.parametrize("label", get_args(Difficulty))
def test_every_difficulty_is_covered_by_two_puzzles_at_least(label: str) -> None:
    assert Counter(metadata(name)["difficulty"] for name in NAMES)[label] >= 2


def test_some_puzzles_have_several_pages_and_some_have_one() -> None:
    assert {len(list((SHIPPED / name).glob("content*.png"))) for name in NAMES} == {1, 2}


def test_some_steps_have_a_figure() -> None:
    assert sum(step["figure"] is not None for name in NAMES for step in metadata(name)["reasoning"]) >= 4


def test_the_folder_says_that_the_puzzles_are_in_the_public_domain() -> None:
    assert "CC0 1.0" in (SHIPPED / "README.md").read_text(encoding="utf-8")


@EACH
def test_the_folder_is_named_after_the_title(name: str) -> None:
    assert metadata(name)["title"].replace(" ", "_") == name


@EACH
def test_all_labels_are_known_ones(name: str) -> None:
    about = metadata(name)

    assert set(about["modality"]) <= set(MODALITIES)
    assert set(about["skills"]) <= set(SKILLS)
    assert about["difficulty"] in get_args(Difficulty)


@EACH
def test_the_solution_is_in_upper_case(name: str) -> None:
    assert metadata(name)["solution"].isupper()


@EACH
def test_every_step_begins_with_an_action(name: str) -> None:
    assert all(step["explanation"].startswith(ACTIONS) for step in metadata(name)["reasoning"])


@EACH
def test_the_last_step_reaches_the_solution_and_no_other_does(name: str) -> None:
    *others, last = metadata(name)["reasoning"]
    solution = metadata(name)["solution"]

    assert solution in last["explanation"]
    assert not any(solution in step["explanation"] for step in others)


@EACH
def test_the_figures_of_the_steps_are_the_figures_there_are(name: str) -> None:
    named = {step["figure"] for step in metadata(name)["reasoning"]} - {None}

    assert named == {path.name for path in pictures(name) if path.name.startswith("figure")}


@EACH
def test_every_page_has_words(name: str) -> None:
    assert all(path.with_suffix(".txt").is_file() for path in pictures(name) if path.name.startswith("content"))


@EACH
def test_the_words_begin_with_title_and_flavour_as_the_page_does(name: str) -> None:
    about = metadata(name)

    assert words(name).startswith(f"title: {about['title']}\n")
    assert f"\nflavour: {about['flavor_text']}\n" in words(name)


@EACH
def test_no_page_tells_the_answer(name: str) -> None:
    assert not tells(metadata(name)["solution"], words(name))


@EACH
def test_the_flavour_text_does_not_ask_for_the_answer(name: str) -> None:
    assert "?" not in metadata(name)["flavor_text"]


@EACH
def test_the_pictures_are_small_and_wide_enough_to_read(name: str) -> None:
    for path in pictures(name):
        assert path.stat().st_size < 150_000
        with Image.open(path) as picture:
            picture.load()
            assert picture.mode == "P"
            assert 1000 <= picture.width <= 1400
