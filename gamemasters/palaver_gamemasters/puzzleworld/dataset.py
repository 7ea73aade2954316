"""A dataset in a folder: puzzles in folders of their own, at any depth, or lines of ``all_metadata.jsonl``.

The study's guide and runner have ``data/FOLDER/Puzzle_Name/metadata.json`` with ``content.png`` (or ``content_1.png``
and so on) beside it, and ``figure*.png`` that steps refer to. What is published on Hugging Face is one file
``all_metadata.jsonl`` with the pictures beside it: where a folder has such a file, that is the dataset.
"""

import json
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import JsonValue

from palaver_gamemasters.files import text_in
from palaver_protocols.errors import InstanceError, UsageError

from .checking import checked
from .linked import is_within
from .metadata import Metadata, read_metadata
from .pictures import OWN
from .puzzle import Page, Puzzle

__all__ = ["LINES", "METADATA", "Broken", "Entry", "complete", "entries"]

METADATA = "metadata.json"
LINES = "all_metadata.jsonl"
PICTURE = re.compile(r".*\.(png|jpe?g|gif|webp)", re.IGNORECASE)
CONTENT = re.compile(r"content.*\.(png|jpe?g|gif|webp)", re.IGNORECASE)
FOLDERS = ("path", "folder", "directory", "puzzle_name", "puzzle", "name", "id", "title")
IMAGES = ("content", "contents", "puzzle_content", "images", "image", "pages", "file_name", "file_names")
"""What a line may call the folder, and the pages: tried in this order, since no guide says it."""
COPY = "put a copy there"


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle of a dataset, its pictures not yet looked at. ``pages`` are files, None where nobody has named them."""

    id: str
    where: str
    about: Metadata
    root: Path
    folder: Path
    pages: tuple[Path, ...] | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """A puzzle that cannot be played, and why."""

    id: str
    error: InstanceError


def entries(place: Path) -> tuple[Entry | Broken, ...]:
    """Find the puzzles of a dataset.

    Args:
        place: a dataset, a folder of puzzles, or one puzzle; the file that describes them will do.

    Raises:
        UsageError: there is no such folder, or no puzzle in it.
    """
    root = place.parent if place.is_file() else place
    if not root.is_dir():
        raise UsageError(f"there is no dataset {place}", mend=f"give a folder of puzzles, each with {METADATA}")
    lines = place if place.is_file() and place.name != METADATA else root / LINES
    found = tuple(_lines(root, lines) if lines.is_file() else _folders(root))
    if not found:
        raise UsageError(f"{place} holds no puzzle", mend=f"it should hold {LINES}, or folders with {METADATA} each")
    return found


def _folders(root: Path) -> Iterator[Entry | Broken]:
    for folder in _walk(root):
        yield from _linked(root, folder)
        file = folder / METADATA
        if not file.is_file():
            if _content(folder):
                why = f"{folder} has pages, and no {METADATA}"
                yield Broken(folder.name, InstanceError(why))
            continue
        where = f"{folder.name}, {METADATA}"
        try:
            if not _is_its_own(file, root):
                raise InstanceError(f"{folder.name}: {file} is a link that leads out of {root}", mend=COPY)
            data = json.loads(text_in(file))
            yield Entry(folder.name, folder.name, read_metadata(where, data), root, folder)
        except (ValueError, RecursionError) as error:
            yield Broken(folder.name, InstanceError(f"{where}: it is no JSON: {error}"))
        except InstanceError as error:
            yield Broken(folder.name, error)
        except UsageError as error:
            yield Broken(folder.name, InstanceError(f"{folder.name}: {error.message}"))


def _is_its_own(file: Path, root: Path) -> bool:
    """Whether a file belongs to a dataset. Those that come along may be links: so some tools install packages."""
    return root == OWN or is_within(file, root)


def _linked(root: Path, folder: Path) -> Iterator[Broken]:
    """Name the puzzles in a folder that are links to elsewhere: they are not followed, and should not be missed."""
    for each in sorted(folder.iterdir()):
        if each.is_symlink() and each.is_dir() and not each.name.startswith(".") and not is_within(each, root):
            try:
                puzzle = (each / METADATA).is_file() or bool(_content(each))
            except OSError:
                continue
            if puzzle:
                yield Broken(each.name, InstanceError(f"{each} is a link that leads out of {root}", mend=COPY))


def _walk(root: Path) -> Iterator[Path]:
    """Yield a folder and those in it, but for hidden ones and links, in the order of their names."""
    for at, below, _ in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith("."))
        yield Path(at)


def _lines(root: Path, file: Path) -> Iterator[Entry | Broken]:
    folders: dict[str, list[Path]] = {}
    for folder in _walk(root):
        if folder != root and _content(folder):
            folders.setdefault(_key(folder.name), []).append(folder)
    for at, data in _values(file):
        if isinstance(data, Exception):
            yield Broken(at.replace(" ", "-"), InstanceError(f"{file.name}, {at}: it is no JSON: {data}"))
            continue
        fields: Mapping[str, Any] = data if isinstance(data, dict) else {}
        name = next((str(fields[key]) for key in ("title", "id") if fields.get(key)), at)
        try:
            yield _line(root, folders, fields, name, read_metadata(f"{file.name}, {at} ({name})", data))
        except InstanceError as error:
            yield Broken(at.replace(" ", "-") if name == at else _id(name), error)


def _values(file: Path) -> Iterator[tuple[str, JsonValue | Exception]]:
    """Yield the puzzles of a file, one a line or all in a list, and where each stands; what is no JSON says why."""
    text = text_in(file, "the puzzles of")
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield f"line {number}", _value(line)
        return
    for number, value in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield f"puzzle {number}", value


def _value(line: str) -> JsonValue | Exception:
    try:
        value: JsonValue = json.loads(line)
    except (ValueError, RecursionError) as error:
        return error
    return value


def _line(
    root: Path, folders: Mapping[str, list[Path]], fields: Mapping[str, Any], name: str, about: Metadata
) -> Entry:
    named = next((listed for key in IMAGES if (listed := _pictures(fields.get(key)))), ())
    candidates = [str(fields[key]) for key in FOLDERS if isinstance(fields.get(key), str | int)]
    folder = next(filter(None, (_folder(root, folders, each) for each in candidates)), None)
    if folder is None and not named:
        tried = ", ".join(dict.fromkeys(each.strip().replace(" ", "_") for each in candidates))
        raise InstanceError(
            f"{name}: no folder of {root} with its pages is called {tried}", mend="name it by a field path of its line"
        )
    where = _id(folder.name if folder else name)
    base = folder or root
    pages = tuple(_inside(where, "page", each, root, base) for each in named) or None
    return Entry(where, where, about, root, base, pages)


def _folder(root: Path, folders: Mapping[str, list[Path]], name: str) -> Path | None:
    """Find a puzzle's folder by what its line calls it: a path, or a name that stands for one anywhere below.

    Raises:
        InstanceError: there are several of that name.
    """
    path = PurePosixPath(name.strip())
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        return None
    for as_path in _spellings(root, path):
        if as_path != root and as_path.is_dir() and is_within(as_path, root):
            return as_path
        if as_path.is_file() and is_within(as_path, root):
            return as_path.parent
    found = folders.get(_key(name), [])
    if len(found) > 1:
        listed = " and ".join(str(each.relative_to(root)) for each in found)
        raise InstanceError(f"{name}: there are the folders {listed}", mend="name one by a field path of its line")
    return found[0] if found else None


def _pictures(value: Any) -> tuple[str, ...]:
    """Return the files of pictures that a field names, if it does."""
    listed = [value] if isinstance(value, str | dict) else value if isinstance(value, list) else []
    paths = [each.get("path") if isinstance(each, dict) else each for each in listed]
    named = [each for each in paths if isinstance(each, str) and PICTURE.fullmatch(each)]
    return tuple(each for each in named if not PurePosixPath(each).name.startswith("figure"))


def _key(name: str) -> str:
    """Return what is compared of a folder's name: letters and digits, whatever stands between them."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", name))).casefold()


