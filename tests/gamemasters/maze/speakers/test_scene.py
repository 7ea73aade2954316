from palaver_gamemasters.maze.grid import HIDDEN, PATH, WALL, Maze
from palaver_gamemasters.maze.speakers.scene import Scene, scene_of
from palaver_gamemasters.maze.speakers.styles import NAMED_STYLES

MINE = Maze(("@?#?", ".?.?", "?.?#", "?#?*"))
FAVOURITE = NAMED_STYLES["xy1"]

FIRST = ("b", "I name cells as (row, column), counted from 0, with (0, 0) in the top-left corner.")


def scene(*dialogue: tuple[str, str]) -> Scene:
    return scene_of("a", frozenset({"b"}), MINE, dialogue, FAVOURITE)


def test_before_anybody_spoke_the_favourite_convention_names_cells() -> None:
    start = scene()

    assert (start.style, start.adopts, start.silent) == (FAVOURITE, False, frozenset("b"))
    assert start.name((0, 0)) == "(1, 4)"


def test_the_convention_that_was_stated_first_is_adopted() -> None:
    adopted = scene(FIRST)

    assert (adopted.adopts, adopted.silent) == (True, frozenset())
    assert adopted.name((1, 2)) == "(1, 2)"


def test_what_was_first_said_by_the_seat_itself_holds_until_the_end() -> None:
    own = scene(("a", "I use r1c1 for the top-left corner."), ("b", "I go by (x, y), (0, 0) is bottom-left."))

    assert own.name((0, 1)) == "r1c2"


def test_cells_are_known_that_were_told_or_stood_upon() -> None:
    later = scene(
        FIRST, ("a", "I suggest we move right to (0, 1)."), ("b", "Agreed. (3, 0) is open, (1, 1) is a wall.")
    )

    assert later.moved
    assert (later.known[0, 1], later.known[3, 0], later.known[1, 1]) == (PATH, PATH, WALL)
    assert later.known[2, 0] == HIDDEN


def test_a_hidden_cell_that_was_refused_counts_as_a_wall() -> None:
    later = scene(FIRST, ("a", "I propose we move right to (0, 1)."), ("b", "No."))

    assert later.hopeful[0, 1] == WALL
    assert later.next_step((0, 0)) == (1, 0)


def test_questions_are_remembered_until_the_partner_speaks_again() -> None:
    assert scene(FIRST, ("b", "What is at (1, 1)?")).wanted == ((1, 1),)
    assert scene(FIRST, ("b", "What is at (1, 1)?"), ("b", "Never mind.")).wanted == ()


def test_a_dead_end_does_not_lead_on() -> None:
    assert not scene(FIRST, ("b", "(1, 1) is a wall.")).leads_on((0, 1))
    assert scene(FIRST, ("b", "(1, 1) is a wall.")).leads_on((1, 0))
