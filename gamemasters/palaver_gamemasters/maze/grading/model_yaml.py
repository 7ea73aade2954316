"""The YAML of a grading model, read as leniently as its meaning allows (The Collaboration Gap, figures A.5 and A.6).

Models fence it or not, talk around it, quote as they please, leave brackets out. What they mean by that is plain, and
is read. What is not plain is refused in one sentence that tells the model what to mend: nothing is guessed, because a
guess would be a grade.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from textwrap import dedent
from typing import Any

import yaml
from pydantic import ValidationError

from palaver_gamemasters.game import UnreadableGradeError
from palaver_protocols.errors import first_problem

from .extraction import Entry, Extraction, Scheme
from .model_places import NoPlaceError, places_of, scalar

__all__ = ["MAX_ANSWER", "MAX_YAML", "read_extraction"]

MAX_ANSWER = 1_000_000
"""Characters of an answer, thoughts included."""
MAX_YAML = 50_000
"""Characters of its YAML: 300 turns take about 30,000."""
DEEPEST = 30
"""Brackets and dashes within each other; the study's format needs four, and the parser takes very long over many."""
CANDIDATES = 8
"""How many blocks of an answer are tried, from its end."""

_FENCED = re.compile(r"(?:`{3,}|~{3,})[^\S\n]*[\w.+-]*[^\S\n]*\n(.*?)(?:`{3,}|~{3,}|\Z)", re.DOTALL)
_THOUGHTS_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_OPENS = re.compile(r"""\s*["']?route_schema["']?\s*:""")
_OPENS_ROUTE = re.compile(r"""\s*["']?route["']?\s*:""")
_BELONGS = re.compile(r"""\s*(?:-\s|#|[\]}]|["']?(?:route|route_schema)["']?\s*:)""")
_PLACEHOLDER = re.compile(r"[<>|]|\.\.")
_STACKED = re.compile(rf"(?:[-?:][ \t]+){{{DEEPEST}}}")
_SCHEMA_NAMES = {
    "coordinate_orientation": "coordinates_orientation",
    "coordinate_symbols": "coordinates_symbols",
    "origin": "maze_origin",
    "orientation": "maze_orientation",
}
"""The study's own prompts spell some of them in two ways."""
_CHOICES = {
    "maze_origin": "0 or 1",
    "maze_orientation": "top_left, bottom_left, top_right or bottom_right",
    "coordinates_orientation": "row_col or col_row",
    "coordinates_symbols": "number_number, letter_letter, letter_number, number_letter or directions",
}


def read_extraction(text: str) -> Extraction:
    """Read what a grading model answered. Of several blocks, the last one that can be read counts.

    Raises:
        UnreadableGradeError: none can; a clause that says what is wrong with the last one, for the model to mend.
    """
    if len(text) > MAX_ANSWER:
        raise UnreadableGradeError(f"it is longer than {MAX_ANSWER} characters")
    first: UnreadableGradeError | None = None
    for block in _blocks(_THOUGHTS_END.split(text)[-1]):
        try:
            return _extraction(_document(block))
        except UnreadableGradeError as error:
            first = first or error
    raise first or UnreadableGradeError("it holds no YAML with `route_schema:` and `route:`")


# ---- where the YAML is


def _blocks(text: str) -> list[str]:
    """Return the blocks that may be meant, the likeliest first: fences from the last on, then what stands unfenced."""
    fenced = [match[1] for match in _FENCED.finditer(text)]
    around = _FENCED.sub("\n", text)
    braced = around[around.find("{") : around.rfind("}") + 1]
    found = [braced, *_unfenced(around), *fenced]
    return [block for block in reversed(found) if "route" in block][:CANDIDATES]


def _unfenced(text: str) -> Iterator[str]:
    """Yield what begins with one of the two keys, each up to the first line that is none of it."""
    lines = text.splitlines()
    starts = [at for at, line in enumerate(lines) if _OPENS.match(line)]
    starts = starts or [at for at, line in enumerate(lines) if _OPENS_ROUTE.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        margin = _margin(lines[start])
        block = [lines[start]]
        for line in lines[start + 1 : end]:
            if line.strip() and _margin(line) <= margin and not _BELONGS.match(line):
                break
            block.append(line)
        yield "\n".join(block)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


# ---- what it says


def _document(block: str) -> Any:
    if len(block) > MAX_YAML:
        raise UnreadableGradeError(f"its YAML is longer than {MAX_YAML} characters")
    block = dedent(block.expandtabs(2)).replace("\N{NO-BREAK SPACE}", " ")
    if _depth(block) > DEEPEST or _STACKED.search(block):
        raise UnreadableGradeError("its YAML is nested too deeply")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(block, Loader=yaml.SafeLoader)):
            raise UnreadableGradeError("its YAML holds an alias (*)")
        return yaml.safe_load(block)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise UnreadableGradeError(f"its YAML cannot be parsed ({line}{_one_line(error.problem)})") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a date that does not exist
        raise UnreadableGradeError(f"its YAML cannot be parsed ({_one_line(error)})") from error


