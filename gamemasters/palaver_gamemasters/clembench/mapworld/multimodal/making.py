"""Our own instances of MapWorld with pictures, in exactly clembench's format. The texts are those of its v1.6.5."""

import hashlib
import json
from collections.abc import Mapping
from importlib import import_module
from typing import Protocol, cast

from pydantic import JsonValue

from palaver_gamemasters import texts
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.mapworld.game import Task
from palaver_gamemasters.clembench.mapworld.maps import MapGraph, Place
from palaver_gamemasters.clembench.pictures import Picture, Recipe
from palaver_gamemasters.dice import Dice

__all__ = ["TEXTS", "categories", "instance_of", "prompt_of"]

MADE_STEP = (
    "We have made a step and are now in this room. From here we can go: $DIRECTIONS$. What is your next instruction?"
)
STAYED = (
    "The move was invalid and we are still in this room. From here we can go: $DIRECTIONS$. "
    "What is your next instruction?"
)
SENTENCE = "Replace <room description> with a single sentence describing the room we are in. "
DIRECTION = "where DIRECTION can be one of [north, south, east, west]. "
LONG = 'We have been exploring for a while now. To stop exploring choose "DONE" as our next action. '
LOOP = (
    'It seems like we are going back and forth between two rooms. To stop exploring choose "DONE" as our next action. '
)
DESCRIBED = r'^\{[\s]*"description":\s*"([^\{]*?)"\s*,\s*"action":\s*"([^\{]*?)"[\s]*\}$'
DRAWN = (
    r'^\{[\s]*"action":\s*"([^\{]*?)"\s*,\s*"description":\s*"([^\{]*?)"[\s]*,\s*"graph":\s*'
    r'(\{\s*"nodes"\s*:\s*\[.*\]\s*,\s*"edges"\s*:\s*\{.*\})\s*\}$'
)
DONE = "^DONE$"
MOVE = r"^GO:\s*(north|east|west|south)$"

TEXTS: Mapping[Task, Mapping[str, str]] = {
    "explore": {
        "success_response": MADE_STEP,
        "invalid_response": STAYED,
        "reprompt_format": "Please only give your answer in the provided format so I can understand it. "
        'The format is: {"description": "<room description>", "action": "<action>"}. \n'
        + SENTENCE
        + 'To move to a neighboring room, replace <action> with "GO: DIRECTION" '
        + DIRECTION
        + 'To stop the exploration replace <action> with "DONE". What should we do? ',
        "limit_warning": LONG,
        "loop_warning": LOOP,
        "move_construction": "GO: ",
        "stop_construction": "DONE",
        "response_regex": DESCRIBED,
        "done_regex": DONE,
        "move_regex": MOVE,
    },
    "graphs": {
        "success_response": MADE_STEP,
        "invalid_response": STAYED,
        "reprompt_format": "Please only give your answer in the provided format so I can understand it. "
        'The format is: {"action": "<action>", "description": "<room description>", '
        '"graph": {"nodes": [], "edges": {}}}. \n'
        + SENTENCE
        + 'To move to a neighboring room, replace <action> with "GO: <direction>" '
        + "where <direction> can be one of [north, south, east, west]. "
        + 'To stop the exploration replace <action> with "DONE". What is your next instruction? ',
        "limit_warning": LONG,
        "loop_warning": LOOP,
        "move_construction": "GO: ",
        "stop_construction": "DONE",
        "response_regex": DRAWN,
        "done_regex": DONE,
        "move_regex": MOVE,
    },
    "find": {
        "success_response": MADE_STEP,
        "invalid_response": STAYED,
        "reprompt_format": "Please only give your answer in the provided format so I can understand it. "
        'The format is {"description": "<room description>", "action": "<action>"}". '
        + SENTENCE
        + 'To move to a neighboring room, replace <action> with "GO: DIRECTION" '
        + DIRECTION
        + 'If we have found a $GOAL$, replace <action> with "DONE" instead. What should we do? ',
        "limit_warning": "We have been exploring for a while now. "
        'Once we are in a $GOAL$ choose "DONE" as the next <action>.',
        "loop_warning": "It seems like we are going back and forth between two rooms. "
        "Be sure to explore other rooms in order to find a $GOAL$. ",
        "move_construction": "GO: ",
        "done_regex": DONE,
        "move_regex": r"^GO:\s*(north|east|south|west)$",
        "response_regex": DESCRIBED,
    },
}
"""The texts and forms beside the first prompt. The warnings are in all instances and are never given."""


class _Rooms(Protocol):
    """What the kind of pictures offers that shows rooms."""

    CATEGORIES: tuple[str, ...]

    def make(self, dice: Dice, category: str | None = None) -> Recipe: ...


def prompt_of(task: Task) -> str:
    """Return a published first prompt."""
    return texts.prompt_of(__package__, task)


def categories() -> tuple[str, ...]:
    """Return the categories of rooms that there are pictures of."""
    return _rooms().CATEGORIES


def instance_of(experiment: str, dice: Dice, made: MapGraph, game: str, task: Task) -> ClemInstance:
    """Write a map down as an instance, with a picture of its own for each room."""
    recipes = {room: _rooms().make(dice, category) for room, category in made.categories.items()}
    names = {room: _named(game, recipe) for room, recipe in recipes.items()}
    both_ways = [*made.connections, *((b, a) for a, b in made.connections)]
    fields: dict[str, JsonValue] = {
        "nodes": [str(room) for room in made.rooms],
        "edges": [str(edge) for edge in both_ways],
        "imgs": {str(room): names[room] for room in made.rooms},
        "cats": {str(room): made.categories[room] for room in made.rooms},
        "start": str(made.start),
        **(_goal(made, made.target) if made.target is not None else {}),
        "use_images": True,
        "reprompt": False,
        "use_loop_warning": True,
        "use_turn_limit_warning": True,
        "initial_prompt": prompt_of(task),
        **TEXTS[task],
    }
    pictures = {names[room]: Picture(draw=recipe) for room, recipe in recipes.items()}
    return ClemInstance(experiment={"name": experiment}, instance=fields, pictures=pictures)


def _goal(made: MapGraph, target: Place) -> dict[str, JsonValue]:
    return {
        "target": str(target),
        "target_cat": made.categories[target],
        "dist": made.distance(made.start, target),
    }


def _named(game: str, recipe: Recipe) -> str:
    """Name a picture after all that it shows, so that no two pictures of an exported file share a name."""
    digest = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()
    return f"games/{game}/resources/images/room-{digest[:12]}.png"


def _rooms() -> _Rooms:
    # The kinds draw; they are loaded when a picture is made.
    return cast("_Rooms", import_module("palaver_gamemasters.clembench.pictures.room"))
