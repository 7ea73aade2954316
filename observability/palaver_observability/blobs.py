"""Pictures of a run, as files under their SHA-256."""

import asyncio
import hashlib
import re
from pathlib import Path

from palaver_protocols.errors import BrokerError

from .files import replace_file

__all__ = ["FolderBlobs"]

SUFFIXES = {b"\x89PNG\r\n\x1a\n": ".png", b"\xff\xd8\xff": ".jpg", b"GIF8": ".gif"}
"""How the files of each kind of picture begin (WebP's mark comes later)."""


class FolderBlobs:
    """A blob store in a folder: ``SHA.png``, ``.jpg``, ``.gif``, ``.webp`` by content, ``.bin`` for anything else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()

    async def put(self, data: bytes) -> str:
        """Store bytes durably and return their SHA-256. Storing them again changes nothing.

        Raises:
            BrokerError: they could not be written, or were not read back as written.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._known:
            await asyncio.to_thread(self._write, sha256, data)
            self._known.add(sha256)
        return sha256

    async def get(self, sha256: str) -> bytes:
        """Return the bytes.

        Raises:
            BrokerError: there are none under this name, or they are damaged.
        """
        return await asyncio.to_thread(self._read, sha256)

    def _write(self, sha256: str, data: bytes) -> None:
        file = self._folder / (sha256 + _suffix(data))
        try:
            if not (file.exists() and file.read_bytes() == data):
                replace_file(file, data)
                if file.read_bytes() != data:
                    raise BrokerError(f"{file} does not hold what was written to it", mend="see to the disk")
        except OSError as error:
            raise BrokerError(f"cannot write {file}: {error.strerror}", mend="see to the disk") from error

    def _read(self, sha256: str) -> bytes:
        if not re.fullmatch("[0-9a-f]{64}", sha256):
            raise BrokerError(f"{sha256[:80]!r} is no SHA-256", mend="give 64 hex digits")
        files = [self._folder / (sha256 + suffix) for suffix in (*SUFFIXES.values(), ".webp", ".bin")]
        file = next((file for file in files if file.exists()), None)
        if file is None:
            raise BrokerError(f"there is no blob {sha256} in {self._folder}", mend="put it before you refer to it")
        try:
            data = file.read_bytes()
        except OSError as error:
            raise BrokerError(f"cannot read {file}: {error.strerror}", mend="see to the disk") from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise BrokerError(f"{file} is damaged", mend="put the picture again")
        return data


def _suffix(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    return next((suffix for mark, suffix in SUFFIXES.items() if data.startswith(mark)), ".bin")
