"""One episode, audited: its log is rebuilt, and each layer looks at it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from palaver_gamemasters.bugs import bug_in_words
from palaver_gamemasters.game import AnyGame
from palaver_protocols.errors import PalaverError
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, LogEntry

from .addressing import check_addressing, unproven
from .content import Doubt, Words, check_content, told_in
from .declared import check_secrets
from .findings import LAYERS, Checked, Finding
from .rebuilding import Rebuilt, rebuild
from .record import Pictures, check_record
from .words import passages, pictures

__all__ = ["Audited", "audit_episode", "pieces_told"]


@dataclass(slots=True)
class Audited:
    """What came of an episode.

    ``doubts`` hang on what other instances are told (:class:`~.content.Doubt`), ``pieces`` is what this one's holders
    were told. ``unread`` says why the log could not be followed to its end; empty where it could.
    """

    checked: Checked = field(default_factory=lambda: {layer: Counter[str]() for layer in LAYERS})
    findings: list[Finding] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    pieces: frozenset[str] = frozenset()
    unread: str = ""


def audit_episode(game: AnyGame, entries: Sequence[LogEntry], stored: Pictures) -> Audited:
    """Audit an episode, as far as its log and the rules of today go. Raises nothing: what is wrong is told.

    Args:
        game: the rules.
        entries: the log, from its start; it may have no end.
        stored: says what is wrong with a picture.
    """
    audited = Audited()
    if not entries or not isinstance(entries[0], EpisodeStarted):
        audited.unread = "its log does not begin with its start"
        return audited
    rebuilt = Rebuilt(entries)
    try:
        rebuild(game, entries, rebuilt)
    except PalaverError as error:
        audited.unread = f"its log cannot be followed by the rules of today: {error.message}"
    except Exception as error:  # a game that raises anything ends its episode, and no audit of others
        audited.unread = bug_in_words(game.name, entries[0].variant, error)
        if _ended_by_a_bug(entries):
            audited.unread = ""  # as it did when it was played: the record goes as far as the episode did
    audited.unread = audited.unread or unproven(rebuilt)
    try:
        _look(game, rebuilt, stored, audited)
    except PalaverError as error:
        audited.unread = error.message
    return audited


def pieces_told(rebuilt: Rebuilt) -> frozenset[str]:
    """Return all that the game has told anybody: passages, squeezed, and pictures by their digest."""
    return frozenset(
        piece
        for messages in told_in(rebuilt.sent).values()
        for told in messages
        for piece in (*passages(told.message), *(picture.sha256 for picture in pictures(told.message)))
    )


def _look(game: AnyGame, rebuilt: Rebuilt, stored: Pictures, audited: Audited) -> None:
    words, checked = Words(rebuilt), audited.checked
    audited.findings += check_addressing(rebuilt, checked["addressing"])
    for found in check_content(rebuilt, words, checked["content"]):
        if isinstance(found, Doubt):
            audited.doubts.append(found)
        else:
            audited.findings.append(found)
    audited.pieces = pieces_told(rebuilt)
    audited.findings += check_record(rebuilt, words, stored, checked["record"])
    audited.findings += check_secrets(game, rebuilt, words, checked["secrets"])


def _ended_by_a_bug(entries: Sequence[LogEntry]) -> bool:
    last = entries[-1]
    return isinstance(last, EpisodeEnded) and last.outcome == "error"
