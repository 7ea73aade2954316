"""Speakers that need no model: they know only their own view and solve the maze by talking about it in plain language.

A speaker is a pure function of the request. Everything is worked out again from the messages: which convention names
the cells, what the partner told of its map, where the players are, what is on the table. So it can be restarted, or
take over a seat in the middle of a dialogue (a relay), with the dialogue before its eyes or a summary of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player, TurnRequest

from ..grid import Maze
from . import phrases, solver, team
from .heritage import inherit
from .manner import Manner
from .scene import Scene, scene_of
from .sight import Sight, sight_of
from .styles import NAMED_STYLES, Style

__all__ = ["STYLES", "Character", "favourite_of", "play", "scripted_player", "styled_player"]

STYLES: tuple[str, ...] = tuple(NAMED_STYLES)
"""The conventions for naming cells that a first speaker can choose; the partner adopts what was stated first."""


def _as_it_is(sight: Sight, own: Maze, voice: phrases.Voice) -> Maze:
    return own


@dataclass(frozen=True)
class Character:
    """What tells one script from another.

    ``speak`` is how it talks to the other seats, ``sees`` what it makes of its own map (some misread theirs), and
    ``consults`` whether, as the lead of a team, it asks its members even where it has a map itself.
    """

    speak: Callable[[Scene, phrases.Voice], str]
    sees: Callable[[Sight, Maze, phrases.Voice], Maze] = _as_it_is
    consults: bool = True


COMPETENT = Character(partial(solver.speak, manner=Manner.CAREFUL))


def scripted_player(request: TurnRequest) -> str:
    """Play any seat of the maze; the request's seed chooses the convention and the wording."""
    return play(request, COMPETENT, favourite_of(request))


def styled_player(style: str) -> Player:
    """Return a speaker that states one convention whenever it is the first to speak.

    Raises:
        UsageError: there is no such style.
    """
    if style not in NAMED_STYLES:
        raise UsageError(f"there is no style {style!r}", mend=f"take one of: {', '.join(STYLES)}")
    return partial(play, character=COMPETENT, favourite=NAMED_STYLES[style])


def favourite_of(request: TurnRequest) -> Style:
    """Return the convention that a request's seed chooses."""
    return NAMED_STYLES[Dice("maze style", request.seed).pick(STYLES)]


def play(request: TurnRequest, character: Character, favourite: Style) -> str:
    """Say what is to be said next, in whatever role the request asks for."""
    voice = phrases.Voice(request.seed, request.seat, request.turn)
    sight = sight_of(request)
    if sight.own is None:
        return team.NO_MAP if request.role == "member" else phrases.no_map(voice)
    own = character.sees(sight, sight.own, voice)
    left = inherit(sight.left, own) if sight.left or request.turn > len(sight.dialogue) else None
    look = partial(scene_of, request.seat, sight.others, dialogue=sight.dialogue, left=left)
    scene = look(own, favourite=team.agreed_style(sight.private, own) or favourite)
    if request.role == "leaver":
        return team.summary(scene, solo=not sight.others)
    if request.role == "lead":
        if question := team.question(scene, sight.private, character.consults):
            return question
        own = team.merged(scene, sight.private, request.seat)
        scene = look(own, favourite=scene.style)
    if request.role == "member" or sight.inner:
        return team.answer(own, sight.dialogue, request.partners[:1], favourite, voice)
    if not sight.others:
        handed_in = bool(sight.dialogue or left)
        return phrases.solution(own, own.route(own.start), scene.style, sight.maps, checked=handed_in)
    return character.speak(scene, voice)
