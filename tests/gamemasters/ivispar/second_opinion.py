"""The sliding geom puzzle once more, plainly, from the description of its rules: what the game is compared with.

Nothing here comes from the game's own modules, so that a mistake would have to be made twice to go unseen. Whoever
changes a rule changes it here too, in other words.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

__all__ = ["Episode", "Named", "Order", "Puzzle", "extract", "inferred", "loose", "placements", "strict"]

Named = tuple[str, str, str]
"""A cell's name, a colour and a shape."""
Cells = tuple[tuple[int, int], ...]

TWO_DIMENSIONAL = (("circle", "sphere"), ("square", "cube"), ("triangle", "pyramid"), ("hexagon", "cylinder"))
OURS = (("diamond", "cone"), ("pentagon", "prism"))
"""What we call two more shapes on flat boards, where the study knows four."""
OBJECTS = ("cube", "tile", "sphere", "cylinder", "pyramid", "cone", "prism")
WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NOTHING = "No valid action found"
ALL_STATES = 4000
"""With no more positions than this all are searched at once, from the goal; else one at a time."""


def extract(text: str, renamed: Sequence[tuple[str, str]] = TWO_DIMENSIONAL) -> str:
    """Return the command that the study's agents would have sent for an answer."""
    text = text.replace("\n", " ")
    for mark in "*#":
        text = text.replace(mark, "")
    text = text.strip().lower()
    for flat, solid in renamed:
        text = text.replace(flat, solid)
    head = "action: move "
    at = text.rfind(head)
    if at < 0:
        return NOTHING
    kept = [letter for letter in "move " + text[at + len(head) :] if _is_plain(letter)]
    return " ".join("".join(kept).split())


def _is_plain(letter: str) -> bool:
    return letter.isspace() or (letter.isascii() and letter.isalnum())


@dataclass(frozen=True)
class Order:
    """What is to be done: which geom, where to, how often; an empty word where none was found."""

    colour: str = ""
    shape: str = ""
    way: str = ""
    times: int = 1


def strict(command: str) -> Order | None:
    """Read ``move <colour> <shape> <direction>`` and nothing else; None for any other command."""
    words = command.split()
    if len(words) != 4 or words[0] != "move" or words[3] not in WAYS:
        return None
    return Order(words[1], words[2], words[3])


def loose(command: str) -> Order | None:
    """Read a command as the published simulator does, by parts of words; None without the word ``move``."""
    command = command.lower()
    if "move" not in command:
        return None
    shape = _first_within(command, OBJECTS)
    way = _first_within(command, tuple(WAYS))
    return Order(_attribute(command.split(), shape), shape, way, 1 if shape == "tile" else _times(command))


def _first_within(command: str, words: Sequence[str]) -> str:
    return next((word for word in words if word in command), "")


def _attribute(words: list[str], shape: str) -> str:
    colour = ""
    for at, word in enumerate(words):
        beside = at + 1 if shape == "tile" else at - 1
        if word == shape:
            colour = words[beside] if 0 <= beside < len(words) else ""
    return colour


def _times(command: str) -> int:
    if digits := re.search("[0-9]+", command):
        return int(digits.group())
    return next((value for value, word in enumerate(NUMBERS, 1) if word in command), 1)


