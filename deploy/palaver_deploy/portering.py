"""The porter of a bus, as a part of whatever process needs one: game masters, and who tries an agent out."""

import secrets

import structlog

from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.link import Link
from palaver_broker.redis.porter import Porter
from palaver_broker.redis.reserve import only_one
from palaver_broker.redis.strangers import Strangers

__all__ = ["keep_porter"]

LEASE_S = 5.0
"""How soon another takes over from a porter that has gone silent."""


async def keep_porter(broker: RedisBroker, url: str, *, patience_s: float | None = None) -> None:
    """Be the porter of a bus while nobody else is, until cancelled.

    Args:
        broker: the bus.
        url: where it is: the porter reads on a connection of its own.
        patience_s: how long a server that cannot be reached is waited for; None: for ever.
    """
    me, log = secrets.token_hex(8), structlog.get_logger()
    async with Link(url, name="palaver-porter", patience_s=patience_s) as link:
        porter = Porter(broker, Strangers(broker.link), Board(broker.link), link)
        # Two at work for a moment do no harm: what one has settled is a duplicate to the other.
        async with only_one(
            broker.link, "porter", me, lease_s=LEASE_S, on_wait=lambda: None, on_lost=lambda: log.info("another porter")
        ):
            await porter.run()
