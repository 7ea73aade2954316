"""Files that the options of games name: instances as JSON or JSONL, and other text."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from palaver_protocols.errors import UsageError

__all__ = ["json_in", "text_in"]


def text_in(path: Path, what: str = "", mend: str = "name a text file") -> str:
    """Read a text file; a byte order mark, as some editors put before the first line, is left out.

    Args:
        path: the file.
        what: what of it is read, for errors: ``the mazes of``.
        mend: what helps if it cannot be read.

    Raises:
        UsageError: it is missing, cannot be opened, or is no UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UsageError(f"cannot read {f'{what} {path}'.strip()}: {why}", mend=mend) from error


def json_in(path: Path, what: str, noun: str, example: str) -> Iterator[tuple[str, JsonValue]]:
    """Read JSON (one value, or a list of them) or JSONL (one a line).

    Args:
        path: the file.
        what: what of it is read, for errors: ``the mazes of``.
        noun: what each value is: ``maze``.
        example: what a value looks like.

    Yields:
        Where each value stands (``line 3``, or ``maze 3`` of a list), and the value.

    Raises:
        UsageError: the file cannot be read, or a line of it is no JSON.
    """
    text = text_in(path, what, "name a JSON or JSONL file")
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield f"line {number}", _line(path, number, line, example)
        return
    for number, value in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield f"{noun} {number}", value


def _line(path: Path, number: int, line: str, example: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{path}, line {number} is no JSON: {error}", mend=f"give {example}, one a line or in a list"
        ) from error
    return value
