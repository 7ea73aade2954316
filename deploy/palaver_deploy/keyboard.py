"""Lines from whoever sits at the terminal, without holding up anything else."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import UnsupportedOperation

__all__ = ["Keyboard"]

MOST = 64 * 1024
"""Bytes of one line."""


class Keyboard:
    """Reads standard input line by line, be it a terminal, a pipe or a file. For one reader at a time."""

    def __init__(self) -> None:
        self._rest = b""
        self._at_end = False

    async def line(self) -> str | None:
        """Wait for a line; return it without its end, or None where there are no more. Can be cancelled."""
        while b"\n" not in self._rest and not self._at_end and len(self._rest) < MOST:
            data = await _read()
            self._at_end = not data
            self._rest += data
        if not self._rest:
            return None
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace").rstrip("\r")


async def _read() -> bytes:
    """Wait for input; return what there is, nothing at the end."""
    try:
        descriptor = sys.stdin.fileno()
    except (UnsupportedOperation, ValueError):  # none of the system's: there is nothing to wait for
        return sys.stdin.readline(MOST).encode()
    ready = asyncio.Event()
    with _told(descriptor, ready) as waits:
        if waits:
            await ready.wait()
    return os.read(descriptor, MOST)


@contextmanager
def _told(descriptor: int, ready: asyncio.Event) -> Iterator[bool]:
    """Set an event as soon as a descriptor can be read; yield False where it always can, as a file."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_reader(descriptor, ready.set)
    except PermissionError:  # the system waits for no files
        yield False
        return
    try:
        yield True
    finally:
        loop.remove_reader(descriptor)
