"""An episode of PuzzleWorld as its judge is asked about it: alone, together, with an expert, without steps."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from palaver_gamemasters.game import Instance, Reply
from palaver_gamemasters.grading import GradingGame
from palaver_gamemasters.puzzleworld import GAME
from palaver_gamemasters.puzzleworld.judge import SCHEMA
from palaver_gamemasters.puzzleworld.puzzle import Page, Puzzle, ReasoningStep
from palaver_gamemasters.puzzleworld.state import PuzzleState
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError
from tests.gamemasters.test_grading import PLAYED

STEPS = (ReasoningStep(explanation="The dots are BRAILLE.", figure="figure_1.png"), ReasoningStep(explanation="Read."))


@pytest.fixture
def puzzle(tmp_path: Path) -> Puzzle:
    """A puzzle of two pages, one of them large, and two steps, one with a figure."""

    def page(name: str, size: tuple[int, int]) -> Page:
        Pillow.new("RGB", size, "red").save(tmp_path / name)
        return Page(file=tmp_path / name, sha256=hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())

    return Puzzle(
        id="Dots",
        title="Dots",
        flavor_text="Feel them.",
        solution="NUTS",
        reasoning=STEPS,
        pages=(page("content_1.png", (2000, 1000)), page("content_2.png", (30, 40))),
        figures={"figure_1.png": page("figure_1.png", (20, 20))},
    )


def finished(puzzle: Puzzle, *texts: str, **options: Any) -> PuzzleState:
    state = GAME.start(puzzle.model_dump(mode="json"), GAME.configure(options))
    for text in texts:
        (seat,) = GAME.pending(state)
        state = GAME.apply(state, {seat: Reply.of(text)})
    assert GAME.outcome(state) is not None
    return state


def candidate_of(state: PuzzleState) -> str:
    """Return the candidate's solution as the judge reads it."""
    return GAME.grading_views(state)[0][1].text.partition("Candidate Solution:\n")[2].partition("\nReference")[0]


def test_pages_and_figures_are_shown_as_large_as_solvers_see_them(puzzle: Puzzle) -> None:
    first, second = GAME.grading_views(finished(puzzle, "Answer: NUTS"))

    sizes = [
        [(part.width, part.height) for part in view[1].parts if isinstance(part, Image)] for view in (first, second)
    ]
    assert sizes == [[(1024, 512), (30, 40), (20, 20)], [(1024, 512), (30, 40)]]


def test_the_questions_are_counted_without_a_look_at_a_picture(puzzle: Puzzle) -> None:
    state = finished(puzzle, "Answer: NUTS")
    for page in (*puzzle.pages, *puzzle.figures.values()):
        page.file.unlink()

    assert GAME.count_grading_views(state) == 2


def test_a_picture_that_has_gone_is_named(puzzle: Puzzle) -> None:
    state = finished(puzzle, "Answer: NUTS")
    puzzle.pages[1].file.unlink()

    with pytest.raises(InstanceError, match=r"content_2\.png"):
        GAME.grading_views(state)


def test_a_solver_alone_is_judged_by_what_it_wrote(puzzle: Puzzle) -> None:
    assert candidate_of(finished(puzzle, "Braille.\nAnswer: NUTS")) == "Braille.\nAnswer: NUTS"


def test_solvers_who_work_together_are_judged_by_their_dialogue(puzzle: Puzzle) -> None:
    state = finished(puzzle, "I see dots.", "Answer: NUTS", solvers=2)

    assert candidate_of(state) == "Solver 1:\nI see dots.\n\nSolver 2:\nAnswer: NUTS"


def test_what_an_expert_says_is_no_merit_of_the_solver(puzzle: Puzzle) -> None:
    state = finished(puzzle, "What are the dots?", "They are BRAILLE.", "Answer: NUTS", expert=True)

    assert candidate_of(state) == "What are the dots?\n\nAnswer: NUTS"


def test_a_puzzle_without_steps_has_nothing_to_judge(puzzle: Puzzle) -> None:
    state = finished(puzzle.model_copy(update={"reasoning": ()}), "Answer: NUTS")

    assert (GAME.grading_views(state), GAME.count_grading_views(state)) == ((), 0)


def test_a_vote_answers_step_after_step_and_the_rules_keep_the_outcome(puzzle: Puzzle) -> None:
    said = {"seat": "solver", "parts": [{"type": "text", "text": "Answer: NUTS"}]}
    played: Any = {**PLAYED, "game": "puzzleworld", "instance": puzzle.model_dump(mode="json"), "replies": [said]}
    game = GradingGame(GAME, [Instance("e0", played)])
    options = game.configure({})
    state = game.start(played, options)

    for answer in ("true", "false"):
        assert game.answer_schema(state, "grader_1") == SCHEMA
        state = game.apply(state, {"grader_1": Reply.of(f'{{"correct": {answer}, "explanation": "So."}}')})

    (read,) = state.reads
    assert (read.outcome, game.turn_limit(options)) == ("solved", 6)
    assert read.scores == {"stepwise": 0.5, "step_prefix": 0.5, "step_mean": 0.5, "judged_answer": 0.0}
