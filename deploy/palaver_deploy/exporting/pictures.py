"""The pictures of a run, for exports."""

import asyncio
from collections.abc import Iterable

from palaver_observability.folder import RunFolder
from palaver_protocols.content import Image, Part
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import Aside, LogEntry, TurnTaken

__all__ = ["pictures_in", "read_pictures"]


def pictures_in(entries: Iterable[LogEntry]) -> dict[str, Image]:
    """Return the pictures that a log tells of, by SHA-256."""
    steps = [entry for entry in entries if isinstance(entry, TurnTaken | Aside)]
    parts: list[Part] = [part for step in steps for message in step.prompts for part in message.parts]
    parts += [part for step in steps for part in step.reply.parts]
    return {part.sha256: part for part in parts if isinstance(part, Image)}


def read_pictures(run: RunFolder, wanted: Iterable[str]) -> dict[str, bytes]:
    """Return the bytes of pictures by SHA-256; those that are lost or damaged are left out."""
    return asyncio.run(_read(run, list(wanted)))


async def _read(run: RunFolder, wanted: list[str]) -> dict[str, bytes]:
    found = {}
    for sha256 in wanted:
        try:
            found[sha256] = await run.blobs.get(sha256)
        except BrokerError:  # the log says that it was shown; whoever reads the export sees that it is not there
            continue
    return found
