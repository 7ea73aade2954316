"""The player that guesses, in the right format: what chance gives."""

from palaver_gamemasters.clembench.reference.prompts import ORDINALS
from palaver_gamemasters.dice import Dice
from palaver_protocols.messages import TurnRequest

from .asked import asked

__all__ = ["random_player"]

NOTHING = "one of the three"


def random_player(request: TurnRequest) -> str:
    """Say nothing that helps, or choose by chance."""
    question = asked(request.view)
    if question.expression is None:
        return f"Expression: {NOTHING}"
    return f"Answer: {Dice('random', request.seed, request.turn, request.seat).pick(ORDINALS)}"
