"""What the board tells: leases of episodes, how runs stand, who is there, how long the queues are."""

from datetime import datetime
from typing import Any, Literal, NamedTuple

from palaver_protocols.messages import EpisodeStarted, Outcome
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import AgentHello

from .strangers import Door

__all__ = ["Kind", "Lease", "Member", "Queue", "RunState", "RunStatus", "greeted"]

Kind = Literal["agent", "gamemaster", "recorder", "gateway", "mqtt", "a2a", "dashboard"]

RunState = Literal["loading", "open", "paused", "cancelled", "done"]
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


def greeted(hello: AgentHello, door: Door, consumer: str, since: datetime, busy: int = 0, **more: Any) -> Member:
    """Return a stranger that has said hello as what the registry of processes keeps.

    Args:
        hello: what it says of itself.
        door: by which way it has come.
        consumer: what tells its place there from its places elsewhere.
        since: since when it is there.
        busy: how many questions it has.
        more: what else the door knows of it.
    """
    about = {"kind": "bus", "door": door, "provider": hello.provider, "model": hello.model, **more}
    return Member("agent", hello.agent, consumer, "", 0, hello.software, hello.concurrency, about, since, busy)


class Queue(NamedTuple):
    """An agent's inbox: requests nobody has read, requests being answered, and the age of the oldest (seconds)."""

    agent: str
    unread: int
    pending: int
    oldest_s: float
