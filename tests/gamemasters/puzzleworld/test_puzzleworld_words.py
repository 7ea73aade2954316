"""The words of pages: where they stand, and that none is lost where a page is cut among seats that see or do not."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.puzzleworld.shares import Piece, span
from palaver_gamemasters.puzzleworld.words import Line, lines_of, place, spoken
from tests.gamemasters.puzzleworld.own_puzzles import NAMES, texts


def test_a_line_may_begin_with_its_place() -> None:
    assert list(lines_of("Title\n[5-12.5%] a flag\n [1-2%] no place\n[a-b%] none")) == [
        Line("Title"),
        Line("a flag", (0.05, 0.125)),
        Line(" [1-2%] no place"),
        Line("[a-b%] none"),
    ]


def test_a_place_is_read_as_it_was_written() -> None:
    assert list(lines_of(f"{place(0.1, 0.25)} flag")) == [Line("flag", (0.1, 0.25))]


def test_nobody_is_shown_a_place() -> None:
    assert spoken("Title\n[5-12%] a flag") == "Title\na flag"


@pytest.mark.parametrize(
    ("piece", "told"),
    [
        (Piece(1), "any high border tall middle low"),
        (Piece(1, 1, 2), "any high border tall middle"),
        (Piece(1, 2, 2), "any border tall low"),
        (Piece(1, 1, 3), "any high tall"),
        (Piece(1, 2, 3), "any border tall middle"),
        (Piece(1, 3, 3), "any tall low"),
    ],
)
def test_a_strip_is_told_by_what_it_shows(piece: Piece, told: str) -> None:
    """One line is whole in both halves' overlap, one too tall for any strip, one touches both and is whole in one."""
    words = "any\n[0-10%] high\n[47-53%] border\n[10-90%] tall\n[40-52%] middle\n[90-100%] low"
    assert spoken(words, piece).split() == told.split()


@given(st.integers(2, 8), st.integers(0, 1000), st.integers(0, 1000), st.data())
def test_no_line_is_lost_whoever_can_see(parts: int, one: int, other: int, data: st.DataObject) -> None:
    """A line is told in words, or those strips that are seen show all of it."""
    top, bottom = sorted((one / 1000, other / 1000))
    sees = [data.draw(st.booleans()) for _ in range(parts)]
    pieces = [Piece(1, part, parts) for part in range(1, parts + 1)]
    strips = [span(piece) for piece in pieces]
    words = f"{place(top, bottom)} flag"
    told = any(spoken(words, piece) for piece, seen in zip(pieces, sees, strict=True) if not seen)
    rows = [round(top * 1000) + step for step in range(round((bottom - top) * 1000) + 1)]
    shown = all(
        any(seen and first <= row / 1000 <= last for (first, last), seen in zip(strips, sees, strict=True))
        for row in rows
    )
    assert told or shown


@pytest.mark.parametrize("sees", list(product([True, False], repeat=2)))
def test_what_can_stand_anywhere_is_told_to_all_who_do_not_see(sees: tuple[bool, ...]) -> None:
    told = [spoken("flag", Piece(1, part, 2)) for part, seen in enumerate(sees, 1) if not seen]
    assert told == ["flag"] * sees.count(False)


@pytest.mark.parametrize("name", NAMES)
def test_our_own_pages_say_where_their_lines_stand(name: str) -> None:
    for file in texts(name):
        found = [line for line in lines_of(file.read_text(encoding="utf-8")) if line.span is not None]
        assert len(found) >= 6
        assert all(0 < line.span[0] < line.span[1] < 1 for line in found if line.span)


@pytest.mark.parametrize("name", NAMES)
def test_no_strip_of_our_own_pages_tells_all(name: str) -> None:
    for file in texts(name):
        words = file.read_text(encoding="utf-8")
        strips = [set(spoken(words, Piece(1, part, 2)).splitlines()) for part in (1, 2)]
        whole = set(spoken(words).splitlines())
        assert strips[0] | strips[1] == whole
        assert whole not in strips
