"""How the color puzzle is talked about.

The expert sees no square after the first grid, and need not: it names groups, and the next one depends on what the
solver reports. So the pair plays a stage a turn.
"""

from collections.abc import Sequence

from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .groups import COLOURS, SIDE, SQUARES, WHITE, ColorRules, Grid, squares_of
from .hearing import counts_in, grid_in, pressed_in
from .orders import Wish, wish_in
from .scene import ColorScene
from .words import sentences, white_in

__all__ = ["ASK", "ASK_LAST", "ColorTalk", "action_of"]

LINES = {"row": "the topmost row", "column": "the leftmost column"}
ASK = (
    "Please tell me the colours row by row, for example 'row 1: red, blue, blue, green'. After a group, "
    "tell me which it was and how many squares are white: for example 'I pressed all blue squares, 5 are white now'."
)
ASK_LAST = (
    "Which group was the last that you pressed? Please tell me, for example 'I pressed all blue squares', "
    "or 'I pressed the topmost row', and how many squares are white."
)
DONE = "All squares are white: the module is disarmed."


def action_of(square: int) -> str:
    """Name the action that presses a square."""
    return f"press_row_{square // SIDE + 1}_column_{square % SIDE + 1}"


class ColorTalk(Talk[ColorScene, ColorRules]):
    """The solver describes the first grid, presses groups, counts white squares; the expert reads the table."""

    def solve(self, sight: Sight[ColorScene]) -> str:
        """Press what the expert has just named, and report it; else describe."""
        actions = self.obey(sight)
        if not actions:
            return self.describe(sight)
        white = sight.scene.grid.count(WHITE) + len(actions)
        report = f"I press {_named(_wish(sight), sight.scene.grid)}: that makes {white} white squares."
        return "\n".join([*actions, report if white == SQUARES else f"{report} Which group is next?"])

    def describe(self, sight: Sight[ColorScene]) -> str:
        """Tell the grid row by row, how much of it is white, and the last group."""
        grid = sight.scene.grid
        said = ["That was a mistake, and the module has been reset."] if sight.mistaken else []
        said.append("I see a grid of 4 by 4 squares. From left to right:")
        said += [f"Row {row + 1}: {', '.join(grid[row * SIDE : (row + 1) * SIDE])}." for row in range(SIDE)]
        white = grid.count(WHITE)
        if white:
            said.append(f"{white} of them are white.")
            last = next(
                (found for each in reversed(sight.heard.of("solver")) if (found := pressed_in(sentences(each)))), ""
            )
            said += [f"The last group that I pressed was {LINES.get(last, last)}."] if last else []
        else:
            said.append("No square is white.")
        wish = _wish(sight)
        if wish and wish.group in COLOURS and wish.group not in grid:
            said.append(f"There is no {wish.group} square.")
        return "\n".join([*said, "Which group should I press?"])

    def obey(self, sight: Sight[ColorScene]) -> Sequence[str]:
        """Press all squares of the group that was asked for; after a mistake, what was asked for is out of date."""
        wish = _wish(sight)
        return tuple(action_of(square) for square in _squares(wish, sight.scene.grid)) if wish else ()

    def advise(self, rules: ColorRules, heard: Heard) -> str:
        """Name the next group, by the grid or by what the solver reports."""
        said = sentences(heard.latest)
        grid = grid_in(said)
        counts = {colour: grid.count(colour) for colour in grid} if grid else counts_in(said)
        white = counts.get(WHITE, 0) if counts else white_in(said)
        if white == SQUARES:
            return DONE
        if not white:
            first = counts and rules.first(counts)
            return f"Press all {first} squares, then tell me how many squares are white." if first else ASK
        last = pressed_in(said) or _last_named(heard)
        if last is None:
            return ASK_LAST
        reason = f"{white} squares are white and the last group was {last}"
        if grid:
            return f"{reason}, so the next group is {_order(rules.following(grid, last))}."
        group = rules.named(white, last)
        instead = rules.instead(group)
        more = f" If there is no {group} square, take the first of these that is there: {', '.join(instead)}."
        return f"{reason}, so the next group is {_order(group)}.{more if instead else ''}"


def _wish(sight: Sight[ColorScene]) -> Wish | None:
    return None if sight.mistaken else wish_in(sight.advice, sight.scene.grid.count(WHITE))


def _squares(wish: Wish, grid: Grid) -> tuple[int, ...]:
    """Return the squares that are meant, as far as they are not white."""
    if wish.squares:
        return tuple(square for square in wish.squares if grid[square] != WHITE)
    kind, _, number = wish.group.partition(" ")
    if number:
        line = (square for square in range(SQUARES) if divmod(square, SIDE)[kind == "column"] == int(number) - 1)
        return tuple(square for square in line if grid[square] != WHITE)
    return next((found for group in (wish.group, *wish.instead) if (found := squares_of(grid, group))), ())


def _named(wish: Wish | None, grid: Grid) -> str:
    """Name what is pressed."""
    if wish is None or wish.squares:
        return "these squares"
    if wish.group not in COLOURS:
        return LINES.get(wish.group, wish.group)
    return f"all {next(group for group in (wish.group, *wish.instead) if group in grid)} squares"


def _order(group: str) -> str:
    """Name a group, and what is to be done with it."""
    if group in LINES:
        return f"{group.capitalize()}: press all coloured squares of {LINES[group]} that has any"
    return f"{group}: press all {group} squares"


def _last_named(heard: Heard) -> str | None:
    """Return the group that the expert itself named last."""
    for said in reversed(heard.of("expert")):
        white = white_in(sentences(said))
        if wish := wish_in(said, white or 0):
            return wish.group.split(" ")[0] or None
    return None
