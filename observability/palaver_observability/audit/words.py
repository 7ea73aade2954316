"""How texts are compared: so that neither blanks nor line ends nor capitals hide that one stands in another."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from palaver_protocols.content import Image, Text
from palaver_protocols.transcript import Message

__all__ = ["LEAST", "atoms", "passages", "pictures", "says", "squeezed", "squeezed_message", "tells", "texts"]

LEAST = 16
"""Characters, blanks not counted, from which on a passage is taken for content: shorter ones recur by chance."""

BLOCK = 24
"""Characters of a block of short lines: rows of a small map are alike by chance, several in a row are not."""

LONG = 12
"""Characters from which on a declared secret is looked for anywhere; shorter ones are looked for as words."""

PARAGRAPH = re.compile(r"\n\s*\n")
SENTENCE = re.compile(r"(?<=[.!?])\s+")


@lru_cache(maxsize=4096)
def squeezed(text: str) -> str:
    """Return a text without blanks, line ends and what cannot be seen, in small letters."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in plain if not letter.isspace() and unicodedata.category(letter) != "Cf")


def texts(message: Message) -> Iterator[str]:
    """Yield the texts of a message: its text parts, and what its pictures are said to show."""
    for part in message.parts:
        if isinstance(part, Text):
            yield part.text
        elif part.alt:
            yield part.alt


def pictures(message: Message) -> Iterator[Image]:
    """Yield the pictures of a message."""
    return (part for part in message.parts if isinstance(part, Image))


@lru_cache(maxsize=4096)
def _squeezed_parts(parts: tuple[str, ...]) -> str:
    return "\n".join(squeezed(part) for part in parts) + "\n" + squeezed("".join(parts))


def squeezed_message(message: Message) -> str:
    """Return all texts of a message, squeezed: each by itself, and all of them in a row."""
    return _squeezed_parts(tuple(texts(message)))


def passages(message: Message) -> dict[str, str]:
    """Return the passages of a message by their squeezed text: texts, paragraphs, lines, sentences.

    Short lines are taken together, a few at a time: so a part of a map is a passage. What is short even so is left out,
    and what consists of one character.
    """
    found: dict[str, str] = {}
    for text in texts(message):
        for paragraph in (text, *PARAGRAPH.split(text)):
            lines = paragraph.splitlines()
            for piece in (paragraph, *lines, *_blocks(lines), *SENTENCE.split(paragraph)):
                short = squeezed(piece)
                if len(short) >= LEAST and len(set(short)) > 1:
                    found.setdefault(short, piece)
    return found


def atoms(text: str) -> frozenset[str]:
    """Return the lines and sentences, however short, of which a text consists; squeezed."""
    pieces = (piece for line in text.splitlines() for piece in SENTENCE.split(line))
    return frozenset(short for piece in pieces if (short := squeezed(piece)))


def _blocks(lines: Sequence[str]) -> Iterator[str]:
    """Yield for each short line the block that begins with it, as short as content can be."""
    for first in range(len(lines)):
        length = 0
        for last in range(first, len(lines)):
            length += len(squeezed(lines[last]))
            if length >= BLOCK:
                if last > first:
                    yield "\n".join(lines[first : last + 1])
                break


def tells(message: Message, secret: str) -> bool:
    """Whether a message tells a declared secret: as text, in the words of a picture, or as a picture's SHA-256."""
    if any(picture.sha256 == secret for picture in pictures(message)):
        return True
    return any(says(text, secret) for text in (*texts(message), "".join(texts(message))))


def says(text: str, secret: str) -> bool:
    """Whether a text says a secret: a long one anywhere, a short one as a word, however it is spaced."""
    short = squeezed(secret)
    if not short:
        return False
    if len(short) >= LONG:
        return short in squeezed(text)
    return bool(_as_word(short).search(unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=1024)
def _as_word(short: str) -> re.Pattern[str]:
    """Find a short secret as a word of its own, whatever stands between its letters."""
    between = r"[\W_]{0,3}" if short.isalnum() else r"\s{0,3}"
    letters = between.join(re.escape(letter) for letter in short)
    return re.compile(rf"(?<!\w){letters}(?!\w)")
