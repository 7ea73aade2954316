"""A run, audited: episode after episode, and what is said in all of them is known for boilerplate."""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice

from pydantic_core import to_json

from palaver_gamemasters.game import AnyGame
from palaver_protocols.errors import BrokerError, PalaverError
from palaver_protocols.messages import Aside, EpisodeStarted, LogEntry, TurnTaken

from ..folder import RunFolder
from ..records import place_of
from .content import Doubt
from .episodes import audit_episode, pieces_told
from .findings import RunAudit, Unread
from .rebuilding import Rebuilt, rebuild
from .record import Pictures

__all__ = ["audit_logs", "audit_run"]

OTHERS = 4
"""Instances at most that are tried to find out whether a phrase is boilerplate."""

Told = Callable[[], None]
"""Is called when an episode has been looked at."""

Logs = Iterable[tuple[str, list[LogEntry] | PalaverError]]
"""Episodes with their logs, or with what is wrong with them."""


def audit_run(folder: RunFolder, game: AnyGame, told: Told = lambda: None) -> RunAudit:
    """Audit all episodes of a run, those that have no end yet as far as they go. Nothing is written.

    Args:
        folder: the run's.
        game: its game.
        told: is called after each episode.
    """
    audit = RunAudit(folder.path.name, game.name)
    audit_logs(audit, game, _logs(folder), _Stored(folder), told)
    return audit


def audit_logs(audit: RunAudit, game: AnyGame, logs: Logs, stored: Pictures, told: Told = lambda: None) -> None:
    """Audit episodes of one run.

    Args:
        audit: what there is to say is added to it.
        game: the rules.
        logs: by episode, its log.
        stored: says what is wrong with a picture.
        told: is called after each episode.
    """
    common = _Common(game)
    doubts: list[tuple[Doubt, list[LogEntry]]] = []
    for episode_id, entries in logs:
        if isinstance(entries, PalaverError):
            audit.unread.append(Unread(episode_id, entries.message))
        else:
            audit.episodes += 1
            audited = audit_episode(game, entries, stored)
            audit.add(audited.checked)
            audit.findings += audited.findings
            if audited.unread:
                audit.unread.append(Unread(episode_id, audited.unread))
            common.learn(entries, audited.pieces)
            doubts += [(doubt, entries) for doubt in audited.doubts]
        told()
    audit.findings += [doubt.finding for doubt, entries in doubts if not common.explains(doubt, entries)]


def _logs(folder: RunFolder) -> Iterator[tuple[str, list[LogEntry] | PalaverError]]:
    """Read log after log; one that is damaged is no reason not to read the next."""
    for episode_id in sorted(folder.episode_ids_with_logs(), key=place_of):
        try:
            yield episode_id, folder.read_log(episode_id)
        except PalaverError as error:
            yield episode_id, error


class _Stored:
    """Looks for pictures in a run's folder, each once."""

    def __init__(self, folder: RunFolder) -> None:
        self._blobs = folder.blobs
        self._known: dict[str, str] = {}

    def __call__(self, sha256: str) -> str:
        """Say what is wrong with a picture: its bytes are read, and hashed again."""
        if sha256 not in self._known:
            try:
                asyncio.run(self._blobs.get(sha256))
            except BrokerError as error:
                self._known[sha256] = f"a picture is not as the record says: {error.message}"
            else:
                self._known[sha256] = ""
        return self._known[sha256]


class _Common:
    """Knows what a game says whatever the instance is.

    A phrase that was told in episodes of two instances is boilerplate. Where a run does not show it, the same answers
    are played on other instances, and what the game says then is looked at.
    """

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._told: dict[bytes, bytes | None] = {}
        """By phrase the instance in which it was told; None for several."""
        self._tried: set[bytes] = set()

    def learn(self, entries: list[LogEntry], pieces: frozenset[str]) -> None:
        """Take note of what was told in an episode."""
        if not entries or not isinstance(entries[0], EpisodeStarted):
            return
        instance = _digest(to_json(entries[0].instance))
        for piece in map(_digest_of, pieces):
            if self._told.setdefault(piece, instance) != instance:
                self._told[piece] = None

    def explains(self, doubt: Doubt, entries: list[LogEntry]) -> bool:
        """Whether all pieces of a doubt are boilerplate."""
        return self._knows(doubt) or any(self._knows(doubt) for _ in self._try_others(entries))

    def _knows(self, doubt: Doubt) -> bool:
        return all(self._told.get(_digest_of(piece), b"") is None for piece in doubt.pieces)

    def _try_others(self, entries: list[LogEntry]) -> Iterator[None]:
        """Play the answers of an episode on other instances."""
        started = entries[0]
        assert isinstance(started, EpisodeStarted), "else there would be no doubt"
        if (tried := _digest(started.episode_id.encode())) in self._tried:
            return
        self._tried.add(tried)
        try:
            options = self._game.configure(started.options)
            others = list(islice(self._game.instances(options, started.seed + 1), OTHERS))
        except PalaverError:  # there are no others
            return
        for other in others:
            if other.data == started.instance:
                continue
            log: list[LogEntry] = [started.model_copy(update={"instance": other.data})]
            log += [_answer_alone(entry) for entry in entries[1:]]
            rebuilt = Rebuilt(log)
            with suppress(Exception):  # answers to another question may lead anywhere; what came before counts
                rebuild(self._game, log, rebuilt)
            self.learn(log, pieces_told(rebuilt))
            yield


def _answer_alone(entry: LogEntry) -> LogEntry:
    """Leave out what was shown on the instance that was really played."""
    return entry.model_copy(update={"prompts": ()}) if isinstance(entry, TurnTaken | Aside) else entry


def _digest_of(piece: str) -> bytes:
    return _digest(piece.encode())


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=12).digest()
