"""What board-state inference can be set to: what the puzzle can, but for what is about moves."""

from typing import ClassVar, Literal

from pydantic import Field

from ..options import IvisparOptions

__all__ = ["InferenceOptions"]


class InferenceOptions(IvisparOptions):
    """What board-state inference can be set to. The boards are the puzzle's under the same options and seed.

    The fields of the puzzle's that would make no difference are fixed here, so that to set one is an error.
    """

    modality: Literal["3d", "2d"] = Field(default="3d", description="how the board is shown: rendered, or from above")
    # mypy wants a field to stay a field; pydantic takes it out of the options, which is the point
    compat: ClassVar[bool] = False  # type: ignore[misc]  # as said above
    moves: ClassVar[int] = 1  # type: ignore[misc]  # as said above
    window: ClassVar[int] = 0  # type: ignore[misc]  # as said above
    reasoning: ClassVar[bool] = False  # type: ignore[misc]  # as said above
