"""How the grids of a color puzzle are drawn (ours)."""

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError

from .groups import COLOURS, SQUARES, WHITE, ColorRules, Grid, squares_of

__all__ = ["LETTERS", "STAGES", "grids"]

LETTERS = {colour[0].upper(): colour for colour in COLOURS}
STAGES = 8
"""At most: the pair needs a turn to begin, and one more for each."""
TRIES = 1000
FEWEST = (3, 4)
"""Squares of the smallest colour of the first grid.

With groups this large, a solver that presses at random has a PSR of 4.0 % and a length of 2.77 (20,000 episodes;
published: 6 +- 1.0 and 2.58 +- .1). The two cannot both be met: each right press adds 1 to the length and at most 1/16
to the PSR, so 2.58 allows for 3.6 % at most. These sizes share the difference out. If pressing a white square had no
effect instead of being a mistake, the length would be 2.84, further off, and the PSR much the same.
"""


def grids(rules: ColorRules, dice: Dice) -> tuple[Grid, ...]:
    """Draw the grid of each stage.

    Raises:
        InstanceError: under these rules it takes too many stages, time and again.
    """
    for _ in range(TRIES):
        if found := _attempt(rules, dice):
            return found
    raise InstanceError(
        f"the color manual's table makes every game longer than {STAGES} stages",
        mend="let it name larger groups, such as Row and Column, in more of its cells",
    )


def _attempt(rules: ColorRules, dice: Dice) -> tuple[Grid, ...]:
    """Draw grids while playing the right groups; nothing if that takes too many stages."""
    grid = _first(dice)
    group = rules.first({colour: grid.count(colour) for colour in COLOURS})
    drawn = [grid]
    while True:
        pressed = squares_of(grid, group)
        grid = tuple(WHITE if square in pressed else colour for square, colour in enumerate(grid))
        if grid.count(WHITE) == SQUARES:
            return tuple(drawn)
        if len(drawn) == STAGES:
            return ()
        grid = _recoloured(grid, rules.named(grid.count(WHITE), group), dice)
        drawn.append(tuple(was if now == WHITE else now for was, now in zip(drawn[-1], grid, strict=True)))
        group = rules.following(grid, group)


def _first(dice: Dice) -> Grid:
    """Draw the first grid: how large the smallest colour is, how many colours there are, then their sizes."""
    fewest = dice.pick(FEWEST)
    colours = dice.sample(COLOURS, dice.pick(range(3, min(len(COLOURS), SQUARES // fewest) + 1)))
    grid = [colour for colour in colours for _ in range(fewest)]
    # The first of them stays the smallest, or one of the smallest.
    grid += [dice.pick(colours[1:]) for _ in range(SQUARES - len(grid))]
    dice.shuffle(grid)
    return tuple(grid)


def _recoloured(grid: Grid, named: str, dice: Dice) -> Grid:
    """Let squares change, half of them to the colour that the table names: groups are not too small then."""
    taken = [named if named in COLOURS and dice.below(2) else dice.pick(COLOURS) for _ in grid]
    return tuple(colour if colour == WHITE else new for colour, new in zip(grid, taken, strict=True))
