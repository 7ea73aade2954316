"""Capital Letters: seven flags on poles of seven heights, and boxes for a name each, one of them gold."""

from palaver_gamemasters.drawing import Canvas

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, page

__all__ = ["draw"]

Stripes = tuple[str, ...]
PAINT = {
    "black": "#1d1d1f", "blue": "#2456a6", "gold": "#f2c230", "green": "#1c8a4a",
    "orange": "#f08a2c", "red": "#cf2f36", "white": "#ffffff", "yellow": "#f6d432",
}  # fmt: skip
FLAGS = (
    ("A", "disc", ("white", "red"), 7, 5, 4),
    ("B", "upright", ("green", "white", "orange"), 3, 6, 3),
    ("C", "cross", ("white", "blue"), 6, 8, 4),
    ("D", "level", ("black", "red", "gold"), 1, 6, 2),
    ("E", "upright", ("blue", "white", "red"), 4, 5, 2),
    ("F", "upright", ("green", "white", "red"), 2, 4, 3),
    ("G", "upright", ("black", "yellow", "red"), 5, 8, 8),
)
"""Letter, pattern, colours, height of the pole, number of boxes, which of them is gold."""
LOOK = Look("#eaf3f7", "#20303a", "#2f7f95")
HEIGHT, FLAG_WIDE, FLAG_TALL, LINE, FOOT, GROUND = 1190, 117, 78, 56, 56, 480


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the page."""
    lines: list[str | Placed] = [
        "Seven flags, A to G from left to right, each at the top of a pole.",
        "Lines across the picture, numbered 1 to 7 from the lowest up, show how high the poles are.",
        *(
            Placed(
                f"flag {letter}: {_told(pattern, colours)}; its pole reaches line {height}",
                GROUND - FOOT - height * LINE - 14,
                GROUND - FOOT - height * LINE + FLAG_TALL,
            )
            for letter, pattern, colours, height, _, _ in FLAGS
        ),
        "Below, a row of empty boxes for each flag; one box in each row is gold.",
        *(
            Placed(
                f"boxes {letter}: {boxes} boxes, the gold one is number {gold}",
                GROUND + 78 + at % 4 * 72,
                GROUND + 128 + at % 4 * 72,
            )
            for at, (letter, *_, boxes, gold) in enumerate(FLAGS)
        ),
    ]
    canvas, top, words = page(heading, HEIGHT, LOOK, lines=lines)
    ground = top + GROUND
    for line in range(1, 8):
        y = ground - FOOT - line * LINE
        canvas.line([(MARGIN + 30, y), (WIDTH - MARGIN, y)], "#c3d8e0", 2)
        canvas.text((MARGIN + 8, y), str(line), 22, LOOK.accent)
    canvas.box((0, ground, WIDTH, ground + 12), "#8fb27a")
    for at, (letter, pattern, colours, height, boxes, gold) in enumerate(FLAGS):
        x = MARGIN + 58 + at * 146
        _pole(canvas, x, ground, height)
        _flag(canvas, (x + 5, ground - FOOT - height * LINE), pattern, colours)
        canvas.text((x, ground + 36), letter, 30, LOOK.ink, bold=True)
        _boxes(canvas, (at, ground + 78), letter, boxes, gold)
    return (Sheet("content.png", canvas.flat(), words),)


def _pole(canvas: Canvas, x: float, ground: float, height: int) -> None:
    canvas.box((x - 5, ground - FOOT - height * LINE, x + 5, ground), "#8a6a4a")
    canvas.circle((x, ground - FOOT - height * LINE - 5), 9, "#d9a93a")


def _flag(canvas: Canvas, at: tuple[float, float], pattern: str, colours: Stripes) -> None:
    left, top = round(at[0]), round(at[1])
    right, bottom = left + FLAG_WIDE, top + FLAG_TALL
    canvas.box((left - 1, top - 1, right + 1, bottom + 1), "#6b7a82")
    first, last = PAINT[colours[0]], PAINT[colours[-1]]
    if pattern in ("upright", "level"):
        share = (FLAG_WIDE if pattern == "upright" else FLAG_TALL) / len(colours)
        for number, colour in enumerate(colours):
            near, far = round(number * share), round((number + 1) * share)
            across, down = (left + near, top, left + far, bottom), (left, top + near, right, top + far)
            canvas.box(across if pattern == "upright" else down, PAINT[colour])
        return
    canvas.box((left, top, right, bottom), first)
    if pattern == "disc":
        canvas.circle(((left + right) / 2, (top + bottom) / 2), FLAG_TALL * 0.3, last)
        return
    canvas.box((left + 33, top, left + 54, bottom), last)
    canvas.box((left, top + 28, right, top + 49), last)


def _told(pattern: str, colours: Stripes) -> str:
    if pattern == "disc":
        return f"a {colours[1]} disc on {colours[0]}"
    if pattern == "cross":
        return f"a {colours[1]} cross on {colours[0]}, its upright bar nearer to the pole"
    way = "upright stripes, from the pole outwards" if pattern == "upright" else "level stripes, from the top down"
    return f"three {way}: {', '.join(colours)}"


def _boxes(canvas: Canvas, at: tuple[int, float], letter: str, boxes: int, gold: int) -> None:
    """Draw a row of boxes: four rows on the left, three on the right."""
    number, top = at
    left, y, side = MARGIN + 30 + (number // 4) * 550, top + (number % 4) * 72, 50
    canvas.text((left - 14, y + side / 2), letter, 30, LOOK.accent, bold=True)
    for box in range(boxes):
        x = left + 18 + box * (side + 5)
        fill = "#f4cf5e" if box + 1 == gold else "#ffffff"
        canvas.box((x, y, x + side, y + side), fill, radius=5, outline=LOOK.ink, width=2)
