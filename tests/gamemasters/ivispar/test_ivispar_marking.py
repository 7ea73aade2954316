"""What pictures of the board, its goal and its past are told apart by, from above and in 3D; their words and files."""

from collections.abc import Iterator
from io import BytesIO
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from palaver_gamemasters.drawing import font
from palaver_gamemasters.ivispar.board import SHAPES, Board, Geom
from palaver_gamemasters.ivispar.options import IvisparOptions, Marking
from palaver_gamemasters.ivispar.pictures import Role, laying, shown
from palaver_gamemasters.ivispar.pictures import _rendered as rendered_pictures
from palaver_gamemasters.ivispar.pictures.encoding import encoded
from palaver_gamemasters.ivispar.pictures.layout import Scene
from palaver_gamemasters.ivispar.pictures.marking import mark_of
from palaver_gamemasters.ivispar.pictures.scene import can_draw
from palaver_gamemasters.ivispar.reading import read_lines, solid
from palaver_protocols.content import Image as PictureByReference
from tests.gamemasters.ivispar.schematic_pictures import BLACK, BLUE_GROUND, pixels, small_board

GREEN_GROUND, GREY_GROUND = (100, 191, 106), (141, 153, 174)
GROUNDS = {"active": BLUE_GROUND, "goal": GREEN_GROUND, "past": GREY_GROUND}
ROLES: tuple[Role, ...] = get_args(Role)
MARKINGS: tuple[Marking, ...] = get_args(Marking)
LABEL = (968, 10, 1170, 140)
"""Around the label, outside of the board."""


def left_of(word: str) -> int:
    """Where the label's box begins, in pixels from the left: 30 before the word, which ends at 1140."""
    left, _, right, _ = font(50).getbbox(word)
    return round(1140 - (right - left) - 30)


class TestGrounds:
    @pytest.mark.parametrize("role", ROLES)
    @pytest.mark.parametrize("marking", MARKINGS)
    def test_colours_tell_roles_apart_if_they_are_to_and_else_all_are_blue(self, marking: Marking, role: Role) -> None:
        picture = pixels(small_board(), role, marking=marking)

        wanted = GROUNDS[role] if marking in ("both", "color") else BLUE_GROUND
        assert {picture.getpixel(at) for at in ((0, 0), (5, 890), (1199, 899), (480, 480 + 165))} == {wanted}

    def test_without_marks_a_position_looks_alike_in_all_roles(self) -> None:
        looks = {pixels(small_board(), role, marking="none").tobytes() for role in ROLES}

        assert len(looks) == 1


class TestLabels:
    @pytest.mark.parametrize("role", ROLES)
    @pytest.mark.parametrize("marking", MARKINGS)
    def test_there_is_one_if_labels_tell_roles_apart(self, marking: Marking, role: Role) -> None:
        corner = pixels(small_board(), role, marking=marking).crop(LABEL)

        colours = {colour for _, colour in corner.getcolors(100_000) or []}
        assert (BLACK in colours) == (marking in ("both", "label"))
        assert (len(colours) == 1) == (marking in ("color", "none"))

    @pytest.mark.parametrize("role", ROLES)
    def test_its_box_begins_before_the_word_and_ends_40_pixels_from_the_right(self, role: Role) -> None:
        picture, left = pixels(small_board(), role), left_of(role)

        row = [picture.getpixel((x, 68)) == GROUNDS[role] for x in (left - 1, left + 1, 1158, 1160)]
        assert row == [True, False, False, True]
        assert picture.getpixel((left + 1, 68)) == picture.getpixel((1158, 68)) == BLACK

    def test_it_begins_20_pixels_from_the_top_with_round_corners(self) -> None:
        picture = pixels(small_board())

        assert [picture.getpixel((1100, y)) == BLACK for y in (19, 20, 21, 22, 24)] == [False, True, True, True, False]
        assert picture.getpixel((1159, 20)) == picture.getpixel((1157, 22)) == BLUE_GROUND

    @pytest.mark.parametrize("role", ROLES)
    def test_the_ground_is_half_seen_through_it(self, role: Role) -> None:
        picture = pixels(small_board(), role)

        inside = picture.getpixel((1130, 32))
        assert inside == pytest.approx(tuple((255 + each) / 2 for each in GROUNDS[role]), abs=1)

    def test_words_differ(self) -> None:
        looks = {pixels(small_board(), role, marking="label").crop(LABEL).tobytes() for role in ROLES}

        assert len(looks) == 3

    @pytest.mark.parametrize("role", ROLES)
    def test_the_word_is_black_and_ends_60_pixels_from_the_right(self, role: Role) -> None:
        picture = pixels(small_board(), role)

        inside = np.asarray(picture.crop((left_of(role) + 5, 40, 1155, 100)).convert("L")) < 60
        columns = np.flatnonzero(inside.any(axis=0)) + left_of(role) + 5
        assert columns[-1] == pytest.approx(1140, abs=4)
        assert columns[0] == pytest.approx(left_of(role) + 30, abs=4)


