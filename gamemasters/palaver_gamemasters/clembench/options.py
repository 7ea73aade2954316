"""What the games of clembench can be set to."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from palaver_gamemasters.files import LocalPath
from palaver_gamemasters.game import Options
from palaver_protocols.errors import UsageError

__all__ = ["ALL", "ClemOptions", "Modality", "PicturedOptions", "Profile"]

ALL = "all"
Profile = Literal["published", "clean"]
Modality = Literal["auto", "image", "text"]


class ClemOptions(Options):
    """What all games of clembench can be set to. What a game adds to it is about instances of our own."""

    of_any_instance: ClassVar[frozenset[str]] = frozenset({"experiment", "profile", "instances", "modality", "images"})
    """The options that make a difference for instances from a file too."""

    experiment: str = Field(default=ALL, description="which experiment: all in turn, or one by its name")
    profile: Profile = Field(
        default="published", description="published: as the v1.6.5 runs were played and scored; clean: quirks mended"
    )
    instances: LocalPath | None = Field(
        default=None, description="a clembench checkout or instances.json to play instead"
    )

    @model_validator(mode="after")
    def _no_idle_words(self) -> Self:
        """Refuse what would make no difference."""
        if self.instances is None:
            return self
        for name, field in type(self).model_fields.items():
            if name not in self.of_any_instance and getattr(self, name) != field.default:
                raise UsageError(
                    f"option {name} is for instances of our own, and those of {self.instances} are as they are",
                    mend=f"leave out {name} or instances",
                )
        return self


class PicturedOptions(ClemOptions):
    """What games with pictures can be set to beside."""

    modality: Modality = Field(
        default="auto", description="pictures: auto is the picture, or its words for agents that cannot see"
    )
    images: LocalPath | None = Field(default=None, description="a folder of pictures that the instances name")

    @model_validator(mode="after")
    def _pictures_of_something(self) -> Self:
        """Refuse a folder of pictures that nothing names."""
        if self.images is not None and self.instances is None:
            raise UsageError(
                "option images is for the pictures that instances of a file name",
                mend="give the file too: --set instances=FILE",
            )
        return self
