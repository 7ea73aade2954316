"""The kit for vector pictures: what goes in comes out as what it was, or not at all."""

from xml.etree import ElementTree as ET

import pytest

from palaver_gamemasters import svg

SVG = "{http://www.w3.org/2000/svg}"


def root_of(*children: svg.Element, title: str = "") -> ET.Element:
    return ET.fromstring(svg.document(100, 50, *children, title=title))


def test_a_document_has_its_size_a_view_box_and_a_title() -> None:
    root = root_of(title="a <maze>")
    assert (root.attrib["width"], root.attrib["height"], root.attrib["viewBox"]) == ("100", "50", "0 0 100 50")
    assert root.findtext(f"{SVG}title") == "a <maze>"


@pytest.mark.parametrize("said", ["<script>alert(1)</script>", "a & b", '"quoted"', "</text><g onload='x'>", "]]>"])
def test_words_are_shown_as_they_are(said: str) -> None:
    root = root_of(svg.words(1, 2, said))
    assert [element.text for element in root] == [said]


def test_letters_that_no_xml_may_hold_are_replaced() -> None:
    assert root_of(svg.words(1, 2, "a\x00\x1b\ud800\uffffb"))[0].text == "a\ufffd\ufffd\ufffd\ufffdb"


def test_an_attribute_cannot_break_out_of_its_quotes() -> None:
    (drawn,) = root_of(svg.rectangle(0, 0, 1, 1, '"/><script/>'))
    assert drawn.attrib["fill"] == '"/><script/>'


@pytest.mark.parametrize("name", ["script", "style", "foreignObject", "a", "use", "animate", "g><script"])
def test_nothing_that_runs_or_fetches_can_be_built(name: str) -> None:
    with pytest.raises(ValueError, match="no element"):
        svg.element(name)


@pytest.mark.parametrize("name", ["onload", "onClick", "style", "x onload", "=x"])
def test_no_handler_and_no_style_can_be_attached(name: str) -> None:
    with pytest.raises(ValueError, match="no attribute"):
        svg.element("g", **{name: "alert(1)"})


@pytest.mark.parametrize("link", ["https://example.org/a.png", "javascript:alert(1)", "data:text/html,x", "//x"])
def test_no_link_leads_outside(link: str) -> None:
    with pytest.raises(ValueError, match="nothing outside"):
        svg.element("image", href=link)


@pytest.mark.parametrize("fill", ["url(https://example.org/#a)", "URL('//x')", "url( #a)"])
def test_no_paint_is_fetched(fill: str) -> None:
    with pytest.raises(ValueError, match="nothing outside"):
        svg.rectangle(0, 0, 1, 1, fill)


def test_a_picture_comes_along_with_all_its_bytes() -> None:
    (image,) = root_of(svg.png(0, 0, 2, 2, b"\x89PNG"))
    assert image.attrib["href"] == "data:image/png;base64,iVBORw=="


def test_numbers_are_short_and_none_leaves_an_attribute_out() -> None:
    assert svg.element("circle", r=1.0, cx=1 / 3, cy=2, fill=None) == '<circle r="1" cx="0.33" cy="2"/>'


def test_hyphens_and_words_of_python_can_be_named() -> None:
    assert svg.element("g", stroke_width=2, class_="wall") == '<g stroke-width="2" class="wall"/>'


def test_a_path_goes_from_point_to_point() -> None:
    drawn = svg.path([(0, 0), (1.5, 0), (1.5, 2)], closed=True, fill="red")
    assert drawn == '<path d="M0 0L1.5 0L1.5 2Z" fill="red"/>'
