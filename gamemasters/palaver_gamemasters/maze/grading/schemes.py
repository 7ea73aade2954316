"""The complete search: a route as it was said, read under every scheme, walked over the whole maze.

"To ensure the most favorable interpretation", the study transforms an extracted route under a large set of schemes and
evaluates each against the maze (Davidson et al., The Collaboration Gap, section 2.1). Here the set is complete: every
origin, corner, order of coordinates and kind of symbols. Three readings are ours, since the study leaves them open:

* Letters count from A = first; the origin is about numbers.
* A token that names its axis (``r1``, ``c2``) is read by that name whatever the order of coordinates. A letter and a
  number that come in the other order than in the scheme (``1A`` among ``A1``) are read by their kind.
* Directions are those of the map as printed: up, north and ↑ lead towards its first row. The corner says where (0, 0)
  is, not where up is: counted from the bottom left, up is still up. Mirrored directions would only turn blunders into
  luck, so they are not tried.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple, get_args

from ..grid import MOVES, Cell, Maze
from .cells import Spoken, direction_of, split
from .extraction import Corner, Extraction, Order, Scheme, Symbols
from .notations import Alphabet, annotate
from .plain import plain

__all__ = ["Ended", "Walk", "best_walk", "read_cell", "schemes", "walk"]

Ended = Literal["goal", "wall", "out of bounds", "not adjacent", "end of route", "no route"]
"""Why a route ends: at the goal, at its first illegal step, or because nothing more was said."""

_ANY_LETTER = Alphabet(size=25, pairs=True)
_SYMBOLS: dict[tuple[type, type], Symbols] = {
    (int, int): "number_number",
    (str, str): "letter_letter",
    (str, int): "letter_number",
    (int, str): "number_letter",
}


_PLAUSIBLE: dict[Ended, int] = {"goal": 2, "end of route": 2, "wall": 1}


class Walk(NamedTuple):
    """A route under one scheme: its legal part from the start cell on, and why it ended there."""

    route: tuple[Cell, ...]
    ended: Ended
    scheme: Scheme | None


@lru_cache(maxsize=8)
def schemes(symbols: Symbols) -> tuple[Scheme, ...]:
    """Return every scheme of a kind of symbols, the commonest first: from the top left, rows first, counted from 0."""
    choices = product(get_args(Corner), get_args(Order), ("0", "1"))
    return tuple(
        Scheme(maze_origin=origin, maze_orientation=corner, coordinates_orientation=order, coordinates_symbols=symbols)
        for corner, order, origin in choices
    )


def _pair(spoken: Spoken) -> tuple[tuple[str, int | str], tuple[str, int | str]] | None:
    """Take a place apart into two values with the axes they name; a single token may hold both (``A1``, ``r1c2``)."""
    if len(spoken) == 1:
        spoken = _halves(spoken[0])
    if len(spoken) != 2:
        return None
    first, second = split(spoken[0]), split(spoken[1])
    return (first, second) if first and second else None


@lru_cache(maxsize=1024)
def _halves(token: str) -> Spoken:
    mentions = [mention for mention in annotate(plain(token), _ANY_LETTER).mentions if mention.is_cell]
    return mentions[0].spoken[0] if len(mentions) == 1 else ()


def symbols_of(spoken: Spoken) -> Symbols | None:
    """Return the kind of symbols of a place or step, or None if it is neither."""
    if _steps(spoken):
        return "directions"
    pair = _pair(spoken)
    return _SYMBOLS[type(pair[0][1]), type(pair[1][1])] if pair else None


def _steps(spoken: Spoken) -> tuple[Cell, ...]:
    """Return the moves that direction words stand for; none if these are no directions."""
    if len(spoken) > 1 and any(len(token) == 1 and token.isascii() for token in spoken):
        return ()  # ("D", "E") is a cell in letters
    moves = [direction_of(token) for token in spoken]
    return tuple(MOVES[move] for move in moves if move) if all(moves) else ()


def read_cell(spoken: Spoken, scheme: Scheme, maze: Maze) -> Cell | None:
    """Return the true (row, column) of a place under a scheme, on the board or off it; None if it is no place."""
    pair = _pair(spoken)
    if pair is None:
        return None
    (axis, first), (other_axis, second) = pair
    rows_first = scheme.coordinates_orientation == "row_col"
    kinds = _SYMBOLS[type(first), type(second)]
    if {axis, other_axis} == {"r", "c"}:
        rows_first = axis == "r"
    elif {kinds, scheme.coordinates_symbols} == {"letter_number", "number_letter"}:
        rows_first = not rows_first
    row, column = (_index(value, scheme) for value in ((first, second) if rows_first else (second, first)))
    vertical, horizontal = scheme.maze_orientation.split("_")
    return (
        maze.height - 1 - row if vertical == "bottom" else row,
        maze.width - 1 - column if horizontal == "right" else column,
    )


def _index(value: int | str, scheme: Scheme) -> int:
    return ord(value) - ord("A") if isinstance(value, str) else value - int(scheme.maze_origin)


def _targets(spoken: Spoken, here: Cell, scheme: Scheme, maze: Maze) -> Iterator[Cell]:
    """Yield the cells that a place or some steps lead to, from where one stands."""
    if steps := _steps(spoken):
        for down, right in steps:
            here = (here[0] + down, here[1] + right)
            yield here
    elif (cell := read_cell(spoken, scheme, maze)) is not None:
        yield cell


def walk(maze: Maze, moves: Sequence[Spoken], scheme: Scheme) -> Walk:
    """Walk a route under one scheme, up to the goal or the first illegal step.

    The route may restate the cell one stands on (no move) and may go back. Tokens that say no place are passed over.
    """
    route = [maze.start]
    for spoken in moves:
        for cell in _targets(spoken, route[-1], scheme, maze):
            if cell == route[-1]:
                continue
            if trouble := _trouble(maze, route[-1], cell):
                return Walk(tuple(route), trouble, scheme)
            route.append(cell)
            if cell == maze.goal:
                return Walk(tuple(route), "goal", scheme)
    return Walk(tuple(route), "end of route", scheme)


def _trouble(maze: Maze, here: Cell, cell: Cell) -> Ended | None:
    if cell not in maze:
        return "out of bounds"
    if abs(cell[0] - here[0]) + abs(cell[1] - here[1]) != 1:
        return "not adjacent"
    return None if maze.is_open(cell) else "wall"


def best_walk(maze: Maze, extractions: Sequence[Extraction]) -> Walk:
    """Return the most favourable walk of a route that may have been extracted in several ways.

    The highest weighted outcome wins, that is the last legal cell nearest to the goal. Ties go to a route without an
    illegal step, then to one that ends at a wall (players walk into walls, but a jump or a cell off the board is
    rather a misreading), then to the longest legal one, then to the one that most of the extractions can be read as,
    then to the scheme that the grader named, and at last to the commonest scheme.
    """
    walks = [
        (walk(maze, extraction.moves, scheme), extraction)
        for extraction in extractions
        for scheme in _candidates(extraction)
    ]
    if not walks:
        return Walk((maze.start,), "no route", None)
    top = max(_merit(maze, found) for found, _ in walks)
    best = [(found, extraction) for found, extraction in walks if _merit(maze, found) == top]
    support = {found.route: {id(by) for other, by in best if other.route == found.route} for found, _ in best}
    return max(best, key=lambda pair: (len(support[pair[0].route]), pair[0].scheme == pair[1].route_schema))[0]


def _merit(maze: Maze, found: Walk) -> tuple[int, int, int]:
    distance = maze.to_goal.get(found.route[-1], maze.height * maze.width)
    return -distance, _PLAUSIBLE.get(found.ended, 0), len(found.route)


def _candidates(extraction: Extraction) -> Iterator[Scheme]:
    """Yield the schemes under which a route can be read at all: those of the kinds of symbols that it is said in."""
    kinds = Counter(kind for spoken in extraction.moves if (kind := symbols_of(spoken)))
    places = [kind for kind, _ in kinds.most_common() if kind != "directions"]
    if kinds and not places:
        yield schemes("directions")[0]
    for kind in places:
        yield from schemes(kind)
