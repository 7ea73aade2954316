"""What is achieved against what is said: the efficiency score (COMMA, equation 1 and figure 5)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from palaver_observability.bounds import bounds_of
from palaver_observability.stats import Estimate, estimate
from palaver_protocols.content import Frozen

from ..charts.scatter import Contour, Spot, scatter
from ..document import Block, Chart, Column, Figure, Note, Section, Table, num, words
from ..lineups import Lineup
from ..numbers import NONE, count, number, plural
from ..paper import Paper, PaperRow, same_agents
from ..study import Study
from .published import published_of

__all__ = ["conciseness"]

LEVELS = (0.2, 0.4, 0.6, 0.8)
"""Efficiency scores whose lines are drawn."""
ALL_DRAWN = 8
"""Line-ups up to which all have room in the figure."""


class _Method(Frozen):
    """How a study scores efficiency: which score, and how many tokens halve the conciseness."""

    score: str
    per: float
    where: str = ""


@dataclass(frozen=True, slots=True)
class _Ours:
    lineup: Lineup
    worth: Estimate
    tokens: Estimate
    concise: float | None
    efficiency: float | None


def conciseness(study: Study) -> Section | None:
    """Draw the score against tokens, for games whose study scores efficiency (``conciseness`` in ``published()``)."""
    blocks: list[Block] = []
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        given = study.published(game).get("conciseness")
        if not given:
            continue
        method = _Method.model_validate(given)
        paper = Paper.of(study, game)
        ours = [_measured(lineup, method) for lineup in paper.lineups(study, game)]
        if ours:
            blocks += _blocks(ours, method, paper, _printed(study, game))
    if not blocks:
        return None
    about = (
        "Tokens are those that all seats write in an episode, thinking included. Conciseness falls from 1 with the "
        "tokens; efficiency is its harmonic mean with the score, so that both have to be high."
    )
    return Section("conciseness", "Score and tokens", about, tuple(blocks))


def _measured(lineup: Lineup, method: _Method) -> _Ours:
    worth = lineup.overall(method.score)
    tokens = estimate(sum(usage.output_tokens for usage in record.usage.values()) for record in lineup.records)
    concise = None if tokens.mean is None else 1 / (1 + tokens.mean / method.per)
    return _Ours(lineup, worth, tokens, concise, _harmonic(worth.mean, concise))


def _harmonic(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one > 0 else 0.0


def _printed(study: Study, game: str) -> dict[tuple[str, ...], float]:
    """Return the published efficiency scores by agents."""
    published = published_of(study, game)
    rows = published.tables.get("efficiency", ()) if published else ()
    return {
        tuple(map(str, row["agents"])): float(row["efficiency"])
        for row in rows
        if isinstance(row.get("agents"), list) and isinstance(row.get("efficiency"), int | float)
    }


def _tokens_of(efficiency: float, worth: float, per: float) -> float | None:
    """Work the tokens out of a printed efficiency and score; None where rounding leaves less than none."""
    rest = 2 * worth - efficiency
    concise = efficiency * worth / rest if rest > 0 else 0.0
    return per * (1 / concise - 1) if 0 < concise < 1 else None


def _blocks(ours: Sequence[_Ours], method: _Method, paper: Paper, printed: dict[tuple[str, ...], float]) -> list[Block]:
    measure = method.score.replace("_", " ")
    spots = [
        Spot(
            f"{each.lineup.name} ({number(each.efficiency)})",
            each.tokens.mean,
            each.worth.mean,
            at,
            low=each.worth.ci_low,
            high=each.worth.ci_high,
        )
        for at, each in enumerate(ours)
        if each.tokens.mean and each.worth.mean is not None and (each.lineup.is_usual or len(ours) <= ALL_DRAWN)
    ]
    table = paper.by_variant.get(method.score)
    rows = [row for row in table.rows if row.agents in printed] if table else []
    plain = {row.agents: row for row in reversed(rows)}  # the first row of some agents is of the usual options
    for agents, row in plain.items():
        worth = paper.overall(method.score, row).mean
        tokens = _tokens_of(printed[agents], worth, method.per)
        if tokens is not None:
            series = next((at for at, each in enumerate(ours) if same_agents(agents, each.lineup.agents)), None)
            spots.append(Spot(f"{row.name} ({number(printed[agents])})", tokens, worth, series, hollow=True))
    title = f"{measure.capitalize()} against tokens"
    whole = Table(
        f"{title}, in numbers", _head(measure), tuple(_rows(ours, plain, method, paper, printed)), folded=True
    )
    silent = [each.lineup.name for each in ours if not each.tokens.mean]
    notes = (
        [Note(f"No tokens, and so no place in the figure: {', '.join(silent)}. Their conciseness is 1.")]
        if silent
        else []
    )
    if not spots:
        return [whole, *notes]
    svg = scatter(
        title,
        "tokens written an episode (logarithmic)",
        measure,
        spots,
        [_level(level, method.per) for level in LEVELS],
        within=bounds_of(method.score),
    )
    caption = (
        f"{title}: mean over the {plural(paper.variant)} ± 1.96 standard errors against the mean of tokens; the "
        "efficiency score in parentheses, dashed lines where it is "
        f"{', '.join(f'{level:g}' for level in LEVELS)}; n in the table."
    )
    if len(ours) > ALL_DRAWN:
        caption += " Drawn are those that play as usual; the table has all."
    if any(spot.hollow for spot in spots):
        caption += (
            f" Hollow marks: {paper.study}, {method.where}; its tokens are worked out from the printed efficiency and "
            "score, to two digits at best."
        )
    return [Figure((Chart(title, svg),), caption, whole), *notes]


def _level(level: float, per: float) -> Contour:
    """Return where the efficiency has a value: score by tokens."""
    points = []
    for step in range(241):
        tokens = 10 ** (step / 40 - 1)
        concise = 1 / (1 + tokens / per)
        if 2 * concise > level:
            worth = level * concise / (2 * concise - level)
            if worth <= 1:
                points.append((tokens, worth))
    return Contour(f"{level:g}", tuple(points))


def _head(measure: str) -> tuple[Column, ...]:
    return (
        words("line-up"),
        num("n"),
        num(f"{measure}, mean"),
        num("SE"),
        num("tokens"),
        num("SE"),
        num("log10 tokens"),
        num("conciseness"),
        num("efficiency"),
        num("published"),
    )


def _rows(
    ours: Sequence[_Ours],
    plain: dict[tuple[str, ...], PaperRow],
    method: _Method,
    paper: Paper,
    printed: dict[tuple[str, ...], float],
) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    shown = set()
    for each in ours:
        row = paper.row(method.score, each.lineup)
        their = None
        if row is not None and row is plain.get(row.agents):
            their = printed[row.agents]
            shown.add(row.agents)
        logarithm = math.log10(each.tokens.mean) if each.tokens.mean else None
        rows.append(
            (
                each.lineup.name,
                count(each.worth.n),
                number(each.worth.mean),
                number(each.worth.standard_error, 3),
                NONE if each.tokens.mean is None else count(each.tokens.mean),
                NONE if each.tokens.standard_error is None else count(each.tokens.standard_error),
                number(logarithm),
                number(each.concise),
                number(each.efficiency),
                number(their),
            )
        )
    for agents, row in plain.items():
        if agents not in shown:
            overall = paper.overall(method.score, row)
            rows.append(
                (
                    f"{row.name}, published",
                    NONE if row.n is None else count(row.n * len(paper.variants)),
                    number(overall.mean),
                    number(overall.error, 3),
                    *[NONE] * 5,
                    number(printed[agents]),
                )
            )
    return rows
