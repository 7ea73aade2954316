"""What the players are shown: a target and two distractors that are like it, for every experiment.

The published experiments (Hakimov et al., section 4.1, and their instances) have ten grids of a family, each of which
is the target in turn. Its distractors are the two of the other nine that differ from it in the fewest cells, the nearer
one first: by 10 cells among rows and columns, by 2 to 10 among diagonals, letters and shapes, by 6 to 10 among random
grids. In place of photographs we draw: the distractors are the target with one to three features changed.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from palaver_gamemasters.clembench.families import FAMILIES, drawn_from
from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.pictures import Recipe, objects, pentomino, room, scene, words
from palaver_gamemasters.dice import Dice

__all__ = ["EXPERIMENTS", "POOL", "RUN", "Labels", "drawings", "grids", "labels"]

POOL = 10
"""Grids of a family from which targets and distractors are taken."""
RUN = 3
"""Instances that follow each other and have the same target, at each of player 2's three places."""


class Maker(Protocol):
    """What the module of a kind of drawing offers."""

    def make(self, dice: Dice) -> Recipe:
        """Make a picture."""

    def altered(self, recipe: Recipe, dice: Dice, changes: int = 1) -> Recipe:
        """Make a picture like another."""


MAKERS: Mapping[str, Maker] = {
    "room_images": room,
    "scene_images": scene,
    "object_images": objects,
    "room_static_target_images": room,
    "scene_static_target_images": scene,
    "object_static_target_images": objects,
    "pentomino_images": pentomino,
}

EXPERIMENTS = (*FAMILIES, *MAKERS)
"""All experiments of the picture version; the text version has the families."""


class Labels(NamedTuple):
    """What the dice of an instance are labelled with: instances with the same labels have the same things.

    ``which`` of a pool of grids is the target.
    """

    target: tuple[object, ...]
    distractors: tuple[object, ...]
    which: int


def labels(experiment: str, index: int) -> Labels:
    """Say which instances of an experiment share what, as in the published ones.

    Three that follow each other have the same target, all if it is static; and the same distractors, but for pentomino
    boards.
    """
    run = index // RUN
    if experiment in FAMILIES:
        pool = ("pool", run // POOL)
        return Labels(pool, pool, run % POOL)
    target = ("target",) if "static_target" in experiment else ("target", run)
    return Labels(target, ("distractors", index if experiment == "pentomino_images" else run), 0)


def grids(family: str, dice: Dice, which: int) -> Sequence[Grid]:
    """Return a grid of a family, and the two that are most like it of nine others."""
    pool = drawn_from(family, dice, POOL)
    target = pool.pop(which)
    return (target, *sorted(pool, key=target.distance)[:2])


def drawings(experiment: str, target: Dice, distractors: Dice) -> Sequence[Recipe]:
    """Return the recipe of a picture, and two that are like it. No two of them show the same."""
    maker = MAKERS[experiment]
    found = [maker.make(target)]
    while len(found) < RUN:
        other = maker.altered(found[0], distractors, 1 + distractors.below(3))
        if words(other) not in map(words, found):
            found.append(other)
    return found
