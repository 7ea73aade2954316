"""Tables at four grains, as JSON Lines or Parquet: runs, episodes, turns, messages."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from palaver_observability.tables.rows import Row, episode_row, message_rows, run_row, score_names, turn_rows
from palaver_observability.tables.schema import GRAINS, SCORE, Grain
from palaver_protocols.messages import LogEntry
from palaver_protocols.runs import EpisodeRecord

from .sources import Source

__all__ = ["Tick", "flat", "rows_of", "write_jsonl", "write_parquet"]

Tick = Callable[[], None]
"""Called for each episode that is done."""


def write_jsonl(sources: Sequence[Source], folder: Path, tick: Tick) -> dict[str, int]:
    """Write a file of JSON Lines for each grain, in one pass over the logs; return how many lines each has.

    Raises:
        ProtocolError: a log is damaged; names file and line.
    """
    counts = dict.fromkeys(map(str, GRAINS), 0)
    with ExitStack() as stack:
        files = {
            grain: stack.enter_context((folder / f"{grain}.jsonl").open("w", encoding="utf-8")) for grain in GRAINS
        }

        def write(grain: Grain, row: Row) -> None:
            files[grain].write(f"{_json(row)}\n")
            counts[grain] += 1

        for source in sources:
            write("runs", _run_row(source))
            for record in source.records:
                entries = source.run.read_log(record.episode_id)
                write("episodes", episode_row(record))
                for row in turn_rows(record, entries):
                    write("turns", row)
                for row in message_rows(record, entries):
                    write("messages", row)
                tick()
    return counts


def write_parquet(sources: Sequence[Source], folder: Path, tick: Tick) -> dict[str, int]:
    """Write a Parquet file for each grain, a part of it in memory at a time; return how many rows each has.

    Raises:
        UsageError: polars is not installed.
        ProtocolError: a log is damaged; names file and line.
    """
    from .parquet import write_rows

    scores = score_names([record for source in sources for record in source.records])
    return {
        grain: write_rows(folder / f"{grain}.parquet", grain, scores, rows_of(grain, sources, tick)) for grain in GRAINS
    }


def rows_of(grain: Grain, sources: Sequence[Source], tick: Tick) -> Iterator[Row]:
    """Yield the rows of a table; the episodes that are done are told once, with the last of the tables."""
    if grain == "runs":
        yield from map(_run_row, sources)
    elif grain == "episodes":
        yield from (episode_row(record) for source in sources for record in source.records)
    else:
        of: Callable[[EpisodeRecord, Sequence[LogEntry]], Iterator[Row]]
        of = turn_rows if grain == "turns" else message_rows
        for source in sources:
            for record in source.records:
                yield from of(record, source.run.read_log(record.episode_id))
                if grain == "messages":
                    tick()


def flat(row: Row, scores: Sequence[str]) -> Row:
    """Give each score a column of its own, and write what is JSON as text: for formats that know neither."""
    plain = {name: _text_if_json(name, value) for name, value in row.items() if name != "scores"}
    found = row.get("scores")
    if found is None:
        return plain
    return {**plain, **{f"{SCORE}{name}": _finite(found.get(name)) for name in scores}}


def _run_row(source: Source) -> Row:
    return run_row(
        source.run.config,
        source.written,
        len(source.records),
        study=source.study,
        experiment=source.experiment,
        labels=source.labels,
    )


def _text_if_json(name: str, value: Any) -> Any:
    is_json = isinstance(value, dict) or name in ("segments", "gradings")
    return _json(value) if is_json else value


def _json(value: Any) -> str:
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, default=_time)


def _finite(value: Any) -> Any:
    """Put null in the place of numbers that JSON does not have, wherever they stand."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def _time(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} is no value of a table")
