"""Pictures of a dataset, looked at before they are played: whether they can be read, and are not too large."""

import hashlib
import struct
import warnings
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from palaver_protocols.errors import InstanceError

__all__ = ["MOST_BYTES", "MOST_PIXELS", "checked"]

MOST_BYTES = 20_000_000
MOST_PIXELS = 50_000_000
"""More is no page of a puzzle: an accident, or a picture made to fill the memory of whoever opens it."""
FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
PNG = b"\x89PNG\r\n\x1a\n"


def checked(where: str, file: Path) -> str:
    """Return the SHA-256 of a picture that can be shown.

    Args:
        where: the puzzle and the field, for errors.
        file: the picture.

    Raises:
        InstanceError: it is missing, too large, truncated, or no picture.
    """
    try:
        facts = file.stat()
        if facts.st_size > MOST_BYTES:
            raise _refused(where, file, f"has {facts.st_size / 1e6:.1f} MB, and {MOST_BYTES / 1e6:.0f} are the most")
        return _looked_at(where, file, facts.st_size, facts.st_mtime_ns)
    except OSError as error:
        raise InstanceError(f"{where}: cannot read {file}: {error.strerror}") from error


@lru_cache(maxsize=8192)
def _looked_at(where: str, file: Path, size: int, changed: int) -> str:
    """Look at a picture: once, as long as it stays as it is."""
    data = file.read_bytes()
    if (pixels := _pixels(data)) and pixels[0] * pixels[1] > MOST_PIXELS:
        raise _too_large(where, file, *pixels)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            with Pillow.open(BytesIO(data), formats=FORMATS) as picture:
                if picture.width * picture.height > MOST_PIXELS:
                    raise _too_large(where, file, *picture.size)
                if picture.format == "PNG":
                    picture.verify()  # the check sums; after that it has to be opened again
            with Pillow.open(BytesIO(data), formats=FORMATS) as picture:
                picture.load()
    except (Pillow.DecompressionBombError, Pillow.DecompressionBombWarning) as error:
        raise _refused(where, file, f"has more than {MOST_PIXELS / 1e6:.0f} million pixels") from error
    except UnidentifiedImageError as error:
        raise InstanceError(f"{where}: {file} is no PNG, JPEG, GIF or WebP picture") from error
    except (OSError, SyntaxError, ValueError, struct.error) as error:
        raise InstanceError(f"{where}: {file} is damaged: {error}") from error
    return hashlib.sha256(data).hexdigest()


def _pixels(data: bytes) -> tuple[int, int] | None:
    """Read width and height off a PNG file's first bytes, before anybody reserves memory for them."""
    if not data.startswith(PNG) or len(data) < 24:
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _too_large(where: str, file: Path, width: int, height: int) -> InstanceError:
    most = MOST_PIXELS / 1e6
    return _refused(where, file, f"has {width} x {height} pixels, and {most:.0f} million are the most")


def _refused(where: str, file: Path, why: str) -> InstanceError:
    return InstanceError(f"{where}: {file} {why}", mend="make it smaller")
