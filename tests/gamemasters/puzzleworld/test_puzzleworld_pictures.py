"""Pictures as models are shown them: small enough, whole or in strips."""

from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from palaver_gamemasters.puzzleworld.checking import checked
from palaver_gamemasters.puzzleworld.pictures import picture_of
from palaver_gamemasters.puzzleworld.puzzle import Page
from palaver_gamemasters.puzzleworld.shares import Piece, caption, dealt, span, whole
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError
from tests.gamemasters.puzzleworld.puzzle_folders import paint


def page(file: Path, words: str | None = None) -> Page:
    return Page(file=file, sha256=checked("test", file), words=words)


def opened(image: Image) -> Pillow.Image:
    assert image.data is not None
    return Pillow.open(BytesIO(image.data))


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((2048, 1024), (1024, 512)),
        ((1000, 3000), (341, 1024)),
        ((1024, 1024), (1024, 1024)),
        ((30, 20), (30, 20)),
        ((5000, 1), (1024, 1)),
    ],
)
def test_the_longest_side_is_bounded(tmp_path: Path, size: tuple[int, int], shown: tuple[int, int]) -> None:
    image = picture_of(page(paint(tmp_path / "content.png", size)), 1024)
    assert (image.width, image.height, image.media_type) == (*shown, "image/png")


def test_a_picture_that_is_small_enough_stays_as_it_is(tmp_path: Path) -> None:
    file = paint(tmp_path / "content.png", mode="RGBA")
    assert picture_of(page(file), 1024).data == file.read_bytes()


@pytest.mark.parametrize(("mode", "colour"), [("RGBA", (10, 200, 30, 128)), ("P", 3), ("LA", (90, 10)), ("1", 1)])
def test_what_is_made_smaller_has_no_transparency_and_no_palette(tmp_path: Path, mode: str, colour: Any) -> None:
    image = picture_of(page(paint(tmp_path / "content.png", (200, 100), mode, colour)), 64)
    assert (opened(image).mode, image.width) == ("RGB", 64)


def test_lines_of_a_palette_picture_are_smoothed(tmp_path: Path) -> None:
    striped = Pillow.new("P", (400, 400), 0)
    striped.putpalette([0, 0, 0, 255, 255, 255])
    for column in range(0, 400, 2):
        striped.paste(1, (column, 0, column + 1, 400))
    striped.save(tmp_path / "content.png")
    shown = opened(picture_of(page(tmp_path / "content.png"), 200)).convert("L")
    low, high = shown.crop((50, 50, 150, 150)).getextrema()
    assert 90 < low <= high < 165  # type: ignore[operator]  # of one band, they are two numbers


@pytest.mark.parametrize("size", [(256, 8), (2560, 80)], ids=["small", "large"])
def test_a_grey_picture_of_16_bits_keeps_its_shades(tmp_path: Path, size: tuple[int, int]) -> None:
    row = b"".join((at * 257).to_bytes(2, "little") for at in range(256))
    Pillow.frombytes("I;16", (256, 8), row * 8).resize(size).save(tmp_path / "content.png")
    shown = opened(picture_of(page(tmp_path / "content.png"), 1024, Piece(1, 1, 2)))
    shades = [shown.getpixel((round((share + 0.5) * shown.width / 4), 2)) for share in range(4)]
    assert shown.mode == "L"
    assert shades == pytest.approx([32, 96, 160, 224], abs=2)


@pytest.mark.parametrize(("mode", "clear", "black"), [("RGBA", (0, 0, 0, 0), (0, 0, 0, 255)), ("LA", (0, 0), (0, 255))])
def test_black_on_nothing_is_shown_on_white(tmp_path: Path, mode: str, clear: Any, black: Any) -> None:
    drawn = Pillow.new(mode, (400, 400), clear)
    drawn.paste(black, (0, 0, 200, 400))
    drawn.save(tmp_path / "content.png")
    shown = opened(picture_of(page(tmp_path / "content.png"), 100))
    assert [shown.getpixel(at) for at in ((10, 50), (90, 50))] == [(0, 0, 0), (255, 255, 255)]


