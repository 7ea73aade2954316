"""Manuals: markdown that an expert reads as prose and the game reads as rules.

One file is both, so that what the expert is told and what the game judges by cannot differ. A puzzle looks for its
sections, list items and tables; whatever else stands there is for the reader.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise

from palaver_protocols.errors import InstanceError

__all__ = [
    "TELLING",
    "Entry",
    "Manual",
    "Section",
    "Table",
    "assembled",
    "divided",
    "is_part",
    "telling_lines",
    "without_parts",
]

HEADING = re.compile(r"(#{1,6})\s+(?P<title>.+?)\s*#*\s*$")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?P<text>.+)$")
RULER = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of interest: ``line`` counts from 1 within the file."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A markdown table: ``rows`` hold as many cells as the head, each with its line."""

    head: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Section:
    """The lines under a heading, up to the next one of any level."""

    manual: "Manual"
    title: str
    line: int
    lines: tuple[Entry, ...]

    @property
    def items(self) -> tuple[Entry, ...]:
        """The items of its lists, in order; a line that follows an item, indented, belongs to it."""
        found: list[Entry] = []
        for entry in self.lines:
            if item := ITEM.match(entry.text):
                found.append(Entry(entry.line, item["text"].strip()))
            elif found and entry.text.startswith((" ", "\t")) and entry.text.strip():
                found[-1] = Entry(found[-1].line, f"{found[-1].text} {entry.text.strip()}")
        return tuple(found)

    @property
    def prose(self) -> str:
        """What is neither list nor table, as one text."""
        return " ".join(
            entry.text.strip()
            for entry in self.lines
            if entry.text.strip() and not ITEM.match(entry.text) and not entry.text.lstrip().startswith("|")
        )

    @property
    def table(self) -> Table:
        """Its table.

        Raises:
            InstanceError: there is none, or a row has too few cells or too many.
        """
        rows = [entry for entry in self.lines if entry.text.lstrip().startswith("|")]
        if len(rows) < 2 or not RULER.match(rows[1].text):
            raise self.manual.error(f"section {self.title!r} has no table", self.line)
        head, body = _cells(rows[0].text), [(row.line, _cells(row.text)) for row in rows[2:]]
        for line, cells in body:
            if len(cells) != len(head):
                raise self.manual.error(f"the row has {len(cells)} cells, the table's head {len(head)}", line)
        return Table(head, tuple(body))


@dataclass(frozen=True)
class Manual:
    """A manual. ``file`` is what errors call it."""

    file: str
    text: str

    @cached_property
    def sections(self) -> Mapping[str, Section]:
        """Its sections by title in small letters; what stands before the first heading is under ``""``.

        Raises:
            InstanceError: two have the same title.
        """
        found: dict[str, Section] = {}
        title, begins, lines = "", 1, list[Entry]()
        for number, text in enumerate(self.text.splitlines(), 1):
            if heading := HEADING.match(text):
                found[title.lower()] = Section(self, title, begins, tuple(lines))
                if heading["title"].lower() in found:
                    raise self.error(f"there are two sections {heading['title']!r}", number)
                title, begins, lines = heading["title"], number, []
            else:
                lines.append(Entry(number, text))
        found[title.lower()] = Section(self, title, begins, tuple(lines))
        return found

    def section(self, title: str) -> Section:
        """Return a section.

        Raises:
            InstanceError: there is none of this title.
        """
        found = self.sections.get(title.lower())
        if found is None:
            has = ", ".join(repr(section.title) for section in self.sections.values() if section.title)
            raise self.error(f"there is no section {title!r}; it has {has or 'none'}")
        return found

    def error(self, problem: str, line: int | None = None) -> InstanceError:
        """Make an error that names the file, and the line if there is one."""
        where = self.file if line is None else f"{self.file}, line {line}"
        return InstanceError(f"{where}: {problem}")

    def rule(self, item: Entry, pattern: re.Pattern[str], example: str) -> re.Match[str]:
        """Read an item of a list as a rule.

        Raises:
            InstanceError: it does not match the pattern; names the line and gives the example.
        """
        found = pattern.fullmatch(item.text)
        if found is None:
            raise self.error(f"{item.text!r} is no rule, such as '{example}'", item.line)
        return found

    def one_of(self, names: Sequence[str], what: str, text: str, line: int) -> str:
        """Return the name in small letters that stands in a cell or an item.

        Raises:
            InstanceError: it is none of these names; see :meth:`unknown`.
        """
        if text.lower() not in names:
            raise self.unknown({name: name for name in names}, what, text, line)
        return text.lower()

    def unknown(self, called: Mapping[str, str], what: str, text: str, line: int) -> InstanceError:
        """Make an error about a word that names nothing: with the nearest name, or all that there are.

        Args:
            called: names by whatever they are called.
            what: what they are names of.
            text: the word.
            line: where it stands.
        """
        near = get_close_matches(text.lower(), called, n=1)
        names = dict.fromkeys(called.values())
        hint = f"did you mean {called[near[0]]!r}?" if near else f"there are: {', '.join(names)}"
        return self.error(f"there is no {what} {text!r}; {hint}", line)


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.strip().strip("|").split("|"))


