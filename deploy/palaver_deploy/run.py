"""``palaver run`` and ``palaver resume``."""

import asyncio
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import broker_option, check_broker, run_folder
from .watching import Watch, metrics_served, watching, watching_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from palaver_gamemasters.game import AnyGame
    from palaver_gamemasters.rollout import Plan
    from palaver_observability.folder import RunFolder
    from palaver_protocols.events import Hook

__all__ = ["resume", "run"]


@click.command()
@click.argument("what", metavar="GAME|SUITE")
@click.option(
    "--agents", "-a", metavar="A[,B...]", help="One agent for all seats, or one for each (`palaver list agents`)."
)
@click.option("--episodes", "-n", type=click.IntRange(1), metavar="N", help="How many episodes.  [default: 1]")
@click.option(
    "--seed", type=click.IntRange(0), metavar="S", help="The same seed gives the same instances.  [default: 0]"
)
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Set an option of the game; repeat for more."
)
@click.option(
    "--protocol",
    type=click.Choice(["prefixes", "user", "transcript"]),
    help="How a dialogue becomes a provider's messages.  [default: prefixes]",
)
@click.option("--temperature", type=float, metavar="T", help="Left to the provider if not given.")
@click.option("--max-tokens", type=int, metavar="N", help="The longest answer; left to the provider if not given.")
@click.option("--reasoning-effort", metavar="WORD", help="For models that reason: low, medium, high, ...")
@click.option("--concurrency", "-c", type=click.IntRange(1), metavar="C", help="Episodes at a time.  [default: 64]")
@click.option(
    "--timeout", "timeout_s", type=float, metavar="S", help="Seconds that one try at a turn may take.  [default: 600]"
)
@click.option(
    "--tries",
    type=click.IntRange(1),
    metavar="N",
    help="Tries at a turn before its episode ends as `error`.  [default: 5]",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.  [default: runs/GAME-TIME-...]"
)
@broker_option
@click.option(
    "--dry-run", is_flag=True, help="Show what would be played, and how many calls it would take; ask nobody."
)
@watching_options
def run(*, what: str, out: Path | None, broker: str, dry_run: bool, watch: Watch, as_json: bool, **given: Any) -> int:
    """Play GAME with the given agents, and leave a run folder.

    SUITE is a name of `palaver list suites`, or a YAML file with the same words (game, agents, episodes, seed, set,
    protocol, ...); what is given on the command line wins. The folder keeps all that was said: stop with Ctrl-C, go on
    with `palaver resume DIR`.
    """
    from palaver_observability.folder import RunFolder

    from .configure import configure, new_folder, plan_of, words_of
    from .dry_run import show
    from .session import check_agents, check_scripts, environment

    check_broker(broker)
    words = words_of(what, given)
    path = out or new_folder(words["game"])
    game, config = configure(words, path)
    planned = plan_of(game, config)
    if dry_run:
        check_scripts(game, planned.agents)
        return show(config, planned, as_json=as_json)
    environ = environment()
    asyncio.run(check_agents(game, planned.agents, environ))
    with metrics_served(watch) as metrics:
        folder = RunFolder.create(path, config)
        return _play(game, folder, planned, environ=environ, watch=watch, metrics=metrics, as_json=as_json)


@click.command()
@run_folder
@watching_options
def resume(*, folder: Path, watch: Watch, as_json: bool) -> int:
    """Go on with the run in DIR.

    Episodes that ended are left alone, except those with the outcome `error` or `budget`; those that stand half-way go
    on at their next turn. No answered question is asked again.
    """
    from palaver_gamemasters.registry import load_game
    from palaver_observability.folder import RunFolder

    from .configure import plan_of
    from .session import environment

    opened = RunFolder.open(folder)
    game = load_game(opened.config.game)
    planned = plan_of(game, opened.config)
    environ = environment()
    with metrics_served(watch) as metrics:
        return _play(game, opened, planned, environ=environ, watch=watch, metrics=metrics, as_json=as_json)


def _play(
    game: "AnyGame",
    folder: "RunFolder",
    planned: "Plan",
    *,
    environ: "Mapping[str, str]",
    watch: Watch,
    metrics: "list[Hook]",
    as_json: bool,
) -> int:
    """Play what is owed, show how it goes, print what came of it."""
    from .exits import after_signal, complain
    from .results import print_outcome
    from .session import play
    from .stopping import run_until_stopped

    async def session() -> None:
        async with folder:
            done = folder.reconcile()
            with watching(folder, len(planned.openings), watch) as hooks:
                await play(game, folder, planned, done=done, hooks=[*metrics, *hooks], environ=environ)

    if stopped := run_until_stopped(session()):
        again = f"palaver resume {shlex.quote(str(folder.path))}"
        return complain(f"stopped; nothing that was answered is lost. Go on with: {again}", after_signal(stopped))
    return print_outcome(folder, sys.stdout, as_json=as_json)
