"""Palettes made of ramps: a schematic picture's pixels all lie between two colours, a few steps apart."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from palaver_gamemasters.drawing import mix

from .colours import RGB
from .coverage import Field
from .label import CLEARNESS

__all__ = ["FILLED", "LABELLED", "RULED", "WRITTEN", "Numbers", "coloured", "on_ramp", "palette_of", "steps_of"]

RULED, WRITTEN, LABELLED, FILLED = range(4)
"""Ramps: from the ground to black, from the ground to white, and from the label's box to black; the following ones go
from black to each fill."""
FINEST, COARSEST = 16, 3
"""Steps of a ramp; fewer would show."""
FULL = 256
"""Colours that a palette holds."""
BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)

Numbers: TypeAlias = NDArray[np.uint16]
"""Which of the palette's colours each pixel has."""


def steps_of(ramps: int) -> int:
    """Return into how many steps ramps are cut, so that all fit into a palette if they can."""
    steps = min(FINEST, FULL // ramps - 1)
    return steps if steps >= COARSEST else FINEST


@lru_cache(maxsize=64)
def palette_of(ground: RGB, fills: tuple[RGB, ...], steps: int) -> NDArray[np.uint8]:
    """Return the colours of all ramps, one a row."""
    box = mix(WHITE, ground, CLEARNESS)
    ramps = [(ground, BLACK), (ground, WHITE), (box, BLACK), *((BLACK, fill) for fill in fills)]
    return np.array([mix(low, high, step / steps) for low, high in ramps for step in range(steps + 1)], np.uint8)


def on_ramp(ramp: int, share: Field, steps: int) -> Numbers:
    """Return the palette's numbers for shares of the way along a ramp."""
    return (ramp * (steps + 1) + np.rint(share * steps)).astype(np.uint16)


def coloured(canvas: Numbers, palette: NDArray[np.uint8]) -> Image.Image:
    """Return the picture: mode P, or RGB if there are more colours than a palette holds."""
    if len(palette) > FULL:
        return Image.fromarray(palette[canvas])
    picture = Image.fromarray(canvas.astype(np.uint8))
    picture.putpalette(palette.tobytes())
    return picture
