"""An export is there whole or not at all: it grows beside its place, and takes it when it is done."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

import yaml

from palaver_observability.files import writing
from palaver_protocols.errors import UsageError

__all__ = ["MARK", "new_folder"]

MARK = "export.yaml"
"""What an export says of itself. Only a folder that holds one is ever written anew."""
SCHEMA = "palaver.export/1.0"


@contextmanager
def new_folder(out: Path, *, kind: str, runs: Sequence[str], force: bool) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield a folder to write to and a dictionary for what there is to say of it; it becomes ``out`` at the end.

    Args:
        out: where to; the folder is not there yet, or empty, or, with ``force``, an export of ours.
        kind: of the export.
        runs: what it is of, for its mark.
        force: write an export anew.

    Raises:
        UsageError: there is something else, or nothing can be written there.
    """
    _check(out, force=force)
    with writing(out):
        place = out.resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        part, old = (place.with_name(f".{place.name}.{uuid4().hex[:8]}") for _ in range(2))
        part.mkdir()
    try:
        with writing(out):
            said: dict[str, Any] = {}
            yield part, said
            _mark(part, {"schema": SCHEMA, "to": kind, "runs": list(runs), **said})
            if place.exists():
                place.replace(old)
            part.replace(place)
            shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        with suppress(OSError):
            shutil.rmtree(part)
        raise


def _check(out: Path, *, force: bool) -> None:
    if out.is_file():
        raise UsageError(f"{out} is a file", mend="give a new folder")
    if not out.exists() or not any(out.iterdir()):
        return
    if not _is_ours(out):
        raise UsageError(f"{out} is not empty", mend="give a new folder")
    if not force:
        raise UsageError(f"{out} holds an export", mend="--force writes it anew; or give another folder")


def _is_ours(out: Path) -> bool:
    try:
        found = yaml.safe_load((out / MARK).read_bytes())
    except (OSError, yaml.YAMLError):
        return False
    return isinstance(found, Mapping) and found.get("schema") == SCHEMA


def _mark(folder: Path, words: Mapping[str, Any]) -> None:
    made = {"made": datetime.now(UTC).isoformat(timespec="seconds"), "palaver": version("palaver")}
    text = yaml.safe_dump({**words, **made}, sort_keys=False, allow_unicode=True)
    (folder / MARK).write_text(text, encoding="utf-8")
