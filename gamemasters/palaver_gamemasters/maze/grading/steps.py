"""The moves that a clause names: "right to (0, 1)" is one move, "right, down" are two, "from (0, 0)" is none."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from .cells import Spoken
from .notations import CELL, STEP
from .readings import Mention

__all__ = ["CHAIN", "MENTION", "PURE", "Step", "direction_first", "steps_of", "without_origin"]


class Step(NamedTuple):
    """One move as it was said: by its direction, by the cell it leads to, or by both."""

    direction: Spoken | None
    cell: Spoken | None


MENTION = re.compile(r"[⟦⟪](\d+)[⟧⟫]")
"""A cell or a direction in annotated text."""
_CELL_OF_STEP = re.compile(rf"({STEP}) ?\(({CELL})\)|({CELL}) ?\((?:to the |moving |going |move )?({STEP})\)")
_ORIGIN = re.compile(rf"(?:from|leaving|out of) (?:(?!is |are )[\w']+ ){{0,5}}@?\(?{CELL}\)?,?")
_ASIDE = re.compile(rf"{STEP} (?:of|from|side)\b(?: {CELL})?|(?:the|a|no|any) {STEP} (?:cell|path|neighbou?r|one|is)\b")
"""Directions that say where something lies."""
_STATED = re.compile(r"\s*(?:is|are|was|were|=|being|has|shows?|looks|seems|remains|and ⟦\d+⟧ are)\b|\s*=")
"""What follows a cell that something is said of."""
_LINK = re.compile(
    r"(?:[\s,:→⟶@(—-]|\b(?:to|into|onto|in|at|on|the|cell|position|square|coordinates?|again|now|next|once|one|more"
    r"|step|space|spot|goal|reach|reaching|and|get|so|we|are|arrive|arriving|will|be|is|row|i\.?e\.?|which|putting|puts"
    r"|bringing|us|landing|point|location|end|up|here)\b)*"
)
"""What stands between a direction and the cell that it leads to."""
_BY = re.compile(r"\s(?:by |via |which is |just |one )*(?:(?:moving|going|stepping|heading) )?(?:to )?(?:the )?")
"""What stands between a cell and the direction that leads there."""
PURE = re.compile(
    r"(?:[\s,→⟶@*]|[⟦⟪]\d+[⟧⟫]|\b(?:and|then|to|now|finally|again|next|after that|followed by|at|in|the|please|with"
    r"|into|onto|cell|position|once|more|a|second|third|time|first|move|go|symbol|only|one|last|final|finally|step|goal|so)\b)*"
)
"""A clause that names moves and says nothing else."""


CHAIN = re.compile(rf"{CELL} ?[→⟶] ?{CELL}")
"""Cells that an arrow leads through."""


def steps_of(text: str, mentions: Sequence[Mention]) -> tuple[Step, ...]:
    """Return the moves that a clause names, in order; "right to (0, 1)" is one move, "right, down" are two."""
    text = _ASIDE.sub(" ", without_origin(text))
    steps: list[Step] = []
    end, last = 0, ""
    for found in MENTION.finditer(text):
        mention, gap = mentions[int(found[1])], text[end : found.start()]
        end = found.end()
        if mention.is_cell:
            if _STATED.match(text, end):
                last = ""
                continue
            if last == "direction" and _LINK.fullmatch(gap):
                steps[-1] = steps[-1]._replace(cell=mention.spoken[0])
            else:
                steps.append(Step(None, mention.spoken[0]))
            last = "cell" if steps[-1].direction is None else ""
        elif last == "cell" and len(mention.spoken) == 1 and _BY.fullmatch(gap):
            steps[-1] = steps[-1]._replace(direction=mention.spoken[0])
            last = ""
        else:
            steps.extend(Step(word, None) for word in mention.spoken)
            last = "direction"
    return tuple(steps)


def without_origin(text: str) -> str:
    """Take out where a move starts: "from (0, 0)"."""
    return _ORIGIN.sub(" ", text)


def direction_first(text: str) -> str:
    """Turn "(0, 1) (right)" and "right (0, 1)" into "right to (0, 1)", so that brackets do not part them."""
    return _CELL_OF_STEP.sub(_swap, text)


def _swap(match: re.Match[str]) -> str:
    step, cell = (match[1], match[2]) if match[1] else (match[4], match[3])
    return f"{step} to {cell}"
