"""Is a name, an address or another phrase told?"""

import re

from ..puzzle import Secret
from .said import Said, plain

__all__ = ["tells_words"]

SHORTEST = 3
"""Letters of a name that stands for a person by itself: shorter ones are syllables and initials."""
APART = r"[\s.,-]{1,3}"
BREAK = r"[\W_]+"
TITLES = frozenset(["mr", "mrs", "ms", "miss", "dr", "prof", "sir", "madam", "jr", "sr"])
PARTICLES = frozenset(["van", "von", "der", "den", "del", "della", "las", "los", "the", "and"])
_WORDS = """\
art back bell best berry bill black blue bond brown bush buck cole cook cross day dean drew faith fair field fields \
fish flood flowers forest fox frank free friend gale gold good grace grant gray green grey guy hall hand hill holly \
hope house hunt ivy jack joy june kelly key king knight lake lane law little long love low marsh mark marks may \
miles mills mole moon moss mercy noble north page park parks parish pat pearl penny peters pike pink piper pond \
poole pope price ray reed rich ring rivers rob rock rose round rusk rush sharp short singer small snow spot \
stone strong summer summers sunny swan sweet violet wade walker ward warm waters waxman wells west white will wise \
wolf wood woods young red yellow"""
ORDINARY = frozenset(_WORDS.split())
"""Names that are words as well: as a name counts only what is written as one."""

STREETS = (
    *(("street", "st", "str"), ("avenue", "ave", "av"), ("road", "rd"), ("lane", "ln"), ("drive", "dr")),
    *(("court", "ct"), ("place", "pl"), ("boulevard", "blvd"), ("square", "sq"), ("terrace", "ter"), ("way",)),
    *(("close",), ("crescent", "cres"), ("highway", "hwy"), ("parkway", "pkwy"), ("circle", "cir"), ("row",)),
    *(("trail", "trl"), ("alley",), ("path",), ("walk",), ("hill",), ("grove",), ("gardens",), ("quay",)),
)
HOUSE = re.compile(r"(?P<number>\d+[a-z]?)\s+(?P<street>\D+)|(?P<street_>\D+?)\s+(?P<number_>\d+[a-z]?)", re.IGNORECASE)


def tells_words(said: Said, secret: Secret) -> bool:
    """Whether words are told, in any case.

    - A name (a field that is called so) is told by any part of it of three letters or more that stands as a word of its
      own, or letter by letter. A part that is a word of everyday language counts where it is written as a name.
    - An address (it begins with a house number, or a street and its number) is told by its street, either with the
      house number or called a street. Town, state and postal code alone are shared by thousands, and are not counted.
    - Anything else is told by all of its words in their order, whatever stands between them.
    """
    value = plain(secret.value).strip()
    house = HOUSE.fullmatch(re.split(r"[,\n;]", value)[0].strip())
    if house:
        return _tells_address(
            said, house["number"] or house["number_"], (house["street"] or house["street_"]).lower().split()
        )
    if "name" in secret.name.lower():
        return _tells_name(said, value)
    words = re.findall(r"\w+", value.lower())
    return bool(words) and bool(re.search(rf"\b{BREAK.join(map(re.escape, words))}\b", said.lower))


def _tells_name(said: Said, name: str) -> bool:
    parts = [part for part in re.findall(r"[^\W\d_]+", name.lower()) if part not in TITLES | PARTICLES]
    return any(_tells_part(said, part, parts) for part in parts if len(part) >= SHORTEST)


def _tells_part(said: Said, part: str, parts: list[str]) -> bool:
    if re.search(rf"(?<!\w){APART.join(part)}(?!\w)", said.lower):
        return True
    others = "|".join(re.escape(other) for other in parts if other != part)
    for found in re.finditer(rf"(?<![^\W_]){re.escape(part)}(?![^\W_])", said.lower):
        if part not in ORDINARY or _is_written_as_a_name(said, found):
            return True
        around = said.lower[max(0, found.start() - 30) : found.start()], said.lower[found.end() : found.end() + 30]
        if others and (
            re.search(rf"(?:{others})[\s,]+(?:\w\.?\s+)?$", around[0])
            or re.match(rf"[\s,]+(?:\w\.?\s+)?(?:{others})\b", around[1])
        ):
            return True
    return False


def _is_written_as_a_name(said: Said, found: re.Match[str]) -> bool:
    """Whether a word has a capital letter, and not because a sentence, an item or a line begins with it."""
    word = said.text[found.start() : found.end()]
    before = said.text[: found.start()].rstrip(" \t\"'(*_")
    return word[0].isupper() and not word.isupper() and bool(before) and before[-1] not in ".!?:;|-\n"


def _tells_address(said: Said, number: str, street: list[str]) -> bool:
    kinds = next((kinds for kinds in STREETS if street[-1].rstrip(".") in kinds), ()) if len(street) > 1 else ()
    named = street[:-1] if kinds else street
    name = BREAK.join(re.escape(word.strip(".")) for word in named)
    kind = rf"[\s.]+(?:{'|'.join(kinds)})\b" if kinds else ""
    if kinds and re.search(rf"\b{name}{kind}", said.lower):
        return True
    if re.search(rf"\b{name}\b(?:{kind})?[\s.,#]*(?:no|number|nr)?[\s.,#]*\b{number.lower()}\b", said.lower):
        return True
    ends = [found.end() for found in re.finditer(rf"\b{number.lower()}\b", said.lower)]
    ends += [spelt.end for spelt in said.numbers if spelt.digits == number]
    return any(re.compile(rf"[\s,.]+{name}\b").match(said.lower, end) for end in ends)
