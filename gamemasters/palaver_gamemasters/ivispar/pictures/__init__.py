"""Pictures of boards: rendered, or drawn from above; marked as the board now, the goal, or the past."""

from typing import Literal, NamedTuple

from palaver_protocols.content import Image

from ..board import Board, Position
from ..options import IvisparOptions

__all__ = ["BACKGROUNDS", "Background", "Role", "shown"]

Role = Literal["active", "goal", "past"]


class Background(NamedTuple):
    """The ground that a picture is laid on, and what prompts call it."""

    name: str
    colour: tuple[int, int, int]


BACKGROUNDS: dict[Role, Background] = {
    "active": Background("blue", (82, 138, 174)),
    "goal": Background("green", (100, 191, 106)),
    "past": Background("grey", (141, 153, 174)),
}
"""The published ones."""


def shown(board: Board, position: Position, role: Role, options: IvisparOptions) -> Image:
    """Return the picture of a position."""
    from io import BytesIO

    from PIL import Image as Pillow

    data = BytesIO()
    Pillow.new("RGB", (8, 8), BACKGROUNDS[role].colour).save(data, "PNG")
    return Image.from_bytes(data.getvalue(), alt="\n".join(board.lines(position)))
