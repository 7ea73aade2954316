"""What agents that are somebody else's programs are told, on Redis: a few notes each, which go by themselves."""

from palaver_protocols.codec import encode
from palaver_protocols.strangers import Notice

from ..topics import notes
from .link import Link
from .scripts import NOTE

__all__ = ["tell"]

LIVE_MS = 3_600_000
"""How long a note lives that nobody reads."""


async def tell(link: Link, notice: Notice) -> None:
    """Put a notice where its agent reads it."""
    await link.run(NOTE, [link.prefix + notes(notice.agent)], [encode(notice), LIVE_MS])
