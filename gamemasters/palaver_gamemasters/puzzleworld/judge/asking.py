"""What a judge is shown: the study's messages, one question for each step of the reference solution.

A judge sees the step that it is asked about, and no other. The instruction is the study's, to the letter, its slips of
the pen included: it speaks of all steps, since it was written for a judge that was asked about all of them at once.
What the candidate wrote stands there as it is, in the midst of what the judge is told, as in the study; a candidate
could address the judge.
"""

from collections.abc import Mapping, Sequence

from palaver_gamemasters.texts import prompt_of
from palaver_protocols.content import Image, Part, Text
from palaver_protocols.transcript import SYSTEM, USER, Message

from ..pictures import picture_of
from ..puzzle import Puzzle, ReasoningStep
from ..state import PuzzleState

__all__ = [
    "CANDIDATE",
    "EXPLAIN",
    "LAST",
    "OTHERS",
    "REFERENCE",
    "candidate",
    "grading_views",
    "instruction",
    "questions",
]

PUZZLE = "The puzzle's title is {title}.\n Its flavor text is {flavor_text}."
CANDIDATE = "Candidate Solution:\n"
REFERENCE = "Reference Solution:\n"
OTHERS = "Is step {step} in candidate solution? (True/False) Explain."
LAST = "Is the correct final reference answer in the candidate output? (True/False) Explain."
EXPLAIN = "\nExplain your answer.\n"


def grading_views(state: PuzzleState) -> tuple[tuple[Message, ...], ...]:
    """Return what a judge is asked about an episode, with the pages as large as solvers are shown them.

    Raises:
        InstanceError: a picture cannot be read, or is another than when the run was planned.
    """
    puzzle, longest = state.puzzle, state.options.images
    if not puzzle.reasoning:
        return ()
    pages = [picture_of(page, longest) for page in puzzle.pages]
    figures = {name: picture_of(page, longest) for name, page in puzzle.figures.items()}
    return questions(puzzle, candidate(state.solvers_said), pages, figures)


def questions(
    puzzle: Puzzle, solution: str, pages: Sequence[Image], figures: Mapping[str, Image]
) -> tuple[tuple[Message, ...], ...]:
    """Return what a judge is asked, a question for each step; none of a puzzle that has no steps.

    Args:
        puzzle: what was to be solved.
        solution: what the candidate wrote.
        pages: the pages of the puzzle, in order.
        figures: the pictures that steps refer to, by the names that they refer by.
    """
    told = Message.text_from(SYSTEM, instruction(puzzle.solution))
    head: list[Part] = [
        Text(text=PUZZLE.format(title=puzzle.title, flavor_text=puzzle.flavor_text)),
        *pages,
        Text(text=f"{CANDIDATE}{solution}"),
        Text(text=REFERENCE),
    ]
    count = len(puzzle.reasoning)
    return tuple(
        (
            told,
            Message(speaker=USER, parts=(*head, *_step(number, step, figures), *_question(number, count)), apart=True),
        )
        for number, step in enumerate(puzzle.reasoning, 1)
    )


def _step(number: int, step: ReasoningStep, figures: Mapping[str, Image]) -> list[Part]:
    text = Text(text=f"{number}. {step.explanation}")
    return [text] if step.figure is None else [text, figures[step.figure]]


def _question(number: int, count: int) -> list[Part]:
    return [Text(text=LAST if number == count else OTHERS.format(step=number)), Text(text=EXPLAIN)]


def instruction(solution: str) -> str:
    """Return what a judge is told, with the answer that is right."""
    return prompt_of(__package__, "judge").replace("{puzzle_solution}", solution)


def candidate(said: Sequence[Message]) -> str:
    """Return a candidate's solution: what the one solver wrote, or the dialogue of several with a label each (ours)."""
    if len({message.speaker for message in said}) < 2:
        return "\n\n".join(message.text for message in said)
    return "\n\n".join(f"{_label(message.speaker)}:\n{message.text}" for message in said)


def _label(seat: str) -> str:
    return seat.replace("_", " ").capitalize()
