"""How a keypad is talked about: the solver names its symbols, the expert finds their column and says the order."""

import re
from collections.abc import Iterable, Sequence

from palaver_gamemasters.comma.puzzles.corners import ACTIONS, PLACE, PLACES, VERB, named_place, orders
from palaver_gamemasters.comma.talk import Heard, Sight, Talk

from .manual import BUTTONS, KeypadRules
from .scene import KeypadScene
from .symbols import named

__all__ = ["KeypadTalk"]

ASK = (
    "Please tell me all four symbols: for example 'top left: a ladder, top right: a fish, bottom left: three waves, "
    "bottom right: a circle with a dot in the middle'."
)
BEGINS = re.compile(
    rf"{VERB}|\b(?:order|sequence)\b|(?:^|(?<=[,;:.\n]))[^,;:.\n]*\b(?:first|1st|start|begin|then)\b", re.MULTILINE
)
"""Where an order begins: what stands before may repeat what the solver has told."""
BACKWARDS = re.compile(r"\bafter (?!that|this|it\b|which)")
SHORT = 6
"""Words of an answer that is nothing but a name."""


class KeypadTalk(Talk[KeypadScene, KeypadRules]):
    """The solver describes all at once; the expert answers with the whole order."""

    def describe(self, sight: Sight[KeypadScene]) -> str:
        """Name the symbols and their places."""
        scene = sight.scene
        if len(scene.lit) == BUTTONS:
            return "All four lamps are lit."
        told = ", ".join(f"{place}: {symbol}" for place, symbol in zip(PLACES, scene.symbols, strict=True))
        lit = ", ".join(symbol for number, symbol in enumerate(scene.symbols) if number in scene.lit)
        return sight.admitting(
            f"I see four symbols. {told[0].upper()}{told[1:]}. {f'Lit so far: {lit}. ' if lit else ''}"
            "In which order should I press them?"
        )

    def obey(self, sight: Sight[KeypadScene]) -> Sequence[str]:
        """Press the buttons in the order in which they were named, but for those that are lit."""
        waiting = [number for number in range(BUTTONS) if number not in sight.scene.lit]
        text = "\n".join(orders(sight.advice)).lower()
        if BACKWARDS.search(text):
            return []
        begin = BEGINS.search(text)
        meant = _buttons(text[begin.start() :], sight.scene) if begin else []
        meant = meant or _buttons(text, sight.scene)
        wanted = [button for button in meant if button in waiting]
        if begin is None and len(wanted) < len(waiting) and len(sight.advice.split()) > SHORT:
            return []
        return [ACTIONS[button] for button in wanted]

    def advise(self, rules: KeypadRules, heard: Heard) -> str:
        """Say the order, once all four symbols have been told; else ask."""
        known = _told(rules, heard.of("solver"))
        if len(known) != BUTTONS:
            return f"So far I know of: {', '.join(known)}. {ASK}" if known else ASK
        order = rules.order(known)
        if order is None:
            return (
                f"I understood {', '.join(known)}, but these four are not in one column together. "
                f"Please describe them again in other words. {ASK}"
            )
        first, *others, last = order
        return f"Press the {first}, {''.join(f'then the {each}, ' for each in others)}and last the {last}."


def _buttons(text: str, scene: KeypadScene) -> list[int]:
    """Return the buttons that a text names by place or symbol, each once."""
    at_place = [(found.start(), named_place(found[0])) for found in re.finditer(PLACE, text)]
    by_symbol = [
        (where, scene.symbols.index(symbol))
        for where, symbol in named(text)
        if symbol in scene.symbols and not (symbol == "key" and re.search(r"(?:left|right)\s$", text[:where]))
    ]
    return list(dict.fromkeys(button for _, button in sorted(at_place + by_symbol)))


def _told(rules: KeypadRules, said: Sequence[str]) -> tuple[str, ...]:
    """Return the symbols that the solver has named: those of its last full description, or else of all it said."""
    for text in reversed(said):
        found = _described(rules, text)
        if len(found) == BUTTONS:
            return found
    return _unique(symbol for text in said for _, symbol in named(text))


def _described(rules: KeypadRules, text: str) -> tuple[str, ...]:
    """Return the symbols of a description; where it has more than four names, those that belong to the places."""
    found = named(text)
    symbols = _unique(symbol for _, symbol in found)
    if len(symbols) <= BUTTONS:
        return symbols
    places = [each.start() for each in re.finditer(PLACE, text.lower())]
    if len(places) == BUTTONS:
        after = [next((symbol for where, symbol in found if where > place), "") for place in places]
        before = [next((symbol for where, symbol in reversed(found) if where < place), "") for place in places]
        for choice in (after, before):
            if "" not in choice and len(set(choice)) == BUTTONS and rules.order(choice):
                return tuple(choice)
    held = [each for column in rules.columns if len(each := set(column) & set(symbols)) == BUTTONS]
    return tuple(sorted(held[0])) if len(held) == 1 else symbols


def _unique(symbols: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(symbols))
