"""What the games of clembench can be set to."""

from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from palaver_gamemasters.game import Options

__all__ = ["ALL", "ClemOptions", "Modality", "PicturedOptions", "Profile"]

ALL = "all"
Profile = Literal["published", "clean"]
Modality = Literal["auto", "image", "text"]


class ClemOptions(Options):
    """What all games of clembench can be set to."""

    experiment: str = Field(default=ALL, description="which experiment: all in turn, or one by its name")
    profile: Profile = Field(
        default="published", description="published: as the v1.6.5 runs were played and scored; clean: quirks mended"
    )
    instances: Path | None = Field(default=None, description="a clembench checkout or instances.json to play instead")

    @field_validator("instances", "images", check_fields=False)
    @classmethod
    def _from_anywhere(cls, path: Path | None) -> Path | None:
        """Name files so that a run can be taken up from another folder."""
        return path and path.absolute()


class PicturedOptions(ClemOptions):
    """What games with pictures can be set to beside."""

    modality: Modality = Field(
        default="auto", description="pictures: auto is the picture, or its words for agents that cannot see"
    )
    images: Path | None = Field(default=None, description="a folder of pictures that the instances name")
