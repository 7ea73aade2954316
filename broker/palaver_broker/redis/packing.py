"""Commands as bytes: what the Redis protocol calls an array of bulk strings."""

from collections.abc import Callable
from typing import cast

__all__ = ["Word", "pack", "pack_slowly"]

Word = str | bytes | int
"""A part of a command. Text travels as UTF-8."""


def pack_slowly(words: tuple[Word, ...]) -> bytes:
    """Pack a command, in Python.

    Raises:
        TypeError: a word is none.
    """
    parts = [b"*%d\r\n" % len(words)]
    for word in words:
        if not isinstance(word, Word) or isinstance(word, bool):
            raise TypeError(f"{word!r} is no word of a command")
        data = word if isinstance(word, bytes) else str(word).encode()
        parts += (b"$%d\r\n" % len(data), data, b"\r\n")
    return b"".join(parts)


def _quickest() -> Callable[[tuple[Word, ...]], bytes]:
    try:
        from hiredis import pack_command  # noqa: PLC0415  # in C, ten times as fast, and not on every platform
    except ImportError:
        return pack_slowly
    return cast("Callable[[tuple[Word, ...]], bytes]", pack_command)  # its stub knows tuples of one word only


pack = _quickest()
"""Pack a command, by the quickest means that this installation has."""
