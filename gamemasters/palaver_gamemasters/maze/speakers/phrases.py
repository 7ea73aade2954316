"""The words of the scripted speakers: short, friendly, and plain enough to be read in one way only.

Every move is proposed and agreed to with its direction and its cell; what else is said of cells has no verb of motion.
The completion phrase occurs at the goal only, for it ends the dialogue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from palaver_gamemasters.dice import Dice

from ..grid import HIDDEN, PATH, WALL, Cell, Maze
from .styles import Style

__all__ = [
    "Voice",
    "agreed",
    "around_told",
    "arrived",
    "asked",
    "corrected",
    "declined",
    "greeting",
    "handed_on",
    "here",
    "look_again",
    "map_told",
    "no_map",
    "progress",
    "proposed",
    "rows_told",
    "second",
    "solution",
    "stuck",
    "told",
    "uncertain",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Voice:
    """One way of talking: takes the wordings of a thing in turn, from one that the seed and the seat choose."""

    seed: int
    seat: str
    turn: int

    def pick(self, wordings: Sequence[T]) -> T:
        """Return the wording for this turn."""
        first = Dice("maze voice", self.seed, self.seat, wordings).below(len(wordings))
        return wordings[(first + self.turn // 2) % len(wordings)]


GREETINGS = ("Hello!", "Hi there!", "Nice to meet you!", "Hello, partner!")
AGREED = (
    "Agreed, we move {way} to {cell} and are there now.",
    "Yes, I agree: we move {way} to {cell}. We are at {cell} now.",
    "Good, agreed: we move {way} to {cell}.",
    "I agree, we move {way} to {cell}. We stand at {cell} now.",
    "Agreed! We move {way} to {cell}.",
)
PROPOSED = (
    "I propose we move {way} to {cell}{goal}. Do you agree?",
    "Next, I propose that we move {way} to {cell}{goal}. Do you agree?",
    "I suggest we move {way} to {cell}{goal}. Do you agree?",
    "Now I propose to move {way} to {cell}{goal}. Agreed?",
)
LISTED_SIZE = 6
"""Up to this size a map can be told as a list of cells; larger ones are easier to read row by row."""


def greeting(style: Style, maze: Maze, adopted: bool, voice: Voice) -> str:
    """Greet, and say how cells are named and where the players are and want to be."""
    how = style.statement(maze)
    words = (
        f"I also name cells {how}, so that we understand each other."
        if adopted
        else f"I name cells {how}; please do the same."
    )
    start, goal = style.write(maze.start, maze), style.write(maze.goal, maze)
    return f"{voice.pick(GREETINGS)} {words} We start at {start} and the goal is at {goal}."


def around_told(cells: Sequence[tuple[str, str]]) -> str:
    """Tell the next cells only; each is a name and a symbol of the map."""
    return told([(cell, symbol) for cell, symbol in cells if symbol in (WALL, PATH)])


def map_told(style: Style, maze: Maze, voice: Voice) -> str:
    """Tell a whole map, row by row or as lists of cells."""
    small = max(maze.height, maze.width) <= LISTED_SIZE
    if small and style.form != "words" and voice.pick((True, False)):
        return "\n".join(
            (
                "This is what my map shows.",
                f"I see {_seen(style, maze, PATH, 'open cell')}.",
                f"I see {_seen(style, maze, WALL, 'wall')}.",
                "Everything else is hidden from me.",
            )
        )
    legend = 'This is my map, beginning with the topmost row ("." open, "#" wall, "?" hidden from me):'
    return f"{legend}\n{rows_told(style, maze)}"


def rows_told(style: Style, maze: Maze) -> str:
    """Tell a map row by row."""
    rows = (f"{style.write_row(row, maze)}: {' '.join(line)}" for row, line in enumerate(maze.rows))
    return "\n".join(rows)


def _seen(style: Style, maze: Maze, symbol: str, kind: str) -> str:
    """List the cells that hold a symbol, as what one sees."""
    names = [style.write(cell, maze) for cell in maze.cells() if maze[cell] == symbol]
    if not names:
        return f"no {kind}s"
    number = f"{kind}s" if len(names) > 1 else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    return f"{number} at {', '.join(names)}"


def asked(cells: Sequence[str], whole: bool, voice: Voice) -> str:
    """Ask for the partner's whole map, or for some cells that the own map hides."""
    if whole or not cells:
        return voice.pick(
            (
                "What does your map show? Please tell me all of it.",
                "Could you tell me all that your map shows?",
                "What can you see? Your whole map would help us most.",
            )
        )
    return f"I cannot see {' or '.join(cells)} on my map. What does your map show there?"


def proposed(way: str, cell: str, at_goal: bool, voice: Voice) -> str:
    """Propose a move."""
    return voice.pick(PROPOSED).format(way=way, cell=cell, goal=", which is the goal" if at_goal else "")


