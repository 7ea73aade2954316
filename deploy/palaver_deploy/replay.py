"""``palaver replay``: recorded replies through a game."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from palaver_gamemasters.replay import ReplayResult

__all__ = ["replay"]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...|-")
def replay(files: tuple[str, ...]) -> int:
    """Play recorded replies through a game, and print one JSON line for each.

    A FILE holds one replay as JSON, or one replay a line; `-` reads one replay a line from standard input. A bad one
    gives a line with its error, and does not stop the rest.

    \b
      {"game": "maze", "variant": "pair", "instance": {"grid": ["@.", ".*"]}, "texts": ["...", "..."]}
    """
    bad = 0
    for name, text in _replays(files):
        result = _play(name, text)
        bad += result.error is not None
        click.echo(json.dumps(result.model_dump(mode="json"), ensure_ascii=False))
    return 2 if bad else 0


def _replays(files: tuple[str, ...]) -> Iterator[tuple[str, bytes | Exception]]:
    """Yield each replay with the name of its file (and its line, where a file holds several)."""
    for name in files:
        if name == "-":
            for number, line in enumerate(sys.stdin.buffer, 1):
                if line.strip():
                    yield f"-:{number}", line
            continue
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            yield name, error
            continue
        lines = [(number, line) for number, line in enumerate(data.splitlines(), 1) if line.strip()]
        if len(lines) < 2 or not _is_json(lines[0][1]):
            yield name, data
        else:
            yield from ((f"{name}:{number}", line) for number, line in lines)


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _play(name: str, text: bytes | Exception) -> "ReplayResult":
    from palaver_gamemasters.registry import load_game
    from palaver_gamemasters.replay import ReplayResult, play_replay, read_replay
    from palaver_protocols.errors import UsageError

    if isinstance(text, OSError):
        return ReplayResult(file=name, outcome=None, error=f"{name} cannot be read: {text.strerror}")
    try:
        parsed = read_replay(bytes(text) if isinstance(text, bytes) else b"")
        return play_replay(load_game(parsed.game), parsed, name)
    except UsageError as error:
        return ReplayResult(file=name, outcome=None, error=str(error))
