from dataclasses import replace
from typing import Any

import pytest
from PIL import ImageColor

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzles.maze import PUZZLE
from palaver_gamemasters.comma.puzzles.maze.grid import BUTTON, HEADINGS, Pose, distances, moved, poses_to, route
from palaver_gamemasters.comma.puzzles.maze.manual import COLOURS
from palaver_gamemasters.comma.puzzles.maze.picture import PAINT, middle
from palaver_gamemasters.comma.puzzles.maze.puzzle import MazeState
from palaver_gamemasters.comma.puzzles.maze.scene import MazeScene
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.conversing import generated, performed

SETUP: dict[str, Any] = {
    "walls": ["#######", "#.....#", "#.#.#.#", "#.###.#", "#.#...#", "#...#.#", "#######"],
    "torus": "green",
    "spheres": {"red": [1, 1], "blue": [1, 5], "green": [5, 1], "yellow": [5, 5]},
    "mouse": [1, 3],
    "heading": "right",
}
SEEN = """\
The torus in the middle is green.

# # # # # # #
# R . > . B #
# . # . # . #
# . # O # . #
# . # . . . #
# G . . # Y #
# # # # # # #
"""


def example(**changes: Any) -> MazeState:
    return PUZZLE.start(PUZZLE.configure({**SETUP, **changes}), rules_of(PUZZLE))


def at(cell: tuple[int, int], heading: str = "right", **changes: Any) -> MazeState:
    return replace(example(**changes), mouse=Pose(cell, heading))


def wandered(seed: int, steps: int = 12) -> list[MazeState]:
    """Return the states of a random walk, the button aside."""
    dice, states = Dice("walk", seed), [generated(PUZZLE, seed)]
    for _ in range(steps):
        states.append(PUZZLE.act(states[-1], dice.pick(PUZZLE.actions(states[-1])[:4])).state)
    return states


# ---- rules


@pytest.mark.parametrize(
    ("torus", "sphere"), [("green", "blue"), ("blue", "red"), ("red", "green"), ("yellow", "yellow")]
)
def test_the_button_counts_at_the_sphere_that_the_torus_stands_for_and_nowhere_else(torus: str, sphere: str) -> None:
    for colour, cell in SETUP["spheres"].items():
        state = at(tuple(cell), torus=torus)
        step = PUZZLE.act(state, BUTTON)

        assert (step.mistake, PUZZLE.solved(step.state)) == ((False, True) if colour == sphere else (True, False))


def test_pressing_the_button_at_the_wrong_place_changes_nothing() -> None:
    state = example()

    assert PUZZLE.act(state, BUTTON) == (state, True)


@pytest.mark.parametrize(
    ("heading", "move", "cell"),
    [
        ("right", "move_forward", (1, 4)),
        ("right", "move_backward", (1, 2)),
        ("left", "move_forward", (1, 2)),
        ("left", "move_backward", (1, 4)),
        ("down", "move_forward", (2, 3)),
        ("down", "move_backward", (1, 3)),
        ("up", "move_forward", (1, 3)),
        ("up", "move_backward", (2, 3)),
    ],
)
def test_a_step_goes_along_the_heading_and_keeps_it_and_stops_at_walls(
    heading: str, move: str, cell: tuple[int, int]
) -> None:
    step = PUZZLE.act(at((1, 3), heading), move)

    assert (step.state.mouse, step.mistake) == (Pose(cell, heading), False)


def test_the_mouse_cannot_walk_over_the_torus() -> None:
    state = at((2, 3), "down")

    assert PUZZLE.act(state, "move_forward") == (state, False)


def test_turning_right_goes_round_clockwise_and_turning_left_takes_it_back() -> None:
    state, seen = example(), list[str]()
    for _ in range(4):
        state = performed(PUZZLE, state, "turn_right")
        seen.append(state.mouse.heading)

    assert seen == ["down", "left", "up", "right"]
    assert performed(PUZZLE, state, "turn_right", "turn_left") == state == example()


