"""The categories of rooms."""

from collections.abc import Mapping

from palaver_gamemasters.clembench.pictures.composed import Theme

from .home import HOME
from .open_air import OPEN_AIR
from .public import PUBLIC

__all__ = ["CATEGORIES"]

CATEGORIES: Mapping[str, Theme] = {**HOME, **PUBLIC, **OPEN_AIR}
"""What may be in a room, by category and place."""
