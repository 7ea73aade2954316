"""The front page of a site for publishing: results with their uncertainty, and the episodes. Pure functions."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import get_args

from palaver_observability.bounds import bounds_of, clipped
from palaver_observability.measures import told_once
from palaver_observability.report.numbers import NONE, between, count, dollars, number
from palaver_observability.stats import Estimate, Row
from palaver_protocols.messages import Outcome

from .index import Entry
from .page import document, shown_number
from .setting import text

__all__ = ["SiteRun", "site_index"]

UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class SiteRun:
    """A run on a site: what it is called, who played what, what came of it, and the pages of its episodes.

    ``main`` is the measure that its game leads with; ``rows`` are its results, sums over variants last; ``missing``
    counts episodes that have no page.
    """

    name: str
    game: str
    about: str
    agents: tuple[str, ...]
    main: str
    rows: tuple[Row, ...]
    entries: tuple[Entry, ...]
    missing: int = 0


def site_index(title: str, runs: Sequence[SiteRun], *, report: bool, made: str) -> str:
    """Set the front page.

    Args:
        title: what the site is called.
        runs: what was played.
        report: whether there is a report beside it.
        made: when, and by what.
    """
    episodes = sum(len(run.entries) for run in runs)
    links = '<a href="report.html">Report: figures, tables and statistics</a>' if report else ""
    jumps = "".join(f'<a href="#{_anchor(run.name)}">{text(run.name)}</a>' for run in runs) if len(runs) > 1 else ""
    body = [
        '<header><p class="kicker">results and transcripts</p>',
        f"<h1>{text(title)}</h1>",
        f'<p class="note">{count(episodes)} episodes · {text(made)}</p>',
        f'<nav aria-label="Parts">{links}<a href="#results">Results</a><a href="#all">Episodes</a></nav>',
        "</header>",
        '<main><section id="results">',
        f"<h2>Results</h2>\n{f'<nav>{jumps}</nav>' if jumps else ''}",
        *(_results(run, alone=len(runs) == 1) for run in runs),
        NOTE,
        "</section>",
        _filters(runs),
        *(_episodes(run, alone=len(runs) == 1) for run in runs),
        "</main>",
    ]
    return document(title, "\n".join(filter(None, body)))


NOTE = (
    '<p class="note">Mean with its 95\u202f% confidence interval: 1.96 standard errors to each side, shown no farther '
    "than a score can go. Episodes that ended by an error or for want of budget count in no score.</p>"
)


def _results(run: SiteRun, *, alone: bool) -> str:
    heads = ("variant", "agents", "n", run.main, "95\u202f% CI", "outcomes", "turns", "tokens", "cost")
    numeric = (2, 3, 4, 6, 7, 8)
    columns = "".join(
        f'<th scope="col"{" class=num" if at in numeric else ""}>{text(head)}</th>' for at, head in enumerate(heads)
    )
    rows = "\n".join(_result(row, run.main) for row in run.rows)
    about = f'<p class="who">{text(run.about)}</p>' if run.about else ""
    head = "" if alone else f'<h3 id="{_anchor(run.name)}">{text(run.name)}</h3>'
    return (
        f'{head}{about}<div class="scroll"><table class="results">'
        f"<thead><tr>{columns}</tr></thead><tbody>\n{rows}\n</tbody></table></div>{_measures(run)}"
    )


def _result(row: Row, main: str) -> str:
    found = row.scores.get(main, Estimate(n=0))
    order = [name for name in get_args(Outcome) if name in row.outcomes]
    outcomes = ", ".join(f"{row.outcomes[name]} {name}" for name in order)
    tokens = row.tokens.get("input", 0.0) + row.tokens.get("output", 0.0)
    agents = " · ".join(dict.fromkeys(row.agents))
    cells = (number(found.mean), _interval(main, found))
    played = (number(row.turns), count(tokens) if tokens else NONE, dollars(row.cost_usd, used=bool(tokens)))
    return (
        f'<tr><th scope="row">{text(row.variant)}</th><td class="agents">{text(agents)}</td>'
        f'<td class="num">{row.n}</td>'
        + "".join(f'<td class="num">{text(cell)}</td>' for cell in cells)
        + f"<td>{text(outcomes)}</td>"
        + "".join(f'<td class="num">{text(cell)}</td>' for cell in played)
        + "</tr>"
    )


def _measures(run: SiteRun) -> str:
    """Set all measures of all rows, folded away."""
    names = told_once([row.scores for row in run.rows])
    rows = "\n".join(
        f'<tr><th scope="row">{text(row.variant)}</th><td>{text(name)}</td><td class="num">{found.n}</td>'
        f'<td class="num">{text(number(found.mean))}</td><td class="num">{text(number(found.standard_error))}</td>'
        f'<td class="num">{text(_interval(name, found))}</td></tr>'
        for row in run.rows
        for name in names
        if (found := row.scores.get(name)) is not None
    )
    if not rows:
        return ""
    heads = '<th scope="col">variant</th><th scope="col">measure</th>' + "".join(
        f'<th scope="col" class="num">{head}</th>' for head in ("n", "mean", "SE", "95\u202f% CI")
    )
    return (
        '<details><summary>All measures</summary><div class="scroll"><table class="results">'
        f"<thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table></div></details>"
    )


def _interval(name: str, found: Estimate) -> str:
    low, high = (clipped(end, bounds_of(name)) for end in (found.ci_low, found.ci_high))
    return between(low, high) or NONE


def _filters(runs: Sequence[SiteRun]) -> str:
    """Set links that leave only the episodes of one outcome in sight, where the browser knows how; no script."""
    found = Counter(entry.outcome for run in runs for entry in run.entries)
    links = "".join(
        f'<a id="{name}" href="#{name}">{name} {count(found[name])}</a>' for name in get_args(Outcome) if found[name]
    )
    whole = f'<a id="all" href="#all">all {count(sum(found.values()))}</a>'
    return f'<h2>Episodes</h2>\n<nav class="filters" aria-label="Outcomes">{whole}{links}</nav>'


def _episodes(run: SiteRun, *, alone: bool) -> str:
    heads = (("episode", ""), ("variant", "variant"), ("outcome", ""), (run.main, "num"), ("turns", "num"))
    columns = "".join(f'<th scope="col" class="{kind}">{text(head)}</th>' for head, kind in heads)
    rows = "\n".join(map(_episode, run.entries))
    missing = f'<p class="note">{count(run.missing)} more have no page here.</p>' if run.missing else ""
    head = "" if alone else f"<h3>{text(run.name)}</h3>"
    return (
        f'<section>\n{head}<p class="who">{text(run.game)}: '
        f'{text(", ".join(dict.fromkeys(run.agents)))}</p>\n<div class="scroll"><table>'
        f"<thead><tr>{columns}</tr></thead><tbody>\n{rows}\n</tbody></table></div>{missing}\n</section>"
    )


def _episode(entry: Entry) -> str:
    return (
        f'<tr class="episode is-{text(entry.outcome)}"><th scope="row"><a href="{escape(entry.href)}">'
        f'{text(entry.episode)}</a></th><td class="variant">{text(entry.variant)}</td>'
        f'<td class="outcome {text(entry.outcome)}">{text(entry.outcome)}</td>'
        f'<td class="num">{shown_number(entry.score)}</td><td class="num">{entry.turns}</td></tr>'
    )


def _anchor(name: str) -> str:
    return f"run-{UNSAFE.sub('-', name)}"
