"""The Odd Key: a board of crossing words with numbered squares, and twelve keys for its eleven places."""

from palaver_gamemasters.drawing import Canvas, fitting

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, figure, page

__all__ = ["draw"]

FILLED = (
    "##HASP####",
    "####P#####",
    "#DOOR##S##",
    "####I##A##",
    "CHAIN##F##",
    "####GATE##",
    "######U#L#",
    "####S#M#A#",
    "####T#B#T#",
    "###PADLOCK",
    "####P#E#H#",
    "####L#R###",
    "HINGE#####",
)
"""The board as the figure shows it; ``#`` is no square."""
NUMBERED = (
    (9, 3), (2, 1), (0, 5), (12, 3), (8, 8), (7, 4), (9, 5), (5, 6), (4, 4), (2, 7),
)  # fmt: skip
"""Row and column of the squares 1 to 10, from 0."""
KEYS = ("BOLT", "CHAIN", "DOOR", "GATE", "HASP", "HINGE", "LATCH", "PADLOCK", "SAFE", "SPRING", "STAPLE", "TUMBLER")
LOOK = Look("#efe7dc", "#2e2a26", "#9a7324")
SIDE, HEIGHT, KEYS_HEIGHT = 62, 1180, 700


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the board, the keys, and the board filled in."""
    numbers = {square: str(number) for number, square in enumerate(NUMBERED, 1)}
    lines: list[str | Placed] = [
        f"A board of crossing rows of squares, {len(FILLED[0])} wide and {len(FILLED)} high.",
        "'#' is no square, '.' is an empty square, a number is an empty square with that number in its corner.",
        *(
            Placed(
                f"board row {row}: "
                + " ".join("#" if each == "#" else numbers.get((row - 1, at), ".") for at, each in enumerate(line)),
                28 + (row - 1) * SIDE,
                28 + row * SIDE,
            )
            for row, line in enumerate(FILLED, 1)
        ),
    ]
    canvas, top, words = page(heading, HEIGHT, LOOK, pages=2, lines=lines)
    _board(canvas, top, filled=False)
    solved = Canvas(WIDTH, HEIGHT - 250, LOOK.paper)
    _board(solved, 50, filled=True)
    return (
        Sheet("content_1.png", canvas.flat(), words),
        _keys(heading),
        figure("figure_1.png", solved),
    )


def _board(canvas: Canvas, top: float, *, filled: bool) -> None:
    left = (WIDTH - SIDE * len(FILLED[0])) / 2
    numbers = {square: number for number, square in enumerate(NUMBERED, 1)}
    canvas.box((left - 40, top, WIDTH - left + 40, top + SIDE * len(FILLED) + 56), "#7b5636", radius=22, shadow=True)
    for row, line in enumerate(FILLED):
        for column, letter in enumerate(line):
            if letter == "#":
                continue
            x, y = left + column * SIDE, top + 28 + row * SIDE
            number = numbers.get((row, column))
            canvas.box((x, y, x + SIDE, y + SIDE), "#fbe7a8" if number else "#fffdf6", outline="#4a3320", width=2)
            if filled:
                canvas.text((x + SIDE / 2 + 4, y + SIDE / 2 + 4), letter, 34, LOOK.ink)
            if number:
                canvas.text((x + 7, y + 5), str(number), 19, "#8a4b12", anchor="la", bold=True)


def _keys(heading: Heading) -> Sheet:
    lines: list[str | Placed] = [
        "Twelve keys in three rows of four, each with a word on its tag.",
        *(Placed(f"key: {word}", 28 + at // 4 * 170, 160 + at // 4 * 170) for at, word in enumerate(KEYS)),
    ]
    canvas, top, words = page(heading, KEYS_HEIGHT, LOOK, number=2, pages=2, lines=lines)
    wide = (WIDTH - 2 * MARGIN) / 4
    for at, word in enumerate(KEYS):
        x, y = MARGIN + at % 4 * wide, top + 30 + at // 4 * 170
        canvas.ring((x + 40, y + 32), 34, 13, LOOK.accent)
        canvas.box((x + 70, y + 25, x + 206, y + 39), LOOK.accent)
        for tooth, size in enumerate((26, 18, 24)[: 2 + at % 2]):
            canvas.box((x + 150 + tooth * 20, y + 36, x + 162 + tooth * 20, y + 36 + size), LOOK.accent)
        canvas.line([(x + 40, y + 62), (x + 52, y + 84)], "#7b5636", 3)
        canvas.box((x + 14, y + 82, x + 204, y + 130), "#fffdf6", radius=10, outline="#7b5636", width=2)
        canvas.text((x + 109, y + 106), word, fitting(word, 28, 176), LOOK.ink, bold=True)
    return Sheet("content_2.png", canvas.flat(), words)
