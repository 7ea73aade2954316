"""Rollouts: many episodes of one configuration, so many at a time."""

import asyncio
import gc
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice

from palaver_protocols.errors import UsageError
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, SeatFiller
from palaver_protocols.runs import RunConfig
from palaver_protocols.seating import leaves, read_seat, team_of

from .engine import Engine
from .episode import seed_for
from .game import AnyGame
from .table import PATIENT, Patience

VOICES = re.compile(r"lead$|member_\d")

__all__ = ["OnEnd", "Plan", "collector_spared", "plan", "roll_out", "seat_agents"]

OnEnd = Callable[[EpisodeStarted, EpisodeEnded], Awaitable[None]]
"""Called when an episode has ended, before its place is given to the next."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A run worked out: what will be played by whom, before anything is asked of anybody."""

    openings: tuple[EpisodeStarted, ...]
    turn_limit: int
    """The largest number of turns that one episode can take."""
    turn_limits: Mapping[str, int] = field(default_factory=dict)
    """The same of each episode by its name, where episodes differ in it; else nothing."""

    def turn_limit_of(self, opening: EpisodeStarted) -> int:
        """Return the largest number of turns that this episode can take."""
        return self.turn_limits.get(opening.episode_id, self.turn_limit)

    @property
    def instances_sha256(self) -> str:
        """The digest of what is played: the instances with their names, in order."""
        digest = hashlib.sha256()
        for opening in self.openings:
            digest.update(json.dumps([opening.instance_id, opening.instance], sort_keys=True).encode() + b"\n")
        return digest.hexdigest()

    @property
    def instances_revision(self) -> str | None:
        """The one ``revision`` that all instances name in their data; None where they name none, or several."""
        found = {
            opening.instance.get("revision") if isinstance(opening.instance, dict) else None
            for opening in self.openings
        }
        [revision, *others] = found or [None]
        return revision if isinstance(revision, str) and not others else None

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that will be asked, each once, in order of appearance."""
        fillers = (filler for opening in self.openings[:1] for seat in opening.seats.values() for filler in seat)
        return tuple(dict.fromkeys(leaf for filler in fillers for leaf in leaves(filler.agent)))


def seat_agents(seats: Sequence[str], agents: Sequence[str]) -> dict[str, tuple[SeatFiller, ...]]:
    """Give each seat its agent, relay or team: one for all of them (self-play), or one each.

    Raises:
        UsageError: neither one nor as many as there are seats.
    """
    if len(agents) not in (1, len(seats)):
        raise UsageError(
            f"{len(agents)} agents were given for {len(seats)} seats ({', '.join(seats)})",
            mend="give one agent for all seats, or one for each",
        )
    each = list(agents) * len(seats) if len(agents) == 1 else agents
    return {seat: read_seat(agent) for seat, agent in zip(seats, each, strict=True)}


def plan(game: AnyGame, config: RunConfig) -> Plan:
    """Work a run out. Deterministic but for the time of day: the same configuration gives the same episodes.

    Raises:
        UsageError: options, agents and game do not fit together.
        InstanceError: no instance can be made under these options.
    """
    options = game.configure(config.options)
    usual = game.variant(options)
    seats = seat_agents(game.seats(options), config.agents)
    at = datetime.now(UTC)

    def openings() -> Iterator[EpisodeStarted]:
        for index, instance in enumerate(islice(game.instances(options, config.seed), config.episodes)):
            variant = instance.variant or usual
            episode_id = f"{config.game}-{variant}-{index:05d}"
            yield EpisodeStarted(
                key="started:" + hashlib.sha256(f"{config.run_id}/{episode_id}".encode()).hexdigest()[:16],
                run_id=config.run_id,
                episode_id=episode_id,
                game=config.game,
                variant=variant,
                instance_id=instance.id,
                instance=instance.data,
                labels=dict(instance.labels),
                options=options.model_dump(mode="json"),
                seed=seed_for(config.seed, index),
                seats=seats,
                protocol=config.protocol,
                sampling=config.sampling,
                handoff=config.handoff,
                at=at,
            )

    planned = Plan(tuple(openings()), game.turn_limit(options))
    for opening in planned.openings[:1]:
        _check_splits(game, opening)
    return planned


def _check_splits(game: AnyGame, opening: EpisodeStarted) -> None:
    """Make sure that the game can divide what teams are to hold in parts.

    Raises:
        UsageError: it cannot; says why.
    """
    for seat, fillers in opening.seats.items():
        for filler in fillers:
            team = team_of(filler.agent)
            if team is not None and (clash := [name for name in opening.seats if VOICES.match(name)]):
                raise UsageError(
                    f"{game.name} has a seat {clash[0]!r}, as a team's voices are called", mend="seat no team"
                )
            if team is not None and team.show == "split":
                state = game.start(opening.instance, game.configure(opening.options))
                game.split(state, seat, len(team.members))


async def roll_out(
    engine: Engine,
    game: AnyGame,
    openings: Collection[EpisodeStarted],
    *,
    concurrency: int,
    on_end: OnEnd,
    patience: Patience = PATIENT,
) -> None:
    """Play episodes of one game, ``concurrency`` of them at a time, each to its end.

    Raises:
        ExceptionGroup: the bus or ``on_end`` failed; all other episodes are stopped where they stand.
    """
    owed = iter(openings)

    async def play_on() -> None:
        for opening in owed:
            now = opening.model_copy(update={"at": datetime.now(UTC)})
            await on_end(opening, await engine.play(game, now, patience))

    async with asyncio.TaskGroup() as places:
        for _ in range(min(concurrency, len(openings))):
            places.create_task(play_on())
            await asyncio.sleep(0)  # agents think about the first questions while the other episodes are set up


@contextmanager
def collector_spared() -> Iterator[None]:
    """Spare the garbage collector what lives as long as a run.

    The logs of a thousand episodes make it run often, and it finds nothing: what an episode leaves goes by itself.
    """
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
