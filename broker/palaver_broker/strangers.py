"""Who may come to the bus from outside: names, the ways in that each may use, and what they show to be let in."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

__all__ = ["DOORS", "Door", "Registry", "Stranger", "digest_of", "known_by", "new_token"]

Door = Literal["redis", "gateway", "mqtt"]
"""A way in: the bus itself; the gateway (WebSocket, long-poll, A2A); an MQTT broker."""

DOORS: tuple[Door, ...] = ("redis", "gateway", "mqtt")


class Stranger(NamedTuple):
    """An agent that is somebody else's program.

    ``name`` is what it logs in as, and what ``bus/NAME`` says; ``digest`` is the SHA-256 of its token (hex), which is
    nowhere else; ``since`` is when it was given that token.
    """

    name: str
    doors: frozenset[Door]
    digest: str
    since: datetime


class Registry(Protocol):
    """Who is known. Those who let strangers in look every second, and cut off whoever is known no more."""

    async def strangers(self) -> Mapping[str, Stranger]:
        """Return all who may come in, by name."""
        ...


def new_token(name: str) -> str:
    """Make a token that nobody can guess: 256 bits, behind the name of who is to show it."""
    return f"{name}.{secrets.token_urlsafe(32)}"


def digest_of(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def known_by(token: str, strangers: Mapping[str, Stranger], door: Door) -> Stranger | None:
    """Return whose token this is, if it may come in here."""
    known = strangers.get(token.partition(".")[0])
    if known is None or door not in known.doors or not hmac.compare_digest(known.digest, digest_of(token)):
        return None
    return known
