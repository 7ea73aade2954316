"""Curves over what a study varies: size, density, number of agents (The Collaboration Gap, appendix B)."""

from collections.abc import Sequence

from palaver_observability.bounds import bounds_of

from ..charts.curves import Curve, Point, curves
from ..document import Chart, Figure, Section, Table, num, words
from ..naming import short_names
from ..numbers import NONE, count, number, with_interval
from ..samples import mean_of, success_of
from ..study import Cell, Study

__all__ = ["ablations", "groups"]


def ablations(study: Study) -> Section | None:
    """Draw the curves over size and density."""
    figures = [
        figure
        for experiment, axis in (("size", "size, cells a side"), ("density", "density, share of walls"))
        for figure in _figures(study, experiment, experiment, axis)
    ]
    about = "The same task, harder or easier. Each point is a run of its own."
    return Section("ablations", "Size and density", about, tuple(figures)) if figures else None


def groups(study: Study) -> Section | None:
    """Draw the curve over the number of agents."""
    figures = _figures(study, "group", "agents", "agents that share the task")
    about = "The task divided among more than two agents. What was said behind seats is counted as asides."
    return Section("groups", "Number of agents", about, tuple(figures)) if figures else None


def _figures(study: Study, experiment: str, what: str, axis: str) -> list[Figure]:
    cells = [cell for cell in study.of(experiment) if cell.number(what) is not None]
    return [
        _figure([cell for cell in cells if cell.config.game == game], study.primary(game), what, axis)
        for game in dict.fromkeys(cell.config.game for cell in cells)
    ]


def _figure(cells: Sequence[Cell], primary: str, what: str, axis: str) -> Figure:
    grouped: dict[str, dict[float, list[Cell]]] = {}
    for cell in cells:
        at = cell.number(what)
        if at is not None:
            grouped.setdefault(cell.text("model"), {}).setdefault(at, []).append(cell)
    names = short_names(grouped)
    drawn, rows = [], []
    for model, places in grouped.items():
        points = []
        for at, here in sorted(places.items()):
            found, solved = mean_of(here, primary), success_of(record for cell in here for record in cell.played)
            if found.estimate is not None:
                points.append(Point(at, found.estimate, found.ci_low, found.ci_high, found.n))
            rows.append(
                (
                    model,
                    f"{at:g}",
                    count(found.n),
                    with_interval(found),
                    with_interval(solved) if solved else NONE,
                    _asides(here),
                )
            )
        drawn.append(Curve(names[model], tuple(points)))
    measure = primary.replace("_", " ")
    title = f"{measure[:1].upper()}{measure[1:]} by {axis.partition(',')[0]}"
    svg = curves(f"{title}, a curve for each agent", axis, measure, drawn, within=bounds_of(primary))
    least, most = min(_ns(drawn)), max(_ns(drawn))
    n = f"n {count(least)}" if least == most else f"n {count(least)} to {count(most)}"
    caption = f"{title}, {cells[0].config.game}: mean ± 1.96 standard errors, {n} at each point."
    head = (
        words("agent"),
        num(what),
        num("n"),
        num(f"{measure} [95 % CI]"),
        num("success [Wilson 95 % CI]"),
        num("asides a turn"),
    )
    return Figure((Chart(title, svg),), caption, Table(f"{title}, in numbers", head, tuple(rows), folded=True))


def _ns(drawn: Sequence[Curve]) -> list[int]:
    """Return the n of every point; a 0 where there is none."""
    return [point.n for curve in drawn for point in curve.points] or [0]


def _asides(cells: Sequence[Cell]) -> str:
    turns = sum(record.turns for cell in cells for record in cell.played)
    return number(sum(record.asides for cell in cells for record in cell.played) / turns) if turns else NONE
