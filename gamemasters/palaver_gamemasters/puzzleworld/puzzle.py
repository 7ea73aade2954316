"""A puzzle (PuzzleWorld, section 3): pages to look at, one answer, and the steps that lead to it."""

from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field

from palaver_protocols.content import Frozen

__all__ = ["DIFFICULTIES", "MODALITIES", "SKILLS", "Page", "Puzzle", "ReasoningStep"]

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)
MODALITIES = ("text", "visual", "structured")
SKILLS = ("logic", "wordplay", "spatial", "cryptic", "knowledge", "commonsense", "tool_use")
"""Section 3.2 has six; appendix G adds the use of tools."""


class Page(Frozen):
    """A picture of a puzzle: a file with its SHA-256; of a puzzle of our own the path begins at its shipped folder.

    ``words`` say all that the page shows, where somebody has written them down: scripts and blind models read them.
    """

    file: Path
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    words: str | None = None


class ReasoningStep(Frozen):
    """A step of the reference solution. ``figure`` names a page of the solution, relative to the puzzle's folder."""

    explanation: str
    figure: str | None = None


class Puzzle(Frozen):
    """A puzzle as instances hold it. Labels are multi-labels; what a dataset spells otherwise is kept as it is."""

    id: str
    title: str
    flavor_text: str = ""
    solution: Annotated[str, Field(min_length=1)]
    reasoning: tuple[ReasoningStep, ...] = ()
    difficulty: str | None = None
    modality: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    source: str | None = None
    revision: str | None = None
    pages: Annotated[tuple[Page, ...], Field(min_length=1)]
    figures: dict[str, Page] = {}
