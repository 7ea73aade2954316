"""``palaver handoff``: put another agent behind a seat, in the middle of an episode."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import click

from .options import broker_option, is_embedded

if TYPE_CHECKING:
    from palaver_protocols.messages import LogEntry, SeatChanged

__all__ = ["handoff"]

TRIES = 20
"""How often we try to get a word in while an episode is being played."""


@click.command()
@click.argument("run", metavar="DIR|RUN")
@click.argument("episode")
@click.argument("seat")
@click.argument("agent")
@broker_option
def handoff(*, run: str, episode: str, seat: str, agent: str, broker: str) -> int:
    """Let AGENT take over SEAT of EPISODE, from the seat's next turn on.

    DIR is the folder of a run that is stopped; `palaver resume DIR` goes on with the new agent. With
    --broker redis://..., RUN is the id of a run on that bus, and the episode goes on with it at once: an agent that
    does not answer any more is not waited for.

    AGENT is an agent or a team, and is shown what the run's --handoff says (the whole dialogue where that is `summary`:
    who leaves by hand is asked nothing).

    \b
    Example:
      palaver handoff runs/pilot maze-pair-00003 agent_2 openai/o3 && palaver resume runs/pilot
    """
    from palaver_agents.names import parse_seats
    from palaver_protocols.errors import UsageError

    if len(named := parse_seats(agent)) != 1:
        raise UsageError(f"{agent!r} are several agents", mend="name one for the seat")
    if len(_fillers(named[0])) != 1:
        raise UsageError(f"{agent!r} is a relay", mend="name one agent, and hand over again when it is time")
    if is_embedded(broker):
        asyncio.run(_in_folder(Path(run), episode, seat, named[0]))
        click.echo(f"{named[0]} takes over {seat} of {episode}; go on with: palaver resume {run}")
    else:
        asyncio.run(_on_bus(broker, run, episode, seat, named[0]))
        click.echo(f"{named[0]} takes over {seat} of {episode}")
    return 0


def _fillers(text: str) -> Sequence[object]:
    from palaver_protocols.seating import read_seat

    return read_seat(text)


async def _in_folder(path: Path, episode: str, seat: str, agent: str) -> None:
    from palaver_observability.folder import RunFolder
    from palaver_protocols.errors import UsageError

    from .studies import check_no_study

    check_no_study(path)
    async with RunFolder.open(path) as folder:
        folder.lock()
        entries = folder.read_log(episode)
        if not entries:
            begun = folder.episode_ids_with_logs()
            raise UsageError(
                f"{path} has no episode {episode!r} that has begun",
                mend=f"it has: {', '.join(begun[:5]) or 'none'}{', ...' if len(begun) > 5 else ''}",
            )
        await folder.write_log(episode, [*entries, _change(entries, episode, seat, agent)])


async def _on_bus(url: str, run_id: str, episode: str, seat: str, agent: str) -> None:
    from palaver_broker import Commit
    from palaver_broker.redis import RedisBroker
    from palaver_broker.topics import episode_log
    from palaver_protocols.errors import UsageError

    log = episode_log(run_id, episode)
    async with RedisBroker(url, name="palaver-cli", patience_s=5.0) as broker:
        for _ in range(TRIES):
            entries = await broker.read(log)
            if not entries:
                raise UsageError(
                    f"no episode {episode!r} of {run_id!r} is being played on this bus", mend="see `palaver status`"
                )
            change = _change(entries, episode, seat, agent)
            if await broker.commit(Commit(log, len(entries), entries[-1].key, change)) == "ok":
                return
    raise UsageError(f"{episode} goes on faster than a word can be got in", mend="try again")


def _change(entries: "Sequence[LogEntry]", episode: str, seat: str, agent: str) -> "SeatChanged":
    from palaver_gamemasters.episode import Episode
    from palaver_gamemasters.registry import load_game
    from palaver_protocols.errors import UsageError
    from palaver_protocols.messages import OWED, EpisodeEnded, EpisodeStarted, SeatChanged
    from palaver_protocols.seating import leaves

    from .models import check_scripts

    started, last = entries[0], entries[-1]
    assert isinstance(started, EpisodeStarted)
    if isinstance(last, EpisodeEnded) and last.outcome not in OWED:
        raise UsageError(f"{episode} has ended ({last.outcome})", mend="hand over a seat of one that goes on")
    if seat not in started.seats:
        raise UsageError(f"{episode} has no seat {seat!r}", mend=f"it has: {', '.join(started.seats)}")
    key = f"changed:{len(entries)}:{uuid4().hex[:12]}"  # two of these at once are two, and the later one is told so
    change = SeatChanged(key=key, seat=seat, agent=agent, at=datetime.now(UTC))
    game = load_game(started.game)
    check_scripts(game, leaves(agent))
    list(Episode.from_log(game, [*entries, change]).requests(timeout_s=1.0))  # raises where the game cannot seat it
    return change
