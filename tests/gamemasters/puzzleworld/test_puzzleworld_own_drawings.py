"""The programs that draw the pages: they make again what comes with the game, and take titles from one place."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from palaver_gamemasters.puzzleworld.drawn import DRAWINGS, SHIPPED, draw, write
from palaver_gamemasters.puzzleworld.drawn.sheet import Heading, encoded
from tests.gamemasters.puzzleworld.own_puzzles import NAMES, pictures

NEARLY = 3.0
"""Mean difference of a colour, of 255: another release of Pillow may round edges differently."""


def test_each_puzzle_has_its_drawing() -> None:
    assert set(DRAWINGS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_drawings_are_the_pictures_that_come_with_the_game(name: str) -> None:
    drawn = {sheet.name: sheet.picture for sheet in draw(name)}

    assert set(drawn) == {path.name for path in pictures(name)}
    for path in pictures(name):
        with Image.open(path) as shipped:
            assert drawn[path.name].size == shipped.size
            ours, theirs = (np.asarray(each.convert("RGB"), dtype=np.int16) for each in (drawn[path.name], shipped))
            assert np.abs(ours - theirs).mean() < NEARLY


@pytest.mark.parametrize("name", NAMES)
def test_the_words_are_those_that_come_with_the_game(name: str) -> None:
    said = {sheet.name: sheet.words for sheet in draw(name) if sheet.words is not None}

    shipped = {path.with_suffix(".png").name: path for path in (SHIPPED / name).glob("content*.txt")}
    assert said == {page: path.read_text(encoding="utf-8") for page, path in shipped.items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_has_the_heading_it_is_given(name: str) -> None:
    first = DRAWINGS[name](Heading("Another Title", "Another flavour."))[0]

    assert first.words is not None
    assert first.words.startswith("title: Another Title\n")
    assert "\nflavour: Another flavour.\n" in first.words


def test_the_same_drawing_gives_the_same_bytes() -> None:
    one, other = ([encoded(sheet.picture) for sheet in draw("Ship_Time")] for _ in range(2))

    assert one == other


def test_all_are_written_into_folders_of_their_own(tmp_path: Path) -> None:
    count = write(tmp_path)

    assert count == len(list(tmp_path.glob("*/*.png")))
    assert {path.name for path in tmp_path.iterdir()} == set(NAMES)
    assert (tmp_path / "The_Odd_Key" / "content_2.txt").is_file()
