"""Numbers and drawings: what is written, where it lands, what is escaped."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_observability.report.charts.bars import Bar, bars
from palaver_observability.report.charts.curves import Baseline, Curve, Point, curves
from palaver_observability.report.charts.dots import Dot, DotRow, dot_plot
from palaver_observability.report.charts.heat import Heat, heat_map
from palaver_observability.report.numbers import dollars, number, p_value, signed
from palaver_observability.report.svg import Scale, fit, limits, ticks

HOSTILE = '"><script>&</text>'
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).filter(
    lambda name: not set(name) & {"\ufffe", "\uffff"}
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "\N{EN DASH}"),
        (0.6239, "0.62"),
        (-0.05, "\N{MINUS SIGN}0.05"),
        (0.004, "0.004"),
        (-0.0001, "0.000"),
        (12.34, "12.3"),
        (1234.5, "1\N{NARROW NO-BREAK SPACE}234"),
        (0.0, "0.00"),
    ],
)
def test_numbers_have_as_many_decimals_as_mean_something(value: float | None, text: str) -> None:
    assert number(value) == text


def test_differences_have_a_sign_and_prices_a_word() -> None:
    assert (signed(0.2), signed(-0.2), signed(0.0)) == ("+0.20", "\N{MINUS SIGN}0.20", "0.00")
    assert (dollars(None), dollars(0.0), dollars(2.5), dollars(0.0123)) == (
        "no price known",
        "$0.00",
        "$2.50",
        "$0.0123",
    )
    assert (p_value(0.0004), p_value(0.0312), p_value(0.5)) == ("<\N{NARROW NO-BREAK SPACE}0.001", "0.031", "0.50")


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.sampled_from([(), (0.0,), (0.0, 1.0)]))
def test_limits_hold_all_values_and_have_a_few_ticks(values: list[float], include: tuple[float, ...]) -> None:
    low, high = limits(values, include=include)
    assert low < high
    noise = 1e-6 * (high - low)
    assert low <= min(values) + noise
    assert high >= max(values) - noise
    assert 2 <= len(ticks(low, high)) <= 8


def test_a_scale_keeps_values_within_its_ends() -> None:
    scale = Scale(0.0, 2.0, 100.0, 200.0)
    assert (scale(0.0), scale(1.0), scale(2.0), scale(9.0)) == (100.0, 150.0, 200.0, 200.0)


def test_long_names_lose_their_middle() -> None:
    assert fit("short", 500) == "short"
    assert fit("openai/a-very-long-model-name-mini", 80) == "opena…-mini"


def well_formed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


@given(NAMES)
def test_every_chart_is_well_formed_whatever_names_hold(name: str) -> None:
    heat = heat_map(name, [name], [name], {(name, name): Heat(0.5, 0.4, 0.6, 3)})
    dots = dot_plot(name, name, [DotRow(name, (Dot(0, 0.5), Dot(7, -0.5, -1.0, 0.0, 3)))], [name])
    curve = curves(name, name, name, (Curve(name, (Point(2, 0.5, None, None, 1),)),), [Baseline(name, 0.4, 0.3, 0.5)])
    for svg in (heat, dots, curve, bars(name, name, [Bar(name, 3.0, name)])):
        root = well_formed(svg)
        assert root[0].tag == "title"
        assert root[0].text == name


def test_names_are_escaped_in_drawings() -> None:
    svg = heat_map("map", [HOSTILE], ["b"], {(HOSTILE, "b"): Heat(0.5)})
    assert "<script>" not in svg
    assert HOSTILE in "".join(well_formed(svg).itertext())


def test_charts_without_points_are_drawn_all_the_same() -> None:
    for svg in (heat_map("none", ["a"], ["b"], {}), curves("none", "x", "y", ()), dot_plot("none", "x", [])):
        well_formed(svg)


def test_intervals_are_drawn_no_farther_than_their_measure_goes() -> None:
    rows = [DotRow("a", (Dot(0, 1.0, -0.92, 2.92, 4),))]
    svg = dot_plot("messages", "x", rows, within=(0.0, None))
    scale = [each.text for each in well_formed(svg).iter("text") if each.attrib.get("class") == "tick"]
    assert scale[0] == "0.00"
    assert "1.00 [\N{MINUS SIGN}0.92, 2.92]" in svg


def test_curves_and_their_baselines_stay_within_their_measure() -> None:
    point, line = Point(1, 0.9, 0.5, 1.4, 3), Baseline("b", 0.2, -0.3, 0.7)
    svg = curves("shares", "x", "y", (Curve("c", (point,)),), [line], within=(0.0, 1.0))
    heights = [each.text for each in well_formed(svg).iter("text") if each.attrib.get("text-anchor") == "end"]
    assert (heights[0], heights[-1]) == ("0.00", "1.00")


def test_what_others_have_published_is_hollow() -> None:
    svg = dot_plot("both", "x", [DotRow("a", (Dot(0, 0.5, n=4), Dot(0, 0.6, hollow=True)))])
    marks = [
        each.attrib["class"] for each in well_formed(svg).iter() if each.attrib.get("class", "").startswith("mark")
    ]
    assert marks == ["mark s0", "mark s0 hollow"]


def test_labels_of_baselines_do_not_cover_each_other() -> None:
    lines = [Baseline(name, mean) for name, mean in (("one", 0.50), ("two", 0.51), ("three", 0.52))]
    root = well_formed(curves("close", "x", "y", (Curve("c", (Point(1, 0.5, 0.4, 0.6, 9),)),), lines))
    places = sorted(float(each.attrib["y"]) for each in root.iter("text") if each.text in ("one", "two", "three"))
    assert min(b - a for a, b in pairwise(places)) >= 30


def test_curves_are_named_where_they_end_however_many_there_are() -> None:
    drawn = [Curve(f"model {at}", (Point(1, 0.9, None, None, 1), Point(2, 0.5, None, None, 1))) for at in range(30)]
    root = well_formed(curves("many", "x", "y", drawn))
    places = [float(each.attrib["y"]) for each in root.iter("text") if (each.text or "").startswith("model ")]
    assert len(places) == 30
    assert all(0 < place < float(root.attrib["height"]) for place in places)
    assert min(b - a for a, b in pairwise(sorted(places))) >= 15
