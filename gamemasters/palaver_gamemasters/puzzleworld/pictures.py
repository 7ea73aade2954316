"""The pictures of a puzzle as models are shown them: scaled down as in the study, whole or in strips.

PuzzleWorld's runner makes the longest side 1024 pixels at most (LANCZOS), without transparency, as PNG. A picture that
is small enough stays as it is. Where one has to be made anew, what is transparent becomes white, as paper is.
"""

from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image as Pillow

from palaver_gamemasters.drawing import png
from palaver_gamemasters.picture_files import read_picture
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError

from .puzzle import Page
from .shares import Piece, span
from .words import spoken

__all__ = ["OWN", "picture_of"]

OWN = Path(__file__).parent / "puzzles"
"""The puzzles of our own, and where their paths begin."""
SIXTEEN_BITS = ("I", "I;16", "I;16B", "I;16L")
"""Modes of grey pictures with 65536 values: Pillow would make white of all but the darkest."""


def picture_of(page: Page, longest: int, piece: Piece | None = None) -> Image:
    """Return a page or a figure as it is shown; a page's words go along, for whoever cannot see.

    Args:
        page: where it is.
        longest: pixels of its longest side at most.
        piece: which strip of it is shown; all of it by default.

    Raises:
        InstanceError: it cannot be read, or is another than when the run was planned.
    """
    return _picture(page, longest, (piece.part, piece.parts) if piece else (1, 1))


@lru_cache(maxsize=256)
def _picture(page: Page, longest: int, strip: tuple[int, int]) -> Image:
    piece = Piece(1, *strip)
    words = page.words if page.words is None else spoken(page.words, piece)
    read = read_picture(page.file.name, OWN / page.file, page.sha256)
    assert read.data is not None, "it was read from a file just now"
    if piece.parts == 1 and max(read.width, read.height) <= longest and read.media_type == "image/png":
        return Image.from_bytes(read.data, alt=words)
    try:
        with Pillow.open(BytesIO(read.data)) as picture:
            shown = _scaled(picture, longest)
    except (OSError, SyntaxError, ValueError) as error:
        raise InstanceError(f"cannot read picture {page.file}: {error}", mend="restore it") from error
    return Image.from_bytes(png(_strip(shown, piece)), alt=words)


def _scaled(picture: Pillow.Image, longest: int) -> Pillow.Image:
    """Make a picture small enough. One with a palette gets true colours: else LANCZOS would take the nearest."""
    scale = longest / max(picture.size)
    plain = _plain(picture)
    if scale >= 1:
        return plain
    width, height = (max(1, round(side * scale)) for side in picture.size)
    return plain.resize((width, height), Pillow.Resampling.LANCZOS)


def _plain(picture: Pillow.Image) -> Pillow.Image:
    """Return a picture in grey or true colours of 8 bits, on white paper where it is transparent."""
    if picture.mode in SIXTEEN_BITS:
        return picture.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if picture.has_transparency_data:
        clear = picture.convert("RGBA")
        return Pillow.alpha_composite(Pillow.new("RGBA", clear.size, "white"), clear).convert("RGB")
    picture.load()
    return picture if picture.mode in ("L", "RGB") else picture.convert("RGB")


def _strip(picture: Pillow.Image, piece: Piece) -> Pillow.Image:
    if piece.parts == 1:
        return picture
    top, bottom = (round(picture.height * edge) for edge in span(piece))
    return picture.crop((0, top, picture.width, max(bottom, top + 1)))
