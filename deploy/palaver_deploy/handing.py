"""``palaver submit``, ``palaver status``, ``palaver cancel``: runs in the hands of services."""

from collections.abc import Mapping
from typing import Any

import click

from .options import as_json, bus_option, check_cache, check_shared
from .words import run_words

__all__ = ["cancel", "pause", "status", "submit"]


@click.command()
@run_words
@click.option("--run-id", metavar="RUN", help="What the run is called.  [default: GAME-TIME-...]")
@click.option("--dry-run", is_flag=True, help="Show what would be played, and how many calls it would take.")
@bus_option
@as_json
def submit(*, what: str, given: Mapping[str, Any], run_id: str | None, dry_run: bool, url: str, as_json: bool) -> int:
    """Hand a run to the services on a bus, and leave.

    It is played by whatever agents and game masters there are or will be, and written down by a recorder
    (`palaver serve`). Handing over the same run again under its id changes nothing, or takes up what was cancelled.

    An agent that is somebody else's, bus/NAME, is let in first (`palaver admin add-agent NAME`), or served by you
    (`palaver serve agent --python`): a name that nobody has is refused, for all that is asked of it would wait.
    """
    check_shared(url)
    from .beforehand import check_run
    from .configure import check_run_id, configure, new_folder, plan_of, words_of
    from .dry_run import show
    from .fleet import hand_over
    from .instances import planned_with
    from .known import check_known
    from .models import check_scripts
    from .remarks import remarks_on, tell
    from .session import environment

    words = words_of(what, given)
    if run_id is not None:
        check_run_id(run_id)
        words["run_id"] = run_id
    game, config = configure(words, new_folder(words["game"]))
    check_cache(cache=config.cache, embedded=False)
    planned = plan_of(game, config)
    check_scripts(game, planned.agents)
    check_known(url, planned.agents)
    if dry_run:
        return show(config, planned, as_json=as_json)
    environ = environment()
    check_run(game, config, planned, environ, embedded=False)
    tell(remarks_on(game, config, planned, environ, given["protocol"]), quiet=False)
    return hand_over(url, planned_with(config, planned), planned, as_json=as_json)


@click.command()
@click.argument("run_id", metavar="[RUN]", required=False)
@click.option("--once", is_flag=True, help="Print it once, on a terminal too.")
@bus_option
@as_json
def status(*, run_id: str | None, once: bool, url: str, as_json: bool) -> int:
    """Show what the services on a bus are doing: runs, agents, game masters, recorders.

    On a terminal, it is drawn anew each second; with RUN, until that run is over.
    """
    check_shared(url)
    from .fleet import show_status

    return show_status(url, run_id, watch=not once, as_json=as_json)


@click.command()
@click.argument("run_id", metavar="RUN")
@click.option("--forget", is_flag=True, help="Delete all that the bus knows of it, unfinished episodes included.")
@bus_option
def cancel(*, run_id: str, forget: bool, url: str) -> int:
    """Stop a run: nothing more of it is asked.

    What has been answered stays on the bus, and what has ended is still written down; submit the run again to go on.
    """
    check_shared(url)
    from .fleet import cancel_run

    return cancel_run(url, run_id, forget=forget)


@click.command()
@click.argument("run_id", metavar="RUN")
@click.option("--go-on", is_flag=True, help="Let a run go on that was paused or cancelled.")
@bus_option
def pause(*, run_id: str, go_on: bool, url: str) -> int:
    """Stop a run for a while: nothing more of it is asked until it goes on, and whoever waits for it waits.

    \b
    Example:
      palaver pause night --broker redis://localhost
      palaver pause night --go-on --broker redis://localhost
    """
    check_shared(url)
    from .fleet import pause_run

    return pause_run(url, run_id, go_on=go_on)
