"""Boards drawn from above: where lines, cells, markers and names are, measured in the published program's pictures."""

import hashlib
import json
import subprocess
import sys
from itertools import pairwise
from math import pi, sin, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from palaver_gamemasters.ivispar.board import SHAPES, Board, Geom
from palaver_gamemasters.ivispar.instances import board_of
from palaver_gamemasters.ivispar.options import IvisparOptions
from palaver_gamemasters.ivispar.pictures import check, shown
from palaver_gamemasters.ivispar.pictures.coverage import covered, to_polygon, to_round_box
from palaver_gamemasters.ivispar.pictures.layout import Scene
from palaver_gamemasters.ivispar.pictures.markers import coverage_of, marker_of
from palaver_gamemasters.ivispar.pictures.marking import mark_of
from palaver_gamemasters.ivispar.pictures.schematic import cell_box, drawn
from palaver_protocols.errors import InstanceError
from tests.gamemasters.ivispar.schematic_pictures import BLACK, BLUE_GROUND, WHITE, board_with, pixels, small_board

BOARDS = Path(__file__).parents[4] / "shared" / "data" / "ivispar" / "boards.jsonl"
SIZE = 80 * 100 / 72
"""A marker's size on a board of 4 x 4, in pixels: 80 points."""


def middle(size: int, cell: tuple[int, int]) -> tuple[int, int]:
    left, top, right, bottom = cell_box(size, cell)
    return (left + right) // 2, (top + bottom) // 2


def cell(picture: Image.Image, name: str) -> Image.Image:
    """What is within a cell's lines."""
    left, top, right, bottom = cell_box(4, (ord(name[0]) - ord("A"), int(name[1:]) - 1))
    return picture.crop((left + 3, top + 3, right - 3, bottom - 3))


def unlike(picture: Image.Image, colour: tuple[int, int, int]) -> Image.Image:
    """Where a picture has another colour than one: white on black."""
    bands = ImageChops.difference(picture, Image.new("RGB", picture.size, colour)).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return most.point(lambda value: 255 if value > 8 else 0)


class TestTheBoardsSquare:
    def test_a_picture_has_1200_by_900_pixels(self) -> None:
        assert pixels(small_board()).size == (1200, 900)

    @pytest.mark.parametrize("at", [(300, 120), (959, 120), (300, 779), (959, 779)])
    def test_its_corners_are_where_they_were_measured(self, at: tuple[int, int]) -> None:
        assert pixels(small_board()).getpixel(at) == BLACK

    def test_its_border_is_four_points_wide_and_lies_on_its_sides(self) -> None:
        picture = pixels(small_board())

        row = [picture.getpixel((x, 200)) == BLACK for x in range(290, 310)]
        column = [picture.getpixel((400, y)) == BLACK for y in range(770, 790)]
        assert [290 + x for x, black in enumerate(row) if black] == list(range(297, 303))
        assert [770 + y for y, black in enumerate(column) if black] == list(range(777, 783))

    @pytest.mark.parametrize("line", [1, 2, 3])
    def test_a_line_of_three_pixels_lies_where_cells_meet(self, line: int) -> None:
        picture, x, y = pixels(small_board()), 300 + 165 * line, 120 + 165 * line

        assert [picture.getpixel((x + shift, 150)) == BLACK for shift in range(-2, 3)] == [
            False,
            True,
            True,
            True,
            False,
        ]
        assert [picture.getpixel((330, y + shift)) == BLACK for shift in range(-2, 3)] == [
            False,
            True,
            True,
            True,
            False,
        ]

    def test_a1_is_at_the_lower_left_and_d4_at_the_upper_right(self) -> None:
        assert cell_box(4, (0, 0)) == (300, 615, 465, 780)
        assert cell_box(4, (3, 3)) == (795, 120, 960, 285)

    @given(size=st.integers(1, 26))
    def test_cells_of_any_size_fill_the_square_without_gaps(self, size: int) -> None:
        boxes = [cell_box(size, (each, each)) for each in range(size)]

        assert (boxes[0][0], boxes[-1][2], boxes[0][3], boxes[-1][1]) == (300, 960, 780, 120)
        assert all(low[2] == high[0] and low[1] == high[3] for low, high in pairwise(boxes))
        assert max(right - left for left, _, right, _ in boxes) - min(right - left for left, _, right, _ in boxes) <= 1


