"""Rendered boards laid on their backgrounds: what the three pictures of a position have in common is rendered once."""

from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from .label import stamp_of
from .layout import HEIGHT, WIDTH, Scene
from .marking import Mark
from .scene import render

__all__ = ["Layer", "cropped", "laid", "rendered"]


class Layer(NamedTuple):
    """A rendered board without the empty space around it."""

    picture: Image.Image
    """Mode RGBA, transparent where the background is seen."""
    at: tuple[int, int]
    """Where its left upper corner lies in the whole picture."""


def cropped(picture: Image.Image) -> Layer:
    """Cut the empty space around a board off."""
    box = picture.getchannel("A").getbbox() or (0, 0, 1, 1)
    return Layer(picture.crop(box), box[:2])


@lru_cache(maxsize=24)
def rendered(scene: Scene) -> Layer:
    """Render a position, or take it as it was rendered last: what was active a moment ago is soon shown as past.

    One takes up to 2 MB, so only the latest are kept.
    """
    return cropped(render(scene))


def laid(layer: Layer, mark: Mark) -> Image.Image:
    """Lay a board on the background of its role, and the label over it; mode RGB."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), mark.background.colour)
    picture.paste(layer.picture, layer.at, layer.picture)
    if mark.label:
        stamp, at = stamp_of(mark.label)
        picture.paste(stamp, at, stamp)
    return picture
