"""What strangers may do at a gateway."""

from dataclasses import dataclass

from palaver_protocols.strangers import LIMITS, Limits

__all__ = ["Rules"]


@dataclass(frozen=True, slots=True)
class Rules:
    """How a gateway treats strangers. Times are seconds.

    ``limits`` are each agent's; ``bytes_per_second`` and ``burst_bytes`` what it may send, ``connections`` how many
    there may be of all agents together. A reader that takes nothing for ``write_s`` is cut off, and so is one that
    answers no ping, sent each ``ping_s``, in half that time. A question handed to a poll is handed to no other for
    ``hold_s``. ``origins`` are the web pages whose scripts may come in; ``behind_proxy`` is whether the last entry of
    X-Forwarded-For says who calls.
    """

    limits: Limits = LIMITS
    bytes_per_second: int = 1024 * 1024
    burst_bytes: int = 4 * 1024 * 1024
    connections: int = 1000
    ping_s: float = 20.0
    write_s: float = 20.0
    hold_s: float = 30.0
    origins: frozenset[str] = frozenset()
    behind_proxy: bool = False
