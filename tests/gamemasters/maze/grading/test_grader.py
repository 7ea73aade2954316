"""Dialogues made by hand in every scheme: the route that is graded is the route that was meant."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.maze.grading.extraction import Entry, Extraction, Scheme, Symbols
from palaver_gamemasters.maze.grading.grader import Grade, extract, grade, grade_extraction
from palaver_gamemasters.maze.grading.schemes import schemes, walk
from palaver_gamemasters.maze.grid import MOVES, Cell, Maze

Turns = list[tuple[str, str]]

MAZE = Maze(("@.#...", ".#..#.", "...#..", "#.#..#", "#...#.", ".#...*"))
WIDE = Maze(("...#....", ".#@#.##.", ".#...#..", ".####.#.", "........", "*.#.#..#"))
SOLUTION, WIDE_SOLUTION = MAZE.route(MAZE.start), WIDE.route(WIDE.start)
FORMS = {
    "number_number": ("({}, {})", "({},{})", "[{}, {}]", "{},{}", "r{}c{}", "row {}, column {}", "(row {}, col {})"),
    "letter_letter": ("({}, {})", "{}{}"),
    "letter_number": ("({},{})", "{}{}"),
    "number_letter": ("({}, {})", "{}{}"),
}
SCHEMES = [scheme for symbols in get_args(Symbols) if symbols in FORMS for scheme in schemes(symbols)]
WAYS: dict[str, Callable[[str], str]] = {
    "words": str.lower,
    "capitals": str.upper,
    "compass": {"up": "north", "down": "south", "left": "west", "right": "east"}.__getitem__,
    "arrows": {"up": "↑", "down": "↓", "left": "←", "right": "→"}.__getitem__,
}
PROPOSALS = (
    "I propose we move{way}{to}. Do you agree?",
    "Shall we move{way}{to}?",
    "I suggest moving{way}{to} next, since it looks open on my map. What do you think?",
    "My proposal: **Move{way}{to}**. Sound good?",
    "Next move: Go{way}{to}. OK?",
    "How about going{way}{to}?",
    "If you agree, we should go{way}{to}.",
    "Therefore, I propose our next move is to **Move{way}{to}**.\n\nDo you agree to this move?",
)
ANSWERS = (
    "Agreed.",
    "Yes, I agree.",
    "I agree with your suggestion. Let's move{way}{to}.",
    "Agreed — moving{way}{to}.",
    "Great, let's do it!",
    "Sounds good!",
    "Yes! Moving{way}{to}.",
    "OK, agreed.",
    "👍 Confirmed, we move{way}{to}.",
    "Perfect. We have moved{way}{to}.",
    "Yes, let's go{way}{to}.",
)


PLAIN = Scheme()


@dataclass(frozen=True)
class Speaker:
    """Somebody who names cells in a scheme and a form, and directions in words or arrows; either may be left out."""

    maze: Maze
    scheme: Scheme = PLAIN
    form: str = "({}, {})"
    way: Callable[[str], str] | None = None
    cells: bool = True

    def tokens(self, cell: Cell) -> tuple[str, str]:
        """Write a true (row, column) as the scheme has it."""
        vertical, horizontal = self.scheme.maze_orientation.split("_")
        row = self.maze.height - 1 - cell[0] if vertical == "bottom" else cell[0]
        column = self.maze.width - 1 - cell[1] if horizontal == "right" else cell[1]
        pair = (row, column) if self.scheme.coordinates_orientation == "row_col" else (column, row)
        first, second = self.scheme.coordinates_symbols.split("_")
        return self._symbol(pair[0], first), self._symbol(pair[1], second)

    def _symbol(self, value: int, kind: str) -> str:
        return chr(ord("A") + value) if kind == "letter" else str(value + int(self.scheme.maze_origin))

    def name(self, cell: Cell) -> str:
        """Name a cell; a form that names its axes names the right ones."""
        form = self.form
        if self.scheme.coordinates_orientation == "col_row":
            swapped = {
                "r{}c{}": "c{}r{}",
                "row {}, column {}": "column {}, row {}",
                "(row {}, col {})": "(col {}, row {})",
            }
            form = swapped.get(form, form)
        return form.format(*self.tokens(cell))

    def words(self, before: Cell, after: Cell) -> dict[str, str]:
        """Name a move."""
        delta = (after[0] - before[0], after[1] - before[1])
        move = next((move for move, step in MOVES.items() if step == delta), None)
        way = f" {self.way(move)}" if self.way and move else ""
        return {"way": way, "to": f" to {self.name(after)}" if self.cells else ""}


def dialogue(speaker: Speaker, route: Sequence[Cell], dice: random.Random, end: str = "") -> Turns:
    """Let two seats agree on a route, a move at a time."""
    turns: Turns = []

    def say(text: str) -> None:
        turns.append(("AB"[len(turns) % 2], text))

    text = "Hello! This is my map:\n```\n" + str(speaker.maze) + "\n```\n"
    if speaker.cells:
        walls = ", ".join(speaker.name(cell) for cell in speaker.maze.cells() if speaker.maze[cell] == "#")
        text += (
            f"I'm at {speaker.name(route[0])} (@), the goal is at {speaker.name(speaker.maze.goal)}. Walls: {walls}.\n"
        )
    for before, after in pairwise(route):
        words = speaker.words(before, after)
        say(text + dice.choice(PROPOSALS).format(**words))
        text = dice.choice(ANSWERS).format(**words) + " "
        if dice.random() < 0.3:
            say(text)
            text = "Great. "
    say(text + end)
    return turns


def solution(speaker: Speaker, route: Sequence[Cell], dice: random.Random) -> Turns:
    """Let one seat submit a route and confirm it in the critic step."""
    names = [speaker.name(cell) for cell in route]
    ways = [speaker.words(*step)["way"].strip() for step in pairwise(route)]
    if not speaker.cells:
        text = dice.choice(("Final solution: ", "The path is:\n")) + dice.choice((", ", " -> ")).join(ways)
    else:
        text = dice.choice(
            (
                "**Final solution:** " + " → ".join(names),
                "Path:\n" + "\n".join(f"{n}. {name}" for n, name in enumerate(names, start=1)),
                "Solution:\n" + "\n".join(f"- {name} - open on one of the maps" for name in names),
                "Walls stand in the way. The final path: " + "; ".join(names),
            )
        )
    review = "I have reviewed it: every step is adjacent, no wall is hit. The final solution stands."
    return [("agent_1", "First I laid the maps over each other.\n\n" + text), ("agent_1", review)]


def speakers(maze: Maze) -> Iterator[Speaker]:
    """Yield every way of naming cells in every scheme, and of naming moves without cells."""
    for scheme in SCHEMES:
        for form in FORMS[scheme.coordinates_symbols]:
            yield Speaker(maze, scheme, form)
    for way in WAYS.values():
        yield Speaker(maze, way=way, cells=False)


@pytest.mark.parametrize(("maze", "route"), [(MAZE, SOLUTION), (WIDE, WIDE_SOLUTION)])
@pytest.mark.parametrize("tell", [dialogue, solution])
def test_a_solution_is_a_success_in_every_scheme(
    maze: Maze, route: tuple[Cell, ...], tell: Callable[[Speaker, Sequence[Cell], random.Random], Turns]
) -> None:
    setting = "solo-full" if tell is solution else "pair"
    for number, speaker in enumerate(speakers(maze)):
        graded = grade(maze, tell(speaker, route, random.Random(number)), setting)
        assert (graded.ended, graded.route) == ("goal", route), speaker


DETOUR = (*SOLUTION[:4], SOLUTION[2], *SOLUTION[3:7])
ENDINGS = {
    "end of route": (DETOUR, DETOUR),
    "wall": ((*DETOUR, (5, 2), (5, 1)), (*DETOUR, (5, 2))),
    "out of bounds": ((*DETOUR, (5, 2), (6, 2)), (*DETOUR, (5, 2))),
    "not adjacent": ((*DETOUR, (5, 2), (5, 4)), (*DETOUR, (5, 2))),
}


@pytest.mark.parametrize("ended", ENDINGS)
def test_a_route_with_backtracking_ends_at_its_first_illegal_step_in_every_scheme(ended: str) -> None:
    said, legal = ENDINGS[ended]
    for number, speaker in enumerate(speakers(MAZE)):
        if ended == "not adjacent" and not speaker.cells:
            continue  # a jump cannot be said in directions
        if ended == "out of bounds" and speaker.cells and re.search("@|[A-Z]-|-1[A-Z]", speaker.name(said[-1])):
            continue  # nor can what lies before the letter A, and A-1 and -1A are no names
        graded = grade(MAZE, dialogue(speaker, said, random.Random(number)))
        assert (graded.ended, graded.route) == (ended, legal), speaker


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(2, 14))
def test_what_was_said_is_what_is_extracted(seed: int, size: int) -> None:
    dice = random.Random(seed)
    speaker = dice.choice([speaker for speaker in speakers(MAZE) if speaker.cells])
    route = wander(MAZE, size, dice)
    extracted = extract(MAZE, dialogue(speaker, route, dice))[0]
    plain = Speaker(MAZE, speaker.scheme)
    seen = [tuple(token.lstrip("rc") if len(token) > 1 else token for token in spoken) for spoken in extracted.moves]
    assert seen == [plain.tokens(cell) for cell in route[1:]]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(2, 14), style=st.sampled_from(sorted(WAYS)))
def test_directions_beside_cells_leave_no_doubt(seed: int, size: int, style: str) -> None:
    dice = random.Random(seed)
    speaker = Speaker(MAZE, dice.choice(SCHEMES), way=WAYS[style])
    route = wander(MAZE, size, dice)
    graded = grade(MAZE, dialogue(speaker, route, dice))
    assert MAZE.to_goal[graded.route[-1]] <= MAZE.to_goal[route[-1]]
    if MAZE.to_goal[route[-1]] < min(MAZE.to_goal[cell] for cell in route[:-1]):
        assert graded.route == route


def wander(maze: Maze, size: int, dice: random.Random) -> tuple[Cell, ...]:
    """Walk at random, forwards and back, up to the goal."""
    route = [maze.start]
    while len(route) < size and route[-1] != maze.goal:
        route.append(dice.choice(list(maze.neighbours(route[-1]))))
    return tuple(route)


def test_the_most_favourable_scheme_is_taken_whatever_was_meant() -> None:
    chess = [("A", "We start at A1. I propose B1. Agree?"), ("B", "Agreed. Now C1?"), ("A", "Agreed."), ("B", "Good.")]
    down_first = Maze(("@#.", "..#", "..*"))
    right_first = Maze(("@..", "#..", "..*"))
    assert grade(down_first, chess).route == ((0, 0), (1, 0), (2, 0))
    assert grade(right_first, chess).route == ((0, 0), (0, 1), (0, 2))


@pytest.mark.parametrize(
    "turns",
    [
        [],
        [("A", "Hello!"), ("B", "Hello! ACTI!")],
        [("A", "I propose we move down to (1,0)."), ("B", "No, let's move right to (0,1)."), ("A", "No.")],
        [("A", "Let's go down to (1,0), then (2,0), and so on to (5,5). We have won, haven't we? ACTI!")],
    ],
)
def test_without_agreement_there_is_no_route(turns: Turns) -> None:
    assert grade(MAZE, turns) == Grade((MAZE.start,), "no route", None)


def test_the_phrase_too_early_ends_the_route_where_it_stands() -> None:
    speaker = Speaker(MAZE, form="r{}c{}")
    graded = grade(MAZE, dialogue(speaker, SOLUTION[:5], random.Random(1), end="We have made it! ACTI!"))
    assert (graded.ended, graded.route) == ("end of route", SOLUTION[:5])


def test_speakers_may_name_cells_each_in_their_own_way() -> None:
    turns = [
        ("A", "Let's move down to (1,0)."),
        ("B", "Agreed, we are at r1c0. Next, r2c0?"),
        ("A", "Yes! At (2,0). Now right to (2,1)?"),
        ("B", "Agreed, moving to row 2, column 1."),
    ]
    assert grade(MAZE, turns).route == SOLUTION[:4]


def test_a_scheme_reads_as_a_line() -> None:
    graded = grade(MAZE, [("A", "Path: A1, A2, A3, B3, B4, B5, C5, C6, D6, E6, F6")], "solo-full")
    assert graded.ended == "goal"
    assert str(graded.scheme) == "letter_number, col_row, from 1 at the top left"


def test_an_extraction_by_somebody_else_is_graded_alike() -> None:
    route = tuple(Entry(turn=turn, coordinates=[list(cell)]) for turn, cell in enumerate(SOLUTION))
    assert grade_extraction(MAZE, Extraction(route=route)).ended == "goal"
    named = Scheme(maze_origin="1", maze_orientation="bottom_right", coordinates_symbols="directions")
    assert grade_extraction(MAZE, Extraction(route_schema=named, route=route)).ended == "goal"


@given(
    st.lists(st.tuples(st.sampled_from("AB"), st.text(max_size=80)), max_size=6), st.sampled_from(("pair", "solo-full"))
)
def test_any_transcript_can_be_graded(turns: Turns, setting: str) -> None:
    graded = grade(MAZE, turns, setting)
    assert graded.route[0] == MAZE.start
    assert graded == grade(MAZE, turns, setting)


@pytest.mark.parametrize(
    "piece",
    ["#", "→ ", "(0,1) ", "- ", "\n", "agree ", "right ", "that ", "*", "'", "1 ", "?", "let's go right to (0,1), "],
)
@pytest.mark.parametrize("setting", ["pair", "solo-full"])
@pytest.mark.timeout(10)
def test_a_model_that_babbles_does_not_hang_the_grader(piece: str, setting: str) -> None:
    grade(MAZE, [("A", piece * (8000 // len(piece)) + "a"), ("B", "OK")], setting)


def test_the_graded_route_is_legal() -> None:
    dice = random.Random(7)
    for _ in range(40):
        cells = [(str(dice.randrange(6)), str(dice.randrange(6))) for _ in range(6)]
        text = "Path: " + ", ".join(f"({row},{column})" for row, column in cells)
        graded = grade(MAZE, [("A", text)], "solo-full")
        assert walk(MAZE, [tuple(map(str, cell)) for cell in graded.route], Scheme()).route == graded.route
