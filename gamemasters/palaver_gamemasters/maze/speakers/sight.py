"""What a request shows a script: its map, the public dialogue, and what is private to a team or left by a predecessor.

A lead's private messages begin with ``@``, and members answer under their own names; all else that is no message of the
game itself is public. A member sees what its lead says, in public and in private, under the one name ``lead``.
"""

import re
from dataclasses import dataclass
from functools import reduce

from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER

from ..grid import Maze, merge
from ..render import read_maps

__all__ = ["Dialogue", "Sight", "sight_of"]

Dialogue = tuple[tuple[str, str], ...]
"""Who said what, in order."""

QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
BLANKS = re.compile(r"[^\S\n]+")
MEMBER = re.compile(r"member_\d")
TAKING_OVER = "You take over this seat"
"""How the game's message begins that hands a summary to a newcomer."""


@dataclass(frozen=True)
class Sight:
    """What a request shows, made ready to be understood; texts have plain quotation marks and single blanks.

    ``own`` is all that its own maps show (None: it has none), ``maps`` their number. ``dialogue`` is what the seats
    said, ``private`` what lead and members said to each other. ``others`` are the other seats. ``left`` is what the
    predecessor wrote for its successor. ``inner``: it leads a team within a team, and so answers a lead itself.
    """

    own: Maze | None
    maps: int
    dialogue: Dialogue
    private: Dialogue
    others: frozenset[str]
    left: str
    inner: bool


def sight_of(request: TurnRequest) -> Sight:
    """Read a request's view."""
    given = [message.text for message in request.view if message.speaker == USER]
    maps = [maze for text in given if not text.startswith(TAKING_OVER) for maze in read_maps(text)]
    fitting = [maze for maze in maps if (maze.height, maze.width) == (maps[0].height, maps[0].width)]
    team = {*request.members} if request.role == "lead" else set()
    public: list[tuple[str, str]] = []
    private: list[tuple[str, str]] = []
    for message in request.view:
        if message.speaker in (USER, ENVIRONMENT, SYSTEM):
            continue
        text = _plain(message.text)
        own_aside = request.role == "lead" and message.speaker == request.seat and text.startswith("@")
        (private if own_aside or message.speaker in team else public).append((message.speaker, text))
    return Sight(
        own=reduce(merge, fitting) if fitting else None,
        maps=len(fitting),
        dialogue=tuple(public),
        private=tuple(private),
        others=frozenset({*request.partners, *(speaker for speaker, _ in public)} - {request.seat, *team}),
        left=next((_plain(text) for text in given if text.startswith(TAKING_OVER)), ""),
        inner=request.role == "lead" and MEMBER.match(request.seat) is not None,
    )


def _plain(text: str) -> str:
    """Spell quotation marks plainly and make runs of blanks one."""
    return BLANKS.sub(" ", text.translate(QUOTES))
