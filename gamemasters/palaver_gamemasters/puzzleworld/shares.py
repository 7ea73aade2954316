"""Who holds what of a puzzle that several solve together: whole pages in turn, or strips of them."""

from math import ceil
from typing import NamedTuple

__all__ = ["Piece", "Span", "caption", "dealt", "span", "whole"]

Span = tuple[float, float]
"""From where to where something reaches, as shares of a page's height from the top."""
OVERLAP = 0.04
"""How far a strip reaches into its neighbours, as a share of the page: most lines are whole in one of them."""


class Piece(NamedTuple):
    """A page, or a strip of it: ``part`` of ``parts`` from the top. Both count from 1."""

    page: int
    part: int = 1
    parts: int = 1


def whole(pages: int) -> tuple[Piece, ...]:
    """Return all pages as they are."""
    return tuple(map(Piece, range(1, pages + 1)))


def dealt(pages: int, holders: int) -> tuple[tuple[Piece, ...], ...]:
    """Deal the pages out, one after the other; where there are fewer than holders, cut each into equal strips first.

    Returns:
        What each holds, at least one piece, in the order of the pages.
    """
    parts = ceil(holders / pages)
    pieces = [Piece(page, part, parts) for page in range(1, pages + 1) for part in range(1, parts + 1)]
    return tuple(tuple(pieces[holder::holders]) for holder in range(holders))


def caption(piece: Piece, pages: int) -> str:
    """Say what a picture is: ``Page 1 of 2:``, ``Page 1 of 1, strip 2 of 3 from the top:``."""
    strip = f", strip {piece.part} of {piece.parts} from the top" if piece.parts > 1 else ""
    return f"Page {piece.page} of {pages}{strip}:"


def span(piece: Piece) -> Span:
    """Return where a strip begins and ends; all strips together make up the page."""
    if piece.parts == 1:
        return 0.0, 1.0
    return max(0.0, (piece.part - 1) / piece.parts - OVERLAP), min(1.0, piece.part / piece.parts + OVERLAP)
