"""The YAML of a grading model, read as leniently as its meaning allows (The Collaboration Gap, figures A.5 and A.6).

Models fence it or not, talk around it, quote as they please, leave brackets out. What they mean by that is plain, and
is read. What is not plain is refused in one sentence that tells the model what to mend: nothing is guessed, because a
guess would be a grade.
"""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from palaver_gamemasters.game import UnreadableGradeError
from palaver_protocols.errors import first_problem

from .extraction import Entry, Extraction, Scheme
from .model_blocks import blocks_of, document
from .model_places import NoPlaceError, places_of, scalar

__all__ = ["MAX_ANSWER", "read_extraction"]

MAX_ANSWER = 1_000_000
"""Characters of an answer, thoughts included."""

_THOUGHTS_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"[<>|]|\.\.")
_SCHEMA_NAMES = {
    "coordinate_orientation": "coordinates_orientation",
    "coordinate_symbols": "coordinates_symbols",
    "origin": "maze_origin",
    "orientation": "maze_orientation",
}
"""The study's own prompts spell some of them in two ways."""
_TURN = re.compile(r"(?:turns?|t)?[ _#]*(?:\d{1,6} ?(?:-|to|\N{EN DASH}) ?)?(\d{1,6})", re.IGNORECASE)
"""A turn, or several that are told as one: then what is said of them holds at the last."""
_KINDS = {"move": "move", "moved": "move", "consider": "consider", "considered": "consider"}
_ONE_AGENT = r"(?:agents?|player|speaker)?[ _-]?\d{1,3}"
_AGENTS = re.compile(
    rf"(?:both|all|none|neither|everyone)(?: (?:of them|agents|players))?"
    rf"|{_ONE_AGENT}(?:(?:,|&| and|, and) ?{_ONE_AGENT})*",
    re.IGNORECASE,
)
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
    for block in blocks_of(_THOUGHTS_END.split(text)[-1]):
        try:
            return _extraction(document(block))
        except UnreadableGradeError as error:
            first = first or error
    raise first or UnreadableGradeError("it holds no YAML with `route_schema:` and `route:`")


# ---- what it says


def _extraction(said: Any) -> Extraction:
    """Read the two keys.

    Raises:
        UnreadableGradeError: one of them is missing or wrong.
    """
    named = _keys(said)
    if "route" not in named:
        raise UnreadableGradeError("it has no `route:`")
    route = [] if named["route"] is None else named["route"]  # nothing behind the colon: nobody moved
    if not isinstance(route, list):
        raise UnreadableGradeError("`route` is no list; give one entry for each turn, or [] if nobody moved")
    for key, value in named.items():
        if key != "route" and isinstance(value, list) and any("turn" in _keys(item) for item in value):
            raise UnreadableGradeError(f"entries of the route stand under `{key[:60]}`, not under `route`")
    scheme = _scheme(named.get("route_schema") or named)  # the study's figures print its fields without indentation
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
    words["agent"] = _said(fields.get("agent")) or "both"
    for name, word in words.items():
        if not word:
            raise UnreadableGradeError(f"entry {number} of the route has no `{name}`")
        if _PLACEHOLDER.search(word):
            raise UnreadableGradeError(
                f"entry {number} of the route still holds the template in `{name}` ({word[:60]})"
            )
    turn = _TURN.fullmatch(words["turn"])
    if turn is None:
        raise UnreadableGradeError(
            f"entry {number} of the route has the turn {words['turn'][:60]!r}, which is no number"
        )
    kind = words["turn_type"].lower()
    if kind not in _KINDS:
        raise UnreadableGradeError(f"turn {turn[1]} has the turn_type {kind[:60]!r}; it is move or consider")
    kind, agent = _KINDS[kind], _agent(words["agent"])
    if agent is None or (kind == "move" and agent in ("none", "neither")):
        raise UnreadableGradeError(
            f"turn {turn[1]} has the agent {words['agent'][:60]!r}; it is one of the speakers, or both"
        )
    coordinates = _places(f"turn {turn[1]}", fields.get("coordinates", fields.get("coordinate")), symbols, kind)
    try:
        return Entry.model_validate(
            {"turn": int(turn[1]), "coordinates": coordinates, "turn_type": kind, "agent": agent}
        )
    except ValidationError as error:
        raise UnreadableGradeError(f"turn {turn[1]} cannot be read: {first_problem(error)}") from error


def _said(value: Any) -> str:
    return ", ".join(map(scalar, value)) if isinstance(value, list) else scalar(value)


def _agent(said: str) -> str | None:
    """Level who it was: ``agent 1`` and ``[agent_1, agent_2]`` are plain enough; None if it is nobody of them."""
    if not _AGENTS.fullmatch(said):
        return None
    numbers = re.findall(r"\d+", said)
    return ", ".join(f"agent_{number}" for number in numbers) or said.split(maxsplit=1)[0].lower()


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
