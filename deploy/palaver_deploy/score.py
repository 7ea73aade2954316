"""``palaver score``: score a run again, from its transcripts, by its rules or by what a grading model reads in them."""

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .exits import INTERRUPTED
from .options import cache_option, grader_options, run_folder
from .watching import Watch, metrics_served, scoring_options
from .words import how_words

if TYPE_CHECKING:
    from palaver_observability.folder import RunFolder
    from palaver_protocols.runs import EpisodeRecord

    from .scoring import Finish

__all__ = ["score"]

EPILOG = """\b
Examples:
  palaver score runs/mixed                                    # by the rules of today
  palaver score runs/mixed --grader openai/gpt-4.1            # by a model, as the study does
  palaver score runs/mixed --grader openai/gpt-4.1 --votes 3 --temperature 0.5
  palaver score runs/mixed --grader openai/gpt-4.1 --dry-run  # calls, tokens and dollars first
  palaver score runs/mixed --grader openai/gpt-4.1 --again    # what stayed ungraded, anew
  palaver score runs/mixed --grader scripted                  # without a key
"""


@click.command(epilog=EPILOG)
@run_folder
@click.option("--grader", metavar="NAME", help="The agent that reads the episodes (`palaver list agents`).")
@grader_options
@click.option("--again", is_flag=True, help="Ask this grader anew what stayed ungraded, and what is owed; no more.")
@click.option("--dry-run", is_flag=True, help="Show how many calls grading would take, and what they cost; ask nobody.")
@how_words
@cache_option
@scoring_options
def score(
    *,
    folder: Path,
    grader: str | None,
    votes: int | None,
    reasks: int | None,
    temperature: float | None,
    again: bool,
    dry_run: bool,
    given: Mapping[str, Any],
    cache: bool,
    watch: Watch,
    as_json: bool,
) -> int:
    """Score the episodes of the run in DIR again, or of every run of a study, without playing.

    Each episode is folded from its transcript by the rules of today; episodes.jsonl and summary.json are rewritten.
    Outcomes `error` and `budget` stay as they are.

    With --grader, a model reads each dialogue and its reading is what counts; what the rules and earlier graders said
    is kept beside it in episodes.jsonl. Its answers are kept in DIR/gradings: stop with Ctrl-C, go on with the same
    command. Its scores count once it has graded every episode; until then those of the rules do. An episode that no
    vote can be used of is ungraded, and counts in no score that a grader gives; what only the rules say stays. One with
    nothing to grade in it is named and left out. --again goes on where votes that cannot be used ran out, and keeps all
    that was answered. Without --grader, the scores are those of the rules again.

    What a model's grading will come to is said before it is asked; --dry-run says it in full, and asks nobody.

    Of a study, --budget-usd and --budget-tokens bound each of its run folders, not all of them together.
    """
    from palaver_gamemasters.registry import load_game
    from palaver_observability.folder import RunFolder
    from palaver_protocols.errors import UsageError

    from .studies import STUDY_FILE

    options = {"votes": votes, "reasks": reasks, "temperature": temperature}
    asked = {name: value for name, value in options.items() if value is not None}
    flags = [name for name, is_given in (("again", again), ("dry_run", dry_run)) if is_given]
    if grader is None and (needless := [*asked, *flags, *given]):
        name = needless[0].removesuffix("_s").replace("_", "-")
        raise UsageError(f"--{name} says how a model grades", mend="add --grader NAME, or leave it out")
    paid: list[EpisodeRecord] = []
    if dry_run:
        assert grader is not None  # or it is needless
        return _dry_run(folder, grader, asked, given, again=again, as_json=as_json)
    with metrics_served(watch) as metrics:

        def one(run: RunFolder, finish: "Finish") -> int:
            from .grading import plan_grading
            from .grading_forecast import tell_forecast, tell_left_out
            from .models import check_agents, check_prices
            from .regrading import check_begun
            from .scoring import Told, by_model, by_rules
            from .session import environment

            game = load_game(run.config.game)
            if grader is None:
                return by_rules(game, run, finish)
            planned = plan_grading(game, run, grader, asked, given)
            if again:
                check_begun(planned)
            environ = environment()
            check_prices(planned.config, planned.plan.agents, environ)
            asyncio.run(check_agents(planned.game, planned.plan.agents, environ))
            tell_left_out(planned)
            if not watch.quiet:
                tell_forecast(planned, environ, again=again)
            told = Told(environ, watch, metrics, finish)
            return by_model(game, run, planned, paid, told, again=again, cache=cache)

        if (folder / STUDY_FILE).is_file():
            code = _study(folder, one, quiet=watch.quiet, as_json=as_json)
        else:
            from .results import print_outcome

            code = one(RunFolder.open(folder), lambda run: print_outcome(run, sys.stdout, as_json=as_json))
    if grader is not None and not as_json and code < INTERRUPTED:
        _tell_cost(grader, paid)
    return code


def _dry_run(
    folder: Path, grader: str, asked: Mapping[str, Any], given: Mapping[str, Any], *, again: bool, as_json: bool
) -> int:
    """Say what grading a run, or the runs of a study, would take."""
    from palaver_gamemasters.registry import load_game
    from palaver_observability.folder import RunFolder

    from .grading import plan_grading
    from .grading_forecast import show_gradings
    from .regrading import check_begun
    from .session import environment
    from .studies import STUDY_FILE, runs_in

    paths = runs_in(folder) if (folder / STUDY_FILE).is_file() else [folder]
    runs = [RunFolder.open(path) for path in paths]
    planned = [(run.path.name, plan_grading(load_game(run.config.game), run, grader, asked, given)) for run in runs]
    for _, each in planned if again else ():
        check_begun(each)
    return show_gradings(planned, environment(), as_json=as_json, again=again)


def _tell_cost(grader: str, paid: "Sequence[EpisodeRecord]") -> None:
    """Say what grading has cost, if anything was paid for."""
    from .bills import grading_bill
    from .session import environment

    with suppress(BrokenPipeError):  # a reader who has left makes no grading a failure
        if said := grading_bill(grader, paid, environment()):
            click.echo(f"\n{said}")


def _study(folder: Path, one: "Callable[[RunFolder, Finish], int]", *, quiet: bool, as_json: bool) -> int:
    """Score every run of a study; return the worst exit code."""
    from palaver_observability.folder import RunFolder

    from .results import sum_up
    from .studies import read_study, runs_in
    from .study_results import print_study

    def finish(run: RunFolder) -> int:
        sum_up(run)
        return 0

    worst = 0
    paths = runs_in(folder)
    for number, path in enumerate(paths, 1):
        if not quiet:
            click.echo(f"[{number}/{len(paths)}] {path.name}", err=True)
        worst = max(worst, code := one(RunFolder.open(path), finish))
        if code >= INTERRUPTED:
            return code
    return max(worst, print_study(folder, read_study(folder), as_json=as_json))
