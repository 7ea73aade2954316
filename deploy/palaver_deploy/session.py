"""A run in one process: agents, game master and recorder on the embedded bus."""

import asyncio
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import structlog
from dotenv import dotenv_values

from palaver_agents import AgentService, Model
from palaver_agents.human.places import HUMAN
from palaver_broker import Budget, Spent
from palaver_broker.base import in_micro_usd, spent_on
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.episode import Episode
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import Plan, collector_spared, roll_out
from palaver_gamemasters.table import Patience
from palaver_observability.folder import RunFolder
from palaver_observability.records import record_of
from palaver_protocols.errors import ProtocolError, UsageError
from palaver_protocols.events import Hook
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, LogEntry, SeatChanged
from palaver_protocols.seating import leaves

from .freezing import freeze
from .models import make_model, open_vault
from .tracing import UNTRACED, Tracing

if TYPE_CHECKING:
    from .run_pages import RunPages

__all__ = ["environment", "play"]


def environment() -> dict[str, str]:
    """Return the environment, with what ``.env`` in the working folder adds to it. The one place that reads it.

    Raises:
        UsageError: there is an ``.env``, and it cannot be read.
    """
    try:
        added = dotenv_values(".env")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UsageError(f".env cannot be read: {why}", mend="write KEY=value, one a line") from error
    return {**{key: value for key, value in added.items() if value is not None}, **os.environ}


async def play(
    game: AnyGame,
    folder: RunFolder,
    plan: Plan,
    *,
    done: Collection[str],
    hooks: Iterable[Hook],
    environ: Mapping[str, str],
    cache: bool = False,
    tracing: Tracing = UNTRACED,
    human: Model | None = None,
    pages: "RunPages | None" = None,
) -> None:
    """Play what a run still owes, and write down each episode as it ends.

    With the ``cache``, providers are asked nothing that they have answered already. ``tracing`` records what happens.
    ``human`` is what answers for people, where some can sit down; with ``pages``, people sit down there.

    Raises:
        UsageError: an agent cannot be asked, or what an earlier process left does not fit the plan.
        ExceptionGroup: the bus or the run folder failed; what had been answered by then is on disk.
    """
    config = folder.config
    owed = [opening for opening in plan.openings if opening.episode_id not in done]
    if not owed:
        return
    await freeze(folder, owed)
    logs = _logs(game, folder, owed)
    broker = MemoryBroker(journal=folder.journal, blobs=folder.blobs, logs=logs)
    await broker.fund(config.run_id, Budget.of(config), _spent(folder, done, logs.values()))

    async def on_end(opening: EpisodeStarted, _: EpisodeEnded) -> None:
        log = episode_log(opening.run_id, opening.episode_id)
        await folder.add(record_of(await broker.read(log)))
        await broker.drop(log)

    async with AsyncExitStack() as stack:
        await stack.enter_async_context(broker)
        vault = open_vault(environ) if cache else None
        names = dict.fromkeys([*plan.agents, *_newcomers(logs.values())])
        if pages is not None and pages.human is not None:
            names.pop(HUMAN, None)  # the pages answer for people themselves
        models = {
            name: await stack.enter_async_context(make_model(game, name, broker.blobs, environ, vault, human=human))
            for name in names
        }
        stack.enter_context(collector_spared())
        services = await stack.enter_async_context(asyncio.TaskGroup())
        gate = None if pages is None else pages.gate
        present = [
            AgentService(broker, name, model, concurrency=config.concurrency, on_call=tracing.on_call, gate=gate)
            for name, model in models.items()
        ]
        serving = [services.create_task(service.run()) for service in present]
        if pages is not None:
            await stack.enter_async_context(pages.present(broker, _episodes_of(logs), present))
        patience = Patience(timeout_s=config.timeout_s, tries=config.tries)
        watchers = [*hooks, *tracing.hooks]
        async with open_engine(broker, hooks=watchers, traceparent=tracing.traceparent) as engine:
            await roll_out(engine, game, owed, concurrency=config.concurrency, on_end=on_end, patience=patience)
        for service in serving:
            service.cancel()


def _episodes_of(logs: Iterable[str]) -> list[str]:
    """Name the episodes of logs, ``log:RUN/EPISODE``."""
    return [log.partition("/")[2] for log in logs]


def _newcomers(logs: Iterable[Sequence[LogEntry]]) -> Iterator[str]:
    """Name the agents that were put behind seats by hand."""
    for log in logs:
        changed = {entry.seat: entry.agent for entry in log if isinstance(entry, SeatChanged)}  # the last one counts
        for agent in changed.values():
            yield from leaves(agent)


def _spent(folder: RunFolder, done: Collection[str], logs: Iterable[Sequence[LogEntry]]) -> Spent:
    """Add up what earlier processes have spent on a run: on episodes that are done, and on those that are owed."""
    records = [record for record in folder.records() if record.episode_id in done]
    tokens = sum(record.tokens for record in records)
    micro_usd = sum(in_micro_usd(record.cost_usd) for record in records)
    begun = [spent_on(entry) for log in logs for entry in log]
    return Spent(tokens + sum(each.tokens for each in begun), micro_usd + sum(each.micro_usd for each in begun))


def _logs(game: AnyGame, folder: RunFolder, owed: Iterable[EpisodeStarted]) -> dict[str, list[LogEntry]]:
    """Load the logs of episodes that were begun by an earlier process.

    Raises:
        UsageError: a log is of another instance than the one that is owed, or makes no episode.
        ProtocolError: a line of it is damaged.
    """
    begun = set(folder.episode_ids_with_logs())
    logs: dict[str, list[LogEntry]] = {}
    for opening in owed:
        entries = folder.read_log(opening.episode_id) if opening.episode_id in begun else []
        if not entries:
            continue
        if isinstance(entries[0], EpisodeStarted) and entries[0].instance != opening.instance:
            raise UsageError(
                f"{opening.episode_id} was begun on another instance than {opening.instance_id}",
                mend="put the files back that the run plays, if they have changed, or go on with the version of "
                "palaver that config.yaml names, or start a new run",
            )
        _check(game, folder, opening.episode_id, entries)
        logs[episode_log(opening.run_id, opening.episode_id)] = entries
    return logs


def _check(game: AnyGame, folder: RunFolder, episode_id: str, entries: list[LogEntry]) -> None:
    """Fold a log once, so that one that makes no episode is named before anybody is asked anything."""
    try:
        Episode.from_log(game, entries)
    except (ProtocolError, UsageError) as error:
        raise UsageError(
            f"the transcript of {episode_id} in {folder.path} makes no episode: {error.message}",
            mend=f"delete {folder.path / 'transcripts' / episode_id}.jsonl to play it anew",
        ) from error
    except Exception:  # a bug of the game's: the engine says which, and ends this episode alone
        structlog.get_logger().warning("game raises in what was played", game=game.name, episode_id=episode_id)
