"""A command on its way: as bytes that nothing empties, until it is answered."""

import asyncio
import hashlib
from typing import Any

from .packing import Word, pack

__all__ = ["Command", "Script"]


class Script:
    """A Lua script. The server is sent its hash; the source follows only where the server does not know it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.sha1 = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


class Command:
    """A command that has no answer yet, and who waits for it.

    Attributes:
        packed: what is sent, as often as it takes.
        reply: who waits; cancelled if nobody does any more.
        since: the time by the loop's clock from which the patience with it counts.
        tries: how often it has been refused for the moment.
    """

    __slots__ = ("_script", "_words", "packed", "reply", "since", "tries")

    def __init__(self, words: tuple[Word, ...], script: Script | None, loop: asyncio.AbstractEventLoop) -> None:
        if script is None:
            self.packed = pack(words)
        else:
            self.packed = pack(("EVALSHA", script.sha1, *words))
            self._words = words
        self._script = script
        self.reply: asyncio.Future[Any] = loop.create_future()
        self.since = loop.time()
        self.tries = 0

    def spell_out(self) -> bool:
        """Send the script's source from now on; return whether there is one."""
        if self._script is None:
            return False
        self.packed = pack(("EVAL", self._script.source, *self._words))
        return True
