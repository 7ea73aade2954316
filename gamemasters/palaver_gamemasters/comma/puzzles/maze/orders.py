"""What an expert's words ask of a solver: a sphere to go to, or single moves."""

import re
from collections.abc import Sequence

from palaver_gamemasters.comma.speech import EXAMPLE, REFUSAL, TIMES, WAITS, asks, plain, sentences

from .words import COLOUR, TORUS, without_negations

__all__ = ["moves_named", "sphere_named"]

THING = r"(?:spheres?|balls?|orbs?|one|dots?|circles?|marbles?|square|cell|position|spot|goal|target)"
SPHERE = re.compile(rf"\b({COLOUR})(?:[ -]colou?red)? {THING}\b|\b{THING} (?:that is |which is |is |in )?({COLOUR})\b")
TORUS_TOLD = re.compile(
    rf"\b{COLOUR}(?:[ -]colou?red)? {TORUS}\b"
    rf"|\b{TORUS}(?:'s)?(?: in the \w+)?(?: colou?r)?(?: is| was| being| of|:| =)?[ (]*{COLOUR}\b"
)
EXAMPLES = re.compile(rf"{EXAMPLE}[^\n]*")
UNSURE = re.compile(rf"{WAITS}|{REFUSAL}|\b(?:elsewhere|only)\b")
ORDER = re.compile(
    r"\b(?P<turn>turn|rotate|face)(?: (?:the )?\w+)?? (?:to the |to your )?(?P<side>left|right)\b"
    r"|\b(?:move|go|step|walk|drive)(?: the mouse| it)? (?P<way>forwards?|ahead|straight|backwards?|back)\b"
    r"|\b(?P<press>press|push|hit|click)\b[^.,;]{0,30}\bbutton\b"
)
LINK = re.compile(r"[-=:>\N{RIGHTWARDS ARROW}]|\b(?!and\b|or\b)[a-z]+\b")
HOW_OFTEN = re.compile(rf"\s*(?:by |for )?(?P<number>\d{{1,2}}|{'|'.join(TIMES)})\b")


def sphere_named(advice: str, torus: str) -> str | None:
    """Return the colour of the sphere that an advice names last; a whole table is looked up.

    Questions and examples ask for nothing, and what is said of the torus names no sphere.
    """
    said = [without_negations(EXAMPLES.sub(" ", each)) for each in sentences(plain(advice)) if not asks(each)]
    table = _pairs(" ".join(said))
    if torus in table:
        return table[torus]
    for sentence in reversed(said):
        rest = TORUS_TOLD.sub(" ", sentence)
        spheres: set[str] = {one or other for one, other in SPHERE.findall(rest)}
        mentioned: set[str] = {*re.findall(rf"\b{COLOUR}\b", rest)}
        for colours in (spheres, mentioned):
            if len(colours) == 1:
                return colours.pop()
    return None


def moves_named(advice: str, actions: Sequence[str]) -> list[str]:
    """Return the actions that an advice names one by one: by name, or as people say it ("turn left, go ahead twice").

    A sentence with a condition is none to be followed at once.
    """
    found: list[str] = []
    for sentence in sentences(plain(advice)):
        if not UNSURE.search(sentence) and not asks(sentence):
            found.extend(_moves(sentence, actions))
    return found


def _moves(sentence: str, actions: Sequence[str]) -> list[str]:
    plain = sentence
    for action in actions:
        plain = plain.replace(action, action.replace("_", " "))
    found: list[str] = []
    for order in ORDER.finditer(plain):
        if order["press"]:
            found.append("press_labyrinth_button")
            continue
        if order["turn"]:
            found.append(f"turn_{order['side']}")
            continue
        times = HOW_OFTEN.match(plain, order.end())
        number = times["number"] if times else "one"
        action = "move_backward" if order["way"].startswith("back") else "move_forward"
        found.extend([action] * min(20, TIMES.get(number) or int(number)))
    return found


def _pairs(text: str) -> dict[str, str]:
    """Return a table of torus and sphere, if a text tells one: pairs of colours, no torus twice.

    What stands within a pair has to be more than a comma: "red, blue, green and yellow" is a list.
    """
    colours = list(re.finditer(rf"\b{COLOUR}\b", text))
    pairs = list(zip(colours[::2], colours[1::2], strict=False))
    firsts = {torus[0] for torus, _ in pairs}
    linked = all(LINK.search(text, torus.end(), sphere.start()) for torus, sphere in pairs)
    if len(pairs) < 2 or len(colours) % 2 or len(firsts) < len(pairs) or not linked:
        return {}
    return {torus[0]: sphere[0] for torus, sphere in pairs}
