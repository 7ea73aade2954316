"""The casing that the modules of COMMA's puzzles have in common."""

from palaver_gamemasters.drawing import SIDE, Canvas, Colour

__all__ = ["module"]


def module(background: Colour, rim: Colour, face: Colour) -> Canvas:
    """Return a canvas with the casing of a module: its face begins 52 pixels from each side."""
    canvas = Canvas(background=background)
    canvas.box((36, 36, SIDE - 36, SIDE - 36), rim, radius=36, shadow=True)
    canvas.box((52, 52, SIDE - 52, SIDE - 52), face, radius=26)
    return canvas
