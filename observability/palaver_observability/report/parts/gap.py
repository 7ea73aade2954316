"""The collaboration gap: what an agent loses when its own copy holds half of the task (section 4 of the study)."""

from collections.abc import Sequence
from dataclasses import dataclass

from palaver_observability.bounds import bounds_of
from palaver_observability.statistics import Comparison

from ..charts.dots import Dot, DotRow, dot_plot
from ..charts.heat import Heat
from ..document import Chart, Figure, Headline, Section, Table, num, words
from ..findings import Contrast, gap_findings
from ..naming import short_names
from ..numbers import NONE, between, ci, count, number, p_value, with_interval
from ..samples import Conditions, compare, conditions, corrected, mean_of, sample
from ..study import Cell, Study
from .published import Published, published_of

__all__ = ["gap"]

SETTINGS = ("solo-full", "solo-distributed", "homogeneous")


@dataclass(frozen=True, slots=True)
class _Model:
    name: str
    cells: dict[str, list[Cell]]
    gap: Comparison | None


def gap(study: Study) -> Section | None:
    """Compare each agent alone, with both halves, to two copies of it with a half each."""
    figures: list[Figure] = []
    headlines: list[Headline] = []
    for found in conditions(study, study.of(*SETTINGS)):
        models = _models(found, study)
        if not any(len(model.cells) > 1 for model in models):
            continue
        figures += _figures(found, models, published_of(study, found.game))
        headlines += _headline(models)
    if not figures:
        return None
    about = (
        "What working together costs: an agent alone that sees the whole task (solo-full), alone with both partial "
        "copies (solo-distributed), and two copies of it that hold one each and have to talk (homogeneous). The gap is "
        "solo-distributed minus homogeneous; above zero, collaboration loses what one agent could do alone."
    )
    return Section("gap", "Collaboration gap", about, tuple(figures), tuple(headlines[:1]))


def _models(found: Conditions, study: Study) -> list[_Model]:
    cells: dict[str, dict[str, list[Cell]]] = {}
    for cell in found.cells:
        cells.setdefault(cell.text("model"), {}).setdefault(cell.experiment, []).append(cell)
    models = []
    for name in study.in_order(cells):
        by = cells[name]
        alone, together = by.get("solo-distributed"), by.get("homogeneous")
        lost = compare(sample(alone, found.primary), sample(together, found.primary)) if alone and together else None
        models.append(_Model(name, by, lost))
    return models


def _figures(found: Conditions, models: Sequence[_Model], published: Published | None) -> list[Figure]:
    names = short_names(model.name for model in models)
    rows, table, series = [], [], list(SETTINGS)
    for model in models:
        dots = []
        for at, setting in enumerate(SETTINGS):
            ours = mean_of(model.cells.get(setting, ()), found.primary)
            their = _their(published, setting, model.name, found.primary)
            if ours.estimate is not None:
                dots.append(Dot(at, ours.estimate, ours.ci_low, ours.ci_high, ours.n))
            if their:
                dots.append(Dot(at, their.mean, their.low, their.high, their.n, hollow=True))
            table.append((model.name, setting, count(ours.n), with_interval(ours), _text(their)))
        rows.append(DotRow(names[model.name], tuple(dots)))
    measure = found.primary.replace("_", " ")
    svg = dot_plot(
        f"{measure} alone and together", measure, rows, series, include=(0.0, 1.0), within=bounds_of(found.primary)
    )
    caption = (
        f"{_with(measure, found)} of {found.game} alone and together: mean ± 1.96 standard errors, n at each mark."
    )
    if any(dot.hollow for row in rows for dot in row.dots):
        caption += " Hollow marks are published figures."
    head = (words("agent"), words("setting"), num("n"), num("mean [95 % CI]"), num("published"))
    settings = Figure(
        (Chart(f"{_with(measure, found)} alone and together", svg),),
        caption,
        Table("Alone and together", head, tuple(table), folded=True),
    )
    return [settings, *_gaps(found, models, names)]


def _gaps(found: Conditions, models: Sequence[_Model], names: dict[str, str]) -> list[Figure]:
    known = [(model, model.gap) for model in models if model.gap and model.gap.estimate is not None]
    if not known:
        return []
    adjusted = corrected(gap for _, gap in known)
    rows = [
        DotRow(names[model.name], (Dot(0, gap.estimate or 0.0, gap.ci_low, gap.ci_high, gap.n),))
        for model, gap in known
    ]
    measure = f"gap in {found.primary.replace('_', ' ')}"
    svg = dot_plot(
        "Collaboration gap of each agent", f"{measure}: solo-distributed minus homogeneous", rows, differences=True
    )
    table = tuple(
        (
            model.name,
            count(gap.n),
            with_interval(gap, sign=True),
            p_value(gap.p),
            p_value(p_holm),
            number(gap.effect),
            gap.method,
        )
        for (model, gap), p_holm in zip(known, adjusted, strict=True)
    )
    head = (words("agent"), num("n"), num("gap [95 % CI]"), num("p"), num("p, Holm"), num("effect"), words("method"))
    caption = (
        f"Collaboration gap of each agent{f' ({found.name})' if found.name else ''}: difference of means with its 95 % "
        "CI, paired over the same instances where both settings have played them; n pairs. The table gives p as found "
        f"and with Holm's correction over all of them ({len(known)})."
    )
    shows = gap_findings(
        [Contrast(names[model.name], gap, p_holm) for (model, gap), p_holm in zip(known, adjusted, strict=True)]
    )
    return [Figure((Chart(measure.capitalize(), svg),), caption, Table("The gap", head, table, folded=True), shows)]


def _their(published: Published | None, setting: str, agent: str, score: str) -> Heat | None:
    if published is None:
        return None
    return published.pairing(score, agent, agent) if setting == "homogeneous" else published.alone(setting, agent)


def _text(heat: Heat | None) -> str:
    return f"{number(heat.mean)} {between(heat.low, heat.high)}".rstrip() if heat else NONE


def _with(measure: str, found: Conditions) -> str:
    return f"{measure[:1].upper()}{measure[1:]}{f' ({found.name})' if found.name else ''}"


def _headline(models: Sequence[_Model]) -> list[Headline]:
    known = [model.gap for model in models if model.gap and model.gap.estimate is not None]
    if not known:
        return []
    names = short_names(model.name for model in models)
    widest = max(
        (model for model in models if model.gap in known), key=lambda model: (model.gap and model.gap.estimate) or 0
    )
    found = widest.gap
    if found is None:
        return []
    value = with_interval(found, sign=True).partition(" ")[0]
    detail = f"{ci(found.ci_low, found.ci_high)}, n {count(found.n)}; {found.method}"
    return [Headline(value, f"widest collaboration gap: {names[widest.name]}", detail)]
