"""What a stranger may do on Redis itself: read its inbox and its notes, write its outbox, get pictures. Nothing else.

Redis keeps users apart by access control lists. A stranger is a user of its own name, with three selectors, and knows
no command beyond them. It reads by cursor (XREAD), which leaves nothing behind on the server; a consumer group would
let it make consumers without end. The users of a bus follow from its registry, never the other way round: Redis
forgets users when it restarts, and whoever keeps the outboxes makes them anew.
"""

import re
from collections.abc import Mapping
from typing import Any

import structlog

from palaver_protocols.errors import UsageError
from palaver_protocols.strangers import stranger

from ..strangers import Registry, Stranger
from ..topics import inbox, notes, outbox
from .errors import ReplyError
from .link import Link

__all__ = ["Users", "rights"]

ELSEWHERE = "let it in by another door: --door gateway"
NEEDED = 7
"""The first version of Redis whose users can have different rights for different keys."""


def rights(prefix: str, name: str, database: int = 0) -> list[str]:
    """Word what an agent may do, for ACL SETUSER.

    Args:
        prefix: what every key of the bus begins with.
        name: the agent's.
        database: the bus's. An agent may choose no other, and is in the first one if it chooses none.
    """
    agent = stranger(name)
    return [
        *["-@all", "+auth", "+hello", "+ping", f"+select|{database}"],
        f"(+xread %R~{prefix}{inbox(agent)} %R~{prefix}{notes(agent)})",
        f"(+xadd {_mark(prefix, name)})",
        f"(+get %R~{prefix}blob:*)",
    ]


def _mark(prefix: str, name: str) -> str:
    """By this we know our users among those of others: nobody else has a use for it."""
    return f"%W~{prefix}{outbox(stranger(name))}"


def _of_another_bus(words: frozenset[str], name: str) -> str:
    """Say whose a user is that has our mark, and is not ours; empty where it has none."""
    marks = (re.fullmatch(r"%W~\{([\w.-]+)\}:(.*)", word, re.ASCII) for word in words)
    buses = [mark[1] for mark in marks if mark and mark[2] == outbox(stranger(name))]
    return f"an agent of another of palaver's buses here ({buses[0]})" if buses else ""


class Users:
    """The users of one bus on its server. They are the server's: those of other buses, and others still, are there too.

    Args:
        link: the bus.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._database: int | None = None
        self._warned: set[str] = set()

    async def check(self, name: str) -> None:
        """Make sure that an agent can be let in here.

        Raises:
            UsageError: somebody else is called so, or this server cannot tell its users apart, or not by us.
        """
        version = await self._version()
        if version and int(version.partition(".")[0]) < NEEDED:
            raise UsageError(f"this server is Redis {version}, and agents on it need {NEEDED}.0", mend=ELSEWHERE)
        users = await self._all()
        if name in users and name not in await self._ours(users):
            whose = _of_another_bus(users[name], name) or "who is none of ours"
            raise UsageError(
                f"this server has a user {name!r} already, {whose}", mend=f"take another name, or {ELSEWHERE}"
            )

    async def lets_anybody_in(self) -> bool:
        """Whether who shows no password at all may do anything on this server, so that tokens keep nobody out."""
        return {"on", "nopass"} <= (await self._all()).get("default", frozenset())

    async def make(self, known: Stranger) -> None:
        """Make an agent's user, or set it right. Whoever is connected stays so.

        Raises:
            UsageError: the server does not let us.
        """
        words = ["reset", "on", f"#{known.digest}", *rights(self._link.prefix, known.name, await self._where())]
        await self._acl("SETUSER", known.name, *words)

    async def remove(self, name: str) -> bool:
        """Remove an agent's user, which cuts its connections at once; False where there is none of ours.

        Raises:
            UsageError: the server does not let us.
        """
        return name in await self._ours() and bool(await self._acl("DELUSER", name))

    async def keep(self, registry: Registry) -> None:
        """Let the users be as the registry says. Those that are right already are not touched.

        Raises:
            UsageError: the server does not let us.
        """
        wanted = _on_redis(await registry.strangers())
        users = await self._all()
        ours = await self._ours(users)
        for name in ours - {name for name, each in wanted.items() if f"#{each.digest}" in users.get(name, ())}:
            await self._acl("DELUSER", name)  # turned out, or its token is another one: whoever is connected goes
            del users[name]
        made = [each for name, each in wanted.items() if name not in users]
        for each in made:
            await self.make(each)
        self._warn_of(wanted.keys() & (users.keys() - ours))
        if made:  # who was turned out while we did this is not brought back
            now = _on_redis(await registry.strangers())
            for each in made:
                if each != now.get(each.name):
                    await self._acl("DELUSER", each.name)

    def _warn_of(self, taken: set[str]) -> None:
        for name in taken - self._warned:
            log = structlog.get_logger()
            log.warning("somebody else's user has the name of an agent, which cannot log in", agent=stranger(name))
        self._warned = taken

    async def _all(self) -> dict[str, frozenset[str]]:
        """Return all users of the server, by name, with the words that say what they may do."""
        lines: list[bytes] = await self._acl("LIST")
        users = (line.decode(errors="replace").replace("(", "").replace(")", "").split() for line in lines)
        return {words[1]: frozenset(words[2:]) for words in users}

    async def _ours(self, users: Mapping[str, frozenset[str]] | None = None) -> set[str]:
        everybody = await self._all() if users is None else users
        database = await self._where()
        there = {f"+select|{database}"}
        return {
            name
            for name, words in everybody.items()
            if _mark(self._link.prefix, name) in words and {word for word in words if "select|" in word} == there
        }

    async def _where(self) -> int:
        """Return which of the server's databases the bus is in."""
        if self._database is None:
            self._database = int((await self._said(rb"\bdb=(\d+)", "CLIENT", "INFO")) or 0)
        return self._database

    async def _version(self) -> str:
        """Return the server's version, empty if it does not say."""
        return await self._said(rb"redis_version:(\d[\d.]*)", "INFO", "server")

    async def _said(self, what: bytes, *words: str) -> str:
        try:
            found = re.search(what, await self._link.call(*words))
        except ReplyError:
            return ""
        return found[1].decode() if found else ""

    async def _acl(self, *words: str) -> Any:
        try:
            return await self._link.call("ACL", *words)
        except ReplyError as error:
            raise UsageError(f"this server keeps no users for us: {error.message}", mend=ELSEWHERE) from error


def _on_redis(known: Mapping[str, Stranger]) -> dict[str, Stranger]:
    return {name: each for name, each in known.items() if "redis" in each.doors}
