"""The rendered board: what is where in the picture, what hides what, light, shadows, labels."""

import hashlib
import subprocess
import sys
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.ivispar.board import SHAPES, Cell, Geom
from palaver_gamemasters.ivispar.options import CellLabels
from palaver_gamemasters.ivispar.pictures.layout import HEIGHT, WIDTH, Scene
from palaver_gamemasters.ivispar.pictures.scene import SHAPES as DRAWN
from palaver_gamemasters.ivispar.pictures.scene import can_draw, project, render
from palaver_gamemasters.ivispar.pictures.scene.camera import FOCUS, Box, camera_for
from palaver_gamemasters.ivispar.pictures.scene.light import TO_SUN
from palaver_gamemasters.ivispar.pictures.scene.shadows import on_floor, on_geom
from palaver_gamemasters.ivispar.pictures.scene.solids import SOLIDS
from palaver_gamemasters.ivispar.pictures.scene.sprites import coloured, sprite
from palaver_protocols.errors import InstanceError

Rgba = NDArray[np.uint8]

PUBLISHED_CORNERS = [
    ((5, 0, 5), (310.7, 602.8)),
    ((9, 0, 5), (953.6, 602.8)),
    ((5, 0, 9), (401.1, 186.3)),
    ((9, 0, 9), (843.1, 186.3)),
]
PURE = {"red": (1, 0, 0), "lime": (0, 1, 0), "blue": (0, 0, 1), "yellow": (1, 1, 0), "cyan": (0, 1, 1)}
"""Colours that are known by their channels alone, in the sun and in the shade."""


def scene(*standing: tuple[str, str, Cell], size: int = 4, labels: CellLabels = "none") -> Scene:
    geoms = tuple(Geom(colour, shape) for colour, shape, _ in standing)
    return Scene(size, geoms, tuple(cell for *_, cell in standing), labels)


@cache
def drawn(picture: Scene) -> Rgba:
    return np.asarray(render(picture))


def at(picture: Scene, *point: float) -> tuple[int, ...]:
    """Return red, green, blue and alpha where a point of the world is seen."""
    x, y, z = point
    right, down = project((x, y, z), picture.size)
    return tuple(int(value) for value in drawn(picture)[int(down), int(right)])


def differ(one: Scene, other: Scene) -> int:
    return int((drawn(one) != drawn(other)).any(axis=2).sum())


def test_a_picture_has_the_published_size_and_is_transparent_beside_the_board() -> None:
    picture = render(scene(("red", "cube", (0, 0)), labels="both"))
    assert (picture.mode, picture.size) == ("RGBA", (1200, 900))
    assert [picture.getpixel(corner) for corner in ((0, 0), (1199, 0), (0, 899), (1199, 899))] == [(0, 0, 0, 0)] * 4


@pytest.mark.parametrize(("corner", "published"), PUBLISHED_CORNERS)
def test_corners_of_the_board_are_projected_where_they_were_published(
    corner: tuple[float, float, float], published: tuple[float, float]
) -> None:
    assert project(corner) == pytest.approx(published, abs=0.1)


@pytest.mark.parametrize(("corner", "published"), PUBLISHED_CORNERS)
def test_corners_of_the_drawn_board_are_where_they_were_published(
    corner: tuple[float, float, float], published: tuple[float, float]
) -> None:
    alpha = drawn(scene())[..., 3]
    x, y = published
    inwards = 1 if y < 400 else -1
    row = np.flatnonzero(alpha[round(y) + 2 * inwards] > 127)
    assert [abs(row[0] - x), abs(row[-1] + 1 - x)][corner[0] > 5] < 2
    column = np.flatnonzero(alpha[:, round(x) + (20 if corner[0] < 7 else -20)] > 127)
    assert [abs(column[-1] + 1 - y), abs(column[0] - y)][corner[2] > 5] < 2


@pytest.mark.parametrize("size", range(2, 27))
def test_a_board_of_any_size_is_in_the_picture_with_its_geoms(size: int) -> None:
    end = 5.0 + size
    for x in (5.0, end):
        for y in (0.0, 1.0):
            for z in (5.0, end):
                right, down = project((x, y, z), size)
                assert 0 < right < WIDTH
                assert 0 < down < HEIGHT


