"""How a process makes itself known on a bus."""

import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from palaver_broker.board import Kind, Member

__all__ = ["BEAT_S", "myself"]

BEAT_S = 5.0
"""How often a service says that it is alive; it is believed for three beats."""


def myself(kind: Kind, name: str, consumer: str, concurrency: int, about: dict[str, Any]) -> Callable[[int], Member]:
    """Return what makes this process's entry in the registry, given how much of it is busy."""
    since = datetime.now(UTC)
    said = version("palaver")
    return lambda busy: Member(
        kind, name, consumer, socket.gethostname(), os.getpid(), said, concurrency, about, since, busy
    )
