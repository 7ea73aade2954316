"""Scripts for describers and movers: chance, and partners who tell all they see and do what is best."""

import re

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import Message

from ..board import DIRECTIONS, Board, label_of
from ..players import best_move
from ..reading import Placed, read_lines, read_size, read_states, solid
from .prompts import MOVER

__all__ = ["PLAYERS"]

NOW, GOAL = "Now:", "Goal:"
CHOICES = re.compile(r"Object colors: (.*)\. Object shapes: (.*)\. Directions")


def scripted(request: TurnRequest) -> str:
    """Tell where everything stands and is to stand; the mover makes a move of a shortest solution."""
    return _moved(request) if request.seat == MOVER else _described(request)


def _described(request: TurnRequest) -> str:
    # in the words of its picture: the task names shapes so, and the mover may be a model
    goal, now = read_states(request.view, as_seen=True)
    return "\n".join([NOW, *_lines(now), GOAL, *_lines(goal)])


def _lines(placed: Placed) -> list[str]:
    return [f"{label_of(cell)} {geom}" for geom, cell in placed.items()]


def _moved(request: TurnRequest) -> str:
    board = _heard(request)
    return f"action: {best_move(board)}" if board else "Where does everything stand, and where is it to stand?"


def _heard(request: TurnRequest) -> Board | None:
    """Put together what each describer has said last."""
    latest = {each.speaker: each.text for each in request.view[1:] if each.speaker != request.seat}
    placed = [text.partition(GOAL) for text in latest.values()]
    now = {geom: cell for said, _, _ in placed for geom, cell in _meant(said, request).items()}
    goal = {geom: cell for _, _, said in placed for geom, cell in _meant(said, request).items()}
    if not now or now.keys() != goal.keys() or now == goal:
        return None
    geoms = tuple(sorted(now))  # in the same order at every step, so that what was worked out serves again
    positions = (tuple(placed[each] for each in geoms) for placed in (now, goal))
    try:
        return Board(read_size(request.view), geoms, *positions)
    except InstanceError:  # what was told cannot be: two in one cell
        return None


def _meant(said: str, request: TurnRequest) -> Placed:
    """Read who stands where. Where the task speaks of squares, both a square and a cube are a cube."""
    placed = read_lines(said)
    return placed if "cube" in _choices(request.view[0])[1] else solid(placed)


def random_player(request: TurnRequest) -> str:
    """Describe nothing, and move whatever may be there."""
    dice = Dice("random described player", request.seed, request.turn, request.seat)
    if request.seat != MOVER:
        return "I see a board."
    colours, shapes = _choices(request.view[0])
    return f"action: move {dice.pick(colours)} {dice.pick(shapes)} {dice.pick(tuple(DIRECTIONS))}"


def _choices(task: Message) -> tuple[list[str], list[str]]:
    found = CHOICES.search(task.text)
    return (found[1].split(", "), found[2].split(", ")) if found else (["red"], ["cube"])


PLAYERS: dict[str, Player] = {"random": random_player, "scripted": scripted}
