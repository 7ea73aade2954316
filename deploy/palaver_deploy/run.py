"""``palaver run`` and ``palaver resume``."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import as_json, broker_option, check_broker, parse_settings, run_folder

if TYPE_CHECKING:
    from palaver_gamemasters.episode import AnyGame
    from palaver_gamemasters.rollout import Plan
    from palaver_observability.folder import RunFolder
    from palaver_protocols.runs import RunConfig

__all__ = ["resume", "run"]

INTERRUPTED = 130


def watching(command: Any) -> Any:
    """Add the options that say how a run is watched."""
    metrics = click.option("--metrics-port", type=int, metavar="PORT", help="Serve Prometheus metrics while it runs.")
    level = click.option(
        "--log-level",
        default="info",
        show_default=True,
        type=click.Choice(["debug", "info", "warning", "error"]),
        help="What goes into DIR/log.jsonl.",
    )
    quiet = click.option("--quiet", "-q", is_flag=True, help="No progress display.")
    return metrics(level(quiet(as_json(command))))


@click.command()
@click.argument("what", metavar="GAME|SUITE.yaml")
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
@click.option("--timeout", type=float, metavar="S", help="Seconds that one try at a turn may take.  [default: 600]")
@click.option(
    "--tries",
    type=click.IntRange(1),
    metavar="N",
    help="Tries at a turn before its episode ends as `error`.  [default: 5]",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.  [default: runs/GAME-TIME]"
)
@broker_option
@click.option(
    "--dry-run", is_flag=True, help="Show what would be played, and how many calls it would take; ask nobody."
)
@watching
def run(what: str, out: Path | None, broker: str, dry_run: bool, as_json: bool, **given: Any) -> int:
    """Play GAME with the given agents, and leave a run folder.

    SUITE.yaml holds the same words (game, agents, episodes, seed, set, protocol, ...); what is given on the command
    line wins. The folder keeps all that was said: stop with Ctrl-C, go on with `palaver resume DIR`.
    """
    from palaver_gamemasters.registry import load_game
    from palaver_gamemasters.rollout import plan

    from .session import check_agents, environment

    check_broker(broker)
    watch = {key: given.pop(key) for key in ("metrics_port", "log_level", "quiet")}
    words = _words(what, given)
    folder = out or _default_folder(words["game"])
    config = _config(words, folder.resolve().name)
    game = load_game(config.game)
    planned = plan(game, config)
    _check_count(config, planned)
    if dry_run:
        return _show(config, planned, as_json)
    environ = environment()
    check_agents(game, planned.agents, environ)
    from palaver_observability.folder import RunFolder

    return _play(game, RunFolder.create(folder, config), planned, environ, as_json=as_json, **watch)


@click.command()
@run_folder
@watching
def resume(folder: Path, as_json: bool, **watch: Any) -> int:
    """Go on with the run in DIR.

    Episodes that ended are left alone, except those with the outcome `error` or `budget`; those that stand half-way go
    on at their next turn. No answered question is asked again.
    """
    from palaver_gamemasters.registry import load_game
    from palaver_gamemasters.rollout import plan
    from palaver_observability.folder import RunFolder

    from .session import check_agents, environment

    opened = RunFolder.open(folder)
    game = load_game(opened.config.game)
    planned = plan(game, opened.config)
    environ = environment()
    check_agents(game, planned.agents, environ)
    return _play(game, opened, planned, environ, as_json=as_json, **watch)


def _words(what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Merge what a suite says with what the command line says, under the names of the run's configuration."""
    words: dict[str, Any] = _suite(Path(what)) if what.endswith((".yaml", ".yml")) else {"game": what}
    options = {**words.pop("set", {}), **words.pop("options", {}), **parse_settings(given["settings"])}
    sampling = {key: given[key] for key in ("temperature", "max_tokens", "reasoning_effort")}
    renamed = {"agents": given["agents"], "timeout_s": given["timeout"]}
    plain = {key: given[key] for key in ("episodes", "seed", "protocol", "concurrency", "tries")}
    words |= {key: value for key, value in (plain | renamed).items() if value is not None}
    words["sampling"] = words.get("sampling", {}) | {key: value for key, value in sampling.items() if value is not None}
    words["options"] = options
    return words


def _suite(file: Path) -> dict[str, Any]:
    import yaml

    from palaver_protocols.errors import UsageError

    try:
        words = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(
            f"there is no suite {file}", mend="`palaver list suites` names those that come along"
        ) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{file} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(words, dict) or "game" not in words:
        raise UsageError(f"{file} names no game", mend="begin with, for example, `game: maze`")
    return words


