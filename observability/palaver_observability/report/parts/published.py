"""The published figures of a game's study: found by an agent's name, or shown as a block of their own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..charts.heat import Heat, heat_map
from ..document import Chart, Figure, Note, Section, Table, num, words
from ..naming import model_of
from ..numbers import NONE, between, number
from ..study import Study

__all__ = ["Published", "published_of", "reference", "spread"]

PAIRED_TABLES = {"weighted_outcome": "Weighted outcome", "success": "Binary success"}


@dataclass(frozen=True, slots=True)
class Published:
    """A study's figures: pairings by score, then by (who starts, who follows); and what it prints of solo play."""

    study: str
    source: str
    pairings: Mapping[str, Mapping[tuple[str, str], Heat]]
    solo: Mapping[tuple[str, str], Heat]
    tables: Mapping[str, Sequence[Mapping[str, Any]]]

    def pairing(self, score: str, first: str, second: str) -> Heat | None:
        """Return the published figure of two agents, by the last parts of their names."""
        return self.pairings.get(score, {}).get((model_of(first).lower(), model_of(second).lower()))

    def alone(self, setting: str, agent: str) -> Heat | None:
        """Return the published figure of an agent alone."""
        return self.solo.get((setting, model_of(agent).lower()))


def published_of(study: Study, game: str) -> Published | None:
    """Read the published figures of a game; None where there are none."""
    given = study.published(game)
    if not given:
        return None
    tables = {
        name: [row for row in rows if isinstance(row, Mapping)] for name, rows in given.items() if _is_table(rows)
    }
    pairings = {name: dict(_pairs(rows)) for name, rows in tables.items()}
    solo = {
        (str(row.get("setting", "")), str(row.get("model", "")).lower()): heat
        for row in tables.get("solo", ())
        if (heat := _heat(row)) and str(row.get("score", "weighted_outcome")) == "weighted_outcome"
    }
    return Published(str(given.get("study", "")), str(given.get("source", "")), pairings, solo, tables)


def reference(study: Study) -> Section | None:
    """Show a study's own figures, whether or not its models were run here."""
    blocks: list[Figure | Table | Note] = []
    games = list(dict.fromkeys(cell.config.game for cell in study.cells))
    sources: set[str] = set()
    for game in games:
        found = published_of(study, game)
        if found is None:
            continue
        if found.source not in sources:
            sources.add(found.source)
            blocks.append(Note(found.source if found.study in found.source else f"{found.study}. {found.source}"))
        for name, rows in found.tables.items():
            pairs = found.pairings.get(name)
            table = _table(name, rows, game if len(games) > 1 else "")
            if pairs:
                title = PAIRED_TABLES.get(name, name)
                blocks.append(_figure(title, _names(rows), pairs, found.study, table))
            elif rows:
                blocks.append(table)
    about = (
        "As printed in the study, for reference: none of these numbers was measured here. Where agents of the same "
        "name were run, they stand beside ours in the parts above."
    )
    return Section("published", "Published figures", about, tuple(blocks)) if blocks else None


def spread(value: object, mean: float) -> tuple[float | None, float | None]:
    """Read an interval: a half width, or its two ends."""
    if isinstance(value, int | float):
        return mean - value, mean + value
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        return float(value[0]), float(value[1])
    return None, None


def _is_table(rows: object) -> bool:
    return isinstance(rows, Sequence) and not isinstance(rows, str)


def _pairs(rows: Iterable[Mapping[str, Any]]) -> Iterable[tuple[tuple[str, str], Heat]]:
    for row in rows:
        if "first" in row and "second" in row and (heat := _heat(row)):
            yield (str(row["first"]).lower(), str(row["second"]).lower()), heat


def _heat(row: Mapping[str, Any]) -> Heat | None:
    mean = row.get("mean")
    if not isinstance(mean, int | float):
        return None
    n = row.get("n")
    return Heat(float(mean), *spread(row.get("ci"), float(mean)), n if isinstance(n, int) else None)


def _names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(str(row[side]) for row in rows for side in ("first", "second") if side in row))


def _figure(
    title: str, names: Sequence[str], pairs: Mapping[tuple[str, str], Heat], study: str, table: Table
) -> Figure:
    cells = {
        (first, second): heat
        for first in names
        for second in names
        if (heat := pairs.get((first.lower(), second.lower())))
    }
    svg = heat_map(f"{title}, as published: the row starts, the column follows", names, names, cells)
    caption = f"{title} of each pairing as published ({study}): mean, the row starts; 95 % CI and place in the table."
    return Figure((Chart(f"{title}, published", svg),), caption, table)


def _table(name: str, rows: Sequence[Mapping[str, Any]], game: str) -> Table:
    keys = list(dict.fromkeys(str(key) for row in rows for key in row))
    head = tuple(num(key) if _is_numeric(key, rows) else words(key) for key in keys)
    body = tuple(tuple(_text(key, row) for key in keys) for row in rows)
    title = PAIRED_TABLES.get(name, name)
    title = f"{game}: {title}" if game else title.capitalize()
    return Table(f"{title}, as published", head, body, folded=True)


def _is_numeric(key: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    known = [row[key] for row in rows if row.get(key) is not None]
    return key in ("mean", "ci", "n") or all(isinstance(value, int | float) for value in known)


def _text(key: str, row: Mapping[str, Any]) -> str:
    value = row.get(key)
    if key == "ci" and isinstance(mean := row.get("mean"), int | float):
        return between(*spread(value, float(mean))) or NONE
    if isinstance(value, list):
        return " + ".join(map(str, value))
    if isinstance(value, float) or (key == "mean" and isinstance(value, int)):
        return number(value)
    return NONE if value is None else str(value)
