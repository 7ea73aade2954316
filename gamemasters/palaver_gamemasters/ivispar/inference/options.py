"""What board-state inference can be set to."""

from typing import Literal

from pydantic import Field

from ..options import BoardOptions

__all__ = ["InferenceOptions"]


class InferenceOptions(BoardOptions):
    """What board-state inference can be set to. The boards are the puzzle's under the same options and seed."""

    modality: Literal["3d", "2d"] = Field(default="2d", description="how the board is shown: rendered, or from above")
