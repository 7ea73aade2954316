"""``redis://``: the bus of many processes on many machines, and the board of what they play."""

from .board import Board
from .broker import RedisBroker
from .link import Link, Script

__all__ = ["Board", "Link", "RedisBroker", "Script"]
