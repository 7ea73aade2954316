"""Relay inference: how early a strong agent must speak (The Collaboration Gap, section 4.4 and Figure 4.6)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from palaver_observability.bounds import bounds_of
from palaver_observability.statistics import Interval, RelayPoint, relay_curve

from ..charts.curves import Baseline, Curve, Point, curves
from ..document import Chart, Figure, Headline, Section, Table, num, words
from ..findings import Contrast, relay_findings
from ..naming import short_names
from ..numbers import NONE, ci, count, p_value, signed, with_interval
from ..samples import corrected, mean_of, sample
from ..study import Cell, Study
from .pairings import cells_by_pair

__all__ = ["relays"]

KINDS = {
    "relay-primer": "primer, the strong agent starts and after K turns the weak one takes its seat",
    "relay-recovery": "recovery, two weak agents talk and after K turns the strong one takes the first seat",
}
WEAK = "weak with weak"


class _Relay(NamedTuple):
    """A strong and a weak agent: by kind the curve over K, and what the two come to without a relay."""

    strong: str
    weak: str
    game: str
    primary: str
    curves: Mapping[str, Sequence[RelayPoint]]
    baselines: Mapping[str, Interval]


def relays(study: Study) -> Section | None:
    """Draw the curves over K for every strong and weak agent, with what the two come to without a relay."""
    found = _relays(study)
    if not found:
        return None
    about = (
        "An agent takes over a seat after K turns, which were said once and are the same in every continuation. The "
        "gain is the relay minus two weak agents, paired over the same instances."
    )
    headline = _headline(found)
    return Section("relays", "Relays", about, tuple(map(_figure, found)), (headline,) if headline else ())


def _relays(study: Study) -> list[_Relay]:
    places: dict[tuple[str, str, str], dict[str, dict[int, list[Cell]]]] = {}
    for cell in study.of(*KINDS):
        k = cell.number("k")
        if k is not None:
            kinds = places.setdefault((cell.text("strong"), cell.text("weak"), cell.config.game), {})
            kinds.setdefault(cell.experiment, {}).setdefault(int(k), []).append(cell)
    plain = cells_by_pair(study.of("homogeneous", "heterogeneous"))
    return [_relay(study.primary(key[2]), key, kinds, plain) for key, kinds in places.items()]


def _relay(
    primary: str,
    key: tuple[str, str, str],
    kinds: Mapping[str, Mapping[int, Sequence[Cell]]],
    plain: Mapping[tuple[str, str], Sequence[Cell]],
) -> _Relay:
    strong, weak, game = key
    pairs = {"strong with strong": (strong, strong), "strong with weak": (strong, weak), WEAK: (weak, weak)}
    cells = {name: [cell for cell in plain.get(pair, ()) if cell.config.game == game] for name, pair in pairs.items()}
    return _Relay(
        *key,
        primary,
        {kind: _curve(kinds[kind], primary, cells[WEAK]) for kind in KINDS if kind in kinds},
        {name: mean_of(each, primary) for name, each in cells.items()},
    )


def _curve(points: Mapping[int, Sequence[Cell]], primary: str, weak: Sequence[Cell]) -> tuple[RelayPoint, ...]:
    samples = {k: sample(cells, primary) for k, cells in points.items()}
    keys = list(dict.fromkeys(key for each in samples.values() for key in each))
    base = sample(weak, primary)
    values = {k: [each.get(key) for key in keys] for k, each in samples.items()}
    return relay_curve(values, [base.get(key) for key in keys] if base else [])


def _figure(relay: _Relay) -> Figure:
    names = short_names((relay.strong, relay.weak))
    who = f"{names[relay.strong]} (strong), {names[relay.weak]} (weak)"
    charts = tuple(Chart(f"{_kind(kind)}: {who}", _chart(relay, kind, who)) for kind in relay.curves)
    told = "; ".join(f"{KINDS[kind]} (n {_counts(points)})" for kind, points in relay.curves.items())
    caption = (
        f"{relay.game}: {told}. Mean ± 1.96 standard errors and n for each K. Dashed, with 95 % bands: the two without "
        "a relay, who starts named first. The table gives p as found and with Holm's correction over all K of "
        "the figure."
    )
    adjusted = _adjusted(relay)
    shows = [
        line
        for kind, points in relay.curves.items()
        for line in relay_findings(
            _kind(kind),
            f"{names[relay.weak]} with {names[relay.weak]}",
            [Contrast(f"K = {point.k}", point.gain, adjusted[kind, point.k]) for point in points],
        )
    ]
    return Figure(charts, caption, _table(relay, who, adjusted), tuple(shows))


def _adjusted(relay: _Relay) -> dict[tuple[str, int], float | None]:
    """Correct the p values of all gains of a figure, by kind and K."""
    points = [(kind, point) for kind, curve in relay.curves.items() for point in curve]
    adjusted = corrected(point.gain for _, point in points)
    return {(kind, point.k): p_holm for (kind, point), p_holm in zip(points, adjusted, strict=True)}


def _counts(points: Sequence[RelayPoint]) -> str:
    """Write how many episodes there are: one number, or one for each K."""
    counts = [count(point.estimate.n) for point in points]
    return counts[0] if len(set(counts)) == 1 else ", ".join(counts)


def _chart(relay: _Relay, kind: str, who: str) -> Markup:
    measure = relay.primary.replace("_", " ")
    points = [
        Point(point.k, each.estimate, each.ci_low, each.ci_high, each.n)
        for point in relay.curves[kind]
        if (each := point.estimate).estimate is not None
    ]
    lines = [
        Baseline(name, each.estimate, each.ci_low, each.ci_high)
        for name, each in relay.baselines.items()
        if each.estimate is not None
    ]
    title = f"{_kind(kind)}, {who}: {measure} over K"
    drawn = (Curve(measure, tuple(points)),)
    return curves(title, "K, turns before the change", measure, drawn, lines, within=bounds_of(relay.primary))


def _table(relay: _Relay, who: str, adjusted: Mapping[tuple[str, int], float | None]) -> Table:
    measure = relay.primary.replace("_", " ")
    rows = [
        (
            f"{_kind(kind)}, K = {point.k}",
            count(point.estimate.n),
            with_interval(point.estimate),
            count(point.gain.n),
            with_interval(point.gain, sign=True) if point.gain.estimate is not None else NONE,
            p_value(point.gain.p),
            p_value(adjusted[kind, point.k]),
            point.gain.method,
        )
        for kind, points in relay.curves.items()
        for point in points
    ]
    rows += [
        (f"no relay, {name}", count(each.n), with_interval(each), NONE, NONE, NONE, NONE, each.method)
        for name, each in relay.baselines.items()
    ]
    head = (
        words("relay"),
        num("n"),
        num(f"{measure} [95 % CI]"),
        num("pairs"),
        num(f"gain over {WEAK}"),
        num("p"),
        num("p, Holm"),
        words("method of the gain"),
    )
    return Table(f"Relays of {who}", head, tuple(rows), folded=True)


def _kind(kind: str) -> str:
    return kind.removeprefix("relay-").capitalize()


def _headline(relays: Sequence[_Relay]) -> Headline | None:
    """Lead with the primer that gains most by the fewest turns: the question of the study."""
    known = [
        (point.gain.estimate, point, relay)
        for relay in relays
        for point in relay.curves.get("relay-primer", ())[:1]
        if point.gain.estimate is not None
    ]
    if not known:
        return None
    value, point, relay = max(known, key=lambda each: each[0])
    names = short_names((relay.strong, relay.weak))
    detail = f"{ci(point.gain.ci_low, point.gain.ci_high)}, n {count(point.gain.n)} pairs; {point.gain.method}"
    largest = "largest gain" if len(known) > 1 else "gain"
    label = f"{largest} when {names[relay.strong]} primes {names[relay.weak]} for K = {point.k} turns"
    return Headline(signed(value), label, detail)
