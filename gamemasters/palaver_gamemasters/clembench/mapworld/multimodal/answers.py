"""What an answer must look like in MapWorld with pictures, and the graphs in it (sections 5.4 and 6.2)."""

import json
from typing import Any, NamedTuple

from palaver_gamemasters.clembench.mapworld.forms import matched
from palaver_gamemasters.clembench.mapworld.graphs.similarity import Graph, NoGraphError, graph_of, read_graph
from palaver_gamemasters.clembench.mapworld.maps import STEPS
from palaver_gamemasters.clembench.play import CrashError

from .setup import MultimodalSetup

__all__ = ["Answer", "RefusedError", "claimed", "described", "drawn", "tidy"]


class Answer(NamedTuple):
    """An answer in the right form: its text as it is kept, the action in it, and the graph, where there is one."""

    text: str
    action: str
    graph: str | None = None


class RefusedError(ValueError):
    """An answer breaks the rules of its form. The message is clembench's name for that."""


def tidy(text: str) -> str:
    """Join the lines of an answer, and write directions in lower case wherever they stand."""
    joined = text.replace("\n", "").strip()
    for way in STEPS:
        joined = joined.replace(way.capitalize(), way).replace(way.upper(), way)
    return joined


def described(text: str, setup: MultimodalSetup, *, clean: bool) -> Answer:
    """Read an answer that is an object with a description and an action.

    Raises:
        RefusedError: it is none.
        CrashError: it has no ``action`` in lower case, or it is no text.
    """
    found = matched(setup.response_regex.search, tidy(text))
    if found is None:
        raise RefusedError("Invalid format")
    try:
        # section 5.4: strict JSON, so that a tab in the description aborts
        read: Any = json.loads(found[0], strict=not clean)
    except json.JSONDecodeError as error:
        raise RefusedError("JSON decode error") from error
    except (ValueError, RecursionError) as error:
        if clean:
            raise RefusedError("JSON decode error") from error
        raise CrashError(f"an answer that nobody can read as JSON: {error}") from error
    if not clean and "action" not in read:
        # section 5.4: the form does not care for capitals, but v1.6.5 then looks for "action" to the letter
        raise CrashError("an answer without the key action")
    action = {key.lower(): value for key, value in read.items()}.get("action") if clean else read["action"]
    if isinstance(action, str):
        return Answer(found[0], action)
    if clean:
        raise RefusedError("Invalid format")
    raise CrashError(f"an action that is no text: {action!r}")


def drawn(text: str, setup: MultimodalSetup) -> Answer:
    """Read an answer that is an object with an action, a description and a graph; the form alone counts here.

    Raises:
        RefusedError: it is none.
    """
    found = matched(setup.response_regex.search, tidy(text))
    if found is None:
        raise RefusedError("Invalid format")
    return Answer(found[0], found[1], found[3])


def claimed(text: str, *, clean: bool) -> Graph:
    """Read a graph that an answer holds.

    Raises:
        CrashError: v1.6.5 raises an exception when it scores it.
    """
    try:
        return read_graph(json.loads(text), lenient=clean)
    except json.JSONDecodeError:
        return graph_of((), ())
    except (NoGraphError, ValueError, RecursionError) as error:
        if clean:
            return graph_of((), ())
        raise CrashError(f"a graph that nobody can read: {error}") from error