# ---- a manual among several experts

BEGINS = "-----8<-----"
ENDS = "----->8-----"
TELLING = 40
"""Characters of a line from which on nobody would write it by chance."""
PART = re.compile(
    r"^Part (?P<number>[1-9]\d?) of (?P<all>[1-9]\d?) of the manual\b.*\n"
    rf"{re.escape(BEGINS)}\n(?P<piece>(?s:.*?))\n{re.escape(ENDS)}$",
    re.MULTILINE,
)


def divided(text: str, parts: int) -> tuple[str, ...]:
    """Divide a manual into parts of about the same length, between lines; each says which part it is.

    A part that begins within a section or a table is told what it continues, outside the marks: what stands between
    the marks is the manual's own, and :func:`assembled` puts it together again.

    Raises:
        InstanceError: it has fewer lines with something on them than parts, or one that looks like such a mark.
    """
    lines = text.split("\n")
    if marks := [number for number, line in enumerate(lines, 1) if line.rstrip() in (BEGINS, ENDS)]:
        raise InstanceError(f"line {marks[0]} of the manual looks like the mark of a part: it cannot be divided")
    told = [number for number, line in enumerate(lines) if line.strip()]
    if len(told) < parts:
        raise InstanceError(f"a manual of {len(told)} lines cannot be divided among {parts} experts")
    size = sum(len(lines[number]) for number in told)
    cuts, done = [0], 0
    for place, number in enumerate(told):
        owed, left = len(cuts), len(told) - place
        if owed < parts and (done * parts >= size * owed or left <= parts - owed):
            cuts.append(number)
        done += len(lines[number])
    bounds = [*cuts, len(lines)]
    return tuple(_part(lines, first, last, number, parts) for number, (first, last) in enumerate(pairwise(bounds), 1))


def telling_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a manual, or of a part of it, that tell something: no marks, and nothing short."""
    found = PART.search(text)
    lines = (found["piece"] if found else text).splitlines()
    return tuple(line for each in lines if len(line := each.strip()) >= TELLING and not RULER.match(each))


def is_part(text: str) -> bool:
    """Whether a manual is one of several parts."""
    return PART.match(text) is not None


def without_parts(text: str) -> str:
    """Leave out the parts of a manual that a text quotes."""
    return PART.sub("", text).strip()


def assembled(texts: Iterable[str]) -> str | None:
    """Put a manual together from texts that quote its parts; None while one is missing."""
    found: dict[int, str] = {}
    wanted = 0
    for text in texts:
        for part in PART.finditer(text):
            wanted = int(part["all"])
            found.setdefault(int(part["number"]), part["piece"])
    if not wanted or any(number not in found for number in range(1, wanted + 1)):
        return None
    return "\n".join(found[number] for number in range(1, wanted + 1))


def _part(lines: list[str], first: int, last: int, number: int, parts: int) -> str:
    told = [f"Part {number} of {parts} of the manual"]
    if not HEADING.match(lines[first]):
        heading = next((line for line in reversed(lines[:first]) if HEADING.match(line)), None)
        if heading and number > 1:
            told.append(f"It continues the section: {heading.lstrip('# ')}")
    if first and lines[first].lstrip().startswith("|") and lines[first - 1].lstrip().startswith("|"):
        top = first
        while top and lines[top - 1].lstrip().startswith("|"):
            top -= 1
        told.append(f"It continues a table whose head is: {lines[top].strip()}")
    return "\n".join([". ".join(told) + ".", BEGINS, *lines[first:last], ENDS])
