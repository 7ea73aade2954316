"""Which puzzles there are: the ten of COMMA, and those that an installed package announces under ``palaver.comma``."""

import sys
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from palaver_protocols.errors import UsageError

from ..puzzle import AnyPuzzle, Puzzle

__all__ = ["TEN", "load_puzzle", "puzzle_names"]

TEN = ("wire", "telehealth", "who", "led", "memory", "keypad", "password", "color", "maze", "atm")
"""The paper's puzzles, in the order of its tables."""


def puzzle_names() -> tuple[str, ...]:
    """Name the puzzles that are installed: the ten, then others."""
    others = sorted(point.name for point in entry_points(group="palaver.comma") if point.name not in TEN)
    return (*TEN, *others)


@cache
def load_puzzle(name: str) -> AnyPuzzle:
    """Return a puzzle by its name, or by where it is (``my_module:PUZZLE``).

    Raises:
        UsageError: there is none, or it cannot be loaded.
    """
    if name in TEN:
        found = import_module(f".{name}", __package__).PUZZLE
    elif ":" in name:
        found = _imported(name)
    else:
        found = _announced(name)
    if not isinstance(found, Puzzle):
        raise UsageError(f"{name} is no puzzle", mend="name an instance of a Puzzle subclass")
    return found


def _imported(place: str) -> object:
    module, _, name = place.partition(":")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # where users' own puzzles lie: an installed command does not look there
    try:
        return getattr(import_module(module), name)
    except Exception as error:
        raise UsageError(f"the puzzle {place!r} cannot be loaded: {type(error).__name__}: {error}") from error


def _announced(name: str) -> object:
    announced = {point.name: point for point in entry_points(group="palaver.comma")}
    if name not in announced:
        known = puzzle_names()
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(known)}; your own: module:NAME"
        raise UsageError(f"there is no puzzle {name!r}", mend=hint)
    try:
        return announced[name].load()
    except Exception as error:
        raise UsageError(f"the puzzle {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
