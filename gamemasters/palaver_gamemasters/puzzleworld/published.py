"""The figures that the study prints, as they are printed."""

from collections.abc import Mapping
from typing import Any

from palaver_gamemasters.texts import figures_of

__all__ = ["published"]


def published() -> Mapping[str, Any]:
    """Return the published figures; the file says how they are laid out."""
    return figures_of(__package__)
