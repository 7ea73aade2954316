"""What pictures of the board now, of the goal and of the past are told apart by: a colour, a label, or both (4.5)."""

from typing import Literal, NamedTuple

from ..options import Marking

__all__ = ["BACKGROUNDS", "Background", "Mark", "Role", "mark_of"]

Role = Literal["active", "goal", "past"]


class Background(NamedTuple):
    """The ground that a picture is laid on, and what prompts call it."""

    name: str
    colour: tuple[int, int, int]


BACKGROUNDS: dict[Role, Background] = {
    "active": Background("blue", (82, 138, 174)),
    "goal": Background("green", (100, 191, 106)),
    "past": Background("grey", (141, 153, 174)),
}
"""The published ones."""


class Mark(NamedTuple):
    """What a picture is told apart by. ``label`` is empty if it has none."""

    background: Background
    label: str

    def __str__(self) -> str:
        """Say it in words: ``a board on a blue background, with the label active:``."""
        label = f", with the label {self.label}" if self.label else ""
        return f"a board on a {self.background.name} background{label}:"


def mark_of(role: Role, marking: Marking) -> Mark:
    """Return the mark of a picture. Where colours tell nothing, all have the background of the active one."""
    background = BACKGROUNDS[role if marking in ("both", "color") else "active"]
    return Mark(background, role if marking in ("both", "label") else "")