class TestMarkers:
    @pytest.mark.parametrize(
        ("colour", "fill"),
        [
            ("red", (255, 0, 0)),
            ("blue", (0, 0, 255)),
            ("green", (0, 128, 0)),
            ("yellow", (255, 255, 0)),
            ("orange", (255, 165, 0)),
            ("purple", (128, 0, 128)),
            ("#12ab9f", (0x12, 0xAB, 0x9F)),
            ("#f80", (0xFF, 0x88, 0x00)),
            ("white", WHITE),
            ("black", BLACK),
        ],
    )
    def test_the_middle_of_a_cell_has_the_colour_of_its_geom(self, colour: str, fill: tuple[int, int, int]) -> None:
        assert pixels(board_with(colour)).getpixel((547, 532)) == fill

    @pytest.mark.parametrize(
        ("shape", "width", "height"),
        [
            ("cube", SIZE, SIZE),
            ("sphere", SIZE, SIZE),
            ("pyramid", SIZE, SIZE),
            ("cylinder", SIZE, SIZE * sqrt(3) / 2),
            ("cone", SIZE, SIZE),
            ("prism", SIZE * sin(2 * pi / 5), None),
        ],
    )
    def test_a_marker_is_as_large_as_measured_and_has_an_edge(
        self, shape: str, width: float, height: float | None
    ) -> None:
        box = unlike(cell(pixels(board_with(shape=shape)), "B2"), BLUE_GROUND).getbbox()
        assert box is not None
        left, top, right, bottom = box

        # half of the edge lies outside; at sharp corners it reaches a little further; pixels are whole
        assert width < right - left < width + 5
        assert height is None or height < bottom - top < height + 5
        assert abs((left + right) / 2 - 159 / 2) <= 0.5

    @pytest.mark.parametrize(
        ("marker", "share"),
        [
            ("square", 1.0),
            ("circle", pi / 4),
            ("triangle", 1 / 2),
            ("hexagon", 3 * sqrt(3) / 8),
            ("diamond", 1 / 2),
            ("pentagon", 5 / 8 * sin(2 * pi / 5)),
        ],
    )
    def test_a_marker_covers_the_area_of_its_shape(self, marker: str, share: float) -> None:
        outer, inner = coverage_of(marker, 159, 159, SIZE)

        assert (outer.sum() + inner.sum()) / 2 == pytest.approx(share * SIZE**2, rel=0.003)

    def test_a_hexagon_lies_flat_and_a_triangle_stands_with_its_tip_up(self) -> None:
        hexagon, triangle = (coverage_of(each, 159, 159, SIZE)[1] > 0.5 for each in ("hexagon", "triangle"))

        top_of_hexagon = next(row for row in hexagon if row.any())
        assert top_of_hexagon.sum() == pytest.approx(SIZE / 2, abs=3)
        widths = [int(row.sum()) for row in triangle if row.any()]
        assert widths[0] <= 3
        assert widths[-1] == pytest.approx(SIZE, abs=5)
        assert widths == sorted(widths)

    def test_a_marker_has_a_black_edge_and_nothing_else_between_ground_and_fill(self) -> None:
        picture = pixels(board_with("white", "cube"))
        middle_row = [picture.getpixel((x, 532)) for x in range(480, 548)]

        last_of_ground = max(place for place, each in enumerate(middle_row) if each == BLUE_GROUND)
        first_of_fill = min(place for place, each in enumerate(middle_row) if each == WHITE)
        assert 480 + last_of_ground == 490
        assert 1 <= first_of_fill - last_of_ground - 1 <= 3
        assert min(sum(each) for each in middle_row[last_of_ground:first_of_fill] if isinstance(each, tuple)) < 150

    def test_all_six_shapes_look_different(self) -> None:
        looks = {cell(pixels(board_with(shape=shape)), "B2").tobytes() for shape in SHAPES}

        assert len(looks) == 6

    def test_under_compat_cones_and_prisms_are_circles_as_published(self) -> None:
        sphere, cone, prism = (pixels(board_with(shape=each), compat=True) for each in ("sphere", "cone", "prism"))

        assert sphere.tobytes() == cone.tobytes() == prism.tobytes()
        assert sphere.tobytes() == pixels(board_with(shape="sphere")).tobytes()

    @pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 8, 13, 26])
    def test_markers_shrink_and_grow_with_their_cells(self, size: int) -> None:
        board = Board(max(size, 2), (Geom("red", "sphere"),), ((0, 0),), ((1, 0),))
        picture = pixels(board)
        left, top, right, bottom = cell_box(board.size, (0, 0))

        inside = picture.crop((left + 3, top + 3, right - 3, bottom - 3))
        box = unlike(inside, BLUE_GROUND).getbbox()
        assert box is not None
        assert box[2] - box[0] == pytest.approx(SIZE * 4 / board.size + 1.4, abs=2)

    @given(points=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=9, unique=True))
    @settings(max_examples=15, deadline=None)
    def test_every_geom_stands_in_its_cell_and_other_cells_have_no_fill(self, points: list[tuple[int, int]]) -> None:
        colours = ("red", "blue", "lime", "yellow", "orange", "purple", "teal", "pink", "white")
        geoms = tuple(Geom(colour, "cube") for colour in colours[: len(points)])
        picture = drawn(Scene(6, geoms, tuple(points), "both"), mark_of("active", "both")).convert("RGB")

        for each in ((x, y) for x in range(6) for y in range(6)):
            left, top, right, bottom = cell_box(6, each)
            corner = picture.getpixel((left + 25, top + 25))
            assert (corner != BLUE_GROUND) == (each in points)
            assert right - left == bottom - top == 110


