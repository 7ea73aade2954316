"""Order effects: the same two agents, with the one or the other to start (The Collaboration Gap, section 4.3)."""

from dataclasses import dataclass

from palaver_observability.statistics import Comparison, Interval

from ..charts.dots import Dot, DotRow, dot_plot
from ..document import Chart, Figure, Headline, Section, Table, num, words
from ..findings import Contrast, order_findings
from ..naming import short_names
from ..numbers import ci, count, number, p_value, signed, with_interval
from ..places import places_of
from ..samples import Conditions, compare, conditions, corrected, mean_of, sample
from ..study import Study
from .pairings import cells_by_pair
from .published import Published, published_of

__all__ = ["order"]


@dataclass(frozen=True, slots=True)
class _Effect:
    first: str
    second: str
    leads: Interval
    follows: Interval
    found: Comparison
    p_holm: float | None


def order(study: Study) -> Section | None:
    """Compare A-B with B-A for every two agents that have played in both orders."""
    figures: list[Figure] = []
    headlines: list[Headline] = []
    for found in conditions(study, study.of("heterogeneous")):
        if effects := _effects(found):
            figures.append(_figure(found, effects, published_of(study, found.game)))
            headlines.append(_headline(found, effects))
    if not figures:
        return None
    places = places_of(study.cells)
    placed = f"is the {places.first}" if places.by else places.first
    about = (
        "The same two agents on the same instances, in both orders. Above zero, the pair does better when the "
        f"first-named agent {placed}."
    )
    return Section("order", "Order effects", about, tuple(figures), tuple(headlines[:1]))


def _effects(found: Conditions) -> list[_Effect]:
    pairs = cells_by_pair(found.cells)
    known: list[tuple[str, str, Interval, Interval, Comparison]] = []
    for (first, second), cells in pairs.items():
        other = pairs.get((second, first))
        if other is None or any({first, second} == {one, two} for one, two, *_ in known):
            continue
        compared = compare(sample(cells, found.primary), sample(other, found.primary))
        if compared.estimate is not None:
            known.append((first, second, mean_of(cells, found.primary), mean_of(other, found.primary), compared))
    adjusted = corrected(compared for *_, compared in known)
    return [_Effect(*each, p_holm) for each, p_holm in zip(known, adjusted, strict=True)]


def _figure(found: Conditions, effects: list[_Effect], published: Published | None) -> Figure:
    places = places_of(found.cells)
    names = short_names(name for each in effects for name in (each.first, each.second))
    rows, table, any_published = [], [], False
    for each in effects:
        dots = [Dot(0, each.found.estimate or 0.0, each.found.ci_low, each.found.ci_high, each.found.n)]
        their = _their(published, found.primary, each)
        if their is not None:
            dots.append(Dot(0, their, hollow=True))
            any_published = True
        rows.append(DotRow(f"{names[each.first]} before {names[each.second]}", tuple(dots)))
        table.append(
            (
                each.first,
                each.second,
                with_interval(each.leads),
                with_interval(each.follows),
                count(each.found.n),
                with_interval(each.found, sign=True),
                p_value(each.found.p),
                p_value(each.p_holm),
                signed(their),
                each.found.method,
            )
        )
    measure = found.primary.replace("_", " ")
    title = f"Order effect on {measure}{f' ({found.name})' if found.name else ''}"
    svg = dot_plot(
        title,
        f"{measure}: {places.starting('first-named')} minus {places.starting('second-named')}",
        rows,
        differences=True,
    )
    caption = (
        f"{title}: difference of means with its 95 % CI, paired over the same instances; n pairs. The table gives p "
        f"as found and with Holm's correction over all of them ({len(effects)})."
    )
    if any_published:
        caption += " Hollow marks: differences of the published means."
    head = (
        words("A"),
        words("B"),
        num(places.starting("A")),
        num(places.starting("B")),
        num("n"),
        num(f"{places.starting('A')} minus {places.starting('B')}"),
        num("p"),
        num("p, Holm"),
        num("published"),
        words("method"),
    )
    shows = order_findings(
        [
            (one, other, Contrast(f"{one} with {other}", each.found, each.p_holm))
            for each in effects
            for one, other in ((names[each.first], names[each.second]),)
        ],
        places,
    )
    return Figure((Chart(title, svg),), caption, Table("Order effects", head, tuple(table), folded=True), shows)


def _their(published: Published | None, score: str, each: _Effect) -> float | None:
    if published is None:
        return None
    leads = published.pairing(score, each.first, each.second)
    follows = published.pairing(score, each.second, each.first)
    return leads.mean - follows.mean if leads and follows else None


def _headline(found: Conditions, effects: list[_Effect]) -> Headline:
    names = short_names(name for each in effects for name in (each.first, each.second))
    largest = max(effects, key=lambda each: abs(each.found.estimate or 0.0))
    compared = largest.found
    detail = (
        f"{ci(compared.ci_low, compared.ci_high)}, n {count(compared.n)}, "
        f"p (Holm) {p_value(largest.p_holm)}; "
        f"{number(largest.leads.estimate)} against {number(largest.follows.estimate)}"
    )
    starting = places_of(found.cells).starting(names[largest.first])
    label = f"largest order effect: {starting} rather than {names[largest.second]}"
    return Headline(signed(compared.estimate), label, detail)
