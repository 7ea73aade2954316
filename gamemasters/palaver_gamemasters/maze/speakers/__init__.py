"""Rule-based speakers: they know their own view only, and solve the maze by talking in plain language."""

from .scripted import STYLES, scripted_player, styled_player

__all__ = ["STYLES", "scripted_player", "styled_player"]
