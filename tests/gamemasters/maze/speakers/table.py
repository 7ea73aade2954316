"""A table at which scripts talk their way through a maze: no engine, no bus, the game's own task texts."""

from collections.abc import Sequence

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.maze.generation import generate
from palaver_gamemasters.maze.grading.grader import grade
from palaver_gamemasters.maze.grid import Maze, split
from palaver_gamemasters.maze.options import MazeOptions, Setting
from palaver_gamemasters.maze.render import prompt, tasks
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import USER, Message
from tests.support import a_request

Turns = list[tuple[str, str]]


def a_maze(index: int, size: int = 6) -> Maze:
    return generate(MazeOptions(size=size), Dice("strength", index))


def seats(number: int) -> list[str]:
    return [f"agent_{seat}" for seat in range(1, number + 1)]


def ask(turns: Sequence[tuple[str, str]], seat: str, task: str, others: Sequence[str], seed: int = 0) -> TurnRequest:
    """Make the request that follows these turns."""
    view = (Message.text_from(USER, task), *(Message.text_from(speaker, text) for speaker, text in turns))
    return a_request(seat=seat, partners=tuple(others), turn=len(turns), seed=seed, view=view)


def talk(maze: Maze, players: Sequence[Player], seed: int = 0, limit: int = 50, before: Turns | None = None) -> Turns:
    """Let players talk in turns until one utters the phrase, or go on from what was said before."""
    names, turns = seats(len(players)), list(before or [])
    texts = tasks("pair", maze, split(maze, len(players)))
    while len(turns) < limit and not (turns and "ACTI!" in turns[-1][1]):
        place = len(turns) % len(players)
        others = [name for name in names if name != names[place]]
        request = ask(turns, names[place], texts[place], others, Dice("seat", seed, place).below(10**6))
        turns.append((names[place], players[place](request)))
    return turns


def alone(maze: Maze, player: Player, setting: Setting, seed: int) -> Turns:
    """Let a player solve a maze alone, and look its solution over."""
    (task,) = tasks(setting, maze, split(maze))
    first = player(ask([], "agent_1", task, (), seed))
    view = (
        Message.text_from(USER, task),
        Message.text_from("agent_1", first),
        Message.text_from(USER, prompt("critic")),
    )
    return [("agent_1", first), ("agent_1", player(a_request(seat="agent_1", turn=1, seed=seed, view=view)))]


def outcome(maze: Maze, turns: Turns, setting: Setting = "pair") -> float:
    """Return the weighted outcome of a dialogue, as the rule-based grader reads it."""
    far = maze.to_goal[maze.start]
    return (far - maze.to_goal[grade(maze, turns, setting).route[-1]]) / far
