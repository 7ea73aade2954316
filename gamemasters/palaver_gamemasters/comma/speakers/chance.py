"""The random baseline (COMMA, section 4.3): any valid action, each as likely as the others; nobody is asked."""

from palaver_gamemasters.dice import Dice
from palaver_protocols.messages import TurnRequest

from .glance import glance

__all__ = ["NOTHING", "random_player"]

NOTHING = "I have nothing to say."
"""What it says as an expert."""


def random_player(request: TurnRequest) -> str:
    """Choose an action; the dice are seeded by the request's seed and turn."""
    actions = glance(request).actions
    return Dice("random comma player", request.seed, request.turn).pick(actions) if actions else NOTHING
