"""The canonical transcript: who said what, to whom, in what order.

It knows no provider and no chat roles. Any number of parties speak; every message has one speaker, ordered parts and an
audience. It becomes a provider's messages only inside the agent, at call time (see :mod:`palaver_protocols.roles`).
"""

import hashlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import Field
from pydantic_core import to_json

from .content import Frozen, Image, Part, Text, text_of

__all__ = ["ENVIRONMENT", "IN_WORDS", "SYSTEM", "USER", "Message", "in_words", "view_of"]

USER = "user"
"""Speaker of the task: the researcher who set the episode up."""
ENVIRONMENT = "environment"
"""Speaker of what the world answers to an action."""
IN_WORDS = "[picture, in words]"
"""Introduces what a picture shows to whoever cannot see it."""
SYSTEM = "system"
"""Speaker of a game's own system prompt."""


class Message(Frozen):
    """One contribution to an episode.

    ``speaker`` is a seat's name, or ``user``, ``environment``, ``system``. ``audience`` lists the seats that may see
    it; None means all of them. A speaker always sees what it said itself. Where ``apart`` is set, texts that follow one
    another stay parts of their own wherever providers take them; else they are joined as lines.
    """

    speaker: str
    parts: tuple[Part, ...]
    audience: tuple[str, ...] | None = None
    apart: Annotated[bool, Field(exclude_if=lambda apart: not apart)] = False

    @classmethod
    def text_from(cls, speaker: str, text: str, audience: Iterable[str] | None = None) -> "Message":
        """Make a message of one text part."""
        return cls(speaker=speaker, parts=(Text(text=text),), audience=None if audience is None else tuple(audience))

    @property
    def text(self) -> str:
        """The text parts, joined by newlines."""
        return text_of(self.parts)

    @cached_property
    def digest(self) -> bytes:
        """BLAKE2b of all that the message says, and to whom (32 bytes); computed once."""
        said = [part.text if isinstance(part, Text) else _picture(part) for part in self.parts]
        # What is joined, as nearly all is, has the digest that it had before anything was not.
        how = ("apart",) if self.apart else ()
        return hashlib.blake2b(to_json((self.speaker, self.audience, said, *how)), digest_size=32).digest()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy the message, with some fields changed. The copy has a digest of its own."""
        copy = super().model_copy(update=update, deep=deep)
        copy.__dict__.pop("digest", None)
        return copy

    def visible_to(self, seat: str) -> bool:
        """Whether a seat may see this message."""
        return self.audience is None or seat in self.audience or seat == self.speaker


def _picture(image: Image) -> tuple[str, ...]:
    return (image.type, image.sha256) if image.alt is None else (image.type, image.sha256, image.alt)


def in_words(view: Iterable[Message]) -> tuple[Message, ...]:
    """Put what pictures show in their place, for whoever cannot see; pictures that come without words stay."""
    return tuple(map(_in_words, view))


def _in_words(message: Message) -> Message:
    if not any(isinstance(part, Image) and part.alt is not None for part in message.parts):
        return message
    parts = tuple(
        Text(text=f"{IN_WORDS}\n{part.alt}") if isinstance(part, Image) and part.alt is not None else part
        for part in message.parts
    )
    return message.model_copy(update={"parts": parts, "apart": False})  # who takes no pictures may take no lists


def view_of(transcript: Iterable[Message], seat: str) -> tuple[Message, ...]:
    """Return what one seat may see of a transcript, in order."""
    return tuple(message for message in transcript if message.visible_to(seat))
