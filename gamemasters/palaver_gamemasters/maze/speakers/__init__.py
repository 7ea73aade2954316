"""Rule-based speakers: they know their own view only, and play the maze by talking in plain language."""

from collections.abc import Mapping
from types import MappingProxyType

from palaver_protocols.messages import Player

from .scripted import STYLES, scripted_player, styled_player
from .strengths import imitator_player, strong_player, weak_player

__all__ = ["PLAYERS", "STYLES", "scripted_player", "styled_player"]

PLAYERS: Mapping[str, Player] = MappingProxyType(
    {
        "scripted": scripted_player,
        "scripted/strong": strong_player,
        "scripted/weak": weak_player,
        "scripted/imitator": imitator_player,
        **{f"scripted/{style}": styled_player(style) for style in STYLES},
    }
)
"""The speakers by the names under which they fill seats."""
