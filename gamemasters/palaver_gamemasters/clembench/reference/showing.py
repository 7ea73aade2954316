"""How a reference game stands, for those who watch: what each player sees, the target in both, and the guess."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from palaver_gamemasters import svg
from palaver_gamemasters.clembench import tiles
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.clembench.tiles import Tile
from palaver_gamemasters.showing import Move, Panel
from palaver_gamemasters.svg import Element

from .prompts import ORDINALS
from .rules import read_answer

if TYPE_CHECKING:
    from .game import ReferenceState

__all__ = ["choices", "panels"]

WIDE, HEAD, EDGE, BETWEEN, APART = 300.0, 76.0, 40.0, 44.0, 110.0
"""A tile's width; what is left above the tiles; around them; from tile to tile downwards; from player to player."""
PLACES = ("player_1", "player_2")
HEADS = ("player 1 tells", "player 2 guesses")
NUMBERS = {"first": 0, "second": 1, "third": 2, "1": 0, "2": 1, "3": 2, "1st": 0, "2nd": 1, "3rd": 2}


class _Table(NamedTuple):
    """Both rows of three, where the target lies in each, and which one was guessed; None where that is not known."""

    tiles: tuple[Sequence[Tile], Sequence[Tile]]
    targets: tuple[int | None, int | None]
    guess: int | None

    @property
    def right(self) -> bool:
        """Whether the guess is the target."""
        return self.guess is not None and self.guess == self.targets[1]


def panels(play: Play["ReferenceState"], *, pictured: bool) -> tuple[Panel, ...]:
    """Draw what both players see, one above the other for each; none if the grids are no grids."""
    table = _table(play, pictured=pictured)
    if table is None:
        return ()
    high = WIDE * max(tile.height / tile.width for row in table.tiles for tile in row)
    width = 2 * EDGE + 2 * WIDE + APART
    height = HEAD + EDGE + 3 * high + 2 * BETWEEN
    told = "\n\n".join(_told(table))
    drawing = svg.document(width, height, *_drawn(table, width, height, high), title=told)
    return (Panel(_title(table), told, svg=drawing, width=round(width), height=round(height)),)


def choices(play: Play["ReferenceState"]) -> tuple[Move, ...]:
    """Return player 2's three answers, as far as the instance's rules take them; each is all that may be said."""
    return tuple(
        Move(says, ordinal.capitalize(), "Which one is meant?", (str(number),), ends=True)
        for number, ordinal in enumerate(ORDINALS, 1)
        if (read := read_answer(play.now.setup, says := f"Answer: {ordinal}", clean=play.clean)) and read.valid
    )


def _table(play: Play["ReferenceState"], *, pictured: bool) -> _Table | None:
    setup = play.now.setup
    found = next((NUMBERS[name.lower()] for name in setup.target if name.lower() in NUMBERS), None)
    guess = NUMBERS.get((play.now.answer or "").lower())
    if not pictured:
        fields = play.instance.fields
        named = (("target", *ORDINALS[1:]), ORDINALS)
        rows = [
            [tiles.gridded(str(fields.get(f"{seat}_{name}_grid"))) for name in names]
            for seat, names in zip(PLACES, named, strict=True)
        ]
        guide, follower = ([tile for tile in row if tile is not None] for row in rows)
        return _Table((guide, follower), (0, found), guess) if len(guide) == len(follower) == len(ORDINALS) else None
    names = [[str(getattr(setup, f"{seat}_{place}_image")) for place in ORDINALS] for seat in PLACES]
    told = None if found is None or names[1][found] not in names[0] else names[0].index(names[1][found])
    first, second = ([tiles.pictured(play, name) for name in row] for row in names)
    return _Table((first, second), (told, found), guess)


def _title(table: _Table) -> str:
    if table.guess is None:
        return "What both see"
    return "Guessed right" if table.right else "Guessed wrong"


def _told(table: _Table) -> Iterator[str]:
    for seat, row, target in zip(PLACES, table.tiles, table.targets, strict=True):
        for place, tile in enumerate(row):
            marks = [", the target"] * (place == target)
            marks += [", the guess"] * (seat == PLACES[1] and place == table.guess)
            yield f"{seat}, {ORDINALS[place]}{''.join(marks)}:\n{tile.words}"


def _drawn(table: _Table, width: float, height: float, high: float) -> Iterator[Element]:
    yield svg.rectangle(1, 1, width - 2, height - 2, tiles.PAPER, radius=20, stroke=tiles.RIM, stroke_width=2)
    lefts = (EDGE, EDGE + WIDE + APART)
    tops = [HEAD + place * (high + BETWEEN) for place in range(len(ORDINALS))]
    here, there = table.targets
    if here is not None and there is not None:
        ends = (lefts[0] + WIDE, tops[here] + high / 2), (lefts[1], tops[there] + high / 2)
        yield svg.line(*ends, tiles.GOOD, 6, stroke_dasharray="2 14")
    colour, word = (tiles.GOOD, "guess: right") if table.right else (tiles.BAD, "guess: wrong")
    if table.guess is not None:
        left, top = lefts[1] - 13, tops[table.guess] - 13
        yield svg.rectangle(left, top, WIDE + 26, high + 26, "none", radius=16, stroke=colour, stroke_width=6)
    for left, head, row, target in zip(lefts, HEADS, table.tiles, table.targets, strict=True):
        yield svg.centred(left + WIDE / 2, HEAD / 2, head, 28, tiles.FAINT)
        for place, tile in enumerate(row):
            yield from _tile(tile, (left, tops[place], WIDE, high), place, target=place == target)
    if table.guess is not None:
        yield tiles.pill((lefts[1] + WIDE / 2, tops[table.guess] + high + 12), word, colour)


def _tile(tile: Tile, box: tiles.Box, place: int, *, target: bool) -> Iterator[Element]:
    left, top, width, high = box
    tall = width * tile.height / tile.width
    middle = top + (high - tall) / 2
    yield tile.drawn((left, middle, width, tall))
    if target:
        yield svg.rectangle(left - 4, top - 4, width + 8, high + 8, "none", radius=8, stroke=tiles.GOOD, stroke_width=9)
        yield tiles.pill((left + width - 62, top), "target", tiles.GOOD, 22)
    yield svg.element("circle", cx=left, cy=top, r=20, fill=tiles.INK, stroke=tiles.PAPER, stroke_width=3)
    yield svg.centred(left, top, str(place + 1), 24, "#ffffff", font_weight="600")
