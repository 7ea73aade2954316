"""How a game of MatchIt stands, for those who watch: both pictures side by side, and what was decided."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from palaver_gamemasters import svg
from palaver_gamemasters.clembench import tiles
from palaver_gamemasters.clembench.play import Play
from palaver_gamemasters.clembench.tiles import Tile
from palaver_gamemasters.showing import Move, Panel
from palaver_gamemasters.svg import Element

from .prompts import Thing
from .rules import Step

if TYPE_CHECKING:
    from .game import MatchItState

__all__ = ["panels", "sayings"]

WIDE, HEAD, FOOT, EDGE, APART = 360.0, 64.0, 84.0, 30.0, 120.0
PLAYERS = ("A", "B")
HEADS = ("A: player 1", "B: player 2")
YES_OR_NO = (("yes", "y"), ("no", "n"))


def panels(play: Play["MatchItState"], thing: Thing) -> tuple[Panel, ...]:
    """Draw what both players see, and whether it is the same; none if the grids are no grids."""
    setup = play.now.setup
    shown = [setup.shown(thing, player) for player in PLAYERS]
    found = [tiles.pictured(play, each) if thing == "image" else tiles.gridded(each) for each in shown]
    both = [tile for tile in found if tile is not None]
    if len(both) < len(PLAYERS):
        return ()
    high = WIDE * max(tile.height / tile.width for tile in both)
    width, height = 2 * EDGE + 2 * WIDE + APART, HEAD + high + FOOT
    told = "\n\n".join(_told(play, both))
    drawing = svg.document(width, height, *_drawn(play, both, width, high), title=told)
    title = f"The right answer: {setup.solution}"
    return (Panel(title, told, svg=drawing, width=round(width), height=round(height)),)


def sayings(play: Play["MatchItState"]) -> tuple[Move, ...]:
    """Return what can be said in one line: a decision; yes or no to a question.

    Both decisions are there, sorted by their letters: their order does not tell which is right.
    """
    setup, step = play.now.setup, play.now.plan[play.now.at]
    flag = setup.flags[step.kind]
    if step.kind == "decision":
        both = sorted((setup.solution, setup.wrong_solution), reverse=True)
        keys = [(words[:1].lower(),) for words in both]
        differ = len(set(keys)) == len(both)
        return tuple(
            Move(f"{flag} {words}", words.capitalize(), "Decision", key if differ else (), ends=True)
            for words, key in zip(both, keys, strict=True)
        )
    if step.kind == "answer":
        return tuple(Move(f"{flag} {word}", word.capitalize(), "Answer", (key,), ends=True) for word, key in YES_OR_NO)
    return ()


def _decided(play: Play["MatchItState"], player: str) -> tuple[str, bool] | None:
    """Return what a player has decided, and whether it is right; None before that."""
    now = play.now
    order = [step.player for step in now.plan if step.kind == "decision"]
    decided = dict(zip(order, now.decisions, strict=False))
    if player not in decided:
        return None
    right = decided[player] == "success"
    return (now.setup.solution if right else now.setup.wrong_solution), right


def _told(play: Play["MatchItState"], both: list[Tile]) -> Iterator[str]:
    yield f"The right answer: {play.now.setup.solution}."
    for player, head, tile in zip(PLAYERS, HEADS, both, strict=True):
        yield f"{head} sees:\n{tile.words}"
        if decided := _decided(play, player):
            yield f"{head} has decided: {decided[0]}, which is {'right' if decided[1] else 'wrong'}."


def _drawn(play: Play["MatchItState"], both: list[Tile], width: float, high: float) -> Iterator[Element]:
    yield svg.rectangle(
        1, 1, width - 2, HEAD + high + FOOT - 2, tiles.PAPER, radius=20, stroke=tiles.RIM, stroke_width=2
    )
    one, other = (tile.grid for tile in both)
    apart = one.filled ^ other.filled if one and other and one.side == other.side else frozenset()
    alike = play.now.setup.solution.lower().startswith("same")
    yield _sign((width / 2, HEAD + high / 2), alike=alike)
    step = None if play.ending else play.now.plan[play.now.at]
    for place, (player, head, tile) in enumerate(zip(PLAYERS, HEADS, both, strict=True)):
        left = EDGE + place * (WIDE + APART)
        tall = WIDE * tile.height / tile.width
        box = (left, HEAD + (high - tall) / 2, WIDE, tall)
        yield svg.centred(left + WIDE / 2, HEAD / 2, head, 28, tiles.FAINT)
        yield tile.drawn(box, apart)
        yield svg.rectangle(*box, "none", stroke=tiles.INK, stroke_width=2)
        label = _label(play, player, step)
        if label:
            yield tiles.pill((left + WIDE / 2, HEAD + high + FOOT / 2), *label)


def _label(play: Play["MatchItState"], player: str, step: Step | None) -> tuple[str, str] | None:
    """Return what stands below a player's picture, with its colour: its decision, or that it is asked."""
    if decided := _decided(play, player):
        words, right = decided
        return f"{words} {'✓' if right else '✗'}", tiles.GOOD if right else tiles.BAD
    if step is not None and step.player == player:
        return step.kind, tiles.DOING
    return None


def _sign(centre: tuple[float, float], *, alike: bool) -> Element:
    """Draw an equals sign, struck through where the two differ."""
    x, y = centre
    bars = [svg.line((x - 30, y + each), (x + 30, y + each), tiles.INK, 9) for each in (-13, 13)]
    return svg.group(*bars, *([] if alike else [svg.line((x - 18, y + 38), (x + 18, y - 38), tiles.BAD, 9)]))
