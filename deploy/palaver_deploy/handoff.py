"""``palaver handoff``: put another agent behind a seat, in the middle of an episode."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import broker_option, is_embedded

if TYPE_CHECKING:
    from palaver_gamemasters.game import AnyGame

__all__ = ["handoff"]


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
    from palaver_gamemasters.taking_over import change_of
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
        await folder.write_log(episode, [*entries, change_of(entries, episode, seat, agent, _check)])


async def _on_bus(url: str, run_id: str, episode: str, seat: str, agent: str) -> None:
    from palaver_broker.redis import Board, RedisBroker
    from palaver_gamemasters.taking_over import change_seat

    async with RedisBroker(url, name="palaver-cli", patience_s=5.0) as broker:
        members = await Board(broker.link).members()
        masters = [member.name for member in members if member.kind == "gamemaster"]
        await change_seat(broker, run_id, episode, seat, agent, gamemasters=masters, check=_check)


def _check(game: "AnyGame", agent: str) -> None:
    from palaver_protocols.seating import leaves

    from .models import check_scripts

    check_scripts(game, leaves(agent))
