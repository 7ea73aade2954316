"""A run that is taken up plays what it was planned with, or says that it cannot: its files may have changed."""

import json
from pathlib import Path

import pytest
import yaml
from PIL import Image as Pillow

from palaver_gamemasters.registry import load_game
from palaver_gamemasters.rollout import plan
from palaver_protocols.runs import RunConfig
from tests.deploy.conftest import Palaver

RUN = ("puzzleworld", "-a", "random", "--set", "dataset=data", "-q")
CHANGED = "the instances of puzzleworld are not those that run was planned with"


def a_puzzle(name: str, colour: str = "red") -> None:
    """Write a puzzle into the dataset."""
    folder = Path("data", name)
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "title": name,
        "flavor_text": "Feel your way.",
        "difficulty": "easy",
        "solution": "ANSWER",
        "reasoning": [{"explanation": "Read it.", "figure": None}],
        "modality": ["text"],
        "skills": ["logic"],
        "source": "palaver",
    }
    (folder / "metadata.json").write_text(json.dumps(about))
    Pillow.new("RGB", (8, 8), colour).save(folder / "content.png")


@pytest.fixture
def dataset(home: Path) -> Path:
    """A dataset of two puzzles."""
    for name in ("One", "Two"):
        a_puzzle(name)
    return home / "data"


@pytest.fixture
def run(dataset: Path, palaver: Palaver) -> Path:
    """A run over it, of which nothing has been played yet but what a budget allows."""
    assert palaver("run", *RUN, "--out", "run").code == 0
    not_begun(Path("run"))
    return Path("run")


def not_begun(run: Path) -> None:
    """Take everything out of a run folder that was played."""
    (run / "episodes.jsonl").unlink()
    for log in (run / "transcripts").iterdir():
        log.unlink()


def config(run: Path) -> dict[str, object]:
    read = yaml.safe_load((run / "config.yaml").read_bytes())
    assert isinstance(read, dict)
    return read


def forget(run: Path) -> None:
    """Make a folder of before there were digests."""
    old = {name: value for name, value in config(run).items() if not name.startswith("instances_")}
    (run / "config.yaml").write_text(yaml.safe_dump(old))


def test_what_has_not_changed_is_played(run: Path, palaver: Palaver) -> None:
    assert palaver("resume", run, "-q").code == 0
    assert len((run / "episodes.jsonl").read_text().splitlines()) == 2


def test_a_picture_that_has_changed_stops_what_had_not_begun(run: Path, palaver: Palaver) -> None:
    a_puzzle("Two", "blue")

    said = palaver("resume", run, "-q")

    assert (said.code, said.complaint.partition(" (put its files back")[0]) == (2, CHANGED)
    assert "start a new run" in said.complaint
    assert not (run / "episodes.jsonl").exists()


def test_so_does_the_same_command_with_the_same_folder(run: Path, palaver: Palaver) -> None:
    a_puzzle("Two", "blue")
    assert palaver("run", *RUN, "--out", run).complaint.startswith(CHANGED)


def test_so_do_fewer_puzzles(run: Path, dataset: Path, palaver: Palaver) -> None:
    (dataset / "Two").rename("away")
    assert palaver("resume", run, "-q").complaint.startswith(CHANGED)


def test_a_folder_without_a_digest_is_taken_up_as_before(run: Path, palaver: Palaver) -> None:
    forget(run)
    a_puzzle("Two", "blue")

    assert palaver("resume", run, "-q").code == 0
    assert "instances_sha256" not in config(run)


def test_the_same_command_takes_up_a_folder_without_a_digest(run: Path, palaver: Palaver) -> None:
    forget(run)
    assert palaver("run", *RUN, "--out", run).code == 0


def test_where_an_episode_had_begun_the_files_are_named_as_a_reason(run: Path, palaver: Palaver) -> None:
    forget(run)
    assert palaver("resume", run, "-q").code == 0
    (run / "episodes.jsonl").write_text("")
    for log in (run / "transcripts").iterdir():
        log.write_text(log.read_text().splitlines(keepends=True)[0])
    for name in ("One", "Two"):
        a_puzzle(name, "blue")

    said = palaver("resume", run, "-q")

    assert "was begun on another instance" in said.complaint
    assert "put the files back that the run plays, if they have changed" in said.complaint


def test_the_revision_is_kept_and_named(dataset: Path, palaver: Palaver) -> None:
    (dataset / "REVISION").write_text("abc123\n")
    assert palaver("run", *RUN, "--out", "run").code == 0
    (dataset / "REVISION").write_text("def456\n")

    said = palaver("resume", "run", "-q")

    assert config(Path("run"))["instances_revision"] == "abc123"
    assert said.complaint.startswith(f"{CHANGED}, of revision abc123 (now def456) (put its files back as they were, at")


@pytest.fixture
def study(dataset: Path, palaver: Palaver) -> Path:
    """A study of two runs over the dataset, of which the first has been played."""
    experiments = {name: {"each": {}, "agents": "random"} for name in ("first", "second")}
    words = {"game": "puzzleworld", "set": {"dataset": "data"}, "experiments": experiments}
    Path("both.yaml").write_text(yaml.safe_dump(words))
    assert palaver("run", "both.yaml", "--only", "first", "--out", "study", "-q").code == 0
    return Path("study")


def test_the_runs_of_a_study_are_held_to_it(study: Path, palaver: Palaver) -> None:
    a_puzzle("Two", "blue")
    changed = palaver("resume", study, "-q")
    forget(study / "runs" / "first")

    assert "are not those that study.first was planned with" in changed.err
    assert palaver("resume", study, "-q").code == 0


def test_the_runs_of_a_study_that_play_the_same_have_the_same_instances(study: Path, palaver: Palaver) -> None:
    assert palaver("run", "both.yaml", "--out", study, "-q").code == 0
    (study / "runs" / "first").rename("away")
    a_puzzle("Two", "blue")

    said = palaver("resume", study, "-q")

    assert "are not those that study.second was planned with" in said.err
    assert not (study / "runs" / "first").exists()


def test_the_digest_is_of_names_and_data_in_order_and_of_nothing_else() -> None:
    game = load_game("maze")

    def digest(**words: object) -> str:
        given = {"run_id": "r", "game": "maze", "agents": ("scripted",), "episodes": 3, **words}
        return plan(game, RunConfig.model_validate(given)).instances_sha256

    assert digest() == digest(run_id="other", agents=("random",), timeout_s=1.0)
    assert len({digest(), digest(seed=1), digest(episodes=2), digest(options={"size": 5})}) == 4
