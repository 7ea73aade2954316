"""Pictures that instances name: files beside a checkout, or drawings that are made from a recipe.

A recipe is plain JSON, so that every game master draws the very same picture, byte by byte. It also says in words all
that the picture shows, for agents that cannot see.
"""

import json
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from PIL import Image as Pillow
from pydantic import ConfigDict, JsonValue

from palaver_gamemasters.drawing import png
from palaver_gamemasters.picture_files import read_picture
from palaver_protocols.content import Frozen, Image
from palaver_protocols.errors import InstanceError

__all__ = ["KINDS", "Kind", "Picture", "Recipe", "load", "wordless", "words"]

Recipe = dict[str, JsonValue]
"""``{"kind": ..., ...}``: all that a drawing is made from."""

KINDS = ("grid", "missing", "objects", "pentomino", "room", "scene")
"""The kinds of drawings: each is the module of that name in this package, and offers what :class:`Kind` names."""


class Kind(Protocol):
    """What the module of a kind offers, beside whatever makes its recipes."""

    def draw(self, recipe: Recipe) -> Pillow.Image:
        """Draw the picture."""

    def describe(self, recipe: Recipe) -> str:
        """Say all that the picture shows, in words that scripts and people can work with."""


class Picture(Frozen):
    """Where a picture comes from: a ``file`` with its SHA-256, or a recipe to ``draw`` it by."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: Path | None = None
    sha256: str | None = None
    draw: Recipe | None = None


def load(name: str, picture: Picture | None, *, told: bool) -> Image:
    """Return a picture.

    Args:
        name: what the instance calls it.
        picture: where it comes from; None if nobody said.
        told: whether it carries its words along, if it has any.

    Raises:
        InstanceError: it cannot be had, or is another than when the run was planned.
    """
    if picture is not None and picture.draw is not None:
        return _drawn(json.dumps(picture.draw), told)
    if picture is None or picture.file is None:
        raise InstanceError(f"nobody knows where picture {name} is", mend="give the folder: --set images=DIR")
    return _read(name, picture.file, picture.sha256)


def wordless(name: str) -> InstanceError:
    """Return the error for a photograph that would have to be told in words: nobody has written any."""
    return InstanceError(f"the photograph {name} has no words", mend="use modality=auto or modality=image")


def words(recipe: Recipe) -> str:
    """Say all that a drawing shows."""
    return _kind(recipe).describe(recipe)


@cache
def _module(kind: str) -> Any:
    return import_module(f"{__name__}.{kind}")


def _kind(recipe: Recipe) -> Kind:
    kind = recipe.get("kind")
    if kind not in KINDS:
        raise InstanceError(f"there is no drawing of kind {kind!r}", mend=f"there are: {', '.join(KINDS)}")
    module: Kind = _module(str(kind))
    return module


@lru_cache(maxsize=2048)
def _drawn(recipe: str, told: bool) -> Image:
    read: Recipe = json.loads(recipe)
    kind = _kind(read)
    return Image.from_bytes(png(kind.draw(read)), alt=kind.describe(read) if told else None)


_read = lru_cache(maxsize=256)(read_picture)
