"""What the board tells: leases of episodes, how runs stand, who is there, how long the queues are."""

from datetime import datetime
from typing import Any, Literal, NamedTuple

from palaver_protocols.messages import EpisodeStarted, Outcome
from palaver_protocols.runs import RunConfig

__all__ = ["Kind", "Lease", "Member", "Queue", "RunState", "RunStatus"]

Kind = Literal["agent", "gamemaster", "recorder", "gateway", "mqtt", "a2a"]

RunState = Literal["loading", "open", "cancelled", "done"]
"""``loading``: not all episodes are in yet; ``open``: it is played; ``done``: every episode is archived."""


class Lease(NamedTuple):
    """An episode that a game master is to play: its run, and the first entry of its log."""

    config: RunConfig
    opening: EpisodeStarted


class RunStatus(NamedTuple):
    """How a run stands. ``total`` is the sum of ``owed``, ``playing``, ``ended`` and ``archived``.

    ``recorder`` is who writes it down: ``service``, or the name of a folder's owner. ``ended`` episodes wait to be
    archived; ``outcomes`` counts them and the archived ones. ``tokens`` and ``cost_usd`` are what has been spent.
    """

    config: RunConfig
    state: RunState
    recorder: str
    total: int
    owed: int
    playing: int
    ended: int
    archived: int
    outcomes: dict[Outcome, int]
    tokens: int
    cost_usd: float
    submitted: datetime


class Member(NamedTuple):
    """A process of the fleet.

    ``name`` is the agent's, or the game master's; ``consumer`` tells processes of one name apart. ``about`` is what
    else it says of itself, as JSON values (provider, model, capabilities). ``since`` is by its own clock; ``busy`` is
    how many of its ``concurrency`` places are taken.
    """

    kind: Kind
    name: str
    consumer: str
    host: str
    pid: int
    version: str
    concurrency: int
    about: dict[str, Any]
    since: datetime
    busy: int


class Queue(NamedTuple):
    """An agent's inbox: requests nobody has read, requests being answered, and the age of the oldest (seconds)."""

    agent: str
    unread: int
    pending: int
    oldest_s: float
