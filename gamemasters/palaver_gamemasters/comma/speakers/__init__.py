"""Players that need no model: at random, by talking, and by talking with a fault."""

from collections.abc import Mapping

from palaver_protocols.messages import Player

from ..judge.faulty import FAULTY
from .chance import random_player
from .scripted import scripted_player

__all__ = ["PLAYERS"]

PLAYERS: Mapping[str, Player] = {"random": random_player, "scripted": scripted_player, **FAULTY}
