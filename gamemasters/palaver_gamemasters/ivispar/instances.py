"""What there is to play: boards made from a seed, and boards in the published layout, read from a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, ConfigDict, Field, JsonValue

from palaver_gamemasters.files import json_in
from palaver_gamemasters.game import Instance, read_instance
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError, UsageError

from .board import Board, Geom
from .generation import generated
from .options import IvisparOptions

__all__ = ["BoardInstance", "board_of", "instances"]

EXAMPLE = '{"id": ..., "grid_size": 4, "landmarks": [...]}'
Coordinate = tuple[int, int]


class Landmark(Frozen):
    """A geom in the published layout."""

    body: Annotated[str, Field(min_length=1)]
    color: Annotated[str, Field(min_length=1)]
    start_coordinate: Coordinate
    goal_coordinate: Coordinate


class BoardInstance(Frozen):
    """A board in the published layout; what else a file holds is the published program's business."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    id: Annotated[str | None, Field(validation_alias=AliasChoices("id", "config_instance_id"))] = None
    grid_size: int
    landmarks: tuple[Landmark, ...]


def board_of(data: JsonValue) -> Board:
    """Read an instance.

    Raises:
        InstanceError: it makes no game; names the field.
    """
    given: BoardInstance = read_instance("ivispar", BoardInstance, data)
    geoms = tuple(Geom(each.color.strip().lower(), each.body.strip().lower()) for each in given.landmarks)
    return Board(
        given.grid_size,
        geoms,
        tuple(each.start_coordinate for each in given.landmarks),
        tuple(each.goal_coordinate for each in given.landmarks),
    )


def instances(options: IvisparOptions, seed: int) -> Iterator[Instance]:
    """Return the boards to play: those of the file, or else new ones without end.

    Raises:
        UsageError: the file cannot be read.
        InstanceError: a board of the file makes no game, or no board can be made under these options.
    """
    if options.instances is not None:
        return iter(_from_file(options.instances))
    return generated(options, seed)


def _from_file(path: Path) -> list[Instance]:
    boards: dict[str, Instance] = {}
    for where, data in json_in(path, "the boards of", "board", EXAMPLE):
        try:
            board_of(data)
        except InstanceError as error:
            raise InstanceError(f"{path}, {where}: {error.message}", mend=error.mend) from error
        given: Any = data
        name = str(given.get("id") or given.get("config_instance_id") or f"{path.stem}-{len(boards):05d}")
        if name in boards:
            raise InstanceError(f"{path}, {where}: there are two boards {name}", mend="give each an id of its own")
        boards[name] = Instance(name, data)
    if not boards:
        raise UsageError(f"{path} holds no board", mend=f"give {EXAMPLE}, one a line or in a list")
    return list(boards.values())
