"""``palaver replay``: recorded replies through a game."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import print_json

if TYPE_CHECKING:
    from palaver_gamemasters.replay import ReplayResult

__all__ = ["replay"]

BOM = b"\xef\xbb\xbf"


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...|-")
def replay(files: tuple[str, ...]) -> int:
    """Play recorded replies through a game, and print one JSON line for each.

    A FILE holds one replay as JSON, or one replay a line; `-` reads one replay a line from standard input, and answers
    each as it comes. A bad one gives a line with its error, and does not stop the rest. Replies that nobody asked for,
    such as those after the end of the game, are counted (`unused`).

    \b
      {"game": "maze", "variant": "pair", "instance": {"grid": ["@.", ".*"]}, "texts": ["...", "..."]}
    """
    from .exits import USAGE, complain

    bad = False
    unused: list[ReplayResult] = []
    for name in files:
        for result in _from_stdin() if name == "-" else _from_file(name):
            bad |= result.error is not None
            if result.unused:
                unused.append(result)
            print_json(result.model_dump(mode="json"))
    if unused:
        complain(_too_long(unused), 0)
    return USAGE if bad else 0


def _too_long(unused: "list[ReplayResult]") -> str:
    """Say that some replays hold more replies than the game has asked for."""
    first = unused[0]
    replies = f"{first.unused} {'reply' if first.unused == 1 else 'replies'}"
    others = f", and {len(unused) - 1} others hold some too" if len(unused) > 1 else ""
    return f"{first.file} holds {replies} that nobody asked for: the game was over, or waited for another seat{others}"


def _from_stdin() -> "Iterator[ReplayResult]":
    return _from_lines("-", sys.stdin.buffer)


def _from_file(name: str) -> "Iterator[ReplayResult]":
    from palaver_gamemasters.replay import ReplayResult, replay_line

    try:
        data = Path(name).read_bytes()
    except OSError as error:
        yield ReplayResult.bad(name, f"{name} cannot be read: {error.strerror}")
        return
    lines = data.removeprefix(BOM).splitlines()
    if not _is_json(data) and any(_is_object(line) for line in lines):
        yield from _from_lines(name, lines)
    else:
        yield replay_line(data.removeprefix(BOM), name)


def _from_lines(name: str, lines: Iterable[bytes]) -> "Iterator[ReplayResult]":
    from palaver_gamemasters.replay import replay_line

    for number, line in enumerate(lines, 1):
        if line.strip():
            yield replay_line(line.removeprefix(BOM) if number == 1 else line, f"{name}:{number}")


def _is_object(line: bytes) -> bool:
    """Whether a line is a whole object that begins at the margin: within one document, objects are indented."""
    return line.startswith(b"{") and _is_json(line)


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
