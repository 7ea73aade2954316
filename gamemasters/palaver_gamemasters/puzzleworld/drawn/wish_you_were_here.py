"""Wish You Were Here: six picture postcards, whose postmarks tell where and when they were written."""

from palaver_gamemasters.drawing import Canvas, mix

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, page

__all__ = ["draw"]

CARDS = (
    (
        "9 MAY",
        "1.3 S  36.8 E",
        7,
        "Lions before breakfast! My first letter from here, and the paper is dusty already.",
    ),
    ("23 AUG", "41.3 S  174.8 E", 10, "Windy. They say it always is. My fourth letter from here, and the last one."),
    ("17 FEB", "1.3 N  103.8 E", 9, "Thunder at tea time, orchids all day. Already my sixth letter from here!"),
    (
        "30 JUL",
        "64.1 N  21.9 W",
        9,
        "Hot springs and a cold wind, so here is the sixth letter I send you from this place.",
    ),
    ("2 APR", "34.9 S  138.6 E", 8, "Parks all round, and a hill to look down from. My third letter from here."),
    (
        "14 JUN",
        "43.1 N  141.4 E",
        7,
        "Noodles, mountains, no snow before winter. My third letter from here, in haste.",
    ),
)
"""Day and place on the postmark, number of boxes, what is written."""
LOOK = Look("#f1e9f2", "#33263d", "#8a3f6c")
INKS = ("#356a8a", "#4d7a3c", "#b0662b", "#5a5aa0", "#a04848", "#3d8073")
HEIGHT, TALL, GAP = 1210, 280, 26


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the page."""
    lines: list[str | Placed] = [
        "Six postcards, in two columns. Each has a round postmark, a message, and a row of empty boxes."
    ]
    lines += [
        Placed(
            f"card: postmark {day}, {' '.join(place.split())}; {boxes} boxes; message: {text}",
            at // 2 * (TALL + GAP),
            at // 2 * (TALL + GAP) + TALL,
        )
        for at, (day, place, boxes, text) in enumerate(CARDS)
    ]
    canvas, top, words = page(heading, HEIGHT, LOOK, lines=lines)
    wide = (WIDTH - 2 * MARGIN - GAP) / 2
    for at, (day, place, boxes, text) in enumerate(CARDS):
        left, y = MARGIN + at % 2 * (wide + GAP), top + at // 2 * (TALL + GAP)
        canvas.box((left, y, left + wide, y + TALL), "#fffdf8", radius=8, shadow=True)
        _postmark(canvas, (left + wide - 104, y + 106), day, place, INKS[at])
        canvas.paragraph((left + 22, y + 22, left + wide - 214, y + TALL), text, 25, LOOK.ink)
        side = 38
        for box in range(boxes):
            x = left + 22 + box * (side + 6)
            canvas.box((x, y + TALL - 62, x + side, y + TALL - 24), None, outline=mix(INKS[at], "#ffffff", 0.3))
            canvas.box((x + 2, y + TALL - 60, x + side - 2, y + TALL - 26), "#ffffff")
    return (Sheet("content.png", canvas.flat(), words),)


def _postmark(canvas: Canvas, centre: tuple[float, float], day: str, place: str, ink: str) -> None:
    x, y = centre
    canvas.circle((x, y), 84, mix(ink, "#ffffff", 0.86))
    canvas.ring((x, y), 84, 4, ink)
    canvas.ring((x, y), 74, 2, ink)
    canvas.text((x, y - 30), day, 27, ink, bold=True)
    north, east = place.split("  ")
    canvas.text((x, y + 8), north, 24, LOOK.ink)
    canvas.text((x, y + 38), east, 24, LOOK.ink)
