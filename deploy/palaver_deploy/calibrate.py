"""``palaver calibrate``: how far a grader's labels can be trusted, on examples whose labels are known."""

import asyncio
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import cache_option, print_json
from .watching import Watch, metrics_served, watching_options
from .words import how_words

if TYPE_CHECKING:
    from palaver_gamemasters.calibration import Calibration
    from palaver_gamemasters.game import AnyGame
    from palaver_gamemasters.grading import GradingGame, GradingOptions
    from palaver_protocols.runs import EpisodeRecord

    from .grading import GradingRun
    from .labelled import Example, Verdict

__all__ = ["calibrate"]

AGAIN = "the same command asks for what is owed; nothing that was answered is lost"

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
@click.option("--votes", type=click.IntRange(1), metavar="N", help="Graders that vote, an odd number.  [default: 1]")
@click.option(
    "--reasks",
    type=click.IntRange(0),
    metavar="N",
    help="How often an answer that cannot be read is asked for again.  [default: 2]",
)
@click.option("--temperature", type=float, metavar="T", help="Of the grader; left to its provider if not given.")
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

    from .dry_run import show
    from .labelled import calibration_of, read_examples
    from .models import check_agents, check_prices, check_scripts
    from .playing import play_watched
    from .session import environment

    wilson(0, 0)  # it needs the report's libraries: say so before anybody is paid
    game, examples = read_examples(file)
    options = {"votes": votes, "reasks": reasks, "temperature": temperature}
    asked = {key: value for key, value in options.items() if value is not None}
    planned = _plan(game, examples, file=file, out=out, grader=grader, options=asked, how=given)
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
    verdicts = _verdicts(planned, opened.records(), examples, calibration_of(game), planned.read(opened))
    _tell(game, file, planned, verdicts, as_json=as_json)
    return _tell_bill(planned, opened.records(), planned.owed(opened), as_json=as_json)


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


# ---- a grading, without a run


def _plan(
    game: "AnyGame",
    examples: "Sequence[Example]",
    *,
    file: Path,
    out: Path | None,
    grader: str,
    options: Mapping[str, Any],
    how: Mapping[str, Any],
) -> "GradingRun":
    """Work the grading out: each example is an instance of it, named by its line.

    Raises:
        UsageError: the grader or an option makes no sense.
    """
    from palaver_agents.names import parse_agent
    from palaver_gamemasters.game import Instance
    from palaver_gamemasters.grading import GradingGame
    from palaver_gamemasters.rollout import plan
    from palaver_protocols.runs import RunConfig

    from .configure import tuned
    from .grading import GradingRun

    grader = str(parse_agent(grader))
    grading = GradingGame(
        game, [Instance(f"line-{each.line:05d}", each.played.model_dump(mode="json")) for each in examples]
    )
    chosen = grading.configure({key: value for key, value in options.items() if key != "temperature"})
    digest = _digest(grading, chosen, file)
    stem, name = (re.sub(r"[^A-Za-z0-9.+-]+", "-", text).strip("-.") for text in (file.stem, grader))
    config = tuned(
        RunConfig(
            run_id=f"calibrate-{digest}",
            game=grading.name,
            agents=(grader,),
            episodes=len(examples),
            options=chosen.model_dump(mode="json"),
        ),
        {"sampling": {"temperature": options.get("temperature")}, **how},
    )
    shape = hashlib.sha256(json.dumps([digest, options], sort_keys=True).encode()).hexdigest()[:8]
    path = out or Path("runs") / f"calibrate-{stem}-{name}-{shape}"
    return GradingRun(grading, config, path, plan(grading, config))


def _digest(grading: "GradingGame", options: "GradingOptions", file: Path) -> str:
    """Digest what graders are asked: whoever changes an example or the prompt calibrates anew.

    Raises:
        UsageError: an example cannot be graded; names its line.
    """
    from palaver_protocols.errors import UsageError

    digest = hashlib.sha256()
    for instance in grading.instances(options, 0):
        try:
            question = grading.start(instance.data, options).question
        except UsageError as error:
            line = int(instance.id.rpartition("-")[2])
            raise UsageError(f"{file}, line {line} cannot be graded: {error.message}", mend=error.mend) from error
        digest.update(b"".join(message.digest for message in question))
    return digest.hexdigest()[:16]


def _verdicts(
    planned: "GradingRun",
    records: "Sequence[EpisodeRecord]",
    examples: "Sequence[Example]",
    calibration: "Calibration",
    gradings: Mapping[str, Any],
) -> "list[Verdict]":
    from .labelled import verdict

    by_line = {opening.instance_id: opening.episode_id for opening in planned.plan.openings}
    graded = [(each, gradings.get(by_line[f"line-{each.line:05d}"])) for each in examples]
    return [verdict(each, calibration.labels, grading) for each, grading in graded if grading is not None]


# ---- what came of it


def _tell(game: "AnyGame", file: Path, planned: "GradingRun", verdicts: "Sequence[Verdict]", *, as_json: bool) -> None:
    from .labelled import agreement, calibration_of
    from .labelled_words import told

    found = agreement(tuple(calibration_of(game).labels.values()), verdicts)
    wrong = [each for each in verdicts if not each.right]
    if as_json:
        print_json(
            {
                "file": str(file),
                "game": game.name,
                "grader": planned.grader,
                "folder": str(planned.path),
                "examples": len(planned.plan.openings),
                **found.model_dump(mode="json"),
                "wrong": [
                    {
                        "line": each.example.line,
                        "variant": each.example.variant,
                        "expected": each.example.label,
                        "said": each.said,
                        "reason": each.reason,
                    }
                    for each in wrong
                ],
            }
        )
        return
    with suppress(BrokenPipeError):  # a reader who has left makes no calibration a failure
        for line in (
            f"{planned.grader} on {file}: {len(planned.plan.openings)} labelled episodes of {game.name}",
            *told(game, found, wrong),
            "",
            f"answers: {planned.path}",
        ):
            click.echo(line)


def _tell_bill(
    planned: "GradingRun", records: "Sequence[EpisodeRecord]", owed: "Sequence[EpisodeRecord]", *, as_json: bool
) -> int:
    """Say what it has cost and what is owed; return the exit code: 1 if the grader has failed."""
    from .bills import grading_bill, overspent
    from .exits import FAILED, complain
    from .session import environment

    if not as_json and (said := grading_bill(planned.grader, records, environment())):
        click.echo(said)
    if said := overspent(planned.config, records):
        complain(said, 0)
    if not owed:
        return 0
    extent = f"{len(owed)} of {len(planned.plan.openings)} examples are left out"
    if errors := [record for record in owed if record.outcome == "error"]:
        return complain(f"{extent}, the first since {errors[0].error} ({AGAIN})", FAILED)
    return complain(f"the budget is spent: {extent} (raise it; {AGAIN})", 0)
