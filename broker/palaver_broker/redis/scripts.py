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


def _load(name: str) -> Script:
    folder = files(__package__) / "lua"
    return Script((folder / "bus_common.lua").read_text() + (folder / f"bus_{name}.lua").read_text())


ASK, COMMIT, SETTLE, WITHDRAW, RESTORE = map(_load, ("ask", "commit", "settle", "withdraw", "restore"))
OPEN_QUESTION, NOTE = _load("open_question"), _load("note")
ACK, RENEW, RELEASE, TAKE_UP, BURY = map(_load, ("ack", "renew", "release", "take_up", "bury"))
