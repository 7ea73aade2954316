"""What there is to play: initialisations made from a seed, the same everywhere, or read from a file.

COMMA, section 4.1: 100 fixed initialisations of each of ten puzzles. They take turns (the first of each, the second of
each, ...), so that any number of episodes is a fair sample of all puzzles. An initialisation depends on the seed, its
index, its puzzle and the manual's rules, and on nothing else.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, JsonValue

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.files import json_in, text_in
from palaver_gamemasters.game import Instance, read_instance
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError, UsageError

from .manual import Manual, divided
from .options import ALL, CommaOptions
from .puzzle import AnyPuzzle
from .puzzles import TEN, load_puzzle

__all__ = ["CommaInstance", "instances", "own_manual", "rules_of"]

EXAMPLE = '{"puzzle": "wire", "setup": {...}}'


class CommaInstance(Frozen):
    """An initialisation as files and logs hold it. ``manual`` is there where it is not the puzzle's own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    puzzle: str
    setup: JsonValue
    manual: str | None = None


def instances(options: CommaOptions, seed: int) -> Iterator[Instance]:
    """Return the initialisations to play: those of the file, or else new ones without end.

    Raises:
        UsageError: a file cannot be read, or there is no such puzzle.
        InstanceError: a manual or an initialisation makes no puzzle; names file and field.
    """
    if options.instances is not None:
        yield from _from_file(options.instances, options)
        return
    names = TEN if options.puzzle == ALL else (options.puzzle,)
    manuals = {name: _users_manual(load_puzzle(name), options) for name in names}
    if options.manuals is not None and not any(manuals.values()):
        looked_for = ", ".join(f"{load_puzzle(name).name}.md" for name in names)
        raise UsageError(f"{options.manuals} holds no manual of what is played", mend=f"name it {looked_for}")
    making = [(name, load_puzzle(name), rules_of(load_puzzle(name), *_sourced(manuals[name]))) for name in names]
    for name, puzzle, _ in making:
        _check_parts(manuals[name] or own_manual(puzzle), options.experts)
    for index in count():
        for name, puzzle, rules in making:
            setup = puzzle.generate(rules, Dice("comma", puzzle.name, seed, index), options.images)
            data = CommaInstance(puzzle=name, setup=setup.model_dump(mode="json"), manual=_text(manuals[name]))
            yield Instance(f"{puzzle.name}-s{seed}-{index:04d}", data.model_dump(mode="json"), name)


@lru_cache(maxsize=64)
def rules_of(puzzle: AnyPuzzle, text: str | None = None, file: str | None = None) -> Any:
    """Return the rules that a manual gives, the puzzle's own if no text is given.

    Raises:
        InstanceError: the manual is malformed; names file and line.
    """
    if text is None:
        return puzzle.read_manual(own_manual(puzzle))
    return puzzle.read_manual(Manual(file or f"the {puzzle.name} manual", text))


@lru_cache(maxsize=64)
def own_manual(puzzle: AnyPuzzle) -> Manual:
    """Return the manual that a puzzle brings along.

    Raises:
        UsageError: it cannot be read.
    """
    return Manual(puzzle.manual.name, text_in(puzzle.manual))


def _users_manual(puzzle: AnyPuzzle, options: CommaOptions) -> Manual | None:
    """Return the user's manual for a puzzle, if there is one."""
    path = options.manuals
    if path is None:
        return None
    if path.is_dir():
        file = path / f"{puzzle.name}.md"
        return Manual(str(file), text_in(file)) if file.exists() else None
    manual = Manual(str(path), text_in(path))
    if options.puzzle == ALL:
        raise UsageError(
            f"{path} is one manual, and all puzzles are played",
            mend="name its puzzle with --set puzzle=NAME, or give a folder of manuals (wire.md, who.md, ...)",
        )
    return manual


def _check_parts(manual: Manual, experts: int) -> None:
    """Make sure that a manual can be divided among so many.

    Raises:
        UsageError: it cannot; says why.
    """
    if experts > 1:
        try:
            divided(manual.text, experts)
        except InstanceError as error:
            raise UsageError(f"{manual.file}: {error.message}", mend="use fewer experts") from error


def _sourced(manual: Manual | None) -> tuple[str | None, str | None]:
    return (manual.text, manual.file) if manual else (None, None)


def _text(manual: Manual | None) -> str | None:
    return manual.text if manual else None


def _from_file(path: Path, options: CommaOptions) -> Iterator[Instance]:
    found = 0
    for where, data in json_in(path, "", "initialisation", EXAMPLE):
        try:
            given: CommaInstance = read_instance("comma", CommaInstance, data)
            puzzle = load_puzzle(given.puzzle)
            if options.puzzle not in (ALL, given.puzzle):
                continue
            manual = _users_manual(puzzle, options)
            text = given.manual if given.manual is not None else _text(manual)
            rules = rules_of(puzzle, text, manual.file if manual and given.manual is None else None)
            puzzle.start(puzzle.configure(given.setup), rules)
            _check_parts(own_manual(puzzle) if text is None else Manual("its manual", text), options.experts)
        except UsageError as error:
            raise InstanceError(f"{path}, {where}: {error.message}", mend=error.mend) from error
        kept = given.model_copy(update={"manual": text}).model_dump(mode="json")
        yield Instance(f"{path.stem}-{found:04d}", kept, given.puzzle)
        found += 1
    if not found:
        raise UsageError(
            f"{path} holds no initialisation" + ("" if options.puzzle == ALL else f" of {options.puzzle}"),
            mend=f"give {EXAMPLE}, one a line or in a list",
        )
