"""What an expert's advice asks the solver to do, in whatever words it does: set a word, turn slots, submit."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from palaver_gamemasters.comma.speech import EXAMPLE, TIMES, asks, sentences, straight

from .manual import LENGTH, REACH
from .words import ORDINAL, SLOT, slot_numbers

__all__ = ["actions_ordered", "turns_to"]

EMPHASIS = str.maketrans("`*_", '"" ')
NOT = re.compile(
    r"\b(?:[Nn]ot|[Dd]on't|isn't|[Nn]ever(?= (?:press|push|submit|set|turn))|[Aa]void)\b(?! forget)[^.,;!?\n]*"
    rf"|(?i:{EXAMPLE}|\blike this\b)[^;!?\n]*"
)
"""What is advised against, or but an example. Not as other puzzles have it: NEVER is a word of the list."""
SENTENCE = re.compile(r"[^.;!?\n]*[.;!?\n]*")
WISH = re.compile(r"\b(?:tell me|let me know|what|which|i can|i will|i'll|do you)\b.*", re.IGNORECASE | re.DOTALL)
FIVE = r"(?<![^\W_])[A-Za-z]{5}(?![^\W_])"
END = r"(?=\s*(?:[.,;:!?\n)]|$|(?:and|then|now|with|by)\b))"
WORDS = (
    re.compile(rf"[\"'](?P<word>{FIVE})[.,!]?[\"']"),
    re.compile(r"(?<![^\W_])(?P<word>(?:[A-Za-z](?:, ?| |-)){4}[A-Za-z])(?![^\W_])"),
    re.compile(
        r"\b(?:(?:pass)?word|answer|solution|combination|code)(?: (?!is\b)\w+){0,3}?(?: ?:| ?=| is| be)(?: the word)? "
        rf"(?P<word>{FIVE}){END}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:set|spell|make|form|enter|try|dial)(?: (?:it|them|the|slots|letters|word|password|to|as|out|in|up))* "
        rf"(?P<word>{FIVE}){END}",
        re.IGNORECASE,
    ),
    re.compile(rf"^\W*(?P<word>{FIVE})\W*$"),
    re.compile(r"(?<![^\W_])(?P<word>[A-Z]{5})(?![^\W_])"),
)
"""Where a word may stand: in quotation marks, spelled, where one is named, in capitals.

