"""Small promises about files: written whole or not at all, read line by line, errors in one line."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from pydantic import ValidationError

from palaver_broker.disk import sync_folder
from palaver_protocols.errors import PalaverError, ProtocolError, UsageError, first_problem

from .journal import whole_lines

__all__ = ["gist", "read_lines", "replace_file", "writing"]

T = TypeVar("T")


def replace_file(file: Path, data: bytes) -> None:
    """Write a file whole or not at all, durably."""
    part = file.with_name(f".{file.name}.{uuid4().hex[:8]}")
    try:
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def read_lines(file: Path, read: Callable[[bytes], T], *, mend: str) -> Iterator[tuple[T, bytes]]:
    """Yield what the whole lines of a file say, with the lines; nothing for a file that is not there."""
    try:
        lines = whole_lines(file)
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        try:
            yield read(line), line
        except (ProtocolError, ValidationError) as error:
            raise ProtocolError(f"{file}, line {number} is damaged: {gist(error)}", mend=mend) from error


def gist(error: Exception) -> str:
    """Return the gist of an error in one line."""
    if isinstance(error, ValidationError):
        return first_problem(error)
    if isinstance(error, PalaverError):
        return error.message
    return " ".join(str(error).split())


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in one line that a folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write to {path}: {error.strerror}", mend="give another folder") from error
