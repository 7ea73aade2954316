"""Runs on a bus that others share: handed over, watched, written down, cancelled."""

import asyncio
import shlex
import socket
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from signal import Signals

import click
from rich.console import Console
from rich.live import Live

from palaver_broker.board import Member, Queue, RunStatus
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_broker.topics import episode_log
from palaver_gamemasters.rollout import Plan
from palaver_observability.files import replace_file, writing
from palaver_observability.fleet import fleet_as_dict, fleet_table, print_fleet, waits_for
from palaver_observability.folder import RunFolder
from palaver_observability.logs import logging_to
from palaver_observability.progress import Progress
from palaver_observability.recorder import Recorder, pictures_in
from palaver_protocols.errors import UsageError, one_line
from palaver_protocols.events import EpisodeRecorded, Event, Hook
from palaver_protocols.messages import EpisodeStarted, LogEntry
from palaver_protocols.runs import RunConfig

from .exits import after_signal, complain
from .freezing import freeze, frozen_logs
from .instances import check_same_instances
from .known import of_somebody
from .members import BEAT_S, myself
from .options import print_json
from .results import print_outcome
from .stopping import run_until_stopped
from .watching import Watch, watching
from .way_back import broker_words, place

__all__ = ["cancel_run", "check_not_on_a_bus", "hand_over", "pause_run", "play_on_bus", "show_status", "through_bus"]

PATIENCE_S = 5.0
"""How long a command waits for a bus that cannot be reached."""
LOOK_S = 1.0
"""How often the screen is drawn anew."""
MARK = ".bus"
"""The file in a run folder that says which bus plays the run."""


@asynccontextmanager
async def _on_bus(url: str) -> AsyncIterator[tuple[RedisBroker, Board]]:
    async with RedisBroker(url, name="palaver-cli", patience_s=PATIENCE_S) as broker:
        yield broker, Board(broker.link)


def hand_over(url: str, config: RunConfig, plan: Plan, *, as_json: bool) -> int:
    """Hand a run to the services on a bus; return the exit code.

    Raises:
        UsageError: the run's id is taken by another run, or by this one with other instances, or there are no such
            turns to begin with.
        BrokerError: the bus cannot be reached or used, or a picture of these turns is missing.
    """

    async def submit() -> None:
        async with _on_bus(url) as (broker, board):
            for known in await board.status(config.run_id):
                check_same_instances(known.config, config, plan)
            frozen: dict[str, list[LogEntry]] = {}
            if config.prefix is not None:
                frozen = frozen_logs(config.prefix, plan.openings)
                source = RunFolder.open(Path(config.prefix.folder))
                await _put_pictures(broker, source, chain.from_iterable(frozen.values()))

            async def begin(openings: Sequence[EpisodeStarted]) -> None:
                for opening in openings:
                    entries = frozen.get(opening.episode_id, ())
                    await broker.restore(episode_log(opening.run_id, opening.episode_id), entries)

            await board.submit(config, plan.openings, prepare=begin)

    with logging_to(sys.stderr, "error"):
        asyncio.run(submit())
    if as_json:
        print_json({"run_id": config.run_id, "episodes": config.episodes})
    else:
        click.echo(f"submitted {config.run_id}: {config.episodes:,} episodes of {config.game}")
        run = shlex.quote(config.run_id)
        click.echo(f"watch it: palaver status {run}; stop it: palaver cancel {run}")
    return 0


def play_on_bus(url: str, folder: RunFolder, plan: Plan, *, watch: Watch, as_json: bool) -> int:
    """Have a run played by the services on a bus, and write it down here; return the exit code.

    Raises:
        UsageError: the bus has another run of this id, or the folder is being written.
        BrokerError: the bus cannot be reached or used.
    """
    if stopped := through_bus(url, folder, plan, watch=watch):
        there = broker_words(url)
        return complain(
            f"stopped watching; the services play on. Write down the rest with: palaver resume "
            f"{shlex.quote(str(folder.path))}{there}; or stop them: "
            f"palaver cancel {shlex.quote(folder.config.run_id)}{there}",
            after_signal(stopped),
        )
    return print_outcome(folder, sys.stdout, as_json=as_json)