def all_shapes() -> Board:
    """Return a board with every shape in its first row; one of them has a goal elsewhere."""
    start = tuple((x, 0) for x in range(len(SHAPES)))
    return Board(6, tuple(Geom("red", shape) for shape in SHAPES), start, ((0, 1), *start[1:]))


def words_of(image: PictureByReference) -> list[str]:
    return (image.alt or "").splitlines()


class TestWords:
    @pytest.mark.parametrize(
        ("marking", "role", "said"),
        [
            ("both", "goal", "a board on a green background, with the label goal:"),
            ("color", "past", "a board on a grey background:"),
            ("label", "past", "a board on a blue background, with the label past:"),
            ("none", "goal", "a board on a blue background:"),
        ],
    )
    def test_they_begin_with_the_marks_that_are_seen(self, marking: Marking, role: Role, said: str) -> None:
        board = small_board()
        image = shown(board, board.start, role, IvisparOptions(modality="2d", marking=marking))

        assert (image.alt or "").splitlines()[0] == said

    @pytest.mark.parametrize(
        ("compat", "seen"),
        [
            (False, ["square", "circle", "triangle", "hexagon", "diamond", "pentagon"]),
            (True, ["square", "circle", "triangle", "hexagon", "cone", "prism"]),
        ],
    )
    def test_they_call_shapes_by_what_is_seen_from_above(self, compat: bool, seen: list[str]) -> None:
        board = all_shapes()
        image = shown(board, board.start, "active", IvisparOptions(modality="2d", compat=compat))

        assert words_of(image)[1:] == [f"{letter}1 red {name}" for letter, name in zip("ABCDEF", seen, strict=True)]

    def test_in_space_they_are_the_boards(self) -> None:
        board = small_board()
        image = shown(board, board.start, "active", IvisparOptions(modality="3d"))

        assert words_of(image)[1:] == board.lines(board.start)

    @pytest.mark.parametrize("compat", [False, True])
    def test_scripts_read_the_geoms_in_them(self, compat: bool) -> None:
        board = all_shapes()
        image = shown(board, board.goal, "goal", IvisparOptions(modality="2d", compat=compat))

        assert solid(read_lines(image.alt or "")) == dict(zip(board.geoms, board.goal, strict=True))

    def test_they_may_be_left_out(self) -> None:
        board = small_board()

        assert shown(board, board.start, "past", IvisparOptions(modality="2d", words=False)).alt is None


@pytest.fixture
def rendering(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Scene]]:
    """Stand in for the renderer: half of the picture is solid red, a stripe half clear; says what was rendered."""
    asked: list[Scene] = []

    def render(scene: Scene) -> Image.Image:
        asked.append(scene)
        picture = Image.new("RGBA", (1200, 900))
        picture.paste((255, 0, 0, 255), (200, 300, 800, 600))
        picture.paste((255, 0, 0, 128), (200, 600, 800, 620))
        return picture

    def forget() -> None:
        laying.rendered.cache_clear()
        rendered_pictures.cache_clear()

    forget()
    monkeypatch.setattr(laying, "render", render)
    yield asked
    forget()


