"""The figures that the study prints, as they are printed."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

__all__ = ["published"]


@lru_cache(maxsize=1)
def published() -> Mapping[str, Any]:
    """Return the published figures; the file says how they are laid out."""
    read: Mapping[str, Any] = yaml.safe_load((files(__package__) / "published.yaml").read_text(encoding="utf-8"))
    return read
