"""How lit things look (iVISPAR, section 3.3): one white sun, hard shadows, light from around.

The sun comes from behind the board, on the right, so that faces towards the viewer lie in shade and shadows fall to the
front left. Strengths are set so that faces have the colours of the published pictures. Shades are computed in linear
light, as the published simulator does.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from .camera import Numbers, Vector

__all__ = ["AMBIENT", "SKY_STEPS", "SUN", "TO_SUN", "UNKNOWN", "base", "encoded", "lit", "shades", "sky", "sunlight"]

TO_SUN = (0.724, 0.528, 0.444)
"""Where the sun stands: 32 degrees above the horizon; of length 1."""
AMBIENT, SUN, GLINT, GLOSS = 0.205, 1.7, 5.0, 0.0055
"""The share of its colour that a thing shows in the shade, what the sun adds where it falls straight on, how bright
the sun's mirror image is, and what is mirrored of the surroundings."""
METALLIC = 0.2
ROUGH = 0.25
"""The square of a roughness of 0.5."""
DARKENED = 0.55
"""How much of a thing's colour its stone texture leaves."""
SKY_STEPS = 128
"""Light from around is told in 128ths of what faces towards the viewer get."""
LEVELS = 8192

UNKNOWN = (255, 0, 255)
"""Magenta: as the published simulator shows a colour that it does not know."""


def sunlight(normal: Vector, view: Vector) -> tuple[Numbers, Numbers]:
    """Return how strongly the sun falls on faces, and how strongly it glints in them.

    The glint is that of half smooth stone (GGX, as in Unity's standard shader).

    Args:
        normal: where the faces look.
        view: the directions in which they are seen, of any length.
    """
    x, y, z = normal
    right, up, ahead = view
    far = np.sqrt(right * right + up * up + ahead * ahead)
    right, up, ahead = -right / far, -up / far, -ahead / far
    sun = np.maximum(x * TO_SUN[0] + y * TO_SUN[1] + z * TO_SUN[2], 0.0)
    facing = np.maximum(x * right + y * up + z * ahead, 0.01)
    half_x, half_y, half_z = right + TO_SUN[0], up + TO_SUN[1], ahead + TO_SUN[2]
    length = np.sqrt(half_x * half_x + half_y * half_y + half_z * half_z)
    between = (x * half_x + y * half_y + z * half_z) / length
    square = ROUGH * ROUGH
    spread = between * between * (square - 1) + 1
    masking = sun * (facing * (1 - ROUGH) + ROUGH) + facing * (sun * (1 - ROUGH) + ROUGH)
    return sun, sun * square / (spread * spread) * 0.5 / masking


def sky(normal: Vector) -> Numbers:
    """Return how much light faces get from around.

    It is the same everywhere in the published scene; here a little more comes from above and the right, so that a
    shape can be made out in the shade too. Faces that look south get exactly 1.
    """
    x, y, _ = normal
    return np.asarray(1 + 0.14 * x + 0.10 * y)


@lru_cache(maxsize=256)
def base(colour: str) -> tuple[float, float, float]:
    """Return a colour by its name or hex number in linear light; magenta if there is no such colour."""
    try:
        red, green, blue = ImageColor.getrgb(colour)[:3]
    except ValueError:
        red, green, blue = UNKNOWN
    return _linear(red), _linear(green), _linear(blue)


def lit(colour: float, sky_steps: Numbers, sun: Numbers, glint: Numbers) -> NDArray[np.uint8]:
    """Return how bright faces are in the sun, 0 to 255, for one of the three primary colours.

    Args:
        colour: how much of it they have, 0 to 1, in linear light.
        sky_steps: the light from around (see :data:`SKY_STEPS`).
        sun: how strongly the sun falls on them.
        glint: how strongly it glints.
    """
    mirrored = 0.04 * (1 - METALLIC) + METALLIC * colour * DARKENED
    return encoded(colour * (AMBIENT / SKY_STEPS * sky_steps + SUN * sun) + GLOSS + mirrored * GLINT * glint)


@lru_cache(maxsize=256)
def shades(colour: str) -> NDArray[np.uint8]:
    """Return a colour in the shade: three rows (red, green, blue) of 256 brightnesses, by the light from around."""
    steps, none = np.arange(256.0), np.zeros(256)
    return np.stack([lit(part, steps, none, none) for part in base(colour)])


def encoded(light: Numbers) -> NDArray[np.uint8]:
    """Return the values of pixels, 0 to 255 (sRGB), for linear light; what is brighter than 1 is cut off."""
    return _table()[(np.clip(light, 0.0, 1.0) * LEVELS + 0.5).astype(np.int32)]


def _linear(value: int) -> float:
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


@cache
def _table() -> NDArray[np.uint8]:
    parts = [level / LEVELS for level in range(LEVELS + 1)]
    values = [12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in parts]
    return np.array([round(255 * value) for value in values], np.uint8)
