import pytest

from palaver_gamemasters.maze.grading.cells import adjacent, direction_of, is_direction, same, split


@pytest.mark.parametrize(
    ("token", "move"),
    [
        *(("up", "up"), ("Down", "down"), ("LEFT", "left"), (" right ", "right")),
        *(("north", "up"), ("South", "down"), ("west", "left"), ("EAST", "right")),
        *(("upwards", "up"), ("rightward", "right"), ("northwards", "up"), ("easterly", "right")),
        *(("U", "up"), ("d", "down"), ("L", "left"), ("r", "right"), ("N", "up"), ("s", "down")),
        *(("↑", "up"), ("↓", "down"), ("←", "left"), ("→", "right")),
        *(("3", None), ("A", None), ("upset", None), ("", None)),
    ],
)
def test_directions_are_known_by_all_their_names(token: str, move: str | None) -> None:
    assert direction_of(token) == move
    assert is_direction(token) == (move is not None)


@pytest.mark.parametrize(
    ("token", "parts"),
    [
        ("3", ("", 3)),
        ("-1", ("", -1)),
        ("b", ("", "B")),
        ("r1", ("r", 1)),
        ("R12", ("r", 12)),
        ("col 2", ("c", 2)),
        ("column: C", ("c", "C")),
        ("row 0", ("r", 0)),
        ("r", ("", "R")),
        ("?", None),
        ("wall", None),
    ],
)
def test_a_token_is_taken_apart(token: str, parts: tuple[str, int | str] | None) -> None:
    assert split(token) == parts


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (("0", "1"), ("0", "2"), True),
        (("0", "1"), ("1", "2"), False),
        (("A", "1"), ("B", "1"), True),
        (("A", "A"), ("a", "b"), True),
        (("r1", "c2"), ("c2", "r2"), True),
        (("r1", "c2"), ("1", "2"), None),
        (("A", "1"), ("0", "1"), None),
        (("right",), ("0", "1"), None),
    ],
)
def test_neighbours_are_neighbours_under_every_scheme(
    one: tuple[str, ...], other: tuple[str, ...], verdict: bool | None
) -> None:
    assert adjacent(one, other) is verdict
    assert adjacent(other, one) is verdict


def test_the_same_cell_may_be_written_in_two_ways() -> None:
    assert same(("r1", "c2"), ("C2", "R1")) is True
    assert same(("a", "1"), ("A", "01")) is True
    assert same(("1", "2"), ("2", "1")) is False
    assert same(("1", "2"), ("right",)) is None
