"""Who may come to a bus on Redis from outside: one hash, which doors and game masters look at every second.

strangers          hash: by name, what a :class:`~palaver_broker.strangers.Stranger` has, as JSON
strangers:gone     sorted set: those who were turned out, by when (s)
"""

import json
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from importlib.resources import files

from palaver_protocols.errors import UsageError
from palaver_protocols.strangers import NAME_MEND, is_stranger, stranger

from ..strangers import Door, Stranger, digest_of, new_token
from .link import Link, Script

__all__ = ["Strangers", "check_name"]


def _load(name: str) -> Script:
    return Script((files(__package__) / "lua" / f"strangers_{name}.lua").read_text())


ADD, ROTATE, REMOVE = map(_load, ("add", "rotate", "remove"))


def check_name(name: str) -> None:
    """Accept what an agent on the bus may be called.

    Raises:
        UsageError: this is no such name.
    """
    if not is_stranger(stranger(name)):
        raise UsageError(f"{name!r} is no name for an agent on the bus", mend=NAME_MEND)


class Strangers:
    """The registry of one bus. It keeps digests of tokens, never tokens."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._key = f"{link.prefix}strangers"
        self._gone = f"{link.prefix}strangers:gone"

    async def strangers(self) -> Mapping[str, Stranger]:
        """Return all who may come in, by name. What cannot be read lets nobody in, and keeps nobody out."""
        words: list[bytes] = await self._link.call("HGETALL", self._key)
        read = (_read(name.decode(), said) for name, said in zip(words[::2], words[1::2], strict=True))
        return {each.name: each for each in read if each is not None}

    async def gone(self) -> Collection[str]:
        """Return the names of those who were turned out, and have not come back."""
        return [name.decode() for name in await self._link.call("ZRANGE", self._gone, 0, -1)]

    async def add(self, name: str, doors: Collection[Door]) -> str:
        """Let an agent in; return its token, which is nowhere else.

        Raises:
            UsageError: it is known already, or this is no name.
        """
        check_name(name)
        token = new_token(name)
        word = _word(token, doors)
        if await self._link.run(ADD, [self._key, self._gone], [name, word]) != word.encode():
            mend = "rotate its token, or take another name; to change its doors, remove it and add it again"
            raise UsageError(f"there is an agent {name!r} already", mend=mend)
        return token

    async def rotate(self, name: str) -> str:
        """Give an agent another token; return it. The old one opens no door any more.

        Raises:
            UsageError: there is no such agent.
        """
        token = new_token(name)
        word = _word(token, (await self.known(name)).doors)
        if not await self._link.run(ROTATE, [self._key], [name, word]):
            await self.known(name)  # raises: it has just been turned out
        return token

    async def remove(self, name: str) -> Stranger:
        """Turn an agent out; return what was known of it.

        Raises:
            UsageError: there is no such agent.
        """
        known = await self.known(name)
        await self._link.run(REMOVE, [self._key, self._gone], [name])
        return known

    async def known(self, name: str) -> Stranger:
        """Return what is known of an agent.

        Raises:
            UsageError: there is no such agent.
        """
        known = await self.strangers()
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            raise UsageError(f"there is no agent {name!r} on this bus", mend=f"there are: {there}")
        return known[name]


def _word(token: str, doors: Collection[Door]) -> str:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return json.dumps({"digest": digest_of(token), "doors": sorted(doors), "since": now})


def _read(name: str, said: bytes) -> Stranger | None:
    try:
        known = json.loads(said)
        return Stranger(name, frozenset(known["doors"]), known["digest"], datetime.fromisoformat(known["since"]))
    except (ValueError, KeyError, TypeError):
        return None