@pytest.mark.parametrize("longest", [64, 1024])
def test_a_photograph_for_print_is_shown(tmp_path: Path, longest: int) -> None:
    file = paint(tmp_path / "content.jpg", (200, 100), "CMYK", (0, 0, 0, 0))
    shown = opened(picture_of(page(file), longest))
    assert (shown.mode, shown.getpixel((5, 5))) == ("RGB", (255, 255, 255))


def test_a_photograph_is_shown_as_png(tmp_path: Path) -> None:
    assert picture_of(page(paint(tmp_path / "content.jpg")), 1024).media_type == "image/png"


def test_the_same_picture_is_shown_byte_by_byte(tmp_path: Path) -> None:
    one, other = (page(paint(tmp_path / name / "content.png", (300, 200))) for name in ("a", "b"))
    assert picture_of(one, 100).data == picture_of(other, 100).data


def test_another_picture_than_planned_is_refused(tmp_path: Path) -> None:
    planned = page(paint(tmp_path / "content.png"))
    paint(tmp_path / "content.png", colour="#ff0000")
    with pytest.raises(InstanceError, match="is another picture than when the run was planned"):
        picture_of(planned, 1024)


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(InstanceError, match=r"cannot read picture .*content\.png: No such file"):
        picture_of(Page(file=tmp_path / "content.png", sha256="0" * 64), 1024)


def test_words_go_with_the_page(tmp_path: Path) -> None:
    file = paint(tmp_path / "content.png")
    assert picture_of(page(file, "A blue page."), 1024).alt == "A blue page."
    assert picture_of(page(file), 1024).alt is None


# ---- strips


def test_strips_overlap_a_little_and_make_up_the_page(tmp_path: Path) -> None:
    shown = page(paint(tmp_path / "content.png", (100, 1000)), "Title\n[0-10%] one\n[30-40%] two\n[80-90%] three")
    strips = [picture_of(shown, 1024, Piece(1, part, 3)) for part in (1, 2, 3)]
    assert [strip.height for strip in strips] == [373, 414, 373]
    assert {strip.width for strip in strips} == {100}
    assert [strip.alt for strip in strips] == ["Title\none", "Title\ntwo", "Title\nthree"]


def test_strips_are_cut_from_what_a_solver_alone_is_shown(tmp_path: Path) -> None:
    gradient = Pillow.linear_gradient("L").resize((256, 2000))
    gradient.save(tmp_path / "content.png")
    shown = page(tmp_path / "content.png")
    strip = opened(picture_of(shown, 1000, Piece(1, 2, 2)))
    alone = opened(picture_of(shown, 1000))
    assert strip.tobytes() == alone.crop((0, 460, alone.width, 1000)).tobytes()


@pytest.mark.parametrize(
    ("pages", "holders", "held"),
    [
        (1, 1, ["1"]),
        (4, 2, ["1 3", "2 4"]),
        (3, 2, ["1 3", "2"]),
        (1, 3, ["1a", "1b", "1c"]),
        (2, 3, ["1a 2b", "1b", "2a"]),
    ],
)
def test_pages_are_dealt_out_in_turn_and_cut_where_they_are_too_few(pages: int, holders: int, held: list[str]) -> None:
    def name(piece: Piece) -> str:
        return f"{piece.page}{'abc'[piece.part - 1] if piece.parts > 1 else ''}"

    assert [" ".join(map(name, pieces)) for pieces in dealt(pages, holders)] == held


@pytest.mark.parametrize("pages", range(1, 5))
@pytest.mark.parametrize("holders", range(1, 9))
def test_everybody_holds_something_and_everything_is_held_once(pages: int, holders: int) -> None:
    held = dealt(pages, holders)
    pieces = [piece for each in held for piece in each]
    assert all(held)
    assert len(pieces) == len(set(pieces))
    for number in range(1, pages + 1):
        spans = [span(piece) for piece in sorted(pieces) if piece.page == number]
        assert (spans[0][0], spans[-1][1]) == (0, 1)
        assert all(bottom > top for (_, bottom), (top, _) in pairwise(spans))


def test_captions_say_what_a_picture_is() -> None:
    assert [caption(piece, 2) for piece in whole(2)] == ["Page 1 of 2:", "Page 2 of 2:"]
    assert caption(Piece(1, 2, 3), 1) == "Page 1 of 1, strip 2 of 3 from the top:"
