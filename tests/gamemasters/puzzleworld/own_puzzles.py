"""The puzzles that come with the game, as their files hold them."""

import json
from pathlib import Path
from typing import Any

from palaver_gamemasters.puzzleworld.drawn import SHIPPED
from palaver_gamemasters.puzzleworld.words import spoken
from palaver_protocols.content import Image
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import Message
from tests.support import a_request

NAMES = tuple(sorted(path.parent.name for path in SHIPPED.glob("*/metadata.json")))


def metadata(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((SHIPPED / name / "metadata.json").read_text(encoding="utf-8"))
    return read


def pictures(name: str) -> list[Path]:
    return sorted((SHIPPED / name).glob("*.png"))


def words(name: str) -> str:
    """Return the words of all pages, as they are shown."""
    return "".join(f"{spoken(path.read_text(encoding='utf-8'))}\n" for path in texts(name))


def texts(name: str) -> list[Path]:
    """Return the files with the words of the pages."""
    return sorted((SHIPPED / name).glob("content*.txt"))


def asked(*alts: str) -> TurnRequest:
    """Ask a solver that sees pages which say so."""
    seen = tuple(
        Image(sha256="0" * 64, media_type="image/png", width=1, height=1, size=1, alt=alt or None) for alt in alts
    )
    return a_request(seat="solver", view=(Message(speaker="user", parts=seen),))
