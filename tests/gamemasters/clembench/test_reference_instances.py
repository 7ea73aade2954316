"""Our own instances of the reference game: laid out as the published ones, distractors that are like the target."""

from collections import Counter
from itertools import islice
from typing import Any

import pytest

from palaver_gamemasters.clembench.families import FAMILIES
from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.pictures import words
from palaver_gamemasters.clembench.reference import GAME, TEXT
from palaver_gamemasters.clembench.reference.game import ReferenceGame
from palaver_gamemasters.clembench.reference.prompts import ORDINALS
from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import UsageError
from tests.gamemasters.clembench.reference_play import own

OPTIONS = GAME.configure({})
DRAWN = [name for name in GAME.experiments(OPTIONS) if name not in FAMILIES]


def seen(instance: ClemInstance, seat: str) -> list[str]:
    return [str(instance.instance[f"{seat}_{place}_image"]) for place in ORDINALS]


def target_of(instance: ClemInstance) -> str:
    fields: dict[str, Any] = instance.instance
    (name,) = [place for place in ORDINALS if place in fields["target_image_name"]]
    return str(fields[f"player_2_{name}_image"])


def distractors_of(instance: ClemInstance) -> set[str]:
    return {*seen(instance, "player_1")} - {target_of(instance)}


def test_the_experiments_of_the_text_version_are_the_first_six_of_the_other() -> None:
    assert TEXT.experiments(OPTIONS) == FAMILIES == GAME.experiments(OPTIONS)[:6]
    assert len(GAME.experiments(OPTIONS)) == 13


@pytest.mark.parametrize("experiment", GAME.experiments(OPTIONS))
def test_both_see_the_same_three_and_player_2_the_target_equally_often_at_each_place(experiment: str) -> None:
    places: Counter[int] = Counter()
    for instance in own(GAME, experiment, 30):
        guide, follower = seen(instance, "player_1"), seen(instance, "player_2")
        assert len({*guide}) == 3
        assert {*guide} == {*follower} == {*instance.pictures}
        places[follower.index(target_of(instance))] += 1
    assert places == {0: 10, 1: 10, 2: 10}


@pytest.mark.parametrize("experiment", GAME.experiments(OPTIONS))
def test_player_1_is_told_which_picture_is_the_target(experiment: str) -> None:
    for instance in own(GAME, experiment, 6):
        place = ORDINALS[seen(instance, "player_1").index(target_of(instance))]
        text = str(instance.instance["player_1_prompt_header"])
        assert f"{place} image is the target" in text
        assert text.count("is a distractor") == 2


def test_player_1_sees_a_target_grid_first_and_other_targets_at_each_place() -> None:
    for name, expected in (("shape_grids", [0, 0, 0]), ("room_images", [0, 2, 1])):
        assert [seen(each, "player_1").index(target_of(each)) for each in own(GAME, name, 3)] == expected


def test_the_text_version_has_the_grids_of_the_picture_version() -> None:
    for name in FAMILIES:
        for text, image in zip(own(TEXT, name, 4), own(GAME, name, 4), strict=True):
            for seat, places in (("player_1", ("target", "second", "third")), ("player_2", ORDINALS)):
                grids = [str(text.instance[f"{seat}_{place}_grid"]) for place in places]
                drawn = [words(image.pictures[file].draw or {}) for file in seen(image, seat)]
                assert drawn == [f"kind: grid\n{grid}" for grid in grids]
                assert all(grid in str(text.instance[f"{seat}_prompt_header"]) for grid in grids)
            assert text.instance["target_grid_name"] == image.instance["target_image_name"]


@pytest.mark.parametrize("family", FAMILIES)
def test_ten_grids_of_a_family_are_targets_in_turn_and_the_distractors_are_the_two_nearest(family: str) -> None:
    made = [
        [Grid.read(str(each.instance[f"player_1_{place}_grid"])) for place in ("target", "second", "third")]
        for each in own(TEXT, family, 30)
    ]
    pool = {target for target, *_ in made}
    assert len(pool) == 10
    for target, *distractors in made:
        nearest = sorted(target.distance(other) for other in pool - {target})[:2]
        assert [target.distance(other) for other in distractors] == nearest


@pytest.mark.parametrize("experiment", DRAWN)
def test_three_instances_that_follow_each_other_have_the_same_target(experiment: str) -> None:
    first, second = (list(map(target_of, islice(own(GAME, experiment, 6), at, at + 3))) for at in (0, 3))
    assert len({*first}) == len({*second}) == 1
    assert ({*first} == {*second}) == ("static_target" in experiment)


@pytest.mark.parametrize(("experiment", "different"), [("scene_images", 1), ("pentomino_images", 3)])
def test_only_pentomino_boards_have_other_distractors_for_the_same_target(experiment: str, different: int) -> None:
    assert len({frozenset(distractors_of(each)) for each in own(GAME, experiment, 3)}) == different


def test_the_static_target_is_another_for_another_seed() -> None:
    name = "object_static_target_images"
    assert len({target_of(next(own(GAME, name, 1, seed))) for seed in range(5)}) == 5


@pytest.mark.parametrize("experiment", DRAWN)
def test_distractors_are_like_the_target_but_not_the_same(experiment: str) -> None:
    for seed in range(200):
        instance = GAME.make(experiment, Dice("like", seed), OPTIONS)
        said = {name: words(picture.draw or {}).splitlines() for name, picture in instance.pictures.items()}
        target = said.pop(target_of(instance))
        other, another = said.values()
        assert other != another
        for distractor in (other, another):
            changed = [(a, b) for a, b in zip(target, distractor, strict=True) if a != b]
            assert changed
            assert len(changed) < len(target) / 2 + 1


@pytest.mark.parametrize("game", [GAME, TEXT], ids=["image", "text"])
def test_instances_are_the_same_for_the_same_seed_and_numbered(game: ReferenceGame) -> None:
    first, again, other = (list(islice(game.instances(OPTIONS, seed), 30)) for seed in (1, 1, 2))
    assert first == again != other
    assert len({each.id for each in first}) == 30
    last: Any = first[-1].data
    assert last["instance"]["game_id"] == 29 // len(game.experiments(OPTIONS))


def test_an_unknown_experiment_is_one_line_that_names_all() -> None:
    with pytest.raises(UsageError, match=r"referencegame has no experiment 'rooms'.*random_grids"):
        next(TEXT.instances(TEXT.configure({"experiment": "rooms"}), 0))
