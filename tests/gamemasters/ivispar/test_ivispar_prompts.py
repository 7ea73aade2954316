"""What an agent is told: the published prompts to the letter, the window of past steps, and the board in words."""

import hashlib
from typing import Any

import pytest

from palaver_gamemasters.ivispar import GAME
from palaver_gamemasters.ivispar.board import Board, Geom
from palaver_gamemasters.ivispar.observation import choices, instruction, step_told, task, told_apart
from palaver_gamemasters.ivispar.options import IvisparOptions
from palaver_protocols.content import Image
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER, Message
from tests.gamemasters.ivispar.sliding import a_board, an_episode, moved

IN_3D = "98298826403e553013ee2c61eebead0812938e59ab86e5d39d31e295610a37af"
IN_2D = "218efe289e89eb904830e9be0fa172146d8142f20cd74ac386d0096fba78b0fd"


def options(**given: Any) -> IvisparOptions:
    return GAME.configure(given)


@pytest.mark.parametrize(("modality", "published"), [("3d", IN_3D), ("text", IN_3D), ("2d", IN_2D)])
def test_the_instruction_is_the_published_one_to_the_byte(modality: str, published: str) -> None:
    told = instruction(a_board(), options(modality=modality))
    assert hashlib.sha256(told.encode()).hexdigest() == published


def test_who_is_to_think_aloud_is_asked_to_and_who_is_not_is_asked_not_to() -> None:
    thinking, not_thinking = (task(a_board(), options(reasoning=each)).text for each in (True, False))
    start = instruction(a_board(), options())
    assert thinking == start + (
        "\n## Explain Your Reasoning\n"
        "- Before every action, explain your reasoning clearly.\n"
        "- At the end of every response, include this line exactly:\n"
        "action: <your action>\n"
        "- Replace <your action> with the valid move action based on your reasoning.\n"
        "- Do not add any characters after the word action.\n"
    )
    assert not_thinking == start + "\nPlease output only the action, no explanations needed."


def test_colours_shapes_and_sizes_of_other_boards_are_named_too() -> None:
    board = Board(5, (Geom("orange", "cone"), Geom("blue", "cube")), ((0, 0), (1, 0)), ((2, 2), (3, 3)))
    told = instruction(board, options(modality="3d"))
    assert "on a 5 by 5 grid board" in told
    assert "- Object Colors: green, red, blue, yellow, orange\n" in told
    assert "- Object Shapes: cube, sphere, pyramid, cylinder, cone\n" in told
    assert choices(board, options(modality="2d"))["shapes"] == "square, circle, triangle, hexagon, diamond"
    assert choices(board, options(modality="2d", compat=True))["shapes"] == "square, circle, triangle, hexagon, cone"


REST = """## Additionally, you are provided with:
- {previous}
- Your previous suggested action
- Use this information by comparing it to your current active state to determine your next action.

## Invalid Actions:
- No Overlap: You are not allowed to position two objects in the same tile.
- If the suggested action does not move any objects, it is invalid (e.g., blocked by another object or out of bounds).
- Use the previous image(s) and action to understand why it failed and suggest a different action.

It is of most importance you always end your response with this exact format:

action: move <object color> <object shape> <direction>
where you replace <object color> <object shape> <direction> with the valid move action based on your reasoning and do \
not add any characters after your action.
"""
IMAGES = """## Analyze the Images
You can view your current active board state in the last image {active}. Study this image and the objects with their \
positions carefully.
Your goal is to match the goal state, shown in the image {goal}. Study this image and the objects with their positions \
carefully.

"""


@pytest.mark.parametrize(
    ("marking", "active", "goal", "past"),
    [
        (
            "both",
            "marked with the label active in the image and a blue background",
            "marked with the label goal in the image and a green background",
            "marked with the label past in the image and a grey background",
        ),
        ("color", " with a blue background", " with a green background", " with a grey background"),
        (
            "label",
            "showing the label in the image active",
            "showing the label in the image goal",
            "showing the label in the image past",
        ),
        ("none", "", "", ""),
    ],
)
@pytest.mark.parametrize("modality", ["2d", "3d"])
def test_the_step_text_says_how_pictures_are_marked(
    modality: str, marking: str, active: str, goal: str, past: str
) -> None:
    board = a_board()
    told = step_told(board, options(modality=modality, marking=marking), board.start).text
    assert told == IMAGES.format(active=active, goal=goal) + REST.format(
        previous=f"The previous state image(s) {past}."
    )


