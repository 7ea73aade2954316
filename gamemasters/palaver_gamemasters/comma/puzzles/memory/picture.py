"""The picture of the memory puzzle: a large display, four labelled buttons in a row, a lamp for each stage."""

from PIL import Image

from palaver_gamemasters.comma.casing import module
from palaver_gamemasters.drawing import Canvas, Point, mix

from .manual import STAGES
from .scene import MemoryScene

__all__ = ["BUTTONS", "DISPLAY", "LAMPS", "LIT", "ON", "UNLIT", "draw"]

LAMPS: tuple[Point, ...] = tuple((152.0 + 116 * stage, 142.0) for stage in range(STAGES))
"""The middle of the lamp of each stage."""
DISPLAY = (214, 222, 554, 480)
BUTTONS = tuple((94 + 150 * place, 536, 224 + 150 * place, 680) for place in range(4))
LIT, ON, UNLIT = "#46d160", "#ffb52e", "#3a3f47"
"""A lamp whose stage is passed, whose stage is on, and that is still to come."""


def draw(scene: MemoryScene) -> Image.Image:
    """Draw the module."""
    canvas = module("#d8cfc0", "#7b8794", "#98a5b3")
    _lamps(canvas, scene)
    _display(canvas, scene.display)
    for box, label in zip(BUTTONS, scene.labels, strict=True):
        _button(canvas, box, label)
    return canvas.flat()


def _lamps(canvas: Canvas, scene: MemoryScene) -> None:
    canvas.box((84, 70, 684, 192), "#5a6572", radius=18, outline="#444d58", width=4)
    canvas.text((384, 87), "STAGE", 18, "#d3dae2")
    for number, (x, y) in enumerate(LAMPS):
        passed, on = number < scene.passed, number == scene.passed
        colour = LIT if passed else ON if on else UNLIT
        if passed or on:
            canvas.circle((x, y), 42, mix(colour, "#5a6572", 0.72))
        canvas.circle((x, y), 36, colour, outline="#23272d", width=4)
        canvas.text((x, y), str(number + 1), 34, "#20242a" if passed or on else "#b7bec7", bold=True)


def _display(canvas: Canvas, display: int) -> None:
    left, top, right, bottom = DISPLAY
    canvas.box((left - 14, top - 14, right + 14, bottom + 14), "#444d58", radius=22)
    canvas.box(DISPLAY, "#10241c", radius=14, outline="#0a1712", width=4)
    canvas.text(((left + right) / 2, top + 30), "DISPLAY", 18, "#4f8f73")
    canvas.text(((left + right) / 2, (top + bottom) / 2 + 14), str(display), 190, "#7dffb9", bold=True)


def _button(canvas: Canvas, box: tuple[int, int, int, int], label: int) -> None:
    left, top, right, bottom = box
    canvas.key(box, "#f4ead2", "#766a52", radius=18)
    canvas.text(((left + right) / 2, (top + bottom) / 2 - 5), str(label), 84, "#33291a", bold=True)
