"""What a seat makes of a dialogue: the maze as far as it is known, the names of cells, and where the players stand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..grid import HIDDEN, PATH, WALL, Cell, Maze
from .agreement import Talk, hear
from .heritage import Heritage, standing
from .styles import Style, mentions
from .understanding import asked_about, convention, learn, learned

__all__ = ["Scene", "scene_of"]


@dataclass(frozen=True)
class Scene:
    """What a seat makes of its view.

    ``own`` is its map, ``known`` the same with what the others told. ``said`` and ``heard`` are the texts of the seat
    itself and of others, ``texts`` those of all in order, ``silent`` the seats that have not spoken yet, ``wanted`` the
    cells that the last question was about, ``mistaken`` those of which the last speaker said what the own map
    contradicts. ``asked``: its own last message proposed nothing; ``moved``: what it heard last made a move;
    ``adopts``: another speaker was the first to name cells.
    """

    seat: str
    seats: frozenset[str]
    own: Maze
    known: Maze
    style: Style
    talk: Talk
    said: tuple[str, ...]
    heard: tuple[str, ...]
    texts: tuple[str, ...]
    silent: frozenset[str]
    wanted: tuple[Cell, ...]
    mistaken: tuple[Cell, ...]
    asked: bool
    moved: bool
    adopts: bool

    @cached_property
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

    def leads_on(self, cell: Cell) -> bool:
        """Whether the goal may be reached from a cell without coming back to where the players have been."""
        seen, queue = {*self.talk.track, cell}, [cell]
        while queue:
            fresh = [step for step in self.hopeful.neighbours(queue.pop()) if step not in seen]
            seen.update(fresh)
            queue += fresh
        return self.own.goal in seen

    def next_step(self, origin: Cell) -> Cell | None:
        """Return the next cell on a shortest way to the goal, a known way if there is one; None if there is no way."""
        if len(route := self.known.route(origin)) > 1:
            return route[1]
        hopeful = self.hopeful
        steps = [cell for cell in hopeful.neighbours(origin) if cell in hopeful.to_goal]
        return min(steps, key=lambda cell: (hopeful.to_goal[cell], self.known[cell] == HIDDEN), default=None)


def scene_of(
    seat: str,
    others: frozenset[str],
    own: Maze,
    dialogue: Sequence[tuple[str, str]],
    favourite: Style,
    *,
    left: Heritage | None = None,
) -> Scene:
    """Work out from the dialogue where the players stand; ``left`` is what a predecessor said of what came before."""
    styles = _styles(seat, own, dialogue, left)
    told: dict[Cell, str] = dict(left.told) if left else {}
    talk, asked, moved = _before(seat, others, own, left), False, False
    wanted: tuple[Cell, ...] = ()
    mistaken: tuple[Cell, ...] = ()
    before_sight = (left.text,) if left and left.text else ()
    for speaker, text in dialogue:
        before = talk.track
        talk = hear(talk, speaker, text, seats=others | {seat}, style=styles.get(speaker), own=own)
        moved = talk.track != before
        if left:
            talk = _caught_up(talk, standing(text, styles.get(speaker), own))
        if speaker == seat:
            asked = seat not in talk.agreed
        else:
            news = learned(text, styles.get(speaker), own)
            told |= news
            mistaken = tuple(cell for cell in news if {news[cell], own[cell]} == {PATH, WALL})
            wanted = tuple(asked_about(text, styles.get(speaker), own))
    return Scene(
        seat=seat,
        seats=others | {seat},
        own=own,
        known=learn(own, told | dict.fromkeys(talk.track, PATH)),
        style=styles.get(seat) or next(iter(styles.values()), favourite),
        talk=talk,
        said=(*before_sight, *(text for speaker, text in dialogue if speaker == seat)),
        heard=tuple(text for speaker, text in dialogue if speaker != seat),
        texts=(*before_sight, *(text for _, text in dialogue)),
        silent=frozenset() if before_sight else others - {speaker for speaker, _ in dialogue},
        wanted=wanted,
        mistaken=mistaken,
        asked=asked,
        moved=moved,
        adopts=bool(styles) and next(iter(styles)) != seat,
    )


def _before(seat: str, others: frozenset[str], own: Maze, left: Heritage | None) -> Talk:
    """Return where the dialogue stood when it came into sight."""
    if left is None or not left.track:
        return Talk((own.start,))
    wanting = {other for other in others if re.search(rf"\b{re.escape(other)}\b", left.wanting)}
    mine = {seat} if re.search(r"\bI\b", left.wanting) else set()
    return Talk(left.track, left.proposal, frozenset(wanting | mine if left.proposal else ()))


def _caught_up(talk: Talk, here: Cell | None) -> Talk:
    """Believe what others say of the position: a newcomer may not have seen all the moves that led there."""
    return talk if here in (None, talk.position) else replace(talk, track=(*talk.track, here))


def _styles(seat: str, own: Maze, dialogue: Sequence[tuple[str, str]], left: Heritage | None) -> dict[str, Style]:
    """Tell how each speaker names cells; who does not state it is expected to follow the first who named any.

    A seat's own convention is what its first naming of cells says, so that it never changes in the middle.
    """
    texts: dict[str, list[str]] = {}
    for speaker, text in dialogue:
        if speaker in texts or any(mentions(text)):
            texts.setdefault(speaker, []).append(text)
    styles: dict[str, Style] = {seat: left.style} if left and left.style else {}
    for speaker, said in texts.items():
        evidence = said[0] if speaker == seat else "\n\n".join(said)
        if speaker in styles:
            continue
        if style := convention(evidence, own, usual=next(iter(styles.values()), None)):
            styles[speaker] = style
    return styles
