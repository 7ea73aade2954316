"""How a game stood, beside the dialogue; and what seats were shown, folded away below it. Pure functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from palaver_protocols.content import Image, text_of
from palaver_protocols.transcript import Message

from .setting import text

__all__ = ["Board", "Boards", "View", "board_cell", "view_section"]


@dataclass(frozen=True, slots=True)
class Board:
    """A picture of how a game stands: where it lies, or nothing where it is told in ``words`` alone.

    ``words`` say what it shows, ``seat`` names the one seat that sees just this, if there is one; pixels.
    """

    title: str
    words: str
    src: str = ""
    width: int = 0
    height: int = 0
    seat: str = ""


Boards = Mapping[int, Sequence[Board]]
"""How the game stood after so many turns (0: at the start), for those after which it stood otherwise than before."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat was shown for one of its turns."""

    seat: str
    turn: int
    messages: tuple[Message, ...]


def board_cell(boards: Sequence[Board], first: int, last: int, column: int, *, again: bool) -> str:
    """Set boards in a column of their own, from one line of the dialogue to another.

    Args:
        boards: side by side, as they were drawn.
        first: the line that they stand beside first, from 1.
        last: the line that they stand beside last.
        column: theirs.
        again: whether they have been shown before, so that there is no need to where room is short.
    """
    widest = max((board.width for board in boards), default=0)
    shown = "".join(_board(board, _share(board, at, len(boards), widest)) for at, board in enumerate(boards))
    return (
        f'<li class="board{" again" if again else ""}" style="grid-area: {first} / {column} / {last + 1}">'
        f"<div>{shown}</div></li>"
    )


def _share(board: Board, at: int, count: int, widest: int) -> int:
    """Return how much of its column a board takes, per cent: the first leads, small ones keep their scale."""
    large = board.width * 5 > widest * 3 > 0
    most = 48 if at and (count > 2 or large) else 100
    return most * board.width // widest if board.src and board.width and widest else most


def _board(board: Board, share: int) -> str:
    seen = f" (what {board.seat} sees)" if board.seat else ""
    caption = f"<figcaption>{text(board.title + seen)}</figcaption>" if board.title or seen else ""
    style = f' style="width: {share}%"'
    if not board.src:
        return f"<figure{style}>{caption}<pre>{text(board.words)}</pre></figure>"
    size = f' width="{board.width}" height="{board.height}"' if board.width and board.height else ""
    image = f'<img src="{escape(board.src)}"{size} loading="lazy" alt="{text(board.words)}">'
    return f"<figure{style}>{caption}{image}</figure>"


def view_section(views: Sequence[View], picture: Callable[[Image], str]) -> str:
    """Set what seats were shown, each behind a line that opens it; nothing where there is nothing.

    Args:
        views: of each seat, one.
        picture: how a picture is set.
    """
    if not views:
        return ""
    folded = "\n".join(_view(view, picture) for view in views)
    return f'<section class="views">\n<h2>What each seat was shown</h2>\n{folded}\n</section>'


def _view(view: View, picture: Callable[[Image], str]) -> str:
    messages = "\n".join(_message(message, view.seat, picture) for message in view.messages)
    return (
        f"<details><summary><b>{text(view.seat)}</b>, all of it, for its last turn (turn {view.turn + 1})</summary>\n"
        f"<ol>\n{messages}\n</ol></details>"
    )


def _message(message: Message, seat: str, picture: Callable[[Image], str]) -> str:
    own = " own" if message.speaker == seat else ""
    said = text_of(message.parts)
    words = f'<div class="text" dir="auto">{text(said)}</div>' if said else ""
    shown = "".join(picture(part) for part in message.parts if isinstance(part, Image))
    return f'<li class="view{own}"><p class="who">{text(message.speaker)}</p>{words}{shown}</li>'
