"""How much each agent says: tokens of its messages, and messages by range of outcome (appendix C, Figures C.1, C.2)."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

from palaver_observability.bounds import COUNT
from palaver_observability.statistics import RANGES, RangeRow, by_range, mean_ci
from palaver_protocols.runs import EpisodeRecord

from ..charts.dots import Dot, DotRow, dot_plot
from ..document import Chart, Figure, Table, num, words
from ..naming import short_names
from ..numbers import NONE, between, count, number
from ..samples import Conditions, conditions
from ..speaking import messages_of
from ..study import Study

__all__ = ["by_agent"]

SETTINGS = ("solo-full", "solo-distributed", "homogeneous", "heterogeneous")
COMPANY = ("with itself", "with others", "alone")


class _Spoken(NamedTuple):
    """An episode as one of its agents played it: the tokens of its own messages, and the messages of all seats."""

    outcome: float | None
    tokens: Sequence[int]
    messages: int


Groups = Mapping[str, Mapping[str, Sequence[_Spoken]]]
"""Episodes by agent, then by company."""


def by_agent(study: Study, game: str) -> list[Figure]:
    """Tell agents apart, each in the company that it kept, a figure for each set of like conditions.

    Where a study has its plain settings, only these count: larger or denser tasks take more messages whoever plays.
    """
    cells = study.of(*SETTINGS) or study.cells
    return [
        _figure(found, study.in_order(groups), groups)
        for found in conditions(study, [cell for cell in cells if cell.config.game == game])
        if (groups := _groups(found))
    ]


def _figure(found: Conditions, agents: Sequence[str], groups: Groups) -> Figure:
    names = short_names(agents)
    ordered = {agent: groups[agent] for agent in agents}
    stratified = [
        (agent, company, row)
        for agent, by in ordered.items()
        for company in COMPANY
        for row in _ranges(by.get(company, ()))
        if row.n
    ]
    head = (
        words("agent"),
        words("company"),
        words("range"),
        num("n"),
        num("tokens a message [95 % CI]"),
        num("messages [95 % CI]"),
        num("tokens a solution"),
    )
    rows = tuple(_row(*each) for each in stratified)
    verbosity = _verbosity(ordered, names)
    told = f" ({found.name})" if found.name else ""
    caption = (
        f"{found.game}{told}, by agent: means of episodes ± 1.96 standard errors, n episodes at each mark. Messages "
        "are those of all seats, by range of outcome. Only episodes in which every seat had one agent throughout, and "
        "no team."
    )
    if verbosity:
        caption += (
            " Tokens are those of the agent's own messages (the median of each episode), thinking left out. Tokens a "
            "solution, in the table, are the product of the two: what a dialogue takes whose messages are all as long "
            "as the agent's own."
        )
    table = Table("Efficiency by agent and range", head, rows, folded=True)
    return Figure((*verbosity, *_lengths(stratified, names)), caption, table)


def _groups(found: Conditions) -> Groups:
    groups: dict[str, dict[str, list[_Spoken]]] = {}
    for record in (record for cell in found.cells for record in cell.played if _is_plain(record)):
        tokens: dict[str, list[int]] = {}
        for said in messages_of(record):
            tokens.setdefault(said.agent, []).append(said.tokens)
        agents = dict.fromkeys(fillers[0].agent for fillers in record.seats.values())
        company = "alone" if len(record.seats) == 1 else "with itself" if len(agents) == 1 else "with others"
        for agent in agents:
            # an agent that reports no tokens has 0 for all of its messages
            own = each if any(each := tokens.get(agent, [])) else []
            spoken = _Spoken(record.scores.get(found.primary), own, record.turns)
            groups.setdefault(agent, {}).setdefault(company, []).append(spoken)
    return groups


def _is_plain(record: EpisodeRecord) -> bool:
    return bool(record.seats) and all(
        len(fillers) == 1 and not fillers[0].agent.startswith("team(") for fillers in record.seats.values()
    )


def _verbosity(groups: Groups, names: Mapping[str, str]) -> list[Chart]:
    """Draw the tokens of a message (Figure C.1); nothing where no agent reports any."""
    companies = [company for company in COMPANY if any(company in by for by in groups.values())]
    rows = []
    for agent, by in groups.items():
        estimates = {
            company: mean_ci([median(each.tokens) for each in by[company] if each.tokens])
            for company in companies
            if company in by
        }
        dots = tuple(
            Dot(companies.index(company), each.estimate, each.ci_low, each.ci_high, each.n)
            for company, each in estimates.items()
            if each.estimate is not None
        )
        if dots:
            rows.append(DotRow(names[agent], dots))
    title = "Tokens a message"
    return [Chart(title, dot_plot(f"{title} of each agent", "tokens", rows, companies, within=COUNT))] if rows else []


def _lengths(stratified: Sequence[tuple[str, str, RangeRow]], names: Mapping[str, str]) -> list[Chart]:
    """Draw the messages of an episode by range (Figure C.2); of agents with themselves, where there are such."""
    company = next((company for company in COMPANY if any(each[1] == company for each in stratified)), "")
    ranges = list(RANGES)
    dots: dict[str, list[Dot]] = {}
    for agent, where, row in stratified:
        if where == company and row.messages is not None:
            low, high = row.messages_ci or (None, None)
            dots.setdefault(agent, []).append(Dot(ranges.index(row.range), row.messages, low, high, row.n))
    title = f"Messages an episode, {company}"
    rows = [DotRow(names[agent], tuple(each)) for agent, each in dots.items()]
    svg = dot_plot(f"{title}, by agent and range", "messages", rows, ranges, within=COUNT)
    return [Chart(title, svg)] if rows else []


def _ranges(episodes: Sequence[_Spoken]) -> tuple[RangeRow, ...]:
    return by_range(
        [each.outcome for each in episodes], [each.tokens for each in episodes], [each.messages for each in episodes]
    )


def _row(agent: str, company: str, row: RangeRow) -> tuple[str, ...]:
    return (
        agent,
        company,
        row.range,
        count(row.n),
        _with(row.tokens_per_message, row.tokens_ci),
        _with(row.messages, row.messages_ci),
        number(row.tokens_per_solution),
    )


def _with(value: float | None, ends: tuple[float, float] | None) -> str:
    return NONE if value is None else f"{number(value)} {between(*(ends or (None, None)))}".rstrip()