def _config(words: dict[str, Any], run_id: str) -> "RunConfig":
    from pydantic import ValidationError

    from palaver_agents.names import parse_agents
    from palaver_protocols.errors import UsageError
    from palaver_protocols.runs import RunConfig

    agents = words.get("agents")
    if not agents:
        raise UsageError("no agents were given", mend="for example --agents scripted; `palaver list agents` names more")
    names = parse_agents(agents if isinstance(agents, str) else ",".join(map(str, agents)))
    unknown = sorted(set(words) - set(RunConfig.model_fields))
    if unknown:
        raise UsageError(f"a run has no {unknown[0]!r}", mend=f"it has: {', '.join(sorted(RunConfig.model_fields))}")
    try:
        return RunConfig.model_validate({**words, "run_id": run_id, "agents": tuple(map(str, names))})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise UsageError(f"{where} cannot be {first['input']!r}: {first['msg']}") from error


def _default_folder(game: str) -> Path:
    from datetime import datetime

    return Path("runs") / f"{game}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"


def _check_count(config: "RunConfig", planned: "Plan") -> None:
    from palaver_protocols.errors import UsageError

    if len(planned.openings) < config.episodes:
        raise UsageError(
            f"{config.game} has {len(planned.openings)} instances, {config.episodes} episodes were asked for",
            mend=f"use -n {len(planned.openings)}",
        )


def _show(config: "RunConfig", planned: "Plan", as_json: bool) -> int:
    """Say what a run would do."""
    import json

    first = planned.openings[0]
    facts: dict[str, Any] = {
        "game": config.game,
        "variant": first.variant,
        "episodes": len(planned.openings),
        "seats": {seat: fillers[0].agent for seat, fillers in first.seats.items()},
        "options": first.options,
        "protocol": config.protocol,
        "instances": [first.instance_id, planned.openings[-1].instance_id],
        "calls_at_most": len(planned.openings) * planned.turn_limit,
    }
    if as_json:
        click.echo(json.dumps(facts))
        return 0
    seats = ", ".join(f"{seat}: {agent}" for seat, agent in facts["seats"].items())
    options = ", ".join(f"{key}={value}" for key, value in first.options.items() if value is not None)
    click.echo(f"{facts['episodes']} episodes of {config.game} ({first.variant}), {first.instance_id} and following")
    click.echo(f"seats     {seats}")
    click.echo(f"options   {options}")
    click.echo(f"protocol  {config.protocol}")
    click.echo(f"calls     at most {facts['calls_at_most']:,} ({planned.turn_limit} turns an episode)")
    click.echo("nobody was asked (--dry-run)")
    return 0


def _play(
    game: "AnyGame",
    folder: "RunFolder",
    planned: "Plan",
    environ: Mapping[str, str],
    *,
    as_json: bool,
    metrics_port: int | None,
    log_level: str,
    quiet: bool,
) -> int:
    """Play, show how it goes, print what came of it."""
    from collections import Counter
    from contextlib import ExitStack

    from palaver_observability.logs import LogHook, logging_to
    from palaver_observability.progress import Progress

    from .results import print_outcome
    from .session import play

    async def session() -> None:
        async with folder:
            done = folder.reconcile()
            with ExitStack() as stack:
                log = stack.enter_context((folder.path / "log.jsonl").open("a", encoding="utf-8", buffering=1))
                hooks: list[Any] = [LogHook(stack.enter_context(logging_to(log, log_level, json=True)))]
                hooks += [_serve_metrics(metrics_port)] if metrics_port is not None else []
                if not quiet:
                    before = Counter(record.outcome for record in folder.records())
                    hooks.append(stack.enter_context(Progress(len(planned.openings), done=before)))
                await play(game, folder, planned, done=done, hooks=hooks, environ=environ)

    try:
        asyncio.run(session())
    except KeyboardInterrupt:
        click.echo(f"stopped; nothing is lost. Go on with: palaver resume {folder.path}", err=True)
        return INTERRUPTED
    except BaseException:
        click.echo(f"what was answered so far is kept. Go on with: palaver resume {folder.path}", err=True)
        raise
    return print_outcome(folder, sys.stdout, as_json=as_json)


def _serve_metrics(port: int) -> Any:
    from prometheus_client import CollectorRegistry, start_http_server

    from palaver_observability.metrics import Metrics
    from palaver_protocols.errors import UsageError

    registry = CollectorRegistry()
    try:
        start_http_server(port, registry=registry)
    except (OSError, OverflowError) as error:
        raise UsageError(f"port {port} cannot serve metrics: {error}", mend="choose another --metrics-port") from error
    return Metrics(registry)