def through_bus(url: str, folder: RunFolder, plan: Plan, *, watch: Watch) -> Signals | None:
    """Have a run played by the services on a bus, and write it down here; return the signal that ended it, if one did.

    Raises:
        UsageError: the bus has another run of this id, or the folder is being written.
        BrokerError: the bus cannot be reached or used.
    """

    async def session() -> None:
        async with folder, _on_bus(url) as (broker, board):
            done = folder.reconcile()
            owed = [opening for opening in plan.openings if opening.episode_id not in done]
            with watching(folder, len(plan.openings), watch) as hooks:
                await freeze(folder, owed)
                await _submit(board, broker, folder, owed)
                with writing(folder.path):
                    replace_file(folder.path / MARK, f"{place(url)}\n".encode())
                recorder = Recorder(board, broker, on_record=lambda record: _notify(hooks, EpisodeRecorded(record)))
                saying = asyncio.create_task(_say_what_is_missing(board, folder, hooks))
                try:
                    await recorder.record(folder)
                finally:
                    saying.cancel()
                    await asyncio.gather(saying, return_exceptions=True)

    return run_until_stopped(session())


async def _submit(board: Board, broker: RedisBroker, folder: RunFolder, owed: Sequence[EpisodeStarted]) -> None:
    """Put on the board what a run still owes; half-played episodes go on where the folder's transcripts end."""
    begun = set(folder.episode_ids_with_logs())

    async def take_up(openings: Sequence[EpisodeStarted]) -> None:
        for opening in openings:
            if opening.episode_id in begun:
                entries = folder.read_log(opening.episode_id)
                await _put_pictures(broker, folder, entries)
                await broker.restore(episode_log(opening.run_id, opening.episode_id), entries, again=True)

    again = [opening.episode_id for opening in owed]
    await board.submit(folder.config, owed, recorder=_owner(folder), again=again, prepare=take_up)


async def _put_pictures(broker: RedisBroker, folder: RunFolder, entries: Iterable[LogEntry]) -> None:
    """Take to the bus what entries of a run folder show: agents that go on will look at it.

    Raises:
        BrokerError: the folder does not have it.
    """
    for sha256 in pictures_in(entries):
        await broker.blobs.put(await folder.blobs.get(sha256))


def _owner(folder: RunFolder) -> str:
    """Name the recorder of a run that is written down in its own folder."""
    return f"{socket.gethostname()}:{folder.path.absolute()}"


async def _say_what_is_missing(board: Board, folder: RunFolder, hooks: Sequence[Hook]) -> None:
    """Let it be known that we record, and show what the run waits for."""
    name = _owner(folder)
    me = myself("recorder", name, name, 1, {})(1)
    progress = next((hook for hook in hooks if isinstance(hook, Progress)), None)
    while True:
        await board.beat("recorder", me, 3 * BEAT_S)
        for status in await board.status(folder.config.run_id):
            if progress is not None:
                progress.say(waits_for(status, await board.members(), await board.queues()))
        await asyncio.sleep(LOOK_S)


def _notify(hooks: Iterable[Hook], event: Event) -> None:
    for hook in hooks:
        hook(event)


def check_not_on_a_bus(folder: RunFolder) -> None:
    """Make sure that a run is not being played elsewhere, before it is taken up here.

    Raises:
        UsageError: it was handed to a bus.
    """
    mark = folder.path / MARK
    if mark.exists():
        where = mark.read_text().strip()
        raise UsageError(
            f"{folder.path} was handed to the bus at {where}",
            mend=f"add --broker {shlex.quote(where)}, or --broker memory:// to play here what is owed",
        )


