"""How a scene is shown to the solver: as a picture, as text, as both, or as a picture that says what it shows."""

from collections.abc import Hashable
from functools import lru_cache

from palaver_gamemasters.drawing import png
from palaver_protocols.content import Image, Text
from palaver_protocols.transcript import ENVIRONMENT, Message

from .options import Modality
from .puzzle import AnyPuzzle
from .state import SOLVER

__all__ = ["NOW", "scene_drawn", "scene_shown"]

NOW = "This is the puzzle now:"
"""How the environment's message begins that shows the puzzle; it is always the last of the solver's view."""


@lru_cache(maxsize=2048)
def scene_shown(puzzle: AnyPuzzle, scene: Hashable, modality: Modality) -> Message:
    """Show a scene.

    Under ``auto`` the picture carries its text along (:attr:`~palaver_protocols.content.Image.alt`): agents that can
    see are shown the picture alone, as in the study, and the others its text.
    """
    parts: list[Text | Image] = [Text(text=NOW)]
    if modality in ("text", "both"):
        parts.append(Text(text=puzzle.write(scene)))
    if modality != "text":
        parts.append(_picture(puzzle, scene, told=modality == "auto"))
    return Message(speaker=ENVIRONMENT, parts=tuple(parts), audience=(SOLVER,))


@lru_cache(maxsize=2048)
def scene_drawn(puzzle: AnyPuzzle, scene: Hashable) -> bytes:
    """Draw a scene, as PNG: the same bytes for who plays and for who watches."""
    return png(puzzle.draw(scene))


def _picture(puzzle: AnyPuzzle, scene: Hashable, *, told: bool) -> Image:
    return Image.from_bytes(scene_drawn(puzzle, scene), alt=puzzle.write(scene) if told else None)