def progress(left: int, whole: int, begun: bool) -> str:
    """Say how far the players have come, if that is worth a word; lengths in moves."""
    if not begun:
        return f"Our maps together show a way of {left} moves." if left > 1 else ""
    return (
        "That was half of the way." if left * 2 in (whole, whole - 1) else "We are almost there." if left == 2 else ""
    )


def uncertain(way: str, cell: str) -> str:
    """Propose a move to a cell of which nothing is known yet."""
    return f"I cannot see {cell} on my map. If it is open on yours, I propose we move {way} to {cell}. Do you agree?"


def agreed(way: str, cell: str, at_goal: bool, voice: Voice) -> str:
    """Agree to a move, which is made by that."""
    if at_goal:
        return f"Agreed, we move {way} to {cell}, and that is the goal. {arrived(cell, voice)}"
    return voice.pick(AGREED).format(way=way, cell=cell)


def here(cell: str) -> str:
    """Say where the players are, after the partner has agreed to a move."""
    return f"Then we are at {cell} now."


def told(facts: Sequence[tuple[str, str]]) -> str:
    """Answer what was asked about cells; each is a name and a symbol of the map."""
    what = {WALL: "a wall", PATH: "open", HIDDEN: "hidden from me"}
    parts = [f"{cell} is {what[symbol]}" for cell, symbol in facts if symbol in what]
    return f"On my map, {' and '.join(parts)}." if parts else ""


def second(way: str, cell: str) -> str:
    """Agree to a move that others have yet to agree to."""
    return f"I agree that we move {way} to {cell}."


def corrected(facts: Sequence[tuple[str, str]]) -> str:
    """Set right what somebody said of cells that the own map shows otherwise."""
    parts = [f"my map shows {'a wall' if symbol == WALL else 'an open cell'} at {cell}" for cell, symbol in facts]
    return f"One thing is not as you said: {' and '.join(parts)}. Please look again." if parts else ""


def declined(way: str | None, cell: str, reason: str, voice: Voice) -> str:
    """Decline a move politely, with the reason."""
    step = f"move {way} to {cell}" if way else f"jump to {cell}"
    return voice.pick((f"I would rather not {step}: {reason}.", f"Sorry, I do not agree to {step}: {reason}."))


def arrived(cell: str, voice: Voice) -> str:
    """Rejoice at the goal, with the phrase that ends the dialogue."""
    thanks = voice.pick(("Thank you, that went well.", "Well done, partner.", "It was a pleasure."))
    return f"We have reached the goal at {cell}. {thanks} ACTI!"


def stuck(cell: str) -> str:
    """Admit that no way is left."""
    return f"We are at {cell}, and I see no way from here to the goal. What does your map show around us?"


def look_again(position: str, cells: Sequence[str]) -> str:
    """Doubt what was told, where it leaves no way to the goal."""
    return (
        f"We are at {position}, and by all that was said no way leads to the goal. Please look at your map again. "
        f"Is {' or '.join(cells)} really a wall?"
    )


def no_map(voice: Voice) -> str:
    """Say that the task shows no map."""
    return f"{voice.pick(GREETINGS)} I was given no map that I can read. What does your map show?"


def handed_on(
    *, statement: str, walked: Sequence[str], goal: str, wants: str, proposal: str, solution: bool, drawn: str
) -> str:
    """Sum up for a successor: the convention, the way so far, what is on the table, and the map as it is known."""
    moves = len(walked) - 1
    lines = [f"We name cells {statement}. The goal is at {goal}."]
    if solution:
        lines.append("I have handed in a solution; it is to be looked over once more.")
    elif moves:
        lines.append(f"So far we walked over {'; '.join(walked)} ({moves} agreed move{'s' if moves > 1 else ''}).")
    else:
        lines.append("No move has been agreed to yet.")
    lines.append(f"We are at {walked[-1]} now.")
    if proposal:
        lines.append(f"On the table: {wants} to move to {proposal} next.")
    if drawn:
        lines.append(f"What is known of the maze, beginning with the topmost row:\n{drawn}")
    return "\n".join(lines)


def solution(maze: Maze, route: Sequence[Cell], style: Style, maps: int, checked: bool) -> str:
    """Hand in a solution of one who plays alone, with the considerations that the task asks for."""
    start, goal = style.write(maze.start, maze), style.write(maze.goal, maze)
    seen = "The map shows the whole maze." if HIDDEN not in str(maze) else "Some cells remain hidden."
    if maps > 1:
        seen = f"I laid the {maps} maps over each other: a cell that one of them hides is taken from the other."
    lines = [f"I name cells {style.statement(maze)}. The start is {start} and the goal is {goal}."]
    if checked:
        lines.append("I have gone over my solution again, cell by cell.")
    if not route:
        return "\n".join((*lines, seen, "No open path leads from the start to the goal, so I can offer no solution."))
    count = f"{len(route) - 1} moves"
    lines.append(
        f"{seen} A shortest path takes {count}; all of its cells are open, and each is next to the one before."
    )
    divider = "; " if style.form == "words" else ", "
    return "\n".join((*lines, "", f"Final solution: {divider.join(style.write(cell, maze) for cell in route)}"))
