from functools import cache
from statistics import mean

import pytest

from palaver_gamemasters.maze.grading.grader import grade
from palaver_gamemasters.maze.grid import Maze
from palaver_gamemasters.maze.options import Setting
from palaver_gamemasters.maze.speakers import PLAYERS, STYLES
from palaver_gamemasters.maze.speakers.manner import Manner, manner_of
from tests.gamemasters.maze.speakers.table import Turns, a_maze, alone, ask, outcome, talk

MAZES = 24
"""Enough for the differences tested here, which are far apart; a few seconds for all of them."""

strong, weak, imitator = (PLAYERS[f"scripted/{name}"] for name in ("strong", "weak", "imitator"))


@cache
def dialogue(first: str, second: str, index: int) -> tuple[Maze, Turns]:
    maze = a_maze(index)
    return maze, talk(maze, (PLAYERS[f"scripted/{first}"], PLAYERS[f"scripted/{second}"]), index)


@cache
def mean_outcome(first: str, second: str) -> float:
    return mean(outcome(*dialogue(first, second, index)) for index in range(MAZES))


@cache
def relay(first: str, then: str, turns: int) -> float:
    """Mean outcome where the first seat is handed on after some turns; the partner is weak."""
    outcomes = []
    for index in range(MAZES):
        maze, whole = dialogue(first, "weak", index)
        outcomes.append(outcome(maze, talk(maze, (PLAYERS[f"scripted/{then}"], weak), index, before=whole[:turns])))
    return mean(outcomes)


def opening(first: str, second: str, index: int, turn: int) -> Manner:
    maze, turns = dialogue(first, second, index)
    return manner_of(turns[turn][1], maze)


def test_every_speaker_can_be_named() -> None:
    assert set(PLAYERS) == {
        "scripted",
        *(f"scripted/{name}" for name in ("strong", "weak", "imitator")),
        *(f"scripted/{style}" for style in STYLES),
    }


def test_two_strong_ones_solve_every_maze() -> None:
    assert mean_outcome("strong", "strong") >= 0.95


def test_two_weak_ones_do_clearly_worse_than_two_strong_ones() -> None:
    assert 0.15 <= mean_outcome("weak", "weak") <= 0.6


def test_a_mixed_pair_does_worse_than_two_strong_ones_and_better_than_two_weak_ones() -> None:
    for pair in (("strong", "weak"), ("weak", "strong")):
        assert mean_outcome("weak", "weak") + 0.1 <= mean_outcome(*pair) <= mean_outcome("strong", "strong") - 0.05


def test_it_matters_who_speaks_first() -> None:
    assert mean_outcome("strong", "weak") >= mean_outcome("weak", "strong") + 0.05


def test_a_strong_first_message_carries_two_weak_ones_further() -> None:
    assert relay("strong", "weak", 2) >= mean_outcome("weak", "weak") + 0.15


def test_the_later_a_strong_one_comes_to_the_rescue_the_less_it_can_save() -> None:
    assert relay("weak", "strong", 2) >= relay("weak", "strong", 8) + 0.05


@pytest.mark.parametrize("setting", ["solo-full", "solo-distributed"])
def test_alone_even_the_weak_one_plays_well(setting: Setting) -> None:
    for player, least in ((strong, 1.0), (imitator, 1.0), (weak, 0.85)):
        outcomes = []
        for index in range(MAZES):
            maze = a_maze(index)
            outcomes.append(outcome(maze, alone(maze, player, setting, index), setting))
        assert mean(outcomes) >= least


def test_the_manner_of_an_opening_tells_the_speakers_apart() -> None:
    assert [opening(name, "strong", 0, 0) for name in ("strong", "imitator", "weak")] == [
        Manner.CAREFUL,
        Manner.LOCAL,
        Manner.LOOSE,
    ]


def test_a_strong_one_that_is_spoken_to_loosely_names_cells_but_keeps_its_map_to_itself() -> None:
    assert {opening("weak", "strong", index, 1) for index in range(MAZES)} == {Manner.LOCAL}


