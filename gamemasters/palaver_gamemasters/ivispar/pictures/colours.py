"""The colours of geoms: by their CSS names, or in hexadecimal digits."""

import re
from functools import lru_cache
from typing import TypeAlias

from PIL import ImageColor

from palaver_protocols.errors import InstanceError

__all__ = ["RGB", "UNKNOWN", "rgb"]

RGB: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""
UNKNOWN: RGB = (255, 0, 255)
"""What the published program paints a geom in whose colour it does not know: magenta."""
HEXADECIMAL = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")


@lru_cache(maxsize=256)
def rgb(colour: str, *, compat: bool = False) -> RGB:
    """Return a colour by its name (``green`` is the CSS one, 0 128 0) or as ``#f80`` or ``#ff8800``.

    Args:
        colour: in any case.
        compat: whether an unknown one is magenta, as published.

    Raises:
        InstanceError: it is unknown.
    """
    known = colour.lower()
    # Pillow reads more, such as hsl(): a geom's colour is to be one word that agents can say
    if known in ImageColor.colormap or HEXADECIMAL.fullmatch(known):
        red, green, blue = ImageColor.getrgb(known)[:3]
        return red, green, blue
    if compat:
        return UNKNOWN
    raise InstanceError(
        f"{colour!r} is no colour to draw with",
        mend="give a CSS colour's name or #rrggbb; modality=text takes any colour",
    )
