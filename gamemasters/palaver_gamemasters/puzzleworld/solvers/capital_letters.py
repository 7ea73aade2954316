"""Capital Letters: knows flags and capitals, reads the gold boxes, and puts the flags in order of their poles."""

import re

from .solved import Solved, UnsolvedError, counted, listed, only

__all__ = ["solve"]

FLAG = re.compile(r"^flag (?P<letter>[A-Z]): (?P<looks>.+); its pole reaches line (?P<line>\d+)$", re.MULTILINE)
BOXES = re.compile(
    r"^boxes (?P<letter>[A-Z]): (?P<boxes>\d+) boxes, the gold one is number (?P<gold>\d+)$", re.MULTILINE
)
STRIPES = re.compile(r"three (?P<way>upright|level) stripes.*: (?P<colours>\w+, \w+, \w+)")
DEVICE = re.compile(r"a (?P<colour>\w+) (?P<device>disc|cross) on (?P<field>\w+)")
COUNTRIES = {
    "upright blue, white, red": ("France", "Paris"),
    "upright green, white, red": ("Italy", "Rome"),
    "upright green, white, orange": ("Ireland", "Dublin"),
    "upright orange, white, green": ("Ivory Coast", "Yamoussoukro"),
    "upright black, yellow, red": ("Belgium", "Brussels"),
    "upright blue, yellow, red": ("Romania", "Bucharest"),
    "upright green, yellow, red": ("Mali", "Bamako"),
    "upright red, yellow, green": ("Guinea", "Conakry"),
    "upright green, white, green": ("Nigeria", "Abuja"),
    "upright red, white, red": ("Peru", "Lima"),
    "level black, red, gold": ("Germany", "Berlin"),
    "level red, white, blue": ("Netherlands", "Amsterdam"),
    "level red, white, green": ("Hungary", "Budapest"),
    "level red, white, red": ("Austria", "Vienna"),
    "level blue, black, white": ("Estonia", "Tallinn"),
    "level yellow, green, red": ("Lithuania", "Vilnius"),
    "level white, green, red": ("Bulgaria", "Sofia"),
    "level red, blue, orange": ("Armenia", "Yerevan"),
    "level green, white, blue": ("Sierra Leone", "Freetown"),
    "level green, yellow, blue": ("Gabon", "Libreville"),
    "disc red on white": ("Japan", "Tokyo"),
    "disc red on green": ("Bangladesh", "Dhaka"),
    "cross blue on white": ("Finland", "Helsinki"),
    "cross yellow on blue": ("Sweden", "Stockholm"),
    "cross white on red": ("Denmark", "Copenhagen"),
}


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    flags = {each["letter"]: each for each in sorted(FLAG.finditer(words), key=lambda each: each["letter"])}
    boxes = {each["letter"]: (int(each["boxes"]), int(each["gold"])) for each in BOXES.finditer(words)}
    if not flags or flags.keys() != boxes.keys() or len(flags) != counted(words, "flags"):
        raise UnsolvedError("flags or boxes are missing")
    names = {letter: _named(flag["looks"]) for letter, flag in flags.items()}
    for letter, (_, capital) in names.items():
        if len(capital) != boxes[letter][0]:
            raise UnsolvedError(f"{capital} does not fit into {boxes[letter][0]} boxes")
    gold = {letter: capital[boxes[letter][1] - 1].upper() for letter, (_, capital) in names.items()}
    order = sorted(flags, key=lambda letter: int(flags[letter]["line"]))
    answer = "".join(gold[letter] for letter in order)
    return Solved(
        steps=(
            f"The flags are those of {listed(country.upper() for country, _ in names.values())}.",
            f"Their capitals fit into the boxes: {listed(capital.upper() for _, capital in names.values())}.",
            f"In the gold boxes there are {listed(gold.values())}.",
            f"The lowest flag goes in front. By their poles the order is {listed(order)}.",
            f"In this order the gold letters are {listed(answer)}: {answer}.",
        ),
        answer=answer,
        guess="".join(gold.values()),
    )


def _named(looks: str) -> tuple[str, str]:
    """Return the country of a flag and its capital."""
    keys = [f"{found['way']} {found['colours']}" for found in STRIPES.finditer(looks)]
    keys += [f"{found['device']} {found['colour']} on {found['field']}" for found in DEVICE.finditer(looks)]
    key = only((key for key in keys if key in COUNTRIES), f"the country whose flag is {looks}")
    return COUNTRIES[key]
