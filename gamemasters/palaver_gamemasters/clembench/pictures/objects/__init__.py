"""Scenes of simple objects on a grey floor, after the CLEVR pictures of the reference game (Hakimov et al., 4.1).

Spheres, cubes and cylinders in two sizes, eight colours and two materials stand at nine places, one at each at most.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from PIL import Image
from pydantic import Field

from palaver_gamemasters.clembench.pictures import Recipe, places
from palaver_gamemasters.clembench.pictures.recipes import Exact, read
from palaver_gamemasters.dice import Dice

from .rendering import rendered
from .things import COLOURS, Colour, Material, Shape, Size

__all__ = ["PLACES", "altered", "describe", "draw", "make"]

PLACES = places.named("back", "front")
"""Where objects stand, row by row from the back."""

FEWEST, MOST = 3, 8
"""Objects in a scene that :func:`make` sets."""

ALIKE: tuple[frozenset[Colour], ...] = (
    frozenset({"red", "brown"}),
    frozenset({"blue", "purple"}),
    frozenset({"grey", "brown"}),
)
"""Colours that are told apart side by side, but not at a glance: no object changes from one to the other."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "size": ("large", "small"),
    "colour": tuple(COLOURS),
    "material": ("rubber", "metal"),
    "shape": ("sphere", "cube", "cylinder"),
}


class Object(Exact):
    """An object."""

    size: Size
    colour: Colour
    material: Material
    shape: Shape

    @property
    def words(self) -> str:
        """What it looks like."""
        return f"a {self.size} {self.colour} {self.material} {self.shape}"


class Scene(Exact):
    """What stands where."""

    kind: Literal["objects"]
    objects: Annotated[Mapping[Annotated[str, places.among(PLACES)], Object], Field(min_length=1)]


def make(dice: Dice) -> Recipe:
    """Set three to eight random objects."""
    return _recipe(places.scattered(PLACES, FEWEST + dice.below(MOST - FEWEST + 1), _object, dice))


def altered(recipe: Recipe, dice: Dice, changes: int = 1) -> Recipe:
    """Change so many objects, each in one way: its size, colour, material or shape, its place, or it is gone."""
    objects = read(recipe, Scene).objects
    return _recipe(places.altered(PLACES, objects, dice, changes, change=_changed, fewest=FEWEST))


def describe(recipe: Recipe) -> str:
    """Say how many objects there are, and which stands at each place."""
    objects = read(recipe, Scene).objects
    return places.told("objects", "count", PLACES, {place: thing.words for place, thing in objects.items()})


def draw(recipe: Recipe) -> Image.Image:
    """Draw the scene."""
    objects = read(recipe, Scene).objects
    standing = [(place, objects[name]) for place, name in enumerate(PLACES) if name in objects]
    return rendered([(place, each.shape, each.size, each.colour, each.material) for place, each in standing])


def _recipe(objects: Mapping[str, Object]) -> Recipe:
    return {"kind": "objects", "objects": {place: thing.model_dump() for place, thing in objects.items()}}


def _object(dice: Dice) -> Object:
    return Object.model_validate({name: dice.pick(values) for name, values in CHOICES.items()})


def _changed(thing: Object, dice: Dice) -> Object:
    name = dice.pick(list(CHOICES))
    old = getattr(thing, name)
    near = {old}.union(*(group for group in ALIKE if old in group))
    return thing.model_copy(update={name: dice.pick([value for value in CHOICES[name] if value not in near])})
