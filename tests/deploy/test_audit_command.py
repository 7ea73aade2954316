"""`palaver audit`: what it prints, how it ends, and that no folder makes it crash."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from palaver_gamemasters.maze import GAME
from palaver_protocols.transcript import USER, Message
from tests.deploy.children import lines, logs
from tests.deploy.conftest import Palaver

CLEAN = "no seat was sent what only another may see"


@pytest.fixture
def run(palaver: Palaver) -> Path:
    """A run of three episodes."""
    palaver("run", "maze", "-a", "scripted", "-n", 3, "-q", "--out", "run")
    return Path("run")


@pytest.fixture
def pictured(palaver: Palaver) -> Path:
    """A run with pictures."""
    palaver("run", "matchit", "-a", "scripted", "-n", 2, "-q", "--out", "pictured")
    return Path("pictured")


@pytest.fixture
def leaky(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of mazes whose second agent was shown the first one's map; by the rules of today it is not."""
    honest = type(GAME).view

    def view(self: Any, state: Any, seat: str) -> tuple[Message, ...]:
        shown = honest(self, state, seat)
        more = Message.text_from(USER, f"Your partner sees\n{state.views[0]}", (seat,))
        return (*shown, more) if seat == "agent_2" else shown

    with monkeypatch.context() as patched:
        patched.setattr(type(GAME), "view", view)
        palaver("run", "maze", "-a", "scripted", "-n", 2, "-q", "--out", "leaky")
    return Path("leaky")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_clean_run_is_told_layer_by_layer_and_left_as_it_was(palaver: Palaver, run: Path) -> None:
    before = contents(run)
    said = palaver("audit", run)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[-1] == CLEAN
    for layer in ("addressing", "content", "secrets", "record"):
        assert f"\n{layer}" in said.out
    assert contents(run) == before


def test_json_says_the_same(palaver: Palaver, run: Path) -> None:
    document = palaver("audit", run, "--json").document
    (audited,) = document["runs"]
    assert (document["leaks"], audited["run"], audited["game"], audited["episodes"]) == (0, "run", "maze", 3)
    assert audited["layers"]["addressing"]["checked"]["proven"] == sum(
        line["turns"] for line in lines(run / "episodes.jsonl")
    )
    assert [layer["leaks"] for layer in audited["layers"].values()] == [0, 0, 0, 0]


def test_a_leak_is_named_with_its_place_and_ends_with_1(palaver: Palaver, leaky: Path) -> None:
    said = palaver("audit", leaky)
    assert said.code == 1
    found = [line for line in said.out.splitlines() if line.startswith("LEAK secrets")]
    assert found[0].startswith(
        "LEAK secrets: leaky maze-pair-00000, turn 1, agent_2: what the game declares a secret from agent_2: "
    )
    grid = json.loads(logs(leaky)[0].read_text().splitlines()[0])["instance"]["views"][0]
    assert "".join(grid) not in "".join(said.out.split())
    document = palaver("audit", leaky, "--json").document
    assert {finding["seat"] for finding in document["runs"][0]["findings"]} == {"agent_2"}


def test_several_folders_and_studies_are_audited_together(palaver: Palaver, run: Path, home: Path) -> None:
    words = {
        "game": "maze",
        "episodes": 1,
        "params": {"models": ["scripted", "random"]},
        "experiments": {"same": {"each": {"model": "models"}, "agents": "{model}"}},
    }
    Path("two.yaml").write_text(yaml.safe_dump(words))
    palaver("run", "two.yaml", "-q", "--out", "study")
    document = palaver("audit", "study", run, "--json").document
    assert [len(document["runs"]), document["runs"][-1]["run"]] == [3, "run"]


