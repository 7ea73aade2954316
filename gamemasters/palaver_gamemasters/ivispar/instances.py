"""What there is to play: boards made from a seed, and boards in the published layout, read from a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, ConfigDict, Field, JsonValue

from palaver_gamemasters.files import json_in
from palaver_gamemasters.game import Instance, read_instance
from palaver_protocols.content import Frozen
from palaver_protocols.errors import InstanceError, UsageError

from .board import Board, Geom
from .commands import check_names
from .generation import Made, generated
from .options import BoardOptions
from .pictures import check
from .scores import distance
from .solver.puzzle import Puzzle
from .solver.solvable import check_solvable

__all__ = ["BoardInstance", "board_of", "instances"]

QUICK_SIZE, QUICK_GEOMS = 4, 11
"""Boards up to these are solved in a second or two at worst, and in milliseconds as a rule."""
EXAMPLE = '{"id": ..., "grid_size": 4, "landmarks": [...]}'
FILES = "config_*.json"
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
    check_names(geoms)
    board = Board(
        given.grid_size,
        geoms,
        tuple(each.start_coordinate for each in given.landmarks),
        tuple(each.goal_coordinate for each in given.landmarks),
    )
    if board.start == board.goal:
        raise InstanceError("all geoms stand at their goals already", mend="change a start_coordinate")
    if len(board.geoms) == board.size**2 - 1:  # with more free cells, every goal can be reached
        puzzle = Puzzle.of(board)
        check_solvable(puzzle, puzzle.state(board.start))
    return board


def instances(options: BoardOptions, seed: int) -> Iterator[Instance]:
    """Return the boards to play: those of the file, or else new ones without end.

    Raises:
        UsageError: the file cannot be read.
        InstanceError: a board of the file makes no game, or no board can be made under these options.
    """
    if options.instances is not None:
        return iter(_given(options.instances, options))
    return (_in_layout(made, seed) for made in generated(options, seed))


def _in_layout(made: Made, seed: int) -> Instance:
    """Write a board as the study's program does, without the sequences of moves that its scripted agents replay."""
    size, geoms, path, interference = made.kind
    name = f"seed_{seed}_b_{size}_g_{geoms}_c1_{path}_c2_{interference}_i_{made.before + 1}"
    board = made.board
    landmarks: list[JsonValue] = [
        {
            "geom_nr": number,
            "body": geom.shape,
            "color": geom.colour,
            "start_coordinate": list(start),
            "goal_coordinate": list(goal),
        }
        for number, (geom, start, goal) in enumerate(zip(board.geoms, board.start, board.goal, strict=True), 1)
    ]
    data: JsonValue = {
        "config_instance_id": name,
        "experiment_type": "SlidingGeomPuzzle",
        "complexity_c1": path,
        "complexity_c2": interference,
        "grid_size": size,
        "landmarks": landmarks,
    }
    return Instance(name, data, labels=_labelled(geoms, path, interference))


def _given(path: Path, options: BoardOptions) -> list[Instance]:
    """Read a file of boards, or a folder of files of one board each, as the study's program writes them."""
    if not path.is_dir():
        return _read([path], path, options)
    found = sorted(path.glob(FILES))
    if not found:
        raise UsageError(f"there is no {FILES} in {path}", mend="name a folder of published boards, or a file")
    return _read(found, path, options)


def _read(files: list[Path], given: Path, options: BoardOptions) -> list[Instance]:
    """Read the boards of files.

    How long their shortest solutions are said to be is not looked at: it is worked out here, and a board whose author
    was wrong is as good a board as any other.
    """
    boards: dict[str, Instance] = {}
    for file in files:
        for where, data in json_in(file, "the boards of", "board", EXAMPLE):
            try:
                board = board_of(data)
                check(board, options)
            except InstanceError as error:
                raise InstanceError(f"{file}, {where}: {error.message}", mend=error.mend) from error
            name = read_instance("ivispar", BoardInstance, data).id or f"{file.stem}-{len(boards):05d}"
            if name in boards:
                raise InstanceError(f"{file}, {where}: there are two boards {name}", mend="give each an id of its own")
            boards[name] = Instance(name, data, labels=_labels(board))
    if not boards:
        raise UsageError(f"{given} holds no board", mend=f"give {EXAMPLE}, one a line or in a list")
    return list(boards.values())


def _labels(board: Board) -> dict[str, tuple[str, ...]]:
    """Return what reports group a board by: its path, too, where that is sure to be found quickly."""
    geoms = len(board.geoms)
    quick = board.size <= QUICK_SIZE and geoms <= QUICK_GEOMS
    path = distance(board, board.start) if quick else None
    if path is None:
        return {"geoms": (str(geoms),)}
    return _labelled(geoms, path, (path - board.manhattan(board.start)) // 2)


def _labelled(geoms: int, path: int, interference: int) -> dict[str, tuple[str, ...]]:
    return {"geoms": (str(geoms),), "path": (str(path),), "interference": (str(interference),)}
