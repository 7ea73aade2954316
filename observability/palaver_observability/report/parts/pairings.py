"""Pairing heat maps: who starts by who follows (The Collaboration Gap, Figure 4.3 and Tables 2 and 3)."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ..charts.heat import Heat, heat_map
from ..document import Chart, Figure, Headline, Section, Table, num, words
from ..naming import short_names
from ..numbers import NONE, between, ci, count, number
from ..places import Places, places_of
from ..samples import SUCCESS, Conditions, conditions, mean_of, success_of
from ..study import Cell, Study
from .published import Published, published_of

__all__ = ["cells_by_pair", "pairings"]


def cells_by_pair(cells: Sequence[Cell]) -> dict[tuple[str, str], list[Cell]]:
    """Return runs of two agents by who has the first place and who the second."""
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        if cell.experiment == "homogeneous":
            found.setdefault((cell.text("model"), cell.text("model")), []).append(cell)
        elif cell.experiment == "heterogeneous":
            found.setdefault((cell.text("first"), cell.text("second")), []).append(cell)
    return found


def pairings(study: Study) -> Section | None:
    """Draw a heat map of each score and condition."""
    figures: list[Figure] = []
    headlines: list[Headline] = []
    for found in conditions(study, study.of("homogeneous", "heterogeneous")):
        pairs = cells_by_pair(found.cells)
        published = published_of(study, found.game)
        known = published is not None and any(published.pairing(found.primary, *pair) for pair in pairs)
        if len(pairs) < 2 and not known:
            continue
        primary = {pair: _mean(cells, found.primary) for pair, cells in pairs.items()}
        solved = {pair: _share(cells) for pair, cells in pairs.items()}
        agents = study.in_order(agent for pair in pairs for agent in pair)
        figures.append(_figure(found, found.primary, agents, primary, published))
        if found.primary != SUCCESS and any(solved.values()):
            figures.append(_figure(found, SUCCESS, agents, solved, published))
        headlines += _headline(found, primary)
    if not figures:
        return None
    about = f"Two agents, each with its part of the task. {_of_the_map(places_of(study.cells))}."
    return Section("pairings", "Pairings", about, tuple(figures), tuple(headlines[:1]))


def _mean(cells: Sequence[Cell], score: str) -> Heat | None:
    found = mean_of(cells, score)
    return None if found.estimate is None else Heat(found.estimate, found.ci_low, found.ci_high, found.n)


def _share(cells: Sequence[Cell]) -> Heat | None:
    found = success_of(record for cell in cells for record in cell.played)
    if found is None or found.estimate is None:
        return None
    return Heat(found.estimate, found.ci_low, found.ci_high, found.n)


def _figure(
    found: Conditions,
    score: str,
    agents: Sequence[str],
    ours: Mapping[tuple[str, str], Heat | None],
    published: Published | None,
) -> Figure:
    names = short_names(agents)
    theirs = {pair: heat for pair in ours if published and (heat := published.pairing(score, *pair))}
    title = f"{score.replace('_', ' ').capitalize()}{f' ({found.name})' if found.name else ''}"
    places = places_of(found.cells)
    charts = [Chart(f"{title}, measured here", _map(title, agents, names, ours, places))]
    if theirs:
        charts.append(Chart(f"{title}, published", _map(f"{title}, as published", agents, names, theirs, places)))
    method = "share solved with Wilson's 95 % interval" if score == SUCCESS else "mean ± 1.96 standard errors"
    caption = f"{title} of {found.game} for each ordered pairing: {method}; n episodes in each cell."
    if theirs and published:
        caption += f" Beside it the figures of {published.study} for the same pairings."
    return Figure(tuple(charts), caption, _table(title, ours, theirs, places))


def _of_the_map(places: Places) -> str:
    return f"The row is {_who(places.first, places)}, the column {_who(places.second, places)}"


def _who(place: str, places: Places) -> str:
    return f"the {place}" if places.by else f"who {place}"


def _map(
    title: str,
    agents: Sequence[str],
    names: Mapping[str, str],
    found: Mapping[tuple[str, str], Heat | None],
    places: Places,
) -> Markup:
    shown = {(names[first], names[second]): heat for (first, second), heat in found.items() if heat}
    rows = [names[agent] for agent in agents]
    return heat_map(f"Heat map of {title}. {_of_the_map(places)}", rows, rows, shown, places=places)


def _table(
    title: str, ours: Mapping[tuple[str, str], Heat | None], theirs: Mapping[tuple[str, str], Heat], places: Places
) -> Table:
    head = [words(places.first), words(places.second), num("n"), num("mean"), num("95 % CI")]
    head += [num("published"), num("published CI"), num("ours minus published")] if theirs else []
    rows = []
    for pair, heat in ours.items():
        row = [*pair, *_numbers(heat)]
        if theirs:
            their = theirs.get(pair)
            row += [number(their.mean), between(their.low, their.high)] if their else [NONE, NONE]
            row.append(number(heat.mean - their.mean) if heat and their else NONE)
        rows.append(tuple(row))
    return Table(f"{title} by pairing", tuple(head), tuple(rows), folded=True)


def _numbers(heat: Heat | None) -> tuple[str, str, str]:
    if heat is None:
        return "0", NONE, NONE
    return count(heat.n or 0), number(heat.mean), between(heat.low, heat.high) or NONE


def _headline(found: Conditions, primary: Mapping[tuple[str, str], Heat | None]) -> list[Headline]:
    known = {pair: heat for pair, heat in primary.items() if heat}
    if not known:
        return []
    names = short_names(agent for pair in primary for agent in pair)
    (first, second), best = max(known.items(), key=lambda each: each[1].mean)
    detail = f"{ci(best.low, best.high)}, n {count(best.n or 0)}; mean ± 1.96 SE"
    label = (
        f"best pairing, {found.primary.replace('_', ' ')}: {places_of(found.cells).pair(names[first], names[second])}"
    )
    return [Headline(number(best.mean), label, detail)]
