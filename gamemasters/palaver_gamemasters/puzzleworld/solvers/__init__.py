"""Solvers of our own puzzles: real work from the words of the pages, which proves that each can be solved from them."""

from collections.abc import Mapping
from types import MappingProxyType

from palaver_protocols.messages import Player

from .scripted import hasty_solver, scripted_solver, solve
from .solved import Solved

__all__ = ["PLAYERS", "Solved", "hasty_solver", "scripted_solver", "solve"]

PLAYERS: Mapping[str, Player] = MappingProxyType({"scripted": scripted_solver, "scripted/hasty": hasty_solver})
"""The solvers by the names under which they fill seats."""
