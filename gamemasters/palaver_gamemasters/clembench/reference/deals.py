"""How three things are laid out before the players: in which order, and with which names for the right answer."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from pydantic import JsonValue

from palaver_gamemasters.clembench.families import FAMILIES
from palaver_gamemasters.clembench.grids import Grid
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.pictures import Picture, Recipe

from . import prompts
from .rules import ANSWER, EXPRESSION

__all__ = ["Deal", "deal_of", "pictures_dealt", "text_dealt"]

T = TypeVar("T")
FOLDER = "games/multimodal_referencegame/resources"


class Deal(NamedTuple):
    """Which of the three (0 is the target) each player sees first, second, third; and the names of the right answer."""

    guide: tuple[int, int, int]
    follower: tuple[int, int, int]
    names: tuple[str, str, str]


GRIDS = (
    Deal((0, 1, 2), (0, 1, 2), ("first", "1st", "1")),
    Deal((0, 1, 2), (1, 0, 2), ("second", "2nd", "2")),
    Deal((0, 1, 2), (2, 1, 0), ("third", "3rd", "3")),
)
"""Player 1 always sees the target first; player 2 at each place in turn, changed with what was there."""

DRAWINGS = (
    Deal((0, 1, 2), (1, 0, 2), ("second", "2", "2nd")),
    Deal((2, 1, 0), (0, 1, 2), ("first", "1", "1st")),
    Deal((2, 0, 1), (2, 1, 0), ("third", "3rd", "3")),
)
"""Both see the target at each place in turn, and never at the same (published: photographs and pentomino boards)."""

PATTERNS: Mapping[str, JsonValue] = {
    "player_1_response_pattern": EXPRESSION,
    "player_2_response_pattern": ANSWER,
    "player_1_response_tag": "expression:",
    "player_2_response_tag": "answer:",
}


def deal_of(experiment: str, number: int) -> Deal:
    """Return how an instance is laid out; every three that follow each other differ."""
    return (GRIDS if experiment in FAMILIES else DRAWINGS)[number % 3]


def pictures_dealt(experiment: str, three: Sequence[Recipe], deal: Deal) -> ClemInstance:
    """Lay three pictures out. The same picture has the same name everywhere."""
    files = [_file(recipe) for recipe in three]
    seen = {"player_1": _ordered(files, deal.guide), "player_2": _ordered(files, deal.follower)}
    shown = {
        f"{seat}_{place}_image": file
        for seat, ordered in seen.items()
        for place, file in zip(prompts.ORDINALS, ordered, strict=True)
    }
    fields: dict[str, JsonValue] = {
        "player_1_prompt_header": prompts.image_guide(deal.guide.index(0)),
        "player_2_prompt_header": prompts.image_follower(),
        **shown,
        "target_image_name": list(deal.names),
        **PATTERNS,
    }
    pictures = {file: Picture(draw=recipe) for file, recipe in zip(files, three, strict=True)}
    return ClemInstance(experiment={"name": experiment}, instance=fields, pictures=pictures)


def text_dealt(experiment: str, three: Sequence[Grid], deal: Deal) -> ClemInstance:
    """Write three grids out."""
    guide, follower = _ordered(three, deal.guide), _ordered(three, deal.follower)
    fields: dict[str, JsonValue] = {
        "player_1_prompt_header": prompts.text_guide(guide),
        **_named("player_1", ("target", "second", "third"), guide),
        "player_2_prompt_header": prompts.text_follower(follower),
        **_named("player_2", prompts.ORDINALS, follower),
        "target_grid_name": list(deal.names),
        **PATTERNS,
    }
    return ClemInstance(experiment={"name": experiment}, instance=fields)


def _named(seat: str, places: Sequence[str], grids: Sequence[Grid]) -> dict[str, JsonValue]:
    return {f"{seat}_{place}_grid": grid.text for place, grid in zip(places, grids, strict=True)}


def _ordered(three: Sequence[T], order: Sequence[int]) -> list[T]:
    return [three[number] for number in order]


def _file(recipe: Recipe) -> str:
    """Name the file of a picture by what it is made from."""
    digest = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()
    return f"{FOLDER}/{recipe['kind']}_images/{digest[:12]}.png"
