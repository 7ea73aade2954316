"""How a customer gets from whatever is on the screen to what it wants: keys, and single orders in an expert's words."""

import re
from dataclasses import replace

from palaver_gamemasters.comma.speech import TIMES, sentences

from .manual import Kind
from .scene import AtmScene
from .terminal import AMOUNT_DIGITS, CHOICES, KEYS, Choice, Terminal, press
from .words import DOUBT, plain

__all__ = ["keys_for", "keys_named", "keys_to"]

ORDER = re.compile(
    r"\b(?:select|choose|pick|open|highlight|go to|use)\b[^.;,\d]{0,20}?\b(?P<choice>withdraw|deposit|balance)"
    r"|\b(?:check|look at|view|see|look up|find out)\b[^.;,\d]{0,20}?\b(?P<look>balance)\b"
    r"|\b(?:enter|type|input|key in|give)\b[^.;,\d]{0,20}?\b(?P<pin>pin)\b"
    r"|\b(?P<back>go back|return|back to the (?:main )?menu)\b"
    r"|\b(?:enter|type|input|key in|press|amount)(?: in)?(?: the amount)?(?: of)? (?P<amount>[0-9]{1,5})(?:\.00)?\b"
    r"|\b(?:press|hit|push|use|tap)(?: the)?(?: arrow)? (?P<key>up|down|enter)\b(?:(?: arrow| key| button)*"
    r" (?P<times>once|twice|thrice|two times|three times))?"
)


def keys_to(terminal: Terminal, wanted: Choice, pin: str) -> list[str]:
    """Return the keys that lead to one of the menu's screens, with the PIN entered; none if it is there."""
    if terminal.screen == wanted:
        return []
    if terminal.screen == "done":
        return []
    if terminal.screen == "pin" and terminal.chosen == wanted:
        return [*(["press_up"] if terminal.entry else []), *_digits(pin), "press_enter"]
    return [*_to_menu(terminal, pin), *_from_menu(terminal, wanted), *_digits(pin), "press_enter"]


def keys_for(terminal: Terminal, kind: Kind, amount: int, pin: str) -> list[str]:
    """Return the keys that make a transaction; none if its amount cannot be typed."""
    if not 0 < amount < 10**AMOUNT_DIGITS or terminal.screen == "done":
        return []
    there = keys_to(terminal, kind, pin)
    if terminal.screen == kind and terminal.selection:
        there = ["press_up"]
    elif terminal.screen == kind and terminal.entry:
        there = ["press_down", "press_up"]
    return [*there, *_digits(str(amount)), "press_enter"]


def keys_named(advice: str, scene: AtmScene, pin: str) -> list[str]:
    """Return the keys that single orders ask for ("select Withdraw, enter your PIN"), up to the first doubtful one."""
    found: list[str] = []
    terminal = scene.terminal
    if terminal.screen == "pin" and terminal.entry:
        # What was typed is not to be read, so it is typed anew.
        found, terminal = ["press_up"], replace(terminal, entry="")
    begun = len(found)
    for sentence in sentences(advice):
        for key in _asked(sentence, terminal, pin):
            terminal, refused, kind, _ = press(terminal, key, pin)
            found.append(key)
            if refused or kind is not None:
                return found
    return found if len(found) > begun else []


def _asked(line: str, terminal: Terminal, pin: str) -> list[str]:
    """Return the keys of one sentence. Orders are carried out one after the other, each from where the last one led."""
    if line in KEYS:
        return [line]
    said = plain(line.replace("_", " "))
    if DOUBT.search(said):
        return []
    keys: list[str] = []
    for order in ORDER.finditer(said):
        for key in _keys(order, terminal, pin):
            terminal = press(terminal, key, pin).terminal
            keys.append(key)
    return keys


def _keys(order: re.Match[str], terminal: Terminal, pin: str) -> list[str]:
    """Return the keys of one order; none where it makes no sense on this screen."""
    amount = order["amount"] or ""
    if name := order["choice"] or order["look"]:
        choice = next(each for each in CHOICES if each == name)
        seen = choice == "balance" and terminal.screen in ("deposit", "withdraw")
        return [] if seen else keys_to(terminal, choice, pin)
    if order["pin"]:
        return keys_to(terminal, terminal.chosen, pin) if terminal.screen == "pin" else []
    if order["back"]:
        return _to_menu(terminal, pin) if terminal.screen in CHOICES else []
    if len(amount) > 1:
        cleared = ["press_down", "press_up"] if terminal.entry else []
        return [*cleared, *_digits(amount)] if terminal.screen in ("deposit", "withdraw") else []
    return _digits(amount) or [f"press_{order['key']}"] * TIMES[(order["times"] or "once").split()[0]]


def _to_menu(terminal: Terminal, pin: str) -> list[str]:
    match terminal.screen:
        case "pin":
            entered = keys_to(terminal, terminal.chosen, pin)
            return [*entered, *_to_menu(Terminal(terminal.chosen, chosen=terminal.chosen), pin)]
        case "deposit" | "withdraw":
            return [*([] if terminal.selection else ["press_down"]), "press_enter"]
        case "balance":
            return ["press_enter"]
        case _:
            return []


def _from_menu(terminal: Terminal, wanted: Choice) -> list[str]:
    """Choose from the menu: whoever comes back to it finds the arrow at its top."""
    begins = terminal.selection if terminal.screen == "menu" else 0
    steps = (CHOICES.index(wanted) - begins) % len(CHOICES)
    moves = ["press_up"] if steps == len(CHOICES) - 1 else ["press_down"] * steps
    return [*moves, "press_enter"]


def _digits(number: str) -> list[str]:
    return [f"press_{digit}" for digit in number]