@pytest.mark.parametrize("size", [2, 7])
def test_nothing_is_cut_off_on_boards_of_other_sizes(size: int) -> None:
    last = size - 1
    corners = (("red", (0, 0)), ("blue", (last, last)), ("green", (0, last)), ("yellow", (last, 0)))
    alpha = drawn(scene(*((colour, "cube", cell) for colour, cell in corners), size=size, labels="both"))[..., 3]
    assert alpha.any()
    assert not alpha[[0, -1]].any()
    assert not alpha[:, [0, -1]].any()


def test_a_larger_board_fills_the_same_part_of_the_picture() -> None:
    for corner, published in PUBLISHED_CORNERS:
        x, z = (5 + 2 * (corner[axis] - 5) for axis in (0, 2))
        assert project((x, 0, z), 8) == pytest.approx(published, abs=0.1)


def test_shapes_that_can_be_drawn_are_those_of_boards() -> None:
    assert set(DRAWN) == set(SHAPES)
    assert all(can_draw(shape) for shape in SHAPES)
    assert not can_draw("teapot")


def test_a_shape_that_cannot_be_drawn_is_named() -> None:
    with pytest.raises(InstanceError, match="teapot"):
        render(scene(("red", "teapot", (0, 0))))


def test_all_shapes_look_different() -> None:
    pictures = [scene(("red", shape, (2, 1))) for shape in SHAPES]
    assert min(differ(one, other) for one, other in combinations(pictures, 2)) > 1500


@pytest.mark.parametrize("seed", range(4))
def test_points_show_what_is_nearest_and_are_dark_where_it_lies_in_shadow(seed: int) -> None:
    """Against rays to all geoms, point by point, and from there to the sun."""
    dice = Dice("scene", seed)
    cells = dice.sample([(x, y) for x in range(4) for y in range(4)], len(PURE))
    standing = scene(*((colour, dice.pick(SHAPES), cell) for colour, cell in zip(PURE, cells, strict=True)))
    x, y = (np.array([low + dice.below(span) for _ in range(1000)]) for low, span in ((260, 720), (90, 510)))
    around = [_seen(standing, x + right, y + down) for right in (-1, 0.5, 2) for down in (-1, 0.5, 2)]
    # Pixels that are wholly of one geom, and wholly in the sun or in shadow.
    owned = (np.ptp(around, axis=0) == 0) & (around[0] > 0)
    assert owned.sum() > 150
    for column, row, found in zip(x[owned], y[owned], around[0][owned], strict=True):
        number = found // 2 - 1
        geom, pixel = standing.geoms[number], drawn(standing)[row, column]
        alone = drawn(scene((*geom, standing.position[number])))[row, column]
        assert _channels(pixel) == PURE[geom.colour], (standing, column, row)
        assert pixel[:3].max() < 160 if found % 2 else (pixel == alone).all(), (standing, column, row)


