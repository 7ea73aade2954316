"""The scripts of the bus: every step that must happen whole or not at all, executed by the server."""

from importlib.resources import files

from .link import Script

__all__ = [
    "ACK",
    "ASK",
    "BURY",
    "COMMIT",
    "NOTE",
    "OPEN_QUESTION",
    "RELEASE",
    "RENEW",
    "RESTORE",
    "SETTLE",
    "TAKE_UP",
    "WITHDRAW",
]


def _load(name: str, *more: str) -> Script:
    parts = ("bus_common", *more, f"bus_{name}")
    return Script("".join((files(__package__) / "lua" / f"{part}.lua").read_text() for part in parts))


ASK, COMMIT, SETTLE, RESTORE = map(_load, ("ask", "commit", "settle", "restore"))
WITHDRAW = _load("withdraw", "erase")
OPEN_QUESTION, NOTE = _load("open_question"), _load("note")
ACK, RENEW, RELEASE, TAKE_UP, BURY = map(_load, ("ack", "renew", "release", "take_up", "bury"))