def test_the_imitator_takes_over_the_manner_of_its_partner() -> None:
    for partner in ("strong", "weak", "imitator"):
        for index in range(4):
            assert opening(partner, "imitator", index, 1) == opening(partner, "imitator", index, 0)


def test_a_weak_one_tells_its_map_when_it_is_asked_and_in_the_convention_that_was_stated() -> None:
    maze, turns = dialogue("strong", "weak", 0)

    assert manner_of(turns[1][1], maze) == Manner.CAREFUL
    assert grade(maze, turns).scheme == grade(maze, dialogue("strong", "strong", 0)[1]).scheme


def test_a_weak_one_makes_the_same_mistakes_for_the_same_seed_and_others_for_another() -> None:
    maze = a_maze(3)
    first, second, other = (talk(maze, (weak, weak), seed) for seed in (5, 5, 6))

    assert first == second != other


MAP = "@..\n?#?\n?.*"


def answer(*turns: tuple[str, str], seed: int = 0, map_: str = MAP) -> str:
    return weak(ask(list(turns), "agent_1", map_, ["agent_2"], seed))


CONVENTION = "I name cells as rXcY for row X and column Y, counted from 1, with r1c1 in the top-left corner."


def test_a_weak_one_agrees_to_a_move_into_a_wall_that_it_could_see_now_and_then() -> None:
    said = [
        answer(("agent_2", "I propose we move down. Do you agree?"), seed=seed, map_="@..\n#.?\n?.*")
        for seed in range(20)
    ]
    agreed = sum("agree" in text and "not agree" not in text for text in said)

    assert 5 <= agreed <= 19


def test_a_weak_one_reads_a_cell_right_when_it_is_asked_to_look_again() -> None:
    turns = (("agent_2", f"{CONVENTION} Please look at your map again. Is r2c2 or r1c2 really a wall?"),)
    right = sum("r2c2 is a wall and r1c2 is open" not in answer(*turns, seed=seed) for seed in range(30))
    once = sum("r2c2 is a wall and r1c2 is open" not in _asked_once(seed) for seed in range(30))

    assert right < once


def _asked_once(seed: int) -> str:
    return answer(("agent_2", f"{CONVENTION} I cannot see r2c2 or r1c2. What does your map show there?"), seed=seed)


def test_a_strong_one_corrects_what_its_partner_says_wrongly_of_a_cell() -> None:
    turns = [("agent_2", f"{CONVENTION} r2c2 is open on my map, r2c1, r2c3 and r3c1 are walls. What do you see?")]

    said = strong(ask(turns, "agent_1", MAP, ["agent_2"]))

    assert "not as you said: my map shows a wall at r2c2" in said


def test_a_strong_one_asks_to_look_again_where_by_what_it_was_told_no_way_is_left() -> None:
    turns = [("agent_2", f"{CONVENTION} r1c2, r2c1 and r2c2 are walls, r3c1 and r2c3 are open. What do you see?")]

    said = strong(ask(turns, "agent_1", "@??\n??.\n?.*", ["agent_2"]))

    assert "Please look at your map again. Is r1c2" in said or "Please look at your map again. Is r2c1" in said


@pytest.mark.parametrize("number", [3, 4, 5])
@pytest.mark.parametrize("name", ["scripted", "scripted/strong", "scripted/chess"])
def test_any_number_of_careful_speakers_solve_a_maze_together(name: str, number: int) -> None:
    for index in range(2):
        maze = a_maze(index)
        turns = talk(maze, [PLAYERS[name]] * number, index, limit=25 * number)

        assert "ACTI!" in turns[-1][1]
        assert grade(maze, turns, agents=number).route == maze.route(maze.start)


def test_three_of_any_kind_keep_talking_to_the_end() -> None:
    for players in ((weak,) * 3, (imitator,) * 3, (strong, weak, imitator), (weak, strong, strong)):
        turns = talk(a_maze(1), players, limit=75)

        assert len(turns) == 75 or "ACTI!" in turns[-1][1]
        assert all(text.strip() for _, text in turns)
