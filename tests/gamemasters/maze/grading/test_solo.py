import pytest

from palaver_gamemasters.maze.grading.notations import Alphabet
from palaver_gamemasters.maze.grading.solo import submitted_route

CELLS = ("0,0", "1,0", "1,1", "2,1")


def submitted(*texts: str) -> list[str]:
    route = submitted_route([("agent_1", text) for text in texts], Alphabet(6))
    return [",".join(spoken) for spoken in route.moves]


@pytest.mark.parametrize(
    "text",
    [
        "Final solution, (row, column) from (0, 0) at the top left: [(0, 0), (1, 0), (1, 1), (2, 1)]",
        "Final solution, (row, column) from (0, 0) at the top left:\n[(0, 0), (1, 0), (1, 1), (2, 1)]",
        "**Final solution:** (0,0) → (1,0) → (1,1) → (2,1)",
        "Path: (0,0), (1,0), (1,1), (2,1)",
        "```json\n[[0,0], [1,0], [1,1], [2,1]]\n```",
        "```python\npath = [\n    (0, 0),\n    (1, 0),\n    (1, 1),\n    (2, 1),\n]\n```",
        "Final Solution\n\n1. (0,0)\n2. (1,0)\n3. (1,1)\n4. (2,1)\n\nThis path is valid.",
        "Solution:\nStart: (0,0)\nStep 1: Move down to (1,0)\nStep 2: Move right to (1,1)\nStep 3: Move down to (2,1)",
        "Path:\n- (0,0) - start\n- (1,0) - down from (0,0)\n- (1,1) - right, as (2,0) is a wall\n- (2,1) - the goal",
        r"The answer is $\boxed{(0,0) \rightarrow (1,0) \rightarrow (1,1) \rightarrow (2,1)}$.",
        "Final path: (0,0) -> (1,0) ->\n(1,1) -> (2,1)",
        "Walls: (0,1), (2,0).\nOpen cells: (0,0), (0,2), (1,0), (1,1), (2,1).\nSolution: (0,0), (1,0), (1,1), (2,1)",
        "First attempt: (0,0) → (0,1) → (0,2) → (1,2) → (2,2). That fails.\nCorrected: (0,0) → (1,0) → (1,1) → (2,1)",
    ],
)
def test_a_solution_in_many_forms(text: str) -> None:
    assert submitted(text) == list(CELLS)


@pytest.mark.parametrize("text", ["down, right, down", "D, R, D", "DRDD"[:3] + "D", "↓ → ↓", "1 down, 1 right, 1 down"])
def test_a_solution_in_directions(text: str) -> None:
    moves = submitted(f"Final solution: {text}")
    assert [move.lower()[0] for move in moves[:3]] in (["d", "r", "d"], ["↓", "→", "↓"])


def test_transitions_restate_where_they_start() -> None:
    said = "The path is:\n(0,0) → (1,0): down\n(1,0) → (1,1): right\n(1,1) → (2,1): down"
    assert submitted(said) == ["0,0", "1,0", "1,0", "1,1", "1,1", "2,1"]


def test_a_solution_in_prose() -> None:
    assert submitted("First move down to (1,0). Then move right to (1,1); then move down to (2,1).") == list(CELLS[1:])


def test_the_critic_step_submits_again() -> None:
    assert submitted("Path: (0,0), (0,1), (0,2)", "Final path: (0,0), (1,0), (1,1), (2,1)") == list(CELLS)


@pytest.mark.parametrize(
    "critic",
    [
        "I have reviewed the path. It is valid and confirmed.",
        "Each step is adjacent, e.g. (1,0) to (1,1). The solution is complete.",
        "The walls at (0,1), (2,0), (3,3) and (4,1) are avoided. Confirmed!",
        "",
    ],
)
def test_a_critic_step_that_merely_confirms_leaves_the_solution(critic: str) -> None:
    assert submitted("Final solution: (0,0), (1,0), (1,1), (2,1)", critic) == list(CELLS)


def test_no_solution() -> None:
    assert submitted("I give up.", "There is no way, I am afraid.") == []
    assert submitted() == []


def test_entries_name_the_turn_and_the_speaker() -> None:
    entries = submitted_route([("me", "Path: A1, A2, B2")], Alphabet(6)).route
    assert {(entry.turn, entry.agent, entry.turn_type) for entry in entries} == {(1, "me", "move")}
