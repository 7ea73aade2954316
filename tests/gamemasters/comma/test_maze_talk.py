from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.comma.instances import rules_of
from palaver_gamemasters.comma.puzzles.maze import PUZZLE
from palaver_gamemasters.comma.puzzles.maze.grid import BUTTON, Pose
from palaver_gamemasters.comma.puzzles.maze.puzzle import MazeState
from palaver_gamemasters.comma.state import orders
from palaver_gamemasters.comma.talk import Line
from tests.gamemasters.comma.conversing import (
    Talked,
    advice,
    after_saying,
    converse,
    generated,
    sight,
    told_to_solve,
)

ASK = "Which colour is the torus in the middle of the maze? Please tell me, for example: 'The torus is red.'"


def green(seed: int = 0) -> MazeState:
    """Return a maze with a green torus: the blue sphere is meant."""
    found: MazeState = next(
        state for number in range(seed, 99) if (state := generated(PUZZLE, number)).torus == "green"
    )
    return found


def solved_by(state: MazeState, told: str) -> bool:
    after = after_saying(PUZZLE, Talked(state), told_to_solve(PUZZLE, state, told))
    return bool(after.solved) and not after.mistakes


@pytest.mark.parametrize("memory", [True, False])
def test_the_scripted_players_solve_every_maze_in_two_turns_without_a_mistake(memory: bool) -> None:
    for seed in range(250):
        after = converse(PUZZLE, generated(PUZZLE, seed), memory=memory)
        assert (after.solved, after.turns, after.mistakes) == (True, 2, 0)


@pytest.mark.parametrize(
    ("said", "sphere"),
    [
        ("The torus is green.", "blue"),
        ("torus: GREEN", "blue"),
        ("I see red, blue, green and yellow balls and a yellow torus", "yellow"),
        ("Spheres: red, blue, yellow, green. Torus red.", "green"),
        ("There are red, blue, yellow and green spheres around a torus that is red", "green"),
        ("It's a maze. The ring in the centre is Blue, my mouse is next to the red ball", "red"),
        ("The donut in the middle looks yellow to me", "yellow"),
        ("A mouse, four spheres (red, blue, green, yellow), and in the middle a blue thing", "red"),
        ("The torus isn\N{RIGHT SINGLE QUOTATION MARK}t green, it's red", "green"),
        ("The torus is not red but **green**.", "blue"),
        ("The colour of the torus is RED! What now?", "green"),
        ("It is yellow.", "yellow"),
    ],
)
def test_an_expert_understands_how_people_tell_the_colour_of_the_torus(said: str, sphere: str) -> None:
    assert advice(PUZZLE, said) == f"Go to the {sphere} sphere, and press the labyrinth button there."


@pytest.mark.parametrize(
    "said", ["", "Hello, what shall I do?", "The mouse is next to the red sphere.", "move_forward\nturn_left"]
)
def test_an_expert_that_does_not_know_the_torus_asks_for_it(said: str) -> None:
    assert advice(PUZZLE, said) == ASK


def test_an_expert_remembers_the_torus_and_believes_the_latest_word_on_it() -> None:
    assert "red sphere" in advice(PUZZLE, "The torus is green.", "Sorry, the torus is blue.", "move_forward")


@pytest.mark.parametrize(
    "told",
    [
        "Go to the blue one and press the button",
        "go to BLUE, please!",
        "blue",
        "Could you please go to the blue sphere and press the button?",
        "Since the torus is green, go to the blue sphere.",
        "Green torus means blue sphere.",
        "Torus green, so sphere blue",
        "Is the torus green? Then take the blue ball.",
        "Not the red sphere, the blue one",
        "The sphere is blue. Avoid the red one.",
        "Don\N{RIGHT SINGLE QUOTATION MARK}t go to the red sphere. Navigate the mouse to the **blue** sphere.",
        "Go red. Sorry, I meant blue.",
        "The accepting position is blue.",
        "You want the ball that is blue.",
        "Green -> Blue, Blue -> Red, Red -> Green, Yellow -> Yellow",
        "When the torus is green you need the blue sphere; when it is blue, the red; when it is red, the green.",
    ],
)
def test_a_solver_does_what_people_tell_it_in_their_own_words(told: str) -> None:
    assert solved_by(green(), told)


@pytest.mark.parametrize(
    "told",
    [
        "",
        ASK,
        "I don't understand.",
        "Which colour is the torus: red, blue, green or yellow?",
        "Could you tell me the colour of the torus: red, blue, green or yellow?",
        "There are four spheres: red, blue, green and yellow.",
        "Press the button when you are at the accepting position.",
        "Don't press the button elsewhere.",
    ],
)
def test_a_solver_that_is_told_nothing_to_do_describes_again(told: str) -> None:
    said = told_to_solve(PUZZLE, green(), told)

    assert "The torus in the middle is green." in said
    assert orders(said, PUZZLE.actions(green())) == ()


@pytest.mark.parametrize(
    ("told", "actions"),
    [
        ("turn_left\nmove_forward", "turn_left move_forward"),
        ("Turn right, please.", "turn_right"),
        ("Turn left, then go forward twice and press the button.", "turn_left move_forward move_forward " + BUTTON),
        ("Move forward 3 squares.", "move_forward move_forward move_forward"),
        ("Move the mouse forward once, then push the labyrinth button", "move_forward " + BUTTON),
        ("Go back one square. Rotate the mouse to the left.", "move_backward turn_left"),
    ],
)
def test_a_solver_also_takes_single_moves(told: str, actions: str) -> None:
    assert told_to_solve(PUZZLE, green(), told).split() == actions.split()


def test_a_solver_says_that_it_made_a_mistake() -> None:
    state = green()
    lines = (Line("solver", BUTTON), Line("environment", "That action seems to have been a mistake"))

    assert PUZZLE.talk.describe(sight(PUZZLE, state, *lines)).startswith("That was a mistake. I see a maze")


def test_a_solver_that_takes_over_half_way_solves_the_maze_from_where_the_mouse_is() -> None:
    state = green()
    on_another = replace(state, mouse=Pose(state.spheres[0], "down"))

    assert solved_by(on_another, "Go to the blue sphere, and press the labyrinth button there.")


def test_the_expert_reads_its_own_manual_and_nothing_else() -> None:
    rules = {**rules_of(PUZZLE), "green": "yellow"}
    heard = sight(PUZZLE, green(), Line("solver", "The torus is green.")).heard

    assert PUZZLE.talk.advise(rules, heard) == "Go to the yellow sphere, and press the labyrinth button there."


FRAGMENTS = (
    "the torus is", "green", "blue", "red", "sphere", "->", "not", "go to", "move forward", "99 times", "turn", "left",
    "press the button", "if", "?", ".", "\n", "torus", "move_backward", "for example", "middle", ":", "don't", "12",
)  # fmt: skip


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(FRAGMENTS), max_size=14).map(" ".join)))
@settings(deadline=None, max_examples=150)
def test_nothing_that_a_partner_says_breaks_a_player(words: str) -> None:
    state = green()

    said = told_to_solve(PUZZLE, state, words)
    after_saying(PUZZLE, Talked(state), said)
    assert said
    assert advice(PUZZLE, words)