The first that finds one decides. Most of the words are everyday ones (right, there, which), so no other place will do.
"""
CERTAIN = 2
"""So many of these are no everyday words by accident: two words found there are a choice, and no order."""

SETS = re.compile(
    rf"(?P<slot>{SLOT}|\b{ORDINAL}\b)(?: (?:to|as|on|(?:should|must) (?:be|show))| ?[:=]) \"?(?P<letter>[A-Za-z])\b",
    re.IGNORECASE,
)
VERB = re.compile(r"\b(?:press|push|hit|click|tap|turn|move|cycle|scroll|rotate|go)\w*\b", re.IGNORECASE)
UPWARDS = {"up", "upper", "above", "previous"}
TOKEN = re.compile(
    r"\b(?P<way>up|upper|above|previous(?= (?:letter|one))|down|lower|below|next(?= (?:letter|one)))\b"
    r"|\b(?P<times>once|twice|thrice|(?:one|two|three|[123]) times?|[123]x)\b"
    rf"|\b(?P<all>every|each|all)\b|(?P<slot>{SLOT}|(?<![^\W_])[1-5](?![^\W_]))",
    re.IGNORECASE,
)
SUBMIT = re.compile(r"\bsubmit\b", re.IGNORECASE)
LATER = re.compile(r"\b(?:once|when|before|after|if|until|unless|later|then we)\b", re.IGNORECASE)
SUBMITTED = "submit"


def actions_ordered(text: str, shown: str, refused: Collection[str] = ()) -> tuple[str, ...]:
    """Return the actions that some advice asks for, none if it asks for none.

    Args:
        text: the advice.
        shown: the letters that are shown now.
        refused: words that have turned out to be wrong.
    """
    said = _spoken(text)
    kept = NOT.sub(" ", said)
    against = any(SUBMIT.search(found[0]) for found in NOT.finditer(said))
    word = word_ordered(said, shown)
    if word is not None:
        if word in refused:
            return ()
        setting = turns_to(word, shown) or ()
        return setting if against or _is_question(said, word) else (*setting, SUBMITTED)
    pressed: list[str] = []
    submits = False
    for sentence in _orders(kept):
        pressed += _settings(sentence, shown)
        if VERB.search(sentence):
            for segment in re.split(r"\bthen\b", sentence, flags=re.IGNORECASE):
                pressed += _turns(segment)
        submits = submits or bool(SUBMIT.search(sentence) and not LATER.search(sentence))
    return (*pressed, *([SUBMITTED] if submits and not against and (pressed or shown not in refused) else []))


def word_ordered(text: str, shown: str) -> str | None:
    """Return the word that is to be set, in capitals: one that the slots may be able to show."""
    kept = NOT.sub(" ", _spoken(text))
    for level, pattern in enumerate(WORDS):
        if level == len(WORDS) - 1 and not any(letter.islower() for letter in kept):
            continue
        named = {re.sub(r"[^A-Z]", "", found["word"].upper()) for found in pattern.finditer(kept)}
        if level < CERTAIN and len(named) > 1:
            return None
        settable = [word for word in named if turns_to(word, shown) is not None]
        if len(settable) == 1:
            return settable[0]
        if len(settable) > 1:
            return None
    return None


def _spoken(text: str) -> str:
    """Return a text with straight quotation marks; emphasis is as good as them."""
    return straight(text).translate(EMPHASIS)


def turns_to(word: str, shown: str) -> tuple[str, ...] | None:
    """Return the presses that set a word; None where a letter is too far from what is shown.

    Three letters make a round: two letters on is one step back.
    """
    pressed: list[str] = []
    for number, (letter, now) in enumerate(zip(word, shown, strict=True), 1):
        step = ord(letter) - ord(now)
        if abs(step) > REACH:
            return None
        if step:
            pressed.append(f"press_down_{number}" if step in (1, -REACH) else f"press_up_{number}")
    return tuple(pressed)


def _is_question(text: str, word: str) -> bool:
    """Whether a word is but asked about."""
    for sentence in SENTENCE.findall(text):
        if word in re.sub(r"[^A-Z]", "", sentence.upper()):
            return "?" in sentence and not SUBMIT.search(text)
    return False


def _orders(text: str) -> Iterator[str]:
    for sentence in sentences(text):
        if not asks(sentence):
            yield WISH.sub("", sentence)


@dataclass
class _Turning:
    """Slots to be turned one way. ``times`` waits for slots, ``slots`` for how many times."""

    way: str
    times: int = 1
    slots: list[int] = field(default_factory=list)
    pressed: list[str] = field(default_factory=list)

    def turn(self, times: int) -> None:
        self.pressed += [f"press_{self.way}_{slot + 1}" for slot in self.slots for _ in range(times)]
        self.slots.clear()


def _turns(segment: str) -> list[str]:
    """Read 'press up in slot 2 twice and down in slot 3' and 'in slot 2 press up': slots follow a way, or lead it."""
    tokens = [(str(found.lastgroup), found[0].lower()) for found in TOKEN.finditer(segment)]
    ways = [number for number, (kind, _) in enumerate(tokens) if kind == "way"]
    if not ways:
        return []
    leading = any(kind in ("slot", "all") for kind, _ in tokens[: ways[0]])
    done: list[str] = []
    turning: _Turning | None = None
    waiting: list[int] = []
    times = 1
    for kind, word in tokens:
        if kind == "way":
            way = "up" if word in UPWARDS else "down"
            if turning is not None and turning.way == way and not waiting:
                continue
            if turning is not None:
                turning.turn(turning.times)
                done += turning.pressed
            turning = _Turning(way, times, waiting)
            waiting, times = [], 1
        elif kind == "times":
            number = TIMES[word.split()[0].rstrip("x")]
            if turning is None:
                times = number
            elif turning.slots:
                turning.turn(number)
            else:
                turning.times = number
        else:
            slots = list(range(LENGTH)) if kind == "all" else list(slot_numbers(word))
            target = waiting if leading or turning is None else turning.slots
            target += [slot for slot in slots if slot not in target]
    if turning is not None:
        turning.turn(turning.times)
        done += turning.pressed
    return _bounded(done)


def _settings(sentence: str, shown: str) -> tuple[str, ...]:
    """Read 'change the first letter to P, slot 2 to L'."""
    target = [*shown]
    for found in SETS.finditer(sentence):
        for slot in slot_numbers(found["slot"]):
            target[slot] = found["letter"].upper()
    return turns_to("".join(target), shown) or ()


def _bounded(actions: Sequence[str]) -> list[str]:
    """Leave out what would only go round in circles."""
    return [action for number, action in enumerate(actions) if actions[:number].count(action) < REACH + 1]
