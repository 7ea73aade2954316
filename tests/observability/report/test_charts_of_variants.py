"""Scatter plots, stacked bars and heat maps without pairs: where things land, and that nothing covers names."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from palaver_observability.report.charts.curves import Curve, Point, curves
from palaver_observability.report.charts.heat import Heat, heat_map
from palaver_observability.report.charts.scatter import Contour, Spot, scatter
from palaver_observability.report.charts.stacks import Stack, stacks
from palaver_observability.report.svg import width_of

SVG = "{http://www.w3.org/2000/svg}"
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=30).filter(
    lambda name: not set(name) & {"\ufffe", "\uffff"}
)


def elements(svg: str, name: str) -> list[ET.Element]:
    return [each for each in ET.fromstring(svg).iter() if each.tag.removeprefix(SVG) == name]


@given(NAMES, st.floats(0.01, 1e6), st.floats(0, 1))
def test_they_are_well_formed_whatever_names_and_places_are(name: str, x: float, y: float) -> None:
    for svg in (
        scatter(name, name, name, [Spot(name, x, y, low=y, high=y), Spot(name, x, y, None, hollow=True)]),
        stacks(name, [name, name], [Stack(name, (y, 1 - y), name), Stack(name, (0.0, 0.0))]),
        heat_map(name, [name], [name], {(name, name): Heat(y)}, places=None),
    ):
        assert ET.fromstring(svg).tag == "svg"


def test_nothing_to_draw_is_drawn_all_the_same() -> None:
    assert elements(scatter("n", "x", "y", []), "title")[0].text == "n"
    assert elements(stacks("n", [], []), "title")[0].text == "n"


def test_ten_times_the_tokens_are_the_same_way_to_the_right() -> None:
    svg = scatter("n", "x", "y", [Spot(f"p{power}", 10.0**power, 0.5) for power in (1, 2, 3)])
    one, two, three = (float(each.attrib["cx"]) for each in elements(svg, "circle"))
    assert abs((two - one) - (three - two)) < 0.02
    assert two > one


def test_names_of_points_that_lie_together_do_not_cover_each_other() -> None:
    spots = [Spot(f"a model of some name {at}", 500.0 + 10 * at, 0.2 + 0.003 * at) for at in range(9)]
    texts = [each for each in elements(scatter("n", "x", "y", spots), "text") if "model" in (each.text or "")]
    boxes = [(float(each.attrib["x"]), float(each.attrib["y"]), width_of(each.text or "")) for each in texts]
    assert len(boxes) == 9
    for one, other in combinations(boxes, 2):
        apart = abs(one[1] - other[1]) >= 12 or one[0] + one[2] <= other[0] or other[0] + other[2] <= one[0]
        assert apart, (one, other)


def test_a_point_of_nobody_has_no_series() -> None:
    (one,) = elements(scatter("n", "x", "y", [Spot("theirs", 10, 0.5, None, hollow=True)]), "circle")
    assert one.attrib["class"] == "mark other hollow"
    assert one[0].text == "theirs, published: 0.50 at 10"


def test_lines_of_the_same_worth_are_cut_at_the_edges() -> None:
    contour = Contour("0.5", ((0.001, 0.5), (100.0, 0.5), (200.0, 0.6), (1e9, 0.7)))
    (line,) = elements(scatter("n", "x", "y", [Spot("p", 100, 0.5)], [contour]), "polyline")
    assert len(line.attrib["points"].split()) == 2


def test_pieces_are_as_long_as_their_shares_and_fill_the_bar() -> None:
    svg = stacks("n", ["a", "b", "c"], [Stack("x", (0.5, 0.25, 0.25))])
    wide = [float(each.attrib["width"]) for each in elements(svg, "rect") if float(each.attrib["height"]) > 20]
    assert abs(wide[0] - 2 * wide[1]) < 0.02
    assert wide[1] == wide[2]


def test_a_bar_of_nothing_says_so() -> None:
    texts = [each.text for each in elements(stacks("n", ["a"], [Stack("x", (0.0,))]), "text")]
    assert "none" in texts


def test_a_heat_map_without_pairs_says_nothing_of_who_starts() -> None:
    svg = heat_map("n", ["a"], ["wire"], {("a", "wire"): Heat(0.5, n=3)}, places=None)
    assert "starts" not in svg
    assert "follows" not in svg
    assert "a, wire: 0.50 , n 3" in svg or "a, wire: 0.50, n 3" in svg


def test_a_published_point_has_the_colour_of_its_curve_and_is_hollow() -> None:
    ours = Curve("o3", (Point(1, 0.1, 0.0, 0.2, 9), Point(2, 0.2, 0.1, 0.3, 9)), series=2)
    theirs = Curve("o3, published", (Point(2, 0.3, None, None, 100),), hollow=True, series=2)
    svg = curves("n", "x", "y", [ours, theirs], right=240)
    assert len(re.findall(r'class="mark s2 hollow"', svg)) == 2  # in the drawing, and beside its name
    assert len(re.findall(r'class="curve s2"', svg)) == 1