def test_progress_is_the_share_of_the_shortest_way_and_never_less_than_nothing() -> None:
    state = example()

    assert [PUZZLE.progress(each) for each in (state, performed(PUZZLE, state, "move_forward"))] == [0, 0.5]
    assert PUZZLE.progress(performed(PUZZLE, state, "move_forward", "move_forward")) == 1
    assert PUZZLE.progress(performed(PUZZLE, state, "move_backward")) == 0


def test_the_answer_names_the_sphere_and_a_way_that_solves_the_puzzle() -> None:
    assert PUZZLE.answer(example()) == (
        "The torus is green, so the accepting position is the blue sphere at row 1, column 5 (from 0). "
        "A shortest way there: move_forward, move_forward, press_labyrinth_button."
    )


def test_the_briefing_explains_every_action() -> None:
    told = PUZZLE.briefing(example())

    assert all(action in told for action in PUZZLE.actions(example()))


def test_there_is_no_way_to_a_square_that_is_walled_in() -> None:
    rows = ("#####", "#.#.#", "#####", "#...#", "#####")

    assert route(rows, Pose((1, 1), "up"), (1, 3)) is None


# ---- the manual


def manual(*rows: str, head: str = "| Torus | Sphere |", title: str = "## Accepting position") -> Manual:
    return Manual("my.md", "\n".join(["# Maze", title, head, "| --- | --- |", *rows]))


FOUR = ("| green | red |", "| red | red |", "| Blue | GREEN |", "| yellow | blue |")


def test_another_manual_gives_other_rules() -> None:
    rules = PUZZLE.read_manual(manual(*FOUR))
    state = PUZZLE.start(PUZZLE.configure(SETUP), rules)

    assert rules == {"green": "red", "red": "red", "blue": "green", "yellow": "blue"}
    assert state.goal == (1, 1)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (manual(*FOUR, title="## Other"), "my.md: there is no section 'Accepting position'; it has 'Maze', 'Other'"),
        (manual(*FOUR[1:]), "my.md, line 2: the table has no row for the green torus"),
        (manual(*FOUR, FOUR[1]), "my.md, line 9: the red torus has two rows"),
        (manual("| pink | red |"), "my.md, line 5: there is no colour 'pink'; there are: red, blue, green, yellow"),
        (manual("| red | white |"), "my.md, line 5: there is no colour 'white'; there are: red, blue, green, yellow"),
        (manual(*FOUR, head="| A | B |"), "my.md, line 2: the table's columns must be 'Torus' and 'Sphere'"),
        (
            Manual("my.md", "## Accepting position\nGo left."),
            "my.md, line 1: section 'Accepting position' has no table",
        ),
    ],
)
def test_a_malformed_manual_is_refused_with_its_line(given: Manual, problem: str) -> None:
    with pytest.raises(InstanceError) as caught:
        PUZZLE.read_manual(given)

    assert caught.value.message == problem