class TestNames:
    def test_a_free_cell_has_its_name_in_white_and_a_taken_one_has_none(self) -> None:
        picture = pixels(small_board())

        assert unlike(cell(picture, "C3"), BLUE_GROUND).getbbox() is not None
        assert cell(picture, "C3").getextrema() == ((82, 255), (138, 255), (174, 255))
        assert WHITE not in (each for _, each in cell(picture, "A1").getcolors() or [])

    def test_a_name_stands_in_the_middle_of_its_cell(self) -> None:
        box = unlike(cell(pixels(small_board()), "D1"), BLUE_GROUND).getbbox()

        assert box is not None
        assert (box[0] + box[2]) / 2 == pytest.approx(159 / 2, abs=3)
        assert (box[1] + box[3]) / 2 == pytest.approx(159 / 2, abs=2)

    def test_no_two_free_cells_look_alike(self) -> None:
        picture = pixels(small_board())
        free = [f"{x}{y}" for x in "ABCD" for y in "1234" if f"{x}{y}" not in ("A1", "B2", "D4")]

        assert len({cell(picture, name).tobytes() for name in free}) == 13

    @pytest.mark.parametrize("number", range(4))
    def test_letters_stand_below_and_numbers_to_the_left(self, number: int) -> None:
        picture = pixels(small_board())
        below = unlike(picture.crop((300 + 165 * number, 784, 465 + 165 * number, 900)), BLUE_GROUND).getbbox()
        beside = unlike(picture.crop((0, 120 + 165 * number, 296, 285 + 165 * number)), BLUE_GROUND).getbbox()

        assert below is not None
        assert beside is not None
        assert (below[0] + below[2]) / 2 == pytest.approx(82.5, abs=3)
        assert (beside[1] + beside[3]) / 2 == pytest.approx(82.5, abs=2)

    @pytest.mark.parametrize("labels", ["edge", "cell", "none"])
    def test_they_are_drawn_whatever_3d_boards_have(self, labels: str) -> None:
        assert pixels(small_board(), labels=labels).tobytes() == pixels(small_board()).tobytes()

    def test_names_fit_into_the_smallest_cells(self) -> None:
        board = Board(26, (Geom("red", "cube"),), ((0, 0),), ((1, 0),))
        picture = pixels(board)

        left, top, right, bottom = cell_box(26, (22, 25))  # W26, the widest
        box = unlike(picture.crop((left + 3, top + 3, right - 3, bottom - 3)), BLUE_GROUND).getbbox()
        assert box is not None
        assert box[0] >= 0
        assert box[2] <= right - left - 6
        assert box[2] - box[0] > 12


