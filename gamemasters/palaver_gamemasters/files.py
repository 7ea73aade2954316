"""Files that the options of games name: where they are; instances as JSON or JSONL, and other text."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, JsonValue

from palaver_protocols.errors import UsageError

__all__ = ["LocalPath", "json_in", "text_in"]


def _from_anywhere(path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError as error:
        raise ValueError("there is no such home folder") from error


LocalPath = Annotated[Path, AfterValidator(_from_anywhere)]
"""A file or folder that an option names: ``~`` is the home folder, also in YAML, where no shell has read it.

It is named so that a run can be taken up from another folder.
"""


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


def json_in(
    path: Path, what: str, noun: str, example: str, mend: str = "name a JSON or JSONL file"
) -> Iterator[tuple[str, JsonValue]]:
    """Read JSON (one value, or a list of them) or JSONL (one a line).

    Args:
        path: the file.
        what: what of it is read, for errors: ``the mazes of``.
        noun: what each value is: ``maze``.
        example: what a value looks like.
        mend: what helps if the file cannot be read.

    Yields:
        Where each value stands (``line 3``, or ``maze 3`` of a list), and the value.

    Raises:
        UsageError: the file cannot be read, or a line of it is no JSON.
    """
    text = text_in(path, what, mend)
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
