"""What lies on a drawn lesion: vessels, specks, hairs, a drop of blood. Drawn larger on a mask, then made small."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageChops, ImageDraw

__all__ = ["blood", "hairs", "specks", "vessels"]

FINE = 3
"""How much larger marks are drawn."""
STRENGTH = 0.92
"""How much of what lies below they hide."""
Point = tuple[float, float]


class _Layer:
    """A mask round the middle of a lesion. Places are in radii from the middle, so that marks grow with the lesion."""

    def __init__(self, radius: float) -> None:
        self.radius = radius
        self.middle = round(radius * 1.45)
        self.mask = Image.new("L", (2 * self.middle * FINE, 2 * self.middle * FINE))
        self.pen = ImageDraw.Draw(self.mask)

    def disc(self, place: Point, radius: float, least: float) -> None:
        """Draw a disc that has a radius of so many pixels at least."""
        (x, y), size = self._pixels(place), max(least, radius * self.radius) * FINE
        self.pen.ellipse([x - size, y - size, x + size, y + size], fill=255)

    def line(self, points: Sequence[Point], width: float) -> None:
        """Draw a line of so many pixels."""
        self.pen.line([self._pixels(point) for point in points], fill=255, width=round(width * FINE), joint="curve")

    def lay(
        self, picture: Image.Image, centre: Point, colour: tuple[int, int, int], within: Image.Image | None = None
    ) -> None:
        """Lay a colour on through the mask, and through another of the lesion's square if there is one."""
        mask = self.mask.reduce(FINE).point(lambda value: value * STRENGTH)
        if within is not None:
            left, top = (within.width - mask.width) // 2, (within.height - mask.height) // 2
            mask = ImageChops.multiply(mask, within.crop((left, top, left + mask.width, top + mask.height)))
        left, top = round(centre[0]) - self.middle, round(centre[1]) - self.middle
        picture.paste(colour, (left, top, left + mask.width, top + mask.height), mask)

    def _pixels(self, place: Point) -> Point:
        x, y = place
        return (self.middle + x * self.radius) * FINE, (self.middle + y * self.radius) * FINE


def vessels(
    picture: Image.Image, centre: Point, radius: float, dice: np.random.RandomState, within: Image.Image
) -> None:
    """Draw thin red vessels that run in from the rim and branch; ``within`` is a mask of the lesion."""
    layer = _Layer(radius)
    start = dice.random_sample() * 2 * np.pi
    for number in range(6):
        angle = start + number * np.pi / 3 + (dice.random_sample() - 0.5) * 0.5
        place, inward = _polar(angle, 0.86), angle + np.pi
        trunk = _wandering(place, inward, 8, dice)
        layer.line(trunk, 2.6)
        for knot, side in ((2, 0.9), (4, -0.9)):
            layer.line(_wandering(trunk[knot], inward + side, 4, dice), 1.8)
    layer.lay(picture, centre, (176, 18, 36), within)


def specks(
    picture: Image.Image, centre: Point, radius: float, dice: np.random.RandomState, within: Image.Image
) -> None:
    """Draw dark round specks all over the lesion; ``within`` is a mask of it."""
    layer = _Layer(radius)
    for _ in range(20):
        place = _polar(dice.random_sample() * 2 * np.pi, np.sqrt(dice.random_sample()) * 0.6)
        layer.disc(place, 0.022 + 0.026 * dice.random_sample(), least=1.8)
    layer.lay(picture, centre, (22, 13, 12), within)


def hairs(picture: Image.Image, centre: Point, radius: float, dice: np.random.RandomState) -> None:
    """Draw a few long hairs that grow from the lesion."""
    layer = _Layer(radius)
    for _ in range(7):
        angle, bend = dice.random_sample() * 2 * np.pi, (dice.random_sample() - 0.5) * 1.6
        points = [_polar(angle, 0.3)]
        for step in range(15):
            points.append(_beyond(points[-1], angle + bend * step / 15, 0.075))
        layer.line(points, 2.4)
    layer.lay(picture, centre, (18, 14, 14))


def blood(picture: Image.Image, centre: Point, radius: float, dice: np.random.RandomState) -> None:
    """Draw a small dark drop that has run a little, near the lower rim."""
    layer = _Layer(radius)
    angle = np.pi * (0.35 + 0.3 * dice.random_sample())
    place = _polar(angle, 0.4)
    for number, size in enumerate((0.085, 0.07, 0.055, 0.04)):
        layer.disc(place, size, least=3.5)
        place = _beyond(place, angle + number * 0.35, 0.095)
    layer.lay(picture, centre, (104, 8, 16))


def _wandering(place: Point, angle: float, steps: int, dice: np.random.RandomState) -> list[Point]:
    points = [place]
    for _ in range(steps):
        angle += (dice.random_sample() - 0.5) * 1.1
        points.append(_beyond(points[-1], angle, 0.115))
    return points


def _polar(angle: float, far: float) -> Point:
    return _beyond((0.0, 0.0), angle, far)


def _beyond(place: Point, angle: float, far: float) -> Point:
    return float(place[0] + np.cos(angle) * far), float(place[1] + np.sin(angle) * far)
