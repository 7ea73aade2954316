"""What can never be answered is refused before anything is played or written."""

from pathlib import Path

import pytest

from palaver_gamemasters.comma.game import CommaGame
from palaver_gamemasters.maze.game import MazeGame
from palaver_protocols.errors import PalaverError
from palaver_protocols.messages import TurnRequest
from tests.deploy.conftest import Palaver

PICTURES = ("comma", "--set", "modality=image", "--set", "puzzle=wire", "-n", "20")
BLIND = (
    "openai/o3-mini cannot be solver in comma (wire): the pictures cannot be sent: it takes no pictures "
    "(seat a model that takes them, or mend its `quirks: {pictures: ...}` in palaver.providers.yaml)"
)
SCRIPT = (
    "scripted cannot be solver in comma (wire): scripts cannot see pictures "
    "(play with --set modality=auto, text or both)"
)


@pytest.mark.parametrize(("agents", "said"), [("scripted", SCRIPT), ("openai/o3-mini,scripted", BLIND)])
def test_a_run_that_nobody_could_begin_is_refused_and_leaves_nothing(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch, agents: str, said: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")

    refused = palaver("run", *PICTURES, "-a", agents, "--out", "run")

    assert (refused.code, refused.complaint) == (2, said)
    assert not Path("run").exists()


def test_a_study_is_refused_for_one_run_of_it_and_leaves_nothing(home: Path, palaver: Palaver) -> None:
    (home / "blind.yaml").write_text(
        "game: comma\nset: {puzzle: wire}\nexperiments:\n  chance: {each: {}, agents: random}\n"
        "  pictures: {each: {}, agents: scripted, set: {modality: image}}\n"
    )

    refused = palaver("run", "blind.yaml", "--out", "study")

    assert (refused.code, refused.complaint) == (2, SCRIPT)
    assert not Path("study").exists()


def test_a_run_is_refused_before_it_is_handed_to_a_bus(palaver: Palaver) -> None:
    refused = palaver("submit", *PICTURES, "-a", "scripted", "--broker", "redis://127.0.0.1:1")

    assert (refused.code, refused.complaint) == (2, SCRIPT)


def test_a_script_that_is_asked_second_is_tried_too(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    def dumb(_: TurnRequest) -> str:
        raise PalaverError("scripted: this puzzle cannot be talked about", mend="seat a model")

    monkeypatch.setattr(CommaGame, "players", lambda _: {"random": lambda _: "hm", "scripted": dumb})

    refused = palaver("run", "comma", "--set", "puzzle=wire", "-a", "random,scripted", "--out", "run")

    assert refused.code == 2
    assert refused.complaint == (
        "scripted cannot be expert in comma (wire): this puzzle cannot be talked about (seat a model)"
    )


@pytest.mark.parametrize(
    "agents",
    ["random", "random@1>scripted,scripted", "random,team(lead=scripted,members=scripted+scripted,show=split)"],
)
def test_what_can_be_begun_is_played(palaver: Palaver, agents: str) -> None:
    said = palaver("run", "comma", "--set", "puzzle=wire", "-n", "2", "-a", agents, "-q", "--out", "run")

    assert Path("run", "episodes.jsonl").exists(), said.err


def test_a_bug_of_the_game_is_left_to_whoever_plays_it(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("no view")

    monkeypatch.setattr(MazeGame, "view", broken)

    said = palaver("run", "maze", "-a", "scripted", "-q", "--out", "run")

    assert said.code == 1
    assert "raised ZeroDivisionError: no view" in said.err
