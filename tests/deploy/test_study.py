"""Studies: many runs from one file, any part of them, to be taken up again."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from palaver_deploy.studies import Study, cells_of
from palaver_protocols.errors import UsageError
from tests.deploy.children import lines
from tests.deploy.conftest import Palaver

WORDS: dict[str, Any] = {
    "game": "maze",
    "episodes": 2,
    "set": {"size": 4},
    "params": {"models": None, "strong": "first of models", "weak": "rest of models", "ks": [2, 4]},
    "experiments": {
        "alone": {"each": {"model": "models"}, "agents": "{model}", "set": {"setting": "solo-full"}},
        "pairs": {"each": {"a": "models", "b": "models"}, "distinct": True, "agents": "{a},{b}", "episodes": 1},
        "relay": {
            "each": {"strong": "strong", "weak": "weak", "k": "ks"},
            "agents": "{strong}@{k}>{weak},{weak}",
            "prefix": {"of": "pairs", "where": {"a": "{strong}", "b": "{weak}"}, "turns": "{k}"},
        },
        "sizes": {"optional": True, "each": {"model": "models"}, "agents": "{model}", "set": {"size": 5}},
    },
}
MODELS = {"models": "scripted/rc,scripted/chess"}


def study(settings: dict[str, Any] | None = None, **words: Any) -> Study:
    only, episodes = words.pop("only", ()), words.pop("episodes", None)
    return cells_of("pilot", {**WORDS, **words}, settings or MODELS, only=only, episodes=episodes)


def relay(**prefix: Any) -> dict[str, Any]:
    """Two experiments, the second of which continues the first as its prefix says."""
    pairs = {"each": {"a": "models", "b": "models"}, "agents": "{a},{b}"}
    usual = {"of": "alone", "where": {"model": "{a}"}, "turns": 2}
    return {"alone": WORDS["experiments"]["alone"], "pairs": {**pairs, "prefix": {**usual, **prefix}}}


def test_each_experiment_is_played_for_each_combination() -> None:
    assert [cell.id for cell in study().cells] == [
        "alone/scripted/rc",
        "alone/scripted/chess",
        "pairs/scripted/rc/scripted/chess",
        "pairs/scripted/chess/scripted/rc",
        "relay/scripted/rc/scripted/chess/2",
        "relay/scripted/rc/scripted/chess/4",
    ]


def test_values_keep_their_type_and_options_of_the_study_hold_for_all() -> None:
    cells = {cell.id: cell for cell in study({**MODELS, "density": 0.2}).cells}
    assert cells["alone/scripted/rc"].options == {"size": 4, "density": 0.2, "setting": "solo-full"}
    assert cells["relay/scripted/rc/scripted/chess/2"].labels == {
        "strong": "scripted/rc",
        "weak": "scripted/chess",
        "k": 2,
    }
    assert cells["relay/scripted/rc/scripted/chess/2"].agents == "scripted/rc@2>scripted/chess,scripted/chess"


def test_an_experiment_brings_what_it_continues() -> None:
    cells = study(only=["relay"]).cells
    assert [cell.experiment for cell in cells] == ["pairs", "relay", "relay"]
    assert cells[1].continues == cells[0].id


def test_what_others_continue_has_as_many_episodes_as_they_whichever_part_is_played() -> None:
    for only in ((), ("pairs",), ("relay",)):
        cells = {cell.id: cell.episodes for cell in study(only=only).cells}
        assert cells["pairs/scripted/rc/scripted/chess"] == 2
    assert {cell.id: cell.episodes for cell in study().cells}["pairs/scripted/chess/scripted/rc"] == 1


def test_the_command_line_says_how_many_episodes_there_are() -> None:
    assert {cell.episodes for cell in study(episodes=7).cells} == {7}


def test_a_team_is_one_model_of_a_list() -> None:
    cells = study({"models": "team(lead=scripted,members=scripted+scripted),scripted"}, only=["alone"]).cells
    assert [cell.agents for cell in cells] == ["team(lead=scripted,members=scripted+scripted)", "scripted"]
    assert len({cell.folder for cell in cells}) == 2


def test_no_two_cells_share_a_folder() -> None:
    models = [f"vllm/{'x' * 90}-{number}@http://h:{number}" for number in range(1, 4)]
    cells = study({"models": models}).cells
    assert len({cell.folder for cell in cells}) == len(cells)
    assert all(len(Path(cell.folder).name) < 100 for cell in cells)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"settings": {}}, "the study pilot wants models (for example --set models="),
        ({"only": ["relais"]}, "has no experiment 'relais' (it has: alone, pairs, relay, sizes)"),
        ({"experiments": {}}, "experiments"),
        ({"experiments": {"a": {"each": {"m": "none"}, "agents": "{m}"}}}, "'none', which is no param"),
        (
            {"experiments": {"a": {"eech": {"m": "models"}, "agents": "{m}"}}},
            "the study pilot: experiments.a has no 'eech' (did you mean each?)",
        ),
        (
            {"experiments": {"a": {"each": {"m": "models"}, "agents": "{m}", "colour": 1}}},
            "experiments.a has no 'colour' (it has: about, game, each, agents,",
        ),
        (
            {"experiments": {"a": {"each": {}, "agents": "m", "prefix": {"of": "a", "trns": 2}}}},
            "experiments.a.prefix has no 'trns' (did you mean turns?)",
        ),
        ({"experiments": relay(where={"modle": "{a}"})}, "pairs: alone has no label 'modle' (did you mean model?)"),
        ({"experiments": relay(where={"model": "{c}"})}, "pairs has no label 'c' (it has: a, b)"),
        ({"experiments": relay(turns="{k}")}, "pairs has no label 'k' (it has: a, b)"),
        ({"experiments": relay(turns="soon")}, "the turns of its prefix are 'soon' (write a whole number"),
        ({"experiments": relay(turns=0)}, "the turns of its prefix are 0 (write a whole number"),
        (
            {"experiments": {"a": {"each": {"first": "models", "second": "models"}, "agents": "{frist},{second}"}}},
            "the study pilot: a has no label 'frist' (it has: first, second)",
        ),
        (
            {"experiments": {"a": {"each": {"m": "models"}, "agents": "{m}", "set": {"size": "{sise}"}}}},
            "a has no label 'sise' (it has: m)",
        ),
        (
            {"settings": {"model": "scripted"}},
            "the study pilot wants models, and model is no param of it (did you mean models?)",
        ),
        (
            {"experiments": {"a": {"each": {"m": "models"}, "agents": "{m}", "prefix": {"of": "b", "turns": 2}}}},
            "continues b, which there is not",
        ),
        ({"params": {"weak": "rest of models", "models": ["a"]}}, "there is no models before it"),
    ],
)
def test_a_study_that_makes_no_sense_is_named(change: dict[str, Any], said: str) -> None:
    settings = change.pop("settings", MODELS)
    with pytest.raises(UsageError) as caught:
        cells_of("pilot", {**WORDS, **change}, settings, only=change.pop("only", ()))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("only", "models", "said"),
    [
        (["pairs"], "scripted", "pairs needs at least two different models"),
        (["pairs"], "scripted,scripted", "pairs needs at least two different models"),
        (["relay"], "scripted", "relay is for each of weak, and there is none (it is the rest of models: give more"),
        (["differ"], "scripted,scripted", "differ needs values that differ (strong is scripted; weak is scripted)"),
    ],
)
def test_a_study_that_gives_no_run_says_what_it_lacks(only: list[str], models: str, said: str) -> None:
    differ = {"each": {"s": "strong", "w": "weak"}, "distinct": True, "agents": "{s},{w}"}
    with pytest.raises(UsageError) as caught:
        study({"models": models}, only=only, experiments={**WORDS["experiments"], "differ": differ})
    assert said in str(caught.value)


def test_a_study_of_optional_parts_only_asks_to_choose() -> None:
    with pytest.raises(UsageError, match=r"all that the study pilot has is optional \(--only sizes\)"):
        study(experiments={"sizes": WORDS["experiments"]["sizes"]})


def test_an_option_of_the_game_is_no_misspelt_param_where_none_is_owed() -> None:
    cells = study({**MODELS, "model": "x"}, only=["alone"]).cells
    assert cells[0].options["model"] == "x"


def write(home: Path) -> None:
    (home / "pilot.yaml").write_text(yaml.safe_dump(WORDS, sort_keys=False))


RUN = ("run", "pilot.yaml", "--set", "models=scripted/rc,scripted/chess", "-q", "--out", "study")


def test_a_study_leaves_a_folder_of_run_folders_and_prints_a_line_a_cell(palaver: Palaver, home: Path) -> None:
    write(home)
    said = palaver(*RUN)
    assert (said.code, said.err) == (0, "")
    assert len(said.out.splitlines()) == 1 + 6 + 2
    assert said.out.endswith("study folder: study; look at it: palaver report study\n")
    written = yaml.safe_load((home / "study" / "study.yaml").read_text())
    assert [(home / "study" / cell["folder"] / "summary.json").exists() for cell in written["cells"]] == [True] * 6
    relay = lines(home / "study" / "runs" / "relay--scripted-rc--scripted-chess--4" / "episodes.jsonl")
    assert {(record["outcome"], record["frozen"]) for record in relay} == {("solved", 4)}


def test_no_more_is_played_than_there_are_instances_unless_somebody_asks_for_more(palaver: Palaver, home: Path) -> None:
    (home / "mazes.jsonl").write_text('{"grid": ["@.", ".*"]}\n{"grid": ["@.", "#*"]}\n')
    (home / "few.yaml").write_text(
        "game: maze\nepisodes: 9\nset: {instances: mazes.jsonl}\nexperiments: {all: {each: {}, agents: random}}\n"
    )
    facts = palaver("run", "few.yaml", "--dry-run", "--json").document
    assert [cell["episodes"] for cell in facts["cells"]] == [2]
    assert "use -n 2" in palaver("run", "few.yaml", "-n", 9, "-q", "--out", "few").err


def test_a_study_is_played_in_parts_into_one_folder(palaver: Palaver, home: Path) -> None:
    write(home)
    assert palaver(*RUN, "--only", "pairs").code == 0
    before = (home / "study" / "runs" / "pairs--scripted-rc--scripted-chess" / "episodes.jsonl").read_bytes()
    said = palaver(*RUN, "--only", "relay", "--json").document
    assert [cell["n"] for cell in said["cells"]] == [2, 1, 2, 2]
    after = (home / "study" / "runs" / "pairs--scripted-rc--scripted-chess" / "episodes.jsonl").read_bytes()
    assert before == after


def test_a_study_goes_on_where_it_stood(palaver: Palaver, home: Path) -> None:
    write(home)
    palaver(*RUN)
    folder = home / "study" / "runs" / "alone--scripted-rc"
    first = (folder / "episodes.jsonl").read_text().splitlines()[0]
    (folder / "episodes.jsonl").write_text(first + "\n")
    (transcript,) = (folder / "transcripts").glob(f"*{1 - int(json.loads(first)['episode_id'][-5:]):05d}*")
    transcript.unlink()
    assert palaver("resume", "study", "-q").code == 0
    assert len(lines(folder / "episodes.jsonl")) == 2


def test_another_study_is_not_written_over(palaver: Palaver, home: Path) -> None:
    write(home)
    palaver(*RUN, "--only", "alone")
    said = palaver(*RUN, "--only", "alone", "-n", 3)
    assert said.code == 2
    assert "study holds another study, or this one otherwise (alone/scripted/rc)" in said.complaint


def test_a_folder_with_other_things_is_no_place_for_a_study(palaver: Palaver, home: Path) -> None:
    write(home)
    (home / "study").mkdir()
    (home / "study" / "thesis.tex").touch()
    assert "is no study's folder and not empty (thesis.tex)" in palaver(*RUN).complaint


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--set", "models=scripted/rc,nobody"), "there is no agent 'nobody'"),
        (("--set", "models=scripted/rc,openai/o3"), "openai/o3 needs a key"),
        (("--set", "models=scripted/rc", "-a", "random"), "pilot is a study, and says itself who plays"),
        (("--set", "models=scripted/rc", "--set", "colour=red"), "maze has no option 'colour'"),
    ],
)
def test_nothing_is_begun_that_cannot_be_ended(
    palaver: Palaver, home: Path, words: tuple[str, ...], complaint: str
) -> None:
    write(home)
    said = palaver("run", "pilot.yaml", "-q", "--out", "study", *words)
    assert said.code == 2
    assert complaint in said.complaint
    assert not (home / "study" / "runs").exists()


def test_a_dry_run_names_every_run_and_writes_nothing(palaver: Palaver, home: Path) -> None:
    write(home)
    said = palaver(*RUN, "--dry-run", "--json").document
    assert [row["episodes"] for row in said["cells"]] == [2, 2, 2, 1, 2, 2]
    assert not (home / "study").exists()


def test_only_chooses_parts_of_studies(palaver: Palaver) -> None:
    said = palaver("run", "maze", "-a", "scripted", "--only", "relay")
    assert said.code == 2
    assert "--only chooses experiments of a study, and maze is none" in said.err


def test_the_packaged_study_is_the_paper_s(palaver: Palaver) -> None:
    words = ("run", "collaboration-gap", "--set", "models=scripted/rc,scripted/chess", "--dry-run", "--json")
    cells = {row["cell"]: row["episodes"] for row in palaver(*words).document["cells"]}
    assert {name.partition("/")[0] for name in cells} == {
        *("solo-full", "solo-distributed", "homogeneous", "heterogeneous", "relay-primer", "relay-recovery")
    }
    assert len(cells) == 3 * 2 + 2 + 4 + 4
    assert {count for name, count in cells.items() if not name.startswith("heterogeneous")} == {100}


@pytest.mark.parametrize("models", ["", " , ", []])
def test_params_that_are_owed_are_wanted_though_they_are_set_to_nothing(models: Any) -> None:
    with pytest.raises(UsageError, match=r"^the study pilot wants models "):
        study({"models": models})


def test_params_that_are_not_owed_may_be_set_to_nothing() -> None:
    assert {cell.experiment for cell in study({**MODELS, "ks": ""}).cells} == {"alone", "pairs"}
