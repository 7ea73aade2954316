"""Who may come to a bus on Redis from outside: one hash, which doors and game masters look at every second.

``strangers`` has, by name, what a :class:`~palaver_broker.strangers.Stranger` has, as JSON.
"""

import json
from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from palaver_protocols.errors import UsageError
from palaver_protocols.strangers import NAME_MEND, is_stranger, stranger

from ..strangers import Door, Stranger, digest_of, new_token
from .link import Link

__all__ = ["Strangers"]


class Strangers:
    """The registry of one bus. It keeps digests of tokens, never tokens."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._key = f"{link.prefix}strangers"

    async def strangers(self) -> Mapping[str, Stranger]:
        """Return all who may come in, by name."""
        words: list[bytes] = await self._link.call("HGETALL", self._key)
        return {name.decode(): _read(name.decode(), said) for name, said in zip(words[::2], words[1::2], strict=True)}

    async def add(self, name: str, doors: Collection[Door]) -> str:
        """Let an agent in; return its token, which is nowhere else.

        Raises:
            UsageError: it is known already, or this is no name.
        """
        if not is_stranger(stranger(name)):
            raise UsageError(f"{name!r} is no name for an agent on the bus", mend=NAME_MEND)
        token = new_token(name)
        if not await self._link.call("HSETNX", self._key, name, _word(token, doors)):
            if (await self.strangers())[name].digest == digest_of(token):  # our own word, sent twice
                return token
            raise UsageError(f"there is an agent {name!r} already", mend="rotate its token, or take another name")
        return token

    async def rotate(self, name: str) -> str:
        """Give an agent another token; return it. The old one opens no door any more.

        Raises:
            UsageError: there is no such agent.
        """
        token = new_token(name)
        await self._link.call("HSET", self._key, name, _word(token, (await self._known(name)).doors))
        return token

    async def remove(self, name: str) -> Stranger:
        """Turn an agent out; return what was known of it.

        Raises:
            UsageError: there is no such agent.
        """
        known = await self._known(name)
        await self._link.call("HDEL", self._key, name)
        return known

    async def _known(self, name: str) -> Stranger:
        known = await self.strangers()
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            raise UsageError(f"there is no agent {name!r} on this bus", mend=f"there are: {there}")
        return known[name]


def _word(token: str, doors: Collection[Door]) -> str:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return json.dumps({"digest": digest_of(token), "doors": sorted(doors), "since": now})


def _read(name: str, said: bytes) -> Stranger:
    known = json.loads(said)
    return Stranger(name, frozenset(known["doors"]), known["digest"], datetime.fromisoformat(known["since"]))
