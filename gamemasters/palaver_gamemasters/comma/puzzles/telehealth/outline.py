"""The outline of a drawn lesion: a perturbed ellipse, as wide at its widest as the diameter says."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .setup import Lesion
from .texture import Field

__all__ = ["Outline", "outline"]

Curve: TypeAlias = NDArray[np.float64]
"""A number for each angle."""

ANGLES = 720
RATIO = {"round": 1.04, "oval": 1.5, "asymmetric": 1.25}
"""How much longer than wide."""


class Outline(NamedTuple):
    """Where pixels lie: ``inside`` is pixels from the rim, negative outside; ``out`` the share of the way to it."""

    inside: Field
    out: Field


def outline(lesion: Lesion, radius: float, side: int, dice: np.random.RandomState) -> Outline:
    """Draw an outline round the middle of a square.

    Args:
        lesion: its shape and border count.
        radius: half the diameter, in pixels.
        side: of the square, in pixels.
        dice: seeded.
    """
    theta: Curve = np.arange(ANGLES, dtype=np.float64) * (2 * np.pi / ANGLES)
    rim = _rim(lesion, theta, dice)
    rim *= 2 * radius / _widest(rim, theta)
    level = np.arange(side, dtype=np.float32) - (side - 1) / 2
    x = level[None, :] + _middle(rim * np.cos(theta))
    y = level[:, None] + _middle(rim * np.sin(theta))
    far = np.hypot(x, y)
    turn = np.arctan2(y, x) * np.float32(ANGLES / (2 * np.pi))
    below = np.floor(turn)
    place = below.astype(np.int32) % ANGLES
    steps = np.append(rim, rim[0]).astype(np.float32)
    here = steps[place] + (steps[place + 1] - steps[place]) * (turn - below)
    return Outline((here - far).astype(np.float32), (far / here).astype(np.float32))


def _rim(lesion: Lesion, theta: Curve, dice: np.random.RandomState) -> Curve:
    """Return the distance of the rim from the origin."""
    ratio, turned = RATIO[lesion.shape], dice.random_sample() * np.pi
    rim: Curve = 1 / np.hypot(np.cos(theta - turned) / ratio, np.sin(theta - turned))
    waves = dice.random_sample(24) * 2 * np.pi
    if lesion.shape == "asymmetric":
        # A wave of one lobe and one of three are what no axis mirrors; a bulge to one side makes sure that it shows.
        rim *= 1 + 0.16 * np.cos(2 * theta + waves[0]) + 0.13 * np.cos(3 * theta + waves[1])
        rim *= 1 + 0.45 * np.exp(-(((theta - waves[2] + np.pi) % (2 * np.pi) - np.pi) ** 2) / 0.35)
    if lesion.border == "notched":
        # Between the waves' crests lie sharp notches.
        rim *= 1 - 0.16 * np.abs(np.sin(4.5 * theta + waves[3])) ** 6 - 0.05 * np.cos(7 * theta + waves[4])
        rim *= 1 - 0.10 * np.abs(np.sin(6.5 * theta + waves[5])) ** 8
    elif lesion.border == "blurred":
        for number, lobes in enumerate((4, 6, 9)):
            rim *= 1 + 0.028 * np.cos(lobes * theta + waves[6 + number])
    else:
        rim *= 1 + 0.012 * np.cos(3 * theta + waves[9]) + 0.008 * np.cos(5 * theta + waves[10])
    return rim


def _widest(rim: Curve, theta: Curve) -> float:
    """Return the outline's greatest width."""
    widths = [np.ptp(rim * np.cos(theta - angle)) for angle in np.arange(60) * (np.pi / 60)]
    return float(max(widths))


def _middle(places: Curve) -> float:
    return float((places.max() + places.min()) / 2)
