"""Pictures of boards: rendered, or drawn from above; marked as the board now, the goal, or the past."""

from functools import lru_cache

from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError

from ..board import SHAPES, Board, Geom, Position, label_of
from ..commands import schematic_names
from ..options import BoardOptions
from .layout import Scene
from .marking import BACKGROUNDS, Background, Mark, Role, mark_of

__all__ = ["BACKGROUNDS", "Background", "Role", "check", "shown"]

KEPT = 256
"""Pictures that are kept, each some 25 kB (2D) or 200 kB (3D): a goal is shown at every step of an episode, a past
position at two, and some sixty episodes may go on side by side."""


def shown(board: Board, position: Position, role: Role, options: BoardOptions) -> Image:
    """Return the picture of a position: PNG, 1200 x 900 pixels.

    Its words, if the options leave them in, say how it is marked, and then who stands where, one geom a line, by the
    names of what the picture shows: seen from above, a cylinder is a hexagon.

    Raises:
        InstanceError: a shape or a colour cannot be drawn.
    """
    mark = mark_of(role, options.marking)
    words = "\n".join([str(mark), *_seen(board, position, options)]) if options.words else None
    if options.modality == "2d":
        # a schematic picture has the cells' names, whatever the option says: all are one picture
        return _schematic(Scene(board.size, board.geoms, position, "both"), mark, words, options.compat)
    check(board, options)
    return _rendered(Scene(board.size, board.geoms, position, options.labels), mark, words)


def _seen(board: Board, position: Position, options: BoardOptions) -> list[str]:
    """List who stands where as the board itself does, but by the names of what is seen of each shape.

    A shape that is drawn as a circle for want of anything better keeps its name, so that words tell which it is.
    """
    if options.modality != "2d":
        return board.lines(position)
    names = schematic_names(compat=options.compat)
    placed = sorted(zip(position, board.geoms, strict=True))
    return [f"{label_of(cell)} {Geom(colour, names.get(shape, shape))}" for cell, (colour, shape) in placed]


def check(board: Board, options: BoardOptions) -> None:
    """See that a board can be shown as the options want it.

    Raises:
        InstanceError: a shape or a colour cannot be drawn; names it, and says what can be.
    """
    if options.modality == "text":
        return
    # Pillow is slow to load, and games in words do without
    from .colours import rgb  # noqa: PLC0415
    from .markers import marker_of  # noqa: PLC0415

    for geom in board.geoms:
        rgb(geom.colour, compat=options.compat)
        if options.modality == "2d":
            marker_of(geom.shape, compat=options.compat)
        elif geom.shape not in SHAPES:
            raise InstanceError(
                f"{geom.shape!r} is no shape that can be rendered",
                mend=f"take one of {', '.join(SHAPES)}; modality=text takes any shape",
            )


@lru_cache(maxsize=KEPT)
def _schematic(scene: Scene, mark: Mark, words: str | None, compat: bool) -> Image:
    from .encoding import encoded  # noqa: PLC0415
    from .schematic import drawn  # noqa: PLC0415

    return Image.from_bytes(encoded(drawn(scene, mark, compat=compat)), words)


@lru_cache(maxsize=KEPT)
def _rendered(scene: Scene, mark: Mark, words: str | None) -> Image:
    from .encoding import encoded  # noqa: PLC0415
    from .laying import laid, rendered  # noqa: PLC0415

    return Image.from_bytes(encoded(laid(rendered(scene), mark)), words)
