"""Speakers that need no model: they know only their own view and solve the maze by talking about it in plain language.

A speaker is a pure function of the request. Everything is worked out again from the messages: which convention names
the cells, what the partner told of its map, where the players are, what is on the table. So it can be restarted, or
take over a seat in the middle of a dialogue (a relay).
"""

import re
from collections.abc import Iterator
from functools import partial, reduce

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER

from ..grid import HIDDEN, MOVES, PATH, WALL, Cell, Maze, merge
from ..render import read_maps
from . import phrases
from .agreement import affirms, direction
from .scene import Scene, scene_of
from .styles import NAMED_STYLES, Style
from .understanding import learned

__all__ = ["STYLES", "scripted_player", "styled_player"]

STYLES: tuple[str, ...] = tuple(NAMED_STYLES)
"""The conventions for naming cells that a first speaker can choose; the partner adopts what was stated first."""

QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
BLANKS = re.compile(r"[^\S\n]+")


def scripted_player(request: TurnRequest) -> str:
    """Play any seat of the maze; the request's seed chooses the convention and the wording."""
    return _play(request, NAMED_STYLES[Dice("maze style", request.seed).pick(STYLES)])


def styled_player(style: str) -> Player:
    """Return a speaker that states one convention whenever it is the first to speak.

    Raises:
        UsageError: there is no such style.
    """
    if style not in NAMED_STYLES:
        raise UsageError(f"there is no style {style!r}", mend=f"take one of: {', '.join(STYLES)}")
    return partial(_play, favourite=NAMED_STYLES[style])


def _play(request: TurnRequest, favourite: Style) -> str:
    """Say what is to be said next."""
    voice = phrases.Voice(request.seed, request.seat, request.turn)
    maps = [maze for message in request.view if message.speaker == USER for maze in read_maps(message.text)]
    if not maps:
        return phrases.no_map(voice)
    own = reduce(merge, (maze for maze in maps if (maze.height, maze.width) == (maps[0].height, maps[0].width)))
    dialogue = [
        (message.speaker, BLANKS.sub(" ", message.text.translate(QUOTES)))
        for message in request.view
        if message.speaker not in (USER, ENVIRONMENT, SYSTEM)
    ]
    others = {*request.partners, *(speaker for speaker, _ in dialogue)} - {request.seat}
    if not others:
        return phrases.solution(own, own.route(own.start), favourite, len(maps), checked=bool(dialogue))
    return _speak(scene_of(request.seat, frozenset(others), own, dialogue, favourite), voice)


def _speak(scene: Scene, voice: phrases.Voice) -> str:
    """Answer the proposal on the table, tell the map if that is not done, and propose the next move."""
    talk, goal = scene.talk, scene.own.goal
    if talk.position == goal:
        return phrases.arrived(scene.name(goal), voice)
    answer, position = phrases.here(scene.name(talk.position)) if scene.moved else "", talk.position
    if talk.proposal is not None and scene.seat not in talk.agreed:
        if objection := _objection(scene, talk.proposal):
            answer = phrases.declined(direction(position, talk.proposal), scene.name(talk.proposal), objection, voice)
        elif _needs_word(scene, talk.proposal):
            return _join(_opening(scene, voice), f"Is {scene.name(talk.proposal)} open on your map?")
        else:
            way = direction(position, talk.proposal) or ""
            if talk.agreed | {scene.seat} < scene.seats:
                return _join(_opening(scene, voice), phrases.second(way, scene.name(talk.proposal)))
            answer = phrases.agreed(way, scene.name(talk.proposal), talk.proposal == goal, voice)
            position = talk.proposal
    if position == goal:
        return answer
    return _join(_opening(scene, voice) or _facts(scene), f"{answer} {_next(scene, position, voice)}")


def _join(*paragraphs: str) -> str:
    return "\n\n".join(paragraph.strip() for paragraph in paragraphs if paragraph.strip())


def _opening(scene: Scene, voice: phrases.Voice) -> str:
    """Greet, state the convention and tell the map, as far as this seat has not done so."""
    own = scene.own
    seen = {cell for cell in own.cells() if own[cell] in (PATH, WALL)}
    told = {cell for text in scene.said for cell in learned(text, scene.style, own)}
    if scene.said and len(seen & told) >= 0.9 * len(seen):
        return ""
    words = [phrases.greeting(scene.style, own, scene.adopts, voice), phrases.map_told(scene.style, own, voice)]
    return "\n".join(words)


def _facts(scene: Scene) -> str:
    """Answer what the partner asked about cells."""
    return phrases.told([(scene.name(cell), scene.own[cell]) for cell in scene.wanted])


def _objection(scene: Scene, cell: Cell) -> str:
    """Say why a proposal is no good; an empty string if it is good, or may be."""
    return _against_rules(scene, cell) or _against_reason(scene, cell)


def _against_rules(scene: Scene, cell: Cell) -> str:
    """Say why a move is illegal, as far as this seat knows."""
    position = scene.talk.position
    if cell not in scene.own:
        return "the board ends here"
    if direction(position, cell) is None:
        return f"it is not next to {scene.name(position)}, where we are, and we can only take one step at a time"
    if scene.known[cell] == WALL:
        witness = "my map shows" if scene.own[cell] == WALL else "you told me of"
        return f"{witness} a wall at {scene.name(cell)}"
    return ""


def _against_reason(scene: Scene, cell: Cell) -> str:
    """Say why a legal move would not help."""
    step = scene.next_step(scene.talk.position)
    if step is None or step == cell:
        return ""
    if cell in scene.talk.track:
        return "we have been there before"
    if not scene.leads_on(cell):
        return "no way leads on from there to the goal"
    if scene.known[cell] == HIDDEN != scene.known[step]:
        return "I cannot see it on my map, and I know of another way"
    return ""


def _needs_word(scene: Scene, cell: Cell) -> bool:
    """Whether to ask first if a cell is open: nothing is known of it, and its proposer neither says so nor insists."""
    asked, asked_twice = scene.talk.age >= 2, scene.talk.age >= 4
    return scene.known[cell] == HIDDEN and not asked_twice and not (asked and affirms(scene.heard[-1]))


def _next(scene: Scene, position: Cell, voice: phrases.Voice) -> str:
    """Propose the next move, or ask for what must be known first."""
    hidden = [scene.name(cell) for cell in _around(scene.own, position) if scene.known[cell] == HIDDEN]
    if scene.silent:
        return phrases.asked(hidden, True, voice)
    step = scene.next_step(position)
    if step is None:
        return phrases.stuck(scene.name(position))
    way = direction(position, step) or ""
    if scene.known[step] != HIDDEN:
        proposal = phrases.proposed(way, scene.name(step), step == scene.own.goal, voice)
        return f"{_progress(scene, position)} {proposal}".strip()
    if scene.asked:
        return phrases.uncertain(way, scene.name(step))
    return phrases.asked(hidden, False, voice)


def _progress(scene: Scene, position: Cell) -> str:
    """Say how far the players have come, when their position has just changed and the way is known."""
    if position == scene.talk.position and scene.said:
        return ""
    left, whole = (scene.known.to_goal.get(cell) for cell in (position, scene.own.start))
    return phrases.progress(left, whole, position != scene.own.start) if left and whole else ""


def _around(maze: Maze, cell: Cell) -> Iterator[Cell]:
    """Yield the cells of the board next to a cell."""
    steps = ((cell[0] + down, cell[1] + right) for down, right in MOVES.values())
    return (step for step in steps if step in maze)
