"""Rooms: every category can be drawn, and whatever is said of one is seen."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.pictures import Recipe, words
from palaver_gamemasters.clembench.pictures.pieces import PIECES
from palaver_gamemasters.clembench.pictures.room import CATEGORIES, ROOMS, altered, describe, draw, make
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError
from tests.gamemasters.clembench.composed_pictures import changed, count, share_inside

SURFACES = ("wall", "floor")
REGIONS = {
    "above": (180, 0, 460, 165),
    "back left": (110, 55, 280, 310),
    "back right": (355, 55, 535, 310),
    "left": (0, 180, 195, 425),
    "centre": (155, 130, 485, 415),
    "right": (445, 180, 640, 425),
    "front": (180, 375, 460, 480),
}
"""Where each place is in the picture."""

any_category = st.sampled_from(CATEGORIES)
any_seed = st.integers(0, 10**6)


def room(category: str = "kitchen", seed: int = 1, **changes: str) -> Recipe:
    return {**make(Dice("test", seed), category), **changes}


def test_there_are_at_least_two_dozen_categories_in_snake_case() -> None:
    assert len(set(CATEGORIES)) == len(CATEGORIES) >= 24
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", category) for category in CATEGORIES)


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_room_of_each_category_is_drawn_small_and_soon(category: str) -> None:
    picture = draw(room(category))

    assert picture.size == (640, 480)
    assert len(png(picture)) < 80_000


def test_every_piece_of_every_category_can_be_drawn() -> None:
    templates = {
        template
        for theme in ROOMS.themes.values()
        for place, some in theme.items()
        if place not in SURFACES
        for template in some
    }

    assert templates <= set(PIECES)


def test_the_same_recipe_gives_the_same_bytes() -> None:
    assert png(draw(room("library"))) == png(draw(room("library")))


def test_a_recipe_is_made_of_dice_alone() -> None:
    assert make(Dice("a")) == make(Dice("a"))
    assert len({str(make(Dice("a", seed))) for seed in range(30)}) == 30


def test_without_a_category_any_is_drawn() -> None:
    assert len({make(Dice(seed))["category"] for seed in range(200)}) > 20


def test_the_words_name_the_room_and_all_features() -> None:
    lines = describe(room("living_room", floor="oak boards", centre="a red sofa")).splitlines()

    assert lines[:2] == ["kind: room", "room: living room"]
    assert "floor: oak boards" in lines
    assert "centre: a red sofa" in lines


def test_all_rooms_have_the_same_features() -> None:
    features = {tuple(features_of(describe(room(category)))) for category in CATEGORIES}

    assert features == {("kind", "room", *ROOMS.themes["kitchen"])}


def test_the_words_are_those_of_the_picture() -> None:
    assert words(room("bar")) == describe(room("bar"))


def test_an_article_fits_its_word_and_one_thing_is_no_plural() -> None:
    values = [value for theme in ROOMS.values.values() for place in theme.values() for value in place]

    assert not [value for value in values if re.match(r"a [aeiou]|one .*s$", value)]


@given(any_category, any_seed, st.integers(0, 9))
@settings(max_examples=60)
def test_as_many_features_are_altered_as_are_wanted(category: str, seed: int, changes: int) -> None:
    before = room(category, seed)

    after = altered(before, Dice(seed), changes)

    assert after["category"] == category
    assert set(after) == set(before)
    assert sum(after[name] != before[name] for name in before) == changes
    assert describe(after) is not None


@given(any_category, st.sampled_from(sorted(REGIONS)), any_seed)
@settings(max_examples=40, deadline=None)
def test_another_piece_is_seen_where_it_stands(category: str, place: str, seed: int) -> None:
    before = room(category, seed)
    others = [text for text in ROOMS.values[category][place] if text != before[place]]

    difference = changed(draw(before), draw({**before, place: Dice(seed).pick(others)}))

    assert count(difference) > 150
    assert share_inside(difference, REGIONS[place]) > 0.9


@given(any_category, st.sampled_from(SURFACES), any_seed)
@settings(max_examples=20, deadline=None)
def test_another_wall_or_floor_is_seen_at_large(category: str, surface: str, seed: int) -> None:
    before = room(category, seed)
    others = [text for text in ROOMS.values[category][surface] if text != before[surface]]

    difference = changed(draw(before), draw({**before, surface: Dice(seed).pick(others)}))

    assert count(difference) > 1500


def test_too_many_changes_are_refused() -> None:
    with pytest.raises(InstanceError, match="room kitchen: cannot change 10 features, there are 9"):
        altered(room(), Dice(1), 10)


@pytest.mark.parametrize("use", [draw, describe, lambda recipe: altered(recipe, Dice(1))])
def test_an_unknown_value_is_named(use: object) -> None:
    assert callable(use)
    with pytest.raises(InstanceError, match=r"room kitchen: floor cannot be 'lava'.*there are: oak boards"):
        use(room(floor="lava"))


def test_an_unknown_category_is_named() -> None:
    with pytest.raises(InstanceError, match=r"there is no room of category 'cave'.*kitchen"):
        make(Dice(1), "cave")
    with pytest.raises(InstanceError, match=r"there is no room of category \['cave'\]"):
        describe({"kind": "room", "category": ["cave"]})


def test_a_missing_or_an_unknown_feature_is_named() -> None:
    recipe = room()
    with pytest.raises(InstanceError, match="room kitchen: unknown feature 'smell'"):
        describe({**recipe, "smell": "of bread"})
    del recipe["floor"]
    with pytest.raises(InstanceError, match="room kitchen: feature 'floor' is missing"):
        describe(recipe)
