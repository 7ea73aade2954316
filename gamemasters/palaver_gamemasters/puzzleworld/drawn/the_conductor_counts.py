"""The Conductor Counts: six of a band in six seats, ten remarks about who sits where, and a table to fill in."""

from palaver_gamemasters.drawing import Canvas

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, figure, page

__all__ = ["draw"]

PASSENGERS = ("Ines", "Jules", "Mina", "Omar", "Petra", "Tom")
INSTRUMENTS = ("banjo", "bugle", "cornet", "cymbal", "guitar", "trumpet")
REMARKS = (
    "Petra plays the banjo.",
    "Ines sits next to Petra.",
    "Mina sits next to the cornet.",
    "Omar sits somewhere to the left of Tom.",
    "There are exactly two seats between the trumpet and the cornet.",
    "Petra sits next to Jules.",
    "The guitar is somewhere to the left of the banjo.",
    "Ines sits somewhere to the left of Jules.",
    "Tom plays the cymbal.",
    "Ines sits somewhere to the left of Mina.",
)
SEATING = (
    ("Omar", "trumpet"), ("Ines", "guitar"), ("Petra", "banjo"),
    ("Jules", "cornet"), ("Mina", "bugle"), ("Tom", "cymbal"),
)  # fmt: skip
LOOK = Look("#e9edf4", "#1d2a44", "#b5472f")
HEIGHT, FIGURE_HEIGHT, LINE = 1230, 330, 38
LISTS, SAID = 246, 342
TABLE = SAID + len(REMARKS) * LINE + 18
"""Where the lists, the remarks and the table begin, in pixels from where the content does."""
SEATS = range(1, 7)


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the page, and its table filled in."""
    lines = [
        Placed("A railway carriage from the side: six seats in a row, numbered 1 to 6 from left to right.", 6, 216),
        Placed(f"on board: {', '.join(PASSENGERS)}", LISTS, LISTS + 34),
        Placed(f"in the rack: {', '.join(INSTRUMENTS)}", LISTS + LINE, LISTS + LINE + 34),
        *(Placed(f"remark: {remark}", SAID + at * LINE, SAID + at * LINE + 34) for at, remark in enumerate(REMARKS)),
        Placed("An empty table: seat (1 to 6), passenger, instrument.", TABLE, TABLE + 198),
    ]
    canvas, top, words = page(heading, HEIGHT, LOOK, lines=lines)
    _carriage(canvas, top + 6)
    y = top + LISTS
    canvas.text((MARGIN, y), f"On board: {', '.join(PASSENGERS)}.", 26, LOOK.ink, anchor="la")
    canvas.text((MARGIN, y + LINE), f"In the rack: {', '.join(INSTRUMENTS)}.", 26, LOOK.ink, anchor="la")
    for at, remark in enumerate(REMARKS):
        y = top + SAID + at * LINE
        canvas.circle((MARGIN + 10, y + 16), 6, LOOK.accent)
        canvas.text((MARGIN + 32, y), remark, 26, LOOK.ink, anchor="la")
    _table(canvas, top + TABLE, ())
    filled = Canvas(WIDTH, FIGURE_HEIGHT, LOOK.paper)
    _table(filled, 60, SEATING)
    return Sheet("content.png", canvas.flat(), words), figure("figure_1.png", filled)


def _carriage(canvas: Canvas, top: float) -> None:
    canvas.box((MARGIN, top, WIDTH - MARGIN, top + 168), LOOK.accent, radius=26, shadow=True)
    canvas.box((MARGIN, top + 124, WIDTH - MARGIN, top + 134), "#e8c66a")
    wide = (WIDTH - 2 * MARGIN - 60) / len(SEATS)
    for seat in SEATS:
        left = MARGIN + 30 + (seat - 1) * wide
        canvas.box((left + 14, top + 22, left + wide - 14, top + 112), "#fdf3c8", radius=12)
        canvas.box((left + wide / 2 - 34, top + 64, left + wide / 2 + 34, top + 112), "#7d8fb0", radius=10)
        canvas.text((left + wide / 2, top + 88), str(seat), 34, "#ffffff", bold=True)
        canvas.circle((left + wide / 2, top + 178), 26, "#3c4560", outline="#2a3148", width=4)
        canvas.circle((left + wide / 2, top + 178), 8, "#c5ccdc")
    canvas.line([(MARGIN - 30, top + 206), (WIDTH - MARGIN + 30, top + 206)], "#6b738a", 5)


def _table(canvas: Canvas, top: float, seating: tuple[tuple[str, str], ...]) -> None:
    first, tall = 190.0, 66
    wide = (WIDTH - 2 * MARGIN - first) / len(SEATS)
    for row, name in enumerate(("seat", "passenger", "instrument")):
        y = top + row * tall
        canvas.box((MARGIN, y, MARGIN + first, y + tall), "#d5dcea", outline="#8593b3")
        canvas.text((MARGIN + first / 2, y + tall / 2), name, 26, LOOK.ink)
        for seat in SEATS:
            left = MARGIN + first + (seat - 1) * wide
            fill = "#d5dcea" if row == 0 else "#ffffff"
            canvas.box((left, y, left + wide, y + tall), fill, outline="#8593b3")
            text = str(seat) if row == 0 else seating[seat - 1][row - 1] if seating else ""
            canvas.text((left + wide / 2, y + tall / 2), text, 27, LOOK.ink, bold=row == 0)
