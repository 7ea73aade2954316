import pytest

from palaver_gamemasters.maze.grid import Maze
from palaver_gamemasters.maze.speakers.manner import Manner, manner_of, opening_manner

BOARD = Maze(("@...", "....", "....", "...*"))


@pytest.mark.parametrize(
    ("text", "manner"),
    [
        ("Hello! Let's go right. Do you agree?", Manner.LOOSE),
        ("I propose we move to (0, 1).", Manner.LOOSE),
        ("Let us use (row, col), with (0, 0) in the top-left corner.", Manner.LOCAL),
        ("We use 0-based (row, col). (0, 1) is open and (1, 0) is a wall.", Manner.LOCAL),
        ("My map:\n@.?.\n?#?.\n.?.?\n.?.*", Manner.CAREFUL),
        ("Open: (0, 1), (0, 2), (1, 1), (2, 2). Walls: (1, 0), (3, 1). 0-based (row, col).", Manner.CAREFUL),
    ],
)
def test_the_manner_of_a_message_is_how_much_ground_it_lays(text: str, manner: Manner) -> None:
    assert manner_of(text, BOARD) == manner


def test_the_first_message_sets_the_manner() -> None:
    assert opening_manner([], BOARD) is None
    assert opening_manner(["Let's go!", "My map:\n@.?.\n?#?.\n.?.?\n.?.*"], BOARD) == Manner.LOOSE
