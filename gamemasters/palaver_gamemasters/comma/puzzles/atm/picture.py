"""The picture of the ATM puzzle: a bank terminal with its screen and its keys."""

from functools import lru_cache

from PIL import Image

from palaver_gamemasters.drawing import Box, Canvas, mix

from .scene import TITLE, AtmScene, rows

__all__ = ["LIT", "SCREEN", "draw", "option_box", "pin_place"]

SCREEN: Box = (84, 92, 684, 400)
GLASS, LIT, INK, FAINT = "#123a5c", "#ffd34d", "#eaf4fb", "#a8c6dc"
KEYS = (("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"), ("", "0", ""))


def draw(scene: AtmScene) -> Image.Image:
    """Draw the terminal."""
    canvas = Canvas(background="#dfe5ea")
    canvas.picture.paste(_machine())
    shown = rows(scene)
    left, top = SCREEN[0] + 28, SCREEN[1]
    canvas.text((left, top + 42), shown.head, 32, INK, anchor="lm")
    y = top + 98
    for fact in shown.facts:
        if scene.terminal.screen == "pin":
            _dots(canvas, len(scene.terminal.entry))
        else:
            canvas.text((left, y), fact, 30, INK, anchor="lm")
        y += 56
    for number, option in enumerate(shown.options):
        box = option_box(number, first=y - 6)
        marked = number == shown.marked
        canvas.box(box, LIT if marked else mix(GLASS, "#ffffff", 0.1), radius=10)
        middle = (box[1] + box[3]) / 2
        if marked:
            x = box[0] + 16
            canvas.polygon([(x, middle - 11), (x + 18, middle), (x, middle + 11)], "#7a2f00")
        canvas.text((box[0] + 50, middle), option, 28, "#2b2718" if marked else INK, anchor="lm")
    if scene.terminal.screen == "done":
        canvas.circle((384, 260), 62, "#3fa564", outline=INK, width=5)
        canvas.line([(354, 262), (376, 286), (416, 236)], "#ffffff", 13)
    canvas.text((left, SCREEN[3] - 26), shown.hint, 19, FAINT, anchor="lm")
    return canvas.flat()


def option_box(number: int, first: float) -> Box:
    """Return where an option stands; ``first`` is the top of the first one."""
    top = first + number * 58
    return (SCREEN[0] + 28, top, SCREEN[2] - 28, top + 50)


def pin_place(number: int) -> tuple[int, int]:
    """Return the middle of a digit's place, from 0."""
    return round(SCREEN[0]) + 200 + number * 68, round(SCREEN[1]) + 160


def _dots(canvas: Canvas, typed: int) -> None:
    canvas.text((SCREEN[0] + 28, pin_place(0)[1]), "PIN:", 30, INK, anchor="lm")
    for number in range(4):
        x, y = pin_place(number)
        canvas.box((x - 28, y - 34, x + 28, y + 34), mix(GLASS, "#000000", 0.3), radius=8, outline=FAINT, width=3)
        if number < typed:
            canvas.circle((x, y), 13, LIT)


@lru_cache(maxsize=1)
def _machine() -> Image.Image:
    """Draw what never changes: the casing and the keys."""
    canvas = Canvas(background="#dfe5ea")
    canvas.box((28, 22, 740, 746), "#5f7286", radius=34, outline="#46566a", width=5, shadow=True)
    canvas.box((46, 36, 722, 416), "#46566a", radius=22)
    canvas.text((384, 64), TITLE, 28, "#ffffff")
    canvas.box((SCREEN[0] - 6, SCREEN[1] - 6, SCREEN[2] + 6, SCREEN[3] + 6), "#0a1d2e", radius=14)
    canvas.box(SCREEN, GLASS, radius=10)
    for row, line in enumerate(KEYS):
        for column, digit in enumerate(line):
            if digit:
                left, top = 84 + column * 120, 432 + row * 75
                _key(canvas, (left, top, left + 110, top + 65), "#f4f1e8")
                canvas.text((left + 55, top + 31), digit, 36, "#222a33")
    for left, points in ((464, ((-22, 14), (22, 14), (0, -20))), (579, ((-22, -14), (22, -14), (0, 20)))):
        _key(canvas, (left, 432, left + 105, 572), "#cfe0ee")
        canvas.polygon([(left + 52 + x, 484 + y) for x, y in points], "#1c4a73")
        canvas.text((left + 52, 540), "UP" if left == 464 else "DOWN", 24, "#1c4a73")
    _key(canvas, (464, 582, 684, 722), "#3fa564")
    canvas.text((574, 650), "ENTER", 40, "#ffffff")
    return canvas.picture


def _key(canvas: Canvas, box: Box, colour: str) -> None:
    left, top, right, bottom = box
    canvas.box((left, top + 4, right, bottom + 4), "#2c3947", radius=12)
    canvas.box(box, mix(colour, "#000000", 0.25), radius=12)
    canvas.box((left + 2, top + 2, right - 2, bottom - 5), colour, radius=10)
