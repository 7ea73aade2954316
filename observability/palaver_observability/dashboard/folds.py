"""Episodes folded by their games, off the event loop, and only when somebody wants to see one.

A fold goes on from where it was, so that whoever watches an episode pays for each of its turns once.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import TypeVar

import structlog

from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_protocols.errors import PalaverError, ProtocolError, UsageError
from palaver_protocols.messages import EpisodeStarted, LogEntry, TurnTaken

from .cards import Key
from .games import Games
from .sources import Source

__all__ = ["Folds", "after_turn", "mark_of"]

KEPT = 128
"""Episodes whose logs and folds are kept."""
WORKERS = 2
"""Folds and drawings at a time: the games that are played come first."""

T = TypeVar("T")
Use = Callable[[Episode, Sequence[LogEntry]], T]


class _Kept:
    """A log as far as it was read, and its fold as far as it was folded."""

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []
        self.episode: Episode | None = None
        self.at = 0
        self.busy = asyncio.Lock()


class Folds:
    """Logs and folds of the episodes that are looked at. For one event loop.

    Args:
        source: has the logs.
        games: know the rules.
    """

    def __init__(self, source: Source, games: Games) -> None:
        self._source, self._games = source, games
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="dashboard")

    async def entries(self, key: Key) -> list[LogEntry]:
        """Return an episode's log as it stands.

        Raises:
            UsageError: there is no such episode.
            PalaverError: its log cannot be read.
        """
        kept = self._keep(key)
        async with kept.busy:
            # One that is known is read again: where it is another now, so is the episode, under a name that was used.
            known = max(0, len(kept.entries) - 1)
            read = await self._source.log(key, known)
            if kept.entries and read[:1] != kept.entries[known:]:
                kept.entries, kept.episode, kept.at = await self._source.log(key, 0), None, 0
            else:
                kept.entries[known:] = read
            if not kept.entries:
                self._kept.pop(key, None)
                raise UsageError(f"there is no episode {key}", mend="it has not begun, or was deleted")
            if not isinstance(kept.entries[0], EpisodeStarted):
                raise ProtocolError(f"the log of {key} does not begin with its start")
            return list(kept.entries)

    async def look(self, key: Key, stop: int, use: Use[T]) -> T:
        """Fold a log up to a position and let ``use`` look at it, in a thread.

        Args:
            key: which episode; its entries have been read.
            stop: how many entries are folded (1: the start alone).
            use: is given the episode and the entries that it was folded from, and must not change them.

        Raises:
            UsageError: the game is not installed here, or there is no such episode.
            ProtocolError: the log makes no episode by these rules.
        """
        kept = self._keep(key)
        if len(kept.entries) < stop:
            await self.entries(key)
        async with kept.busy:
            started = kept.entries[0]
            assert isinstance(started, EpisodeStarted), "it was looked at when it was read"
            game = await self._games.get(started.game)
            if game is None:
                raise UsageError(f"the game {started.game!r} is not installed here")

            def work() -> T:
                if kept.episode is None or kept.at > stop:
                    kept.episode, kept.at = None, 0
                    kept.episode, kept.at = _begin(game, kept.entries), 1
                _fold_on(kept.episode, kept.entries[kept.at : stop])
                kept.at = max(kept.at, stop)
                return _used(use, kept.episode, kept.entries[:stop])

            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)
            except BaseException:
                kept.episode = None  # it may have stopped half-way
                raise

    async def room(self, work: Callable[[], T]) -> T:
        """Do other work of the kind in one of the same few threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Take no more work."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _keep(self, key: Key) -> _Kept:
        kept = self._kept.setdefault(key, _Kept())
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept


def mark_of(entries: Sequence[LogEntry], stop: int) -> str:
    """Tell the state of an episode after so many entries from every other, also from one of the same name."""
    first, last = entries[0], entries[stop - 1]
    return sha256(f"{first.key} {first.at} {stop} {last.key} {last.at}".encode()).hexdigest()[:20]


def after_turn(entries: Sequence[LogEntry], turn: int) -> tuple[int, int]:
    """Return how many entries a log has after so many turns, and how many turns these are: its last at most."""
    taken = 0
    for at, entry in enumerate(entries, 1):
        if isinstance(entry, TurnTaken):
            taken += 1
            if taken == turn:
                return at, taken
    return (1, 0) if turn <= 0 else (len(entries), taken)


def _begin(game: AnyGame, entries: Sequence[LogEntry]) -> Episode:
    try:
        return Episode.from_log(game, entries[:1])
    except PalaverError:
        raise
    except Exception as error:
        raise ProtocolError(f"{game.name} raises {type(error).__name__} as it sets up this episode") from error


def _used(use: Use[T], episode: Episode, entries: Sequence[LogEntry]) -> T:
    try:
        return use(episode, entries)
    except PalaverError:
        raise
    except Exception as error:
        structlog.get_logger().warning("a game raises as it is looked at", game=episode.game.name, exc_info=error)
        raise ProtocolError(f"{episode.game.name} raises {type(error).__name__} as it is looked at") from error


def _fold_on(episode: Episode, entries: Sequence[LogEntry]) -> None:
    """Let an episode take more entries of its log.

    Raises:
        ProtocolError: they make no episode by these rules.
    """
    try:
        for entry in entries:
            if not isinstance(entry, EpisodeStarted):
                episode.follow(entry)
    except PalaverError:
        raise
    except Exception as error:
        raise ProtocolError(f"{episode.game.name} raises {type(error).__name__} in what was played") from error
