"""A folder of clembench's results: which episodes lie in it, and what their files say.

v1.6.5 writes ``MODEL-t0.0--MODEL-t0.0/GAME/0_EXPERIMENT/episode_0/``, newer versions ``MODEL/GAME/EXPERIMENT/
instance_00000/``. What is read may begin anywhere on that path, or above it: several such folders may lie in one.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import JsonValue

from palaver_gamemasters.clembench.checkout import Album, experiments_in
from palaver_gamemasters.clembench.game import ClemGame
from palaver_gamemasters.clembench.instance import ClemInstance
from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import UsageError

__all__ = ["Found", "Models", "Sources", "find", "json_of"]

EPISODE = re.compile(r"(?:episode|instance)_(\d+)")
NUMBERED = re.compile(r"\d+_(?=.)")
WITH_TEMPERATURE = re.compile(r"(?P<model>.+)-t(?P<temperature>\d+(?:\.\d+)?)")
HALF = re.compile(rb"\\u[dD][89a-fA-F]")
UNSAFE = re.compile(r"[\s,;>@()]+")
NOT_OF_THE_EXPERIMENT = ("game_instances", "timestamp", "dialogue_partners")
"""What clembench adds to an experiment when it is played."""

TOP = 4
"""Folders of an episode's path: models, game, experiment, episode."""


class Models(NamedTuple):
    """Who played, by clembench's own names, first player first; ``temperature`` is None where the folder has none."""

    names: tuple[str, ...]
    temperature: float | None

    @classmethod
    def of(cls, folder: str) -> "Models":
        """Read them off the name of a folder."""
        names, temperatures = [], []
        for part in folder.split("--"):
            found = WITH_TEMPERATURE.fullmatch(part)
            names.append(UNSAFE.sub("_", found["model"] if found else part).strip("_") or "unknown")
            temperatures += [float(found["temperature"])] if found else []
        return cls(tuple(names), temperatures[0] if temperatures else None)

    def seated(self, number: int) -> str:
        """Return who is the player of a number, from 1 on. Where one is named, it plays with itself."""
        return self.names[min(number, len(self.names)) - 1]


@dataclass(frozen=True, slots=True)
class Found:
    """The folder of an episode. ``above`` is where its models' folder lies, ``number`` counts within the experiment."""

    path: Path
    above: Path
    models: str
    game: str
    experiment: str
    number: int


def find(folder: Path) -> Iterator[Found]:
    """Yield the episodes that lie in a folder of results, by name and number.

    Raises:
        UsageError: it is no folder.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}", mend="give a folder of clembench's results")
    episodes = []
    root = folder.resolve()
    for path in [root, *(each for each in root.rglob("*_*") if each.is_dir())]:
        number = EPISODE.fullmatch(path.name)
        if number is None or len(path.parts) <= TOP:
            continue
        models, game, experiment = path.parts[-4:-1]
        plain = NUMBERED.sub("", experiment, count=1) if path.name.startswith("episode") else experiment
        episodes.append(Found(path, path.parents[TOP - 1], models, game, plain, int(number[1])))
    return iter(sorted(episodes, key=lambda each: (each.path.parent, each.number)))


def json_of(file: Path) -> Any:
    """Read a file of JSON.

    Raises:
        UsageError: it cannot be read, or is no JSON; names it.
    """
    try:
        data = file.read_bytes()
        found = json.loads(data)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is no JSON: {error}") from error
    return _whole(found) if HALF.search(data) else found


def _whole(found: Any) -> Any:
    """Replace the halves of characters that some models' answers hold: no text of ours can."""
    text = json.dumps(found, ensure_ascii=False)
    return json.loads(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


class Sources:
    """Where instances come from: their own file, that of their experiment, a checkout.

    Args:
        checkout: a clembench checkout, or an ``instances.json``; None if there is none.
        images: a folder of pictures; None if there is none.
    """

    def __init__(self, checkout: Path | None, images: Path | None) -> None:
        self._checkout = checkout
        self._images = images
        self._experiments = cache(self._read_experiments)
        self._beside = cache(_experiment_beside)
        self._albums: dict[Path, Album] = {}

    def instance(self, game: ClemGame[Any, Any], found: Found) -> ClemInstance:
        """Return what an episode was played on.

        Raises:
            UsageError: a file is missing or damaged; names it.
        """
        known, instances = self._experiments(game.name).get(found.experiment, ({}, []))
        file = found.path / "instance.json"
        fields = json_of(file) if file.exists() else self._from_checkout(found, instances)
        if not isinstance(fields, dict):
            raise UsageError(f"{file} is no JSON object")
        experiment = {**known, **self._beside(found.path.parent)}
        about, inner = fields.get("experiment"), fields.get("instance")
        if isinstance(about, dict) and isinstance(inner, dict):  # divided, as our own logs and replay files hold it
            experiment, fields = {**experiment, **about}, inner
        if not experiment:
            experiment = _own_experiment(game, found.experiment)
        experiment = {"name": found.experiment, **experiment}
        pictures = self._album(game.name, found).named_in(fields) if game.pictured else {}
        return ClemInstance(experiment=experiment, instance=fields, pictures=pictures)

    def _from_checkout(self, found: Found, instances: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
        """Return the instance of an episode that has no file of its own: by number, as both layouts count."""
        if found.path.name.startswith("episode"):
            there = instances[found.number] if found.number < len(instances) else None
        else:
            there = next((each for each in instances if each.get("game_id") == found.number), None)
        if there is None:
            where = "no checkout has it" if self._checkout is None else f"{self._checkout} has no such instance"
            raise UsageError(f"instance.json is missing, and {where}", mend="give another: --checkout DIR")
        return there

    def _album(self, game: str, found: Found) -> Album:
        folder = found.path.parent
        if folder not in self._albums:
            inside = None if self._checkout is None else self._checkout / "games" / game / "in" / "instances.json"
            if inside is not None and self._checkout is not None and self._checkout.is_file():
                inside = self._checkout
            self._albums[folder] = Album(inside or found.path, self._images, cards=True)
        return self._albums[folder]

    def _read_experiments(self, game: str) -> Any:
        return {} if self._checkout is None else experiments_in(self._checkout, game)


def _experiment_beside(folder: Path) -> dict[str, JsonValue]:
    """Return an experiment's own fields, where its folder holds them."""
    for file in sorted(folder.glob("experiment*.json")):
        found = json_of(file)
        if isinstance(found, dict):
            return {name: value for name, value in found.items() if name not in NOT_OF_THE_EXPERIMENT}
    return {}


@cache
def _own_experiment(game: ClemGame[Any, Any], name: str) -> dict[str, JsonValue]:
    """Return the published texts of an experiment, as our own instances have them; nothing if we have no such."""
    options = game.configure({})
    if name not in game.experiments(options):
        return {}
    return game.make(name, Dice("import", game.name, name), options).experiment
