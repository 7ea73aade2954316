"""What is asked (ours: of the study's own prompt, the marker ``Solution:`` and the lines of the list are known)."""

from palaver_gamemasters.texts import filled, prompt_of
from palaver_protocols.content import Text
from palaver_protocols.transcript import USER, Message

from ..board import Board, label_of
from ..observation import choices
from ..pictures import shown
from .options import InferenceOptions

__all__ = ["question"]


def question(board: Board, options: InferenceOptions) -> Message:
    """Return the task with the picture: the board as the puzzle on it begins."""
    told = choices(board, options)
    last = board.size - 1
    above = options.modality == "2d"
    told |= {
        "rows": "from bottom to top" if above else "from the front to the back",
        "corner": f"cell at the {'bottom' if above else 'front'} left",
        "opposite": f"one at the {'top' if above else 'back'} right",
        "last": label_of((last, last)),
        # "B4 red cube" is the study's
        "first": f"{label_of((1, min(3, last)))} red {told['cube']}",
        "second": f"{label_of((last, 0))} blue {told['sphere']}",
    }
    text = filled(prompt_of(__package__, "task"), told)
    return Message(speaker=USER, parts=(Text(text=text.strip()), shown(board, board.start, "active", options)))
