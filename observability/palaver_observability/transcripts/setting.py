"""What is set on every page: text that is only ever text. Pure functions."""

from html import escape

from palaver_observability.reading import VISIBLE

__all__ = ["text"]


def text(said: object) -> str:
    """Make text safe to stand in a page: nothing of it is markup, and nothing of it is invisible."""
    return escape(str(said).replace("\r\n", "\n").translate(VISIBLE))