def show_status(url: str, run_id: str | None, *, watch: bool, as_json: bool) -> int:
    """Show the fleet, or one run of it; return the exit code.

    Raises:
        UsageError: the bus knows no such run.
        BrokerError: the bus cannot be reached or used.
    """

    async def look() -> None:
        async with _on_bus(url) as (broker, board):
            strangers = Strangers(broker.link)
            seen = await _look(board, strangers, run_id)
            letters = await broker.dead_letters()
            now = datetime.now(UTC)
            if as_json:
                dead = [letter._asdict() for letter in letters]
                print_json({**fleet_as_dict(*seen, now=now), "dead_letters": dead})
            elif watch and sys.stdout.isatty():
                await _keep_looking(board, strangers, run_id)
            else:
                print_fleet(*seen, sys.stdout, now=now)
                if letters:
                    click.echo(f"\n{len(letters)} dead letters, the last: {letters[-1].reason} (--json shows them)")

    with logging_to(sys.stderr, "error"):
        stopped = run_until_stopped(look())
    if stopped:
        return after_signal(stopped) if not watch else 0
    return 0


Seen = tuple[list[RunStatus], list[Member], list[Queue]]


async def _look(board: Board, strangers: Strangers, run_id: str | None) -> Seen:
    statuses = await _known_runs(board, run_id)
    members = await board.members()
    return statuses, members, of_somebody(await board.queues(), statuses, members, await strangers.strangers())


async def _known_runs(board: Board, run_id: str | None) -> list[RunStatus]:
    statuses = await board.status(run_id)
    if run_id is not None and not statuses:
        known = ", ".join(one_line(status.config.run_id, 100) for status in (await board.status())[-5:]) or "none"
        raise UsageError(f"the bus knows no run {run_id!r}", mend=f"the latest are: {known}")
    return statuses


async def _keep_looking(board: Board, strangers: Strangers, run_id: str | None) -> None:
    """Draw the fleet each second, until its one run is over or somebody has seen enough."""
    console = Console(highlight=False)
    with Live(console=console, auto_refresh=False) as live:
        while True:
            seen = await _look(board, strangers, run_id)
            live.update(fleet_table(*seen, now=datetime.now(UTC)), refresh=True)
            if run_id is not None and seen[0][0].state in ("done", "cancelled"):
                return
            await asyncio.sleep(LOOK_S)


def cancel_run(url: str, run_id: str, *, forget: bool) -> int:
    """Stop a run; return the exit code.

    Raises:
        UsageError: the bus knows no such run.
        BrokerError: the bus cannot be reached or used.
    """

    async def cancel() -> bool:
        async with _on_bus(url) as (_, board):
            await _known_runs(board, run_id)
            stopped = await board.cancel(run_id)
            if forget:
                await board.forget(run_id)
            return stopped

    with logging_to(sys.stderr, "error"):
        stopped = asyncio.run(cancel())
    if forget:
        click.echo(f"forgotten: {one_line(run_id)}")
    elif stopped:
        click.echo(f"cancelled: {one_line(run_id)}; submit it again, or resume its folder, to go on")
    else:
        click.echo(f"{one_line(run_id)} is done already")
    return 0


def pause_run(url: str, run_id: str, *, go_on: bool) -> int:
    """Stop a run for a while, or let it go on; return the exit code.

    Raises:
        UsageError: the bus knows no such run, or it stands otherwise.
        BrokerError: the bus cannot be reached or used.
    """

    async def change() -> tuple[bool, RunStatus]:
        async with _on_bus(url) as (_, board):
            await _known_runs(board, run_id)
            done = await (board.resume if go_on else board.pause)(run_id)
            return done, (await _known_runs(board, run_id))[0]

    with logging_to(sys.stderr, "error"):
        done, status = asyncio.run(change())
    name = one_line(run_id)
    if not done:
        what, mend = ("go on", "submit it again") if go_on else ("be paused", "see `palaver status`")
        raise UsageError(f"{name} cannot {what}: it is {status.state}", mend=mend)
    go = f"palaver pause {shlex.quote(run_id)} --go-on{broker_words(url)}"
    click.echo(f"{name} goes on" if go_on else f"paused: {name}; let it go on with: {go}")
    return 0
