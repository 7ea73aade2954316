"""The rules of the telehealth puzzle, as its manual states them: typical signs, and a treatment for each diagnosis."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from palaver_gamemasters.comma.manual import Manual, Section

from .signs import DIAGNOSES, SIGNS, SIZE, Cell, Span, Value, apart, fits
from .treatment import Treatment, read_treatment

__all__ = ["TelehealthRules", "read"]

ANY = "any"
TREATMENT = re.compile(r"treatment:\s*(?P<rule>.*)", re.IGNORECASE)
UNDER = re.compile(r"(?:under|below|less than) (\d+(?:\.\d+)?) ?mm")
OR_MORE = re.compile(r"(\d+(?:\.\d+)?) ?mm or more")


@dataclass(frozen=True, slots=True)
class TelehealthRules:
    """What is typical of each diagnosis, sign by sign, and how each is treated."""

    signs: Mapping[str, Mapping[str, Cell]]
    treatments: Mapping[str, Treatment]

    def scores(self, seen: Mapping[str, Value]) -> dict[str, int]:
        """Count, for each diagnosis, the signs that fit it."""
        return {
            code: sum(fits(cells[sign], value) for sign, value in seen.items() if sign in cells)
            for code, cells in self.signs.items()
        }

    def best(self, seen: Mapping[str, Value]) -> tuple[str, ...]:
        """Return the diagnosis that most signs fit; several, if there is a tie."""
        scores = self.scores(seen)
        most = max(scores.values())
        return tuple(code for code, score in scores.items() if score == most)


def read(manual: Manual) -> TelehealthRules:
    """Read the rules.

    Raises:
        InstanceError: a section, a sign or a treatment is missing or makes no sense, or two diagnoses cannot be told
            apart; names the line.
    """
    treatments = {code: _treatment(manual, code) for code in DIAGNOSES}
    section = manual.section("Signs")
    signs = _signs(manual, section)
    for one, other in combinations(DIAGNOSES, 2):
        if not any(apart(signs[one][sign], signs[other][sign]) for sign in signs[one]):
            raise manual.error(f"no sign tells {one} from {other}: some row must have nothing in common", section.line)
    return TelehealthRules(signs, treatments)


def _treatment(manual: Manual, code: str) -> Treatment:
    section = next((each for each in manual.sections.values() if f"({code})" in each.title), None)
    if section is None:
        raise manual.error(f"there is no section '{DIAGNOSES[code].capitalize()} ({code})'")
    for entry in section.lines:
        if found := TREATMENT.match(entry.text.strip()):
            try:
                return read_treatment(found["rule"])
            except ValueError as error:
                raise manual.error(str(error), entry.line) from error
    raise manual.error(f"section {section.title!r} has no line 'Treatment: ...'", section.line)


def _signs(manual: Manual, section: Section) -> dict[str, dict[str, Cell]]:
    table = section.table
    codes = [cell.upper() for cell in table.head[1:]]
    if missing := [code for code in DIAGNOSES if codes.count(code) != 1]:
        raise manual.error(f"the table needs one column for {missing[0]}, beside those of the others", section.line)
    found: dict[str, dict[str, Cell]] = {code: {} for code in DIAGNOSES}
    for line, (name, *cells) in table.rows:
        sign = manual.one_of([*SIGNS, SIZE], "sign", name, line)
        if sign in found["BCC"]:
            raise manual.error(f"the sign {name!r} has a row already", line)
        for code, cell in zip(codes, cells, strict=True):
            if code in found:
                found[code][sign] = _cell(manual, line, sign, cell)
    if missing := [sign for sign in [*SIGNS, SIZE] if sign not in found["BCC"]]:
        raise manual.error(f"the table has no row for the sign {missing[0]!r}", section.line)
    return found


def _cell(manual: Manual, line: int, sign: str, text: str) -> Cell:
    told = text.lower()
    if sign == SIZE:
        return _span(manual, line, told)
    if told == ANY:
        return frozenset(SIGNS[sign])
    values = [value.strip() for value in told.split(",")]
    for value in values:
        if value not in SIGNS[sign]:
            raise manual.error(f"{value!r} is no {sign}: say 'any', or some of {', '.join(SIGNS[sign])}", line)
    return frozenset(values)


def _span(manual: Manual, line: int, told: str) -> Span:
    if told == ANY:
        return Span()
    if found := UNDER.fullmatch(told):
        return Span(below=float(found[1]))
    if found := OR_MORE.fullmatch(told):
        return Span(least=float(found[1]))
    raise manual.error(f"{told!r} is no size: say 'any', 'under 6 mm' or '6 mm or more'", line)
