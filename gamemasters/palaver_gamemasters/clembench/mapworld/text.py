"""The three games of textual MapWorld: exploring, exploring with a map to be drawn, finding a room."""

from .text_game import TextMapWorld
from .text_graphs import TextMapWorldGraphs
from .text_room import TextMapWorldRoom

__all__ = ["TEXT", "TEXT_GRAPHS", "TEXT_ROOM", "TextMapWorld", "TextMapWorldGraphs", "TextMapWorldRoom"]

TEXT = TextMapWorld()
TEXT_GRAPHS = TextMapWorldGraphs()
TEXT_ROOM = TextMapWorldRoom()
