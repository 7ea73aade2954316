"""The slots of an agent's replicas on one machine: each has a folder, a name on the bus, and a lock while it lives.

A replica that starts anew takes the first slot that is free, and with it the name and the journal of the one before.
"""

import fcntl
import os
import re
import secrets
import socket
from itertools import count
from pathlib import Path
from urllib.parse import quote

from palaver_protocols.errors import UsageError

__all__ = ["take_slot"]

NAME = re.compile(rb"\S+-[0-9a-f]{8}\n")


def take_slot(folder: Path, agent: str) -> tuple[Path, int, str]:
    """Take the first slot of an agent that no living replica has: ``FOLDER/AGENT-SLOT``, made if it is missing.

    Returns:
        Its folder, a descriptor that holds it until it is closed, and the replica's name: ``HOST-8HEX``.

    Raises:
        OSError: the folder cannot be used.
        UsageError: the slot is damaged.
    """
    for slot in count(1):
        place = folder / f"{quote(agent, safe='')}-{slot}"
        place.mkdir(parents=True, exist_ok=True)
        lock = os.open(place / "replica", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return place, lock, _name(place, lock)
        except BlockingIOError:
            os.close(lock)
        except BaseException:
            os.close(lock)
            raise
    raise AssertionError("there is always one more slot")


def _name(place: Path, lock: int) -> str:
    """Return the name of a slot's replica, and make it durable; a new slot is given one."""
    name = os.pread(lock, 1024, 0)
    if not name:
        name = f"{socket.gethostname()}-{secrets.token_hex(4)}\n".encode()
        os.pwrite(lock, name, 0)
        os.fsync(lock)
    if not NAME.fullmatch(name):
        raise UsageError(f"{place / 'replica'} does not name a replica: it is damaged", mend=f"move {place} away")
    return name.decode(errors="replace").rstrip()
