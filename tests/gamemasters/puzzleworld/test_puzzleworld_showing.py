"""What people see of a puzzle: its pages, who has which, and how far the solvers have come."""

import json
from pathlib import Path

import pytest

from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.showing import Panel
from palaver_protocols.content import Image
from tests.gamemasters.puzzleworld.puzzle_folders import after, episode, instances, make_puzzle, paint

TWO = ("content_1.png", "content_2.png")


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    make_puzzle(tmp_path / "Going_Round")
    return tmp_path


@pytest.fixture
def two_pages(tmp_path: Path) -> Path:
    make_puzzle(tmp_path / "Going_Round", pages=TWO)
    return tmp_path


def so_far(panels: tuple[Panel, ...]) -> list[str]:
    assert panels[-1].title == "so far"
    return panels[-1].words.splitlines()


def test_the_pages_are_shown_as_the_models_see_them(dataset: Path) -> None:
    state = episode(dataset)
    page, _ = GAME.panels(state)
    (seen,) = [part for message in GAME.view(state, "solver") for part in message.parts if isinstance(part, Image)]
    assert (page.title, page.png, page.width, page.height) == ("the page", seen.data, 40, 60)
    assert page.words == "The page of Going Round."


@pytest.mark.parametrize(("size", "shown"), [((1800, 600), (900, 300)), ((1000, 2000), (900, 1800))])
def test_a_wide_page_is_made_smaller(tmp_path: Path, size: tuple[int, int], shown: tuple[int, int]) -> None:
    paint(make_puzzle(tmp_path / "Going_Round") / "content.png", size)
    page, _ = GAME.panels(episode(tmp_path, images=4096))
    assert (page.width, page.height) == shown


def test_a_tall_page_keeps_the_size_that_models_see(tmp_path: Path) -> None:
    paint(make_puzzle(tmp_path / "Going_Round") / "content.png", (500, 2000))
    page, _ = GAME.panels(episode(tmp_path))
    assert (page.width, page.height) == (256, 1024)


def test_who_has_which_page_is_told(two_pages: Path) -> None:
    words = [panel.words for panel in GAME.panels(episode(two_pages, solvers=2))[:2]]
    assert words == [
        "Page 1 of 2 of Going Round (solver_1 has it).",
        "Page 2 of 2 of Going Round (solver_2 has it).",
    ]


def test_who_has_which_strip_is_told(dataset: Path) -> None:
    page, _ = GAME.panels(episode(dataset, solvers=2))
    assert page.words == "The page of Going Round (solver_1 has strip 1 of 2; solver_2 has strip 2 of 2)."


def test_answers_and_the_solution_are_told_to_those_who_watch(dataset: Path) -> None:
    state = episode(dataset, solvers=2)
    assert so_far(GAME.panels(state))[1:] == ["message 0 of 12", "", "no answer yet", "solution: ROLL WITH IT"]
    said = after(state, "Is it roll with it?", "Answer: **bread**")
    assert so_far(GAME.panels(said))[3:] == [
        "solver_1 has said the solution",
        "solver_2 answers bread: wrong",
        "solution: ROLL WITH IT",
    ]


def test_a_right_answer_is_told(dataset: Path) -> None:
    assert "solver answers Roll with it: right" in so_far(GAME.panels(after(episode(dataset), "Answer: Roll with it")))


def test_that_there_was_no_answer_is_told(dataset: Path) -> None:
    assert "no answer was handed in" in so_far(GAME.panels(after(episode(dataset), "Who knows?")))


def test_what_was_answered_stays_in_its_line(dataset: Path) -> None:
    long = so_far(GAME.panels(after(episode(dataset), f"Answer: \x1b[31m{'x' * 5000}")))
    assert all(len(line) < 120 and line.isprintable() for line in long)


def test_a_page_that_has_gone_is_said_to_have(dataset: Path) -> None:
    (instance,) = instances(dataset)
    gone = json.loads(json.dumps(instance.data).replace("content.png", "lost.png"))
    page, _ = GAME.panels(GAME.start(gone, GAME.configure({"dataset": str(dataset)})))
    assert (page.png, page.width) == (b"", 0)
    assert "lost.png" in page.words
