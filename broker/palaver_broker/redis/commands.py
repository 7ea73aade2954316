"""Commands on their way: as bytes that nothing empties, in the order of their calls, until they are answered."""

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable
from typing import Any

from .packing import Word, pack

__all__ = ["Command", "Script", "Unanswered"]

MUCH = 64 * 2**20
"""Bytes of unanswered commands beyond which callers wait before they add theirs."""


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


class Unanswered:
    """All commands that have no answer yet.

    Attributes:
        sent: over the connection that there is now, the oldest first: in this order come the replies.
        waiting: is set when there is something to send.
        room: is set unless there is so much here that callers should wait.
    """

    def __init__(self) -> None:
        self.sent: deque[Command] = deque()
        self.waiting = asyncio.Event()
        self.room = asyncio.Event()
        self.room.set()
        self._unsent: list[Command] = []
        self._resting: dict[Command, asyncio.TimerHandle] = {}  # refused for the moment
        self._bytes = 0

    def add(self, command: Command) -> None:
        """Take a new command."""
        self._bytes += len(command.packed)
        if self._bytes > MUCH:
            self.room.clear()
        self._send(command)

    def _send(self, command: Command) -> None:
        self._unsent.append(command)
        self.waiting.set()

    def batch(self) -> bytes:
        """Return all that there is to send, and count it as sent."""
        self.waiting.clear()
        batch, self._unsent = self._unsent, []
        self.sent.extend(batch)
        return b"".join([command.packed for command in batch])

    def unsend(self) -> None:
        """Take back what was sent: its connection is gone."""
        self._unsent = [command for command in (*self.sent, *self._unsent) if self._is_wanted(command)]
        self.sent.clear()
        self.waiting.set()

    def spell_out(self, command: Command) -> bool:
        """Send a script again, with its source; return whether it is one."""
        before = len(command.packed)
        if not command.spell_out():
            return False
        self._bytes += len(command.packed) - before
        self._send(command)
        return True

    def rest(self, command: Command, seconds: float) -> None:
        """Send a command again after a while."""
        command.tries += 1
        self._resting[command] = command.reply.get_loop().call_later(seconds, self._rested, command)

    def _rested(self, command: Command) -> None:
        del self._resting[command]
        if self._is_wanted(command):
            self._send(command)

    def answer(self, command: Command, reply: Any) -> None:
        """Be done with a command."""
        if not command.reply.done():
            command.reply.set_result(reply)
        self._forget(command)

    def fail(self, command: Command, error: Exception) -> None:
        """Be done with a command for which there is no answer."""
        if not command.reply.done():
            command.reply.set_exception(error)
        self._forget(command)

    def fail_unsent(self, lost_at: float, patience_s: float, error: Callable[[], Exception]) -> None:
        """Fail those that have waited so long for a connection, which was lost at that time."""
        now = asyncio.get_running_loop().time()
        unsent, self._unsent = self._unsent, []
        for command in unsent:
            if now - max(command.since, lost_at) >= patience_s:
                self.fail(command, error())
            elif self._is_wanted(command):
                self._unsent.append(command)

    def fail_all(self, error: Callable[[], Exception]) -> None:
        """Fail whatever is here, and let those go on who wait for room."""
        for timer in self._resting.values():
            timer.cancel()
        for command in (*self.sent, *self._resting, *self._unsent):
            self.fail(command, error())
        self.room.set()

    def _is_wanted(self, command: Command) -> bool:
        """Whether anybody waits for the answer; if not, be done with the command."""
        if command.reply.cancelled():
            self._forget(command)
            return False
        return True

    def _forget(self, command: Command) -> None:
        self._bytes -= len(command.packed)
        if self._bytes <= MUCH:
            self.room.set()