@dataclass(frozen=True)
class Puzzle:
    """A board as the study's files have it."""

    size: int
    names: tuple[tuple[str, str], ...]
    start: Cells
    goal: Cells
    known: dict[Cells, int] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, instance: Mapping[str, Any]) -> "Puzzle":
        marks = instance["landmarks"]
        return cls(
            instance["grid_size"],
            tuple((mark["color"], mark["body"]) for mark in marks),
            tuple((int(x), int(y)) for x, y in (mark["start_coordinate"] for mark in marks)),
            tuple((int(x), int(y)) for x, y in (mark["goal_coordinate"] for mark in marks)),
        )

    def push(self, cells: Cells, who: int, way: str) -> Cells | str:
        """Return the cells after a geom went one on, or why it did not."""
        cell = (cells[who][0] + WAYS[way][0], cells[who][1] + WAYS[way][1])
        if cell in cells:
            return "occupied"
        if not (0 <= cell[0] < self.size and 0 <= cell[1] < self.size):
            return "out_of_bounds"
        moved = list(cells)
        moved[who] = cell
        return tuple(moved)

    def neighbours(self, cells: Cells) -> Iterator[Cells]:
        for who in range(len(cells)):
            for way in WAYS:
                after = self.push(cells, who, way)
                if not isinstance(after, str):
                    yield after

    def apart(self, cells: Cells) -> int:
        """Return the sum of the geoms' ways to their goals on an empty board."""
        return sum(abs(x - gx) + abs(y - gy) for (x, y), (gx, gy) in zip(cells, self.goal, strict=True))

    def distance(self, cells: Cells) -> int:
        """Return the fewest moves from here to the goal, which has to be within reach."""
        if not self.known and self._positions() <= ALL_STATES:
            self._flood()
        if cells not in self.known:
            self.known[cells] = self._search(cells)
        return self.known[cells]

    def _positions(self) -> int:
        count = 1
        for taken in range(len(self.names)):
            count *= self.size**2 - taken
        return count

    def _flood(self) -> None:
        self.known[self.goal] = 0
        waiting = deque([self.goal])
        while waiting:
            cells = waiting.popleft()
            for after in self.neighbours(cells):
                if after not in self.known:
                    self.known[after] = self.known[cells] + 1
                    waiting.append(after)

    def _search(self, start: Cells) -> int:
        best, waiting = {start: 0}, [(self.apart(start), 0, start)]
        while waiting:
            _, ahead, cells = heappop(waiting)
            so_far = -ahead
            if cells == self.goal:
                return so_far
            if so_far > best[cells]:
                continue
            for after in self.neighbours(cells):
                if so_far + 1 < best.get(after, so_far + 2):
                    best[after] = so_far + 1
                    heappush(waiting, (so_far + 1 + self.apart(after), -so_far - 1, after))
        raise LookupError(f"no way leads from {start} to {self.goal}")

    def listed(self, cells: Cells) -> str:
        """Return who stands where, by columns, in the words of the text modality."""
        there = sorted(zip(cells, self.names, strict=True))
        return "\n".join(f"{'ABCDEFGHIJ'[x]}{y + 1} {colour} {shape}" for (x, y), (colour, shape) in there)


@dataclass
class Episode:
    """A game as it goes on. Unlike ours it changes; ``path`` is all positions from the start on."""

    puzzle: Puzzle
    compat: bool = False
    flat: bool = False
    limit: int = 20
    path: list[Cells] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    failures: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("occupied", "out_of_bounds", "illegal", "malformed"), 0)
    )
    solved: bool = False

    def __post_init__(self) -> None:
        self.path.append(self.puzzle.start)

    @property
    def over(self) -> bool:
        return self.solved or len(self.commands) == self.limit

    def answer(self, text: str) -> None:
        """Take what an agent said, and do it."""
        command = extract(text, TWO_DIMENSIONAL + OURS if self.flat and not self.compat else TWO_DIMENSIONAL)
        self.commands.append(command)
        order = loose(command) if self.compat else strict(command)
        self.path.append(self._carried_out(command, order, self.path[-1]))

    def _carried_out(self, command: str, order: Order | None, cells: Cells) -> Cells:
        if command == NOTHING:
            self.failures["illegal"] += 1
            return cells
        name = (order.colour, order.shape) if order else ("", "")
        if order is None or name not in self.puzzle.names or not order.way or not order.times:
            self.failures["malformed"] += 1
            return cells
        who = self.puzzle.names.index(name)
        for done in range(order.times):
            after = self.puzzle.push(cells, who, order.way)
            if isinstance(after, str):
                # What stood in the way once stands there for the rest of the step.
                self.failures[after] += order.times - done
                break
            cells = after
        self.solved = cells == self.puzzle.goal
        return cells

    def shown(self, window: int = 2) -> tuple[list[tuple[str, str]], str, str]:
        """Return the steps in the agent's window, oldest first, as position and action; the goal; and what is."""
        steps = list(zip(self.path, self.commands, strict=False))
        past = [(self.puzzle.listed(cells), command) for cells, command in steps[max(0, len(steps) - window) :]]
        return past, self.puzzle.listed(self.puzzle.goal), self.puzzle.listed(self.path[-1])

    def distances(self) -> list[int]:
        return [self.puzzle.distance(cells) for cells in self.path]

    def regrets(self, clamped: bool) -> list[int]:
        """Return how much further off than an optimal agent, step by step; clamped, that agent stays at the goal."""
        series = self.distances()
        best = [series[0] - step for step in range(len(series))]
        return [left - (max(0, should) if clamped else should) for left, should in zip(series, best, strict=True)]

    def scores(self) -> dict[str, float | None]:
        series = self.distances()
        optimum, moves = series[0], len(self.commands)
        regrets = self.regrets(clamped=True)
        pairs = list(pairwise(series))
        late: float | None = series[optimum] if optimum < len(series) else None
        return {
            "success": float(self.solved),
            "solved": float(self.solved),
            "optimal_length": optimum,
            "interference": (optimum - self.puzzle.apart(self.puzzle.start)) // 2,
            "step_deviation": 0 if self.solved and moves <= optimum else late,
            "regret": sum(regrets) / len(regrets),
            "excess": moves - optimum if self.solved else None,
            "closest": min(series),
            "progress": 1 - series[-1] / optimum if optimum else None,
            "effective": sum(after < before for before, after in pairs),
            "ineffective": sum(after > before for before, after in pairs),
            **self.failures,
        }


