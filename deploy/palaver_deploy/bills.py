"""What has been spent, in words. Pure functions."""

import math
from collections.abc import Mapping, Sequence

from palaver_agents.names import parse_agent
from palaver_agents.providers import is_priced
from palaver_broker import Budget, Spent
from palaver_broker.base import in_micro_usd
from palaver_observability.writing import counted
from palaver_protocols.runs import EpisodeRecord, RunConfig

__all__ = ["grading_bill", "overspent"]

MICRO = 1_000_000


def grading_bill(grader: str, records: Sequence[EpisodeRecord], environ: Mapping[str, str]) -> str:
    """Say what a grader's answers have cost; nothing where none was paid for.

    Args:
        grader: the agent that has graded.
        records: the episodes of its gradings, not those that it has graded.
        environ: the environment, which says where prices are.
    """
    name = parse_agent(grader)
    answers = sum(record.turns for record in records)
    if name.kind != "model" or not answers:
        return ""
    said = f"grading: {counted(answers, 'answer')} of {grader}"
    if all(record.cost_usd is not None for record in records if record.turns):
        return f"{said}, {_dollars(math.fsum(record.cost_usd or 0.0 for record in records))}"
    why = "not every answer tells it" if is_priced(name, environ) else f"no price is known for {grader}"
    return f"{said}, cost unknown, since {why}"


def overspent(config: RunConfig, records: Sequence[EpisodeRecord]) -> str:
    """Say how much a run has spent of a budget that is used up; nothing if it has none, or something is left of it.

    It can be more than there was: nobody is asked any more from then on, and whoever had been asked is paid too.
    """
    budget = Budget.of(config)
    usages = [usage for record in records for usage in record.usage.values()]
    spent = Spent(
        sum(usage.tokens for usage in usages),
        sum(in_micro_usd(record.cost_usd) for record in records),
    )
    bounds = []
    if budget.micro_usd is not None and spent.micro_usd >= budget.micro_usd:
        bounds.append(f"{_dollars(spent.micro_usd / MICRO)} of {_dollars(budget.micro_usd / MICRO)}")
    if budget.tokens is not None and spent.tokens >= budget.tokens:
        bounds.append(f"{spent.tokens:,} of {budget.tokens:,} tokens")
    return f"spent {' and '.join(bounds)}: what was in flight is paid too" if bounds else ""


def _dollars(usd: float) -> str:
    """Write dollars to the cent, less than one to three digits: $1.25, $0.71, $0.0363, $0.000504."""
    if not 0 < usd < 1:
        return f"${usd:,.2f}"
    cents, _, more = f"{usd:.{2 - math.floor(math.log10(usd))}f}".partition(".")
    return f"${cents}.{more.rstrip('0').ljust(2, '0')}"
