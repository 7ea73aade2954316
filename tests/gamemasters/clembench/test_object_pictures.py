"""Scenes of objects: each is seen, in its colour and at its place, and whatever is altered is seen to differ."""

from collections import Counter
from collections.abc import Mapping
from colorsys import rgb_to_hsv
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.pictures import Picture, Recipe, load, objects, words
from palaver_gamemasters.clembench.pictures.objects import CHOICES, PLACES
from palaver_gamemasters.clembench.pictures.objects.rendering import at_pixel, solid
from palaver_gamemasters.clembench.pictures.objects.things import COLOURS, Shape
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError

SEEDS = st.integers(0, 10**6)
CUBE = {"size": "large", "colour": "red", "material": "rubber", "shape": "cube"}


def scene(things: Mapping[str, Mapping[str, str]]) -> Recipe:
    return {"kind": "objects", "objects": {place: dict(thing) for place, thing in things.items()}}


def objects_of(recipe: Recipe) -> dict[str, Any]:
    found = recipe["objects"]
    assert isinstance(found, dict)
    return found


def pixels(things: Mapping[str, Mapping[str, str]]) -> NDArray[np.int16]:
    return np.asarray(objects.draw(scene(things)), dtype=np.int16)


def changed(one: NDArray[np.int16], other: NDArray[np.int16], by: int = 40) -> NDArray[np.bool_]:
    """Return the pixels that differ plainly."""
    found: NDArray[np.bool_] = np.abs(one - other).max(axis=2) > by
    return found


def outline(place: str, others: Mapping[str, Mapping[str, str]], **thing: str) -> NDArray[np.bool_]:
    """Return where an object is seen: what differs when it is painted in another colour."""
    red, yellow = (pixels({**others, place: {**CUBE, **thing, "colour": colour}}) for colour in ("red", "yellow"))
    return changed(red, yellow, by=20)


def middle(found: NDArray[np.bool_]) -> tuple[float, float]:
    rows, columns = np.nonzero(found)
    return float(columns.mean()), float(rows.mean())


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("material", CHOICES["material"])
def test_an_object_has_its_colour_around_its_middle(colour: str, material: str) -> None:
    for number, place in enumerate(PLACES):
        shown = pixels({place: {**CUBE, "colour": colour, "material": material, "shape": "cylinder"}})
        thing = solid(number, "cylinder", "large")
        x, y = (round(at) for at in at_pixel((*thing.foot, thing.reach)))
        pixel = shown[y - 4 : y + 5, x - 4 : x + 5].mean(axis=(0, 1))

        assert named(pixel) == colour


def named(pixel: NDArray[np.float64]) -> str:
    """Name the colour of a pixel, however bright it is: by its hue."""
    hue, saturation, _ = rgb_to_hsv(*(float(part) for part in pixel))
    if saturation < 0.15:
        return "grey"
    hues = {name: rgb_to_hsv(*rgb)[0] for name, rgb in COLOURS.items() if name != "grey"}
    return min(hues, key=lambda name: min(abs(hues[name] - hue), 1 - abs(hues[name] - hue)))


@pytest.mark.parametrize("place", PLACES)
def test_no_object_hides_another(place: str) -> None:
    others = {other: {**CUBE, "colour": "grey"} for other in PLACES if other != place}

    for size in CHOICES["size"]:
        assert outline(place, others, size=size).sum() > 0.9 * outline(place, {}, size=size).sum()


def test_places_are_where_their_names_say() -> None:
    at = {place: middle(outline(place, {}, size="small", shape="sphere")) for place in PLACES}

    for row in (PLACES[:3], PLACES[3:6], PLACES[6:]):
        assert at[row[0]][0] + 90 < at[row[1]][0] < at[row[2]][0] - 90
    for column in (PLACES[::3], PLACES[1::3], PLACES[2::3]):
        assert at[column[0]][1] + 60 < at[column[1]][1] < at[column[2]][1] - 60


