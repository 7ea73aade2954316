"""The random baseline: what it says has the right form, and nothing in it; what it decides is chance."""

from palaver_gamemasters.dice import Dice
from palaver_protocols.messages import TurnRequest

from .dialogue import dialogue_of

__all__ = ["random_player"]

SAID = {
    "description": ("Something to look at.", "Some things, here and there.", "It is hard to describe."),
    "question": ("What do you see?", "Is there anything in the middle?", "What else is there?"),
    "answer": ("Maybe.", "I think so.", "Hard to tell."),
}


def random_player(request: TurnRequest) -> str:
    """Say anything, and decide at random; the dice are seeded by the request's seed, turn and seat."""
    dialogue = dialogue_of(request)
    dice = Dice("random matchit player", request.seed, request.turn, request.seat)
    return f"{dialogue.flag} {dice.pick(SAID.get(dialogue.asked, dialogue.decisions))}"
