"""Cells and what is in them, listed without a verb: "(0, 1): wall", "(0, 1) - path", or merely a cell a line.

They describe a map. A lone cell can be a proposal as well ("(0, 1)?"), so what is in it, or the company of other lines
like it, must tell the two apart.
"""

import re

from .notations import CELL

__all__ = ["stands_alone", "with_verbs"]

_WHAT = (
    r"symbol|start(?:ing)?|goal|target|exit|paths?|walls?|open|clear|free|passable|walkable|empty|hidden|unknown|unseen"
    r"|blocked|impassable|invalid"
)
_FACT = rf"({CELL})\s*(?:[:=—→⟶]|--?)?\s*\(?(?:(?:is|an?|the|my|our|your|also|known|likely)\s+)*({_WHAT})\b"
_BEGINS = re.compile(rf"[^\w⟦⟪]*{_FACT}")
_NEXT = re.compile(rf"(^[^\w⟦⟪]*|[,;.]\s+(?:and\s+)?){_FACT}")
_CELL_ALONE = re.compile(rf"[^\w⟦⟪]*{CELL}[\s,;.]*")


def with_verbs(line: str) -> str:
    """Return a line of annotated text that begins with a cell and what is in it as one with verbs: "⟦0⟧ is wall"."""
    return _NEXT.sub(r"\1\2 is \3", line) if _BEGINS.match(line) else line


def stands_alone(line: str) -> bool:
    """Whether a line is one cell and nothing else; several such lines are a list, even without bullets."""
    return bool(_CELL_ALONE.fullmatch(line))
