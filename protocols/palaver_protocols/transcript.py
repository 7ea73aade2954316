"""The canonical transcript: who said what, to whom, in what order.

It knows no provider and no chat roles. Any number of parties speak; every message has one speaker, ordered parts and an
audience. It becomes a provider's messages only inside the agent, at call time (see :mod:`palaver_protocols.roles`).
"""

import hashlib
from collections.abc import Iterable
from functools import cached_property

from .content import Frozen, Part, Text, text_of

__all__ = ["ENVIRONMENT", "SYSTEM", "USER", "Message", "view_of"]

USER = "user"
"""Speaker of the task: the researcher who set the episode up."""
ENVIRONMENT = "environment"
"""Speaker of what the world answers to an action."""
SYSTEM = "system"
"""Speaker of a game's own system prompt."""


class Message(Frozen):
    """One contribution to an episode.

    ``speaker`` is a seat's name, or :data:`USER`, :data:`ENVIRONMENT`, :data:`SYSTEM`. ``audience`` lists the seats
    that may see it; None means all of them. A speaker always sees what it said itself.
    """

    speaker: str
    parts: tuple[Part, ...]
    audience: tuple[str, ...] | None = None

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
        """SHA-256 of the message as it goes on the wire (32 bytes), computed once."""
        return hashlib.sha256(self.model_dump_json().encode()).digest()

    def visible_to(self, seat: str) -> bool:
        """Whether a seat may see this message."""
        return self.audience is None or seat in self.audience or seat == self.speaker


def view_of(transcript: Iterable[Message], seat: str) -> tuple[Message, ...]:
    """Return what one seat may see of a transcript, in order."""
    return tuple(message for message in transcript if message.visible_to(seat))
