"""Draw one initialisation of each puzzle of COMMA: ``python -m examples.contact_sheet FILE [INDEX]``."""

import sys
from itertools import islice
from pathlib import Path

from PIL import Image

from palaver_gamemasters.comma import GAME

SIDE, GAP, COLUMNS = 380, 12, 5


def sheet(index: int) -> Image.Image:
    """Draw the first scene of each puzzle's initialisation of this index."""
    options = GAME.configure({})
    states = [
        GAME.start(instance.data, options)
        for instance in islice(GAME.instances(options, seed=0), 10 * index, 10 * (index + 1))
    ]
    step = SIDE + GAP
    whole = Image.new("RGB", (COLUMNS * step + GAP, -(-len(states) // COLUMNS) * step + GAP), "white")
    for number, state in enumerate(states):
        picture = state.puzzle.draw(state.puzzle.scene(state.now)).convert("RGB")
        picture.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
        row, column = divmod(number, COLUMNS)
        whole.paste(picture, (GAP + column * step + (SIDE - picture.width) // 2, GAP + row * step))
    return whole.quantize(256)


if __name__ == "__main__":
    sheet(int(sys.argv[2]) if len(sys.argv) > 2 else 0).save(Path(sys.argv[1]), optimize=True)
