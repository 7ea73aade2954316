"""MapWorld: a walker explores rooms, or looks for one (Hakimov et al., section 3.3): with pictures, or in words."""

from .multimodal.game import MultimodalMapWorld
from .multimodal.graphs import MultimodalGraphs
from .multimodal.room import MultimodalRoom
from .text.game import TextMapWorld
from .text.graphs import TextMapWorldGraphs
from .text.room import TextMapWorldRoom

__all__ = ["MULTIMODAL", "MULTIMODAL_GRAPHS", "MULTIMODAL_ROOM", "TEXT", "TEXT_GRAPHS", "TEXT_ROOM"]

MULTIMODAL = MultimodalMapWorld()
MULTIMODAL_GRAPHS = MultimodalGraphs()
MULTIMODAL_ROOM = MultimodalRoom()
TEXT = TextMapWorld()
TEXT_GRAPHS = TextMapWorldGraphs()
TEXT_ROOM = TextMapWorldRoom()
