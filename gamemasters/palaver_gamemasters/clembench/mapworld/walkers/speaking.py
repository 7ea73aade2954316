"""How a walker says where it goes, in the format that its game asks for."""

import json
from collections.abc import Mapping

from palaver_gamemasters.clembench.features import features_of, pictures_in
from palaver_protocols.messages import TurnRequest

from .choosing import DONE
from .known import STEPS, Cell, Known, beside

__all__ = ["answer"]


def answer(known: Known, choice: str, request: TurnRequest) -> str:
    """Write an answer: plainly, or as the object that the task describes.

    Args:
        known: what the walker knows.
        choice: a direction, or ``DONE``.
        request: whose first message is the task.
    """
    action = DONE if choice == DONE else f"GO: {choice}"
    task = request.view[0].text if request.view else ""
    if '"graph"' in task and '"description"' in task:
        return json.dumps({"action": action, "description": _description(known, request), "graph": _graph(known)})
    if '"graph"' in task:
        return json.dumps({"action": action, "graph": _graph(known)})
    if '"description"' in task:
        return json.dumps({"description": _description(known, request), "action": action})
    return action


def _description(known: Known, request: TurnRequest) -> str:
    """Describe the room in a sentence: what it is, and the first things that are seen there."""
    room = known.rooms.get(known.here)
    if room is None:
        return "We are in this room."
    article = "an" if room[0] in "aeiou" else "a"
    words = next((each for message in reversed(request.view) for each in pictures_in(message.text)), "")
    seen = [f"{name} {value}" for name, value in features_of(words).items() if name not in ("kind", "room")]
    return f"We are in {article} {room}, with {', '.join(seen[:3])}." if seen else f"We are in {article} {room}."


def _graph(known: Known) -> Mapping[str, object]:
    """Write the map down, the rooms included that a door is known to lead to."""
    names = _names(known)
    edges: dict[str, list[list[str]]] = {direction: [] for direction in STEPS}
    drawn = set[frozenset[Cell]]()
    for room, doors in known.doors.items():
        for door in doors:
            beyond = beside(room, door)
            if frozenset((room, beyond)) not in drawn:
                drawn.add(frozenset((room, beyond)))
                edges[door].append([names[room], names[beyond]])
    return {"nodes": list(names.values()), "edges": edges}


def _names(known: Known) -> Mapping[Cell, str]:
    """Name all rooms, each differently."""
    names: dict[Cell, str] = {}
    for number, room in enumerate((*known.doors, *known.frontier), 1):
        name = known.rooms.get(room, f"room {number}").capitalize()
        names[room] = f"{name} {number}" if name in names.values() else name
    return names
