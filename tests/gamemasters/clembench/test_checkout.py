"""Instances from a local checkout: where files and pictures are found, and what is said where they are not."""

import json
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.clembench.matchit import ASCII, GAME
from palaver_gamemasters.drawing import Canvas, png
from palaver_gamemasters.game import Instance
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError, UsageError

TEXTS = {
    "flags": {"description": "DESCRIPTION:", "question": "QUESTION:", "answer": "ANSWER:", "decision": "DECISION:"},
    "initial_prompt": "Describe. $GRID$",
    "q_reprompt": "Ask.",
    "d_reprompt": "Decide.",
    "a_request": " Answer.",
    "desc_intro": "This is my ",
    "solution": "same grid",
    "wrong_solution": "different grids",
}
GRID = {"grid_a": "X ▢\n▢ X", "grid_b": "X ▢\n▢ X"}


def experiment(name: str, *instances: dict[str, Any]) -> dict[str, Any]:
    numbered = [{"game_id": number, "decision_turn": 3, **each} for number, each in enumerate(instances)]
    return {"name": name, **TEXTS, "game_instances": numbered}


def write(path: Path, *experiments: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"experiments": experiments}), encoding="utf-8")
    return path


def paint(path: Path, colour: str = "#336699") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(png(Canvas(40, 30, colour).picture))
    return path


def ascii_instances(path: Path, **options: Any) -> list[Instance]:
    return list(ASCII.instances(ASCII.configure({"instances": str(path), **options}), seed=0))


def image_instances(path: Path, **options: Any) -> list[Instance]:
    return list(GAME.instances(GAME.configure({"instances": str(path), **options}), seed=0))


@pytest.mark.parametrize(
    "place",
    ["games/matchit_ascii/in/instances.json", "matchit_ascii/in/instances.json", "in/instances.json", "instances.json"],
)
def test_a_folder_is_searched_where_checkouts_keep_instances(tmp_path: Path, place: str) -> None:
    write(tmp_path / place, experiment("same_grid", GRID))
    assert [each.id for each in ascii_instances(tmp_path)] == ["same_grid-0000"]


def test_experiments_take_turns_so_that_any_number_of_episodes_is_a_fair_sample(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", experiment("same_grid", GRID, GRID), experiment("different_grid", GRID))
    found = ascii_instances(file)
    assert [each.id for each in found] == ["same_grid-0000", "different_grid-0000", "same_grid-0001"]
    assert [each.variant for each in found] == ["same_grid", "different_grid", "same_grid"]


def test_an_instance_keeps_all_fields_of_its_file(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", experiment("same_grid", {**GRID, "remark": [1, {"a": None}]}))
    data = ascii_instances(file)[0].data
    assert isinstance(data, dict)
    assert data["instance"] == {"game_id": 0, "decision_turn": 3, **GRID, "remark": [1, {"a": None}]}
    assert data["experiment"] == {"name": "same_grid", **TEXTS}


def test_one_experiment_can_be_played_alone(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", experiment("same_grid", GRID), experiment("different_grid", GRID))
    assert [each.id for each in ascii_instances(file, experiment="different_grid")] == ["different_grid-0000"]
    with pytest.raises(UsageError, match=r"has no experiment 'other' \(it has: same_grid, different_grid\)"):
        ascii_instances(file, experiment="other")


def test_pictures_are_found_beside_the_checkout_and_in_the_folder_that_is_named(tmp_path: Path) -> None:
    named = {"image_a": "games/matchit/resources/a.png", "image_b": "../clembench/games/matchit/resources/b.png"}
    file = write(tmp_path / "games/matchit/in/instances.json", experiment("same_image", named))
    paint(tmp_path / "games/matchit/resources/a.png")
    paint(tmp_path / "games/matchit/resources/b.png", "#993322")
    state = GAME.start(image_instances(file)[0].data, GAME.configure({}))
    picture = GAME.view(state, "player_1")[0].parts[1]
    assert isinstance(picture, Image)
    assert (picture.width, picture.height, picture.alt) == (40, 30, None)

    alone = write(
        tmp_path / "elsewhere/instances.json", experiment("same_image", {**named, "image_b": "https://x.org/b.png"})
    )
    paint(tmp_path / "album/a.png")
    paint(tmp_path / "album/b.png")
    assert len(image_instances(alone, images=str(tmp_path / "album"))) == 1


def test_a_missing_picture_is_named_with_its_instance(tmp_path: Path) -> None:
    named = {"image_a": "https://x.org/1.jpg", "image_b": "b.png"}
    file = write(tmp_path / "instances.json", experiment("same_image", named))
    with pytest.raises(InstanceError) as raised:
        image_instances(file)
    assert str(raised.value) == (
        f"{file}, experiment same_image, game_id 0: there is no picture https://x.org/1.jpg here: it lies on the web "
        "(give the folder it lies in: --set images=DIR (as 1.jpg))"
    )


def test_a_picture_that_changed_since_the_run_was_planned_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "instances.json", experiment("same_image", {"image_a": "a.png", "image_b": "a.png"}))
    paint(tmp_path / "a.png")
    data = image_instances(file)[0].data
    paint(tmp_path / "a.png", "#000000")
    from palaver_gamemasters.clembench import pictures

    pictures._read.cache_clear()
    state = GAME.start(data, GAME.configure({}))
    with pytest.raises(InstanceError, match="is another picture than when the run was planned"):
        GAME.view(state, "player_1")


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    file = write(tmp_path / "instances.json", experiment("same_image", {"image_a": "a.png", "image_b": "a.png"}))
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(InstanceError, match=r"a\.png is no PNG, JPEG, GIF or WebP picture"):
        image_instances(file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "holds no instances of clembench: experiments"),
        ('{"experiments": [{"name": "a"}]}', r"experiments\.0\.game_instances"),
        ("no json", "line 1 is no JSON"),
        ('{"experiments": []}', "has no experiment"),
    ],
)
def test_a_malformed_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "instances.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=said):
        ascii_instances(file)


def test_a_missing_field_is_named_with_file_experiment_and_instance(tmp_path: Path) -> None:
    file = write(tmp_path / "instances.json", experiment("same_grid", GRID, {"grid_a": "X"}))
    with pytest.raises(
        InstanceError, match="experiment same_grid, game_id 1: matchit_ascii instance: grid_b is missing"
    ):
        ascii_instances(file)


def test_a_folder_without_instances_says_where_they_should_be(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"holds no instances of matchit_ascii \(it should have games/matchit_ascii/in/"
    ):
        ascii_instances(tmp_path)
