"""Scripted players: they solve every puzzle by talking about it, each from what it sees and hears alone.

A player is a pure function of the request: all that it knows is worked out again from the messages, so that it can be
restarted, or take over a seat. Where the manual is divided, experts read their parts out, and whoever has heard all of
them advises.
"""

from typing import Any

from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.messages import TurnRequest

from ..instances import rules_of
from ..manual import assembled, is_part, without_parts
from ..puzzle import AnyPuzzle
from ..puzzles import load_puzzle
from ..talk import Heard, Line, Sight, Talk
from .glance import Glance, glance, retold

__all__ = ["scripted_player"]

BLIND = "I was told nothing of this puzzle, so I can only listen."
READ_OUT = "@all: Please read me your part of the manual, word by word."
AGREED = "I have nothing to add."
WAIT = "I have to hear the other parts of the manual first."


def scripted_player(request: TurnRequest) -> str:
    """Say what is to be said next, in whatever role the request asks for.

    Raises:
        UsageError: the puzzle has no scripts, or it is shown as a picture alone.
    """
    seen = glance(request)
    if request.role == "leaver":
        return retold(seen.lines)
    puzzle = load_puzzle(request.variant)
    return _solver(puzzle, seen) if seen.actions else _expert(puzzle, request, seen)


def _solver(puzzle: AnyPuzzle, seen: Glance) -> str:
    if not seen.scene:
        raise UsageError("scripts cannot see pictures", mend="play with --set modality=auto, text or both")
    return _talk(puzzle).solve(Sight(puzzle.read(seen.scene), seen.task, seen.actions, _conversation(seen)))


def _expert(puzzle: AnyPuzzle, request: TurnRequest, seen: Glance) -> str:
    """Advise with the whole manual; with a part of it, read it out, or put the parts together."""
    own = seen.manual
    if own is not None and not is_part(own):
        return _advice(puzzle, own, _conversation(seen))
    told = [line.text for line in seen.lines if line.speaker == "expert"] + [text for _, text in seen.private]
    whole = assembled([own or "", *told])
    if whole is not None and (own is None or _comes_last(request)):
        return _advice(puzzle, whole, _conversation(seen))
    if request.role == "lead":
        return WAIT if seen.private else READ_OUT
    if own is None:
        return BLIND
    return AGREED if any(own in text for text in told) and not _is_lost(request) else own


def _conversation(seen: Glance) -> Heard:
    """Return the dialogue without what experts read to each other: a manual's rules are no advice."""
    said = [
        Line(line.speaker, without_parts(line.text) if line.speaker == "expert" else line.text) for line in seen.lines
    ]
    return Heard(tuple(line for line in said if line.speaker != "expert" or line.text not in ("", AGREED, WAIT)))


def _advice(puzzle: AnyPuzzle, manual: str, heard: Heard) -> str:
    try:
        rules = rules_of(puzzle, manual)
    except InstanceError as error:
        return f"I do not understand the manual. {error.message}"
    return _talk(puzzle).advise(rules, heard)


def _talk(puzzle: AnyPuzzle) -> Talk[Any, Any]:
    if puzzle.talk is None:
        raise UsageError(f"the puzzle {puzzle.name} has no scripted players", mend="use random, or a model")
    return puzzle.talk


def _adviser(request: TurnRequest) -> str:
    """Name the one among several experts that advises: the last of them speaks with all parts in mind."""
    return max([request.seat, *request.partners[1:]])


def _comes_last(request: TurnRequest) -> bool:
    return request.role == "player" and request.seat == _adviser(request)


def _is_lost(request: TurnRequest) -> bool:
    """Whether whoever advises has last read its own part out: it is new there, and has not heard the others."""
    said = [message.text for message in request.view if message.speaker == _adviser(request)]
    return request.role == "player" and bool(said) and is_part(said[-1])
