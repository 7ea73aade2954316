"""A spot on the skin, drawn from its signs: no photograph of anybody.

Every sign has a layer of its own: shape and border make the outline, colour fills it, elevation lights it and lets it
cast a shadow, surface and marks lie on top. What the signs leave open comes from the lesion's number.
"""

from functools import lru_cache

import numpy as np
from PIL import Image

from .marks import blood, hairs, specks, vessels
from .outline import Outline, outline
from .setup import Lesion
from .texture import Field, Pixels, Rgb, blended, blurred, lit, noise, picture, ramp, skin

__all__ = ["CENTRE", "HEIGHT", "PAINT", "SKIN", "WIDTH", "lesion_picture", "pixels_per_mm"]

WIDTH, HEIGHT = 648, 400
CENTRE = (324, 190)
SCALES = (120, 80, 60, 40, 30, 20, 15, 10, 7.5, 5, 3, 2, 1.5, 0.9)
"""Pixels per mm."""
SPARE = 120
"""Pixels by which the pictures of skin are larger than what is shown of them."""
SIDE = 360
"""The lesion and all that belongs to it lies within this square round the centre."""
SKIN: tuple[Rgb, ...] = (
    (244, 216, 199), (236, 201, 176), (223, 182, 150), (203, 159, 124), (170, 126, 94), (134, 97, 73),
)  # fmt: skip
"""By Fitzpatrick's type."""
PAINT: dict[str, Rgb] = {
    "pink": (236, 146, 156),
    "red": (200, 70, 64),
    "pink-brown": (182, 108, 96),
    "light brown": (162, 108, 60),
    "dark brown": (78, 46, 28),
    "black": (38, 31, 32),
    "several colours": (128, 80, 50),
}
MIXED: tuple[Rgb, ...] = ((204, 164, 138), (160, 74, 62), (80, 82, 98), (36, 28, 30))
"""Patches in a lesion of several colours, the later ones over the others: pale, red, blue-grey, black."""


def pixels_per_mm(diameter: float) -> float:
    """Return the scale: the largest at which the lesion fits the picture."""
    return next((scale for scale in SCALES if scale * diameter <= 280), SCALES[-1])


@lru_cache(maxsize=32)
def lesion_picture(lesion: Lesion, diameter: float, skin_type: int, *, bleeds: bool, irritated: bool) -> Image.Image:
    """Draw a lesion on its skin; not to be changed, for it is kept.

    Args:
        lesion: its signs.
        diameter: in mm, at the widest.
        skin_type: 1 to 6.
        bleeds: whether a few drops of blood are to be seen.
        irritated: whether the skin round it is reddened.
    """
    radius = diameter * pixels_per_mm(diameter) / 2
    drawn = _bare(skin_type, _dice(lesion, 0))
    left, top = CENTRE[0] - SIDE // 2, CENTRE[1] - SIDE // 2
    part = np.asarray(drawn.crop((left, top, left + SIDE, top + SIDE)), dtype=np.float32)
    shape = outline(lesion, radius, SIDE, _dice(lesion, 1))
    part = _reddened(part, shape, radius) if irritated else part
    cover = _cover(lesion, shape, radius)
    relief = _relief(lesion, shape, radius) * cover
    part = part * (1 - 0.42 * _shadow(lesion, cover))[..., None]
    part = part + (_filled(lesion, shape, radius, part) - part) * cover[..., None]
    part = part * (1 + lit(relief, 0.42) * cover)[..., None]
    part = _surfaced(lesion, shape, radius, cover, part)
    drawn.paste(picture(part), (left, top))
    _marked(lesion, radius, drawn, picture(cover * 255))
    if bleeds:
        blood(drawn, CENTRE, radius, _dice(lesion, 6))
    return drawn


def _dice(lesion: Lesion, layer: int) -> np.random.RandomState:
    """Each layer has dice of its own, so that one sign does not change how another is drawn."""
    return np.random.RandomState([lesion.number, layer])


def _bare(skin_type: int, dice: np.random.RandomState) -> Image.Image:
    """Return a piece of bare skin: of each type there is one large picture, for to draw it takes long."""
    left, top = dice.randint(0, SPARE, 2)
    return _large(skin_type).crop((left, top, left + WIDTH, top + HEIGHT))


@lru_cache(maxsize=6)
def _large(skin_type: int) -> Image.Image:
    size = (WIDTH + SPARE, HEIGHT + SPARE)
    return picture(skin(size, SKIN[skin_type - 1], np.random.RandomState(skin_type)))


def _cover(lesion: Lesion, shape: Outline, radius: float) -> Field:
    """Return how much of the skin is covered: the edge is sharp, or fades away."""
    if lesion.border != "blurred":
        return ramp(shape.inside, -1.5, 1.5)
    patchy = noise((SIDE, SIDE), radius * 0.22, _dice(lesion, 2)) * radius * 0.06
    return ramp(shape.inside + patchy, -radius * 0.10, radius * 0.42) * np.float32(0.92)


