"""What the solver of the maze puzzle sees, and how it is written."""

import re
from dataclasses import dataclass

from .grid import HEADINGS, Cell, Pose, Rows
from .manual import COLOURS

__all__ = ["MazeScene", "Spheres", "read", "write"]

Spheres = tuple[Cell, Cell, Cell, Cell]
"""Where the spheres stand, in the order of :data:`~.manual.COLOURS`."""

MICE = dict(zip(HEADINGS, "^>v<", strict=True))
LETTERS = {colour: colour[0].upper() for colour in COLOURS}
LEGEND = (
    "Legend: # wall, . free square, O torus, R B G Y spheres (red, blue, green, yellow), "
    "^ > v < the mouse with its nose pointing up, right, down or left."
)
DISARMED = "The module is disarmed."

TORUS = re.compile(r"The torus in the middle is (\w+)\.")
GRID = re.compile(r"^[#.ORBGY^>v<](?: [#.ORBGY^>v<])+$", re.MULTILINE)
UNDER = re.compile(r"stands on the square of the (\w+) sphere")


@dataclass(frozen=True, slots=True)
class MazeScene:
    """The maze, the torus in its middle, the spheres, the mouse, and whether the button has disarmed the module."""

    rows: Rows
    torus: str
    spheres: Spheres
    mouse: Pose
    disarmed: bool = False

    @property
    def under(self) -> str | None:
        """The colour of the sphere on whose square the mouse stands, if it does."""
        return next((colour for colour, at in zip(COLOURS, self.spheres, strict=True) if at == self.mouse.cell), None)


def write(scene: MazeScene) -> str:
    """Draw the maze with characters; what the mouse covers is said below."""
    drawn = [list(row) for row in scene.rows]
    middle = len(drawn) // 2
    drawn[middle][middle] = "O"
    for colour, (row, column) in zip(COLOURS, scene.spheres, strict=True):
        drawn[row][column] = LETTERS[colour]
    (row, column), heading = scene.mouse
    drawn[row][column] = MICE[heading]
    place = f"The mouse ({MICE[heading]}) is at row {row}, column {column} (both counted from 0), heading {heading}."
    standing = f" It stands on the square of the {scene.under} sphere." if scene.under else ""
    lines = [
        f"The torus in the middle is {scene.torus}.",
        "",
        *(" ".join(line) for line in drawn),
        "",
        LEGEND,
        place + standing,
        "Below the maze is a round button with a labyrinth on it.",
    ]
    return "\n".join([*lines, DISARMED] if scene.disarmed else lines)


def read(text: str) -> MazeScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it is no such maze.
    """
    torus, grid = TORUS.search(text), [line.split(" ") for line in GRID.findall(text)]
    seen = {mark: (row, column) for row, line in enumerate(grid) for column, mark in enumerate(line)}
    heading = next((name for name, mark in MICE.items() if mark in seen), None)
    if torus is None or heading is None:
        raise ValueError("this text shows no maze")
    mouse = Pose(seen[MICE[heading]], heading)
    under = UNDER.search(text)
    if under:
        seen[under[1][0].upper()] = mouse.cell
    try:
        red, blue, green, yellow = (seen[LETTERS[colour]] for colour in COLOURS)
    except KeyError as error:
        raise ValueError(f"this maze has no sphere {error.args[0]}") from error
    rows = tuple("".join("#" if mark in "#O" else "." for mark in line) for line in grid)
    return MazeScene(rows, torus[1], (red, blue, green, yellow), mouse, DISARMED in text)
