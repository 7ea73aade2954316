"""The results table: every run, every pairing, with what counts and what does not."""

from collections.abc import Iterable, Sequence
from typing import get_args

from palaver_observability.bounds import bounds_of, clipped
from palaver_observability.measures import told_once
from palaver_observability.stats import NOT_COUNTED, OVERALL, Estimate, Row, overall, summarize
from palaver_observability.table import in_short
from palaver_protocols.messages import Outcome
from palaver_protocols.runs import EpisodeRecord
from palaver_protocols.seating import relay_of

from ..document import Section, Table, num, words
from ..numbers import NONE, between, count, dollars, number
from ..samples import SUCCESS, success_of
from ..study import Cell, Study

__all__ = ["results"]


def results(study: Study) -> Section | None:
    """Tabulate every run."""
    if not study.records:
        return None
    found = [(cell, list(_rows(cell, by_episode=study.by_episode(cell.config.game)))) for cell in study.cells]
    any_whole = any(row.variant == OVERALL for _, each in found for row, _ in each)
    apart = any(study.primary(cell.config.game) != SUCCESS for cell in study.cells)
    rows, scores = [], []
    for cell, each_row in found:
        whole = {row.agents for row, _ in each_row if row.variant == OVERALL}
        told = {game: told_once(row.scores for row, _ in each_row if row.game == game) for game in _games(each_row)}
        for row, records in each_row:
            primary = study.primary(row.game)
            if row.agents not in whole or row.variant == OVERALL:
                rows.append(_row(cell, row, records, primary if apart else None))
            place = (cell.id, ", ".join(row.agents), *([row.variant] if any_whole else []))
            scores += [
                (*place, name, *_estimate(name, each)) for name, each in row.scores.items() if name in told[row.game]
            ]
    head = (
        words("run and agents, in seat order"),
        num("n"),
        words("outcomes"),
        words("not counted"),
        *(num(name) for name in ("primary score", "success") if name == "success" or apart),
        num("turns"),
        num("tokens"),
        num("cost"),
        num("latency, s"),
    )
    who = (words("run"), words("agents"), *([words("variant")] if any_whole else []))
    all_scores = (*who, words("score"), num("n"), num("mean"), num("SE"), num("95 % CI"))
    about = (
        "n counts the episodes that were played to an end and that their grader could read; those that ended with an "
        "error or a spent budget, those that crash the study's own programs, and those that a grader could not read "
        "are listed and count in no score. A score's own n stands below it where it is smaller still. Primary score: "
        "mean with its 95 % CI (mean ± 1.96 standard errors, as the studies, shown no farther than the score can go). "
        "Success: the share solved with Wilson's "
        "95 % interval. Turns, tokens (input and output, all seats) and latency (time that models took) are means an "
        "episode; cost is the total of the run."
    )
    return Section(
        "results",
        "Results",
        about,
        (Table("Results of each run", head, tuple(rows)), Table("All scores", all_scores, tuple(scores), folded=True)),
    )


def _games(rows: Iterable[tuple[Row, Sequence[EpisodeRecord]]]) -> dict[str, None]:
    return dict.fromkeys(row.game for row, _ in rows)


def _rows(cell: Cell, *, by_episode: bool) -> Iterable[tuple[Row, Sequence[EpisodeRecord]]]:
    """Summarize a run, and keep the episodes of each row; a row for all variants follows those of each of several."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[EpisodeRecord]] = {}
    for record in cell.records:
        agents = tuple(relay_of(fillers) for fillers in record.seats.values())
        groups.setdefault((record.game, record.variant, agents), []).append(record)
    rows = []
    for records in groups.values():
        (row,) = summarize(records)
        rows.append(row)
        yield row, records
    for row in overall(rows, by_episode=by_episode):
        every = [record for (game, _, agents), records in groups.items() for record in records
                 if (game, agents) == (row.game, row.agents)]  # fmt: skip
        yield row, every


def _row(cell: Cell, row: Row, records: Sequence[EpisodeRecord], primary: str | None) -> tuple[str, ...]:
    """Return a row; ``primary`` is None where it has no column beside that of success."""
    counted = [record for record in records if record.outcome not in NOT_COUNTED]
    solved = success_of(counted)
    costs = [record.cost_usd for record in records if record.cost_usd is not None]
    told = [name for name in get_args(Outcome) if name in row.outcomes]
    apart = [f"{row.outcomes[name]} {name}" for name in told if name in NOT_COUNTED]
    apart += [f"{row.ungraded} ungraded"] if row.ungraded else []
    outcomes = [f"{row.outcomes[name]} {name}" for name in told if name not in NOT_COUNTED]
    billed = sum(record.cost_usd is not None or record.tokens > 0 for record in records)
    cost = dollars(sum(costs) if costs else None, used=billed > 0)
    return (
        f"{cell.id}\n{', '.join(row.agents)}",
        count(row.n),
        "\n".join(outcomes) or NONE,
        "\n".join(apart) or NONE,
        *([] if primary is None else [_first(row, primary)]),
        f"{number(solved.estimate)}\n{between(solved.ci_low, solved.ci_high)}{_fewer(solved.n, row.n)}"
        if solved
        else NONE,
        number(row.turns, 1),
        in_short(row.tokens.get("input", 0.0) + row.tokens.get("output", 0.0)) if row.n else NONE,
        cost if not costs or len(costs) == billed else f"{cost}\n{len(costs)} of {billed} priced",
        number(row.latency_s),
    )


def _first(row: Row, primary: str) -> str:
    found = row.scores.get(primary, Estimate(n=0))
    return f"{number(found.mean)}\n{between(*_within(primary, found))}{_fewer(found.n, row.n)}"


def _fewer(n: int, of: int) -> str:
    """Say of how many episodes a score is, where it is not of all."""
    return "" if n == of else f"\nn {count(n)}"


def _within(score: str, found: Estimate) -> tuple[float | None, float | None]:
    """Return an interval, no farther than the score can go."""
    within = bounds_of(score)
    return clipped(found.ci_low, within), clipped(found.ci_high, within)


def _estimate(name: str, found: Estimate) -> tuple[str, str, str, str]:
    return (
        count(found.n),
        number(found.mean),
        number(found.standard_error),
        between(*_within(name, found)) or NONE,
    )
