"""Chance: a word of what is shown, handed in as the answer at once; as an expert, a hint that says nothing."""

import re

from palaver_gamemasters.dice import Dice
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import SYSTEM, in_words

from ..tasks import EXPERT

__all__ = ["random_player"]

WORD = re.compile(r"[A-Za-z]{3,}")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def random_player(request: TurnRequest) -> str:
    """Hand in one of the longer words of the view, or letters where there is none."""
    if request.seat == EXPERT:
        return "Look again."
    dice = Dice("random puzzleworld player", request.seed, request.turn, request.seat)
    shown = "\n".join(message.text for message in in_words(request.view) if message.speaker != SYSTEM)
    words = sorted({word.upper() for word in WORD.findall(shown)})
    guess = dice.pick(words) if words else "".join(dice.pick(LETTERS) for _ in range(5))
    return f"I guess.\nAnswer: {guess}"
