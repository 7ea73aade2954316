"""The label in a picture's corner: a word in a half transparent white box with a black border (4.5)."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image

from palaver_gamemasters.drawing import font

from .coverage import Field, Text, covered, lettering, to_round_box
from .layout import WIDTH

__all__ = ["CLEARNESS", "Label", "box_of", "stamp_of"]

SIZE = 50
"""Of the type, in pixels. The published program takes Arial where there is one."""
TOP = 50
"""Where the word begins."""
ROOM = 30
"""Pixels from the word to the box's left, upper and lower edges."""
WORD_RIGHT, RIGHT = WIDTH - 60, WIDTH - 40
"""Where the word and its box end."""
RADIUS, BORDER = 20, 3
CLEARNESS = 0.5
"""How much is seen through the box."""


class Label(NamedTuple):
    """A label: where its box has its left upper corner, and what of each of its pixels is what."""

    left: int
    top: int
    box: Field
    """The share that the box covers, with its border."""
    inside: Field
    """The share that the box covers without its border."""
    ink: Field
    """The share that the word covers."""


@lru_cache(maxsize=8)
def box_of(word: str) -> Label:
    """Return the label with a word."""
    left, top, right, bottom = (round(side) for side in font(SIZE).getbbox(word, anchor="ls"))
    width, height = right - left + ROOM + RIGHT - WORD_RIGHT, bottom - top + 2 * ROOM
    distance = to_round_box(width, height, RADIUS)
    ink = lettering(width, height, SIZE, Text(ROOM - left, ROOM - top, word, "ls"))
    return Label(RIGHT - width, TOP - ROOM, covered(distance), covered(distance + BORDER), ink)


@lru_cache(maxsize=8)
def stamp_of(word: str) -> tuple[Image.Image, tuple[int, int]]:
    """Return the label as a picture (RGBA) to lay over others, and where."""
    label = box_of(word)
    white = label.inside * (1 - label.ink) * (1 - CLEARNESS)
    through = (1 - label.box) + label.inside * (1 - label.ink) * CLEARNESS
    solid = 1 - through
    grey = np.divide(white, solid, out=np.zeros_like(white), where=solid > 0)
    tones = [np.rint(255 * each).astype(np.uint8) for each in (grey, solid)]
    stamp = Image.merge("LA", [Image.fromarray(each) for each in tones]).convert("RGBA")
    return stamp, (label.left, label.top)
