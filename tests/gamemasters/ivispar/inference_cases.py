"""A board to tell of, and how the tests of board-state inference read and measure an answer."""

from palaver_gamemasters.game import Scores
from palaver_gamemasters.ivispar.board import Board, Cell, Geom
from palaver_gamemasters.ivispar.inference import GAME
from palaver_gamemasters.ivispar.inference.answer import Answer, FormatError, Placed, read_answer
from palaver_gamemasters.ivispar.inference.game import InferenceState
from palaver_gamemasters.ivispar.inference.options import InferenceOptions
from palaver_gamemasters.ivispar.inference.vocabulary import vocabulary_of

__all__ = ["BOARD", "LINES", "board_with", "errors_of", "listed", "placed", "read", "scores_of"]


def placed(line: str) -> Placed:
    """Read ``A1 red cube``, for tests that are not about reading."""
    label, colour, shape = line.split()
    return Placed(_cell(label), Geom(colour, shape))


def _cell(label: str) -> Cell:
    return "ABCDEFGH".index(label[0]), int(label[1:]) - 1


def board_with(*lines: str, size: int = 4) -> Board:
    """Return a board on which stands what the lines say; its goal is the start, but for one geom that moved."""
    there = [placed(line) for line in lines]
    start = tuple(each.cell for each in there)
    free = next((x, y) for x in range(size) for y in range(size) if (x, y) not in start)
    return Board(size, tuple(each.geom for each in there), start, (free, *start[1:]))


LINES = ("A1 red cube", "B2 blue sphere", "C4 green pyramid", "D3 yellow cylinder")
BOARD = board_with(*LINES)


def listed(*lines: str) -> str:
    """Return an answer in the format that is asked for."""
    return "\n".join(("Solution:", *(f'"{line}",' for line in lines)))


def read(text: str, board: Board = BOARD) -> Answer:
    return read_answer(text, vocabulary_of(board))


def errors_of(*lines: str, board: Board = BOARD) -> list[str]:
    """Return the classes of what cannot be read in a list of these lines."""
    errors: tuple[FormatError, ...] = read("\n".join(("Solution:", *lines)), board).errors
    return [error.kind for error in errors]


def scores_of(text: str, board: Board = BOARD) -> Scores:
    """Play an episode with this answer, and measure it."""
    return GAME.score(InferenceState(board, InferenceOptions(), text))
