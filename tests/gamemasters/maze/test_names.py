import pytest

from palaver_gamemasters.maze.names import next_speaker

SEATS = ("agent_1", "agent_2", "agent_3")


@pytest.mark.parametrize(
    "text",
    [
        "What does agent 3 see?",
        "@agent 3 please go on",
        "agent_3, your turn",
        "Agent 3: do you agree?",
        "**Agent 3**, do you agree?",
        "I am agent 1. Agent 3, what do you see?",
        "Agent 3 and agent 2, do you agree?",
        "Agents 3 and 2, do you agree?",
        "Agents 1 and 3 know the way.",
        "Agent 9? No: agent 3.",
        "AGENT3!",
    ],
)
def test_the_first_other_seat_that_is_named_speaks_next(text: str) -> None:
    assert next_speaker(SEATS, "agent_1", text) == "agent_3"


@pytest.mark.parametrize(
    ("speaker", "text", "after"),
    [
        ("agent_1", "Shall we move right?", "agent_2"),
        ("agent_2", "I am agent 2.", "agent_3"),
        ("agent_3", "", "agent_1"),
        ("agent_2", "Agents, at (3, 3) there is a wall.", "agent_3"),
        ("agent_2", "agent 12 and reagent 1 are none of us", "agent_3"),
        ("agent_2", f"agent {'3' * 9999}", "agent_3"),
        ("agent_1", "Agent 2, 3 cells down there is a wall.", "agent_2"),
    ],
)
def test_where_no_other_is_named_the_next_in_turn_speaks(speaker: str, text: str, after: str) -> None:
    assert next_speaker(SEATS, speaker, text) == after
