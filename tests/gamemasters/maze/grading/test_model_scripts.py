"""Graders without a model: they read what they are shown, and differ as models differ."""

from collections.abc import Sequence

import pytest

from palaver_gamemasters.game import UnreadableGradeError
from palaver_gamemasters.grading import AGAIN
from palaver_gamemasters.maze.grading.model import grading_view, read_grade
from palaver_gamemasters.maze.grading.model_scripts import GRADERS
from palaver_gamemasters.maze.grid import Maze
from palaver_gamemasters.maze.options import Setting
from palaver_protocols.errors import UsageError
from palaver_protocols.transcript import USER, Message
from tests.support import a_request

MAZE = Maze.parse(["@..", "#.#", "..*"])
TEXTS = (
    "Shall we move right to (0, 1)?",
    "Agreed. Down to (1, 1)?",
    "We are at (1, 1).",
    "I propose down to (2, 1).",
    "My map is hidden there.",
)
OBJECTED = (*TEXTS[:4], "No, I disagree.")


def asked(
    grader: str, texts: Sequence[str], setting: Setting = "pair", agents: int = 2, *, seed: int = 0, again: bool = False
) -> str:
    """Have a script grade a dialogue; ``again`` after an answer of its own that could not be read."""
    seats = [f"agent_{number + 1}" for number in range(agents)]
    dialogue = [Message.text_from(seats[number % agents], text) for number, text in enumerate(texts)]
    view = grading_view(setting, dialogue, seats)
    if again:
        view += (Message.text_from("grader_1", "?"), Message.text_from(USER, AGAIN.format(problem="it is empty")))
    return GRADERS[grader](a_request(view=view, seat="grader_1", seed=seed))


def moves(grader: str, texts: Sequence[str]) -> float | None:
    return read_grade(MAZE, asked(grader, texts)).scores["moves"]


def test_strict_and_lenient_graders_count_fewer_and_more_moves() -> None:
    assert [moves(grader, TEXTS) for grader in ("scripted/strict", "scripted", "scripted/lenient")] == [1, 2, 3]


def test_a_lenient_grader_hears_an_objection() -> None:
    assert moves("scripted/lenient", OBJECTED) == 2


@pytest.mark.parametrize("grader", ["scripted", "scripted/strict", "scripted/lenient"])
def test_a_solution_is_read_by_all_alike(grader: str) -> None:
    solution = "Final solution: [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)]"

    assert read_grade(MAZE, asked(grader, [solution, "It is right."], "solo-full", 1)).outcome == "solved"


@pytest.mark.parametrize(("third", "made"), [("Yes, agreed.", 1), ("Let me look at my map.", 0)])
def test_a_move_of_three_agents_needs_all_of_them(third: str, made: int) -> None:
    read = read_grade(MAZE, asked("scripted", ["Shall we move right to (0, 1)?", "Agreed.", third], agents=3))

    assert read.scores["moves"] == made


def test_sloppy_graders_can_mostly_be_read_and_some_mend_what_cannot() -> None:
    def reads(seed: int, *, again: bool) -> bool:
        try:
            return bool(read_grade(MAZE, asked("scripted/sloppy", TEXTS, seed=seed, again=again)))
        except UnreadableGradeError:
            return False

    manners = {(reads(seed, again=False), reads(seed, again=True)) for seed in range(40)}

    assert manners == {(True, True), (False, True), (False, False)}


def test_a_random_grader_writes_what_can_be_read_and_differs_by_seed() -> None:
    answers = {asked("random", TEXTS, seed=seed) for seed in range(9)}

    assert len(answers) > 5
    assert all(read_grade(MAZE, answer) for answer in answers)


def test_a_script_that_is_shown_no_dialogue_says_so() -> None:
    with pytest.raises(UsageError, match="the task shows no dialogue to grade"):
        GRADERS["scripted"](a_request())
