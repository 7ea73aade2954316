"""What the tests of rooms and scenes have in common: how two pictures differ, and where."""

from PIL import Image, ImageChops

from palaver_gamemasters.drawing import Box

__all__ = ["changed", "count", "share_inside"]

PLAIN = 36
"""How much a colour must differ to be seen at once; the palette of a flat picture may shift others by less."""


def changed(one: Image.Image, other: Image.Image) -> Image.Image:
    """Where two pictures differ plainly: white on black."""
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    red, green, blue = difference.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return most.point(lambda value: 255 if value > PLAIN else 0)


def count(mask: Image.Image) -> int:
    """How many pixels are white."""
    return mask.histogram()[255]


def share_inside(mask: Image.Image, box: Box) -> float:
    """The share of the white pixels that lies in a box."""
    left, top, right, bottom = (round(side) for side in box)
    return count(mask.crop((left, top, right, bottom))) / count(mask)
