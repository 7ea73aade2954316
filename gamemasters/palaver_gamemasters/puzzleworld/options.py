"""What PuzzleWorld can be set to: which puzzles, how they are shown, and (ours) who solves them together."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, PositiveInt, model_validator

from palaver_gamemasters.game import Options
from palaver_protocols.errors import UsageError

__all__ = ["HUB", "MOST", "Divide", "PuzzleWorldOptions"]

HUB = "hf"
"""What a dataset on the Hugging Face hub begins with: ``hf``, ``hf:OWNER/NAME@REVISION``."""
Divide = Literal["pages", "modalities", "nothing"]
TURNS = 6
MOST = 8
"""Solvers of a puzzle."""


def _text(value: Any) -> Any:
    """Take ``hf:`` for what it is, which YAML reads as a key without a value."""
    if isinstance(value, dict) and set(value) == {HUB} and value[HUB] is None:
        return f"{HUB}:"
    return value


def _place(dataset: str) -> str:
    """Name a folder so that a run can be taken up from another one."""
    if not dataset.strip():
        raise ValueError("it names no folder")
    if dataset == HUB or dataset.startswith(f"{HUB}:"):
        return dataset
    try:
        return str(Path(dataset).expanduser().absolute())
    except RuntimeError as error:
        raise ValueError("there is no such home folder") from error


class PuzzleWorldOptions(Options):
    """What PuzzleWorld can be set to.

    Where ``puzzles`` or ``skip`` name several, there are commas between; folders' names or titles, in any case.
    """

    dataset: Annotated[str, BeforeValidator(_text), AfterValidator(_place)] | None = Field(
        default=None, description="a folder in the published layout, or hf:OWNER/NAME@REVISION; else our own puzzles"
    )
    revision: str | None = Field(
        default=None, description="the revision of the dataset that the folder holds, to record"
    )
    puzzles: str | None = Field(default=None, description="play these only")
    skip: str | None = Field(default=None, description="leave these out, say since they are broken")
    difficulty: str | None = Field(default=None, description="play only easy, medium or hard puzzles")
    modality: str | None = Field(default=None, description="play only puzzles of text, visual or structured pages")
    skill: str | None = Field(default=None, description="play only puzzles of this skill, such as logic or wordplay")
    images: int = Field(default=1024, ge=64, le=8192, description="pixels of a picture's longest side at most")
    solvers: int = Field(default=1, ge=1, le=MOST, description="how many solve a puzzle together")
    divide: Divide = Field(
        default="pages",
        description="what solvers see: some of the pages each; the last one none, the others all; or all the same",
    )
    expert: bool = Field(default=False, description="seat an expert who knows the steps, and gives hints")
    turns: PositiveInt = Field(default=TURNS, description="messages of each seat at most, where there are several")

    @property
    def alone(self) -> bool:
        """Whether one solver solves the puzzle in one message, as in the study."""
        return self.solvers == 1 and not self.expert

    @property
    def messages(self) -> int:
        """How many messages an episode has at most: nobody would hear the expert after the solvers' last one."""
        return 1 if self.alone else self.turns * (self.solvers + self.expert) - self.expert

    @model_validator(mode="after")
    def _no_idle_words(self) -> Self:
        """Refuse what would make no difference."""
        if self.solvers == 1 and self.divide != "pages":
            raise UsageError(
                "puzzleworld: one solver has nothing to divide", mend="give solvers=2, or leave out divide"
            )
        if self.alone and self.turns != TURNS:
            raise UsageError(
                "puzzleworld: a solver alone writes one message",
                mend="give solvers=2 or expert=true, or leave out turns",
            )
        if self.expert and self.turns == 1:
            raise UsageError("puzzleworld: nobody would hear the expert of a single turn", mend="give turns=2 or more")
        if self.dataset is None and self.revision is not None:
            raise UsageError(
                "puzzleworld: our own puzzles have no revision", mend="give a dataset, or leave out revision"
            )
        if self.dataset is not None and self.revision is not None and self.dataset.partition(":")[0] == HUB:
            raise UsageError(
                f"puzzleworld: the revision of {self.dataset} is a part of its name", mend="give hf:OWNER/NAME@REVISION"
            )
        return self
