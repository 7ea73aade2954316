"""What players of the textual graph game claim of the map, and how near it comes (sections 8.4 and 8.5)."""

import json
from typing import Any

from palaver_gamemasters.clembench.mapworld.graphs.similarity import graph_distance, similarity

from .literals import literal
from .setup import TextMap

__all__ = ["NO_CLAIM", "claim_in", "likeness"]

NO_CLAIM = "None"
"""What is logged in place of a graph where none was given."""


def claim_in(answer: str, *, clean: bool) -> tuple[object, str]:
    """Evaluate an answer.

    Args:
        answer: the whole of it, in the published form.
        clean: whether JSON will do as well.

    Returns:
        Its action as it was evaluated, and its graph in Python's words.

    Raises:
        ValueError: it cannot be evaluated, or holds no action or no graph.
    """
    try:
        read = _evaluated(answer, clean)
        return read["action"], str(read["graph"])
    except (TypeError, KeyError, RecursionError) as error:
        raise ValueError("it holds no action, or no graph that could be written down") from error


def _evaluated(answer: str, clean: bool) -> Any:
    try:
        return literal(answer)
    except ValueError:
        if not clean:
            raise
        return json.loads(answer)


def likeness(claim: str, map_: TextMap) -> float:
    """Return the similarity of a claimed graph and the map, in per cent; 0 if the claim makes no graph.

    Args:
        claim: the graph in Python's words, as it is logged.
        map_: the map.
    """
    try:
        read = literal(claim)
        nodes = [node.lower() for node in read["nodes"]]
        edges = [_edge(entry) for entries in read["edges"].values() for entry in entries]
    except (ValueError, TypeError, KeyError, AttributeError):
        # whatever is wrong with it, v1.6.5 calls it 0
        return 0.0
    return 100 * similarity(graph_distance(nodes, edges, map_.nodes, map_.edges).edits)


def _edge(entry: Any) -> tuple[str, str]:
    """Return the edge that an entry is. One that has not two ends spoils the whole claim (section 8.5)."""
    one, other = entry
    return one.lower(), other.lower()
