"""What happens while episodes are played, as records for those who watch.

The engine makes one record of each event and calls every :data:`Hook` with it. Metrics, logs and the progress display
are hooks; a test passes ``seen.append``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .messages import EpisodeEnded, EpisodeStarted, TurnFailure, TurnReply, TurnRequest
from .runs import EpisodeRecord

__all__ = [
    "EpisodeClosed",
    "EpisodeOpened",
    "EpisodeRecorded",
    "Event",
    "Hook",
    "InvalidReply",
    "ModelCalled",
    "SeatHandedOver",
    "TurnAnswered",
    "TurnAsked",
    "TurnRetried",
]


@dataclass(frozen=True, slots=True)
class EpisodeOpened:
    """An episode begins, or is taken up again: ``resumed_at`` turns were in its log already (0: a new one)."""

    started: EpisodeStarted
    resumed_at: int


@dataclass(frozen=True, slots=True)
class TurnAsked:
    """A seat is asked. Asking again after a failure is a :class:`TurnRetried`, not another one of these."""

    request: TurnRequest


@dataclass(frozen=True, slots=True)
class TurnAnswered:
    """A seat has answered, and the answer is in the log.

    ``aside``: it was said behind the seat, in a team or to a successor, and is no turn of the game.
    """

    request: TurnRequest
    reply: TurnReply
    aside: bool = False


@dataclass(frozen=True, slots=True)
class SeatHandedOver:
    """Another agent has come in behind a seat, at a turn of the episode."""

    started: EpisodeStarted
    seat: str
    agent: str
    turn: int


@dataclass(frozen=True, slots=True)
class TurnRetried:
    """A try at a turn failed; the same question is asked again after ``wait_s`` seconds.

    ``code`` and ``message`` are those of the :class:`~palaver_protocols.errors.AgentError`.
    """

    request: TurnRequest
    code: str
    message: str
    wait_s: float


@dataclass(frozen=True, slots=True)
class InvalidReply:
    """A reply that is in the log, but that the game refused, or that is empty; ``reason`` is for people."""

    request: TurnRequest
    reply: TurnReply
    reason: str


@dataclass(frozen=True, slots=True)
class EpisodeClosed:
    """An episode has ended after ``turns`` turns, those before a resumption included."""

    started: EpisodeStarted
    ended: EpisodeEnded
    turns: int


@dataclass(frozen=True, slots=True)
class EpisodeRecorded:
    """An episode that others have played has been written down here."""

    record: EpisodeRecord


@dataclass(frozen=True, slots=True)
class ModelCalled:
    """An agent has an answer: from its provider, or from the journal of an earlier call. For those who watch agents.

    ``seconds`` is how long the call took, be it that it failed.
    """

    request: TurnRequest
    answer: TurnReply | TurnFailure
    source: Literal["provider", "journal"]
    seconds: float = 0.0


Event = (
    EpisodeOpened
    | TurnAsked
    | TurnAnswered
    | TurnRetried
    | InvalidReply
    | SeatHandedOver
    | EpisodeClosed
    | EpisodeRecorded
)

Hook = Callable[[Event], None]
"""Somebody who watches. Called on the event loop, every turn: it must be quick, and it must not raise."""