def test_every_object_is_in_the_picture_as_a_whole() -> None:
    for place in PLACES:
        for shape in CHOICES["shape"]:
            found = outline(place, {}, shape=shape)
            assert not found[[0, -1]].any()
            assert not found[:, [0, -1]].any()


@pytest.mark.parametrize("place", ["back left", "centre", "front right"])
@pytest.mark.parametrize("shape", CHOICES["shape"])
def test_large_is_plainly_larger_than_small(place: str, shape: str) -> None:
    large, small = (outline(place, {}, size=size, shape=shape).sum() for size in ("large", "small"))

    assert large > 2.5 * small > 500


def test_shapes_have_their_outlines() -> None:
    shares = {}
    for shape in CHOICES["shape"]:
        rows, columns = np.nonzero(outline("centre", {}, shape=shape))
        shares[shape] = len(rows) / (np.ptp(rows) + 1) / (np.ptp(columns) + 1)

    assert shares["sphere"] == pytest.approx(np.pi / 4, abs=0.02)  # a disc in its box
    assert shares["cylinder"] > 0.85
    assert shares["cube"] < 0.72  # it stands on edge: a hexagon


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("shape", CHOICES["shape"])
def test_metal_and_rubber_are_told_apart_wherever_they_are(shape: str, colour: str) -> None:
    thing = {**CUBE, "size": "small", "shape": shape, "colour": colour}
    for place in PLACES:
        metal, rubber = (pixels({place: {**thing, "material": material}}) for material in ("metal", "rubber"))

        assert changed(metal, rubber, by=30).sum() > 80


@pytest.mark.parametrize("shape", get_args(Shape))
def test_metal_mirrors_a_light_stripe_on_its_top_and_rubber_does_not(shape: Shape) -> None:
    number = PLACES.index("middle left")
    thing = solid(number, shape, "large")
    x, y = (round(at) for at in at_pixel((*thing.foot, 2 * thing.reach)))
    metal, rubber = (
        np.ptp(pixels({"middle left": {**CUBE, "shape": shape, "material": material}})[y + 3, x - 22 : x + 22, 0])
        for material in ("metal", "rubber")
    )

    assert metal > 90
    assert rubber < 60


def test_an_object_throws_a_shadow_away_from_the_light() -> None:
    empty = pixels({"back left": {**CUBE, "size": "small"}})
    shown = pixels({"back left": {**CUBE, "size": "small"}, "centre": CUBE})
    number = PLACES.index("centre")
    x, y = (round(at) for at in at_pixel((*solid(number, "cube", "large").foot, 0.0)))

    darker = (empty - shown)[..., 0]
    assert darker[y - 10 : y + 5, x + 48 : x + 58].mean() > 15
    assert darker[y - 10 : y + 5, x - 78 : x - 68].mean() < 5


def test_words_name_every_place_in_the_same_order() -> None:
    recipe = scene(
        {"front left": {**CUBE, "material": "metal"}, "centre": {**CUBE, "size": "small", "shape": "sphere"}}
    )

    assert words(recipe).splitlines() == [
        "kind: objects",
        "count: 2",
        "back left: nothing",
        "back middle: nothing",
        "back right: nothing",
        "middle left: nothing",
        "centre: a small red rubber sphere",
        "middle right: nothing",
        "front left: a large red metal cube",
        "front middle: nothing",
        "front right: nothing",
    ]


def test_no_place_is_part_of_another_places_name() -> None:
    assert not [(one, other) for one in PLACES for other in PLACES if one != other and one in other]


def test_scenes_have_every_kind_of_object_and_number() -> None:
    scenes = [objects_of(objects.make(Dice(seed))) for seed in range(200)]
    things = [thing for each in scenes for thing in each.values()]

    assert {len(each) for each in scenes} == {3, 4, 5, 6, 7, 8}
    assert {place for each in scenes for place in each} == set(PLACES)
    for name, values in CHOICES.items():
        assert {thing[name] for thing in things} == set(values)


