"""Players that need no model: chance, one that is right, and a careless one that shows what the measures tell apart."""

import re
from collections.abc import Iterator, Mapping, Sequence

from palaver_gamemasters.dice import Dice
from palaver_protocols.content import Image
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player, TurnRequest

from ..board import Cell, Geom, label_of
from ..reading import read_lines
from .answer import Placed

__all__ = ["PLAYERS", "careless_player", "optimal_player", "random_player"]

SIZE = re.compile(r"board of (\d+) by \1 cells")
COLOURS = re.compile(r"^- Colours: (.+)$", re.MULTILINE)
SHAPES = re.compile(r"^- Shapes: (.+)$", re.MULTILINE)
SLIPS = 0.3
"""How often the careless player makes something else of an object than what it is."""
WHOLE = 0.04
"""How often all of its answer is of no use, in each of two ways."""


def optimal_player(request: TurnRequest) -> str:
    """Say what the picture's words say."""
    return _solution(f"{label_of(cell)} {geom}" for geom, cell in _seen(request).items())


def random_player(request: TurnRequest) -> str:
    """Say anything that has the right form: any number of objects, in any cells."""
    dice = Dice("random ivispar_inference player", request.seed, request.turn, request.seat)
    size, colours, shapes = _asked(request)
    cells, geoms = _cells(size), [Geom(colour, shape) for colour in colours for shape in shapes]
    count = 1 + dice.below(min(len(cells), len(geoms)))
    chosen = zip(dice.sample(cells, count), dice.sample(geoms, count), strict=True)
    return _solution(f"{label_of(cell)} {geom}" for cell, geom in chosen)


def careless_player(request: TurnRequest) -> str:
    """Say what the picture's words say, but for slips: now and then every kind of error that is measured."""
    dice = Dice("careless ivispar_inference player", request.seed, request.turn, request.seat)
    seen = _seen(request)
    size, colours, shapes = _asked(request)
    lines: list[str] = []
    for geom, cell in seen.items():
        right = f"{label_of(cell)} {geom}"
        slips = _slips(Placed(cell, geom), size, colours, shapes, dice)
        lines += dice.pick(slips) if dice.below(100) < 100 * SLIPS else [right]
    luck = dice.below(100)
    if luck < 100 * WHOLE:
        return "\n".join(lines)
    if luck < 200 * WHOLE:
        return f"Solution: I see {len(seen)} objects."
    return _solution(lines)


def _slips(true: Placed, size: int, colours: Sequence[str], shapes: Sequence[str], dice: Dice) -> tuple[list[str], ...]:
    """Return what can be said of an object instead of what is true: lines, none if it is missed."""
    label, (colour, shape) = label_of(true.cell), true.geom
    other_cell = label_of(dice.pick([cell for cell in _cells(size) if cell != true.cell] or [true.cell]))
    other_colour = dice.pick([each for each in colours if each != colour] or [colour])
    other_shape = dice.pick([each for each in shapes if each != shape] or [shape])
    return (
        [],
        [f"{other_cell} {colour} {shape}"],
        [f"{label} {other_colour} {shape}"],
        [f"{label} {colour} {other_shape}"],
        [f"{other_cell} {other_colour} {shape}"],
        [f"{other_cell} {colour} {other_shape}"],
        [f"{label} {colour} {shape}", f"{other_cell} {other_colour} {other_shape}"],
        [f"{label} {colour} {shape}", f"{other_cell} empty"],
        [f"{label} {shape}"],
        [f"{label} {colour} box"],
        [f"{label} {shape} {colour}"],
        [f"{label} {colour} {other_colour} {shape}"],
        [f"{label_of((true.cell[0], size))} {colour} {shape}"],
    )


def _seen(request: TurnRequest) -> Mapping[Geom, Cell]:
    """Return what the picture shows, by the names that it and the task have for shapes; answers may use them."""
    for message in request.view:
        for part in message.parts:
            if found := read_lines((part.alt or "") if isinstance(part, Image) else part.text):
                return found
    raise UsageError(
        "there is no board in words to be seen", mend="scripts read the board in words: leave words=false out"
    )


def _asked(request: TurnRequest) -> tuple[int, list[str], list[str]]:
    """Return the size, the colours and the shapes that the task names."""
    told = "\n".join(message.text for message in request.view)
    size, colours, shapes = (pattern.search(told) for pattern in (SIZE, COLOURS, SHAPES))
    if not (size and colours and shapes):
        raise UsageError("this is no board-state inference", mend="scripts of a game answer its questions only")
    return int(size[1]), colours[1].split(", "), shapes[1].split(", ")


def _cells(size: int) -> list[Cell]:
    return [(x, y) for x in range(size) for y in range(size)]


def _solution(lines: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(["Solution:", *(f'"{line}",' for line in lines)])


PLAYERS: Mapping[str, Player] = {
    "random": random_player,
    "optimal": optimal_player,
    "scripted": optimal_player,
    "scripted/careless": careless_player,
}
