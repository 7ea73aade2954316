"""Whatever is said, the grader answers: it raises nothing, and no text makes it take quadratic time.

The long texts repeat what once took seconds or minutes; the timeout of every test stands guard, not a measured time.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.maze.grading.grader import grade
from palaver_gamemasters.maze.grid import Maze

MAZE = Maze(("@.#.", "#..#", "..#.", "#..*"))
LENGTH = 20_000
SETTINGS = ("pair", "solo-full")
UNITS = (
    *("(", "((0,", "0,", "1", "-1", "12 ", "\N{ARABIC-INDIC DIGIT ONE}", "(0,1)", "(0,1) (", "(0,1) is ", "(0,1) -> "),
    *("right, ", "R, 3D, ", "3D ", "A1 ", "\N{RIGHTWARDS ARROW}", "--", "==", "=-", "-R-", "| ", "{", "* ", ". .\n"),
    *("<think>", "from a b c ", "cell right ", "agree ", "do you agree ", "shall we go? ", "the first two moves "),
    *("\N{WHITE HEAVY CHECK MARK}", "\N{THUMBS UP SIGN}", "yes \N{WHITE HEAVY CHECK MARK}", "no, ", "? ", "\n"),
)
TALK = st.text(st.characters() | st.sampled_from("()[]{},.:;|-=>*#@?0123ABDRU \n\N{RIGHTWARDS ARROW}"), max_size=200)
PIECES = st.lists(st.sampled_from([*UNITS, "ACTI!", "Agreed. ", "let's go down. "]), max_size=30).map("".join)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_long_monotonous_message_is_graded(unit: str, setting: str) -> None:
    text = (unit * LENGTH)[:LENGTH]

    assert grade(MAZE, [("agent_1", text)], setting).route[0] == MAZE.start


@pytest.mark.parametrize(
    "unit", ["agent 2 ", "agent 2, ", "agents 2, 3, ", "@agent 3 agrees. ", "- agent 1\n", "[agent 2]: "]
)
def test_a_long_list_of_names_is_graded(unit: str) -> None:
    text = (unit * LENGTH)[:LENGTH]

    assert grade(MAZE, [("agent_1", text)], agents=3).route == (MAZE.start,)


@settings(deadline=None, max_examples=150)
@given(texts=st.lists(TALK | PIECES, max_size=6), setting=st.sampled_from(SETTINGS))
def test_no_talk_makes_the_grader_fail(texts: list[str], setting: str) -> None:
    turns = [(f"agent_{number % 2 + 1}", text) for number, text in enumerate(texts)]

    assert grade(MAZE, turns, setting).route[0] == MAZE.start


GROUP_TALK = st.sampled_from(
    ["Agreed. ", "No. ", "Right? ", "Then down to (1,1). ", "Agent 2 agrees. ", "Again. ", "We moved right. ", "ACTI!"]
)


@settings(deadline=None, max_examples=150)
@given(texts=st.lists(TALK | st.lists(GROUP_TALK, max_size=4).map("".join), max_size=12), agents=st.integers(3, 4))
def test_no_talk_among_many_makes_the_grader_fail_or_a_move_without_all_of_them(texts: list[str], agents: int) -> None:
    turns = [(f"agent_{number % agents + 1}", text) for number, text in enumerate(texts)]

    graded = grade(MAZE, turns, agents=agents)

    assert graded.route[0] == MAZE.start
    assert len(graded.route) == 1 or len(turns) >= agents


def test_a_long_dialogue_of_long_messages_is_graded() -> None:
    message = "My map: (0,1) is open, (1,0) is a wall. I propose we move right to (0,1). Do you agree?\n" * 20

    graded = grade(MAZE, [(f"agent_{number % 2 + 1}", message) for number in range(50)])

    assert graded.route[:2] == ((0, 0), (0, 1))
