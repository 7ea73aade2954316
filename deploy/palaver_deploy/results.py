"""What a run came to: the table, the summary, the exit code."""

import math
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import click

from palaver_agents.names import AgentName, parse_agent
from palaver_agents.providers import is_priced
from palaver_gamemasters.registry import load_game
from palaver_observability.folder import RunFolder
from palaver_observability.standings import Standing, standings
from palaver_observability.statistics.clemscore import clemscore_ci
from palaver_observability.stats import Row, overall, summarize
from palaver_observability.table import print_results
from palaver_protocols.errors import UsageError
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import leaves

from .bills import overspent
from .exits import FAILED, complain
from .options import print_json
from .session import environment

__all__ = ["cost_in_words", "ends_in_words", "played_in_words", "print_outcome", "sum_up", "tell_errors"]


def print_outcome(folder: RunFolder, file: TextIO, *, as_json: bool = False) -> int:
    """Write ``summary.json``, print the results, and return the exit code: 1 if an episode ended with an error."""
    records, rows = sum_up(folder)
    game = load_game(folder.config.game)
    found = standings(records)
    with suppress(BrokenPipeError):  # a reader who has left makes no run a failure
        if as_json:
            print_json(
                {
                    "run_id": folder.config.run_id,
                    "folder": str(folder.path),
                    "outcomes": Counter(record.outcome for record in records),
                    "rows": [row.model_dump(mode="json") for row in rows],
                    "overall": [row.model_dump(mode="json") for row in overall(rows, by_episode=game.pools_episodes)],
                    **({"clemscore": [_standing(each, game.name) for each in found]} if found else {}),
                }
            )
        else:
            print_results(
                rows, file, main=tuple(dict.fromkeys((game.primary_score, "success"))), by_episode=game.pools_episodes
            )
            for said in played_in_words(found, game.name):
                click.echo(f"\n{said}", file=file)
            for said in filter(None, (ends_in_words(records), cost_in_words(records))):
                click.echo(f"\n{said}", file=file)
            click.echo(f"\nrun folder: {folder.path}", file=file)
    if said := overspent(folder.config, records):
        complain(said, 0)
    return tell_errors(folder.path, records)


def ends_in_words(records: Sequence[EpisodeRecord]) -> str:
    """Say how many answers were cut off, refused or filtered; nothing if none was."""
    ends: Counter[str] = Counter()
    for record in records:
        ends.update(record.finish_reasons)
    if not ends:
        return ""
    answers = sum(record.turns + record.asides for record in records)
    each = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in ends.most_common())
    return f"{ends.total():,} of {answers:,} answers did not end by themselves: {each}"


def played_in_words(found: Sequence[Standing], game: str) -> Iterator[str]:
    """Say what a game came to by clembench's measures, each with its 95 % interval; nothing for games without them."""
    for standing in found:
        score = standing.of(game)
        played = _with_interval(score.percent_played, score.played_low, score.played_high)
        quality = _with_interval(score.quality, score.quality_low, score.quality_high)
        together = clemscore_ci(standing.samples([game]))
        alone = _with_interval(together.estimate, together.ci_low, together.ci_high)
        who = f"{standing.name}: " if len(found) > 1 else ""
        yield f"{who}% played {played}, quality {quality}, clemscore (of this game alone) {alone}"
        if gone := standing.crashed.get(game):
            yield (
                f"{who}{gone:,} of {score.n + gone:,} episodes crashed, as in the study's own programs, "
                "and count in none of these (palaver view tells why)"
            )


def _with_interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} [{low:.1f}, {high:.1f}]"


def _standing(standing: Standing, game: str) -> dict[str, Any]:
    return {
        "agents": standing.name,
        **standing.of(game).named,
        "clemscore": standing.over([game]).clemscore,
        "crashed": standing.crashed.get(game, 0),
    }


def cost_in_words(records: Sequence[EpisodeRecord]) -> str:
    """Say what a run has cost, or why that is not known; nothing where only scripts have played."""
    environ = environment()
    agents = {leaf for record in records for fillers in record.seats.values() for filler in fillers
              for leaf in leaves(filler.agent)}  # fmt: skip
    models = sorted(str(name) for name in map(_named, agents) if name is not None and name.kind == "model")
    if not models:
        return ""
    known = math.fsum(record.cost_usd or 0.0 for record in records)
    if unpriced := [name for name in models if not is_priced(parse_agent(name), environ)]:
        return f"cost: unknown, since no price is known for {', '.join(unpriced)} (add it to palaver.providers.yaml)"
    return f"cost: ${known:,.4f}" if known < 1 else f"cost: ${known:,.2f}"


def _named(agent: str) -> AgentName | None:
    """Read a name; None for one that only another version, or somebody else's program, goes by."""
    try:
        return parse_agent(agent)
    except UsageError:
        return None


def sum_up(folder: RunFolder) -> tuple[list[EpisodeRecord], list[Row]]:
    """Write ``summary.json``; return the records and the rows of the results table."""
    records = folder.records()
    rows = summarize(records)
    folder.write_summary(rows, by_episode=load_game(folder.config.game).pools_episodes)
    return records, rows


def tell_errors(path: Path, records: Sequence[EpisodeRecord]) -> int:
    """Say what ended with errors or for want of a budget, and how to go on; return the exit code."""
    resume = f"palaver resume {shlex.quote(str(path))}"
    errors = [record for record in records if record.outcome == "error"]
    if unpaid := sum(record.outcome == "budget" for record in records):
        complain(
            f"the budget is spent: {unpaid} of {len(records)} episodes are unfinished "
            f"(raise it to go on where they stand: {resume} --budget-tokens N or --budget-usd USD)",
            0,
        )
    if not errors:
        return 0
    again = f"they count in no score; {_how_again(errors, resume)}"
    return complain(
        f"{len(errors)} of {len(records)} episodes ended with errors, the first: {errors[0].error} ({again})", FAILED
    )


def _how_again(errors: Sequence[EpisodeRecord], resume: str) -> str:
    """Say how episodes are played again; those of a record that was imported cannot be."""
    agents = (leaf for record in errors for fillers in record.seats.values() for filler in fillers
              for leaf in leaves(filler.agent))  # fmt: skip
    if gone := next((agent for agent in agents if _named(agent) is None), None):
        return f"they cannot be played again, since {gone} is a record and answers nobody"
    return f"play them again with: {resume}"
