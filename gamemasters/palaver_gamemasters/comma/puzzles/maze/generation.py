"""New mazes (ours): sixteen rooms, a winding way through all of them and two doors more, a mouse not too far away."""

from palaver_gamemasters.dice import Dice

from .grid import Cell, Pose, Rows, poses_to

__all__ = ["LONGEST", "SHORTEST", "SIZE", "carve", "pick_pose"]

SIZE = 9
"""Squares a side, walls included; the middle one is always a wall, on which the torus stands."""
DOORS = 2
SHORTEST, LONGEST = 2, 8
"""Moves from the start to the accepting sphere. With the button, ten turns are enough even at one action a turn; and a
solver that moves at random gets there about as often as the study's does."""


def carve(dice: Dice) -> Rows:
    """Dig a maze: rooms are at odd rows and columns, what is between two of them is a wall or a door."""
    rooms = [(row, column) for row in range(1, SIZE, 2) for column in range(1, SIZE, 2)]
    first = dice.pick(rooms)
    free, path = {first}, [first]
    while path:
        doors = [(door, room) for door, room in _doors(path[-1]) if room not in free]
        if doors:
            door, room = dice.pick(doors)
            free |= {door, room}
            path.append(room)
        else:
            path.pop()
    closed = sorted({door for room in rooms for door, _ in _doors(room)} - free)
    free |= {*dice.sample(closed, DOORS)}
    return tuple("".join(".#"[(row, column) not in free] for column in range(SIZE)) for row in range(SIZE))


def pick_pose(rows: Rows, goal: Cell, dice: Dice) -> Pose:
    """Put the mouse somewhere: each number of moves within the limits is as likely as the others."""
    wanted = SHORTEST + dice.below(LONGEST - SHORTEST + 1)
    return dice.pick(sorted(pose for pose, number in poses_to(rows, goal).items() if number == wanted))


def _doors(room: Cell) -> list[tuple[Cell, Cell]]:
    """Return the doors of a room, with the room behind each."""
    row, column = room
    return [
        ((row + down, column + right), (row + 2 * down, column + 2 * right))
        for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1))
        if 0 < row + 2 * down < SIZE and 0 < column + 2 * right < SIZE
    ]
