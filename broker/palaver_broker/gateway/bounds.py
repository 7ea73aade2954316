"""How much of what an agent asks over HTTP is done: so much a second, so much at a time. More is refused, and told."""

from collections.abc import Iterator
from contextlib import contextmanager

from palaver_protocols.strangers import Limits, RefusedError

from .answers import STATUS, TurnedAwayError
from .sessions import Session

__all__ = ["check_connections", "place", "refused", "spend"]

REQUESTS = 32
"""Messages and pictures of one agent that are dealt with at a time, polls not among them."""


def refused(session: Session, error: RefusedError, retry_s: float | None = None) -> TurnedAwayError:
    """Note that something of an agent's is refused; return what it is told."""
    session.refuse(error)
    return TurnedAwayError(STATUS[error.reason], str(error), error.reason, retry_s)


def spend(session: Session) -> None:
    """Count a request as a message.

    Raises:
        TurnedAwayError: it comes too fast.
    """
    if lack := max(session.messages.lack(1), session.bytes.lack(0)):
        raise refused(session, RefusedError("too_fast", f"more than you may: wait {lack:.1f} s"), lack)
    session.messages.take(1)


def check_connections(session: Session, limits: Limits) -> None:
    """Make sure that an agent may have one more connection, or wait with one more poll.

    Raises:
        TurnedAwayError: it has as many as it may.
    """
    if session.connections >= limits.connections:
        raise refused(
            session, RefusedError("too_fast", f"you have {limits.connections} connections, which is all"), 1.0
        )


@contextmanager
def place(session: Session) -> Iterator[None]:
    """Keep to a number of requests of one agent at a time.

    Raises:
        TurnedAwayError: there are too many.
    """
    if session.requests >= REQUESTS:
        raise refused(session, RefusedError("too_fast", f"you have {REQUESTS} requests at a time"), 1.0)
    session.requests += 1
    try:
        yield
    finally:
        session.requests -= 1
