"""Players that need no model: at random, and with words that tell the three things apart."""

from collections.abc import Mapping

from palaver_protocols.messages import Player

from .chance import random_player
from .talker import scripted_player

__all__ = ["PLAYERS"]

PLAYERS: Mapping[str, Player] = {"random": random_player, "scripted": scripted_player}
