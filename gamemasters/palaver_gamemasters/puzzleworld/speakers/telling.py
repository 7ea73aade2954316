"""How scripts tell each other what they see: the words of each page or strip under its caption, between fences."""

import hashlib
import re
from collections.abc import Iterable, Mapping

from palaver_protocols.content import Image, Part, Text
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import SYSTEM, USER, Message

from ..shares import Piece, caption

__all__ = ["Seen", "as_if_alone", "assembled", "read_view", "told"]

Seen = Mapping[Piece, str]
"""The words of pages and strips."""

CAPTION = r"Page (\d+) of (\d+)(?:, strip (\d+) of (\d+) from the top)?:"
ONE = re.compile(CAPTION)
BLOCK = re.compile(rf"^{CAPTION}\n```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def told(seen: Seen, pages: int) -> str:
    """Say what one sees, so that :func:`read_view` understands it."""
    return "\n\n".join(f"{caption(piece, pages)}\n```\n{words}\n```" for piece, words in sorted(seen.items()))


def read_view(view: Iterable[Message]) -> tuple[dict[Piece, str], dict[Piece, str], int]:
    """Return what a seat sees itself, what it was told by anybody, and how many pages there are (0: nobody said it)."""
    own: dict[Piece, str] = {}
    heard: dict[Piece, str] = {}
    pages = 0
    for message in view:
        for above, part in zip((None, *message.parts), message.parts, strict=False):
            if isinstance(part, Text):
                for found in BLOCK.finditer(part.text):
                    heard[_piece(found)], pages = found[5], int(found[2])
            elif isinstance(above, Text) and part.alt is not None and (named := ONE.fullmatch(above.text)):
                own[_piece(named)], pages = part.alt, int(named[2])
    return own, heard, pages


def _piece(found: re.Match[str]) -> Piece:
    return Piece(int(found[1]), int(found[3] or 1), int(found[4] or 1))


def assembled(seen: Seen, pages: int) -> list[str] | None:
    """Put the words of all pages together; None if any are missing."""
    whole = []
    for page in range(1, pages + 1):
        strips = {piece.part: piece for piece in seen if piece.page == page}
        parts = max((piece.parts for piece in strips.values()), default=0)
        if not parts or strips.keys() != set(range(1, parts + 1)):
            return None
        whole.append("\n".join(seen[strips[part]] for part in range(1, parts + 1)))
    return whole or None


def as_if_alone(request: TurnRequest, pages: Iterable[str]) -> TurnRequest:
    """Ask the same as of a solver alone who sees all pages."""
    text = next((each.text for each in request.view if each.speaker == USER), "")
    parts: list[Part] = [Text(text=text), *map(_picture, pages)]
    tips = tuple(message for message in request.view if message.speaker == SYSTEM)
    view = (*tips, Message(speaker=USER, parts=tuple(parts)))
    return request.model_copy(update={"view": view, "partners": (), "members": (), "role": "player"})


def _picture(words: str) -> Image:
    """Stand in for a picture of which there are the words alone."""
    sha256 = hashlib.sha256(words.encode()).hexdigest()
    return Image(sha256=sha256, media_type="image/png", width=1, height=1, size=0, alt=words)