def test_the_same_dice_set_the_same_scene_and_others_another() -> None:
    made = [words(objects.make(Dice("scene", seed))) for seed in range(100)]

    assert made == [words(objects.make(Dice("scene", seed))) for seed in range(100)]
    assert len(set(made)) == 100


@given(seed=SEEDS, changes=st.integers(1, 3))
def test_an_altered_scene_differs_in_so_many_objects(seed: int, changes: int) -> None:
    recipe = objects.make(Dice("first", seed))
    before, after = objects_of(recipe), objects_of(objects.altered(recipe, Dice("second", seed), changes))

    assert sum(before[place] != after.get(place) for place in before) == changes
    assert len(after) >= 3


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_a_change_is_plainly_seen_and_named_in_one_or_two_features(seed: int) -> None:
    recipe = objects.make(Dice("first", seed))
    other = objects.altered(recipe, Dice("second", seed))
    first, second = features_of(words(recipe)), features_of(words(other))

    assert sum(first[name] != second[name] for name in first) in {1, 2}
    assert changed(pixels(objects_of(recipe)), pixels(objects_of(other)), by=30).sum() > 80


def test_every_kind_of_change_happens() -> None:
    ways: Counter[str] = Counter()
    for seed in range(300):
        recipe = objects.make(Dice("first", seed))
        before, after = objects_of(recipe), objects_of(objects.altered(recipe, Dice("second", seed)))
        place = next(place for place in before if before[place] != after.get(place))
        if place in after:
            ways.update(name for name in CHOICES if before[place][name] != after[place][name])
        else:
            ways["moved" if len(after) == len(before) else "removed"] += 1

    assert set(ways) == {*CHOICES, "moved", "removed"}
    assert min(ways.values()) > 15


def test_the_same_recipe_gives_the_same_bytes_in_whatever_order() -> None:
    things = objects_of(objects.make(Dice(3)))

    assert png(objects.draw(scene(things))) == png(objects.draw(scene(dict(reversed(things.items())))))


def test_other_objects_give_other_bytes() -> None:
    things = [
        {"size": size, "colour": colour, "material": material, "shape": shape}
        for size in CHOICES["size"]
        for colour in CHOICES["colour"]
        for material in CHOICES["material"]
        for shape in CHOICES["shape"]
    ]

    assert len({objects.draw(scene({"front right": thing})).tobytes() for thing in things}) == 96


def test_even_a_crowded_picture_is_small() -> None:
    crowd = {
        place: {**CUBE, "colour": colour, "material": "metal"}
        for place, colour in zip(PLACES, [*COLOURS, "red"], strict=True)
    }
    picture = load("x.png", Picture(draw=scene(crowd)), told=False)

    assert (picture.width, picture.height) == (480, 320)
    assert picture.size < 60_000


@pytest.mark.parametrize(
    ("recipe", "named"),
    [
        ({}, "objects is missing"),
        ({"objects": {}}, "objects is {}"),
        ({"objects": {"middle": CUBE}}, "there is no objects.middle .*back left, back middle"),
        ({"objects": {"centre": {**CUBE, "shape": "cone"}}}, "objects.centre.shape is 'cone'"),
        ({"objects": {"centre": {**CUBE, "size": "huge"}}}, "objects.centre.size is 'huge'"),
        ({"objects": {"centre": {**CUBE, "colour": "pink"}}}, "objects.centre.colour is 'pink'"),
        ({"objects": {"centre": {**CUBE, "material": "wood"}}}, "objects.centre.material is 'wood'"),
        ({"objects": {"centre": {"shape": "cube"}}}, "objects.centre.size is missing"),
        ({"objects": {"centre": CUBE}, "light": "on"}, "light is 'on'"),
    ],
)
def test_a_recipe_that_is_none_is_refused_in_one_line(recipe: Mapping[str, Any], named: str) -> None:
    with pytest.raises(InstanceError, match=f"picture of kind objects: {named}") as caught:
        words({"kind": "objects", **recipe})

    assert "\n" not in str(caught.value)
