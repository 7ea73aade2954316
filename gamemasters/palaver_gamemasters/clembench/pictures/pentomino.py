"""Boards of coloured pentomino pieces, after the boards of the reference game (Hakimov et al., section 4.1).

The twelve pieces have the names of the letters that they look like. A board has nine areas, with one piece in each at
most. Where in its area a piece lies follows from the area and the piece, so that the words say all there is to see.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal, Self, get_args

from PIL import Image, ImageDraw
from pydantic import Field, model_validator

from palaver_gamemasters.clembench.grids import Cell
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import mix

from . import Recipe, places
from .recipes import Exact, read

__all__ = ["COLOURS", "PLACES", "SHAPES", "altered", "cells", "describe", "draw", "make"]

Shape = Literal["F", "I", "L", "N", "P", "T", "U", "V", "W", "X", "Y", "Z"]
Colour = Literal["red", "orange", "yellow", "green", "blue", "cyan", "purple", "pink", "brown", "grey", "olive", "navy"]
Turn = Literal[0, 90, 180, 270]

PLACES = places.named("top", "bottom")
"""The areas of the board, row by row."""

SHAPES: Mapping[Shape, str] = {
    "F": ".XX/XX./.X.",
    "I": "X/X/X/X/X",
    "L": "X./X./X./XX",
    "N": ".X/.X/XX/X.",
    "P": "XX/XX/X.",
    "T": "XXX/.X./.X.",
    "U": "X.X/XXX",
    "V": "X../X../XXX",
    "W": "X../XX./.XX",
    "X": ".X./XXX/.X.",
    "Y": ".X/XX/.X/.X",
    "Z": "XX./.X./.XX",
}
"""The pieces, row by row."""

COLOURS: Mapping[Colour, str] = {
    "red": "#dc2626",
    "orange": "#fb8c1a",
    "yellow": "#fde03a",
    "green": "#22a63f",
    "blue": "#2f7cf0",
    "cyan": "#3fd9e6",
    "purple": "#8b2fc9",
    "pink": "#ff94c8",
    "brown": "#7a4420",
    "grey": "#9a9a9a",
    "olive": "#8c8f1a",
    "navy": "#14215c",
}
ALIKE: tuple[frozenset[Colour], ...] = (
    frozenset({"red", "orange", "brown"}),
    frozenset({"orange", "yellow"}),
    frozenset({"red", "pink"}),
    frozenset({"green", "olive", "brown"}),
    frozenset({"blue", "cyan"}),
    frozenset({"blue", "navy", "purple"}),
)
"""Colours that are told apart side by side, but not at a glance: no piece changes from one to the other."""

FEWEST, MOST = 4, 8
"""Pieces on a board that :func:`make` lays."""

AREA = 6
"""Cells a side of an area, besides the row and the column that keep the pieces of two areas apart."""
NUDGES = ((0, -1), (1, 0), (-1, 1), (1, 0), (0, 1), (-1, -1), (-1, 1), (0, 0), (1, -1))
"""How many cells to the right and down of its middle the piece of each area lies, as far as there is room."""

SIDE, MARGIN, CELL = 480, 9, 21
BOARD, LINE, FRAME = "#fbfaf6", "#e7e3d8", "#8d8779"
TURNED: Mapping[Turn, str] = {0: "", 90: ", turned right", 180: ", upside down", 270: ", turned left"}


class Piece(Exact):
    """A piece. ``turn`` is clockwise, in degrees."""

    shape: Shape
    colour: Colour
    turn: Turn = 0

    @model_validator(mode="after")
    def _turns(self) -> Self:
        if self.turn not in turns(self.shape):
            others = ", ".join(str(turn) for turn in turns(self.shape))
            raise ValueError(f"so turned, {self.shape} looks as with another turn; name one of: {others}")
        return self

    @property
    def words(self) -> str:
        """What it looks like."""
        return f"{'an' if self.colour[0] in 'aeiou' else 'a'} {self.colour} {self.shape}{TURNED[self.turn]}"

    @property
    def recipe(self) -> Recipe:
        """Its part of a recipe."""
        return {"shape": self.shape, "colour": self.colour, "turn": self.turn}


class Board(Exact):
    """What lies where."""

    kind: Literal["pentomino"]
    pieces: Annotated[Mapping[Annotated[str, places.among(PLACES)], Piece], Field(min_length=1)]


def make(dice: Dice) -> Recipe:
    """Lay four to eight random pieces."""
    return _recipe(places.scattered(PLACES, FEWEST + dice.below(MOST - FEWEST + 1), _piece, dice))


def altered(recipe: Recipe, dice: Dice, changes: int = 1) -> Recipe:
    """Change so many pieces, each in one way: its colour, shape or turn, its area, or it is gone."""
    pieces = read(recipe, Board).pieces
    return _recipe(places.altered(PLACES, pieces, dice, changes, change=_changed, fewest=FEWEST))


def describe(recipe: Recipe) -> str:
    """Say how many pieces there are, and which is in each area."""
    pieces = read(recipe, Board).pieces
    return places.told("pentomino", "pieces", PLACES, {place: piece.words for place, piece in pieces.items()})


def draw(recipe: Recipe) -> Image.Image:
    """Draw the board."""
    board = read(recipe, Board)
    picture = Image.new("RGB", (SIDE, SIDE), FRAME)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((MARGIN - 2, MARGIN - 2, SIDE - MARGIN + 1, SIDE - MARGIN + 1), fill=BOARD)
    for at in range(MARGIN + CELL, SIDE - MARGIN, CELL):
        pen.line((at, MARGIN, at, SIDE - MARGIN - 1), fill=LINE)
        pen.line((MARGIN, at, SIDE - MARGIN - 1, at), fill=LINE)
    for place, piece in board.pieces.items():
        _lay(pen, set(cells(place, piece.shape, piece.turn)), COLOURS[piece.colour])
    return picture


def cells(place: str, shape: Shape, turn: Turn = 0) -> tuple[Cell, ...]:
    """Return the five cells of the board that a piece covers: rows and columns from 0 at the top left."""
    area = PLACES.index(place)
    piece = _turned(shape, turn)
    height, width = (1 + max(cell[axis] for cell in piece) for axis in (0, 1))
    right, down = NUDGES[area]
    row = 1 + area // 3 * (AREA + 1) + _placed(height, down)
    column = 1 + area % 3 * (AREA + 1) + _placed(width, right)
    return tuple((row + r, column + c) for r, c in piece)


def _placed(length: int, nudge: int) -> int:
    """Return how far from the edge of its area a piece begins, so long as it is."""
    room = AREA - length
    return min(room, max(0, room // 2 + nudge))


@cache
def turns(shape: Shape) -> tuple[Turn, ...]:
    """Return the turns in which a piece looks different each time."""
    first: dict[tuple[Cell, ...], Turn] = {}
    for turn in get_args(Turn):
        first.setdefault(_turned(shape, turn), turn)
    return tuple(first.values())


@cache
def _turned(shape: Shape, turn: Turn) -> tuple[Cell, ...]:
    rows = SHAPES[shape].split("/")
    for _ in range(turn // 90):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    return tuple((r, c) for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol == "X")


def _recipe(pieces: Mapping[str, Piece]) -> Recipe:
    return {"kind": "pentomino", "pieces": {place: piece.recipe for place, piece in pieces.items()}}


def _piece(dice: Dice) -> Piece:
    shape = dice.pick(list(SHAPES))
    return Piece(shape=shape, colour=dice.pick(list(COLOURS)), turn=dice.pick(turns(shape)))


def _changed(piece: Piece, dice: Dice) -> Piece:
    shape, turn = piece.shape, piece.turn
    ways = ["colour", "shape", "turn"] if len(turns(shape)) > 1 else ["colour", "shape"]
    match dice.pick(ways):
        case "colour":
            near = {piece.colour}.union(*(group for group in ALIKE if piece.colour in group))
            return piece.model_copy(update={"colour": dice.pick([colour for colour in COLOURS if colour not in near])})
        case "shape":
            shape = dice.pick([other for other in SHAPES if other != shape])
            return piece.model_copy(update={"shape": shape, "turn": turn if turn in turns(shape) else 0})
        case _:
            return piece.model_copy(update={"turn": dice.pick([other for other in turns(shape) if other != turn])})


def _lay(pen: ImageDraw.ImageDraw, piece: set[Cell], colour: str) -> None:
    """Draw a piece: its cells, faint lines between them and a dark rim around them."""
    dark, seam = mix(colour, "#000000", 0.55), mix(colour, "#000000", 0.14)
    boxes = {cell: (MARGIN + cell[1] * CELL, MARGIN + cell[0] * CELL) for cell in piece}
    for x, y in boxes.values():
        pen.rectangle((x - 1, y - 1, x + CELL + 1, y + CELL + 1), fill=dark)
    for (row, column), (x, y) in boxes.items():
        pen.rectangle((x + 1, y + 1, x + CELL - 1, y + CELL - 1), fill=colour)
        if (row, column + 1) in piece:
            pen.rectangle((x + CELL, y + 1, x + CELL, y + CELL - 1), fill=seam)
        if (row + 1, column) in piece:
            pen.rectangle((x + 1, y + CELL, x + CELL - 1, y + CELL), fill=seam)
