"""Panels in one picture."""

import base64
from xml.etree import ElementTree as ET

import pytest

from palaver_gamemasters.showing import Panel
from palaver_observability.dashboard.picture import media_type, picture, size_of

SVG = "{http://www.w3.org/2000/svg}"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><script>alert(1)</script></svg>'
PNG = b"\x89PNG\r\n\x1a\n rest"


def drawn(*panels: Panel, titles: bool = True) -> ET.Element:
    return ET.fromstring(picture(panels, titles=titles))


def test_panels_stand_side_by_side_under_their_titles() -> None:
    root = drawn(
        Panel("left", "l", svg=DRAWING, width=100, height=50), Panel("right", "r", png=PNG, width=30, height=40)
    )

    images = root.findall(f"{SVG}image")
    assert [(image.get("x"), image.get("width"), image.get("height")) for image in images] == [
        ("0", "100", "50"),
        ("116", "30", "40"),
    ]
    assert [text.text for text in root.findall(f"{SVG}text")] == ["left", "right"]


def test_a_drawing_goes_in_as_a_picture_so_that_nothing_in_it_runs() -> None:
    data = picture([Panel("it", "words", svg=DRAWING, width=10, height=10)])

    assert b"<script" not in data
    href = ET.fromstring(data).find(f"{SVG}image")
    assert href is not None
    kind, _, body = (href.get("href") or "").partition(";base64,")
    assert (kind, base64.b64decode(body).decode()) == ("data:image/svg+xml", DRAWING)


@pytest.mark.parametrize(
    "said", ["<script>alert(1)</script>", "]]></text><a href='javascript:x'>", "a & b", "\x00\x1b[31m"]
)
def test_words_of_agents_stay_words(said: str) -> None:
    root = drawn(Panel(said, said))

    assert {child.tag.removeprefix(SVG) for child in root.iter()} == {"svg", "title", "desc", "style", "rect", "text"}
    assert "\x1b" not in picture([Panel(said, said)]).decode()


def test_long_words_are_cut_to_what_fits() -> None:
    root = drawn(Panel("it", "\n".join(["x" * 200] * 5000)))

    lines = [text.text or "" for text in root.findall(f"{SVG}text")[1:]]
    assert (len(lines), max(map(len, lines))) == (60, 120)


def test_a_large_drawing_is_shrunk_beside_others_and_left_large_by_itself() -> None:
    large = Panel("it", "words", png=PNG, width=768, height=768)

    assert drawn(large).get("width") == "360"
    assert drawn(large, titles=False).get("width") == "768"
    assert size_of(large) == (768, 768)


def test_nothing_to_see_is_said() -> None:
    assert any("nothing to see" in (text.text or "") for text in drawn().iter(f"{SVG}text"))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"<svg onload='alert(1)'>", None),
        (b"<!doctype html>", None),
    ],
)
def test_pictures_are_told_by_how_they_begin(data: bytes, kind: str | None) -> None:
    assert media_type(data) == kind
