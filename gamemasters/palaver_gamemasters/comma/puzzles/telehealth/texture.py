"""Noise and light for drawn skin, the same on every machine.

The random numbers are numpy's legacy generator: its streams are frozen for good.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

__all__ = ["Field", "Pixels", "Rgb", "blended", "blurred", "lit", "noise", "picture", "ramp", "skin"]

Rgb: TypeAlias = tuple[int, int, int]
Field: TypeAlias = NDArray[np.float32]
"""A number for each pixel: rows, columns."""
Pixels: TypeAlias = NDArray[np.float32]
"""Colours, 0 to 255: rows, columns, red green blue."""


def noise(size: tuple[int, int], grain: float, dice: np.random.RandomState) -> Field:
    """Return smooth noise, about -1 to 1. ``size`` is width and height, ``grain`` how wide its lumps are, in pixels."""
    width, height = size
    few = (int(height / grain) + 3, int(width / grain) + 3)
    small = (dice.random_sample(few) * 2 - 1).astype(np.float32)
    wide, high = round(few[1] * grain), round(few[0] * grain)
    grown = Image.fromarray(small).resize((wide, high), Image.Resampling.BICUBIC)
    lumps: Field = np.asarray(grown, dtype=np.float32)[:height, :width] * np.float32(1.3)
    return lumps


def ramp(field: Field, low: float, high: float) -> Field:
    """Return 0 up to ``low``, 1 from ``high`` on, and a soft step in between."""
    part: Field = np.clip((field - low) / (high - low), 0, 1).astype(np.float32)
    return part * part * (3 - 2 * part)


def blended(pixels: Pixels, colour: Rgb, share: Field) -> Pixels:
    """Lay a colour on."""
    paint = np.array(colour, dtype=np.float32)
    laid: Pixels = pixels + (paint - pixels) * share[..., None]
    return laid


def lit(height: Field, strength: float) -> Field:
    """Return how light falls on a relief from the upper left: 0 where it is level."""
    slope = np.zeros_like(height)
    slope[1:-1] += height[2:] - height[:-2]
    slope[:, 1:-1] += height[:, 2:] - height[:, :-2]
    light: Field = np.clip(slope * np.float32(strength / 2), -0.5, 0.3)
    return light


def blurred(field: Field, radius: float) -> Field:
    """Blur a field of shares, 0 to 1."""
    image = Image.fromarray((np.clip(field, 0, 1) * 255).astype(np.uint8))
    soft: Field = np.asarray(image.filter(ImageFilter.GaussianBlur(radius)), dtype=np.float32) / np.float32(255)
    return soft


def skin(size: tuple[int, int], tone: Rgb, dice: np.random.RandomState) -> Pixels:
    """Draw bare skin: an uneven tone, a fine net of lines, light from the upper left."""
    width, height = size
    relief = noise(size, 7, dice) * 0.6 + noise(size, 4, dice) * 0.4
    uneven = noise(size, 70, dice) * 0.022 + lit(relief, 0.035)
    across = np.linspace(0.035, -0.045, width, dtype=np.float32)[None, :]
    along = np.linspace(0.035, -0.045, height, dtype=np.float32)[:, None]
    shade = 1 + uneven + across + along
    pixels = np.array(tone, dtype=np.float32) * shade[..., None]
    flush = noise(size, 45, dice) * 3.5
    pixels[..., 0] += flush
    pixels[..., 2] -= flush
    return pixels


def picture(pixels: Pixels) -> Image.Image:
    """Turn colours into a picture."""
    return Image.fromarray(np.clip(pixels + 0.5, 0, 255).astype(np.uint8))
