"""Instances from a local clembench checkout, or from one of its ``instances.json`` files.

A checkout of the published runs holds ``games/GAME/in/instances.json``, newer ones ``GAME/in/instances.json``. The
pictures that instances name are looked for in the folder of the option ``images``, and in the folders above the file.
"""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue, ValidationError

from palaver_gamemasters.files import json_in
from palaver_gamemasters.game import Instance
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError, UsageError, first_problem

from .instance import ClemInstance
from .options import ALL, ClemOptions, PicturedOptions
from .pictures import Picture, load, missing, wordless

if TYPE_CHECKING:
    from .game import ClemGame

__all__ = ["EXAMPLE", "Album", "experiments_in", "instances"]

HERE = "give a clembench checkout, or an instances.json"
EXAMPLE = '{"experiments": [{"name": ..., "game_instances": [{"game_id": 0, ...}]}]}'
PICTURES = (".jpg", ".jpeg", ".png", ".gif", ".webp")


class _Experiment(Frozen):
    model_config = {"extra": "allow", "frozen": True}

    name: str
    game_instances: list[dict[str, JsonValue]]


class _File(Frozen):
    experiments: list[_Experiment]


def instances(game: "ClemGame[Any, Any]", options: ClemOptions) -> Iterator[Instance]:
    """Yield the instances of a checkout: one of each experiment in turn.

    Raises:
        UsageError: there is no such file, or it holds no such experiment.
        InstanceError: an instance makes no game, or a picture is missing; names file, experiment and instance.
    """
    assert options.instances is not None, "there is something to read"
    file = _file(options.instances, game.name)
    wanted = _wanted(file, options.experiment)
    album = Album(file, options.images) if isinstance(options, PicturedOptions) else None
    in_words = isinstance(options, PicturedOptions) and options.modality == "text"
    for round_ in zip_longest(*(each.game_instances for each in wanted)):
        for experiment, fields in zip(wanted, round_, strict=True):
            if fields is None:
                continue
            where = f"{file}, experiment {experiment.name}, game_id {fields.get('game_id')}"
            about = experiment.model_dump(mode="json", exclude={"game_instances"})
            try:
                made = ClemInstance(experiment=about, instance=fields)
                game.start(made.model_dump(mode="json"), options)  # first: another game's file names other pictures
                if album is not None:
                    made = made.model_copy(update={"pictures": album.named_in(fields)})
                for name, picture in made.pictures.items() if in_words else ():
                    if picture.draw is None:
                        raise wordless(name)
            except InstanceError as error:
                raise InstanceError(f"{where}: {error.message}", mend=error.mend) from error
            yield Instance(made.id, made.model_dump(mode="json"), experiment.name)


def _wanted(file: Path, experiment: str) -> list[_Experiment]:
    """Return the experiments of a file that are to be played.

    Raises:
        UsageError: there is none, or nothing in it.
    """
    every = _read(file).experiments
    wanted = [each for each in every if experiment in (ALL, each.name)]
    if not every:
        raise UsageError(f"{file} has no experiments", mend=f"give {EXAMPLE}")
    if not wanted:
        names = ", ".join(each.name for each in every)
        raise UsageError(f"{file} has no experiment {experiment!r}", mend=f"it has: {names}")
    if not any(each.game_instances for each in wanted):
        names = ", ".join(each.name for each in wanted)
        raise UsageError(f"{file}: there are no instances in {names}", mend=f"give {EXAMPLE}")
    return wanted


def _file(path: Path, game: str) -> Path:
    """Find a game's instances: in the file that is given, or at their place in a checkout."""
    if not path.is_dir():
        return path
    places = [
        path / "games" / game / "in" / "instances.json",
        path / game / "in" / "instances.json",
        path / "in" / "instances.json",
        path / f"{game}.json",
        path / "instances.json",
    ]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise UsageError(f"{path} holds no instances of {game}", mend=f"it should have {places[0].relative_to(path)}")
    return found


def _read(file: Path) -> _File:
    values = [value for _, value in json_in(file, "the instances of", "value", EXAMPLE, HERE)]
    if len(values) != 1 or not isinstance(values[0], dict):
        raise UsageError(
            f"{file} holds no instances of clembench: it is {'a list' if values else 'empty'}", mend=f"give {EXAMPLE}"
        )
    try:
        return _File.model_validate(values[0])
    except ValidationError as error:
        raise UsageError(
            f"{file} holds no instances of clembench: {first_problem(error)}", mend=f"give {EXAMPLE}"
        ) from error


def experiments_in(path: Path, game: str) -> dict[str, tuple[dict[str, JsonValue], list[dict[str, JsonValue]]]]:
    """Read the experiments of a game from a checkout or a file: by name, its own fields and its instances.

    Raises:
        UsageError: there is no such file, or it holds no instances.
    """
    return {
        each.name: (each.model_dump(mode="json", exclude={"game_instances"}), each.game_instances)
        for each in _read(_file(path, game)).experiments
    }


class Album:
    """Where the pictures lie that instances name: in ``folder``, or in one of the folders above ``file``.

    With ``cards``, one that lies nowhere is a card that carries its name.
    """

    def __init__(self, file: Path, folder: Path | None, *, cards: bool = False) -> None:
        self._file = file
        self._folder = folder
        self._cards = cards
        self._found: dict[str, Picture] = {}

    def named_in(self, fields: Mapping[str, JsonValue]) -> dict[str, Picture]:
        """Find all pictures that an instance names.

        Raises:
            InstanceError: one is nowhere, or is no picture.
        """
        return {name: self._find(name) for name in _names(list(fields.values()))}

    def _find(self, name: str) -> Picture:
        if name not in self._found:
            path = next(filter(Path.is_file, self._places(name)), None)
            if path is None and self._cards:
                return Picture(draw=missing.of(name))
            if path is None:
                web = name.startswith(("http://", "https://"))
                raise InstanceError(
                    f"there is no picture {name}" + (" here: it lies on the web" if web else ""),
                    mend="give the folder it lies in: --set images=DIR" + (f" (as {Path(name).name})" if web else ""),
                )
            load(name, Picture(file=path), told=False)
            self._found[name] = Picture(file=path.absolute(), sha256=hashlib.sha256(path.read_bytes()).hexdigest())
        return self._found[name]

    def _places(self, name: str) -> Iterator[Path]:
        if self._folder is not None:
            yield self._folder / name
            yield self._folder / Path(name).name
        inside = name.removeprefix("../clembench/")
        for above in self._file.absolute().parents:
            yield above / inside
            yield above / name


def _names(values: list[JsonValue]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str) and value.lower().endswith(PICTURES) and "\n" not in value and len(value) < 500:
            yield value
        elif isinstance(value, dict):
            yield from _names(list(value.values()))