def _spellings(folder: Path, path: PurePosixPath) -> Iterator[Path]:
    """Yield where a file may be: some machines write accents as letters of their own, which means the same."""
    for form in (str(path), unicodedata.normalize("NFC", str(path)), unicodedata.normalize("NFD", str(path))):
        yield folder / form


def _id(name: str) -> str:
    """Name a puzzle as its folder would be: no blanks, and nothing that means something in a path."""
    return re.sub(r"[^\w.'!?&+-]+", "_", unicodedata.normalize("NFC", name.strip())).strip("._") or "puzzle"


def _content(folder: Path) -> list[Path]:
    """Return the pages in a folder: ``content.png``, then by number, then those without a number by name."""
    found = [each for each in folder.iterdir() if CONTENT.fullmatch(each.name)]
    return sorted(found, key=_place)


def _place(file: Path) -> tuple[bool, bool, int, str]:
    number = re.search(r"\d+", file.stem)
    first = file.stem.lower() == "content"
    return (not first, not first and number is None, int(number[0]) if number else 0, file.name)


def _inside(where: str, what: str, name: str, root: Path, base: Path) -> Path:
    """Find a file that a dataset names: in the puzzle's folder, or from the dataset's own.

    Raises:
        InstanceError: it is outside the dataset, or nowhere.
    """
    path = PurePosixPath(name.strip())
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise InstanceError(f"{where}: {what} {name!r} leads out of its folder")
    places = ((base, path), (root, path), (base, PurePosixPath(path.name)))
    found = next((each for place in places for each in _spellings(*place) if each.is_file()), None)
    if found is None:
        raise InstanceError(f"{where}: there is no {name} ({what}) in {base}")
    return found


def complete(entry: Entry, revision: str | None = None) -> Puzzle:
    """Make a puzzle of an entry: its pictures are looked at, and hashed.

    Raises:
        InstanceError: a page or a figure is missing, damaged or too large; names it.
    """
    about = entry.about
    pages = entry.pages or tuple(_content(entry.folder))
    if not pages:
        raise InstanceError(f"{entry.where}: {entry.folder} has no page content.png")
    figures = {}
    for number, step in enumerate(about.reasoning, 1):
        if step.figure is not None and step.figure not in figures:
            what = f"figure of step {number}"
            file = _inside(f"{entry.where}, reasoning", what, step.figure, entry.root, entry.folder)
            figures[step.figure] = _page(f"{entry.where}, {what}", file, entry.root)
    return Puzzle(
        id=entry.id,
        **about.model_dump(exclude={"reasoning"}),
        reasoning=about.reasoning,
        revision=revision,
        pages=tuple(_page(entry.where, page, entry.root) for page in pages),
        figures=figures,
    )


def _page(where: str, file: Path, root: Path) -> Page:
    words = file.with_suffix(".txt")
    for each in (file, words):
        if not _is_its_own(each, root):
            raise InstanceError(f"{where}: {each} is a link that leads out of {root}", mend=COPY)
    return Page(
        file=file.relative_to(OWN) if file.is_relative_to(OWN) else file,
        sha256=checked(where, file),
        words=text_in(words, f"{where}: the words") if words.is_file() else None,
    )
