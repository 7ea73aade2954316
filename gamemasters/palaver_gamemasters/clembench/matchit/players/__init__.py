"""Players of MatchIt without a model: at random, thorough, and shallow.

They see grids, and pictures by their words; they understand each other, and what people commonly say and ask of grids
and pictures. Their seat makes no difference: what is asked of them says what is to be done.
"""

from collections.abc import Mapping

from palaver_protocols.messages import Player

from .chance import random_player
from .speaking import player_of
from .style import SHALLOW, THOROUGH

__all__ = ["PLAYERS"]

PLAYERS: Mapping[str, Player] = {
    "random": random_player,
    "scripted": player_of(THOROUGH),
    "scripted/shallow": player_of(SHALLOW),
}