# ---- initialisations


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"mouse": [0, 0]}, "mouse stands on no free square: row 0, column 0"),
        ({"mouse": [3, 9]}, "mouse stands on no free square: row 3, column 9"),
        ({"mouse": [1, 5]}, "mouse begins on the accepting sphere (spheres.blue)"),
        ({"spheres": {**SETUP["spheres"], "red": [3, 3]}}, "spheres.red stands on no free square: row 3, column 3"),
        ({"spheres": {**SETUP["spheres"], "yellow": [1, 1]}}, "spheres.yellow stands where spheres.red does"),
        ({"walls": [*SETUP["walls"][:4], "#.####.", *SETUP["walls"][5:]]}, "walls has an opening in its rim"),
        ({"walls": [*SETUP["walls"][:4], "#####.#", "#.###.#", SETUP["walls"][6]]}, "spheres.green cannot be reached"),
        ({"walls": [*SETUP["walls"][:3], "#.....#", *SETUP["walls"][4:]]}, "walls has a free square in its middle"),
        ({"walls": SETUP["walls"][:6]}, "walls has 6 rows, so none is the middle one"),
        ({"walls": [*SETUP["walls"][:3], "#.#", *SETUP["walls"][4:]]}, "walls, row 3, has 3 squares"),
        ({"walls": [*SETUP["walls"][:3], "#?###.#", *SETUP["walls"][4:]]}, "walls"),
        ({"heading": "north"}, "heading"),
        ({"torus": "pink"}, "torus"),
        ({"mouse": [-1, 2]}, "mouse"),
        ({"spheres": {"red": [1, 1]}}, "spheres.blue"),
    ],
)
def test_an_initialisation_that_makes_no_maze_is_refused_by_its_field(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(InstanceError) as caught:
        example(**changes)

    assert caught.value.message.startswith(f"comma maze instance: {problem}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rules", [rules_of(PUZZLE), PUZZLE.read_manual(manual(*FOUR))])
def test_every_new_maze_can_be_solved_at_one_action_a_turn(rules: Any) -> None:
    for seed in range(300):
        state = PUZZLE.start(PUZZLE.generate(rules, Dice(seed), None), rules)
        moves = route(state.rows, state.mouse, state.goal)

        assert moves is not None
        assert 2 <= len(moves) <= 9
        assert len(moves) == poses_to(state.rows, state.goal)[state.mouse]
        assert PUZZLE.solved(performed(PUZZLE, state, *moves, BUTTON))
        assert state.goal == state.spheres[COLOURS.index(rules[state.torus])]
        assert state.mouse.cell not in state.spheres
        assert all(cell in distances(state.rows, state.mouse.cell) for cell in state.spheres)


def test_new_mazes_differ_and_come_again_from_the_same_dice() -> None:
    rules = rules_of(PUZZLE)
    setups = [PUZZLE.generate(rules, Dice("again", seed), None) for seed in range(100)]

    assert setups == [PUZZLE.generate(rules, Dice("again", seed), None) for seed in range(100)]
    assert len({setup.walls for setup in setups}) > 90
    assert {setup.torus for setup in setups} == {*COLOURS}
    assert {setup.heading for setup in setups} == {*HEADINGS}


# ---- what is to be seen


def test_the_text_draws_the_maze() -> None:
    assert PUZZLE.write(PUZZLE.scene(example())).startswith(SEEN)


def test_the_text_can_be_read_back_from_any_state() -> None:
    for seed in range(60):
        for state in wandered(seed):
            scene = PUZZLE.scene(state)
            assert PUZZLE.read(PUZZLE.write(scene)) == scene


def test_a_sphere_under_the_mouse_is_not_lost() -> None:
    for colour, cell in SETUP["spheres"].items():
        for heading in HEADINGS:
            scene = PUZZLE.scene(at(tuple(cell), heading))
            text = PUZZLE.write(scene)

            assert f"It stands on the square of the {colour} sphere." in text
            assert PUZZLE.read(text) == scene


def test_a_solved_maze_says_so_and_can_be_read_back() -> None:
    scene = PUZZLE.scene(performed(PUZZLE, example(), "move_forward", "move_forward", BUTTON))

    assert scene.disarmed
    assert PUZZLE.read(PUZZLE.write(scene)) == scene


@pytest.mark.parametrize(
    "text", ["", "A maze.", SEEN.replace(">", "."), SEEN.replace("R", "."), SEEN.partition("\n")[2]]
)
def test_other_texts_show_no_maze(text: str) -> None:
    with pytest.raises(ValueError, match=r"^this (text shows no maze|maze has no sphere)"):
        PUZZLE.read(text)


def pixels(scene: MazeScene) -> Any:
    return PUZZLE.draw(scene).convert("RGB").load()


def nearest(colour: tuple[int, int, int], paints: dict[str, str]) -> str:
    def off(name: str) -> int:
        return sum((a - b) ** 2 for a, b in zip(colour, ImageColor.getrgb(paints[name]), strict=False))

    return min(paints, key=off)


def read_picture(scene: MazeScene) -> MazeScene:
    """Read a scene back from its picture: only the number of squares is known beforehand."""
    pixel, rows = pixels(scene), scene.rows
    size = middle(rows, (0, 1))[0] - middle(rows, (0, 0))[0]
    walls, found, mouse = [list(row) for row in rows], dict[str, tuple[int, int]](), None
    squares = {"wall": "#333d4d", "free": "#fdfcf8", **PAINT}
    half = len(rows) // 2
    for row in range(len(rows)):
        for column in range(len(rows)):
            x, y = middle(rows, (row, column))
            corner = nearest(pixel[x - size * 2 // 5, y + size // 3], squares)
            walls[row][column] = "#" if corner == "wall" else "."
            centre = nearest(pixel[x + 4, y + 4], {**squares, "mouse": "#9fa3aa"})
            if centre == "mouse":
                noses = {
                    heading: nearest(
                        pixel[x + round(right * size * 0.395), y + round(down * size * 0.395)],
                        {**squares, "mouse": "#9fa3aa", "tail": "#e79aa6", "nose": "#e2566f"},
                    )
                    for heading, (right, down) in zip(HEADINGS, ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True)
                }
                (heading,) = (name for name, seen in noses.items() if seen == "nose")
                mouse = Pose((row, column), heading)
                if corner in PAINT:
                    found[corner] = (row, column)
            elif centre in PAINT and (row, column) != (half, half):
                found[centre] = (row, column)
    x, y = middle(rows, (half, half))
    torus = nearest(pixel[x + round(size * 0.27), y], PAINT)
    assert mouse is not None
    red, blue, green, yellow = (found[colour] for colour in COLOURS)
    return MazeScene(tuple("".join(row) for row in walls), torus, (red, blue, green, yellow), mouse)


def test_the_picture_tells_what_the_text_tells() -> None:
    for seed in range(12):
        scene = PUZZLE.scene(wandered(seed)[-1])
        assert read_picture(scene) == scene


def test_the_picture_shows_the_sphere_under_the_mouse_at_every_heading() -> None:
    for colour, heading in zip(COLOURS, HEADINGS, strict=True):
        state = generated(PUZZLE, 3)
        scene = PUZZLE.scene(replace(state, mouse=Pose(state.spheres[COLOURS.index(colour)], heading)))
        assert scene.under == colour
        assert read_picture(scene) == scene


def test_the_same_scene_gives_the_same_bytes_and_others_give_others() -> None:
    states = {each.mouse: each for each in wandered(5, 30)}.values()
    pictures = [png(PUZZLE.draw(PUZZLE.scene(state))) for state in states]

    assert pictures == [png(PUZZLE.draw(PUZZLE.scene(state))) for state in states]
    assert len({*pictures}) == len(pictures) > 5
    done = PUZZLE.scene(replace(generated(PUZZLE, 5), disarmed=True))
    assert png(PUZZLE.draw(done)) not in pictures


@pytest.mark.parametrize("size", [5, 13])
def test_mazes_of_other_sizes_are_drawn_as_well(size: int) -> None:
    rim, hall = "#" * size, "#" + "." * (size - 2) + "#"
    walls = [rim, hall, *["#." + "#" * (size - 4) + ".#"] * (size - 4), hall, rim]
    spheres = {"red": [1, 1], "blue": [1, size - 2], "green": [size - 2, 1], "yellow": [size - 2, size - 2]}
    scene = PUZZLE.scene(example(walls=walls, spheres=spheres, mouse=[1, 2], heading="down"))

    assert PUZZLE.draw(scene).size == (768, 768)
    assert PUZZLE.read(PUZZLE.write(scene)) == scene


def test_moves_can_be_taken_back_so_that_nothing_is_a_trap() -> None:
    rows = example().rows
    back = {"move_forward": "move_backward", "move_backward": "move_forward", "turn_left": "turn_right"}
    for cell in distances(rows, (1, 1)):
        for heading in HEADINGS:
            for move, other in back.items():
                pose = Pose(cell, heading)
                after = moved(rows, pose, move)
                assert after == pose or moved(rows, after, other) == pose


def test_the_manual_that_comes_along_says_what_the_study_says() -> None:
    text = own_manual(PUZZLE).text

    assert "Pressing the button at any other location causes a strike." in text
    assert rules_of(PUZZLE) == {"green": "blue", "blue": "red", "red": "green", "yellow": "yellow"}
