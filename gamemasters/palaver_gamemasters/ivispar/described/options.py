"""What the described puzzle can be set to, beside what the puzzle itself can."""

from pydantic import Field

from ..options import IvisparOptions

__all__ = ["DescribedOptions"]


class DescribedOptions(IvisparOptions):
    """What the described puzzle can be set to. Nothing of the board is forgotten: ``window`` makes no difference."""

    describers: int = Field(default=1, ge=1, le=8, description="who see the board: all, or a share of its geoms each")
