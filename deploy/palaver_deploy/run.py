"""``palaver run`` and ``palaver resume``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import broker_option, bus_is_chosen, check_cache, is_embedded, run_folder
from .watching import Watch, metrics_served, watching_options
from .words import resume_words, run_words

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = ["resume", "run"]


@click.command()
@run_words
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.  [default: runs/GAME-TIME-...]"
)
@broker_option
@click.option("--only", metavar="NAME[,...]", help="Of a study, play these experiments, and what they continue.")
@click.option(
    "--dry-run", is_flag=True, help="Show what would be played, and how many calls it would take; ask nobody."
)
@watching_options
def run(
    *,
    what: str,
    given: "Mapping[str, Any]",
    out: Path | None,
    broker: str,
    only: str | None,
    dry_run: bool,
    watch: Watch,
    as_json: bool,
) -> int:
    """Play GAME with the given agents, and leave a run folder.

    SUITE is a name of `palaver list suites`, or a YAML file with the same words (game, agents, episodes, seed, set,
    protocol, ...); what is given on the command line wins. The folder keeps all that was said: stop with Ctrl-C, go on
    with `palaver resume DIR`.

    A study is a file with many runs (`palaver run collaboration-gap --set models=A,B`); its folder holds one run folder
    each, and `palaver report DIR` sets them side by side.

    With --broker redis://..., the agents and game masters on that bus play it (`palaver serve`), and it is written down
    here. An agent bus/NAME must be known there: let in (`palaver admin add-agent`), or served (`serve agent --python`).
    """
    from palaver_observability.folder import RunFolder

    from .beforehand import check_run
    from .configure import configure, merged, named_words, new_folder, plan_of
    from .dry_run import show
    from .exits import complain
    from .freezing import frozen_logs, over_by_then
    from .known import check_known
    from .models import check_scripts
    from .playing import play_and_print
    from .remarks import idle_protocol, in_words, remarks_on, tell
    from .session import environment
    from .studies import is_study

    embedded = is_embedded(broker)
    check_cache(cache=bool(given["cache"]), embedded=embedded)
    if is_study(named := named_words(what)):
        from .study import run_study

        return run_study(
            what, named, given, only, out=out, broker=broker, dry_run=dry_run, watch=watch, as_json=as_json
        )
    if only:
        raise click.UsageError(f"--only chooses experiments of a study, and {what} is none")
    words = merged(named, given)
    path = out or new_folder(words["game"])
    game, config = configure(words, path)
    check_cache(cache=config.cache, embedded=embedded)
    planned = plan_of(game, config)
    if not embedded:
        check_known(broker, planned.agents)
    if dry_run:
        check_scripts(game, planned.agents)
        environ = environment()
        tell((*in_words(game, planned, environ), *idle_protocol(game, planned, given["protocol"])), quiet=watch.quiet)
        return show(config, planned, as_json=as_json, game=game, environ=environ)
    environ = environment()
    if config.prefix is not None:
        frozen_logs(config.prefix, planned.openings)  # raises before there is a folder
        if not watch.quiet and (said := over_by_then(config.prefix, planned.openings)):
            complain(said, 0)
    from .fleet import check_not_on_a_bus, play_on_bus
    from .instances import settled

    config = settled(config, planned, path)
    check_run(game, config, planned, environ, embedded=embedded, people=watch.pages is not None)
    tell(remarks_on(game, config, planned, environ, given["protocol"]), quiet=watch.quiet)
    if not embedded:
        return play_on_bus(broker, RunFolder.create(path, config), planned, watch=watch, as_json=as_json)
    with metrics_served(watch) as metrics:
        folder = RunFolder.create(path, config)
        if not bus_is_chosen():
            check_not_on_a_bus(folder)
        return play_and_print(
            game, folder, planned, environ=environ, watch=watch, metrics=metrics, cache=config.cache, as_json=as_json
        )


@click.command()
@run_folder
@resume_words
@broker_option
@watching_options
def resume(
    *,
    folder: Path,
    given: "Mapping[str, Any]",
    broker: str,
    watch: Watch,
    as_json: bool,
) -> int:
    """Go on with the run in DIR.

    Episodes that ended are left alone, except those with the outcome `error` or `budget`; those that stand half-way go
    on at their next turn. No answered question is asked again. What is not given stays as it was.
    """
    from palaver_gamemasters.registry import load_game
    from palaver_observability.folder import RunFolder

    from .configure import plan_of, tuned
    from .models import check_prices
    from .playing import play_and_print
    from .session import environment
    from .studies import STUDY_FILE

    embedded = is_embedded(broker)
    if (folder / STUDY_FILE).is_file():
        from .study import resume_study

        return resume_study(folder, given, broker=broker, watch=watch, as_json=as_json)
    opened = RunFolder.open(folder)
    game = load_game(opened.config.game)
    planned = plan_of(game, opened.config)
    environ = environment()
    config = tuned(opened.config, given)
    check_cache(cache=config.cache, embedded=embedded)
    if given:
        check_prices(config, planned.agents, environ)
        opened.retune(config)
    from .fleet import check_not_on_a_bus, play_on_bus

    if not embedded:
        return play_on_bus(broker, opened, planned, watch=watch, as_json=as_json)
    if not bus_is_chosen():
        check_not_on_a_bus(opened)
    with metrics_served(watch) as metrics:
        return play_and_print(
            game,
            opened,
            planned,
            environ=environ,
            watch=watch,
            metrics=metrics,
            cache=opened.config.cache,
            as_json=as_json,
        )
