"""Pictures of things at nine places, one at each at most: so their words have the same names in every picture."""

from collections.abc import Callable, Mapping
from itertools import product
from typing import TypeVar

from pydantic import AfterValidator

from palaver_gamemasters.dice import Dice

__all__ = ["NOTHING", "altered", "among", "named", "scattered", "told"]

NOTHING = "nothing"
"""What is at a place where nothing is."""

T = TypeVar("T")


def named(far: str, near: str) -> tuple[str, ...]:
    """Name the nine places, row by row from the top of the picture. No name is part of another.

    Args:
        far: the topmost row.
        near: the one at the bottom.
    """
    places = (f"{row} {side}" for row, side in product((far, "middle", near), ("left", "middle", "right")))
    return tuple("centre" if place == "middle middle" else place for place in places)


def among(places: tuple[str, ...]) -> AfterValidator:
    """Return what checks that a place in a recipe is one of these."""

    def check(place: str) -> str:
        if place not in places:
            raise ValueError(f"places are: {', '.join(places)}")
        return place

    return AfterValidator(check)


def told(kind: str, counted: str, places: tuple[str, ...], things: Mapping[str, str]) -> str:
    """Write the words of a picture: how many things there are, and what is at each place."""
    lines = (f"{place}: {things.get(place, NOTHING)}" for place in places)
    return "\n".join((f"kind: {kind}", f"{counted}: {len(things)}", *lines))


def scattered(places: tuple[str, ...], count: int, make: Callable[[Dice], T], dice: Dice) -> dict[str, T]:
    """Put so many things at random places."""
    taken = dice.sample(places, count)
    return {place: make(dice) for place in places if place in taken}


def altered(
    places: tuple[str, ...],
    things: Mapping[str, T],
    dice: Dice,
    changes: int,
    *,
    change: Callable[[T, Dice], T],
    fewest: int,
) -> dict[str, T]:
    """Change so many of the things, each in one way: it becomes another, stands somewhere else, or is gone.

    Args:
        places: all that there are.
        things: what is where.
        dice: decide.
        changes: how many things change; all do if there are no more.
        change: makes another of a thing.
        fewest: how many things are left at least.
    """
    free = [place for place in places if place not in things]
    dice.shuffle(free)
    now = dict(things)
    for place in dice.sample([place for place in places if place in things], changes):
        way = dice.below(6)
        if way == 0 and free:
            # Only to what was free before: two changes must not undo each other.
            now[free.pop()] = now.pop(place)
        elif way == 1 and len(now) > fewest:
            del now[place]
        else:
            now[place] = change(now[place], dice)
    return {place: now[place] for place in places if place in now}
