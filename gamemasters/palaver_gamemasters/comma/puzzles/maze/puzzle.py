"""The maze puzzle (COMMA, appendix A): take the mouse to the accepting sphere, then press the labyrinth button."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from PIL import Image as Pillow
from pydantic import Field

from palaver_gamemasters.comma.buttons import DOWNWARD, LEFTWARD, RIGHTWARD, UPWARD
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen

from . import manual as manuals
from .checks import check
from .generation import carve, pick_pose
from .grid import BUTTON, MOVES, Cell, Pose, Rows, distances, free_cells, moved, route
from .manual import COLOURS, MazeRules
from .picture import draw
from .scene import MazeScene, Spheres, read, write
from .talk import MazeTalk

__all__ = ["MazePuzzle", "MazeSetup", "MazeSpheres", "MazeState"]

MazeColour = Literal["red", "blue", "green", "yellow"]
Heading = Literal["up", "right", "down", "left"]
Number = Annotated[int, Field(ge=0)]

BRIEFING = (
    "The maze is seen from above. move_forward takes the mouse one square to where its nose points, move_backward one "
    "square the other way without turning it; turn_left and turn_right turn it on the spot, as the mouse sees it. A "
    "step into a wall does nothing. press_labyrinth_button presses the round button below the maze."
)


class MazeSpheres(Frozen):
    """Where the spheres stand: (row, column) of each, from 0."""

    red: tuple[Number, Number]
    blue: tuple[Number, Number]
    green: tuple[Number, Number]
    yellow: tuple[Number, Number]


class MazeSetup(Frozen):
    """A maze as rows of ``#`` (wall) and ``.`` (free), and what is in it; the torus stands on the middle square."""

    walls: Annotated[tuple[Annotated[str, Field(pattern=r"^[#.]+$")], ...], Field(min_length=5, max_length=13)]
    torus: MazeColour
    spheres: MazeSpheres
    mouse: tuple[Number, Number]
    heading: Heading


@dataclass(frozen=True, slots=True)
class MazeState:
    """Where the mouse is. ``goal`` is the accepting square, ``away`` how many squares off the mouse began."""

    rows: Rows
    torus: str
    spheres: Spheres
    goal: Cell
    away: int
    mouse: Pose
    disarmed: bool = False


class MazePuzzle(Puzzle[MazeSetup, MazeState, MazeScene, MazeRules]):
    """The colour of the torus says which sphere to go to; pressing the button elsewhere is a mistake."""

    name = "maze"
    title = "Maze"
    skills = ("multimodal grounding", "multi-step reasoning")
    setup_type = MazeSetup
    manual = Path(__file__).with_name("manual.md")
    talk = MazeTalk()

    def read_manual(self, manual: Manual) -> MazeRules:
        """Read which sphere is meant by which torus."""
        return manuals.read(manual)

    def generate(self, rules: MazeRules, dice: Dice, images: Path | None) -> MazeSetup:
        """Dig a maze and put everything in it."""
        rows = carve(dice)
        torus = dice.pick(COLOURS)
        goal = dice.pick(free_cells(rows))
        mouse = pick_pose(rows, goal, dice)
        others = [colour for colour in COLOURS if colour != rules[torus]]
        squares = dice.sample([cell for cell in free_cells(rows) if cell not in (goal, mouse.cell)], len(others))
        spheres = {rules[torus]: goal, **dict(zip(others, squares, strict=True))}
        return MazeSetup.model_validate(
            {"walls": rows, "torus": torus, "spheres": spheres, "mouse": mouse.cell, "heading": mouse.heading}
        )

    def start(self, setup: MazeSetup, rules: MazeRules) -> MazeState:
        """Find the accepting sphere.

        Raises:
            InstanceError: something stands on a wall or on something else, or cannot be reached.
        """
        spheres: Spheres = (setup.spheres.red, setup.spheres.blue, setup.spheres.green, setup.spheres.yellow)
        goal = spheres[COLOURS.index(rules[setup.torus])]
        check(setup.walls, spheres, setup.mouse, goal)
        away = distances(setup.walls, goal)[setup.mouse]
        return MazeState(setup.walls, setup.torus, spheres, goal, away, Pose(setup.mouse, setup.heading))

    def actions(self, state: MazeState) -> tuple[str, ...]:
        """Four moves and the button."""
        return (*MOVES, BUTTON)

    def act(self, state: MazeState, action: str) -> Step[MazeState]:
        """Move the mouse, or press the button: anywhere but at the goal that is a mistake."""
        if action != BUTTON:
            return Step(replace(state, mouse=moved(state.rows, state.mouse, action)))
        if state.mouse.cell != state.goal:
            return Step(state, mistake=True)
        return Step(replace(state, disarmed=True))

    def solved(self, state: MazeState) -> bool:
        """Whether the button was pressed where it counts."""
        return state.disarmed

    def progress(self, state: MazeState) -> float:
        """Return the share of the shortest way that is covered (ours); none where the mouse is further off."""
        return max(0.0, 1 - distances(state.rows, state.goal)[state.mouse.cell] / state.away)

    def scene(self, state: MazeState) -> MazeScene:
        """Show all but which sphere is the accepting one."""
        return MazeScene(state.rows, state.torus, state.spheres, state.mouse, state.disarmed)

    def write(self, scene: MazeScene) -> str:
        """Draw the maze with characters."""
        return write(scene)

    def read(self, text: str) -> MazeScene:
        """Read the characters."""
        return read(text)

    def draw(self, scene: MazeScene) -> Pillow.Image:
        """Draw the maze from above."""
        return draw(scene)

    def briefing(self, state: MazeState) -> str:
        """Say how the mouse moves."""
        return BRIEFING

    def moves(self, actions: tuple[str, ...], scene: MazeScene) -> tuple[Move, ...]:
        """The steps by the arrow keys, as the mouse sees them, and the button."""
        labels = ("Forward", "Backward", "Turn left", "Turn right")
        steps = zip(MOVES, labels, (UPWARD, DOWNWARD, LEFTWARD, RIGHTWARD), strict=True)
        return (
            *(Move(move, label, f"The mouse, heading {scene.mouse.heading}", keys) for move, label, keys in steps),
            Move(BUTTON, "Press the labyrinth button", "Below the maze"),
        )

    def answer(self, state: MazeState) -> str:
        """Name the sphere and a shortest way to it."""
        colour = COLOURS[state.spheres.index(state.goal)]
        moves = route(state.rows, state.mouse, state.goal) or ()
        return (
            f"The torus is {state.torus}, so the accepting position is the {colour} sphere at row {state.goal[0]}, "
            f"column {state.goal[1]} (from 0). A shortest way there: {', '.join([*moves, BUTTON])}."
        )
