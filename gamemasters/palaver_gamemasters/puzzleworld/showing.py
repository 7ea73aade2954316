"""What people see of a puzzle: its pages, as models see them, and how far the solvers have come."""

from collections.abc import Iterator, Mapping, Sequence

from palaver_gamemasters.showing import Panel
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError, one_line

from .answers import answer_of, is_strictly, tells
from .options import PuzzleWorldOptions
from .pictures import picture_of
from .puzzle import Page, Puzzle
from .shares import Piece
from .state import PuzzleState
from .tasks import EXPERT, answering_seats, pieces_of, seats_of
from .words import spoken

__all__ = ["panels"]

WIDEST = 900
"""Pixels of a page's width at most."""
LONGEST = 80
"""Letters of an answer or a title that are shown."""


def panels(state: PuzzleState) -> tuple[Panel, ...]:
    """Show the pages, then in words who has come how far, and what the solution is: for those who watch."""
    return (*_pages(state.puzzle, state.options), _so_far(state))


def _pages(puzzle: Puzzle, options: PuzzleWorldOptions) -> Iterator[Panel]:
    holders = _holders(puzzle, options)
    for number, page in enumerate(puzzle.pages, start=1):
        title = "the page" if len(puzzle.pages) == 1 else f"page {number} of {len(puzzle.pages)}"
        held = "; ".join(_held(number, holders)) if len(holders) > 1 else ""
        yield _page(page, title, f"{title} of {_clean(puzzle.title)}{held and f' ({held})'}.", options)


def _held(number: int, holders: Mapping[str, Sequence[Piece]]) -> Iterator[str]:
    """Say who has a page, or which strip of it."""
    for seat, pieces in holders.items():
        for piece in pieces:
            if piece.page == number:
                part = "it" if piece.parts == 1 else f"strip {piece.part} of {piece.parts}"
                yield f"{seat} has {part}"


def _page(page: Page, title: str, says: str, options: PuzzleWorldOptions) -> Panel:
    told = f"{says[:1].upper()}{says[1:]}"
    words = f"{told}\n{spoken(page.words)}" if page.words else told
    try:
        shown = _narrow(page, options.images)
    except InstanceError as error:
        # a page that is gone since the run is no reason not to show what was said of it
        return Panel(title, f"{words}\n{error.message}")
    return Panel(title, words, png=shown.data or b"", width=shown.width, height=shown.height)


def _narrow(page: Page, longest: int) -> Image:
    """Return the very picture that models are shown, or a smaller one where it is too wide."""
    shown = picture_of(page, longest)
    if shown.width <= WIDEST:
        return shown
    return picture_of(page, max(WIDEST, round(WIDEST * shown.height / shown.width)))


def _holders(puzzle: Puzzle, options: PuzzleWorldOptions) -> dict[str, tuple[Piece, ...]]:
    solvers = (seat for seat in seats_of(options) if seat != EXPERT)
    return dict(zip(solvers, pieces_of(puzzle, options), strict=True))


def _so_far(state: PuzzleState) -> Panel:
    puzzle, answering = state.puzzle, answering_seats(state.options)
    lines = [_clean(puzzle.title), f"message {len(state.dialogue)} of {state.options.messages}", ""]
    for message in state.dialogue:
        answer = answer_of(message.text) if message.speaker in answering else None
        if answer is not None:
            right = is_strictly(puzzle.solution, message.text)
            lines.append(f"{message.speaker} answers {_clean(answer)}: {'right' if right else 'wrong'}")
        elif tells(puzzle.solution, message.text):
            lines.append(f"{message.speaker} has said the solution")
    if state.answer is None:
        lines.append("no answer was handed in" if state.over else "no answer yet")
    return Panel("so far", "\n".join((*lines, f"solution: {_clean(puzzle.solution)}")))


def _clean(text: str) -> str:
    return one_line(text.strip(), LONGEST)