def test_a_picture_that_was_changed_or_lost_is_found(palaver: Palaver, pictured: Path) -> None:
    assert palaver("audit", pictured).code == 0
    first, second, *_ = sorted((pictured / "blobs").iterdir())
    first.write_bytes(first.read_bytes() + b"?")
    second.unlink()
    said = palaver("audit", pictured)
    assert said.code == 1
    assert "is damaged" in said.out
    assert "there is no blob" in said.out


def test_a_log_that_a_crash_has_torn_is_audited_as_far_as_it_goes(palaver: Palaver, run: Path) -> None:
    file = logs(run)[0]
    whole = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(whole[:4]) + whole[4][:40])
    said = palaver("audit", run)
    assert (said.code, said.out.splitlines()[-1]) == (0, CLEAN)
    assert "1 not answered yet" in said.out


@pytest.mark.parametrize(
    "damage", [b"{}\n", b"no JSON\n", b"\xff\xfe\n", b'{"type": "turn.taken", "version": "9.0"}\n']
)
def test_a_damaged_log_is_named_and_the_others_are_audited(palaver: Palaver, run: Path, damage: bytes) -> None:
    file = logs(run)[1]
    file.write_bytes(damage + file.read_bytes())
    said = palaver("audit", run)
    assert (said.code, said.err) == (2, "")
    assert said.out.count("NOT PROVEN run maze-pair-00001: ") == 1
    assert palaver("audit", run, "--json").document["runs"][0]["episodes"] == 2


def test_an_empty_log_is_named(palaver: Palaver, run: Path) -> None:
    logs(run)[0].write_bytes(b"")
    said = palaver("audit", run)
    assert (said.code, "NOT PROVEN run maze-pair-00000: its log does not begin" in said.out) == (2, True)


def test_a_word_that_was_changed_afterwards_is_noticed(palaver: Palaver, run: Path) -> None:
    file = logs(run)[0]
    whole = file.read_bytes().splitlines(keepends=True)
    taken = json.loads(whole[1])
    taken["reply"]["parts"][0]["text"] = "I never said that.\x1b[2J"
    file.write_bytes(b"".join([whole[0], json.dumps(taken).encode() + b"\n", *whole[2:]]))
    said = palaver("audit", run)
    assert said.code == 2
    assert "are not those that the record gives by the rules of today" in said.out
    assert "\x1b" not in said.out


@pytest.mark.parametrize(
    ("folder", "complaint"),
    [
        ("nowhere", "nowhere is no run folder: it has no config.yaml (give a run's folder)"),
        ("empty", "empty is no run folder: it has no config.yaml (give a run's folder)"),
    ],
)
def test_what_is_no_run_is_said_in_one_line(palaver: Palaver, home: Path, folder: str, complaint: str) -> None:
    Path("empty").mkdir()
    said = palaver("audit", folder)
    assert (said.code, said.complaint) == (2, complaint)


def test_a_run_that_has_not_begun_is_no_clean_run(palaver: Palaver, run: Path) -> None:
    for file in logs(run):
        file.unlink()
    said = palaver("audit", run)
    assert (said.code, said.complaint) == (
        2,
        "run has no transcripts yet (play first: palaver resume takes the run up)",
    )


def test_a_run_of_a_game_that_is_not_installed_is_said(palaver: Palaver, run: Path) -> None:
    config = run / "config.yaml"
    config.write_text(config.read_text().replace("game: maze", "game: chess"))
    said = palaver("audit", run)
    assert (said.code, "there is no game 'chess'" in said.out + said.err) == (2, True)


def test_among_several_a_folder_that_is_none_is_named(palaver: Palaver, run: Path) -> None:
    said = palaver("audit", run, "nowhere")
    assert (said.code, "NOT PROVEN nowhere: " in said.out) == (2, True)


def test_a_log_that_cannot_be_opened_is_named(palaver: Palaver, run: Path) -> None:
    file = logs(run)[0]
    file.unlink()
    file.mkdir()
    said = palaver("audit", run)
    assert (said.code, "NOT PROVEN run maze-pair-00000: cannot read" in said.out) == (2, True)
