"""Ship Time: eight clocks whose hands wave two flags each, and one to eight bells."""

import math

from palaver_gamemasters.drawing import Canvas

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, page

__all__ = ["draw"]

WAYS = ("up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left")
CLOCKS = (
    (5, "down", "down-left"),
    (2, "down-left", "up-right"),
    (8, "left", "down-right"),
    (1, "down-left", "down"),
    (7, "up", "down"),
    (4, "down-left", "left"),
    (6, "down-right", "down-left"),
    (3, "up-right", "down-left"),
)
"""The bells below each clock, and where its hands point."""
LOOK = Look("#e6eef2", "#14303f", "#b08a3a")
HEIGHT, RADIUS = 990, 106


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the page."""
    lines: list[str | Placed] = [
        "Eight round clocks, four in a row, with ticks and no numerals. Below each clock hang some little bells.",
        "The two hands of a clock are equally long, and each has a flag at its end, red and yellow.",
        *(
            Placed(
                f"clock, {('upper', 'lower')[at // 4]} row, number {at % 4 + 1}: hands {one} and {other}; "
                f"{bells} {'bell' if bells == 1 else 'bells'}",
                at // 4 * 370 + 6,
                at // 4 * 370 + 296,
            )
            for at, (bells, one, other) in enumerate(CLOCKS)
        ),
    ]
    canvas, top, words = page(heading, HEIGHT, LOOK, lines=lines)
    wide = (WIDTH - 2 * MARGIN) / 4
    for at, (bells, *hands) in enumerate(CLOCKS):
        x, y = MARGIN + (at % 4 + 0.5) * wide, top + 130 + at // 4 * 370
        _clock(canvas, x, y, hands)
        for bell in range(bells):
            _bell(canvas, x + (bell - (bells - 1) / 2) * 30, y + 150)
    return (Sheet("content.png", canvas.flat(), words),)


def _clock(canvas: Canvas, x: float, y: float, hands: list[str]) -> None:
    canvas.circle((x, y), RADIUS + 18, LOOK.accent)
    canvas.circle((x, y), RADIUS + 6, "#8a6a28")
    canvas.circle((x, y), RADIUS, "#fdfaf0")
    for tick in range(12):
        angle = math.radians(30 * tick)
        near, far = RADIUS - (14 if tick % 3 else 20), RADIUS - 6
        points = [(x + r * math.sin(angle), y - r * math.cos(angle)) for r in (near, far)]
        canvas.line(points, "#7d8890", 3)
    for hand in hands:
        _hand(canvas, x, y, WAYS.index(hand) * math.pi / 4)
    canvas.circle((x, y), 9, LOOK.ink)


def _hand(canvas: Canvas, x: float, y: float, angle: float) -> None:
    """Draw a hand with a square flag at its end, red on one side of its diagonal and yellow on the other."""
    ahead = (math.sin(angle), -math.cos(angle))
    side = (-ahead[1], ahead[0])

    def place(forward: float, aside: float) -> tuple[float, float]:
        return x + ahead[0] * forward + side[0] * aside, y + ahead[1] * forward + side[1] * aside

    near, far, wide = 44, 80, 30
    canvas.line([(x, y), place(far + 4, 0)], LOOK.ink, 6)
    canvas.polygon([place(near, 0), place(far, 0), place(far, wide)], "#d03a34")
    canvas.polygon([place(near, 0), place(near, wide), place(far, wide)], "#f2c230")


def _bell(canvas: Canvas, x: float, y: float) -> None:
    canvas.circle((x, y - 14), 4, "#8a6a28")
    canvas.polygon([(x - 6, y - 12), (x + 6, y - 12), (x + 12, y + 8), (x - 12, y + 8)], LOOK.accent)
    canvas.circle((x, y + 11), 4, "#8a6a28")
