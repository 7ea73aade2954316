"""What the sliding geom puzzle can be set to (iVISPAR, sections 3.3 to 4.4)."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PositiveInt, model_validator

from palaver_gamemasters.files import LocalPath
from palaver_gamemasters.game import Options
from palaver_protocols.errors import InstanceError

__all__ = ["BoardOptions", "CellLabels", "IvisparOptions", "Marking", "Modality"]

Modality = Literal["3d", "2d", "text"]
CellLabels = Literal["both", "edge", "cell", "none"]
Marking = Literal["both", "color", "label", "none"]


def _listed(given: Any) -> Any:
    """Take ``red, blue`` for a list of two."""
    return [each.strip() for each in given.split(",")] if isinstance(given, str) else given


Names = Annotated[tuple[str, ...], BeforeValidator(_listed), Field(min_length=1)]
"""Some words, as a list or with commas between them."""


class BoardOptions(Options):
    """Which boards are played, and how they are shown; the defaults are those of the published benchmark.

    Boards are made one for each pair of a number of geoms and a path length, in turn; those of a file come instead.
    """

    modality: Modality = Field(default="2d", description="how the board is shown: rendered, from above, or in words")
    compat: bool = Field(
        default=False, description="read actions, and draw shapes, with the published program's quirks"
    )
    instances: LocalPath | None = Field(
        default=None, description="boards to play instead: a published one, a folder or a JSONL file of them"
    )
    size: int = Field(default=4, ge=2, le=26, description="cells a side of the boards that are made")
    min_geoms: PositiveInt = Field(default=2, description="fewest geoms on the boards that are made")
    max_geoms: PositiveInt = Field(default=11, description="most geoms on the boards that are made")
    min_path: PositiveInt = Field(default=2, description="fewest moves of their shortest solutions")
    max_path: PositiveInt = Field(default=11, description="most moves of their shortest solutions")
    interference: int = Field(default=0, ge=0, description="pairs of moves that geoms in each other's way cost")
    colors: Names = Field(
        default=("red", "green", "blue", "yellow"),
        description="colours of the geoms of boards that are made, such as red,#ff8800",
    )
    shapes: Names = Field(
        default=("cube", "sphere", "pyramid", "cylinder"), description="their shapes, such as cube,cone"
    )
    labels: CellLabels = Field(default="both", description="where a 3D board has the cells' names")
    marking: Marking = Field(default="both", description="what tells past, current and goal pictures apart")
    words: bool = Field(default=True, description="pictures carry their words, for scripts and models that see nothing")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        """Refuse at once what no board can satisfy, whatever cell of the range is made."""
        for what, least, most in (("geoms", self.min_geoms, self.max_geoms), ("path", self.min_path, self.max_path)):
            if least > most:
                raise InstanceError(
                    f"min_{what} {least} is more than max_{what} {most}", mend="exchange them, or give both"
                )
        return self


class IvisparOptions(BoardOptions):
    """What the sliding geom puzzle can be set to."""

    moves: PositiveInt = Field(default=20, description="actions before an episode ends")
    window: int = Field(default=2, ge=0, description="past steps that an agent is shown, each with its action")
    reasoning: bool = Field(default=True, description="ask to think aloud before each action")
