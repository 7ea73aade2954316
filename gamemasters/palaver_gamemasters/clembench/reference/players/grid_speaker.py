"""What player 1 says of a grid so that nobody takes it for another, in words that people would use."""

from collections.abc import Callable, Iterator, Sequence

from palaver_gamemasters.clembench.families import names
from palaver_gamemasters.clembench.grids import Grid

from .choosing import Statement, chosen
from .grid_reader import fits
from .places import FALLING, RISING, Cells, every_cell, falling, rising

__all__ = ["expression_of"]

ALMOST = 2
"""In how many cells a grid may differ from what it looks like."""

Truth = Callable[[Grid], bool]


def expression_of(target: Grid, distractors: Sequence[Grid]) -> str:
    """Say which grid is meant.

    The speaker listens to itself: if its words would be taken for another grid, it counts the cells up that differ.
    """
    others = [grid for grid in distractors if grid != target and grid.side == target.side]
    for found in (_statements(target), _cells(target, others)):
        said = [Statement(text, _false_of(truth, others)) for text, truth in found]
        text = f"the grid {' and '.join(chosen(said, len(others)) or [said[0].text])}"
        mine, *theirs = fits(text, [target, *others])
        if all(mine > their for their in theirs):
            return text
    return "the grid with " + ", ".join(f"row {number} as {row}" for number, row in enumerate(target.rows, 1))


def _false_of(truth: Truth, others: Sequence[Grid]) -> frozenset[int]:
    return frozenset(number for number, other in enumerate(others) if not truth(other))


def _statements(target: Grid) -> Iterator[tuple[str, Truth]]:
    """Yield what is true of a grid, the most natural first."""
    looks = min(names(), key=target.distance)
    near = target.distance(looks)
    name = names()[looks]
    if near == 0 and name in (FALLING, RISING):
        yield f"where only {name} is filled", lambda grid: grid == target
    elif near <= ALMOST and target.side == looks.side:
        yield f"that looks like {name}", lambda grid: looks.distance(grid) <= near
    yield from _only_lines(target)
    for text, cells in _places(target.side):
        if len(cells) > 1 and target.filled == every_cell(target.side) - cells:
            yield f"where every cell but {text} is filled", lambda grid: grid == target
    regions = [*_lines(target.side), *_places(target.side)]
    for text, cells in regions:
        if cells <= target.filled:
            yield f"where {_are(text)} filled", _filled(cells)
    for text, cells in regions:
        if not cells & target.filled:
            yield f"where {_are(text)} empty", _empty(cells)
    count = len(target.filled)
    yield f"with exactly {count} filled cells", lambda grid: len(grid.filled) == count
    yield from _cells(target, ())


def _only_lines(target: Grid) -> Iterator[tuple[str, Truth]]:
    """Yield which whole rows or columns are all that is filled, if that is so."""
    side = target.side
    for kind, turned in (("row", target), ("column", target.rotated(3))):
        full = [at for at in range(side) if all((at, other) in turned.filled for other in range(side))]
        if kind == "column":
            full = sorted(side - 1 - at for at in full)
        if len(full) * side != len(target.filled) or not 0 < len(full) < side:
            continue
        if len(full) == side - 1:
            (spared,) = set(range(side)) - set(full)
            yield f"where every {kind} but {kind} {spared + 1} is filled", lambda grid: grid == target
        else:
            lines = _listed(kind, [at + 1 for at in full])
            yield f"where only {_are(lines)} filled", lambda grid: grid == target


def _lines(side: int) -> Iterator[tuple[str, Cells]]:
    for at in range(side):
        row = {0: "the top row", side - 1: "the bottom row"}.get(at, f"row {at + 1}")
        yield row, frozenset((at, other) for other in range(side))
    for at in range(side):
        column = {0: "the left column", side - 1: "the right column"}.get(at, f"column {at + 1}")
        yield column, frozenset((other, at) for other in range(side))


def _places(side: int) -> Iterator[tuple[str, Cells]]:
    yield FALLING, falling(side)
    yield RISING, rising(side)
    end = side - 1
    yield "all four corners", frozenset((row, column) for row in (0, end) for column in (0, end))
    for text, row, column in (
        ("the top left corner", 0, 0),
        ("the top right corner", 0, end),
        ("the bottom left corner", end, 0),
        ("the bottom right corner", end, end),
    ):
        yield text, frozenset([(row, column)])
    if side % 2:
        yield "the centre", frozenset([(side // 2, side // 2)])


def _cells(target: Grid, others: Sequence[Grid]) -> Iterator[tuple[str, Truth]]:
    """Yield single cells, filled ones first: of some grids those that differ, else all."""
    wanted = {cell for other in others for cell in target.filled ^ other.filled} if others else every_cell(target.side)
    for row, column in sorted(wanted & target.filled):
        yield f"with a filled cell in row {row + 1}, column {column + 1}", _filled(frozenset([(row, column)]))
    for row, column in sorted(wanted - target.filled):
        yield f"with an empty cell in row {row + 1}, column {column + 1}", _empty(frozenset([(row, column)]))


def _filled(cells: Cells) -> Truth:
    return lambda grid: cells <= grid.filled


def _empty(cells: Cells) -> Truth:
    return lambda grid: not cells & grid.filled


def _are(places: str) -> str:
    return f"{places} {'are' if ' and ' in places or 'corners' in places else 'is'}"


def _listed(kind: str, numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"{kind} {numbers[0]}"
    return f"{kind}s {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
