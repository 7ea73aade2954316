"""One Lump Too Many: seven cards in no order, on each of which one word has a letter too many."""

from palaver_gamemasters.drawing import Box, Canvas, mix

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, page

__all__ = ["draw"]

CARDS = (
    "Cosy on, and wait: four minutes is the plain.",
    "Light the hob under it. (Camping? Hang a pain over the fire.)",
    "Now pour the boiling water on, before it goes could.",
    "Fill the kettle bright up to the line.",
    "Spoon in the leaves: one for each guest, and one cover.",
    "Strain it into tour best cups, and call everybody in.",
    "Splash hot water round the inside of the spot to warm it, then tip that out.",
)
LOOK = Look("#f4ecdf", "#3d2b1f", "#a5622a")
TINTS = ("#fffaf0", "#fdf1e3", "#f8f6ea")
HEIGHT, TALL, GAP = 1200, 196, 30
ROWS = ("top", "second", "third", "bottom")


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the page."""
    lines: list[str | Placed] = [
        "Seven cards, pinned up in two columns of four, and a drawing of a teapot in the eighth place."
    ]
    for at, text in enumerate(CARDS):
        row = at // 2 * (TALL + GAP)
        lines.append(Placed(f"card, {ROWS[at // 2]} row, {('left', 'right')[at % 2]}: {text}", row, row + TALL))
    canvas, top, words = page(heading, HEIGHT, LOOK, lines=lines)
    wide = (WIDTH - 2 * MARGIN - GAP) / 2
    for at in range(8):
        left, y = MARGIN + (at % 2) * (wide + GAP), top + (at // 2) * (TALL + GAP)
        if at < len(CARDS):
            _card(canvas, (left, y, left + wide, y + TALL), CARDS[at], TINTS[at % len(TINTS)])
        else:
            _teapot(canvas, left + wide / 2, y + TALL / 2 + 18)
    return (Sheet("content.png", canvas.flat(), words),)


def _card(canvas: Canvas, box: Box, text: str, tint: str) -> None:
    left, top, right, bottom = box
    canvas.box(box, tint, radius=10, shadow=True)
    for line in range(1, 4):
        y = top + 34 + line * 40
        canvas.line([(left + 26, y), (right - 26, y)], mix(LOOK.paper, "#c9b79c", 0.5), 1)
    canvas.circle(((left + right) / 2, top + 18), 9, LOOK.accent)
    canvas.circle(((left + right) / 2 - 3, top + 15), 3, "#f0d2b0")
    canvas.paragraph((left + 28, top + 42, right - 28, bottom), text, 30, LOOK.ink, spacing=4 / 3)


def _teapot(canvas: Canvas, x: float, y: float) -> None:
    glaze, shade = "#6f9a8d", "#557d71"
    canvas.ring((x + 92, y - 4), 46, 16, shade)
    canvas.polygon([(x - 70, y + 20), (x - 152, y - 46), (x - 128, y - 56), (x - 60, y - 14)], shade)
    canvas.box((x - 92, y - 62, x + 92, y + 66), glaze, radius=60)
    canvas.box((x - 60, y + 60, x + 60, y + 74), shade, radius=7)
    canvas.box((x - 54, y - 76, x + 54, y - 56), shade, radius=10)
    canvas.circle((x, y - 86), 13, LOOK.accent)
    canvas.circle((x - 40, y - 22), 14, mix(glaze, "#ffffff", 0.45))
