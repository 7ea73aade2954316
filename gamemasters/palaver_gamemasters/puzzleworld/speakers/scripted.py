"""Scripts in every seat: solvers who tell each other what they see, and an expert who hands out the steps.

All that a script knows is worked out again from its view, so that it can be restarted, or take over a seat. Whoever
knows all pages, and may write the answer, solves the puzzle.
"""

import re

from palaver_protocols.content import Image
from palaver_protocols.messages import Player, TurnRequest

from ..answers import tells
from ..tasks import EXPERT, NOT_YOURS
from .telling import as_if_alone, assembled, read_view, told

__all__ = ["talking"]

STEPS = re.compile(
    r"^The steps of its solution:\n(.*?)\n\nThe answer, which you must not tell: (.*?)\n\nThe pages of ",
    re.MULTILINE | re.DOTALL,
)
STEP = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
LOOK = "Look at the pages again, and at the title."
ASK = "@all: Please tell me what is on your pages, word by word."
BLIND = "I see no page. What do you see?"
WATCHER = NOT_YOURS.partition("{")[0]
"""What stands in the task of a solver who cannot write the answer."""


def talking(solver: Player) -> Player:
    """Let a script that solves puzzles by itself do so with others; in the expert's seat it hands out the steps.

    Args:
        solver: solves what it sees, or gives up.
    """

    def player(request: TurnRequest) -> str:
        return _hint(request) if request.seat == EXPERT else _solved(request, solver)

    return player


def _solved(request: TurnRequest, solver: Player) -> str:
    own, heard, pages = read_view(request.view)
    known = {**heard, **own}
    if request.role == "leaver":
        return told(known, pages) or BLIND
    if not own and _sees(request):
        return solver(request)  # alone: the study's message has no captions; or there are no words for what it sees
    whole = assembled(known, pages)
    watches = request.role == "member" or any(WATCHER in message.text for message in request.view)
    if whole is not None and not watches:
        return solver(as_if_alone(request, whole))
    if own:
        return told(own, pages)
    return ASK if request.role == "lead" and not heard else BLIND


def _sees(request: TurnRequest) -> bool:
    return any(isinstance(part, Image) for message in request.view for part in message.parts)


def _hint(request: TurnRequest) -> str:
    """Hand out the reference's steps, one a message, but for those that tell the solution."""
    found = next((match for message in request.view if (match := STEPS.search(message.text))), None)
    if found is None:
        return LOOK
    hints = [step for step in STEP.findall(found[1]) if not tells(found[2], step)]
    given = sum(message.speaker == request.seat for message in request.view)
    return hints[given] if given < len(hints) else LOOK
