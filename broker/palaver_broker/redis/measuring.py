"""How long the streams of a bus are, by what they are there for. A label of a metric is never one of many streams."""

import asyncio
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..board import Queue
from ..topics import answer_box
from .errors import ReplyError
from .link import Link

__all__ = ["StreamClass", "StreamState", "measure_streams"]

StreamClass = Literal["questions", "answers", "commits", "dead"]
"""Inboxes of agents; boxes of game masters; word of commits, for those who watch; dead letters."""


class StreamState(NamedTuple):
    """All streams of a class: entries, how many of them are with a reader, the age of the oldest that is owed (s).

    The last two are of questions and answers only: the others are owed to nobody.
    """

    stream_class: StreamClass
    length: int
    pending: int = 0
    oldest_s: float = 0.0


async def measure_streams(link: Link, inboxes: Sequence[Queue], gamemasters: Sequence[str]) -> list[StreamState]:
    """Measure the streams of a bus.

    Args:
        link: the bus.
        inboxes: as the board has measured them.
        gamemasters: those whose boxes are measured, by name.
    """
    commits, dead, boxes = await asyncio.gather(
        link.call("XLEN", f"{link.prefix}commits"),
        link.call("XLEN", f"{link.prefix}dead"),
        asyncio.gather(*(_measure_box(link, name) for name in gamemasters)),
    )
    return [
        StreamState(
            "questions",
            sum(inbox.unread + inbox.pending for inbox in inboxes),
            sum(inbox.pending for inbox in inboxes),
            max((inbox.oldest_s for inbox in inboxes), default=0.0),
        ),
        StreamState(
            "answers",
            sum(box.length for box in boxes),
            sum(box.pending for box in boxes),
            max((box.oldest_s for box in boxes), default=0.0),
        ),
        StreamState("commits", commits),
        StreamState("dead", dead),
    ]


async def _measure_box(link: Link, gamemaster: str) -> StreamState:
    """Measure one game master's box. What is used is deleted: a box holds what is owed and nothing else."""
    stream = link.prefix + answer_box(gamemaster)
    length, oldest, (seconds, micros) = await asyncio.gather(
        link.call("XLEN", stream), link.call("XRANGE", stream, "-", "+", "COUNT", 1), link.call("TIME")
    )
    try:
        pending: int = (await link.call("XPENDING", stream, "gamemasters"))[0]
    except ReplyError:  # nobody has read it yet
        pending = 0
    age_s = 0.0
    if oldest:
        age_s = max(0.0, int(seconds) + int(micros) / 1e6 - int(oldest[0][0].partition(b"-")[0]) / 1000)
    return StreamState("answers", length, pending, age_s)
