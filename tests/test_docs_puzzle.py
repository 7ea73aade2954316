"""The eleventh puzzle of COMMA, taken and played as ``docs/add-a-game.md`` says."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from examples.safe import PUZZLE, Face, Safe

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_protocols.errors import InstanceError, UsageError
from tests.deploy.children import lines
from tests.gamemasters.comma.playing import run
from tests.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "add-a-game.md"
PLACE = "examples.safe:PUZZLE"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A user's folder: the two files of the example, and nothing else of ours."""
    (tmp_path / "examples").mkdir()
    for name in ("safe.py", "safe.md"):
        shutil.copy(ROOT / "examples" / name, tmp_path / "examples")
    return tmp_path


def palaver(home: Path, *words: str, **environ: str) -> str:
    """Run a command as one that is installed, which does not look into the working folder by itself."""
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "palaver_deploy", *words],
        cwd=home,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_commands_of_the_page_play_it(home: Path) -> None:
    (console,) = blocks(PAGE, "console")
    commands = [shlex.split(line.removeprefix("$ palaver ")) for line in console.splitlines()]
    assert [command[0] for command in commands] == ["run", "run", "view"]
    *_, viewed = [palaver(home, *command) for command in commands]
    solved = lines(home / "runs" / "safe" / "episodes.jsonl")
    chance = lines(home / "runs" / "chance" / "episodes.jsonl")
    assert [record["scores"]["success"] for record in solved] == [1.0] * 20
    assert sum(record["scores"]["mistakes"] for record in solved) == 0
    assert sum(record["scores"]["mistakes"] for record in chance) > 0
    assert {record["variant"] for record in solved} == {PLACE}
    assert len({blob.name for blob in (home / "runs" / "safe" / "blobs").iterdir()}) > 10
    assert "What opens the door?" in viewed


def test_announced_as_on_the_page_it_is_played_by_its_name(home: Path) -> None:
    announced = tomllib.loads(blocks(PAGE, "toml")[-1])["project"]["entry-points"]["palaver.comma"]
    site = home / "site" / "mine-1.0.dist-info"
    site.mkdir(parents=True)
    (home / "examples").rename(site.parent / "examples")
    (site / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    points = "\n".join(f"{name} = {place}" for name, place in announced.items())
    (site / "entry_points.txt").write_text(f"[palaver.comma]\n{points}\n")
    words = ("run", "comma", "--set", "puzzle=safe", "--agents", "scripted", "-n", "3", "--out", "o")
    palaver(home, *words, PYTHONPATH=str(site.parent))
    records = lines(home / "o" / "episodes.jsonl")
    assert [(record["variant"], record["outcome"]) for record in records] == [("safe", "solved")] * 3


def test_the_initialisation_of_the_page_is_one(tmp_path: Path) -> None:
    (line,) = blocks(PAGE, "json")
    (tmp_path / "mine.jsonl").write_text(line)
    (episode,) = run("scripted", episodes=1, instances=str(tmp_path / "mine.jsonl"))
    assert json.loads(line)["setup"]["dial"] == 8
    assert [deed.action for deed in episode.state.deeds] == ["turn_left"] * 4 + ["open_door"]
    assert episode.outcome == "solved"


def test_its_manual_can_be_swapped(tmp_path: Path) -> None:
    (tmp_path / "my-safe.md").write_text(own_manual(PUZZLE).text.replace("| 4 |", "| 7 |"))
    (tmp_path / "mine.jsonl").write_text(blocks(PAGE, "json")[0])
    files = {"instances": str(tmp_path / "mine.jsonl"), "manuals": str(tmp_path / "my-safe.md")}
    (episode,) = run("scripted", episodes=1, puzzle=PLACE, **files)
    assert [deed.action for deed in episode.state.deeds] == ["turn_left", "open_door"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## Numbers", "## Figures", "safe.md: there is no section 'Numbers'; it has 'Safe puzzle', 'Figures'"),
        ("| red | 7 |", "| red | 77 |", "safe.md, line 9: a row has a lamp (red, yellow, green, blue) and a number"),
        ("| red | 7 |", "| pink | 7 |", "safe.md, line 9: a row has a lamp (red, yellow, green, blue) and a number"),
        ("| red | 7 |\n", "", "safe.md, line 5: there is no number for the red lamp"),
    ],
)
def test_its_manual_says_what_is_wrong_with_it(old: str, new: str, problem: str) -> None:
    with pytest.raises(InstanceError) as raised:
        PUZZLE.read_manual(Manual("safe.md", own_manual(PUZZLE).text.replace(old, new)))
    assert str(raised.value).startswith(problem)


def test_its_rule_is_the_manual_s() -> None:
    rules = rules_of(PUZZLE)
    state = PUZZLE.start(PUZZLE.configure({"lamp": "red", "dial": 8}), rules)
    assert state == Safe(Face("red", 8), 7)
    assert PUZZLE.act(state, "open_door").mistake
    turned = PUZZLE.act(state, "turn_left")
    assert not turned.mistake
    opened = PUZZLE.act(turned.state, "open_door")
    assert (opened.mistake, PUZZLE.solved(opened.state)) == (False, True)


def test_a_manual_too_short_for_so_many_experts_is_named_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "short.md").write_text("# Safe\n## Numbers\n|l|n|\n|-|-|\n|red|1|\n|yellow|2|\n|green|3|\n|blue|4|")
    options = {"puzzle": PLACE, "manuals": str(tmp_path / "short.md")}
    assert next(GAME.instances(GAME.configure({**options, "experts": 6}), 0)).variant == PLACE
    (tmp_path / "short.md").write_text("\n")
    with pytest.raises(UsageError, match=r"short\.md: there is no section 'Numbers'"):
        next(GAME.instances(GAME.configure({**options, "experts": 6}), 0))
