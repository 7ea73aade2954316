"""What the solver of the keypad puzzle sees."""

import re
from dataclasses import dataclass

from palaver_gamemasters.comma.puzzles.corners import PLACES

from .symbols import SYMBOLS

__all__ = ["KeypadScene", "read", "write"]

BUTTON = re.compile(rf"^(?:{'|'.join(PLACES)}): ({'|'.join(SYMBOLS)})( \(lamp lit\))?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class KeypadScene:
    """Four symbols in reading order, and the buttons (from 0) whose lamp is lit."""

    symbols: tuple[str, ...]
    lit: frozenset[int] = frozenset()


def write(scene: KeypadScene) -> str:
    """List the buttons."""
    lines = [
        f"{place}: {symbol}{' (lamp lit)' * (number in scene.lit)}"
        for number, (place, symbol) in enumerate(zip(PLACES, scene.symbols, strict=True))
    ]
    return "\n".join(["Symbols on the buttons:", *lines])


def read(text: str) -> KeypadScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it is no such list.
    """
    buttons = BUTTON.findall(text)
    if len(buttons) != len(PLACES):
        raise ValueError("this text shows no keypad")
    lit = frozenset(number for number, (_, lamp) in enumerate(buttons) if lamp)
    return KeypadScene(tuple(symbol for symbol, _ in buttons), lit)
