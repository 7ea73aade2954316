"""What an expert's words ask of a solver: a sphere to go to, or single moves."""

import re
from collections.abc import Sequence

from .words import COLOUR, TORUS, sentences, without_negations

__all__ = ["moves_named", "sphere_named"]

THING = r"(?:spheres?|balls?|orbs?|one|dots?|circles?|marbles?|square|cell|position|spot|goal|target)"
SPHERE = re.compile(rf"\b({COLOUR})(?:[ -]colou?red)? {THING}\b|\b{THING} (?:that is |which is |is |in )?({COLOUR})\b")
TORUS_TOLD = re.compile(
    rf"\b{COLOUR}(?:[ -]colou?red)? {TORUS}\b"
    rf"|\b{TORUS}(?:'s)?(?: in the \w+)?(?: colou?r)?(?: is| was| being| of|:| =)?[ (]*{COLOUR}\b"
)
EXAMPLE = re.compile(r"\b(?:for example|for instance|e\.g\.|such as)[^\n]*")
UNSURE = re.compile(
    r"\b(?:if|when|once (?:you|it|the|there|at|on)|until|unless|before|after|elsewhere|only|not|never|\w+n't|dont)\b"
)
ORDER = re.compile(
    r"\b(?P<turn>turn|rotate|face)(?: (?:the )?\w+)?? (?:to the |to your )?(?P<side>left|right)\b"
    r"|\b(?:move|go|step|walk|drive)(?: the mouse| it)? (?P<way>forwards?|ahead|straight|backwards?|back)\b"
    r"|\b(?P<press>press|push|hit|click)\b[^.,;]{0,30}\bbutton\b"
)
POLITE = re.compile(r"\b(?:could|can|would|will) you\b|\bplease\b")
WONDERS = re.compile(r"\b(?:tell|say|describe|what|which|know|see|is|are)\b")
LINK = re.compile(r"[-=:>\N{RIGHTWARDS ARROW}]|\b(?!and\b|or\b)[a-z]+\b")
TIMES = re.compile(r"\s*(?:by |for )?(?P<number>\d{1,2}|one|two|three|four|five|six|seven|eight|once|twice|thrice)\b")
NUMBERS = {
    "one": 1, "once": 1, "two": 2, "twice": 2, "three": 3, "thrice": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8,
}  # fmt: skip


def sphere_named(advice: str, torus: str) -> str | None:
    """Return the colour of the sphere that an advice names last; a whole table is looked up.

    Questions and examples ask for nothing, and what is said of the torus names no sphere.
    """
    said = [without_negations(EXAMPLE.sub(" ", each)) for each in sentences(advice) if not _asks(each)]
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
    for sentence in sentences(advice):
        if not UNSURE.search(sentence) and not _asks(sentence):
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
        times = TIMES.match(plain, order.end())
        number = times["number"] if times else "one"
        action = "move_backward" if order["way"].startswith("back") else "move_forward"
        found.extend([action] * min(20, NUMBERS.get(number) or int(number)))
    return found


def _asks(sentence: str) -> bool:
    """Whether a sentence wants an answer: a polite order ("could you go to the blue one?") wants none."""
    is_question = sentence.rstrip(" \"')").endswith("?")
    return is_question and not (POLITE.search(sentence) and not WONDERS.search(sentence))


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
