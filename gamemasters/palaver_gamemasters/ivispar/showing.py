"""What people see of the sliding geoms, and what they can say by a key."""

from collections.abc import Iterator, Sequence

from palaver_gamemasters.showing import Move, Panel
from palaver_protocols.errors import one_line

from .actions import Step
from .board import DIRECTIONS, Board, Geom, Position, label_of
from .commands import NO_ACTION, schematic_names
from .options import BoardOptions

__all__ = ["called", "goal_panel", "moves_of", "now_panel", "position_panel", "steps_of"]

KEYS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
FAILED = {
    "occupied": "taken",
    "out_of_bounds": "off board",
    "illegal": NO_ACTION.lower(),
    "malformed": "not understood",
}
LONGEST = 34
"""Letters that fit below a board: an agent may say anything."""


def now_panel(board: Board, steps: Sequence[Step], options: BoardOptions, limit: int) -> Panel:
    """Draw how the board stands, where its geoms belong, and what the last action did.

    Args:
        board: the board.
        steps: all actions so far.
        options: how it is shown to the players.
        limit: the most actions that there can be.
    """
    from .top_view import Standing, top_view  # noqa: PLC0415 - Pillow knows the colours, and is slow to load

    position = steps[-1].after if steps else board.start
    placed = tuple(zip(board.geoms, position, board.goal, strict=True))
    home = sum(cell == goal for _, cell, goal in placed)
    wanted = [Standing(geom, goal, "missing") for geom, cell, goal in placed if cell != goal]
    standing = [Standing(geom, cell, "right" if cell == goal else "") for geom, cell, goal in placed]
    lines = (f"{home} of {len(placed)} home, {len(steps)} of {limit} actions", _last(steps, options))
    before = steps[-1].before if steps else position
    changed = [(one, other) for one, other in zip(before, position, strict=True) if one != other]
    picture, width, height = top_view(
        board.size, [*wanted, *standing], lines, flat=options.modality == "2d",
        way=changed[0] if changed else None, title="the board now",
    )  # fmt: skip
    words = "\n".join(("The board now:", *_lines(board, position, options), *(line for line in lines if line)))
    return Panel("now", words, svg=picture, width=width, height=height)


def goal_panel(board: Board, options: BoardOptions) -> Panel:
    """Draw the goal."""
    return position_panel("goal", board, board.goal, options)


def position_panel(title: str, board: Board, position: Position, options: BoardOptions, seat: str = "") -> Panel:
    """Draw a position and nothing else; of a seat, where one seat alone sees just this."""
    from .top_view import Standing, top_view  # noqa: PLC0415 - as above

    standing = [Standing(geom, cell) for geom, cell in zip(board.geoms, position, strict=True)]
    picture, width, height = top_view(board.size, standing, (), flat=options.modality == "2d", title=title)
    words = "\n".join((f"{title[:1].upper()}{title[1:]}:", *_lines(board, position, options)))
    return Panel(title, words, svg=picture, width=width, height=height, seat=seat)


def _last(steps: Sequence[Step], options: BoardOptions) -> str:
    if not steps:
        return ""
    step = steps[-1]
    if step.action is None:
        return FAILED["illegal"]
    said = step.action.removeprefix("move ")
    for shape, name in _names(options).items():
        said = said.replace(shape, name)
    failed = f"{FAILED[step.failure]}: " if step.failure else ""
    return failed + one_line(said, LONGEST - len(failed))


def _lines(board: Board, position: Position, options: BoardOptions) -> list[str]:
    """List who stands where, by the names of what is seen."""
    placed = sorted(zip(position, board.geoms, strict=True))
    return [f"{label_of(cell)} {called(geom, options)}" for cell, geom in placed]


def _names(options: BoardOptions) -> dict[str, str]:
    """Return what shapes are called that have another name in the plane."""
    return schematic_names(compat=options.compat) if options.modality == "2d" else {}


def called(geom: Geom, options: BoardOptions) -> str:
    """Return a geom's name as the player of a board is told it: seen from above, a cube is a square."""
    return f"{geom.colour} {_names(options).get(geom.shape, geom.shape)}"


def moves_of(geoms: Sequence[Geom], options: BoardOptions) -> tuple[Move, ...]:
    """Return for each geom its four moves, in a group; the arrow keys move the geom that is chosen."""
    return tuple(_moves(geoms, options, "action: move {} {}", ends=True))


def steps_of(geoms: Sequence[Geom], options: BoardOptions) -> tuple[Move, ...]:
    """Return what one tells another who moves."""
    return tuple(_moves(geoms, options, "Move the {} {}.", ends=False))


def _moves(geoms: Sequence[Geom], options: BoardOptions, line: str, *, ends: bool) -> Iterator[Move]:
    for name in dict.fromkeys(called(geom, options) for geom in geoms):
        for way in DIRECTIONS:
            yield Move(line.format(name, way), f"{ARROWS[way]} {way}", name, (KEYS[way],), ends=ends)
