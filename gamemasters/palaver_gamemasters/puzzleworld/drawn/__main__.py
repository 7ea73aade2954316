"""``python -m palaver_gamemasters.puzzleworld.drawn FOLDER``: draw all pages of our own puzzles again."""

import sys
from pathlib import Path

from . import write

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("give one folder: python -m palaver_gamemasters.puzzleworld.drawn FOLDER")
    try:
        print(f"{write(Path(sys.argv[1]))} pictures are in {sys.argv[1]}")
    except OSError as error:
        sys.exit(f"cannot write {error.filename}: {error.strerror}")
