"""The bank terminal: its screens, and what each key does. It knows nothing of right and wrong transactions.

Ours, after the study's descriptions: a menu; the PIN, asked for at each choice; then an amount, or the balance.
"""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from .manual import Kind

__all__ = ["AMOUNT_DIGITS", "CHOICES", "KEYS", "MENU", "PIN_DIGITS", "Choice", "Pressed", "Screen", "Terminal", "press"]

Choice: TypeAlias = Literal["deposit", "withdraw", "balance"]
Screen: TypeAlias = Literal["menu", "pin", "deposit", "withdraw", "balance", "done"]

CHOICES: tuple[Choice, ...] = ("deposit", "withdraw", "balance")
"""The menu, from top to bottom."""
KEYS = (*(f"press_{digit}" for digit in range(10)), "press_up", "press_down", "press_enter")
PIN_DIGITS, AMOUNT_DIGITS = 4, 5


@dataclass(frozen=True, slots=True)
class Terminal:
    """What is on the screen.

    ``selection`` is where the arrow points, from 0: within the menu, or at the amount (0) or "Go back" (1). ``chosen``
    is what the PIN is asked for, or what was done at last; ``entry`` are the digits that were typed.
    """

    screen: Screen = "menu"
    selection: int = 0
    chosen: Choice = "deposit"
    entry: str = ""


MENU = Terminal()
"""Where everything begins, and where every mistake leads to."""


class Pressed(NamedTuple):
    """What a key came to: the terminal, and a wrong PIN or a transaction, in dollars, if it finished one."""

    terminal: Terminal
    refused: bool = False
    kind: Kind | None = None
    amount: int = 0


def press(terminal: Terminal, key: str, pin: str) -> Pressed:
    """Press one of :data:`KEYS`. A finished transaction leaves the terminal as it was: the bank has to decide."""
    match key.removeprefix("press_"):
        case "enter":
            return _enter(terminal, pin)
        case "up":
            return Pressed(_arrow(terminal, -1))
        case "down":
            return Pressed(_arrow(terminal, 1))
        case digit:
            return Pressed(_typed(terminal, digit))


def _typed(terminal: Terminal, digit: str) -> Terminal:
    room = {"pin": PIN_DIGITS, "deposit": AMOUNT_DIGITS, "withdraw": AMOUNT_DIGITS}.get(terminal.screen, 0)
    if terminal.selection or len(terminal.entry) >= room:
        return terminal
    return replace(terminal, entry=terminal.entry + digit)


def _arrow(terminal: Terminal, step: int) -> Terminal:
    """Move the arrow. What was typed is cleared: that is how to mend it."""
    options = {"menu": len(CHOICES), "deposit": 2, "withdraw": 2}.get(terminal.screen)
    if options is not None:
        return replace(terminal, selection=(terminal.selection + step) % options, entry="")
    return replace(terminal, entry="") if terminal.screen == "pin" else terminal


def _enter(terminal: Terminal, pin: str) -> Pressed:
    match terminal.screen:
        case "menu":
            return Pressed(Terminal("pin", chosen=CHOICES[terminal.selection]))
        case "pin" if terminal.entry == pin:
            return Pressed(Terminal(terminal.chosen, chosen=terminal.chosen))
        case "pin":
            return Pressed(MENU, refused=True)
        case "deposit" | "withdraw" as kind if terminal.entry:
            return Pressed(terminal, kind=kind, amount=int(terminal.entry))
        case "deposit" | "withdraw" | "balance" if terminal.selection or terminal.screen == "balance":
            return Pressed(MENU)
    return Pressed(terminal)
