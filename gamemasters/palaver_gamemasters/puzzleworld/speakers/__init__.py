"""Players that need no model: chance, solvers of our own puzzles, and an expert who hands out the steps."""

from collections.abc import Mapping

from palaver_protocols.messages import Player

from ..solvers import PLAYERS as SOLVERS
from .chance import random_player
from .scripted import talking

__all__ = ["PLAYERS"]

PLAYERS: Mapping[str, Player] = {"random": random_player, **{name: talking(each) for name, each in SOLVERS.items()}}
