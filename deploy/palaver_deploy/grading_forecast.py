"""What a grading will come to, said before a grader is asked; what has been graded before is not counted."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from palaver_agents.names import parse_agent
from palaver_observability.writing import counted

from .dry_run import about, assumed, cost_in_words, estimate_facts, show, tell_estimate
from .estimates import Estimate, estimate_run
from .exits import complain
from .grading import GradingRun
from .models import check_scripts
from .options import print_json
from .regrading import owed_of

__all__ = ["show_gradings", "tell_forecast", "tell_left_out"]

NOTHING = Estimate({}, 0)
NAMED = 5
"""Episodes that are named; of more, their number tells enough."""


def tell_left_out(planned: GradingRun) -> None:
    """Say which episodes have nothing to grade."""
    if not planned.left_out:
        return
    names = ", ".join(planned.left_out[:NAMED])
    more = f" and {len(planned.left_out) - NAMED} more" if len(planned.left_out) > NAMED else ""
    total = len(planned.left_out) + len(planned.plan.openings)
    complain(
        f"left out, since there is nothing in it for a model to grade: {names}{more} "
        f"({len(planned.left_out)} of {counted(total, 'episode')})",
        0,
    )


def tell_forecast(planned: GradingRun, environ: Mapping[str, str], *, again: bool = False) -> None:
    """Say in one line what a grader that costs something will be asked: calls, tokens, US dollars."""
    if parse_agent(planned.grader).kind != "model":
        return
    estimate = _estimate(planned, environ, again=again)
    if not estimate.shares:
        return
    bound = f"at most {counted(estimate.calls_at_most, 'call')} of {planned.grader}"
    if not estimate.played:
        click.echo(f"grading: {bound}; what they come to is not known", err=True)
        return
    calls = min(float(f"{estimate.calls:.2g}"), estimate.calls_at_most)
    tokens = f"{about(estimate.about.input_tokens)} tokens in, {about(estimate.about.output_tokens)} out"
    cost = cost_in_words(estimate) + (f" ({said})" if (said := assumed(estimate)) else "")
    click.echo(f"grading: about {calls:,.0f}, {bound}: about {tokens}; cost {cost}", err=True)


def show_gradings(
    planned: Sequence[tuple[str, GradingRun]], environ: Mapping[str, str], *, as_json: bool, again: bool = False
) -> int:
    """Say what grading one run would take, or all runs of a study; ask nobody, create nothing.

    Args:
        planned: the gradings, each with the name of its run.
        environ: the environment, with what ``.env`` adds to it.
        as_json: whether a program reads it.
        again: whether what stayed ungraded would be asked anew.

    Raises:
        UsageError: the grader is a script that the game does not have.
    """
    for _, each in planned:
        check_scripts(each.game, each.plan.agents)
        tell_left_out(each)
    if len(planned) == 1 and (owed := owed_of(planned[0][1], again=again)) is not None:
        (_, only) = planned[0]
        return show(only.config, owed.plan, as_json=as_json, game=only.game, environ=environ, logs=owed.logs)
    estimates = [(name, each, _estimate(each, environ, again=again)) for name, each in planned]
    whole = sum((estimate for _, _, estimate in estimates), NOTHING)
    if as_json:
        runs: list[dict[str, Any]] = [{"run": name, **estimate_facts(estimate)} for name, _, estimate in estimates]
        print_json({"runs": runs, **estimate_facts(whole)})
        return 0
    for name, each, estimate in estimates:
        episodes = counted(len(each.plan.openings), "episode")
        click.echo(f"{name:<60} {episodes:>16}, at most {estimate.calls_at_most:>9,} calls")
    click.echo()
    if not whole.shares:
        click.echo("All of it is graded already: nobody would be asked.")
        return 0
    tell_estimate(whole)
    return 0


def _estimate(planned: GradingRun, environ: Mapping[str, str], *, again: bool) -> Estimate:
    """Estimate what is still to be asked; nothing where all is graded."""
    owed = owed_of(planned, again=again)
    return NOTHING if owed is None else estimate_run(planned.game, planned.config, owed.plan, environ, logs=owed.logs)