def _relief(lesion: Lesion, shape: Outline, radius: float) -> Field:
    """Return the height in pixels."""
    size, dice = (SIDE, SIDE), _dice(lesion, 3)
    out = np.clip(shape.out, 0, 1)
    if lesion.elevation == "raised":
        height = radius * 0.62 * np.sqrt(1 - out * out + 1e-4)
    elif lesion.elevation == "slightly raised":
        height = radius * 0.16 * blurred(ramp(shape.inside, 0, radius * 0.1), radius * 0.06)
    else:
        height = np.zeros(size, dtype=np.float32)
    rough = {"scaly": 1.5, "crusted": 1.9, "waxy": 1.0, "smooth": 0.15, "shiny": 0.1}[lesion.surface]
    bumps = noise(size, max(5, radius * 0.09), dice) + 0.6 * noise(size, max(3, radius * 0.045), dice)
    relief: Field = (height + bumps * rough).astype(np.float32)
    return relief


def _shadow(lesion: Lesion, cover: Field) -> Field:
    """Return the shadow on the skin, to the lower right; what is flat casts none."""
    reach = {"flat": 0, "slightly raised": 6, "raised": 15}[lesion.elevation]
    if not reach:
        return np.zeros_like(cover)
    moved = np.zeros_like(cover)
    moved[reach:, reach:] = cover[:-reach, :-reach]
    return blurred(moved, reach * 0.6) * (1 - cover)


def _reddened(part: Pixels, shape: Outline, radius: float) -> Pixels:
    halo = ramp(shape.inside, -max(26, radius * 0.3), 0) * np.float32(0.6)
    return blended(part, (218, 72, 72), halo)


def _filled(lesion: Lesion, shape: Outline, radius: float, part: Pixels) -> Pixels:
    size, dice = (SIDE, SIDE), _dice(lesion, 4)
    fill = np.empty_like(part)
    fill[:] = PAINT[lesion.colour]
    fill *= (1 + 0.05 * noise(size, max(8, radius * 0.3), dice))[..., None]
    if lesion.colour == "several colours":
        for colour in MIXED:
            patches = noise(size, radius * 0.36, dice) + noise(size, 6, dice) * 0.12
            fill = blended(fill, colour, ramp(patches, 0.32, 0.62) * np.float32(0.94))
    if lesion.surface == "shiny":  # translucent: a paler, pearly rim
        pale = tuple(round(channel + (250 - channel) * 0.45) for channel in PAINT[lesion.colour])
        fill = blended(fill, (pale[0], pale[1], pale[2]), ramp(shape.out, 0.62, 0.95) * np.float32(0.8))
    return fill


def _surfaced(lesion: Lesion, shape: Outline, radius: float, cover: Field, part: Pixels) -> Pixels:
    size, dice = (SIDE, SIDE), _dice(lesion, 5)
    if lesion.surface == "scaly":
        plates = noise(size, max(6, radius * 0.10), dice) + noise(size, 4, dice) * 0.3
        flakes = ramp(plates, 0.30, 0.42) * ramp(shape.inside, radius * 0.02, radius * 0.3)
        rims = ramp(plates, 0.14, 0.28) * (1 - ramp(plates, 0.30, 0.38)) * cover
        return blended(
            blended(part, (110, 62, 50), rims * np.float32(0.35)), (244, 230, 210), flakes * np.float32(0.78)
        )
    if lesion.surface == "crusted":
        ragged = noise(size, max(6, radius * 0.2), dice) * 0.16
        crust = ramp(0.62 + ragged - shape.out, 0, 0.05)
        cracks = ramp(np.abs(noise(size, max(7, radius * 0.15), dice)), 0.0, 0.11)
        grain = noise(size, max(4, radius * 0.06), dice) * 20
        plate = np.array((204, 160, 84), dtype=np.float32) + grain[..., None]
        plate = plate * (0.42 + 0.58 * cracks)[..., None]
        part = blended(part, (84, 34, 24), blurred(crust, 4) * cover * np.float32(0.55))
        crusted: Pixels = part + (plate - part) * (crust * np.float32(0.95))[..., None]
        return crusted
    if lesion.surface == "waxy":
        pebbles = noise(size, max(6, radius * 0.10), dice)
        sheen = ramp(pebbles, 0.1, 0.9) * ramp(shape.inside, 2, radius * 0.12)
        part = blended(part, (20, 12, 8), ramp(-pebbles, 0.2, 0.8) * cover * np.float32(0.24))
        part = blended(part, (236, 206, 164), sheen * np.float32(0.26))
        return _glare(part, radius, (252, 236, 208), 0.42, 0.42)
    if lesion.surface == "shiny":
        return _glare(_glare(part, radius, (255, 252, 250), 0.17, 0.95), radius, (255, 244, 244), 0.5, 0.35)
    return part


def _glare(part: Pixels, radius: float, colour: Rgb, size: float, strength: float) -> Pixels:
    """Let light be reflected on the upper left."""
    level = np.arange(SIDE, dtype=np.float32) - SIDE / 2 + radius * 0.32
    x, y = level[None, :], level[:, None]
    slant, across = (x - y) * 0.55, (x + y) * 0.95
    far = np.sqrt(slant * slant + across * across) / (radius * size)
    return blended(part, colour, (1 - ramp(far.astype(np.float32), 0.45, 1.1)) * np.float32(strength))


def _marked(lesion: Lesion, radius: float, drawn: Image.Image, within: Image.Image) -> None:
    dice = _dice(lesion, 7)
    if lesion.marks == "blood vessels":
        vessels(drawn, CENTRE, radius, dice, within)
    elif lesion.marks == "dark specks":
        specks(drawn, CENTRE, radius, dice, within)
    elif lesion.marks == "hairs":
        hairs(drawn, CENTRE, radius, dice)
