"""The color puzzle (COMMA, appendix A): press group after group, until all squares are white."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from PIL import Image as Pillow
from pydantic import Field

from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzle import Puzzle, Step
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Frozen

from . import manual as manuals
from .generation import LETTERS, grids
from .groups import SIDE, SQUARES, WHITE, ColorRules, Grid, name_of, squares_of
from .picture import draw
from .scene import ColorScene, read, write
from .talk import ColorTalk, action_of

__all__ = ["ColorPuzzle", "ColorSetup", "ColorState"]

ACTIONS = tuple(action_of(square) for square in range(SQUARES))
Row = Annotated[str, Field(pattern=r"^[RBGYM]{4}$")]
Rows = Annotated[tuple[Row, ...], Field(min_length=SIDE, max_length=SIDE)]


class ColorSetup(Frozen):
    """The grid of each stage: four rows of four letters, for Red, Blue, Green, Yellow and Magenta.

    Squares that are white by then have no colour; what stands there is passed over. After the last grid, colours stay.
    """

    grids: Annotated[tuple[Rows, ...], Field(min_length=1, max_length=SQUARES)]


@dataclass(frozen=True, slots=True)
class ColorState:
    """A stage (from 0) with its ``group``: ``due`` are the squares of it still to be pressed, ``white`` all that were.

    ``grids`` hold the colours of each stage as if no square were white.
    """

    grids: tuple[Grid, ...]
    rules: ColorRules
    stage: int
    group: str
    due: frozenset[int]
    white: frozenset[int] = frozenset()

    @property
    def grid(self) -> Grid:
        """The grid as it shows."""
        colours = self.grids[min(self.stage, len(self.grids) - 1)]
        return tuple(WHITE if square in self.white else colour for square, colour in enumerate(colours))


class ColorPuzzle(Puzzle[ColorSetup, ColorState, ColorScene, ColorRules]):
    """A wrong square, a white one included, is a mistake and leads back to the first grid."""

    name = "color"
    title = "Color"
    skills = ("memory recall", "multi-step reasoning")
    setup_type = ColorSetup
    manual = Path(__file__).with_name("manual.md")
    talk = ColorTalk()

    def read_manual(self, manual: Manual) -> ColorRules:
        """Read the list of colours and the table of groups."""
        return manuals.read(manual)

    def generate(self, rules: ColorRules, dice: Dice, images: Path | None) -> ColorSetup:
        """Draw a grid for each stage."""
        letters = {colour: letter for letter, colour in LETTERS.items()}
        rows = [
            ["".join(letters[colour] for colour in grid[first : first + SIDE]) for first in range(0, SQUARES, SIDE)]
            for grid in grids(rules, dice)
        ]
        return ColorSetup.model_validate({"grids": rows})

    def start(self, setup: ColorSetup, rules: ColorRules) -> ColorState:
        """Find the first group."""
        return _first(tuple(tuple(LETTERS[letter] for letter in "".join(rows)) for rows in setup.grids), rules)

    def actions(self, state: ColorState) -> tuple[str, ...]:
        """One for each square, row by row."""
        return ACTIONS

    def act(self, state: ColorState, action: str) -> Step[ColorState]:
        """Press a square: one of the group turns white, any other resets the module."""
        square = ACTIONS.index(action)
        if square not in state.due:
            return Step(_first(state.grids, state.rules), mistake=True)
        pressed = replace(state, due=state.due - {square}, white=state.white | {square})
        if pressed.due or self.solved(pressed):
            return Step(pressed)
        pressed = replace(pressed, stage=state.stage + 1)
        group = state.rules.following(pressed.grid, state.group)
        return Step(replace(pressed, group=group, due=frozenset(squares_of(pressed.grid, group))))

    def solved(self, state: ColorState) -> bool:
        """Whether all squares are white."""
        return len(state.white) == SQUARES

    def progress(self, state: ColorState) -> float:
        """Return the share of white squares."""
        return len(state.white) / SQUARES

    def scene(self, state: ColorState) -> ColorScene:
        """Show the grid."""
        return ColorScene(state.grid)

    def write(self, scene: ColorScene) -> str:
        """Show the grid as a table."""
        return write(scene)

    def read(self, text: str) -> ColorScene:
        """Read the table."""
        return read(text)

    def draw(self, scene: ColorScene) -> Pillow.Image:
        """Draw the board."""
        return draw(scene)

    def briefing(self, state: ColorState) -> str:
        """Say how squares are counted, and that several may be pressed at a time."""
        return (
            "Row 1 is the topmost row, column 1 the leftmost column. "
            "Squares of one group may be pressed in any order, and in one message."
        )

    def moves(self, actions: tuple[str, ...], scene: ColorScene) -> tuple[Move, ...]:
        """The squares, row by row."""
        return tuple(
            Move(action, f"Column {square % SIDE + 1}: {colour}", f"Row {square // SIDE + 1}")
            for square, (action, colour) in enumerate(zip(actions, scene.grid, strict=True))
        )

    def answer(self, state: ColorState) -> str:
        """Name the groups in their order, with their squares."""
        told = (
            f"{number}. {stage.group} ({'; '.join(name_of(square) for square in sorted(stage.due))})"
            for number, stage in enumerate(self._right(_first(state.grids, state.rules)), 1)
        )
        return f"The right groups, one after the other, are: {', '.join(told)}."

    def _right(self, state: ColorState) -> Iterator[ColorState]:
        """Play the stages as they should be; return each at its beginning."""
        while not self.solved(state):
            yield state
            for square in sorted(state.due):
                state = self.act(state, ACTIONS[square]).state


def _first(grids: tuple[Grid, ...], rules: ColorRules) -> ColorState:
    group = rules.first({colour: grids[0].count(colour) for colour in rules.order})
    return ColorState(grids, rules, 0, group, frozenset(squares_of(grids[0], group)))
