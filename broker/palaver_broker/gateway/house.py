"""What all sessions of a gateway share."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from palaver_protocols.messages import TurnFailure, TurnReply
from palaver_protocols.strangers import Notice, Reason, RefusedError

from ..base import Broker
from ..refusals import Rejections
from .rules import Rules
from .tally import Tally

__all__ = ["House", "Late"]

Late = Callable[[TurnReply | TurnFailure], Awaitable[Notice]]


@dataclass(frozen=True, slots=True)
class House:
    """The bus, the rules, and those who count.

    ``consumer`` is what the gateway is called on the bus; ``on_notice`` hears what agents are told; ``late`` settles
    answers to questions that are not here, where the bus can tell. ``rejections`` are for the log.
    """

    broker: Broker
    rules: Rules
    consumer: str
    on_notice: Callable[[Notice], None]
    late: Late | None
    tally: Tally = field(default_factory=Tally)
    rejections: Rejections = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rejections", Rejections(self._count))

    def _count(self, reason: Reason) -> None:
        self.tally.refused[reason] += 1

    def told(self, notice: Notice) -> Notice:
        """Count what an agent is told, and let others hear it; return it."""
        self.tally.told[notice.code] += 1
        if notice.reason is not None:
            self.rejections.count(notice.agent, RefusedError(notice.reason, notice.message))
        self.on_notice(notice)
        return notice
