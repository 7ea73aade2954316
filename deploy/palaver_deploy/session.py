"""A run in one process: agents, game master and recorder on the embedded bus."""

import asyncio
import gc
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import AsyncExitStack

from palaver_agents import AgentService, Model
from palaver_agents.names import AgentName, parse_agent
from palaver_agents.providers import open_model, resolve
from palaver_agents.replay import ReplayModel
from palaver_agents.scripted import ScriptedModel
from palaver_broker import BlobStore
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import Patience, open_engine
from palaver_gamemasters.episode import AnyGame
from palaver_gamemasters.rollout import Plan, roll_out
from palaver_observability.folder import RunFolder
from palaver_observability.records import record_of
from palaver_protocols.errors import UsageError
from palaver_protocols.events import Hook
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, LogEntry, Outcome, Player
from palaver_protocols.runs import RunConfig

__all__ = ["check_agents", "environment", "make_model", "play"]


def environment() -> dict[str, str]:
    """Return the environment, with what ``.env`` in the working folder adds to it. The one place that reads it."""
    from dotenv import dotenv_values

    return {**{key: value for key, value in dotenv_values(".env").items() if value is not None}, **os.environ}


def check_agents(game: AnyGame, names: Iterable[str], environ: Mapping[str, str]) -> None:
    """Make sure that all agents can be asked, before anything is begun.

    Raises:
        UsageError: one of them cannot: it is unknown, has no key, or does not know the game.
    """
    for text in names:
        name = parse_agent(text)
        if name.kind == "script":
            _player(game, name)
        elif name.kind == "replay":
            ReplayModel(name.model)
        else:
            resolve(name, environ)


def _player(game: AnyGame, name: AgentName) -> Player:
    players = game.players()
    if name.model not in players:
        raise UsageError(f"{game.name} has no player {name.model!r}", mend=f"it has: {', '.join(players)}")
    return players[name.model]


def make_model(game: AnyGame, text: str, blobs: BlobStore, environ: Mapping[str, str]) -> Model:
    """Make what answers to an agent's name in a game.

    Raises:
        UsageError: nothing does.
    """
    name = parse_agent(text)
    match name.kind:
        case "script":
            return ScriptedModel(name.model, _player(game, name))
        case "replay":
            return ReplayModel(name.model)
        case "model":
            return open_model(name, blobs=blobs, environ=environ)


async def play(
    game: AnyGame,
    folder: RunFolder,
    plan: Plan,
    *,
    done: Collection[str],
    hooks: Iterable[Hook],
    environ: Mapping[str, str],
) -> Counter[Outcome]:
    """Play what a run still owes, and write down each episode as it ends.

    Returns:
        How the episodes ended that were played now.

    Raises:
        ExceptionGroup: the bus or the run folder failed; what had been answered by then is on disk.
    """
    config = folder.config
    owed = [opening for opening in plan.openings if opening.episode_id not in done]
    outcomes: Counter[Outcome] = Counter()
    broker = MemoryBroker(journal=folder.journal, blobs=folder.blobs, logs=_logs(folder, owed))

    async def on_end(opening: EpisodeStarted, ended: EpisodeEnded) -> None:
        log = episode_log(opening.run_id, opening.episode_id)
        await folder.add(record_of(await broker.read(log)))
        await broker.drop(log)
        outcomes[ended.outcome] += 1

    _settle_memory()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(broker)
        models = {
            name: await stack.enter_async_context(make_model(game, name, broker.blobs, environ)) for name in plan.agents
        }
        services = await stack.enter_async_context(asyncio.TaskGroup())
        serving = [services.create_task(_service(broker, name, models[name], config).run()) for name in models]
        patience = Patience(timeout_s=config.timeout_s, tries=config.tries)
        async with open_engine(broker, game, models, hooks=hooks, patience=patience) as engine:
            await roll_out(engine, owed, concurrency=config.concurrency, on_end=on_end)
        for service in serving:
            service.cancel()
    return outcomes


def _service(broker: MemoryBroker, name: str, model: Model, config: RunConfig) -> AgentService:
    return AgentService(broker, name, model, concurrency=config.concurrency)


def _logs(folder: RunFolder, owed: Iterable[EpisodeStarted]) -> dict[str, list[LogEntry]]:
    """Load the logs of episodes that were begun by an earlier process.

    Raises:
        UsageError: a log is of another instance than the one that is owed.
    """
    begun = set(folder.episode_ids_with_logs())
    logs: dict[str, list[LogEntry]] = {}
    for opening in owed:
        if opening.episode_id not in begun:
            continue
        entries = folder.read_log(opening.episode_id)
        if entries and getattr(entries[0], "instance", None) != opening.instance:
            raise UsageError(
                f"{opening.episode_id} was begun on another instance than {opening.instance_id}",
                mend="go on with the version of palaver that config.yaml names, or start a new run",
            )
        if entries:
            logs[episode_log(opening.run_id, opening.episode_id)] = entries
    return logs


def _settle_memory() -> None:
    """Spare the collector what lives as long as the process; thousands of episodes make it run far too often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
