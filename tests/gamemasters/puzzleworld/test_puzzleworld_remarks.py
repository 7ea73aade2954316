"""What is said of a dataset before it is played."""

from typing import Any

from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.puzzleworld.puzzle import Page, Puzzle, ReasoningStep

WHOLE: dict[str, Any] = {
    "id": "A",
    "title": "A",
    "solution": "ART",
    "reasoning": (ReasoningStep(explanation="Look."),),
    "difficulty": "easy",
    "modality": ("text",),
    "skills": ("logic",),
    "pages": (Page(file="A/content.png", sha256="0" * 64),),
}


def said(*changes: dict[str, Any]) -> tuple[str, ...]:
    return GAME.remarks([Puzzle.model_validate({**WHOLE, **each}).model_dump(mode="json") for each in changes])


def test_nothing_is_said_of_puzzles_as_the_study_has_them() -> None:
    assert said({}, {"id": "B", "skills": ("tool_use", "cryptic")}) == ()


def test_labels_that_the_study_does_not_have_are_named_with_their_puzzle() -> None:
    assert said({"difficulty": "fiendish", "skills": ("logic", "Common Sense")}) == (
        "difficulty that the study does not have, kept as it is: 'fiendish' of A",
        "skills that the study does not have, kept as it is: 'Common Sense' of A",
    )


def test_what_is_missing_is_named() -> None:
    assert said({"difficulty": None}, {"id": "B", "reasoning": ()}) == (
        "puzzles without difficulty, which reports leave out of it: A",
        "puzzles without steps, which a judge has nothing to grade of: B",
    )


def test_of_very_many_the_first_are_named() -> None:
    (line,) = said(*({"id": f"P{number}", "modality": ()} for number in range(9)))
    assert line.endswith(": P0, P1, P2 and 6 more")
