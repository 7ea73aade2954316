"""A model as grader of mazes: what it is shown, and what becomes of its answer; on the study's own dialogues too."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.game import UnreadableGradeError
from palaver_gamemasters.maze.grading.grader import extract
from palaver_gamemasters.maze.grading.model import grading_view, read_back, read_grade
from palaver_gamemasters.maze.grading.model_yaml import read_extraction
from palaver_gamemasters.maze.grading.schemes import read_cell, schemes
from palaver_gamemasters.maze.grid import Maze, merge
from palaver_gamemasters.maze.options import Setting
from palaver_gamemasters.maze.render import prompt, read_maps
from palaver_protocols.transcript import USER, Message

MAZE = Maze.parse(["@..", "#.#", "..*"])
SQUARE = Maze.parse(["@.....", "......", "......", "......", "......", ".....*"])
SCHEME = schemes("number_number")[0]
TEXTS = ("Shall we move right?", "Yes.\n\nThen down?\n```\n@..\n```", "Agreed. ACTI!")
PAGE = Path(__file__).parents[5] / "shared" / "specs" / "maze_examples.md"


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


# -- the dialogues that the study prints


def printed(heading: str, end: str) -> list[tuple[str, str]]:
    """Return the turns of a printed dialogue, by seats in turn."""
    if not PAGE.exists():
        pytest.skip("the page of printed dialogues lies beside the repository, and only there")
    page = PAGE.read_text(encoding="utf-8").split(heading, 1)[1].split(end, 1)[0]
    texts = re.split(r"^[\w.-]+: (?:turn |t)\d+ ", page, flags=re.MULTILINE)[1:]
    return [(f"agent_{number % 2 + 1}", text.strip()) for number, text in enumerate(texts)]


PRINTED = {
    "2.2": ("## Figure 2.2", "Figure 2.2:", ["[2, 1]"]),
    "4.4": ("## Figure 4.4", "Figure 4.4:", ['"row 0, col 1"']),
    "4.5": ("## Figure 4.5", "Figure 4.5:", ['"(1,2)"', '"(2,2)"']),
    "E.1": ("E.1 Weak Mirroring Strong", "Figure E.1:", ["[1, 0]"]),
    "E.3": ("Surprisingly, the gpt", "Figure E.3:", []),
    "E.4": ("E.3 Meta Analysis", "Figure E.4:", ["[3, 2]", "[4, 2]"]),
    "E.5": ("fatal error.", "Figure E.5:", []),
    "E.6": ("E.4 Backtracking", "Figure E.6:", ["[0, 3]"]),
    "F.1": ("F.1 Unanticipated Maze Schema", "Figure F.1:", ["r1c2"]),
    "F.2": ("F.2 Agents Decide to Split Up", "\0", []),
}
"""The printed dialogues, and the moves that a careful reader would say were agreed on, as a model may write them."""


@pytest.mark.parametrize(("heading", "end", "moves"), PRINTED.values(), ids=PRINTED)
def test_the_rules_extract_from_a_printed_dialogue_what_a_careful_grader_writes(
    heading: str, end: str, moves: list[str]
) -> None:
    by_rules = extract(SQUARE, printed(heading, end))[0]
    by_hand = read_extraction(answer(*moves) if moves else "route: []")

    assert [read_cell(spoken, SCHEME, SQUARE) for spoken in by_rules.moves] == [
        read_cell(spoken, SCHEME, SQUARE) for spoken in by_hand.moves
    ]


@pytest.mark.xfail(reason="the rules take '(5,5): *' before 'Could you ...' for a proposal", strict=True)
def test_the_rules_find_no_move_among_the_cells_of_figure_e2() -> None:
    by_rules = extract(SQUARE, printed("the second correct.", "Figure E.2:"))[0]

    assert by_rules.moves == ()


def test_where_agents_split_up_nobody_moved() -> None:
    turns = printed("F.2 Agents Decide to Split Up", "\0")
    maze = merge(*(read_maps(text)[0] for _, text in turns))

    read = read_grade(maze, answer("[[1, 0]]", "[[0, 1]]").replace("move,", "consider,"))

    assert (read.scores["moves"], maze.rows[0]) == (0.0, "@.#..#")


def test_the_scheme_that_failed_the_studys_own_parser_is_read() -> None:
    maze = Maze.parse(["@.", "#*"])

    assert read_grade(maze, answer('["r1c2"]', '["r2c2"]')).outcome == "solved"
