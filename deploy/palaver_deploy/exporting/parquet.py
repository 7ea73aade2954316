"""Rows into Parquet, by polars, a part of them in memory at a time."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palaver_observability.tables.rows import Row
from palaver_observability.tables.schema import Grain, Kind, columns_of
from palaver_protocols.errors import UsageError, one_line

from .grains import flat

if TYPE_CHECKING:
    import polars as pl

__all__ = ["check_extra", "write_rows"]

ROWS, LETTERS = 5_000, 8_000_000
"""How much of a table is in memory at a time: so many rows, or so many letters."""
GROUP = 50_000
"""Rows of a row group, which readers read at once."""


def check_extra() -> None:
    """Ask for polars where it is missing.

    Raises:
        UsageError: it is.
    """
    if find_spec("polars") is None:
        raise UsageError("Parquet needs polars", mend="pip install 'palaver[parquet]', or write --to jsonl")


def write_rows(file: Path, grain: Grain, scores: tuple[str, ...], rows: Iterator[Row]) -> int:
    """Write rows into a file; return how many there were.

    Args:
        file: where to.
        grain: which table they are of.
        scores: the scores that have a column.
        rows: as :mod:`palaver_observability.tables.rows` makes them.

    Raises:
        UsageError: polars is not installed.
        PalaverError: whatever the rows raise.
    """
    check_extra()
    import polars as pl
    from polars.io.plugins import register_io_source

    kinds = _kinds()
    schema = {column.name: kinds[column.kind] for column in columns_of(grain, scores)}
    count = 0
    raised: list[BaseException] = []

    def frames(
        _columns: list[str] | None, _predicate: pl.Expr | None, _rows: int | None, _size: int | None
    ) -> Iterator[pl.DataFrame]:
        nonlocal count
        yield pl.DataFrame(schema=schema)
        try:
            for part in _parts(rows, scores):
                count += len(part)
                yield pl.DataFrame(part, schema=schema, orient="row")
        except Exception as error:
            raised.append(error)  # polars makes an error of its own of it, with a traceback for a message
            raise

    try:
        register_io_source(frames, schema=schema).sink_parquet(file, row_group_size=GROUP)
    except pl.exceptions.PolarsError as error:
        if raised and not isinstance(raised[0], pl.exceptions.PolarsError):
            raise raised[0] from None
        said = one_line(str(raised[0] if raised else error))
        raise UsageError(f"the {grain} do not go into Parquet: {said}", mend="--to jsonl takes anything") from error
    return count


def _kinds() -> "dict[Kind, pl.DataType]":
    import polars as pl

    text = pl.String()
    return {
        "text": text,
        "integer": pl.Int64(),
        "number": pl.Float64(),
        "boolean": pl.Boolean(),
        "time": pl.Datetime("us", "UTC"),
        "texts": pl.List(text),
        "json": text,
    }


def _parts(rows: Iterator[Row], scores: Sequence[str]) -> Iterator[list[Row]]:
    part: list[dict[str, Any]] = []
    letters = 0
    for row in rows:
        part.append(flat(row, scores))
        letters += len(row.get("text") or "")
        if len(part) >= ROWS or letters >= LETTERS:
            yield part
            part, letters = [], 0
    if part:
        yield part
