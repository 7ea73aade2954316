"""What people see of a maze, and what they can say of it by a key."""

from collections.abc import Iterator, Sequence

from palaver_gamemasters.showing import Move, Panel

from .grading.grader import Grade
from .grid import MOVES, Cell, Maze
from .options import MazeOptions
from .picture import map_drawn, maze_drawn
from .render import shown

__all__ = ["moves_in_talk", "moves_of_solution", "panels"]

KEYS: dict[str, tuple[str, ...]] = {
    "up": ("ArrowUp", "w"),
    "down": ("ArrowDown", "s"),
    "left": ("ArrowLeft", "a"),
    "right": ("ArrowRight", "d"),
}
ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
STOPPED = {"wall": "stopped by a wall", "out of bounds": "left the board", "not adjacent": "a leap, not a step"}


def panels(
    maze: Maze, views: Sequence[Maze], options: MazeOptions, seats: Sequence[str], grade: Grade
) -> tuple[Panel, ...]:
    """Draw the whole maze with the way that is agreed on, then the map of every seat, as far as it is another one.

    Args:
        maze: the whole maze.
        views: its partial copies.
        options: who is shown which.
        seats: in order.
        grade: what the dialogue has come to so far.
    """
    owned = tuple(views) if options.setting == "pair" else ()
    picture, width, height = maze_drawn(maze, owned, grade.route, _status(maze, grade))
    words = f"The whole maze:\n{maze}\n{_told(grade.route, options)}: {_status(maze, grade)}."
    return (Panel("the maze", words, svg=picture, width=width, height=height), *_maps(maze, views, options, seats))


def _maps(maze: Maze, views: Sequence[Maze], options: MazeOptions, seats: Sequence[str]) -> Iterator[Panel]:
    held = shown(options.setting, maze, tuple(views))
    for seat, copies in zip(seats, held, strict=True):
        for number, view in enumerate(copies, start=1):
            if view == maze:
                continue
            title = f"{seat}'s map" + (f" {number}" if len(copies) > 1 else "")
            picture, width, height = map_drawn(view, title)
            yield Panel(title, f"{title} (? is hidden):\n{view}", svg=picture, width=width, height=height, seat=seat)


def _status(maze: Maze, grade: Grade) -> str:
    made, left = len(grade.route) - 1, maze.to_goal[grade.route[-1]]
    if not left:
        return f"at the goal after {_counted(made)}"
    return f"{STOPPED.get(grade.ended) or _counted(made)}, {left} to go"


def _counted(moves: int) -> str:
    return f"{moves} move{'s' * (moves != 1)}" if moves else "no move yet"


def _told(route: Sequence[Cell], options: MazeOptions) -> str:
    way = " to ".join(f"({row}, {column})" for row, column in route)
    return f"{'Agreed on' if options.setting == 'pair' else 'Submitted'}, as (row, column): {way}"


def moves_in_talk(options: MazeOptions, others: Sequence[str], *, begun: bool, phrase: str) -> tuple[Move, ...]:
    """Return what is said in a dialogue: which step to take, yes and no, and that the goal is reached.

    A step is told by its direction alone. The cell that it leads to would say where the game sees the players, and so
    whether their last step was into a wall.

    Args:
        options: of the game.
        others: the other seats.
        begun: whether somebody has said something; "next" tells a step from one that is said again.
        phrase: what ends the dialogue.
    """
    lead = "Next, let's move" if begun else "Let's move"
    steps = tuple(Move(f"{lead} {way}.", f"{ARROWS[way]} {way}", "propose a step", KEYS[way]) for way in MOVES)
    answers = (
        Move("Agreed.", "agreed", "answer", ("y",)),
        Move("No, there is a wall on my map.", "no, a wall", "answer", ("n",)),
        Move("I cannot see that cell. What is on your map?", "hidden from me", "answer", ("h",)),
    )
    named = tuple(
        Move(f"{_called(seat)}, your turn.", seat, "who speaks next", (seat.rpartition("_")[2],)) for seat in others
    )
    ending = Move(phrase, f"{phrase} (at the goal)", "end")
    return (*(answers if begun else ()), *steps, *(named if options.order == "named" else ()), ending)


def _called(seat: str) -> str:
    return seat.replace("_", " ").capitalize()


def moves_of_solution(*, again: bool) -> tuple[Move, ...]:
    """Return what is written alone: the way, a step a line; at the second look (``again``) also that it stands."""
    steps = tuple(Move(way, f"{ARROWS[way]} {way}", "the way, step by step", KEYS[way]) for way in MOVES)
    stands = Move("My solution stands as it is.", "it stands", "second look", ("y",), ends=True)
    return (*steps, stands) if again else steps