def _seen(standing: Scene, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return which geom is seen at points of the picture: twice its number from 1, and 1 more in another's shadow."""
    eye = camera_for(standing.size).eye
    ahead, upwards = (np.array(each) / np.hypot(5.57, 3.68) for each in ((-5.57, 3.68), (3.68, 5.57)))
    up, north = (each + flat * (450 - y) / FOCUS for each, flat in zip(ahead, upwards, strict=True))
    view = ((x - 600) / FOCUS, up, north)
    things = [(SOLIDS[geom.shape], (5.5 + cell[0], 0.0, 5.5 + cell[1]))
              for geom, cell in zip(standing.geoms, standing.position, strict=True)]  # fmt: skip
    far, owner = np.full(x.shape, np.inf), np.zeros(x.shape, int)
    for number, (solid, foot) in enumerate(things, 1):
        way = solid.way((eye[0] - foot[0], eye[1] - foot[1], eye[2] - foot[2]), view)
        nearer = (way.enters < way.leaves) & (way.enters < far)
        far, owner = np.where(nearer, way.enters, far), np.where(nearer, number, owner)
    point = [here + np.where(owner > 0, far, 0.0) * to for here, to in zip(eye, view, strict=True)]
    shadow = np.zeros(x.shape, bool)
    for number, (solid, foot) in enumerate(things, 1):
        way = solid.way((point[0] - foot[0], point[1] - foot[1], point[2] - foot[2]), TO_SUN)
        shadow |= (owner != number) & (way.enters < way.leaves) & (way.leaves > 0)
    return np.where(owner > 0, 2 * owner + shadow, 0)


def _channels(pixel: Rgba) -> tuple[int, ...]:
    """Return which channels are on; the brightest glints are not quite white."""
    values = [int(value) for value in pixel[:3]]
    return tuple(int(value > 0.93 * max(values)) for value in values)


def test_a_front_geom_hides_the_one_behind_it() -> None:
    both = scene(("red", "cube", (1, 1)), ("blue", "cube", (1, 2)))
    assert at(both, 6.5, 0.5, 6)[:3] == at(scene(("red", "cube", (1, 1))), 6.5, 0.5, 6)[:3]
    red, _, blue, _ = at(both, 6.5, 0.2, 7)
    assert red > blue
    red, _, blue, _ = at(both, 6.5, 1, 7.8)
    assert blue > red


@pytest.mark.parametrize(
    ("colour", "sunny", "shady"),
    [
        ("red", (255, 81, 85), (126, 17, 17)),
        ("green", (43, 143, 51), (18, 61, 16)),
        ("blue", (44, 48, 255), (18, 18, 117)),
        ("yellow", None, (126, 123, 31)),
    ],
)
def test_faces_have_about_the_published_colours(
    colour: str, sunny: tuple[int, int, int] | None, shady: tuple[int, int, int]
) -> None:
    cube = scene((colour, "cube", (2, 2)))
    if sunny:
        assert at(cube, 7.5, 1, 7.5)[:3] == pytest.approx(sunny, abs=30)
    assert at(cube, 7.5, 0.5, 7)[:3] == pytest.approx(shady, abs=15)


def test_the_sun_glints_in_round_stone() -> None:
    ball = drawn(scene(("blue", "sphere", (1, 1))))
    assert (ball[..., 0].astype(int) + ball[..., 1]).max() > 400


@pytest.mark.parametrize("colour", ["no colour", "#ff00ff", "magenta"])
def test_a_colour_that_nobody_knows_is_magenta(colour: str) -> None:
    red, green, blue, _ = at(scene((colour, "cube", (1, 1))), 6.5, 0.5, 6)
    assert red == blue > 100
    assert green < 30


def test_tiles_are_dark_and_light_in_turn_and_the_first_is_dark() -> None:
    bright = [[at(scene(), 5.5 + x, 0, 5.5 + y)[0] for x in range(4)] for y in range(4)]
    assert all((bright[y][x] > 180) == ((x + y) % 2 == 1) for y in range(4) for x in range(4))
    assert max(min(row) for row in bright) < 110


def test_shadows_fall_to_the_front_left() -> None:
    """A cube at C3: the sun comes from (0.724, 0.528, 0.444), so that its top throws a shadow 1.37 west, 0.84 south."""
    empty, cube = scene(), scene(("red", "cube", (2, 2)))
    west = (7 - 1.2, 0, 7.5 - 0.7)
    assert at(empty, *west)[0] > 1.8 * at(cube, *west)[0]
    for sunny in ((7 - 1.45, 0, 6.9), (7.5, 0, 7 - 0.9), (8.5, 0, 6.5), (5.3, 0, 8.5)):
        assert at(empty, *sunny) == at(cube, *sunny)


def test_a_sphere_casts_a_shadow_beneath_itself() -> None:
    """Where it touches the floor there is no cube's face to hide that: the shadow starts right there."""
    ball = scene(("red", "sphere", (1, 1)))
    assert at(ball, 6.5 - 0.4, 0, 6.5 - 0.42)[0] < 0.6 * at(scene(), 6.5 - 0.4, 0, 6.5 - 0.42)[0]


def test_shadows_that_overlap_are_no_darker() -> None:
    one, two = scene(("red", "cube", (2, 2))), scene(("red", "cube", (2, 2)), ("blue", "cube", (3, 2)))
    spot = (6.8, 0, 7.2)
    assert at(one, *spot) == at(two, *spot)


def test_a_geom_stands_in_the_shadow_of_another() -> None:
    slope = (6.8, 0.4, 6.5)
    assert at(scene(("red", "pyramid", (1, 1))), *slope)[0] == 255
    assert at(scene(("red", "pyramid", (1, 1)), ("blue", "cube", (2, 1))), *slope)[0] < 150


def test_a_geom_throws_no_shadow_on_one_towards_the_sun() -> None:
    alone, both = (
        scene(("red", "sphere", (2, 2))),
        scene(("red", "sphere", (2, 2)), ("blue", "cube", (1, 1))),
    )
    assert at(alone, 7.5 + 0.3, 0.9, 7.5) == at(both, 7.5 + 0.3, 0.9, 7.5)


def test_edges_are_soft() -> None:
    alpha = drawn(scene())[..., 3]
    assert len(np.unique(alpha)) == 9


def _white(picture: Scene, rows: slice) -> int:
    return int((drawn(picture)[rows] == 255).all(axis=2).sum())


@pytest.mark.parametrize(
    ("labels", "beside", "inside"),
    [("both", True, True), ("edge", True, False), ("cell", False, True), ("none", False, False)],
)
def test_labels_are_where_they_are_asked_for(labels: CellLabels, beside: bool, inside: bool) -> None:
    picture = scene(labels=labels)
    assert (_white(picture, slice(610, 900)) > 1000) == beside
    alpha = drawn(picture)[..., 3]
    assert bool(alpha[190:600, :310].any()) == beside
    board = drawn(picture)[190:600, 420:830]
    black, white = ((board[..., :3] == value).all(axis=2).sum() for value in (0, 255))
    assert (black > 1000) == (white > 1000) == inside


def test_the_name_of_a_cell_is_in_its_upper_left() -> None:
    changed = (drawn(scene(labels="cell")) != drawn(scene())).any(axis=2)
    rows, columns = np.nonzero(changed[470:602, 475:630])
    left, top = project((6, 0, 6))
    right, bottom = project((6.6, 0, 5.5))
    assert left < 475 + columns.min() < 475 + columns.max() < right
    assert top < 470 + rows.min() < 470 + rows.max() < bottom


def test_geoms_hide_labels() -> None:
    seen = sprite(4, (1, 0), "cube")
    rows, columns = seen.box.within(Box(0, 0, WIDTH, HEIGHT))
    whole = seen.bits == 255
    written, bare = (drawn(scene(("red", "cube", (1, 0)), labels=labels)) for labels in ("both", "none"))
    assert (written[rows, columns][whole] == bare[rows, columns][whole]).all()


def test_the_order_of_geoms_does_not_matter() -> None:
    standing = [
        ("red", "cube", (0, 0)),
        ("blue", "sphere", (1, 0)),
        ("green", "cone", (1, 1)),
        ("red", "prism", (0, 1)),
    ]
    assert differ(scene(*standing), scene(*reversed(standing))) == 0


CROWD = scene(
    ("red", "cube", (0, 0)),
    ("green", "sphere", (1, 1)),
    ("blue", "prism", (2, 1)),
    ("yellow", "cylinder", (3, 0)),
    ("orange", "cone", (1, 3)),
    ("purple", "pyramid", (3, 2)),
    labels="both",
)


def test_every_process_draws_the_same_pixels() -> None:
    program = (
        "import hashlib\n"
        "from palaver_gamemasters.ivispar.board import Geom\n"
        "from palaver_gamemasters.ivispar.pictures.layout import Scene\n"
        "from palaver_gamemasters.ivispar.pictures.scene import render\n"
        f"print(hashlib.sha256(render({CROWD!r}).tobytes()).hexdigest())"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == hashlib.sha256(render(CROWD).tobytes()).hexdigest()


def test_a_picture_looks_as_it_did() -> None:
    """Points that other versions of numpy and Pillow should not change."""
    probes = {
        (400, 450): (255, 42, 42),
        (380, 570): (125, 17, 17),
        (592, 331): (229, 255, 229),
        (520, 400): (17, 60, 17),
        (690, 420): (17, 17, 126),
        (900, 450): (255, 255, 113),
        (840, 560): (124, 124, 17),
        (545, 220): (126, 82, 17),
        (820, 280): (64, 17, 64),
        (1100, 450): (0, 0, 0),
    }
    picture = render(CROWD)
    for place, colour in probes.items():
        found = picture.getpixel(place)
        assert isinstance(found, tuple)
        assert found[:3] == pytest.approx(colour, abs=12), place


def test_a_picture_drawn_again_takes_no_new_rays() -> None:
    render(CROWD)
    before = [cached.cache_info().misses for cached in (sprite, coloured, on_floor, on_geom)]
    again = render(CROWD)
    assert isinstance(again, Image.Image)
    assert [cached.cache_info().misses for cached in (sprite, coloured, on_floor, on_geom)] == before
