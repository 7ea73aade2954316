"""Something Extra: six things on the left and six on the right, whose names differ by a letter each."""

from palaver_gamemasters.drawing import Canvas

from .sheet import MARGIN, WIDTH, Heading, Look, Placed, Sheet, figure, page
from .things import THINGS

__all__ = ["draw"]

LEFT = {
    "nail": "an iron nail with a flat head, its point down",
    "ear": "somebody's ear, seen from the side",
    "bow": "a bow with a string, and an arrow on it",
    "star": "a golden star with five points",
    "lock": "a brass lock with an iron shackle",
    "pin": "a sewing pin with a round head",
}
RIGHT = {
    "clock": "a round clock with two hands",
    "pine": "a green pine with a short trunk",
    "snail": "a snail with a spiral on its back",
    "stair": "a wooden stair of four steps",
    "pear": "a ripe pear with a stalk",
    "bowl": "a blue bowl, quite empty",
}
"""The names of things, and what is seen of them."""
LOOK = Look("#f3f0e8", "#2c2f3a", "#4d7a6a")
HEIGHT, PITCH, SIDE = 1330, 176, 40


def draw(heading: Heading) -> tuple[Sheet, ...]:
    """Draw the page, and the pairs."""
    lines: list[str | Placed] = ["Two columns of six pictures; beside each picture there is a row of empty boxes."]
    for column, things in (("left", LEFT), ("right", RIGHT)):
        lines += [
            Placed(
                f"{column} column, picture {number}: {seen}; {len(name)} boxes", (number - 1) * PITCH, number * PITCH
            )
            for number, (name, seen) in enumerate(things.items(), 1)
        ]
    canvas, top, words = page(heading, HEIGHT, LOOK, lines=lines)
    for side, things in enumerate((LEFT, RIGHT)):
        for row, name in enumerate(things):
            _framed(canvas, _middle(side, row, top), name)
    shown = Sheet("content.png", canvas.flat(), words)
    for row, name in enumerate(LEFT):
        partner = next(other for other in RIGHT if _extra(name, other))
        (x, y), (far, beyond) = _middle(0, row, top), _middle(1, list(RIGHT).index(partner), top)
        canvas.line([(x + 250, y), (far - 250, beyond)], LOOK.accent, 5)
        canvas.circle((x + 250, y), 24, LOOK.accent)
        canvas.text((x + 250, y), _extra(name, partner).upper(), 28, "#ffffff", bold=True)
    return shown, figure("figure_1.png", canvas)


def _extra(name: str, longer: str) -> str:
    """Return the letter by which a name is longer than another; none if that is not the only difference."""
    return next((letter for at, letter in enumerate(longer) if longer[:at] + longer[at + 1 :] == name), "")


def _middle(side: int, row: int, top: float) -> tuple[float, float]:
    x = MARGIN + 230
    return (WIDTH - x if side else x), top + (row + 0.5) * PITCH


def _framed(canvas: Canvas, middle: tuple[float, float], name: str) -> None:
    x, y = middle
    canvas.box((x - 220, y - PITCH / 2 + 6, x + 220, y + PITCH / 2 - 6), "#ffffff", radius=14, outline="#d5cfbf")
    THINGS[name](canvas, x - 120, y)
    for box in range(len(name)):
        left = x - 30 + box * (SIDE + 7)
        canvas.box((left, y - SIDE / 2, left + SIDE, y + SIDE / 2), LOOK.paper, radius=4, outline=LOOK.ink)
