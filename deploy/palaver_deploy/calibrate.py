"""``palaver calibrate``: how far a grader's labels can be trusted, on examples whose labels are known."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from .options import cache_option, grader_options, print_json
from .watching import Watch, metrics_served, watching_options
from .words import how_words

__all__ = ["calibrate"]

EPILOG = """\b
Examples:
  palaver calibrate --make examples.jsonl                     # 10 of each kind, made by scripts
  palaver calibrate examples.jsonl --grader scripted          # without a key
  palaver calibrate examples.jsonl --grader openai/o1 --dry-run
  palaver calibrate examples.jsonl --grader openai/o1 --votes 3 --out runs/judge
"""


@click.command(epilog=EPILOG)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--grader", metavar="NAME", help="The agent that reads the examples (`palaver list agents`).")
@grader_options
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder of the grader's answers.  [default: runs/calibrate-FILE-GRADER-...]",
)
@click.option("--dry-run", is_flag=True, help="Show how many calls it would take, and what they cost; ask nobody.")
@click.option("--make", is_flag=True, help="Write the game's own examples into FILE instead; ask nobody.")
@click.option("--game", "name", metavar="GAME", help="With --make: whose examples, if several games have some.")
@click.option("--each", type=click.IntRange(1), metavar="N", help="With --make: examples of each kind.  [default: 10]")
@click.option("--seed", type=click.IntRange(0), metavar="S", help="With --make: of the instances.  [default: 0]")
@how_words
@cache_option
@watching_options
def calibrate(
    *,
    file: Path,
    grader: str | None,
    votes: int | None,
    reasks: int | None,
    temperature: float | None,
    out: Path | None,
    dry_run: bool,
    make: bool,
    name: str | None,
    each: int | None,
    seed: int | None,
    given: Mapping[str, Any],
    cache: bool,
    watch: Watch,
    as_json: bool,
) -> int:
    """Let a grader read the labelled episodes in FILE, and say how often it is right.

    FILE holds a replay a line (`palaver replay`), of an episode that is over, and its label:

    \b
      {"game": "comma", "variant": "wire", "instance": {...}, "replies": [...], "label": "roleplay"}

    "label" is the kind of error that counts most, `none` for a normal episode; "labels" may list all that apply. The
    examples that --make writes are played by scripts that err on purpose: they are plainer than what models do, so that
    they test the machinery and a grader's prompt, and no more.

    The answers are kept in DIR: stop with Ctrl-C, go on with the same command. Where an example or the prompt has
    changed, all are asked for anew, in another folder.
    """
    if make:
        if grader is not None:
            raise click.UsageError("--make writes examples, --grader reads them: one after the other")
        return _make(file, name, 0 if seed is None else seed, each or 10, as_json=as_json)
    for option, value in (("--game", name), ("--each", each), ("--seed", seed)):
        if value is not None:
            raise click.UsageError(f"{option} says what is made: add --make, or leave it out")
    if grader is None:
        raise click.UsageError("no grader was given: for example --grader scripted (or --make, to write examples)")

    from palaver_observability.statistics import wilson

    from .calibrating import AGAIN, plan_calibration, tell, tell_bill, verdicts_of
    from .dry_run import show
    from .labelled import read_examples
    from .models import check_agents, check_prices, check_scripts
    from .playing import play_watched
    from .session import environment

    wilson(0, 0)  # it needs the report's libraries: say so before anybody is paid
    game, examples = read_examples(file)
    options = {"votes": votes, "reasks": reasks, "temperature": temperature}
    asked = {key: value for key, value in options.items() if value is not None}
    planned = plan_calibration(game, examples, file=file, out=out, grader=grader, options=asked, how=given)
    environ = environment()
    if dry_run:
        check_scripts(planned.game, planned.plan.agents)
        return show(planned.config, planned.plan, as_json=as_json, game=planned.game, environ=environ)
    check_prices(planned.config, planned.plan.agents, environ)
    asyncio.run(check_agents(planned.game, planned.plan.agents, environ))

    from palaver_observability.folder import RunFolder

    from .exits import after_signal, complain

    with metrics_served(watch) as metrics:
        folder = RunFolder.create(planned.path, planned.config)
        if stopped := play_watched(
            planned.game, folder, planned.plan, environ=environ, watch=watch, metrics=metrics, cache=cache
        ):
            return complain(f"stopped; {AGAIN}", after_signal(stopped))
    opened = RunFolder.open(planned.path)
    tell(game, file, planned, verdicts_of(game, planned, examples, planned.read(opened)), as_json=as_json)
    return tell_bill(planned, opened.records(), planned.owed(opened), as_json=as_json)


# ---- examples made by code


def _make(file: Path, name: str | None, seed: int, each: int, *, as_json: bool) -> int:
    from palaver_gamemasters.registry import game_names, load_game
    from palaver_protocols.errors import UsageError

    if file.exists():
        raise UsageError(f"{file} is there already", mend="name another file, or delete it")
    games = [load_game(each_name) for each_name in ([name] if name else game_names())]
    able = {game.name: found for game in games if (found := game.calibration()) and found.examples}
    if len(able) != 1:
        whose = f"{name} makes no examples" if name else f"{len(able) or 'no'} games make examples"
        raise UsageError(whose, mend=f"name one of them with --game: {', '.join(able)}" if able else "write your own")
    ((made_by, found),) = able.items()
    assert found.examples is not None  # looked at above
    lines = [json.dumps(example, ensure_ascii=False) for example in found.examples(seed, each)]
    try:
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"cannot write {file}: {error.strerror}", mend="name a file in a folder that is there"
        ) from error
    if as_json:
        print_json({"file": str(file), "game": made_by, "examples": len(lines)})
    else:
        click.echo(f"{len(lines)} examples of {made_by} in {file}: played by scripts that err on purpose (ours)")
    return 0
