"""What one change to the game makes of the same agents: no memory, more experts, words for pictures (COMMA, table 2).

For games whose study says how it is usually played (``usual`` in ``published()``): runs that differ from the usual way
in these options, in the sampling, or in that a seat is filled by a team, are compared with runs of the same agents in
the usual way, over the same instances.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from palaver_observability.statistics import Comparison
from palaver_protocols.errors import UsageError
from palaver_protocols.seating import leaves, team_of

from ..charts.dots import Dot, DotRow, dot_plot
from ..document import Block, Chart, Figure, Section, Table, num, words
from ..findings import FEWEST, LEVEL
from ..lineups import Lineup
from ..naming import short_names
from ..numbers import NONE, count, number, p_value, signed, with_interval
from ..paper import Paper
from ..samples import Sample, compare, corrected
from ..study import Study

__all__ = ["changes"]


@dataclass(frozen=True, slots=True)
class _Change:
    """A line-up that plays otherwise, the same agents as usual, what is other, and the difference."""

    who: str
    what: str
    changed: Lineup
    usual: Lineup
    found: Comparison


def changes(study: Study) -> Section | None:
    """Compare each way of playing with the usual one, agents by agents."""
    figures: list[Block] = []
    for game in dict.fromkeys(cell.config.game for cell in study.cells):
        paper = Paper.of(study, game)
        if paper.usual and (known := _changes(paper.lineups(study, game), study.primary(game), paper)):
            figures.append(_figure(known, study.primary(game), paper, game))
    if not figures:
        return None
    about = (
        "The same agents on the same instances, with one thing changed. Above zero, the change helps. Only what was "
        "played both ways is compared."
    )
    return Section("changes", "Ablations", about, tuple(figures))


def _changes(found: Sequence[Lineup], score: str, paper: Paper) -> list[_Change]:
    names = short_names(agent for lineup in found for agent in _people(lineup))
    groups: dict[tuple[str, ...], list[Lineup]] = {}
    for lineup in found:
        groups.setdefault(_people(lineup), []).append(lineup)
    known = []
    for people, members in groups.items():
        ways = [(_way(lineup, paper), lineup) for lineup in members]
        # The fewest changes are the usual way: runs without any, or what comes nearest to it.
        base_way, base = min(ways, key=lambda each: len(each[0]))
        for way, lineup in ways:
            if what := ", ".join(f"{name} {value}".strip() for name, value in way if (name, value) not in base_way):
                who = ", ".join(names[agent] for agent in people)
                known.append(_Change(who, what, lineup, base, compare(_sample(lineup, score), _sample(base, score))))
    return [change for change in known if change.found.estimate is not None]


def _people(lineup: Lineup) -> tuple[str, ...]:
    """Name who plays: one name where every seat and every member of a team is the same agent, else seat by seat."""
    known = [leaf for agent in lineup.agents for leaf in _leaves(agent)]
    return (known[0],) if len(set(known)) == 1 else lineup.agents


def _leaves(agent: str) -> list[str]:
    try:
        return list(leaves(agent))
    except UsageError:
        return [agent]


def _way(lineup: Lineup, paper: Paper) -> tuple[tuple[str, str], ...]:
    """Say in what a line-up is not played as usual."""
    way = []
    for name, usual in paper.usual.items():
        values = [str(value) for value in (usual if isinstance(usual, list) else [usual])]
        if name in lineup.options and str(lineup.options[name]) not in values:
            way.append((name.replace("_", " "), str(lineup.options[name])))
    sampling = lineup.cells[0].config.sampling
    if sampling.temperature:
        way.append(("temperature", f"{sampling.temperature:g}"))
    teams = [team for agent in lineup.agents if agent.startswith("team(") and (team := team_of(agent))]
    return (*way, *((f"a team of {len(team.members)}", f"({team.show})") for team in teams))


def _sample(lineup: Lineup, score: str) -> Sample:
    """Return a score by instance; of several episodes of an instance, each."""
    found: dict[tuple[str, int], float | None] = {}
    seen: Counter[str] = Counter()
    for record in lineup.records:
        found[record.instance_id, seen[record.instance_id]] = record.scores.get(score)
        seen[record.instance_id] += 1
    return found


def _figure(known: Sequence[_Change], score: str, paper: Paper, game: str) -> Figure:
    adjusted = corrected(change.found for change in known)
    rows, table, lines, any_published = [], [], [], False
    for change, p_holm in zip(known, adjusted, strict=True):
        found = change.found
        dots = [Dot(0, found.estimate or 0.0, found.ci_low, found.ci_high, found.n)]
        theirs = _published(change, score, paper)
        if theirs is not None:
            dots.append(Dot(0, theirs, hollow=True))
            any_published = True
        rows.append(DotRow(f"{change.who}: {change.what}", tuple(dots)))
        changed, usual = change.changed.overall(score), change.usual.overall(score)
        table.append(
            (
                change.who,
                change.what,
                count(found.n),
                number(changed.mean),
                number(usual.mean),
                with_interval(found, sign=True),
                p_value(found.p),
                p_value(p_holm),
                NONE if theirs is None else signed(theirs),
                found.method,
            )
        )
        if found.n >= FEWEST and p_holm is not None and p_holm < LEVEL:
            way = "better" if (found.estimate or 0.0) > 0 else "worse"
            lines.append(
                f"{change.who} does {way} with {change.what}: {signed(found.estimate)}, p (Holm) {p_value(p_holm)}."
            )
    measure = score.replace("_", " ")
    title = f"Change of {measure}"
    svg = dot_plot(title, f"{measure}, changed minus usual", rows, differences=True)
    caption = (
        f"{title}, {game}: difference of means with its 95 % CI, paired over the same instances where both ways have "
        f"played them; n pairs. The table gives p as found and with Holm's correction over all of them ({len(known)})."
    )
    if any_published:
        caption += f" Hollow marks: differences of the means that {paper.study} prints."
    head = (
        words("agents"),
        words("change"),
        num("n"),
        num("changed"),
        num("usual"),
        num("difference [95 % CI]"),
        num("p"),
        num("p, Holm"),
        num("published"),
        words("method"),
    )
    findings = tuple(lines[:5]) or ("No change makes a difference that can be told from chance.",)
    return Figure(
        (Chart(title, svg),), caption, Table(f"{title}, in numbers", head, tuple(table), folded=True), findings
    )


def _published(change: _Change, score: str, paper: Paper) -> float | None:
    """Return the difference of the printed means, where both ways are printed."""
    one, other = paper.row(score, change.changed), paper.row(score, change.usual)
    if one is None or other is None or one == other:
        return None
    return paper.overall(score, one).mean - paper.overall(score, other).mean
