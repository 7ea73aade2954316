"""Boards: how a game stood after any of its turns, as pictures; drawn in threads, and only when asked for."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.showing import Panel
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import LogEntry

from .cards import Key
from .episodes import asked_now
from .folds import Folds, after_turn, mark_of
from .index import Index
from .sources import Source

__all__ = ["Board", "Boards"]

KEPT = 256
"""Boards that are kept."""
LINES = 3
"""From how many lines on a text may be a board."""
MOST_LINES, MOST_LETTERS = 60, 120
"""How much of a text is shown as a board."""


@dataclass(frozen=True, slots=True)
class Board:
    """How a game stood after ``turn`` turns. ``is_last``: that is as far as it had come when it was drawn.

    ``mark`` is of this state of this episode: a later episode of the same name has other ones.
    """

    turn: int
    panels: tuple[Panel, ...]
    is_last: bool
    mark: str


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a seat was shown last, where its game draws nothing: a picture by its name, or words."""

    seat: str
    image: Image | None
    words: str


class Boards:
    """Draws boards and keeps the latest of them.

    Args:
        folds: fold episodes.
        source: has the pictures that seats were shown.
        index: is told whom an episode waits for, which its fold knows.
    """

    def __init__(self, folds: Folds, source: Source, index: Index) -> None:
        self._folds, self._source, self._index = folds, source, index
        self._kept: OrderedDict[tuple[Key, str], tuple[Panel, ...]] = OrderedDict()

    async def mark_after(self, key: Key, turn: int) -> str:
        """Return the mark of the board after so many turns; nothing is drawn for it.

        Raises:
            UsageError: there is no such episode.
            PalaverError: its log cannot be read.
        """
        entries = await self._folds.entries(key)
        return mark_of(entries, after_turn(entries, turn)[0])

    async def after(self, key: Key, turn: int) -> Board:
        """Return the board after so many turns; of a turn that has not been taken yet, the latest.

        Raises:
            UsageError: there is no such episode, or its game is not installed here.
            ProtocolError: its log makes no episode by the rules that are here.
        """
        entries = await self._folds.entries(key)
        stop, taken = after_turn(entries, turn)
        last = after_turn(entries, len(entries))[1]
        mark = mark_of(entries, stop)
        panels = self._kept.get((key, mark))
        if panels is None:
            panels = await self._draw(key, stop, entries)
            self._kept[key, mark] = panels
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end((key, mark))
        return Board(taken, panels, taken == last, mark)

    async def _draw(self, key: Key, stop: int, entries: Sequence[LogEntry]) -> tuple[Panel, ...]:
        drawn, waiting = await self._folds.look(key, stop, _draw)
        if stop == len(entries) == self._index.length(key):
            at = entries[-1].at.timestamp()
            self._index.tell_waiting(key, waiting, at)
        return tuple([each if isinstance(each, Panel) else await self._shown(each) for each in drawn])

    async def _shown(self, shown: _Shown) -> Panel:
        """Make a panel of what a seat was shown last."""
        title = f"{shown.seat} is shown"
        if shown.image is None:
            return Panel(title, shown.words, seat=shown.seat)
        words = shown.image.alt or "A picture without words."
        try:
            data = await self._source.blob(shown.image.sha256)
        except BrokerError:
            return Panel(title, f"The picture is gone.\n{words}", seat=shown.seat)
        return Panel(title, words, png=data, width=shown.image.width, height=shown.image.height, seat=shown.seat)


def _draw(episode: Episode, _: Sequence[LogEntry]) -> tuple[list[Panel | _Shown], dict[str, str]]:
    """Draw an episode, and say whom it waits for. A game of a user's may raise anything: that is shown."""
    waiting = asked_now(episode)
    try:
        panels: list[Panel | _Shown] = list(episode.panels)
        if not panels:
            panels = [shown for seat in episode.started.seats if (shown := _last_shown(episode, seat))]
    except Exception as error:
        said = f"{episode.game.name} raises {type(error).__name__} as it draws:\n{error}"
        panels = [Panel("cannot be drawn", said[:1000])]
    return panels, waiting


def _last_shown(episode: Episode, seat: str) -> _Shown | None:
    """Return the last picture that a seat sees, or else the last text that looks like a board."""
    words = ""
    for message in reversed(episode.game.view(episode.state, seat)):
        if message.speaker in episode.started.seats:
            continue
        for part in reversed(message.parts):
            if isinstance(part, Image):
                return _Shown(seat, part, "")
            if not words and isinstance(part, Text):
                words = _board_in(part.text)
    return _Shown(seat, None, words) if words else None


def _board_in(text: str) -> str:
    """Return the last block of short lines in a text, cut to what can be shown; empty where there is none."""
    block: list[str] = []
    found: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip() and len(line) <= MOST_LETTERS:
            block.append(line)
        else:
            found = block if len(block) >= LINES else found
            block = []
    return "\n".join(found[-MOST_LINES:])