def _depth(block: str) -> int:
    """Return how deeply brackets are nested, wherever they stand."""
    return max(accumulate((1 if bracket in "[{" else -1 for bracket in re.findall(r"[\[\]{}]", block)), initial=0))


def _one_line(said: object) -> str:
    return " ".join(str(said).split())[:120]


def _extraction(document: Any) -> Extraction:
    """Read the two keys.

    Raises:
        UnreadableGradeError: one of them is missing or wrong.
    """
    named = _keys(document)
    if "route" not in named:
        raise UnreadableGradeError("it has no `route:`")
    route = named["route"]
    if not isinstance(route, list):
        raise UnreadableGradeError("`route` is no list; give one entry for each turn, or [] if nobody moved")
    scheme = _scheme(named.get("route_schema"))
    symbols = scheme.coordinates_symbols if scheme else ""
    return Extraction(
        route_schema=scheme, route=tuple(_entry(number, entry, symbols) for number, entry in enumerate(route, start=1))
    )


def _keys(value: Any) -> dict[str, Any]:
    """Return a mapping by its keys in small letters; empty for anything else."""
    if not isinstance(value, Mapping):
        return {}
    return {re.sub(r"[\s-]+", "_", scalar(key).lower()): item for key, item in value.items()}


def _scheme(value: Any) -> Scheme | None:
    """Read the grader's opinion of the scheme. It decides nothing, so that it may be left out, in part or as a whole.

    Raises:
        UnreadableGradeError: a field says something that is no choice.
    """
    fields: dict[str, str] = {}
    for key, item in _keys(value).items():
        name = _SCHEMA_NAMES.get(key, key)
        if name in _CHOICES and (word := scalar(item)):
            if _PLACEHOLDER.search(word):
                raise UnreadableGradeError(f"{name} still holds the template ({word[:60]}); choose {_CHOICES[name]}")
            fields[name] = _choice(name, word)
    try:
        return Scheme.model_validate(fields) if fields else None
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        raise UnreadableGradeError(f"{name} cannot be {fields[name][:60]}; choose {_CHOICES[name]}") from error


def _choice(name: str, word: str) -> str:
    """Level a choice: ``Top-Left`` and ``(row, col)`` are plain enough, and so is ``(0, 0)`` for an origin."""
    if name == "maze_origin":
        digits = set(re.findall(r"\d+", word))
        return digits.pop() if len(digits) == 1 else word
    return re.sub(r"[^a-z]+", "_", word.lower()).strip("_").replace("column", "col")


def _entry(number: int, value: Any, symbols: str) -> Entry:
    """Read what happened in one turn.

    Raises:
        UnreadableGradeError: it does not say so; names the entry.
    """
    fields = _keys(value)
    if not fields:
        raise UnreadableGradeError(
            f"entry {number} of the route is no mapping of turn, coordinates, turn_type and agent"
        )
    words = {name: scalar(fields.get(name)) for name in ("turn", "turn_type")}
    words["agent"] = _agent(fields.get("agent")) or "both"
    for name, word in words.items():
        if not word:
            raise UnreadableGradeError(f"entry {number} of the route has no `{name}`")
        if _PLACEHOLDER.search(word):
            raise UnreadableGradeError(
                f"entry {number} of the route still holds the template in `{name}` ({word[:60]})"
            )
    turn = re.fullmatch(r"(?:turn|t)?[ _#]*(\d{1,6})", words["turn"], re.IGNORECASE)
    if turn is None:
        raise UnreadableGradeError(
            f"entry {number} of the route has the turn {words['turn'][:60]!r}, which is no number"
        )
    kind = words["turn_type"].lower()
    if kind not in ("move", "consider"):
        raise UnreadableGradeError(f"turn {turn[1]} has the turn_type {kind[:60]!r}; it is move or consider")
    coordinates = _places(f"turn {turn[1]}", fields.get("coordinates", fields.get("coordinate")), symbols, kind)
    try:
        return Entry.model_validate(
            {"turn": int(turn[1]), "coordinates": coordinates, "turn_type": kind, "agent": words["agent"]}
        )
    except ValidationError as error:
        raise UnreadableGradeError(f"turn {turn[1]} cannot be read: {first_problem(error)}") from error


def _agent(value: Any) -> str:
    return ", ".join(map(scalar, value)) if isinstance(value, list) else scalar(value)


def _places(where: str, value: Any, symbols: str, kind: str) -> tuple[tuple[str, ...], ...]:
    """Read the coordinates of an entry; of what was only considered, what cannot be read does not matter.

    Raises:
        UnreadableGradeError: a move leads nowhere that could be read.
    """
    try:
        places = tuple(places_of(value, symbols))
    except NoPlaceError as error:
        if kind == "consider":
            return ()
        raise UnreadableGradeError(f"the coordinates of {where} cannot be read: {error}") from error
    if kind == "move" and not places:
        raise UnreadableGradeError(f"{where} is a move without coordinates; give them, or call it consider")
    return places
