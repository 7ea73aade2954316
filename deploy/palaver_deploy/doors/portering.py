"""The porter of a bus, as a part of whatever process needs one: game masters, and who tries an agent out."""

import os
import secrets
import socket
from collections.abc import Callable

from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.link import Link
from palaver_broker.redis.porter import Porter
from palaver_broker.redis.reserve import alone
from palaver_broker.redis.strangers import Strangers
from palaver_protocols.strangers import Reason

__all__ = ["keep_porter"]

LEASE_S = 5.0
"""How soon another takes over from a porter that has gone silent."""


async def keep_porter(
    broker: RedisBroker,
    url: str,
    *,
    patience_s: float | None = None,
    on_refused: Callable[[Reason], None] = lambda _: None,
) -> None:
    """Be the porter of a bus while nobody else is, until cancelled.

    Args:
        broker: the bus.
        url: where it is: the porter reads on a connection of its own.
        patience_s: how long a server that cannot be reached is waited for; None: for ever.
        on_refused: called for each message of a stranger's that is refused, with the reason.
    """
    me = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    async with Link(url, name="palaver-porter", patience_s=patience_s) as link:
        registry, board = Strangers(broker.link), Board(broker.link)
        # Two at work for a moment do no harm: what one has settled is a duplicate to the other.
        await alone(
            broker.link,
            "porter",
            me,
            lease_s=LEASE_S,
            work=lambda: Porter(broker, registry, board, link, on_refused=on_refused).run(),
        )
