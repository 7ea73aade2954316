"""Speakers that need no model: they know only their own view and solve the maze by talking about it in plain language.

A speaker is a pure function of the request. Everything is worked out again from the messages: which convention names
the cells, what the partner told of its map, where the players are, what is on the table. So it can be restarted, or
take over a seat in the middle of a dialogue (a relay).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER

from . import phrases
from .agreement import Talk, affirms, direction, hear
from .grid import HIDDEN, MOVES, PATH, WALL, Cell, Maze, merge
from .render import read_maps
from .styles import NAMED_STYLES, Style, mentions
from .understanding import convention, learn, learned

__all__ = ["STYLES", "scripted_player", "styled_player"]

STYLES: tuple[str, ...] = tuple(NAMED_STYLES)
"""The conventions for naming cells that a first speaker can choose; the partner adopts what was stated first."""

Dialogue = Sequence[tuple[str, str]]
"""Who said what, in order."""

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


@dataclass(frozen=True)
class Scene:
    """What a seat makes of its view.

    ``own`` is its map, ``known`` the same with what the others told. ``said`` and ``heard`` are the texts of the seat
    itself and of others, ``silent`` the seats that have not spoken yet. ``asked``: its last message proposed nothing;
    ``moved``: what it heard last made a move; ``adopts``: another speaker named cells first.
    """

    seat: str
    seats: frozenset[str]
    own: Maze
    known: Maze
    style: Style
    talk: Talk
    said: tuple[str, ...]
    heard: tuple[str, ...]
    silent: frozenset[str]
    asked: bool
    moved: bool
    adopts: bool

    @property
    def hopeful(self) -> Maze:
        """The maze as it may be: what nobody has spoken of counts as open, unless somebody did not want to go there."""
        return Maze(
            tuple(
                "".join(
                    symbol if symbol != HIDDEN else WALL if (row, column) in self.talk.refused else PATH
                    for column, symbol in enumerate(line)
                )
                for row, line in enumerate(self.known.rows)
            )
        )

    def name(self, cell: Cell) -> str:
        """Name a cell as this dialogue does."""
        return self.style.write(cell, self.own) if cell in self.own else "the outside"

    def next_step(self, origin: Cell) -> Cell | None:
        """Return the next cell on a shortest way to the goal, a known way if there is one; None if there is no way."""
        if len(route := self.known.route(origin)) > 1:
            return route[1]
        hopeful = self.hopeful
        steps = [cell for cell in hopeful.neighbours(origin) if cell in hopeful.to_goal]
        return min(steps, key=lambda cell: (hopeful.to_goal[cell], self.known[cell] == HIDDEN), default=None)


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
    return _speak(_scene(request.seat, frozenset(others), own, dialogue, favourite), voice)


def _scene(seat: str, others: frozenset[str], own: Maze, dialogue: Dialogue, favourite: Style) -> Scene:
    """Work out from the dialogue where the players stand."""
    styles = _styles(seat, own, dialogue)
    told: dict[Cell, str] = {}
    talk, asked, moved = Talk((own.start,)), False, False
    for speaker, text in dialogue:
        before = talk.track
        talk = hear(talk, speaker, text, seats=others | {seat}, style=styles.get(speaker), own=own)
        moved = talk.track != before
        if speaker == seat:
            asked = seat not in talk.agreed
        else:
            told |= learned(text, styles.get(speaker), own)
    return Scene(
        seat=seat,
        seats=others | {seat},
        own=own,
        known=learn(own, told | dict.fromkeys(talk.track, PATH)),
        style=styles.get(seat) or next(iter(styles.values()), favourite),
        talk=talk,
        said=tuple(text for speaker, text in dialogue if speaker == seat),
        heard=tuple(text for speaker, text in dialogue if speaker != seat),
        silent=others - {speaker for speaker, _ in dialogue},
        asked=asked,
        moved=moved,
        adopts=bool(styles) and next(iter(styles)) != seat,
    )


def _styles(seat: str, own: Maze, dialogue: Dialogue) -> dict[str, Style]:
    """Tell how each speaker names cells; who does not state it is expected to follow the first who named any.

    A seat's own convention is what its first naming of cells says, so that it never changes in the middle.
    """
    texts: dict[str, list[str]] = {}
    for speaker, text in dialogue:
        if speaker in texts or any(mentions(text)):
            texts.setdefault(speaker, []).append(text)
    styles: dict[str, Style] = {}
    for speaker, said in texts.items():
        evidence = said[0] if speaker == seat else "\n\n".join(said)
        if style := convention(evidence, own, usual=next(iter(styles.values()), None)):
            styles[speaker] = style
    return styles


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
    return _join(_opening(scene, voice), f"{answer} {_next(scene, position, voice)}")


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
    if cell not in scene.hopeful.to_goal:
        return "no way leads on from there to the goal"
    if scene.known[cell] == HIDDEN != scene.known[step]:
        return "I cannot see it on my map, and I know of another way"
    return ""


def _needs_word(scene: Scene, cell: Cell) -> bool:
    """Whether to ask first if a cell is open: nothing is known of it, and the partner has not just answered that."""
    if scene.known[cell] != HIDDEN:
        return False
    return not (scene.talk.age >= 2 and affirms(scene.heard[-1]))


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
