"""What a grader takes out of a transcript: the route as it was said, and the scheme it seems to be said in.

The fields are those of the study's grader prompts (Davidson et al., The Collaboration Gap, figures A.5 and A.6), so
that the YAML of a grading model and the findings of the rule-based grader are one and the same thing. Coordinates
stay the raw tokens that were said: numbers, letters, direction words. What they mean is settled in :mod:`.schemes`.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from palaver_protocols.content import Frozen

from .cells import Spoken, is_direction

__all__ = ["Corner", "Entry", "Extraction", "Order", "Scheme", "Symbols"]

Corner = Literal["top_left", "bottom_left", "top_right", "bottom_right"]
Order = Literal["row_col", "col_row"]
Symbols = Literal["number_number", "letter_letter", "letter_number", "number_letter", "directions"]


def _as_text(value: Any) -> Any:
    """Take a number for its digits: YAML reads ``0`` as one."""
    return str(value) if isinstance(value, int) else value


def _as_coordinates(value: Any) -> Any:
    """Bring what grading models write for a list of places into one shape: ``[0, 1]``, ``right``, ``[up, right]``."""
    if not isinstance(value, list | tuple):
        return ((_as_text(value),),)
    if not any(isinstance(item, list | tuple) for item in value):
        items = tuple(_as_text(item) for item in value)
        one_place = len(items) == 2 and not all(is_direction(item) for item in items)
        return (items,) if one_place else tuple((item,) for item in items)
    return tuple(
        tuple(_as_text(token) for token in item) if isinstance(item, list | tuple) else (_as_text(item),)
        for item in value
    )


class Scheme(Frozen):
    """How places are named: where counting starts, from which corner, which axis first, in which symbols.

    Letters count from A whatever the origin; direction words are those of the map as printed whatever the corner.
    """

    maze_origin: Annotated[Literal["0", "1"], BeforeValidator(_as_text)] = "0"
    maze_orientation: Corner = "top_left"
    coordinates_orientation: Order = "row_col"
    coordinates_symbols: Symbols = "number_number"

    def __str__(self) -> str:
        """Say the scheme in a line, such as ``number_number, row_col, from 0 at the top left``."""
        corner = self.maze_orientation.replace("_", " ")
        return f"{self.coordinates_symbols}, {self.coordinates_orientation}, from {self.maze_origin} at the {corner}"


class Entry(Frozen):
    """What happened in a turn (counted from 1): moves made, or moves that were only considered."""

    turn: int
    coordinates: Annotated[tuple[Spoken, ...], BeforeValidator(_as_coordinates)]
    turn_type: Literal["move", "consider"] = "move"
    agent: str = "both"


class Extraction(Frozen):
    """A route as it was said, in order. ``route_schema`` is the grader's own opinion of the scheme, if it has one."""

    route_schema: Scheme | None = None
    route: tuple[Entry, ...] = Field(default=())

    @property
    def moves(self) -> tuple[Spoken, ...]:
        """The places and steps of the move entries; only moves count."""
        return tuple(spoken for entry in self.route if entry.turn_type == "move" for spoken in entry.coordinates)
