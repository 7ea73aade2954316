"""Pentomino boards: pieces lie where the words say, never touch, and altered boards differ as they should."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageColor

from palaver_gamemasters.clembench.features import features_of
from palaver_gamemasters.clembench.grids import Cell
from palaver_gamemasters.clembench.pictures import Picture, Recipe, load, pentomino, words
from palaver_gamemasters.clembench.pictures.pentomino import CELL, COLOURS, MARGIN, PLACES, SHAPES, Turn, cells, turns
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError

SEEDS = st.integers(0, 10**6)
SIDE = 22


def board(**pieces: tuple[str, str, int]) -> Recipe:
    """Write a recipe; ``top_left=("T", "red", 90)``."""
    return {
        "kind": "pentomino",
        "pieces": {
            place.replace("_", " "): {"shape": shape, "colour": colour, "turn": turn}
            for place, (shape, colour, turn) in pieces.items()
        },
    }


def pieces_of(recipe: Recipe) -> dict[str, Any]:
    pieces = recipe["pieces"]
    assert isinstance(pieces, dict)
    return pieces


def covered(recipe: Recipe) -> dict[Cell, str]:
    """Return the colour of each cell that a piece covers, by the recipe."""
    return {
        cell: str(piece["colour"])
        for place, piece in pieces_of(recipe).items()
        for cell in cells(place, piece["shape"], piece["turn"])
    }


def seen(picture: Image.Image) -> dict[Cell, str]:
    """Return the colour of each cell that has one, by the pixels."""
    names = {ImageColor.getrgb(rgb): name for name, rgb in COLOURS.items()}
    found: dict[Cell, str] = {}
    for row, column in product(range(SIDE), repeat=2):
        pixel = picture.getpixel((MARGIN + column * CELL + CELL // 2, MARGIN + row * CELL + CELL // 2))
        if pixel in names:
            found[row, column] = names[pixel]
    return found


def differing(one: Recipe, other: Recipe) -> list[str]:
    first, second = features_of(words(one)), features_of(words(other))
    return [name for name in first if first[name] != second[name]]


def around(cell: Cell) -> Iterator[Cell]:
    return ((cell[0] + down, cell[1] + right) for down, right in product((-1, 0, 1), repeat=2))


def test_there_are_the_twelve_pieces_of_five_cells() -> None:
    forms = {shape: {frozenset(form(cells("centre", shape, turn))) for turn in turns(shape)} for shape in SHAPES}

    assert "".join(SHAPES) == "FILNPTUVWXYZ"
    assert all(len(each) == 5 for shape in forms.values() for each in shape)
    assert all(not one & other for one, other in combinations(forms.values(), 2))


def form(piece: tuple[Cell, ...]) -> Iterator[Cell]:
    top, left = min(row for row, _ in piece), min(column for _, column in piece)
    return ((row - top, column - left) for row, column in piece)


def test_the_cells_of_a_piece_hang_together() -> None:
    for shape in SHAPES:
        piece = set(cells("centre", shape))
        reached = {min(piece)}
        for _ in piece:
            reached |= {(r, c) for r, c in piece if {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & reached}
        assert reached == piece


def test_a_piece_is_turned_clockwise() -> None:
    assert set(form(cells("centre", "T", 0))) == {(0, 0), (0, 1), (0, 2), (1, 1), (2, 1)}
    assert set(form(cells("centre", "T", 90))) == {(0, 2), (1, 2), (2, 2), (1, 1), (1, 0)}
    assert set(form(cells("centre", "T", 180))) == {(2, 0), (2, 1), (2, 2), (1, 1), (0, 1)}
    assert set(form(cells("centre", "T", 270))) == {(0, 0), (1, 0), (2, 0), (1, 1), (1, 2)}


def test_pieces_have_only_turns_that_are_told_apart() -> None:
    counts = {shape: len(turns(shape)) for shape in SHAPES}

    assert counts == {**dict.fromkeys(SHAPES, 4), "I": 2, "Z": 2, "X": 1}


def test_no_piece_can_touch_another_or_leave_the_board() -> None:
    every: dict[str, set[Cell]] = {place: set() for place in PLACES}
    for place, shape, turn in product(PLACES, SHAPES, get_args(Turn)):
        every[place] |= set(cells(place, shape, turn))

    near = {place: {each for cell in all_cells for each in around(cell)} for place, all_cells in every.items()}
    assert all(not near[one] & every[other] for one, other in combinations(PLACES, 2))
    assert {at for all_cells in every.values() for cell in all_cells for at in cell} <= set(range(1, SIDE - 1))


@settings(deadline=None)
@given(seed=SEEDS)
def test_the_pixels_show_the_pieces_and_nothing_else(seed: int) -> None:
    recipe = pentomino.make(Dice(seed))

    assert seen(pentomino.draw(recipe)) == covered(recipe)


def test_a_piece_has_a_dark_rim_that_parts_it_from_the_board() -> None:
    picture = pentomino.draw(board(centre=("X", "yellow", 0))).convert("L")
    row, column = min(cells("centre", "X"))
    x, y = MARGIN + column * CELL, MARGIN + row * CELL + CELL // 2

    outside, rim, inside = (picture.getpixel((x + step, y)) for step in (-6, 0, 6))

    assert isinstance(rim, int)
    assert rim < 120 < min(outside, inside)


def test_words_name_every_area_in_the_same_order() -> None:
    recipe = board(top_left=("T", "red", 180), centre=("I", "olive", 90), bottom_right=("X", "navy", 0))

    assert words(recipe).splitlines() == [
        "kind: pentomino",
        "pieces: 3",
        "top left: a red T, upside down",
        "top middle: nothing",
        "top right: nothing",
        "middle left: nothing",
        "centre: an olive I, turned right",
        "middle right: nothing",
        "bottom left: nothing",
        "bottom middle: nothing",
        "bottom right: a navy X",
    ]


@given(seed=SEEDS)
def test_a_board_has_four_to_eight_pieces(seed: int) -> None:
    assert 4 <= len(pieces_of(pentomino.make(Dice(seed)))) <= 8


def test_boards_have_every_piece_colour_turn_and_number() -> None:
    boards = [pieces_of(pentomino.make(Dice(seed))) for seed in range(200)]
    pieces = [piece for each in boards for piece in each.values()]

    assert {len(each) for each in boards} == {4, 5, 6, 7, 8}
    assert {piece["shape"] for piece in pieces} == set(SHAPES)
    assert {piece["colour"] for piece in pieces} == set(COLOURS)
    assert {piece["turn"] for piece in pieces} == {0, 90, 180, 270}


def test_the_same_dice_lay_the_same_board_and_others_another() -> None:
    made = [words(pentomino.make(Dice("board", seed))) for seed in range(100)]

    assert made == [words(pentomino.make(Dice("board", seed))) for seed in range(100)]
    assert len(set(made)) == 100


@given(seed=SEEDS, changes=st.integers(1, 4))
def test_an_altered_board_differs_in_so_many_pieces(seed: int, changes: int) -> None:
    recipe = pentomino.make(Dice("first", seed))
    before, after = pieces_of(recipe), pieces_of(pentomino.altered(recipe, Dice("second", seed), changes))

    assert sum(before[place] != after.get(place) for place in before) == changes
    assert len(after) >= 4


@given(seed=SEEDS)
def test_one_change_is_seen_in_one_or_two_features(seed: int) -> None:
    recipe = pentomino.make(Dice("first", seed))

    assert len(differing(recipe, pentomino.altered(recipe, Dice("second", seed)))) in {1, 2}


@settings(deadline=None)
@given(seed=SEEDS)
def test_an_altered_board_looks_different_at_the_places_that_its_words_name(seed: int) -> None:
    recipe = pentomino.make(Dice("first", seed))
    other = pentomino.altered(recipe, Dice("second", seed))

    box = ImageChops.difference(pentomino.draw(recipe), pentomino.draw(other)).getbbox()

    named = [cells(place, shape) for place in differing(recipe, other) if place in PLACES for shape in SHAPES]
    assert box is not None
    assert min(c for piece in named for _, c in piece) - 3 <= (box[0] - MARGIN) // CELL
    assert (box[2] - MARGIN) // CELL <= max(c for piece in named for _, c in piece) + 3


def test_every_kind_of_change_happens() -> None:
    ways: Counter[str] = Counter()
    for seed in range(300):
        recipe = pentomino.make(Dice("first", seed))
        before, after = pieces_of(recipe), pieces_of(pentomino.altered(recipe, Dice("second", seed)))
        place = next(place for place in before if before[place] != after.get(place))
        if place in after:
            ways.update(key for key in ("shape", "colour") if before[place][key] != after[place][key])
            ways["turn"] += (
                before[place]["shape"] == after[place]["shape"] and before[place]["turn"] != after[place]["turn"]
            )
        else:
            ways["moved" if len(after) == len(before) else "removed"] += 1

    assert set(ways) == {"shape", "colour", "turn", "moved", "removed"}
    assert min(ways.values()) > 15


def test_no_piece_becomes_a_colour_that_is_almost_the_same() -> None:
    recipe = board(centre=("T", "blue", 0), top_left=("I", "navy", 0), top_right=("L", "purple", 0))
    became = {
        (before["colour"], after[place]["colour"])
        for seed in range(400)
        for after in [pieces_of(pentomino.altered(recipe, Dice(seed)))]
        for place, before in pieces_of(recipe).items()
        if place in after and after[place]["colour"] != before["colour"]
    }

    assert ("blue", "red") in became
    assert not became & {("blue", "navy"), ("blue", "purple"), ("blue", "cyan"), ("navy", "blue"), ("purple", "navy")}


def test_a_single_piece_is_never_removed() -> None:
    recipe = board(centre=("T", "red", 0))

    assert all(len(pieces_of(pentomino.altered(recipe, Dice(seed)))) == 1 for seed in range(50))


def test_the_order_of_a_recipe_does_not_matter() -> None:
    one = board(centre=("T", "red", 0), top_left=("I", "blue", 90))
    other = board(top_left=("I", "blue", 90), centre=("T", "red", 0))

    assert png(pentomino.draw(one)) == png(pentomino.draw(other))
    assert words(one) == words(other)


def test_other_boards_give_other_bytes() -> None:
    recipes = [board(centre=(shape, "red", turn)) for shape in SHAPES for turn in turns(shape)]

    assert len({png(pentomino.draw(recipe)) for recipe in recipes}) == len(recipes)


def test_a_picture_is_a_small_square() -> None:
    picture = load("x.png", Picture(draw=pentomino.make(Dice(5))), told=False)

    assert (picture.width, picture.height) == (480, 480)
    assert picture.size < 10_000


PIECE = {"shape": "T", "colour": "red", "turn": 0}


@pytest.mark.parametrize(
    ("recipe", "named"),
    [
        ({}, "pieces is missing"),
        ({"pieces": {}}, "pieces is {}"),
        ({"pieces": {"top": PIECE}}, "there is no pieces.top .*top left, top middle"),
        ({"pieces": {"centre": {**PIECE, "shape": "Q"}}}, "pieces.centre.shape is 'Q'"),
        ({"pieces": {"centre": {**PIECE, "colour": "beige"}}}, "pieces.centre.colour is 'beige'"),
        ({"pieces": {"centre": {**PIECE, "turn": 45}}}, "pieces.centre.turn is 45"),
        ({"pieces": {"centre": {**PIECE, "shape": "I", "turn": 180}}}, "pieces.centre is .*name one of: 0, 90"),
        ({"pieces": {"centre": {**PIECE, "at": [1, 2]}}}, r"pieces.centre.at is \[1, 2\]"),
        ({"pieces": {"centre": PIECE}, "size": 3}, "size is 3"),
    ],
)
def test_a_recipe_that_is_none_is_refused_in_one_line(recipe: Mapping[str, Any], named: str) -> None:
    with pytest.raises(InstanceError, match=f"picture of kind pentomino: {named}") as caught:
        words({"kind": "pentomino", **recipe})

    assert "\n" not in str(caught.value)
