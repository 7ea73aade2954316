"""Scenes: every setting can be drawn, and whatever is said of one is seen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.pictures import Recipe, words
from palaver_gamemasters.clembench.pictures.pieces import PIECES
from palaver_gamemasters.clembench.pictures.pieces.words import WORDS
from palaver_gamemasters.clembench.pictures.scene import SCENES, SETTINGS, altered, describe, draw, make
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import Canvas, png
from palaver_protocols.errors import InstanceError
from tests.gamemasters.clembench.composed_pictures import changed, count, share_inside

REGIONS = {
    "above": (240, 25, 405, 180),
    "back left": (115, 80, 320, 250),
    "back right": (325, 80, 540, 250),
    "left": (0, 180, 185, 415),
    "centre": (155, 190, 485, 405),
    "right": (465, 180, 640, 415),
    "front": (180, 375, 460, 480),
}
"""Where each place is in the picture."""

any_setting = st.sampled_from(SETTINGS)
any_seed = st.integers(0, 10**6)


def scene(setting: str = "beach", seed: int = 1, **changes: str) -> Recipe:
    return {**make(Dice("test", seed), setting), **changes}


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_scene_of_each_setting_is_drawn_and_small(setting: str) -> None:
    picture = draw(scene(setting))

    assert picture.size == (640, 480)
    assert len(png(picture)) < 80_000


def test_every_piece_of_every_setting_can_be_drawn() -> None:
    templates = {
        template
        for theme in SCENES.themes.values()
        for place, some in theme.items()
        if place != "sky"
        for template in some
    }

    assert templates <= set(PIECES)


def test_the_same_recipe_gives_the_same_bytes() -> None:
    assert png(draw(scene("farm"))) == png(draw(scene("farm")))


def test_a_recipe_is_made_of_dice_alone() -> None:
    assert make(Dice("a")) == make(Dice("a"))
    assert {make(Dice(seed))["setting"] for seed in range(200)} == set(SETTINGS)


def test_the_words_name_the_setting_and_all_features() -> None:
    lines = describe(scene("snow_field", sky="starry night sky")).splitlines()

    assert lines[:3] == ["kind: scene", "setting: snow field", "sky: starry night sky"]


def test_all_scenes_have_the_same_features() -> None:
    features = {tuple(features_of(describe(scene(setting)))) for setting in SETTINGS}

    assert features == {("kind", "setting", *SCENES.themes["beach"])}


def test_the_words_are_those_of_the_picture() -> None:
    assert words(scene("park")) == describe(scene("park"))


def test_one_thing_is_no_plural() -> None:
    values = SCENES.values["farm"]

    assert {"one pumpkin", "two pumpkins", "three pumpkins"} <= set(values["front"])
    assert {"one sheep", "two sheep", "three sheep"} <= set(values["centre"])


@given(any_setting, any_seed, st.integers(0, 8))
@settings(max_examples=60)
def test_as_many_features_are_altered_as_are_wanted(setting: str, seed: int, changes: int) -> None:
    before = scene(setting, seed)

    after = altered(before, Dice(seed), changes)

    assert after["setting"] == setting
    assert set(after) == set(before)
    assert sum(after[name] != before[name] for name in before) == changes


@given(any_setting, st.sampled_from(sorted(REGIONS)), any_seed)
@settings(max_examples=40, deadline=None)
def test_another_piece_is_seen_where_it_stands(setting: str, place: str, seed: int) -> None:
    before = scene(setting, seed)
    others = [text for text in SCENES.values[setting][place] if text != before[place]]

    difference = changed(draw(before), draw({**before, place: Dice(seed).pick(others)}))

    assert count(difference) > 150
    assert share_inside(difference, REGIONS[place]) > 0.9


@given(any_setting, any_seed)
@settings(max_examples=15, deadline=None)
def test_another_sky_is_seen_at_large(setting: str, seed: int) -> None:
    before = scene(setting, seed)
    others = [text for text in SCENES.values[setting]["sky"] if text != before["sky"]]

    difference = changed(draw(before), draw({**before, "sky": Dice(seed).pick(others)}))

    assert count(difference) > 15_000


def test_every_word_of_every_piece_gives_a_drawing_of_its_own() -> None:
    alike = []
    for template, piece in PIECES.items():
        _, _, rest = template.partition("{")
        choices = WORDS[rest.partition("}")[0]] if rest else ("",)
        drawn = set()
        for word in choices:
            canvas = Canvas(320, 260, "#77aa77")
            piece(canvas, 160, 200, word)
            drawn.add(canvas.picture.tobytes())
        if len(drawn) < len(choices):
            alike.append(template)

    assert alike == []


def test_an_unknown_value_is_named() -> None:
    with pytest.raises(InstanceError, match="scene beach: left cannot be 'a shark'"):
        draw(scene(left="a shark"))


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(InstanceError, match=r"there is no scene of setting 'moon'.*beach"):
        make(Dice(1), "moon")
