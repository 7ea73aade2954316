"""The files of an agent's journal: append-only logs of frames, each of which says what became of a call.

A segment is a header, then frames: a call was begun, ended without an answer, or was answered. A frame has a checksum,
so that whatever a crash has torn is known for what it is.
"""

import os
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import Self

from palaver_broker.disk import sync_folder
from palaver_protocols.errors import UsageError

__all__ = ["ANSWERED", "BEGUN", "ENDED", "Segment", "name_of"]

MAGIC = b"palaver answers\n"
HEADER = Struct("<16sQ")
"""MAGIC, and when the segment was begun, in seconds since 1970."""
CHECKSUM = Struct("<I")
"""A frame begins with the CRC-32 of the rest of it."""
FRAME = Struct("<B16sI")
"""Then come the kind, the name of the call and the length of the answer; then the answer."""
BEGUN, ENDED, ANSWERED = b"?.="


class Segment:
    """One file of the log, and where in it the answers lie.

    Attributes:
        path: the file.
        started: when it was begun, in seconds since 1970.
        size: its length in bytes, up to the last whole frame.
        frames: how many it holds.
        answers: offsets of the answers' frames by the name of the call (16 bytes).
    """

    __slots__ = ("_descriptor", "_is_named", "answers", "frames", "path", "size", "started")

    def __init__(self, path: Path, started: float) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        self._is_named = False  # whether its name in the folder is durable
        self.path = path
        self.started = started
        self.size = self.frames = 0
        self.answers: dict[bytes, int] = {}

    @classmethod
    def create(cls, path: Path) -> Self:
        """Begin a segment. Like all methods it raises OSError if the disk fails it."""
        segment = cls(path, time.time())
        try:
            os.ftruncate(segment._descriptor, 0)
            segment._put(HEADER.pack(MAGIC, int(segment.started)))
        except OSError:
            segment.close()
            raise
        return segment

    @classmethod
    def load(cls, path: Path, begun: Counter[bytes]) -> Self:
        """Read a segment, and bring up to date which calls have been begun and not ended.

        Only whole frames count, wherever a crash or the disk has torn one.

        Raises:
            UsageError: it is none of ours.
        """
        data = path.read_bytes()
        if data[: len(MAGIC)] != MAGIC[: len(data)]:
            raise UsageError(f"{path} is no journal of an agent, or it is damaged", mend="move it away")
        if len(data) < HEADER.size:  # killed while it was made
            return cls.create(path)
        segment = cls(path, HEADER.unpack_from(data)[1])
        segment.size = HEADER.size
        for at, end, kind, name in _whole_frames(data):
            segment.frames += 1
            segment.size = end
            if kind == BEGUN:
                begun[name] += 1
            elif begun[name] > 1:
                begun[name] -= 1
            else:
                del begun[name]
            if kind == ANSWERED:
                segment.answers.setdefault(name, at)
        return segment

    def cut_torn_tail(self) -> None:
        """Cut off what follows the last whole frame, so that more can be appended."""
        os.ftruncate(self._descriptor, self.size)

    def append(self, kind: int, name: bytes, data: bytes = b"") -> None:
        """Hand a frame to the kernel, whole; of several answers to a call the first one stands."""
        at = self.size
        self._put(_frame(kind, name, data))
        self.frames += 1
        if kind == ANSWERED:
            self.answers.setdefault(name, at)

    def read(self, name: bytes, at: int) -> bytes | None:
        """Read the answer whose frame lies at an offset; None if the disk has lost it since."""
        answer_at = CHECKSUM.size + FRAME.size
        head = os.pread(self._descriptor, answer_at, at)
        if len(head) < answer_at:
            return None
        _, _, length = FRAME.unpack_from(head, CHECKSUM.size)
        data = os.pread(self._descriptor, min(length, self.size), at + answer_at)
        return data if head + data == _frame(ANSWERED, name, data) else None

    def written(self) -> float:
        """Return when it was last written, in seconds since 1970."""
        return os.fstat(self._descriptor).st_mtime

    def sync(self) -> None:
        """Make it survive a power cut."""
        os.fsync(self._descriptor)
        if not self._is_named:
            sync_folder(self.path.parent)
            self._is_named = True

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def remove(self) -> None:
        """Close and delete the file; takes milliseconds if it is large."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _put(self, data: bytes) -> None:
        rest = data
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        self.size += len(data)


def name_of(key: str) -> bytes:
    """Return the 16 bytes that a request key stands for, or the BLAKE2b-128 of any other string."""
    if len(key) == 32:
        try:
            name = bytes.fromhex(key)
        except ValueError:
            name = b""
        if name.hex() == key:
            return name
    return blake2b(key.encode(errors="surrogatepass"), digest_size=16).digest()


def _frame(kind: int, name: bytes, data: bytes) -> bytes:
    rest = FRAME.pack(kind, name, len(data)) + data
    return CHECKSUM.pack(zlib.crc32(rest)) + rest


def _whole_frames(data: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield where each whole frame begins and ends, its kind, and the name of its call."""
    view = memoryview(data)
    at = HEADER.size
    while at + CHECKSUM.size + FRAME.size <= len(data):
        (checksum,) = CHECKSUM.unpack_from(data, at)
        kind, name, length = FRAME.unpack_from(data, at + CHECKSUM.size)
        end = at + CHECKSUM.size + FRAME.size + length
        if end <= len(data) and zlib.crc32(view[at + CHECKSUM.size : end]) == checksum:
            yield at, end, kind, name
        at = end
