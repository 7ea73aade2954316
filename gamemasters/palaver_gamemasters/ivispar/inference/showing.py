"""What people see of board-state inference: the board, and beside it what the answer makes of it."""

from collections.abc import Sequence

from palaver_gamemasters.showing import Panel

from ..board import Board, label_of
from ..options import BoardOptions
from ..showing import called
from .answer import Answer, Placed
from .matching import Matching

__all__ = ["answer_panel"]


def answer_panel(board: Board, matching: Matching, answer: Answer, options: BoardOptions) -> Panel:
    """Draw an answer as a board: each geom where it was said to be, marked right or wrong; what it misses in rings."""
    from ..top_view import Standing, top_view  # noqa: PLC0415 - Pillow knows the colours, and is slow to load

    right = [pair.told for pair in matching.pairs if not pair.wrong]
    wrong = [*(pair.told for pair in matching.pairs if pair.wrong), *matching.hallucinated]
    missed = [*(pair.true for pair in matching.pairs if pair.wrong), *matching.missed]
    standing = (
        *(Standing(each.geom, each.cell, "missing") for each in missed),
        *(Standing(each.geom, each.cell, "wrong") for each in wrong),
        *(Standing(each.geom, each.cell, "right") for each in right),
    )
    unread = len(answer.errors)
    lines = (f"{len(right)} of {len(board.geoms)} right", f"{unread} unreadable" if unread else "")
    picture, width, height = top_view(
        board.size, standing, lines, flat=options.modality == "2d", title="the board as the answer has it"
    )
    words = "\n".join(
        (
            f"The answer, {lines[0]}:",
            *_listed(right, "right", options),
            *_listed(wrong, "wrong", options),
            *_listed(missed, "not said", options),
            *lines[1:],
        )
    )
    return Panel("answer", words.rstrip(), svg=picture, width=width, height=height)


def _listed(placed: Sequence[Placed], mark: str, options: BoardOptions) -> list[str]:
    return [f"{label_of(each.cell)} {called(each.geom, options)}: {mark}" for each in sorted(placed)]
