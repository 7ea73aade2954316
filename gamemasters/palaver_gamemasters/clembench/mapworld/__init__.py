"""MapWorld: a walker explores rooms, or looks for one (Hakimov et al., section 3.3): with pictures, or in words."""

from .multimodal import MultimodalGraphs, MultimodalMapWorld, MultimodalRoom
from .text import TEXT, TEXT_GRAPHS, TEXT_ROOM

__all__ = ["MULTIMODAL", "MULTIMODAL_GRAPHS", "MULTIMODAL_ROOM", "TEXT", "TEXT_GRAPHS", "TEXT_ROOM"]

MULTIMODAL = MultimodalMapWorld()
MULTIMODAL_GRAPHS = MultimodalGraphs()
MULTIMODAL_ROOM = MultimodalRoom()
