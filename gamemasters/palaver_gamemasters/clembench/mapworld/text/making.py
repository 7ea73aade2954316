"""Our own instances of textual MapWorld, in exactly clembench's format. The prompts are those of its v1.6.5."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from palaver_gamemasters import texts
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.clembench.mapworld.game import Task
from palaver_gamemasters.clembench.mapworld.maps import SIDE, STEPS, MapGraph, Place
from palaver_gamemasters.dice import Dice

from .setup import shown

__all__ = ["NEGATIVE", "POSITIVE", "RESPONSE", "instance_of", "prompt_of", "room_names"]

POSITIVE = (
    "You have made a step and entered $ANOTHER_ROOM$. Currently available directions: $DIRECTIONS$. "
    "What is your next instruction?"
)
NEGATIVE = (
    "The move is not valid. You are still in the $SAME_ROOM$. Currently available directions: $DIRECTIONS$. "
    "What is your next instruction?"
)
MOVE = r"^GO:\s*(north|east|west|south)$"
STOP = "^DONE$"
RESPONSE = (
    r'^\{\s*"action":\s*"([^{}]*?)"\s*,\s*"graph":\s*'
    r'(\{\s*"nodes"\s*:\s*\[.*?\]\s*,\s*"edges"\s*:\s*\{.*?\}\s*\})\s*\}$'
)
LOOP = (
    "It seems like we are going back and forth between two rooms. To stop exploring choose 'DONE' as our next action."
)
LONG = "We have been exploring for a while now. To stop exploring choose 'DONE' as our next action."


def _text(name: str) -> str:
    return texts.prompt_of(__package__, name).strip()


def prompt_of(task: Task) -> str:
    """Return a published prompt. The one with a room to be found ends with an empty line."""
    return _text(task) + ("\n" if task == "find" else "")


def room_names() -> Sequence[str]:
    """Return what rooms of our own maps are called."""
    return _text("rooms").splitlines()


def instance_of(experiment: str, dice: Dice, made: MapGraph, task: Task) -> ClemInstance:
    """Write a map down as an instance.

    Args:
        experiment: its name.
        dice: for what is told in no special order.
        made: the map, whose categories are names of rooms.
        task: what the guesser is to do.
    """
    many = list(made.categories.values())
    names = {
        place: kind if many.count(kind) == 1 else f"{kind}_({place[0]}, {place[1]})"
        for place, kind in made.categories.items()
    }
    # the published directions come in an order of their own in each experiment; ours in one of their own in each map
    order = dice.sample(tuple(STEPS), len(STEPS))
    ways = {place: _ways(made, place, order, names) for place in made.rooms}
    fields: dict[str, JsonValue] = {
        "Prompt": prompt_of(task),
        "Player2_positive_answer": POSITIVE,
        "Player2_negative_answer": NEGATIVE,
        "Move_Construction": MOVE,
        "Stop_Construction": STOP,
        **({"Response_Construction": RESPONSE} if task == "graphs" else {}),
        "Grid_Dimension": str(SIDE),
        "Graph_Nodes": str(list(names.values())),
        "Graph_Edges": str([(names[a], names[b]) for a, b in made.connections]),
        "Current_Position": names[made.start],
        "Picture_Name": f"graph_{dice.below(10_000)}.png",
        "Directions": str([(names[place], [way for way, _ in ways[place]]) for place in made.rooms]),
        # the published lists hold each room once for each of its directions
        "Moves": str([{"node": names[place], "node_moves": ways[place]} for place in made.rooms for _ in ways[place]]),
        "Cycle": "cycle_true" if made.cycle else "cycle_false",
        "Ambiguity": made.ambiguity or None,
        "Game_Type": "named_graph",
        "Loop_Reminder": False,
        "Loop_Reminder_Text": LOOP,
        "Max_Turns_Reminder": False,
        "Max_Turns_Reminder_Text": LONG,
        "Mapping": str(names),
        "Strict": True,
    }
    if made.target is not None:
        fields["Specific_Room"] = shown(names[made.target])
        fields["Specific_Room_Distance"] = str(made.distance(made.start, made.target))
    return ClemInstance(experiment={"name": experiment}, instance=fields)


def _ways(made: MapGraph, place: Place, order: Sequence[str], names: Mapping[Place, str]) -> list[tuple[str, str]]:
    ways = made.ways(place)
    return [(way, names[ways[way]]) for way in order if way in ways]