def test_the_step_text_lists_goal_and_state_in_words() -> None:
    board = a_board()
    assert step_told(board, options(modality="text"), board.start).text == (
        "## Analyze the States\n"
        "The goal state is provided as the first set of coordinates: \n"
        "C1 blue sphere\nD4 red cube.\n"
        "The current state is provided as the second set of coordinates: \n"
        "A1 blue sphere\nD4 red cube.\n"
        "Study both states carefully and determine how to move objects in the current state to match the goal state.\n"
        "\n"
    ) + REST.format(previous="The previous states.")


def test_lines_are_ordered_by_column_then_by_row() -> None:
    placed = {"red cube": "B2", "blue cube": "A3", "green cube": "B1", "yellow cube": "A1"}
    board = a_board({name: (label, "D4" if name == "red cube" else label) for name, label in placed.items()})
    assert board.lines(board.start) == ["A1 yellow cube", "A3 blue cube", "B1 green cube", "B2 red cube"]


def spoken(message: Message) -> str:
    """Return who speaks, and the first line of it: a picture's words if it is one."""
    (part,) = message.parts
    text = f"[{(part.alt or '').splitlines()[-2]}]" if isinstance(part, Image) else part.text.splitlines()[0]
    return f"{message.speaker}: {text}"


def played(*answers: str, **given: Any) -> list[str]:
    state = an_episode(**given)
    for answer in answers:
        state = GAME.acted(state, answer)
    return [spoken(message) for message in GAME.view(state, "player")]


TASK = (
    f"{SYSTEM}: You are a highly intelligent AI with exceptional spatial reasoning, tasked with solving a shape puzzle "
    "game on a 4 by 4 grid board."
)


def test_a_first_question_has_no_past() -> None:
    assert played() == [TASK, f"{USER}: ## Analyze the States"]


def test_the_window_holds_the_last_two_states_each_with_the_action_alone() -> None:
    thoughts = [f"I think so.\n{answer}." for answer in moved(["up", "up", "right"])]
    assert played(*thoughts) == [
        TASK,
        f"{ENVIRONMENT}: Previous observation 1: A2 blue sphere",
        "player: Previous action 1: move blue sphere up",
        f"{ENVIRONMENT}: Previous observation 2: A3 blue sphere",
        "player: Previous action 2: move blue sphere right",
        f"{USER}: ## Analyze the States",
    ]


def test_an_answer_without_an_action_is_remembered_as_such() -> None:
    assert played("I do not know.")[2] == "player: Previous action 1: No valid action found"


def test_the_window_can_be_wider_or_closed() -> None:
    answers = moved(["up", "up", "right"])
    assert len(played(*answers, window=0)) == 2
    assert len(played(*answers, window=3)) == len(played(*answers, window=9)) == 2 + 2 * 3


@pytest.mark.parametrize("modality", ["2d"])
def test_pictures_come_past_first_then_the_goal_then_now(modality: str) -> None:
    assert played(*moved(["up"]), modality=modality) == [
        TASK,
        f"{ENVIRONMENT}: [A1 blue circle]",
        "player: Action: move blue sphere up",
        f"{USER}: [C1 blue circle]",
        f"{ENVIRONMENT}: [A2 blue circle]",
        f"{USER}: ## Analyze the Images",
    ]


def test_goal_and_state_can_be_told_to_one_seat_alone() -> None:
    board = a_board()
    goal, now = told_apart(board, options(modality="text"), board.start, "describer")
    assert (goal.text, now.text) == (
        "Goal state:\nC1 blue sphere\nD4 red cube",
        "Current state:\nA1 blue sphere\nD4 red cube",
    )
    assert goal.audience == now.audience == ("describer",)