class TestPalettes:
    @pytest.mark.parametrize("number", [1, 13, 14, 61, 62, 90])
    def test_every_geom_of_many_has_its_own_colour(self, number: int) -> None:
        colours = [f"#{each * 2:02x}{255 - each:02x}{(each * 89) % 256:02x}" for each in range(number)]
        cells = [(each % 10, each // 10) for each in range(number)]
        board = Board(10, tuple(Geom(each, "cube") for each in colours), tuple(cells), (*cells[1:], (9, 9)))
        picture = pixels(board)

        seen = [picture.getpixel(middle(10, each)) for each in cells]
        assert seen == [tuple(bytes.fromhex(each[1:])) for each in colours]

    def test_a_file_is_small(self) -> None:
        image = shown(small_board(), small_board().start, "active", IvisparOptions(modality="2d"))

        assert image.size < 60_000
        assert image.media_type == "image/png"


class TestCoverage:
    def test_a_pixel_on_the_rim_is_covered_by_half(self) -> None:
        share = covered(to_polygon(4, 4, [(-1.5, -1.5), (1.5, -1.5), (1.5, 1.5), (-1.5, 1.5)]))

        assert share.tolist() == [[0.5] * 4, [0.5, 1.0, 1.0, 0.5], [0.5, 1.0, 1.0, 0.5], [0.5] * 4]

    def test_a_round_box_has_no_corners(self) -> None:
        share = covered(to_round_box(30, 20, 8))

        assert share[0, 0] == share[0, -1] == share[-1, 0] == share[-1, -1] == 0
        assert share[0, 15] == share[10, 0] == share[10, 15] == 1


class TestWhatCannotBeDrawn:
    def test_an_unknown_shape_is_refused_in_one_line_that_names_what_can_be(self) -> None:
        with pytest.raises(InstanceError) as caught:
            pixels(board_with(shape="torus"))

        assert "'torus'" in str(caught.value)
        assert all(shape in str(caught.value) for shape in SHAPES)
        assert "modality=text" in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_an_unknown_shape_is_a_circle_under_compat(self) -> None:
        assert pixels(board_with(shape="torus"), compat=True).tobytes() == pixels(board_with(shape="sphere")).tobytes()
        assert marker_of("torus", compat=True) == "circle"

    @pytest.mark.parametrize("colour", ["octarine", "#12", "#1234567", "12ab9f", "hsl(0,100%,50%)"])
    def test_an_unknown_colour_is_refused_in_one_line(self, colour: str) -> None:
        with pytest.raises(InstanceError) as caught:
            pixels(board_with(colour))

        assert repr(colour) in str(caught.value)
        assert "CSS" in str(caught.value)

    def test_an_unknown_colour_is_magenta_under_compat(self) -> None:
        assert pixels(board_with("octarine"), compat=True).getpixel((547, 532)) == (255, 0, 255)

    @pytest.mark.parametrize(("modality", "compat"), [("2d", False), ("3d", False), ("3d", True)])
    def test_a_board_is_checked_before_its_first_picture(self, modality: str, compat: bool) -> None:
        options = IvisparOptions.model_validate({"modality": modality, "compat": compat})
        for shape in SHAPES:
            check(board_with(shape=shape), options)

        with pytest.raises(InstanceError, match="'torus' is no shape"):
            check(board_with(shape="torus"), options)

    @pytest.mark.parametrize("options", [{"modality": "text"}, {"modality": "2d", "compat": True}])
    def test_any_shape_is_shown_in_words_or_as_a_circle_under_compat(self, options: dict[str, object]) -> None:
        check(board_with(shape="torus"), IvisparOptions.model_validate(options))

    def test_in_words_a_board_may_have_any_colours(self) -> None:
        check(board_with("octarine"), IvisparOptions(modality="text"))

        with pytest.raises(InstanceError, match="'octarine'"):
            check(board_with("octarine"), IvisparOptions(modality="3d"))


PROGRAM = """
import hashlib
from tests.gamemasters.ivispar.schematic_pictures import pixels, small_board
print(hashlib.sha256(pixels(small_board(), "goal").tobytes()).hexdigest())
"""


class TestAlways:
    def test_another_process_draws_the_same_pixels(self) -> None:
        root = Path(__file__).parents[3]
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join([str(root), *sys.path])},
        )

        assert done.stdout.strip() == hashlib.sha256(pixels(small_board(), "goal").tobytes()).hexdigest()

    @pytest.mark.skipif(not BOARDS.exists(), reason="the study's recorded boards are not at hand")
    def test_the_studys_own_boards_are_drawn_with_each_geom_in_its_place(self) -> None:
        fills = {"red": (255, 0, 0), "blue": (0, 0, 255), "green": (0, 128, 0), "yellow": (255, 255, 0)}
        fills |= {"orange": (255, 165, 0), "purple": (128, 0, 128)}
        for line in BOARDS.read_text(encoding="utf-8").splitlines()[::4]:
            board = board_of(json.loads(line))
            picture = pixels(board)
            for geom, each in zip(board.geoms, board.start, strict=True):
                assert picture.getpixel(middle(4, each)) == fills[geom.colour], (geom, each)
