"""Textual MapWorld in which each answer holds the map so far (``textmapworld_graphreasoning``)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from palaver_gamemasters.clembench.mapworld.forms import matched
from palaver_gamemasters.clembench.mapworld.game import TREES
from palaver_gamemasters.clembench.mapworld.maps import Span
from palaver_gamemasters.clembench.mapworld.walk import Walked
from palaver_gamemasters.clembench.play import Play

from .claims import NO_CLAIM, claim_in, likeness
from .game import Order, Said, TextMapWorld, TextState

__all__ = ["TextMapWorldGraphs"]


class TextMapWorldGraphs(TextMapWorld):
    """All rooms are to be visited, and the map is to be drawn with every move."""

    name = "textmapworld_graphreasoning"
    summary = "a walker explores a map of named rooms and writes down the map with every move (clembench)"
    sizes: ClassVar[Mapping[str, tuple[int, Span]]] = TREES
    task = "graphs"

    def read(self, play: Play[TextState], text: str) -> Said | None:
        """Check the form of an answer: an object with action and graph, on any number of lines."""
        setup = play.now.setup
        line = text.replace("\n", "").strip()
        found = setup.response and matched(setup.response.match, line)
        if found:
            return self.action(setup, found[1], found[0])
        # section 8.4: a bare DONE aborts, although the prompt seems to allow it
        said = self.action(setup, line, line) if play.clean else None
        return said if said is not None and said.stop else None

    def order(self, play: Play[TextState], said: Said) -> Order | None:
        """Evaluate an answer as a Python literal: tuples will do, JSON's null and true will not (section 8.4)."""
        try:
            action, graph = claim_in(said.text, clean=play.clean)
        except ValueError:
            # cleanly, the form has said all that the describer needs to know; it is the graph that is worth nothing
            action, graph = (said.action, NO_CLAIM) if play.clean else (None, NO_CLAIM)
        way = play.now.setup.move.match(action) if isinstance(action, str) else None
        if way is None:
            return None
        # section 8.4: v1.6.5 does not lower-case the direction here, so that no room has a way to the North
        return Order(way[1].lower() if play.clean else way[1], graph)

    def left(self, play: Play[TextState], said: Said | None = None) -> Play[TextState]:
        """Log what is logged when a turn ends before the describer's part."""
        if play.clean:
            return self._claimed_at_last(play, said)
        # section 8.5: v1.6.5 looks at the describer's latest move after every turn, and so logs it again when there was
        # none: before the first one it is from nowhere to the start. What comes with a DONE is never looked at
        return self.logged(play) if play.now.last.old != play.now.last.new else play

    def logged(self, play: Play[TextState]) -> Play[TextState]:
        """Log the latest move and the graph that came with it."""
        return self._claimed(super().logged(play), play.now.graph or NO_CLAIM)

    def more(self, now: TextState, walk: Walked[str]) -> dict[str, float]:
        """Return how near the last graph comes to the map."""
        return {"graph_similarity": likeness(now.graphs[-1], now.map) if now.graphs else 0.0}

    def _claimed(self, play: Play[TextState], graph: str) -> Play[TextState]:
        return play.then(replace(play.now, graphs=(*play.now.graphs, graph))).note("graph", graph)

    def _claimed_at_last(self, play: Play[TextState], said: Said | None) -> Play[TextState]:
        try:
            return play if said is None else self._claimed(play, claim_in(said.text, clean=True)[1])
        except ValueError:
            return play
