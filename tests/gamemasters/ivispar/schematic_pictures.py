"""What the tests of pictures have in common: a board, and pictures opened again as pixels."""

from io import BytesIO

from PIL import Image

from palaver_gamemasters.ivispar.board import Board, Geom
from palaver_gamemasters.ivispar.options import IvisparOptions
from palaver_gamemasters.ivispar.pictures import Role, shown
from palaver_protocols.content import Image as Shown

__all__ = ["BLACK", "BLUE_GROUND", "WHITE", "board_with", "opened", "pixels", "small_board"]

BLUE_GROUND = (82, 138, 174)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def small_board() -> Board:
    """Three geoms: a red cube in A1, a blue sphere in B2 and a green pyramid in D4; their goals are one step away."""
    geoms = (Geom("red", "cube"), Geom("blue", "sphere"), Geom("green", "pyramid"))
    return Board(4, geoms, ((0, 0), (1, 1), (3, 3)), ((0, 1), (2, 1), (3, 2)))


def board_with(colour: str = "red", shape: str = "cube") -> Board:
    """One geom in B2, on its way to B3."""
    return Board(4, (Geom(colour, shape),), ((1, 1),), ((1, 2),))


def opened(image: Shown) -> Image.Image:
    """The pixels of a picture."""
    assert image.data is not None
    return Image.open(BytesIO(image.data)).convert("RGB")


def pixels(board: Board, role: Role = "active", **options: object) -> Image.Image:
    """The picture of where the geoms start, seen from above unless told otherwise."""
    return opened(shown(board, board.start, role, IvisparOptions.model_validate({"modality": "2d", **options})))
