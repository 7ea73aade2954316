"""MapWorld with pictures in which each answer holds the map so far (``mm_mapworld_graphs``)."""

from collections.abc import Mapping
from typing import ClassVar

from palaver_gamemasters.clembench.mapworld.game import TREES
from palaver_gamemasters.clembench.mapworld.graphs.similarity import graph_distance, similarity
from palaver_gamemasters.clembench.mapworld.maps import Span
from palaver_gamemasters.clembench.play import Play

from .answers import Answer, claimed, drawn
from .game import MultimodalMapWorld, MultimodalState

__all__ = ["MultimodalGraphs"]


class MultimodalGraphs(MultimodalMapWorld):
    """All rooms are to be visited, and the map is to be drawn with every answer."""

    name = "mm_mapworld_graphs"
    summary = "a walker explores a map of pictured rooms and writes down the map with every answer (clembench)"
    sizes: ClassVar[Mapping[str, tuple[int, Span]]] = TREES
    task = "graphs"
    efficiency = "efficiency"

    def read(self, play: Play[MultimodalState], text: str) -> Answer:
        """Check the form of an answer."""
        return drawn(text, play.now.setup)

    def more(self, play: Play[MultimodalState]) -> dict[str, float]:
        """Return how near the last graph comes to the map; 0 where there is none.

        Raises:
            CrashError: v1.6.5 cannot read one of the graphs; it reads all, even those of aborted episodes.
        """
        now = play.now
        graphs = [claimed(graph, clean=play.clean) for graph in now.graphs]
        if not graphs:
            return {"graph_similarity": 0.0}
        distance = graph_distance(*graphs[-1], now.setup.nodes, now.setup.edges)
        return {"graph_similarity": 100 * similarity(distance.edits)}
