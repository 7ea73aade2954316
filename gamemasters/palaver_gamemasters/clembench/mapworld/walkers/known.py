"""What a walker knows of a map: read from its own history, which is all that it has."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from palaver_gamemasters.clembench.features import features_of, pictures_in
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import Message

__all__ = ["STEPS", "Cell", "Known", "known_from"]

Cell = tuple[int, int]
"""East and north of where the walker began."""

STEPS: Mapping[str, Cell] = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}

DOORS = re.compile(r"(?:here we can go|available directions): *([a-z, ]+)\.", re.IGNORECASE)
STAYED = re.compile(r"\b(?:not valid|invalid)\b", re.IGNORECASE)
WENT = re.compile(rf"\bgo: *({'|'.join(STEPS)})\b", re.IGNORECASE)
GOAL = re.compile(r"target room is (?:an? |the )?([^.\n]+)", re.IGNORECASE)
ROOM = re.compile(r"(?:You are in the|entered|still in the) ([^.\n]+)\. Currently", re.IGNORECASE)
DESCRIBED = re.compile(r"We are in an? ([^.,\"]+)")
"""How the scripts begin a description: so they know later what a room was whose picture is gone."""


@dataclass(frozen=True)
class Known:
    """A map as far as it is known.

    ``doors`` are the directions that each visited room has, in the order in which they were told; ``rooms`` what each
    is called, where that is known; ``answers`` how often the walker has spoken.
    """

    here: Cell = (0, 0)
    doors: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    rooms: Mapping[Cell, str] = field(default_factory=dict)
    goal: str | None = None
    answers: int = 0

    @property
    def visited(self) -> frozenset[Cell]:
        """The rooms that were entered."""
        return frozenset(self.doors)

    @property
    def edges(self) -> tuple[tuple[Cell, Cell], ...]:
        """All connections of visited rooms, both ways."""
        one_way = [(room, beside(room, door)) for room, doors in self.doors.items() for door in doors]
        return tuple(dict.fromkeys([*one_way, *((b, a) for a, b in one_way)]))

    @property
    def frontier(self) -> tuple[Cell, ...]:
        """Rooms that a door leads to and that were not entered yet, in the order in which they were heard of."""
        return tuple(dict.fromkeys(b for a, b in self.edges if a in self.doors and b not in self.doors))

    @property
    def at_goal(self) -> bool:
        """Whether this is the room that is looked for."""
        return self.goal is not None and self.rooms.get(self.here) == self.goal


def beside(room: Cell, direction: str) -> Cell:
    """Return the room that a direction leads to."""
    east, north = STEPS[direction]
    return room[0] + east, room[1] + north


def known_from(request: TurnRequest) -> Known:
    """Follow a walker's history: where it went, what it was told there."""
    here: Cell = (0, 0)
    doors: dict[Cell, tuple[str, ...]] = {}
    rooms: dict[Cell, str] = {}
    goal = went = None
    answers = 0
    for message in request.view:
        if message.speaker == request.seat:
            answers += 1
            moves = WENT.findall(message.text)
            went = moves[-1].lower() if moves else None
            if described := DESCRIBED.search(message.text):
                rooms.setdefault(here, _plain(described[1]))
            continue
        if goals := GOAL.findall(message.text):
            goal = _plain(goals[-1])
        if not (told := DOORS.findall(message.text)):
            continue
        if went is not None and not STAYED.search(message.text):
            here = beside(here, went)
        went = None
        doors[here] = tuple(each for each in told[-1].lower().replace(" ", "").split(",") if each in STEPS)
        if name := _name(message):
            rooms[here] = name
    return Known(here, doors, rooms, goal, answers)


def _name(message: Message) -> str | None:
    """Return what a room is called: by the text, or by the words of its picture."""
    if named := ROOM.findall(message.text):
        return _plain(named[-1])
    return next(_rooms_of(pictures_in(message.text)), None)


def _rooms_of(pictures: Iterable[str]) -> Iterator[str]:
    yield from (_plain(found) for words in pictures if (found := features_of(words).get("room")))


def _plain(name: str) -> str:
    return name.replace("_", " ").strip().lower()
