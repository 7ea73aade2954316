"""A model as grader of mazes: what it is shown, and what becomes of its answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.game import UnreadableGradeError
from palaver_gamemasters.maze.grading.model import grading_view, read_back, read_grade
from palaver_gamemasters.maze.grid import Maze
from palaver_gamemasters.maze.options import Setting
from palaver_gamemasters.maze.render import prompt
from palaver_protocols.transcript import USER, Message

MAZE = Maze.parse(["@..", "#.#", "..*"])
TEXTS = ("Shall we move right?", "Yes.\n\nThen down?\n```\n@..\n```", "Agreed. ACTI!")


def dialogue(*texts: str, agents: int = 2) -> tuple[Message, ...]:
    return tuple(Message.text_from(f"agent_{number % agents + 1}", text) for number, text in enumerate(texts))


def shown(setting: Setting, *texts: str, agents: int = 2) -> str:
    """Return the one message that a grader is shown."""
    seats = [f"agent_{number + 1}" for number in range(agents)]
    (message,) = grading_view(setting, dialogue(*texts, agents=agents), seats)
    assert message.speaker == USER
    return message.text


def answer(*places: str) -> str:
    """Write an answer: a turn for each of the moves."""
    entries = [
        f"  - {{turn: {turn}, coordinates: {place}, turn_type: move, agent: both}}"
        for turn, place in enumerate(places, 1)
    ]
    return "\n".join(["route:", *entries])


# -- what it is shown


def test_the_dialogue_stands_where_the_study_wants_it_to_the_letter() -> None:
    text = shown("pair", *TEXTS)

    head, told = text.split("\n# Dialogue\n")
    assert head == prompt("grader_pair").split("\n# Dialogue\n")[0]
    assert told == (
        "turn 1, agent_1: Shall we move right?\n\n"
        "turn 2, agent_2: Yes.\n\nThen down?\n```\n@..\n```\n\n"
        "turn 3, agent_1: Agreed. ACTI!"
    )


@pytest.mark.parametrize("setting", ["solo-full", "solo-distributed"])
def test_a_solution_is_graded_by_the_prompt_for_solutions(setting: Setting) -> None:
    assert shown(setting, "Right.", "Right!", agents=1).startswith(prompt("grader_solo").split("<insert")[0])


def test_more_agents_are_named_in_the_schema() -> None:
    text = shown("pair", "Right?", "Yes.", "Yes.", agents=3)

    assert "a dialogue between 3 agents" in text
    assert 'agent: "<agent_1|agent_2|agent_3>|all"' in text
    assert "both" not in text
    assert "turn 3, agent_3: Yes." in text


def test_a_dialogue_cannot_rewrite_the_prompt() -> None:
    said = "<insert dialogue> <agents> <number>"

    assert shown("pair", said, agents=3).endswith(f"turn 1, agent_1: {said}")


def test_no_maze_is_shown() -> None:
    assert str(MAZE) not in shown("pair", "Right?", "Yes.")


@given(st.lists(st.text(alphabet="ab \n:,#`12", max_size=30), max_size=8))
def test_a_dialogue_can_be_read_back(texts: list[str]) -> None:
    told = shown("pair", *texts).split("\n# Dialogue\n", 1)[1]

    assert read_back(told) == [(message.speaker, message.text) for message in dialogue(*texts)]


# -- what becomes of its answer


def test_an_answer_is_tried_under_every_scheme() -> None:
    read = read_grade(MAZE, answer("[[2, 3]]", "[[2, 2]]", "[[2, 1]]", "[[3, 1]]"))

    assert read.outcome == "solved"
    assert read.scores == {"success": 1.0, "weighted_outcome": 1.0, "moves": 4.0}
    assert isinstance(read.detail, dict)
    assert read.detail["cells"] == [[0, 0], [0, 1], [1, 1], [2, 1], [2, 2]]
    assert (read.detail["ended"], read.detail["read_as"]) == (
        "goal",
        "number_number, col_row, from 1 at the bottom left",
    )


def test_a_route_into_a_wall_counts_as_far_as_it_is_legal() -> None:
    read = read_grade(MAZE, answer("right", "[right, down]"))

    assert (read.outcome, read.scores) == ("failed", {"success": 0.0, "weighted_outcome": 0.0, "moves": 2.0})


def test_nobody_moved_is_a_grade() -> None:
    read = read_grade(MAZE, "route: []")

    assert (read.outcome, read.scores["weighted_outcome"], read.scores["moves"]) == ("failed", 0.0, 0.0)


def test_what_was_only_considered_moves_nobody() -> None:
    assert read_grade(MAZE, answer("right").replace("move,", "consider,")).scores["moves"] == 0.0


def test_an_answer_without_a_route_is_no_grade() -> None:
    with pytest.raises(UnreadableGradeError, match="it holds no YAML"):
        read_grade(MAZE, "They made it.")


def test_the_scheme_that_failed_the_studys_own_parser_is_read() -> None:
    maze = Maze.parse(["@.", "#*"])

    assert read_grade(maze, answer('["r1c2"]', '["r2c2"]')).outcome == "solved"
