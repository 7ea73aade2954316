"""What the solver of the ATM puzzle sees: the screen, on which nothing is shown before the right PIN was entered."""

import re
from dataclasses import dataclass

from .terminal import CHOICES, PIN_DIGITS, Choice, Terminal

__all__ = ["AtmScene", "Shown", "read", "rows", "write"]

TITLE = "BANK TERMINAL"
HEADS = {"deposit": "Making a deposit...", "withdraw": "Making a withdrawal...", "balance": "Your account"}
DONE = {"deposit": "deposited", "withdraw": "withdrawn", "balance": "shown"}
HINTS = {
    "menu": "up/down: move the arrow; enter: choose",
    "pin": "digits: type; up/down: clear; enter: confirm",
    "deposit": "digits: type; up/down: move the arrow, clear; enter: confirm",
    "withdraw": "digits: type; up/down: move the arrow, clear; enter: confirm",
    "balance": "enter: go back",
    "done": "nothing more to do",
}

PIN = re.compile(r"^(\w+): please enter your PIN\n+PIN: ([* _]+)$", re.MULTILINE)
BALANCE = re.compile(r"^Balance: \$([\d,]+\.\d\d)$", re.MULTILINE)
AMOUNT = re.compile(r"^[> ] Amount: \$(\d*)_*$", re.MULTILINE)
FINISHED = re.compile(r"^Thank you! \$(\d+) (\w+)\.$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AtmScene:
    """The screen. Digits of a PIN are stars in ``terminal.entry``; ``balance`` is there where the screen shows it."""

    terminal: Terminal
    balance: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """The screen's rows. ``options`` are those among which the arrow moves, ``marked`` the one it points at."""

    head: str
    facts: tuple[str, ...]
    options: tuple[str, ...]
    marked: int
    hint: str


def rows(scene: AtmScene) -> Shown:
    """Lay a screen out, for text and picture alike."""
    terminal = scene.terminal
    hint = HINTS[terminal.screen]
    balance = () if scene.balance is None else (f"Balance: ${_commas(scene.balance)}",)
    match terminal.screen:
        case "menu":
            return Shown("Main menu", (), tuple(each.capitalize() for each in CHOICES), terminal.selection, hint)
        case "pin":
            places = " ".join(terminal.entry.ljust(PIN_DIGITS, "_"))
            return Shown(f"{terminal.chosen.capitalize()}: please enter your PIN", (f"PIN: {places}",), (), 0, hint)
        case "balance":
            return Shown(HEADS["balance"], balance, ("Go back",), 0, hint)
        case "done":
            return Shown(f"Thank you! ${terminal.entry} {DONE[terminal.chosen]}.", (), (), 0, hint)
        case "deposit" | "withdraw" as kind:
            amount = f"Amount: ${terminal.entry or '___'}"
            return Shown(HEADS[kind], balance, (amount, "Go back"), terminal.selection, hint)


def write(scene: AtmScene) -> str:
    """Write the screen down, row by row."""
    shown = rows(scene)
    options = [f"{'>' if number == shown.marked else ' '} {option}" for number, option in enumerate(shown.options)]
    return "\n".join([TITLE, "", shown.head, *shown.facts, *options, "", f"Keys: {shown.hint}"])


def read(text: str) -> AtmScene:
    """Read what :func:`write` wrote.

    Raises:
        ValueError: it is no such screen.
    """
    balance = BALANCE.search(text)
    shown = balance and balance[1].replace(",", "")
    if pin := PIN.search(text):
        return AtmScene(Terminal("pin", chosen=_choice(pin[1].lower()), entry="*" * pin[2].count("*")))
    if done := FINISHED.search(text):
        kind = next((kind for kind, word in DONE.items() if word == done[2]), "")
        return AtmScene(Terminal("done", chosen=_choice(kind), entry=done[1]))
    for choice in CHOICES:
        if HEADS[choice] in text and shown:
            amount = AMOUNT.search(text)
            back = choice != "balance" and "> Go back" in text
            return AtmScene(Terminal(choice, int(back), choice, amount[1] if amount else ""), shown)
    marked = [number for number, choice in enumerate(CHOICES) if f"> {choice.capitalize()}" in text]
    if "Main menu" in text and marked:
        return AtmScene(Terminal(selection=marked[0]))
    raise ValueError("this text shows no screen of a bank terminal")


def _choice(name: str) -> Choice:
    for choice in CHOICES:
        if choice == name:
            return choice
    raise ValueError(f"the terminal's menu has no {name!r}")


def _commas(balance: str) -> str:
    dollars, cents = balance.split(".")
    return f"{int(dollars):,}.{cents}"
