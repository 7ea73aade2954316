"""The game-master service: leases episodes of whatever runs there are, plays them, hands them back when it must go.

Any number of these share a bus. Which episodes are whose is the board's business; an episode whose game master dies is
leased to another, who folds its log and asks again, which costs nothing. One that was held up beyond its lease, and
does not know yet, is refused by the log.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

import structlog

from palaver_broker import Broker
from palaver_broker.board import Lease
from palaver_broker.topics import episode_log
from palaver_protocols.errors import BrokerError, ProtocolError, UsageError
from palaver_protocols.events import Hook
from palaver_protocols.messages import OWED, EpisodeEnded, EpisodeStarted, Outcome

from .engine import Engine, Traceparent, open_engine
from .game import AnyGame
from .table import OvertakenError, Patience, Tail

__all__ = ["EpisodeBoard", "GameMaster", "Name"]

LOOK_S = 0.5
"""How often we look for episodes where there were none."""
GATHER_S = 0.01
"""How long we wait for more places to become free before we claim for them."""
HAND_BACK_S = 3.0
"""How long we try to hand back what we play before we go."""

Name = tuple[str, str]
"""An episode: run id, episode id."""


class EpisodeBoard(Protocol):
    """What a game master needs of :class:`palaver_broker.redis.board.Board`."""

    async def claim(self, gamemaster: str, games: Collection[str], room: int, lease_s: float) -> list[Lease]:
        """Lease episodes."""
        ...

    async def renew(self, gamemaster: str, held: Collection[Name], lease_s: float) -> set[Name]:
        """Prolong leases; return what is still held."""
        ...

    async def release(self, gamemaster: str, held: Collection[Name]) -> None:
        """Hand leases back."""
        ...

    async def silence(self, run_id: str) -> None:
        """Take back what a run has asked that is cancelled; nothing where it goes on."""
        ...

    async def finish(self, run_id: str, episode_id: str, outcome: Outcome) -> None:
        """Say that an episode has ended."""
        ...


@dataclass(slots=True)
class GameMaster:
    """One game master of a fleet.

    Args:
        broker: the bus.
        board: who plays what.
        load_game: finds a game by its name.
        games: the games that it can play, by name.
        name: what it is called; no two on a bus may share a name.
        episodes: how many it plays at a time.
        lease_s: seconds after which its episodes go to others, unless their leases are renewed.
        hooks: who watches.
        traceparent: says of which trace a question is a part; None: there are no traces.
    """

    broker: Broker
    board: EpisodeBoard
    load_game: Callable[[str], AnyGame]
    games: Collection[str]
    name: str
    episodes: int = 1000
    lease_s: float = 30.0
    hooks: Iterable[Hook] = ()
    traceparent: Traceparent | None = None
    _playing: dict[Name, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _freed: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _draining: bool = field(default=False, init=False)

    @property
    def busy(self) -> int:
        """How many episodes it plays."""
        return len(self._playing)

    @property
    def playing(self) -> Collection[Name]:
        """Name the episodes that it plays: run, episode."""
        return self._playing.keys()

    async def run(self) -> None:
        """Play until drained or cancelled; then hand back what has not ended."""
        async with (
            open_engine(
                self.broker,
                hooks=self.hooks,
                name=self.name,
                lease_s=self.lease_s,
                traceparent=self.traceparent,
            ) as engine,
            asyncio.TaskGroup() as tasks,
        ):
            keeper = tasks.create_task(self._keep(), name=f"leases of {self.name}")
            try:
                await self._play_on(engine, tasks)
            finally:
                keeper.cancel()
                await asyncio.shield(self._hand_back())

    def drain(self) -> None:
        """Take no more episodes, and hand back what has not ended."""
        self._draining = True
        self._freed.set()

    async def _play_on(self, engine: Engine, tasks: asyncio.TaskGroup) -> None:
        while not self._draining:
            self._freed.clear()
            room = self.episodes - len(self._playing)
            for lease in await self._claim(room) if room else ():
                name = (lease.opening.run_id, lease.opening.episode_id)
                if name in self._playing:  # it lapsed and came back to us, or its run was paused and goes on
                    engine.ask_again(lease.opening)
                else:
                    self._playing[name] = tasks.create_task(self._play(engine, lease), name="/".join(name))
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._freed.wait()
                    await asyncio.sleep(GATHER_S)

    async def _claim(self, room: int) -> list[Lease]:
        try:
            return await self.board.claim(self.name, self.games, room, self.lease_s)
        except ProtocolError as error:  # another version submitted it: for another game master, when the lease lapses
            structlog.get_logger().error("unreadable episode", reason=str(error))
            return []

    async def _play(self, engine: Engine, lease: Lease) -> None:
        opening, config = lease.opening, lease.config
        run_id, episode_id = opening.run_id, opening.episode_id
        try:
            outcome = await self._outcome(engine, lease)
            await self.board.finish(run_id, episode_id, outcome)
        except ProtocolError as error:
            # Its log is of another version, or damaged. Whoever records it will say so, and keep what there is.
            structlog.get_logger().error("unreadable log", run_id=run_id, episode_id=episode_id, reason=str(error))
            await self.board.finish(config.run_id, episode_id, "error")
        finally:
            self._playing.pop((run_id, episode_id), None)
            self._freed.set()

    async def _outcome(self, engine: Engine, lease: Lease) -> Outcome:
        config, opening = lease.config, lease.opening.model_copy(update={"at": datetime.now(UTC)})
        try:
            game = self.load_game(config.game)
            patience = Patience(timeout_s=config.timeout_s, tries=config.tries)
            return (await engine.play(game, opening, patience)).outcome
        except UsageError as error:  # what made a game where it was submitted makes none here: other versions
            return await self._end(opening, f"{self.name}: {error}")

    async def _end(self, opening: EpisodeStarted, why: str) -> Outcome:
        """End an episode that we cannot play as an error, however far others have come; return how its log ends.

        Whoever writes to the log meanwhile goes on with the episode, and our lease of it is lost.
        """
        while True:
            tail = Tail(self.broker, episode_log(opening.run_id, opening.episode_id))
            entries = await self.broker.read(tail.log)
            try:
                if entries:
                    tail.length, tail.key = len(entries), entries[-1].key
                    last = entries[-1]
                    if isinstance(last, EpisodeEnded) and last.outcome not in OWED:
                        return last.outcome
                else:
                    await tail.append(opening)
                ended = EpisodeEnded(key=f"ended:{tail.length}", outcome="error", error=why, at=datetime.now(UTC))
                await tail.append(ended)
            except OvertakenError:
                await asyncio.sleep(LOOK_S)
            else:
                return ended.outcome

    async def _keep(self) -> None:
        """Renew our leases; stop playing what is no longer ours."""
        while True:
            await asyncio.sleep(self.lease_s / 3)
            ours = list(self._playing)
            held = await self.board.renew(self.name, ours, self.lease_s) if ours else set()
            await self._let_go([name for name in ours if name not in held])

    async def _let_go(self, lost: Collection[Name]) -> None:
        """Stop playing episodes that others have taken over, or whose run is cancelled; then nobody need answer."""
        tasks = [task for name in lost if (task := self._playing.get(name)) is not None]
        for task in tasks:
            structlog.get_logger().warning("lease lost", episode=task.get_name())
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for run_id in {run_id for run_id, _ in lost}:
            await self.board.silence(run_id)

    async def _hand_back(self) -> None:
        tasks = dict(self._playing)
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        with suppress(BrokerError, TimeoutError):  # where the bus is away, the leases will lapse
            async with asyncio.timeout(HAND_BACK_S):
                await self.board.claim(self.name, self.games, 0, self.lease_s)  # returns a grant we have not heard of
                await self.board.release(self.name, list(tasks))
