"""`palaver import clembench`: what comes of a folder of results, and what is said of it."""

import gzip
import json
import shutil
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from palaver_deploy.cli import exit_code
from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import Reply
from palaver_gamemasters.registry import load_game
from palaver_observability.folder import RunFolder
from palaver_protocols.messages import EpisodeStarted, TurnTaken
from tests.deploy.conftest import Palaver

DATA = Path(__file__).parents[3] / "shared" / "data" / "clembench"
MODELS = "gpt-4o-t0.0--gpt-4o-t0.0"
GAMES = [
    "matchit",
    "matchit_ascii",
    "mm_mapworld",
    "mm_mapworld_graphs",
    "mm_mapworld_specificroom",
    "multimodal_referencegame",
    "referencegame",
    "textmapworld",
    "textmapworld_graphreasoning",
    "textmapworld_specificroom",
]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of two games: `matchit` with four episodes of two players, `matchit_ascii` with four of one model."""
    home = tmp_path_factory.mktemp("exported")
    commands = (
        ("run", "matchit", "-a", "scripted,random", "-n", "4", "-q", "--out", f"{home}/a"),
        ("run", "matchit_ascii", "-a", "scripted", "-n", "4", "-q", "--out", f"{home}/b"),
        ("export", "clembench", f"{home}/a", f"{home}/b", "--out", f"{home}/results"),
    )
    assert [exit_code(command) for command in commands] == [0, 0, 0]
    (home / "results/scripted-t0.0--scripted-t0.0").rename(home / "results" / MODELS)
    return home / "results"


@pytest.fixture
def results(exported: Path, home: Path) -> Path:
    """These results, in the working folder."""
    shutil.copytree(exported, home / "results")
    return Path("results")


def episode(results: Path, experiment: str = "0_same_grid", game: str = "matchit_ascii", models: str = MODELS) -> Path:
    return results / models / game / experiment / "episode_0"


def changed(file: Path, change: Callable[[Any], Any]) -> None:
    document = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(change(document) or document), encoding="utf-8")


def imported(palaver: Palaver, *words: str | Path, out: str = "in") -> dict[str, dict[str, Any]]:
    """Import the results; return what came of each episode, by where it lies."""
    said = palaver("import", "clembench", "results", "--out", out, "-q", "--json", *words)
    return {each["source"]: each for each in said.document["episodes"]}


def test_what_was_exported_comes_back_equal(palaver: Palaver, results: Path) -> None:
    said = palaver("import", "clembench", results, "--out", "in", "-q")
    assert (said.code, said.err) == (0, "")
    first, *rest, last = said.out.splitlines()
    assert first == "8 episodes of clembench in results"
    assert [line.split() for line in rest if line] == [
        ["run", "episodes", "equal"],
        [f"{MODELS}/matchit_ascii", "4", "4"],
        ["scripted-t0.0--random-t0.0/matchit", "4", "4"],
    ]
    assert last == "study folder: in; look at it: palaver report in"


def test_logs_are_genuine(palaver: Palaver, results: Path) -> None:
    imported(palaver)
    run = RunFolder.open(Path("in/runs") / f"{MODELS}--matchit_ascii")
    assert (run.config.agents, run.config.sampling.temperature) == (("clembench/gpt-4o", "clembench/gpt-4o"), 0.0)
    for record in run.records():
        log = run.read_log(record.episode_id)
        folded = Episode.from_log(load_game("matchit_ascii"), log)
        assert (folded.outcome, dict(folded.scores)) == (record.outcome, record.scores)
        assert all(isinstance(entry, TurnTaken) and entry.prompts for entry in log[1:-1])
    assert palaver("score", "in", "-q").code == 0
    assert palaver("view", run.path, "--text").out.startswith("matchit_ascii-different_grid-00000 ")


def test_answers_keep_the_time_at_which_they_were_given(palaver: Palaver, results: Path) -> None:
    def slow(document: Any) -> None:
        asked, said, *_ = document["turns"][0]
        asked["timestamp"], said["timestamp"] = "2024-10-07T10:00:00", "2024-10-07T10:00:02.500000"

    changed(episode(results) / "interactions.json", slow)
    imported(palaver)
    log = RunFolder.open(Path("in/runs") / f"{MODELS}--matchit_ascii").read_log("matchit_ascii-same_grid-00000")
    started, first = log[0], log[1]
    assert isinstance(started, EpisodeStarted)
    assert isinstance(first, TurnTaken)
    assert (started.at.isoformat(), first.at.isoformat()) == (
        "2024-10-07T10:00:00+00:00",
        "2024-10-07T10:00:02.500000+00:00",
    )
    assert first.reply.latency_s == 2.5


def test_a_score_that_is_not_ours_is_named(palaver: Palaver, results: Path) -> None:
    def worse(document: Any) -> None:
        document["episode scores"].update({"Main Score": 50, "Speed": 3})

    changed(episode(results) / "scores.json", worse)
    found = imported(palaver)[f"{MODELS}/matchit_ascii/0_same_grid/episode_0"]
    assert found["status"] == "different"
    assert found["why"] == ["Main Score is 100, and 50 there"]
    assert found["remarks"] == ["measures of theirs alone: Speed"]


def test_without_scores_the_game_masters_notes_are_compared(palaver: Palaver, results: Path) -> None:
    def undecided(document: Any) -> None:
        (note,) = [each["action"] for each in document["turns"][-1] if each["action"]["type"] == "Decision Player A"]
        note["content"] = "loss"

    for experiment in ("0_same_grid", "3_different_grid"):
        (episode(results, experiment) / "scores.json").unlink()
    changed(episode(results) / "interactions.json", undecided)
    found = imported(palaver)
    assert found[f"{MODELS}/matchit_ascii/3_different_grid/episode_0"]["status"] == "equal"
    other = found[f"{MODELS}/matchit_ascii/0_same_grid/episode_0"]
    assert other["status"] == "different"
    assert "Decision Player A loss" in other["why"][0]


def test_other_words_of_the_game_master_are_remarked(palaver: Palaver, results: Path) -> None:
    def reworded(document: Any) -> None:
        document["turns"][0][0]["action"]["content"] = "Say what you see."

    changed(episode(results) / "interactions.json", reworded)
    found = imported(palaver)[f"{MODELS}/matchit_ascii/0_same_grid/episode_0"]
    assert found["status"] == "equal"
    assert found["remarks"] == ["1 of 16 questions are worded otherwise, the first is question 1"]


def test_answers_that_end_too_early_count_nowhere(palaver: Palaver, results: Path) -> None:
    changed(episode(results) / "interactions.json", lambda document: {**document, "turns": document["turns"][:-1]})
    found = imported(palaver)[f"{MODELS}/matchit_ascii/0_same_grid/episode_0"]
    assert (found["status"], found["why"]) == ("incomplete", ["it has 15 answers, and the game asks for more"])
    records = RunFolder.open(Path("in/runs") / f"{MODELS}--matchit_ascii").records()
    assert [record.error for record in records if record.outcome == "error"] == ["the record ends before the game"]
    scored = palaver("score", f"in/runs/{MODELS}--matchit_ascii")
    assert "cannot be played again, since clembench/gpt-4o is a record and answers nobody" in scored.err
    assert "palaver resume" not in scored.err


def test_answers_of_the_wrong_player_are_told(palaver: Palaver, results: Path) -> None:
    def swapped(document: Any) -> None:
        document["turns"][0][1]["from"] = "Player 2"

    changed(episode(results) / "interactions.json", swapped)
    found = imported(palaver)[f"{MODELS}/matchit_ascii/0_same_grid/episode_0"]
    assert found["why"] == ["answer 1 is Player 2's, where our game asks Player 1"]


def test_nothing_is_lost_silently(palaver: Palaver, results: Path) -> None:
    (episode(results) / "interactions.json").write_text("{broken")
    (episode(results, "1_similar_grid_1") / "instance.json").unlink()
    for name in ("interactions.json", "scores.json"):
        (episode(results, "2_similar_grid_2") / name).unlink()
    (episode(results, "3_different_grid") / "scores.json").write_text("[]")
    (results / MODELS / "taboo" / "0_high" / "episode_0").mkdir(parents=True)

    said = palaver("import", "clembench", results, "--out", "in", "-q")
    lines = [line.strip() for line in said.out.splitlines()]
    assert said.code == 1
    at = lines.index("3 episodes that cannot be read:")
    broken = "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
    assert [line.removeprefix(f"{MODELS}/matchit_ascii/") for line in lines[at + 1 : at + 4]] == [
        f"0_same_grid/episode_0: interactions.json is no JSON: {broken}",
        "1_similar_grid_1/episode_0: instance.json is missing, and no checkout has it (give another: --checkout DIR)",
        "3_different_grid/episode_0: scores.json: it has no episode scores",
    ]
    assert "1 episode without interactions.json: v1.6.5 leaves none where its programs raise; counted nowhere" in lines
    assert "1 episode of other games, left out: taboo (1)" in lines


def test_a_second_import_adds_what_is_new(palaver: Palaver, results: Path) -> None:
    late = episode(results).parent
    late.rename("late")
    assert len(imported(palaver)) == 7
    Path("late").rename(late)
    found = imported(palaver)
    assert sorted(each["already there"] for each in found.values()) == [False] + 7 * [True]
    run = RunFolder.open(Path("in/runs") / f"{MODELS}--matchit_ascii")
    assert (run.config.episodes, len(run.records())) == (4, 4)
    assert palaver("report", "in", "--json").document["missing"] == []


def test_another_record_of_the_same_episode_is_not_mixed_in(palaver: Palaver, results: Path) -> None:
    def other(document: Any) -> None:
        document["turns"][0][1]["action"]["content"] = "DESCRIPTION: something else"

    imported(palaver)
    changed(episode(results) / "interactions.json", other)
    found = imported(palaver)[f"{MODELS}/matchit_ascii/0_same_grid/episode_0"]
    assert found["why"] == [
        "matchit_ascii-same_grid-00000 is there already, and was played otherwise (import it into another folder)"
    ]


def test_newer_results_are_read_too(palaver: Palaver, results: Path) -> None:
    new = Path("newer/o3/matchit_ascii/same_grid/instance_00000")
    new.parent.mkdir(parents=True)
    shutil.copytree(episode(results), new)
    changed(
        new / "interactions.json", lambda document: document.update(meta={"game": "matchit_ascii"}, player_models={})
    )
    document = palaver("import", "clembench", "newer", "--out", "in", "-q", "--json").document
    assert document["counts"]["equal"] == 1
    record = RunFolder.open(Path("in")).records()[0]
    assert (record.episode_id, record.seats["player_2"][0].agent) == ("matchit_ascii-same_grid-00000", "clembench/o3")


def test_one_run_alone_is_a_run_folder_and_stays_one(palaver: Palaver, results: Path) -> None:
    document = palaver("import", "clembench", results / MODELS, "--out", "in", "-q", "--json").document
    assert document["runs"] == [{"id": f"{MODELS}/matchit_ascii", "folder": ".", "episodes": 4}]
    assert palaver("view", "in", "--text").out.startswith("matchit_ascii-different_grid-00000 ")
    assert (
        palaver("import", "clembench", results / MODELS, "--out", "in", "-q")
        .out.splitlines()[0]
        .endswith(", 4 imported before")
    )
    complaint = palaver("import", "clembench", results, "--out", "in", "-q").complaint
    assert complaint == "in holds one run, and these are 2 (give another folder: --out)"
    complaint = palaver("import", "clembench", results / "scripted-t0.0--random-t0.0", "--out", "in", "-q").complaint
    assert complaint.startswith("in holds another run, in (another ")


def test_several_results_folders_keep_apart(palaver: Palaver, results: Path) -> None:
    shutil.copytree(results / MODELS, Path("all/v1.5") / MODELS)
    shutil.copytree(results / MODELS, Path("all/v1.6") / MODELS)
    document = palaver("import", "clembench", "all", "--out", "in", "-q", "--json").document
    assert [run["id"] for run in document["runs"]] == [f"v1.5/{MODELS}/matchit_ascii", f"v1.6/{MODELS}/matchit_ascii"]


def test_texts_of_the_experiment_come_from_our_own_where_nobody_has_them(palaver: Palaver, results: Path) -> None:
    for file in results.rglob("experiment_*.json"):
        file.unlink()
    assert {each["status"] for each in imported(palaver).values()} == {"equal"}


def test_a_checkout_has_what_results_leave_out(palaver: Palaver, results: Path) -> None:
    (results / "games").rename("games")
    for file in [*results.rglob("experiment_*.json"), *results.rglob("instance.json")]:
        file.unlink()
    assert {each["status"] for each in imported(palaver).values()} == {"unreadable"}
    assert {each["status"] for each in imported(palaver, "--checkout", ".", out="in2").values()} == {"equal"}


@pytest.mark.parametrize(("words", "shown"), [((), "picture not at hand"), (("--images", "shots"), "")])
def test_pictures_that_are_nowhere_are_cards_with_their_names(
    palaver: Palaver, results: Path, words: tuple[str, ...], shown: str
) -> None:
    (results / "games" / "matchit" / "resources" / "images").rename("shots")
    assert {each["status"] for each in imported(palaver, *words).values()} == {"equal"}
    run = RunFolder.open(Path("in/runs/scripted-t0.0--random-t0.0--matchit"))
    first = run.read_log("matchit-same_image-00000")[1]
    assert isinstance(first, TurnTaken)
    (picture,) = [part for part in first.prompts[0].parts if part.type == "image"]
    assert shown in (picture.alt or "")
    assert len(list((run.path / "blobs").iterdir())) > 1


def test_half_characters_of_models_are_replaced(palaver: Palaver, results: Path) -> None:
    def halved(document: Any) -> None:
        document["turns"][0][1]["action"]["content"] = "DESCRIPTION: \ud83d"

    changed(episode(results) / "interactions.json", halved)
    assert imported(palaver)[f"{MODELS}/matchit_ascii/0_same_grid/episode_0"]["status"] == "equal"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("nope",), "there is no folder nope (give a folder of clembench's results)"),
        (("results/games",), "results/games holds no episodes of clembench (it should hold "),
        (("results", "--out", "."), ". is not empty, and nothing was imported into it (give a new folder: --out)"),
    ],
)
def test_what_cannot_be_imported_is_one_line(
    palaver: Palaver, results: Path, words: tuple[str, ...], complaint: str
) -> None:
    said = palaver("import", "clembench", *words, "-q")
    assert (said.code, said.complaint[: len(complaint)]) == (2, complaint)


def record(game: ClemGame[Any, Any], where: Path, vector: Any, experiment: Any, instance: Any) -> None:
    """Write what the original programs leave of an episode: who spoke in which order is our game's to say."""
    state = game.start({"experiment": experiment, "instance": instance}, game.configure({}))
    turns = []
    for text in vector["responses"]:
        if game.outcome(state) is not None:
            break
        (seat,) = game.pending(state)
        turns.append([{"from": game.names[seat], "to": "GM", "action": {"type": "get message", "content": text}}])
        state = game.apply(state, {seat: Reply.of(text)})
    where.mkdir(parents=True)
    documents = {"instance": instance, "interactions": {"players": {}, "turns": turns}}
    if vector["status"] == "scored":
        documents["scores"] = {"turn scores": {}, "episode scores": vector["scores"]}
    for name, document in documents.items():
        (where / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.skipif(not DATA.exists(), reason="the recorded answers are not at hand")
@pytest.mark.parametrize("name", GAMES)
def test_scores_of_the_original_programs_are_found_equal(palaver: Palaver, name: str) -> None:
    game = load_game(name)
    assert isinstance(game, ClemGame)
    experiments = json.loads((DATA / "instances" / f"{name}.json").read_text(encoding="utf-8"))["experiments"]
    with gzip.open(DATA / "vectors.jsonl.gz", "rt", encoding="utf-8") as lines:
        vectors = list(islice((each for each in map(json.loads, lines) if each["game"] == name), 20))
    for number, vector in enumerate(vectors):
        about = next(each for each in experiments if each["name"] == vector["exp"])
        fields = {key: value for key, value in about.items() if key != "game_instances"}
        instance = next(each for each in about["game_instances"] if each["game_id"] == vector["game_id"])
        where = Path("results", MODELS, name, f"0_{vector['exp']}", f"episode_{number}")
        record(game, where, vector, fields, instance)
    crashed = sum(vector["status"] != "scored" for vector in vectors)
    counts = palaver("import", "clembench", "results", "--checkout", DATA / "instances", "-q", "--json").document[
        "counts"
    ]
    assert (counts["equal"], counts["unscored"]) == (len(vectors) - crashed, crashed)
