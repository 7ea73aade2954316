"""Who has come in: whose token is right, since when it is here, and until when it may stay."""

import asyncio
from collections.abc import Mapping

from aiohttp import hdrs, web

from palaver_protocols.errors import one_line
from palaver_protocols.strangers import stranger

from ..strangers import Registry, Stranger
from .answers import TurnedAwayError
from .doorkeeper import Doorkeeper, address_of, shown
from .house import House
from .sessions import Session

__all__ = ["Entry"]


class Entry:
    """Lets agents in, and cuts them off when their tokens are valid no more.

    Args:
        registry: who may come in.
        house: what all sessions share.
    """

    def __init__(self, registry: Registry, house: House) -> None:
        self.stopping = asyncio.Event()
        """Set when nobody is let in any more."""
        self.doorkeeper = Doorkeeper(registry, self._known)
        self.sessions: dict[str, Session] = {}
        """The agents that have come in, by full name; those who are gone among them."""
        self._house = house
        self._digests: dict[str, str] = {}

    async def enter(self, request: web.Request) -> tuple[Session, str]:
        """Return the session of who asks, and the digest of its token.

        Raises:
            TurnedAwayError: it may not come in.
        """
        rules = self._house.rules
        if (origin := request.headers.get(hdrs.ORIGIN)) is not None and origin not in rules.origins:
            raise TurnedAwayError(403, "scripts of this web page may not come in (palaver serve gateway --origin)")
        if self.stopping.is_set():
            raise TurnedAwayError.away("the gateway stops")
        if not self.doorkeeper.knows_anybody:
            raise TurnedAwayError.away("the bus cannot be reached")
        token = shown(request)
        known = await self.doorkeeper.whose(token)
        if known is None:
            self._house.tally.turned_away += 1
            await self.doorkeeper.turn_away(one_line(address_of(request, rules), 64))
            if token is None:
                raise TurnedAwayError(401, "show the token of an agent: Authorization: Bearer NAME.…")
            raise TurnedAwayError(401, "this token is not valid here, or no longer", "revoked")
        agent = stranger(known.name)
        if agent not in self.sessions:
            self.sessions[agent] = Session(agent, self._house)
        return self.sessions[agent], known.digest

    def may_stay(self, session: Session, digest: str) -> bool:
        """Whether whoever came in with a token of this digest may still be here."""
        return not self.stopping.is_set() and self._digests.get(session.agent) == digest

    def _known(self, strangers: Mapping[str, Stranger]) -> None:
        """Cut off whoever is known no more, or by another token."""
        self._digests = {stranger(name): known.digest for name, known in strangers.items() if "gateway" in known.doors}
        for agent, session in list(self.sessions.items()):
            session.evict(self._digests.get(agent))
            if agent not in self._digests and not session.is_in_sight:
                del self.sessions[agent]
