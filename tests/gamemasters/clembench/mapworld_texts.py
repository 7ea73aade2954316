"""A small textual map, and walks through it. Bar is east of Kitchen, Kitchen east of Hall, Attic north of Hall."""

import json
from typing import Any

from palaver_gamemasters.clembench.mapworld.game import Task
from palaver_gamemasters.clembench.mapworld.text.game import TextMapWorld, TextState
from palaver_gamemasters.clembench.mapworld.text.making import MOVE, NEGATIVE, POSITIVE, RESPONSE, STOP
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.game import Reply

WAYS = {
    "Hall": {"north": "Attic", "east": "Kitchen"},
    "Kitchen": {"west": "Hall", "east": "Bar"},
    "Bar": {"west": "Kitchen"},
    "Attic": {"south": "Hall"},
}
TOUR = ["GO: north", "GO: south", "GO: east", "GO: east"]


def fields(task: Task = "explore", **changed: Any) -> dict[str, Any]:
    """The fields of an instance; None leaves one out."""
    moves = [{"node": node, "node_moves": list(ways.items())} for node, ways in WAYS.items() for _ in ways]
    usual = {
        "game_id": 0,
        "Prompt": "You are in the $INITIAL_ROOM$. Directions: $INITIAL_DIRECTIONS$. Find: $GOAL$.",
        "Player2_positive_answer": POSITIVE,
        "Player2_negative_answer": NEGATIVE,
        "Move_Construction": MOVE,
        "Stop_Construction": STOP,
        "Graph_Nodes": str(list(WAYS)),
        "Graph_Edges": "[('Hall', 'Kitchen'), ('Kitchen', 'Bar'), ('Hall', 'Attic')]",
        "Current_Position": "Hall",
        "Directions": str([(node, list(ways)) for node, ways in WAYS.items()]),
        "Moves": str(moves),
        "Loop_Reminder": False,
        "Max_Turns_Reminder": False,
        **({"Response_Construction": RESPONSE} if task == "graphs" else {}),
        **({"Specific_Room": "Bar", "Specific_Room_Distance": "2"} if task == "find" else {}),
    }
    return {name: value for name, value in (usual | changed).items() if value is not None}


def instance(task: Task = "explore", **changed: Any) -> dict[str, Any]:
    """An instance as logs hold it."""
    return {"experiment": {"name": "small"}, "instance": fields(task, **changed)}


def walk(game: TextMapWorld, *texts: str, given: dict[str, Any] | None = None, **options: Any) -> Play[TextState]:
    """Play the texts, which must all be asked for."""
    state = game.start(given or instance(game.task), game.configure(options))
    for text in texts:
        assert game.pending(state) == ("guesser",), f"over before {text!r}"
        state = game.apply(state, {"guesser": Reply.of(text)})
    return state


def told(state: Play[TextState]) -> str:
    """What the guesser was told last."""
    return state.history("guesser")[-1].text


def drawn(action: str, graph: Any = None) -> str:
    """An answer of the graph game."""
    empty = {"nodes": [], "edges": {"north": [], "south": [], "east": [], "west": []}}
    return json.dumps({"action": action, "graph": empty if graph is None else graph})