ENTRY = re.compile(r"\W*([A-Z][0-9]+)\s+([a-z]+)\s+([a-z]+)\W*")
WORTH = (3, 2, 2)
"""Of a pair with the same cell, colour, shape."""


def placements(answer: str) -> list[Named]:
    """Read what an answer to the auxiliary task lists, one geom a line, after its last ``Solution:``."""
    _, mark, rest = answer.rpartition("Solution:")
    found = (ENTRY.fullmatch(line) for line in (rest if mark else "").split("\n"))
    return list(dict.fromkeys((each[1], each[2], each[3]) for each in found if each))


def inferred(truth: Sequence[Named], told: Sequence[Named]) -> list[dict[str, int]]:
    """Count what is right and wrong under every best assignment of told geoms to true ones, by trying them all.

    Several counts, where the assignments that are equally good do not agree.
    """
    counts = [_counted(truth, told, pairs) for pairs in _assignments(truth, told)]
    best = max(_value(each) for each in counts)
    return [dict(each) for each in {tuple(each.items()) for each in counts if _value(each) == best}]


def _assignments(truth: Sequence[Named], told: Sequence[Named]) -> Iterator[list[tuple[Named, Named]]]:
    if not truth:
        yield []
        return
    first, *others = truth
    yield from _assignments(others, told)
    for each in told:
        if each[1] == first[1] or each[2] == first[2]:
            for pairs in _assignments(others, [left for left in told if left is not each]):
                yield [(first, each), *pairs]


def _counted(truth: Sequence[Named], told: Sequence[Named], pairs: list[tuple[Named, Named]]) -> dict[str, int]:
    wrong = [tuple(a != b for a, b in zip(*pair, strict=True)) for pair in pairs]
    cells, colours, shapes = (sum(each[at] for each in wrong) for at in range(3))
    return {
        "correct": wrong.count((False, False, False)),
        "imperfect": sum(map(any, wrong)),
        "missed": len(truth) - len(pairs),
        "hallucinated": len(told) - len(pairs),
        "coordinate_errors": cells,
        "colour_errors": colours,
        "shape_errors": shapes,
        "coordinate_only": wrong.count((True, False, False)),
        "colour_only": wrong.count((False, True, False)),
        "shape_only": wrong.count((False, False, True)),
        "coordinate_and_colour": wrong.count((True, True, False)),
        "coordinate_and_shape": wrong.count((True, False, True)),
    }


def _value(counts: Mapping[str, int]) -> tuple[int, ...]:
    pairs = counts["correct"] + counts["imperfect"]
    right = [pairs - counts[f"{what}_errors"] for what in ("coordinate", "colour", "shape")]
    return sum(a * b for a, b in zip(WORTH, right, strict=True)), counts["correct"], pairs, right[0], right[1]