class TestRenderedBoards:
    @pytest.mark.parametrize("role", ROLES)
    def test_they_are_laid_on_the_ground_of_their_role(self, rendering: list[Scene], role: Role) -> None:
        picture = pixels(small_board(), role, modality="3d")

        red, green, blue = GROUNDS[role]
        assert picture.size == (1200, 900)
        assert picture.getpixel((500, 450)) == (255, 0, 0)
        assert {picture.getpixel(at) for at in ((199, 450), (500, 299), (500, 620), (0, 0))} == {(red, green, blue)}
        assert picture.getpixel((500, 610)) == pytest.approx(((255 + red) / 2, green / 2, blue / 2), abs=2)

    @pytest.mark.parametrize("role", ROLES)
    def test_their_label_is_that_of_schematic_pictures(self, rendering: list[Scene], role: Role) -> None:
        ours = np.asarray(pixels(small_board(), role, modality="3d").crop(LABEL), np.int16)
        flat = np.asarray(pixels(small_board(), role).crop(LABEL), np.int16)

        assert abs(ours - flat).max() <= 8  # a schematic picture's tones come in sixteen steps

    def test_the_three_pictures_of_a_position_are_rendered_once(self, rendering: list[Scene]) -> None:
        for role in ROLES:
            pixels(small_board(), role, modality="3d")
        pixels(small_board(), modality="3d", words=False)

        assert len(rendering) == 1

    def test_the_renderer_is_told_where_names_are_wanted(self, rendering: list[Scene]) -> None:
        board = small_board()
        for labels in ("both", "edge", "cell", "none"):
            pixels(board, modality="3d", labels=labels)

        assert [each.labels for each in rendering] == ["both", "edge", "cell", "none"]
        assert {each[:3] for each in rendering} == {(4, board.geoms, board.start)}

    def test_all_shapes_that_boards_are_checked_for_can_be_rendered(self) -> None:
        assert [shape for shape in SHAPES if not can_draw(shape)] == []

    def test_a_rendered_picture_has_its_board_its_ground_and_its_label(self) -> None:
        picture = pixels(small_board(), "past", modality="3d")

        assert picture.getpixel((5, 5)) == GREY_GROUND
        assert picture.getpixel((632, 460)) != GREY_GROUND
        assert picture.getpixel((1100, 21)) == BLACK

    def test_an_empty_layer_is_the_ground_alone(self) -> None:
        layer = laying.cropped(Image.new("RGBA", (1200, 900)))

        assert laying.laid(layer, mark_of("goal", "color")).getcolors() == [(1200 * 900, GREEN_GROUND)]


class TestFiles:
    @given(width=st.integers(1, 9), height=st.integers(1, 9), data=st.data())
    @settings(max_examples=40, deadline=None)
    def test_any_picture_decodes_to_its_own_pixels(self, width: int, height: int, data: st.DataObject) -> None:
        size = 3 * width * height
        picture = Image.frombytes("RGB", (width, height), data.draw(st.binary(min_size=size, max_size=size)))

        with Image.open(BytesIO(encoded(picture))) as read:
            read.verify()
        with Image.open(BytesIO(encoded(picture))) as read:
            assert (read.mode, read.size, read.tobytes()) == ("RGB", picture.size, picture.tobytes())

    def test_a_palette_picture_stays_one(self) -> None:
        picture = Image.new("P", (5, 3), 1)
        picture.putpalette([0, 0, 0, 10, 20, 30])

        with Image.open(BytesIO(encoded(picture))) as read:
            assert read.mode == "P"
            assert read.convert("RGB").getpixel((4, 2)) == (10, 20, 30)

    def test_a_picture_shown_again_is_the_same_object(self) -> None:
        board = small_board()
        options = IvisparOptions(modality="2d")

        assert shown(board, board.start, "goal", options) is shown(board, board.start, "goal", options)
