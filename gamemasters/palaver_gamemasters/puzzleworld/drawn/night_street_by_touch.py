"""Night Street by Touch: eleven houses whose lit windows are Braille, odd numbers above, even ones below."""

from palaver_gamemasters.drawing import Canvas, mix

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, figure, page

__all__ = ["draw"]

HOUSES = {
    1: "134", 2: "14", 3: "1234", 4: "2345", 5: "12345", 6: "135", 7: "1345", 8: "1234", 9: "14", 10: "135", 11: "14",
}  # fmt: skip
"""The lit windows by house number: 1, 2, 3 down the left side, 4, 5, 6 down the right one."""
LETTERS = {1: "M", 2: "C", 3: "P", 4: "T", 5: "Q", 6: "O", 7: "N", 8: "P", 9: "C", 10: "O", 11: "C"}
"""What the figure writes above each roof."""
LOOK = Look("#1c2440", "#e9ecf7", "#e0b050")
HEIGHT, WIDE, TALL, PITCH = 1080, 138, 250, 180
WALLS = ("#6d5a72", "#53647f", "#7a5f54", "#4f6f69", "#74616b")
ROOFS = ("#3a2f45", "#3f4d78", "#47352f", "#2c423f", "#40343d")


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the page, and the way along the street."""
    lines: list[str | Placed] = [
        "A street at night, under a moon, with houses along its upper and its lower side, from left to right.",
        "Each house has a number on its door, and six windows: three storeys of two.",
        "Here each storey is its left window and its right one, and the highest storey comes first:",
        *(
            Placed(f"house {number}, {_side(number)} side: {_told(HOUSES[number])}", wall, wall + TALL)
            for number in _as_drawn()
            for _, wall in (_corner(number, 0),)
        ),
    ]
    canvas, top, words = page(heading, HEIGHT, LOOK, lines=lines)
    canvas.circle((WIDTH - MARGIN - 36, 70), 34, "#f3e8c0")
    canvas.circle((WIDTH - MARGIN - 22, 62), 28, LOOK.paper)
    _street(canvas, top)
    for number, lit in HOUSES.items():
        _house(canvas, _corner(number, top), number, lit)
    shown = Sheet("content.png", canvas.flat(), words)
    canvas.line([_before(number, top) for number in HOUSES], LOOK.accent, 6)
    for number, letter in LETTERS.items():
        x, y = _before(number, top)
        canvas.circle((x, y), 22, LOOK.accent)
        canvas.text((x, y), letter, 28, "#1c2440", bold=True)
    return shown, figure("figure_1.png", canvas)


def _as_drawn() -> list[int]:
    return sorted(HOUSES, key=lambda number: (number % 2 == 0, number))


def _side(number: int) -> str:
    return "upper" if number % 2 else "lower"


def _told(lit: str) -> str:
    storeys = ((each, str(int(each) + 3)) for each in "123")
    return " / ".join(" ".join("lit" if window in lit else "dark" for window in storey) for storey in storeys)


def _corner(number: int, top: float) -> tuple[float, float]:
    """Return the upper left corner of a house's wall; the lower side stands half a plot further on."""
    left = MARGIN + (number - 1) // 2 * PITCH + (0 if number % 2 else PITCH / 2)
    return left + 10, top + (70 if number % 2 else 70 + TALL + 210)


def _before(number: int, top: float) -> tuple[float, float]:
    left, _ = _corner(number, top)
    return left + WIDE / 2, top + 70 + TALL + (36 if number % 2 else 104)


def _street(canvas: Canvas, top: float) -> None:
    upper = top + 70 + TALL
    canvas.box((0, upper, WIDTH, upper + 140), "#2b3252")
    for dash in range(0, WIDTH, 80):
        canvas.box((dash + 10, upper + 67, dash + 50, upper + 73), "#565f86")
    canvas.box((0, upper + 140 + 70 + TALL, WIDTH, upper + 152 + 70 + TALL), "#2b3252")


def _house(canvas: Canvas, corner: tuple[float, float], number: int, lit: str) -> None:
    left, top = corner
    wall, roof = WALLS[number % len(WALLS)], ROOFS[number % len(ROOFS)]
    canvas.polygon([(left - 10, top), (left + WIDE / 2, top - 58), (left + WIDE + 10, top)], roof)
    canvas.box((left, top, left + WIDE, top + TALL), wall)
    for window in range(6):
        x, y = left + 22 + window // 3 * 56, top + 14 + window % 3 * 54
        bright = str(window + 1) in lit
        fill = "#ffdf76" if bright else mix(wall, "#0c1024", 0.72)
        canvas.box((x, y, x + 40, y + 42), fill, radius=4, outline=mix(wall, "#0c1024", 0.45), width=2)
    canvas.box((left + WIDE / 2 - 26, top + TALL - 70, left + WIDE / 2 + 26, top + TALL), roof, radius=6)
    canvas.text((left + WIDE / 2, top + TALL - 40), str(number), 30, "#f5ead0", bold=True)
