"""Our own instances, in the study's format: pairs of grids, pairs of drawn pictures (Hakimov et al., appendix C)."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from pydantic import JsonValue

from palaver_gamemasters.clembench.families import grids_of
from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.pictures import Picture, Recipe, words
from palaver_gamemasters.dice import Dice

from .prompts import Thing, texts

__all__ = ["GRIDS", "PICTURES", "grid_instance", "picture_instance"]

GRIDS = ("same_grid", "similar_grid_1", "similar_grid_2", "different_grid")
"""The experiments of the textual twin: 1 is a grid and its mirror image or the like, 2 an edit distance of two."""

BOARDS = "_pentomino"
PICTURES = tuple(f"{how}_image{what}" for what in ("", BOARDS) for how in ("same", "similar", "different"))
"""The experiments with pictures: drawn ones in place of the study's photographs, and boards of pentominoes."""

DRAWN = ("room", "scene", "objects")
FAMILIES = ("diagonal_grids", "letter_grids", "shape_grids")
ALIKE = (2, 2, 4, 4, 4, 4, 6, 6, 8, 8)
"""In how many cells transformed grids differ, one as often as another: about as in the published instances, where it is
2 to 12, 4 in the middle and 4.8 on average. Most mirror images differ in more: they would be grids of another kind."""
FOLDER = "games/matchit/resources/images"
APART = 9
"""In how many cells different grids differ at least: as in the published instances."""
UNLIKE = 3
"""In how many features different pictures of one kind differ at least."""


class _Maker(Protocol):
    """What a kind of pictures offers for making some."""

    def make(self, dice: Dice) -> Recipe: ...

    def altered(self, recipe: Recipe, dice: Dice, changes: int = 1) -> Recipe: ...


def grid_instance(experiment: str, dice: Dice, *, questions: int, info: bool) -> ClemInstance:
    """Make two grids that are the same, similar, or different."""
    grid = _grid(dice)
    match experiment:
        case "same_grid":
            other = grid
        case "similar_grid_1":
            grid, other = dice.pick(_transformed()[dice.pick(ALIKE)])
        case "similar_grid_2":
            cells = [(row, column) for row in range(grid.side) for column in range(grid.side)]
            other = grid.flipped(dice.sample(cells, 2))
        case _:
            other = _grid(dice)
            while grid.distance(other) < APART:
                other = _grid(dice)
    about = _about(experiment, "grid", questions=questions, info=info)
    return ClemInstance(
        experiment=about, instance={"grid_a": grid.text, "grid_b": other.text, "decision_turn": questions}
    )


def picture_instance(experiment: str, dice: Dice, *, questions: int, info: bool) -> ClemInstance:
    """Make two pictures that are the same, similar (one or two features are altered), or different."""
    kinds = ("pentomino",) if experiment.endswith(BOARDS) else DRAWN
    kind = dice.pick(kinds)
    one = _maker(kind).make(dice)
    match experiment.split("_", maxsplit=1)[0]:
        case "same":
            other = one
        case "similar":
            other = _maker(kind).altered(one, dice, 1 + dice.below(2))
        case _:
            other = _unlike(one, dice, kinds)
    drawn = {_named(recipe): Picture(draw=recipe) for recipe in (one, other)}
    return ClemInstance(
        experiment=_about(experiment, "image", questions=questions, info=info),
        instance={"image_a": _named(one), "image_b": _named(other), "decision_turn": questions},
        pictures=drawn,
    )


def _about(experiment: str, thing: Thing, *, questions: int, info: bool) -> dict[str, JsonValue]:
    alike = experiment.startswith("same")
    return {"name": experiment, **texts(thing, alike=alike, questions=questions, info=info)}


def _grid(dice: Dice) -> Grid:
    return dice.pick(grids_of(dice.pick(FAMILIES)))


@cache
def _transformed() -> Mapping[int, Sequence[tuple[Grid, Grid]]]:
    """Pair each grid with its mirror images and with itself turned by 90 degrees, by the cells that differ."""
    pairs: dict[int, dict[tuple[Grid, Grid], None]] = {}
    for grid in dict.fromkeys(each for family in FAMILIES for each in grids_of(family)):
        for other in (grid.mirrored(), grid.upside_down(), grid.rotated(1), grid.rotated(3)):
            pairs.setdefault(grid.distance(other), {})[grid, other] = None
    return {distance: tuple(found) for distance, found in pairs.items()}


def _maker(kind: str) -> _Maker:
    # The kinds draw; they are loaded when a picture is made.
    return cast("_Maker", import_module(f"palaver_gamemasters.clembench.pictures.{kind}"))


def _unlike(recipe: Recipe, dice: Dice, kinds: tuple[str, ...]) -> Recipe:
    """Make a picture of any of the kinds that has little in common with another."""
    mine = features_of(words(recipe))
    while True:
        other = _maker(dice.pick(kinds)).make(dice)
        theirs = features_of(words(other))
        if sum(mine.get(name) != value for name, value in theirs.items()) >= UNLIKE:
            return other


def _named(recipe: Recipe) -> str:
    """Name a picture after all that it shows, so that no two pictures of an exported file share a name."""
    digest = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()
    return f"{FOLDER}/{recipe['kind']}-{digest[:12]}.png"
