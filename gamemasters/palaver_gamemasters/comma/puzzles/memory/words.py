"""How people put stages, positions and labels into words."""

import re
from functools import lru_cache

from palaver_gamemasters.comma import speech
from palaver_gamemasters.comma.speech import cardinals, ordinals, straight

__all__ = ["LABEL", "PLACE", "POSITION", "STAGE", "numbered", "sentences"]

NUMBERS = {**cardinals(5), **ordinals(5)}
NUMBER = re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b")
LEFTMOST = re.compile(r"\b(?:left-?most|far left)\b")
RIGHTMOST = re.compile(r"\b(?:right-?most|far right|last(?= (?:button|position)))\b")
QUOTES = re.compile(r"[\"`*]|(?<!\w)'|'(?!\w)")
NOW = re.compile(r"[,;]?\s+(?:and\s+)?(?=now\b)")

STAGE = re.compile(r"\bstage(?: number)?[ :#]{0,3}([1-5])\b|\b([1-5]) stage\b")
PLACE = r"(?:position|button|place|spot)"
POSITION = re.compile(
    rf"\bpress_([1-4])\b|\b{PLACE}(?: number| no\.?)?[ :#]{{0,3}}([1-4])\b|\b([1-4]) (?:{PLACE}|from the left)\b"
)
LABEL = re.compile(
    r"\b(?:label(?:l?ed|s)?|marked|numbered|says|reads|shows|number)(?: is| was| as| with| of|:)?(?: the)?"
    r"(?: number| label)? ?([1-4])\b|\b([1-4]) (?:as (?:its|the) )?label\b"
)


@lru_cache(maxsize=256)
def sentences(text: str) -> tuple[str, ...]:
    """Divide a text into sentences, in small letters, with numbers as digits."""
    plain = QUOTES.sub("", straight(text.lower()))
    plain = re.sub(r"[ \t]+", " ", plain)
    plain = re.sub(r"\b(the|(?:fir|la|left-?mo|right-?mo)st|second|third|fourth) one\b", r"\1 button", plain)
    plain = RIGHTMOST.sub("4", LEFTMOST.sub("1", plain))
    plain = NUMBER.sub(lambda found: str(NUMBERS[found[0]]), plain)
    plain = re.sub(rf"\b([1-4]) (?:{PLACE} )?from the right", lambda n: f"position {5 - int(n[1])}", plain)
    return tuple(found for each in speech.sentences(plain) for part in NOW.split(each) if (found := part.strip()))


def numbered(pattern: re.Pattern[str], text: str) -> int | None:
    """Return the first number that a pattern finds."""
    found = pattern.search(text)
    return int(next(digit for digit in found.groups() if digit)) if found else None
