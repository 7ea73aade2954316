"""Power cuts, as far as one machine can play them: what was not synced to disk is gone.

A library of ours is preloaded into redis-server and notes how much of its append-only file has been synced; a power
cut is a kill, and cutting the file to that length.
"""

import asyncio
import shutil
from pathlib import Path
from subprocess import PIPE

__all__ = ["Notes", "compile_notes", "compiler"]

SOURCE = Path(__file__).with_name("synced.c")


class Notes:
    """What is known to be on the disk.

    Args:
        library: what :func:`compile_notes` returned.
        folder: where to keep the notes; it must exist.
    """

    def __init__(self, library: Path, folder: Path) -> None:
        self._folder = folder
        self.environ = {"LD_PRELOAD": str(library), "SYNCED_NOTES": str(folder)}
        """What redis-server must be started with."""

    def cut(self, data: Path) -> int:
        """Take from the files of a killed server what had not been synced; return how many bytes that were.

        Args:
            data: its working folder, at any depth of which the append-only files lie.
        """
        gone = 0
        for file in data.rglob("*.incr.aof"):
            note = self._folder / file.name
            synced = int(note.read_text()) if note.exists() else 0
            gone += max(0, file.stat().st_size - synced)
            with file.open("r+b") as log:
                log.truncate(min(synced, file.stat().st_size))
        return gone


def compiler() -> str | None:
    """Find a C compiler; None if this machine has none."""
    return shutil.which("gcc") or shutil.which("cc")


async def compile_notes(folder: Path) -> Path:
    """Compile the library into a folder and return its path."""
    library = folder / "synced.so"
    words = [compiler() or "cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", str(library), str(SOURCE), "-ldl"]
    process = await asyncio.create_subprocess_exec(*words, stderr=PIPE)
    _, complaints = await process.communicate()
    assert process.returncode == 0, complaints.decode()
    return library
