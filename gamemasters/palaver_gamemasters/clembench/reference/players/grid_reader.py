"""How player 2 reads an expression for a grid: as claims, each of which fits a grid more or less.

It understands the wording of the scripted player 1 and what people commonly write: rows, columns and cells, filled or
empty; letters and shapes; numbers of cells; rows in symbols.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from palaver_gamemasters.clembench.families import names
from palaver_gamemasters.clembench.grids import EMPTY, FILLED, Cell, Grid

from .places import MARK, Cells, every_cell, marked

__all__ = ["Claim", "claims", "fits"]

Claim = Callable[[Grid], float]
"""How well something that was said fits a grid: 1 if it holds, less if not, 0 at worst. All that is said of the whole
grid at once counts twice as much."""

ROWS = re.compile(rf"(?:row\s*(\d)\s*(?:[:=]|is|has|as|reads)?\s*)?((?:[{FILLED.lower()}{EMPTY}□]\s*){{5,}})(?![a-z])")
STATE = re.compile(
    r"\b(?P<not>not\s+|un|no\s+|without\s+(?:any\s+)?)?(?:(?P<filled>fill(?:ed)?|full|solid|black|dark|marked|shaded|occupied|"
    r"x'?s?|'x'(?:s|es)?)|(?P<empty>empty|blank|white|clear|open|hollow))(?![\w'])"
)
OTHERWISE = re.compile(r"\b(?:all\s+|every\s+|everything\s+)?(?:but|except(?:\s+for)?|apart from|other than)\b")
ONLY = re.compile(r"\bonly\b|\bjust\b|nothing else|\b(?:rest|others?|remaining|everything else|all else)\b")
CLAUSES = re.compile(r"[;.,:]|\b(?:and|while|but with|with|whereas)\b")
MANY = re.compile(
    r"\b(?P<n>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen)\s+"
    r"(?:(?:cells?|squares?)\s+(?:are|is)\s+(?P<late>filled|empty)|(?P<early>filled|empty|blank|black|white)\s+(?:cells?|squares?)|(?P<sign>x'?s?\b))"
)
WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
LETTER = re.compile(
    r"\bletter\s+'?(?P<a>[a-z])\b|\bshape\s+of\s+(?:the\s+|an?\s+)?(?:capital\s+)?'?(?P<b>[a-z])\b'?"
    r"|\b(?:an?\s+|the\s+)'?(?P<c>[a-z])'?[\s-]+shaped?\b|\b(?P<e>[b-hj-z])'?[\s-]+(?:shaped?|pattern)\b"
    r"|\b(?:like|form(?:s|ing)?)\s+(?:an?\s+|the\s+)(?:capital\s+)?'?(?P<d>[a-z])\b"
)
PLAIN = str.maketrans(
    {"\u201c": "'", "\u201d": "'", '"': "'", "\u2018": "'", "\u2019": "'", "\u2013": "-", "\u2014": "-"}
)
"""Quotation marks and dashes as they are typed."""
LOOSE = {
    "cross": ("plus", "cross", "letter x"),
    "x": ("letter x",),
    "frame": ("square outline",),
    "checker": ("chess",),
}
NOUNS = ("square", "rectangle", "diamond", "plus", "triangle", "arrow", "hourglass", "heart", "house", "staircase")


def fits(expression: str, grids: Sequence[Grid]) -> list[float]:
    """Return how well an expression fits each grid: from 0 to 2, all 0 if nothing was understood."""
    made = claims(expression, max((grid.side for grid in grids), default=5))
    return [sum(claim(grid) for claim in made) / max(len(made), 1) for grid in grids]


def claims(expression: str, side: int = 5) -> list[Claim]:
    """Return what an expression says of a grid of so many rows."""
    text, drawn = _without_rows(" ".join(expression.lower().translate(PLAIN).split()), side)
    said = [*drawn, *_named(text), *_counted(text)]
    return [*said, *_placed(_without(text, MANY, LETTER), side)]


def _without(text: str, *forms: re.Pattern[str]) -> str:
    for form in forms:
        text = form.sub(" ", text)
    return text


def _without_rows(text: str, side: int) -> tuple[str, list[Claim]]:
    """Read rows in symbols; return the text without them, and a claim for each."""
    runs = [
        (match[1], [sign == FILLED.lower() for sign in match[2] if not sign.isspace()]) for match in ROWS.finditer(text)
    ]
    made: list[Claim] = []
    numbered = len([1 for _, signs in runs if len(signs) == side]) == side
    for order, (number, signs) in enumerate(runs):
        if len(signs) == side * side:
            filled = [(at // side, at % side) for at, sign in enumerate(signs) if sign]
            made.append(_like([Grid.of(filled, side)]))
        elif len(signs) == side:
            at = int(number) - 1 if number else order if numbered else None
            made.append(_row(at, signs))
    return ROWS.sub(" ", text), made


def _named(text: str) -> Iterator[Claim]:
    """Read letters and shapes: by their whole names, else by what they are called for short."""
    known = {name.removeprefix("a ").removeprefix("an "): grid for grid, name in names().items()}
    for match in LETTER.finditer(text):
        letter = next(filter(None, match.groups()))
        yield _like([known[f"the letter {letter.upper()}"]])
    shapes = [name for name in known if not name.startswith("the ") and re.search(rf"\b{name}\b", text)]
    if shapes:
        yield _like([known[max(shapes, key=len)]])
        return
    for word in (*LOOSE, *NOUNS):
        if word != "x" and re.search(rf"\b{word}", text):
            wanted = LOOSE.get(word, (word,))
            yield _like([grid for name, grid in known.items() if any(each in name.lower() for each in wanted)])
            return


def _counted(text: str) -> Iterator[Claim]:
    for match in MANY.finditer(text):
        number = int(match["n"]) if match["n"].isdigit() else WORDS.index(match["n"])
        state = match["late"] or match["early"] or match["sign"]
        yield _many(number, filled=state not in ("empty", "blank", "white"))


def _placed(text: str, side: int) -> Iterator[Claim]:
    """Read places, and whether they are filled or empty."""
    text, places = marked(text, side)
    only = ONLY.search(text) is not None
    told: list[tuple[Cells, bool]] = []
    filled = True
    for clause in _clauses(text):
        cells = [places[int(number)] for number in MARK.findall(clause)]
        filled = _state(clause, filled)
        but = OTHERWISE.search(clause)
        if cells and but:
            spared = frozenset[Cell]().union(*(places[int(n)] for n in MARK.findall(clause[but.end() :])))
            whole = every_cell(side) - spared
            yield _like([Grid.of(whole if filled else spared, side)])
        else:
            told += [(each, filled) for each in cells]
    drawn = frozenset[Cell]().union(*(cells for cells, filled in told if filled))
    if only and told:
        yield _like([Grid.of(drawn, side)])
    elif drawn:
        yield _hint(_like([Grid.of(drawn, side)]))
    yield from (_region(cells, filled) for cells, filled in told)


def _clauses(text: str) -> Iterator[str]:
    """Yield parts of a text that say of some places what they are: each has a state, but for the last."""
    held = ""
    for part in CLAUSES.split(text):
        held += f" {part}"
        if STATE.search(part) and MARK.search(held):
            yield held
            held = ""
    if MARK.search(held):
        yield held


def _state(clause: str, before: bool) -> bool:
    """Return whether a clause speaks of filled cells: by its last word for it, else as the clause before it."""
    found = list(STATE.finditer(clause))
    return (found[-1]["filled"] is not None) != (found[-1]["not"] is not None) if found else before


def _like(wanted: Sequence[Grid]) -> Claim:
    """Claim that a grid looks like one of some; the fewer cells differ, the better."""

    def claim(grid: Grid) -> float:
        distance = min((grid.distance(each) for each in wanted), default=0)
        return 2.0 if distance == 0 else 1.8 * max(0.0, 1 - distance / 25)

    return claim


def _hint(claim: Claim) -> Claim:
    """Claim little: who names what is filled mostly names all of it."""
    return lambda grid: 0.05 * claim(grid)


def _region(cells: Cells, filled: bool) -> Claim:
    def claim(grid: Grid) -> float:
        share = sum((cell in grid.filled) == filled for cell in cells) / len(cells)
        return 1.0 if share == 1 else 0.6 * share

    return claim


def _row(at: int | None, signs: Sequence[bool]) -> Claim:
    def claim(grid: Grid) -> float:
        rows = range(grid.side) if at is None else range(at, min(at + 1, grid.side))
        same = [sum(((row, c) in grid.filled) == sign for c, sign in enumerate(signs)) / len(signs) for row in rows]
        best = max(same, default=0.0)
        return 1.0 if best == 1 else 0.6 * best

    return claim


def _many(number: int, *, filled: bool) -> Claim:
    def claim(grid: Grid) -> float:
        there = len(grid.filled) if filled else grid.side**2 - len(grid.filled)
        return 1.0 if there == number else 0.5 * max(0.0, 1 - abs(there - number) / 25)

    return claim
