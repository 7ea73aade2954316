"""The figures that the study prints of its auxiliary task, as they are printed."""

from collections.abc import Mapping
from typing import Any

from palaver_gamemasters.texts import figures_of

__all__ = ["published"]


def published() -> Mapping[str, Any]:
    """Return the published figures; the file says how they are laid out, and where the study does not add up."""
    return figures_of(__package__)
