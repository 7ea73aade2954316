"""What COMMA can be set to (sections 4.1 and 5.3; ours: modality, number of experts, files of one's own)."""

from typing import Literal

from pydantic import Field, PositiveInt

from palaver_gamemasters.files import LocalPath
from palaver_gamemasters.game import Options

__all__ = ["ALL", "CommaOptions", "Memory", "Modality"]

ALL = "all"
Modality = Literal["auto", "image", "text", "both"]
Memory = Literal["full", "none"]


class CommaOptions(Options):
    """What COMMA can be set to."""

    puzzle: str = Field(default=ALL, description="which puzzle: all ten, or one; your own by name or module:NAME")
    modality: Modality = Field(
        default="auto", description="how the solver sees: auto is the picture, or its text for agents that cannot see"
    )
    memory: Memory = Field(default="full", description="what seats remember: the dialogue, or the latest message only")
    turns: PositiveInt = Field(default=10, description="how often the solver speaks at most")
    mistakes: PositiveInt = Field(default=3, description="mistakes that end an episode")
    experts: int = Field(default=1, ge=0, le=6, description="experts, each with a part of the manual; 0: solver alone")
    manuals: LocalPath | None = Field(default=None, description="your own manual (a file), or several (a folder)")
    instances: LocalPath | None = Field(
        default=None, description="a JSON or JSONL file of initialisations to play instead"
    )
    images: LocalPath | None = Field(default=None, description="a local PAD-UFES-20 folder, for telehealth")
