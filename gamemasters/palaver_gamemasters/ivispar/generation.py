"""Boards made from a seed (iVISPAR, section 4.1): by their number of geoms, path length and interference."""

from collections.abc import Iterator
from itertools import count

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.game import Instance

from .board import Board, Geom, Position
from .options import IvisparOptions

__all__ = ["generated"]


def generated(options: IvisparOptions, seed: int) -> Iterator[Instance]:
    """Yield boards, one for each pair of a number of geoms and a path length, in turn."""
    for index in count():
        for geoms in range(options.min_geoms, options.max_geoms + 1):
            for path in range(options.min_path, options.max_path + 1):
                dice = Dice("ivispar", seed, index, options.size, geoms, path, options.interference)
                yield _made(
                    options, dice, geoms, path, f"{options.size}x{options.size}-g{geoms}-p{path}-s{seed}-{index:04d}"
                )


def _made(options: IvisparOptions, dice: Dice, geoms: int, path: int, name: str) -> Instance:
    cells = [(x, y) for x in range(options.size) for y in range(options.size)]
    pairs = [Geom(c, s) for c in ("red", "green", "blue", "yellow") for s in ("cube", "sphere", "pyramid", "cylinder")]
    chosen = dice.sample(pairs, geoms)
    while True:
        goal: Position = tuple(dice.sample(cells, geoms))
        start = goal
        board = Board(options.size, tuple(chosen), (), goal) if False else None
        now = goal
        probe = Board(options.size, tuple(chosen), tuple(dice.sample(cells, geoms)), goal)
        for left in range(path):
            further = [after for _, _, after in probe.moves(now) if probe.manhattan(after) == left + 1]
            if not further:
                break
            now = dice.pick(further)
        else:
            start = now
            del board
            return Instance(
                name,
                {
                    "id": name,
                    "grid_size": options.size,
                    "landmarks": [
                        {
                            "geom_nr": number,
                            "body": geom.shape,
                            "color": geom.colour,
                            "start_coordinate": list(a),
                            "goal_coordinate": list(b),
                        }
                        for number, (geom, a, b) in enumerate(zip(chosen, start, goal, strict=True), 1)
                    ],
                },
            )
