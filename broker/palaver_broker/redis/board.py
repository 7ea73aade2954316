"""The board of runs: which episodes are owed, who plays which, what waits to be written down, and who is there.

Every operation is one script, atomic and safe to run twice, and the server's clock is the only one. Of a run there are:

    run:RUN            hash: configuration, state, counts of outcomes
    run:RUN/owed       sorted set: episodes that nobody has begun, in play order
    run:RUN/leased     sorted set: episodes on lease, by deadline (ms); 0 where it was handed back
    run:RUN/holders    hash: episode -> game master
    run:RUN/openings   hash: episode -> first entry of its log, of every episode that is not archived
    run:RUN/ended      hash: episode -> entry of done:RUN, and outcome
    run:RUN/archived   hash: episode -> outcome
    run:RUN/agents     set: the inboxes that it asks

An episode is in exactly one of owed, leased, ended and archived. Beside these, there are:

    runs               sorted set: all runs, by when they were submitted (ms)
    runs:open          hash: run that is played -> its game
    claim:GAMEMASTER   list: what it was granted last
    members            sorted set: processes, by when they are believed dead (ms); members:said is what they said
    agents             sorted set: agents, by when they were last heard of (ms)
"""

import asyncio
import json
import secrets
import zlib
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from importlib.resources import files
from itertools import chain, islice
from typing import Any, cast

from palaver_protocols.codec import decode
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import EpisodeStarted, Outcome
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import Notice, is_stranger

from ..board import Kind, Lease, Member, Queue, RunStatus
from ..topics import episode_log, inbox
from .board_words import ROOM, Held, by_run, ms, pairs, read_config, read_member, read_status, word_run, word_slice
from .link import Link, Script
from .notices import tell

__all__ = ["Board", "Prepare"]

BACKLOG = 1000
"""Ended episodes of a run that may wait for a recorder; with more, nothing new of it is begun."""
SLICE = 250
"""Episodes a script call, where all episodes of a run are gone through: the server stays free for others."""


Prepare = Callable[[Sequence[EpisodeStarted]], Awaitable[None]]
"""What is done about episodes before they are owed."""


def _script(name: str) -> Script:
    return Script((files(__package__) / "lua" / f"board_{name}.lua").read_text())


def _run_script(name: str, *more: str) -> Script:
    """Load a script about one run, which begins with the names of the run's keys."""
    parts = ("board_run", *more, f"board_{name}")
    return Script("".join((files(__package__) / "lua" / f"{part}.lua").read_text() for part in parts))


SUBMIT, ADD, OPEN, FORGET, STATUS = map(_run_script, ("submit", "add", "open", "forget", "status"))
CANCEL, RESUME = map(_run_script, ("cancel", "resume"))
SILENCE = _run_script("silence", "erase")
RENEW, RELEASE, FINISH, ARCHIVE = map(_run_script, ("renew", "release", "finish", "archive"))
CLAIM, BEAT, MEMBERS, QUEUE = map(_script, ("claim", "beat", "members", "queue"))


class Board:
    """The board of one bus. Any number of processes use it at the same time."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._open = f"{link.prefix}runs:open"
        self._registry = [f"{link.prefix}{key}" for key in ("members", "members:said", "agents")]
        self._claiming = asyncio.Lock()
        self._claimant = secrets.token_hex(8)
        self._claims = self._heard = 0

    async def submit(
        self,
        config: RunConfig,
        openings: Iterable[EpisodeStarted],
        *,
        recorder: str = "service",
        again: Collection[str] = (),
        prepare: Prepare | None = None,
    ) -> None:
        """Put a run on the board; it can be played when all its episodes are in.

        The same run again adds the episodes that the board does not know, and takes up what was cancelled; it may be
        played in another way from then on (:meth:`~palaver_protocols.runs.RunConfig.is_same_run`).

        Args:
            config: the run.
            openings: the first entry of each episode's log, in play order.
            recorder: who writes it down: any recorder service, or else the folder owner of this name.
            again: episode ids that are owed once more if they are archived.
            prepare: called with some of the openings at a time, after the run has its name and before any of these can
                be played; puts back logs, for instance. Called again where the run is submitted again.

        Raises:
            UsageError: the run's id is taken by another configuration, or makes no name for a key.
        """
        if "/" in config.run_id:
            raise UsageError(f"a run cannot be called {config.run_id!r}", mend="take a name without a slash")
        keys, wanted = self._keys(config.run_id), config.model_dump_json().encode()
        known: bytes | None = await self._link.call("HGET", keys[0], "config")
        same = known is not None and RunConfig.model_validate_json(known).is_same_run(config)
        instead_of = known if same and known is not None else b""
        if await self._link.run(SUBMIT, keys, [*word_run(config, wanted, recorder), instead_of]) != wanted:
            raise UsageError(
                f"there is another run called {config.run_id}", mend="choose another name, or forget that run first"
            )
        rest = iter(openings)
        again = frozenset(again)
        while some := list(islice(rest, SLICE)):
            if prepare is not None:
                await prepare(some)
            if not await self._link.run(ADD, keys, [config.run_id, *word_slice(some, again)]):
                raise UsageError(f"run {config.run_id} was forgotten while it was being submitted")
        await self._link.run(OPEN, keys, [config.run_id])

    async def claim(self, gamemaster: str, games: Collection[str], room: int, lease_s: float) -> list[Lease]:
        """Lease up to ``room`` episodes for ``lease_s`` seconds: of open runs of these games, at most 1000 at once.

        First come episodes whose lease has lapsed, then new ones: of the run of the highest priority, among equals of
        the one that plays least, never more than a run's ``concurrency`` at a time, and none of a run that waits for
        its recorder. Claimed under the same name, an episode may be one that lapsed while this process still plays it.

        If a claim is cancelled while it is under way, what it was granted comes with the next, or is handed back where
        that has no room for it: before it leaves, a game master claims once more with room for none.
        """
        async with self._claiming:  # a second claim would be granted again what the first has not heard of yet
            of_game: list[bytes] = await self._link.call("HGETALL", self._open)
            runs = [run.decode() for run, game in pairs(of_game) if game.decode() in games]
            if not runs:
                return []
            self._claims += 1
            claim = (gamemaster, self._claimant, self._claims, self._heard, max(0, min(room, ROOM)), ms(lease_s))
            keys = [f"{self._link.prefix}claim:{gamemaster}", *chain.from_iterable(self._keys(run)[:6] for run in runs)]
            granted = await self._link.run(CLAIM, keys, [*claim, BACKLOG, *runs])
            if granted:
                self._heard = self._claims
        return [
            Lease(read_config(config), decode(zlib.decompress(opening)))
            for config, openings in granted
            for opening in openings
        ]

    async def renew(self, gamemaster: str, held: Held, lease_s: float) -> set[tuple[str, str]]:
        """Prolong leases, and return the (run id, episode id) pairs that this game master still holds.

        Not among them: what another one has taken over, what has ended, and what belongs to a cancelled run.
        """
        slices = list(by_run(held))
        replies: list[list[bytes]] = await asyncio.gather(
            *(self._about(run, RENEW, gamemaster, ms(lease_s), *episodes) for run, episodes in slices)
        )
        return {(run, episode.decode()) for (run, _), reply in zip(slices, replies, strict=True) for episode in reply}

    async def release(self, gamemaster: str, held: Held) -> None:
        """Hand leases back: they are the next to be claimed."""
        await asyncio.gather(*(self._about(run, RELEASE, gamemaster, *episodes) for run, episodes in by_run(held)))

    async def finish(self, run_id: str, episode_id: str, outcome: Outcome) -> None:
        """Say that an episode has ended, whoever holds its lease; ``done:RUN`` tells the recorder.

        The first word counts: an episode that has ended or is archived stays as it is.
        """
        await self._about(run_id, FINISH, episode_id, outcome)

    async def owed_to_recorder(self, run_id: str, count: int) -> list[tuple[str, Outcome]]:
        """Return up to ``count`` (episode id, outcome) that have ended and are not archived, the first to end first."""
        entries = await self._link.call("XRANGE", f"{self._link.prefix}done:{run_id}", "-", "+", "COUNT", count)
        return [(episode.decode(), cast("Outcome", outcome.decode())) for _, (_, episode, _, outcome) in entries]

    async def archive(self, run_id: str, episode_id: str) -> None:
        """Drop what is kept of an ended episode: it is on disk. With the last one the run is done."""
        await self._let_go(run_id, episode_id)

    async def bury(self, run_id: str, episode_id: str, reason: str) -> None:
        """Count an ended episode as archived that cannot be written down, and put it with the dead letters.

        Its log stays for a week, for people to look at.
        """
        await self._let_go(run_id, episode_id, reason)

    async def cancel(self, run_id: str) -> bool:
        """Stop a run until it is resumed or submitted again; False where there is none, or it is done.

        What it has asked is taken back; what a game master asks that does not know yet is taken back by that
        (:meth:`silence`).
        """
        return await self._stop(run_id, "cancelled")

    async def pause(self, run_id: str) -> bool:
        """Stop a run for a while, as :meth:`cancel` does; whoever waits for it, waits on. False where it is not played.

        Game masters learn of it when they renew their leases.
        """
        return await self._stop(run_id, "paused")

    async def resume(self, run_id: str) -> bool:
        """Let a run go on that was paused or cancelled; False where it cannot: it is done, or was not all submitted."""
        return bool(await self._about(run_id, RESUME))

    async def _stop(self, run_id: str, state: str) -> bool:
        stopped = bool(await self._about(run_id, CANCEL, state))
        if stopped:
            await self.silence(run_id)
        return stopped

    async def silence(self, run_id: str) -> None:
        """Take back the questions of a run that is stopped, or not known any more: nobody waits for their answers.

        Strangers are told. What agents of ours are thinking about is kept when it is answered, for the run may go on.
        """
        run, _, leased, *_ = self._keys(run_id)
        agents = sorted(name.decode() for name in await self._link.call("SMEMBERS", f"{run}/agents"))
        episodes = [name.decode() for name in await self._link.call("ZRANGE", leased, 0, -1)]
        for start in range(0, len(episodes), SLICE):
            some = episodes[start : start + SLICE]
            calls = self._of_episodes(run_id, some)[1::2]
            boxes = [self._link.prefix + inbox(agent) for agent in agents]
            taken = await self._about(run_id, SILENCE, len(some), keys=[*calls, *boxes])
            for which, key in zip(taken[::2], taken[1::2], strict=True):
                agent = agents[which - 1]
                if is_stranger(agent):
                    await tell(self._link, Notice(key=key.decode(), agent=agent, code="cancelled"))

    async def forget(self, run_id: str) -> None:
        """Delete everything about a run, the logs of its unfinished episodes included."""
        await self.cancel(run_id)
        while episodes := await self._unfinished(run_id):
            await self._about(run_id, FORGET, *episodes, keys=self._of_episodes(run_id, episodes))
        await self._about(run_id, FORGET)

    async def status(self, run_id: str | None = None) -> list[RunStatus]:
        """Say how a run stands (nothing where it is not known), or all of them, the oldest first."""
        if run_id is None:
            runs = [run.decode() for run in await self._link.call("ZRANGE", f"{self._link.prefix}runs", 0, -1)]
        else:
            runs = [run_id]
        replies = await asyncio.gather(*(self._about(run, STATUS) for run in runs))
        return [read_status(reply) for reply in replies if reply is not None]

    async def playing(self) -> list[tuple[str, str]]:
        """Name the episodes that are on lease, or were handed back half-played: (run id, episode id)."""
        runs = [run.decode() for run in await self._link.call("ZRANGE", f"{self._link.prefix}runs", 0, -1)]
        leased = await asyncio.gather(*(self._link.call("ZRANGE", self._keys(run)[2], 0, -1) for run in runs))
        return [(run, episode.decode()) for run, episodes in zip(runs, leased, strict=True) for episode in episodes]

    async def beat(self, kind: Kind, member: Member, ttl_s: float) -> None:
        """Say that a process is alive; it is believed for ``ttl_s`` seconds."""
        name = "\n".join((kind, member.name, member.consumer))
        said = json.dumps({**member._asdict(), "kind": kind, "since": member.since.isoformat()})
        agent = member.name if kind == "agent" else ""
        await self._link.run(BEAT, self._registry, [name, said, ms(ttl_s), agent])

    async def leave(self, kind: Kind, member: Member) -> None:
        """Say that a process is going."""
        await self.beat(kind, member, 0)

    async def members(self) -> list[Member]:
        """Return the processes that are alive, in order of kind, name and consumer."""
        return sorted(
            (read_member(said) for said in await self._link.run(MEMBERS, self._registry, [])), key=lambda m: m[:3]
        )

    async def queues(self) -> list[Queue]:
        """Measure the inboxes of all agents that have been heard of lately, or are asked by open runs."""
        registered, open_runs = await asyncio.gather(
            self._link.call("ZRANGE", self._registry[2], 0, -1), self._link.call("HKEYS", self._open)
        )
        asked = await asyncio.gather(*(self._link.call("SMEMBERS", self._keys(run.decode())[7]) for run in open_runs))
        agents = sorted({name.decode() for name in chain(registered, *asked)})
        measured = await asyncio.gather(
            *(self._link.run(QUEUE, [self._link.prefix + inbox(agent)], []) for agent in agents)
        )
        return [
            Queue(agent, unread, pending, oldest_ms / 1000)
            for agent, (unread, pending, oldest_ms) in zip(agents, measured, strict=True)
        ]

    def _keys(self, run_id: str) -> list[str]:
        """Name the keys of a run, in the order in which ``board_run.lua`` expects them."""
        prefix, run = self._link.prefix, f"{self._link.prefix}run:{run_id}"
        parts = ("owed", "leased", "holders", "openings", "ended", "archived", "agents")
        shared = (f"{prefix}done:{run_id}", f"{prefix}purse:{run_id}", f"{prefix}runs", self._open)
        return [run, *(f"{run}/{part}" for part in parts), *shared]

    def _of_episodes(self, run_id: str, episodes: Iterable[str]) -> list[str]:
        """Name the keys of episodes: of each its log, and what was asked and answered."""
        logs = [episode_log(run_id, episode) for episode in episodes]
        return [self._link.prefix + name for log in logs for name in (log, "calls:" + log.removeprefix("log:"))]

    async def _about(self, run_id: str, script: Script, *words: str | int, keys: Iterable[str] = ()) -> Any:
        """Run a script about one run."""
        return await self._link.run(script, [*self._keys(run_id), *keys], [run_id, *words])

    async def _let_go(self, run_id: str, episode_id: str, *reason: str) -> None:
        keys = [*self._of_episodes(run_id, [episode_id]), f"{self._link.prefix}dead"]
        await self._about(run_id, ARCHIVE, episode_id, episode_log(run_id, episode_id), *reason, keys=keys)

    async def _unfinished(self, run_id: str) -> list[str]:
        """Name some episodes of a run that are not archived; none when there are none left."""
        _, owed, leased, _, _, ended, *_ = self._keys(run_id)
        names: list[list[bytes]] = await asyncio.gather(
            self._link.call("ZRANGE", owed, 0, SLICE - 1),
            self._link.call("ZRANGE", leased, 0, SLICE - 1),
            self._link.call("HKEYS", ended),
        )
        return [name.decode() for name in islice(chain(*names), SLICE)]
