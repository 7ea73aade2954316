"""What people see of a maze, and what they can say by its keys."""

from itertools import islice, pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from palaver_gamemasters.game import Reply
from palaver_gamemasters.maze import GAME
from palaver_gamemasters.maze.game import MazeState
from palaver_gamemasters.maze.grid import MOVES

SVG = "{http://www.w3.org/2000/svg}"
MAZE: dict[str, Any] = {
    "grid": ["@..", "##.", "*.."],
    "views": [["@.?", "#??", "*?."], ["@?.", "?#.", "*.?"]],
}
GROUPS: list[dict[str, Any]] = [{}, {"agents": 3, "max_turns": 90}, {"agents": 4, "max_turns": 90, "order": "named"}]


def begun(**options: Any) -> MazeState:
    return GAME.start(MAZE, GAME.configure(options))


def said(state: MazeState, *texts: str) -> MazeState:
    for text in texts:
        state = GAME.apply(state, {GAME.pending(state)[0]: Reply.of(text)})
    return state


def by_key(state: MazeState, key: str) -> str:
    (seat,) = GAME.pending(state)
    (found,) = [move.says for move in GAME.moves(state, seat) if key in move.keys]
    return found


def keys_to_the_goal(state: MazeState) -> list[str]:
    ways = {step: f"Arrow{name.capitalize()}" for name, step in MOVES.items()}
    route = state.maze.route(state.maze.start)
    return [ways[other[0] - one[0], other[1] - one[1]] for one, other in pairwise(route)]


def test_a_pair_is_drawn_as_the_maze_and_a_map_for_each() -> None:
    panels = GAME.panels(begun())
    assert [(panel.title, panel.seat) for panel in panels] == [
        ("the maze", ""),
        ("agent_1's map", "agent_1"),
        ("agent_2's map", "agent_2"),
    ]
    assert "@.?\n#??\n*?." in panels[1].words


def test_who_sees_the_whole_maze_has_no_map_beside_it() -> None:
    assert [panel.title for panel in GAME.panels(begun(setting="solo-full"))] == ["the maze"]


def test_who_holds_all_copies_has_each_of_them_drawn() -> None:
    panels = GAME.panels(begun(setting="solo-distributed"))
    assert [(panel.title, panel.seat) for panel in panels[1:]] == [
        ("agent_1's map 1", "agent_1"),
        ("agent_1's map 2", "agent_1"),
    ]


def test_a_map_shows_walls_where_its_copy_has_them_and_fog_for_the_rest() -> None:
    state = begun()
    for view, panel in zip(state.views, GAME.panels(state)[1:], strict=True):
        texts = [element.text for element in ET.fromstring(panel.svg).iter(f"{SVG}text")]
        assert texts.count("?") == str(view).count("?")


def test_the_way_is_drawn_and_told_as_far_as_it_is_agreed_on() -> None:
    state = said(begun(), "Let's move right.", "Agreed.\nNext, let's move right.", "Agreed.")
    panel = GAME.panels(state)[0]
    assert "(0, 0) to (0, 1) to (0, 2): 2 moves, 4 to go." in panel.words
    assert "2 moves, 4 to go" in panel.svg


def test_a_step_into_a_wall_is_told() -> None:
    panel = GAME.panels(said(begun(), "Let's move down.", "Agreed."))[0]
    assert "stopped by a wall, 6 to go" in panel.words


def test_what_is_only_proposed_is_not_drawn() -> None:
    assert GAME.panels(said(begun(), "Let's move right."))[0].svg == GAME.panels(begun())[0].svg


@pytest.mark.parametrize("options", GROUPS)
def test_mazes_are_solved_by_keys_alone(options: dict[str, Any]) -> None:
    given = GAME.configure(options)
    for instance in islice(GAME.instances(given, 1), 12):
        state = GAME.start(instance.data, given)
        for key in keys_to_the_goal(state):
            step, proposer = by_key(state, key), GAME.pending(state)[0]
            state = said(state, step)
            while GAME.pending(state) != (proposer,):
                state = said(state, by_key(state, "y"))
        assert GAME.score(state)["success"] == 1
        assert GAME.outcome(said(state, ending(state))) == "solved"


def ending(state: MazeState) -> str:
    (found,) = [move.says for move in GAME.moves(state, GAME.pending(state)[0]) if move.group == "end"]
    return found


def test_yes_and_the_next_step_make_one_message() -> None:
    given = GAME.configure({})
    for instance in islice(GAME.instances(given, 2), 12):
        state = GAME.start(instance.data, given)
        first, *rest = keys_to_the_goal(state)
        state = said(state, by_key(state, first))
        for key in rest:
            state = said(state, f"{by_key(state, 'y')}\n{by_key(state, key)}")
        state = said(state, f"{by_key(state, 'y')}\n{ending(state)}")
        assert GAME.outcome(state) == "solved"


@pytest.mark.parametrize("setting", ["solo-full", "solo-distributed"])
def test_alone_the_keys_write_the_solution_and_one_says_that_it_stands(setting: str) -> None:
    given = GAME.configure({"setting": setting})
    for instance in islice(GAME.instances(given, 1), 12):
        state = GAME.start(instance.data, given)
        state = said(state, "\n".join(by_key(state, key) for key in keys_to_the_goal(state)))
        assert GAME.outcome(said(state, by_key(state, "y"))) == "solved"


def test_letters_mean_what_the_arrows_mean() -> None:
    state = begun()
    pairs = {"ArrowUp": "w", "ArrowLeft": "a", "ArrowDown": "s", "ArrowRight": "d"}
    assert [by_key(state, arrow) for arrow in pairs] == [by_key(state, letter) for letter in pairs.values()]


def test_moves_know_nothing_of_the_map_nor_of_where_the_game_sees_the_players() -> None:
    into_a_wall, onwards = (said(begun(), f"Let's move {way}.", "Agreed.") for way in ("down", "right"))
    assert len(into_a_wall.grade.route) != len(onwards.grade.route)
    assert GAME.moves(into_a_wall, "agent_1") == GAME.moves(onwards, "agent_1")


def test_a_named_order_can_be_kept_by_keys() -> None:
    state = GAME.start(next(GAME.instances(given := GAME.configure({"agents": 3, "order": "named"}), 1)).data, given)
    assert GAME.pending(said(state, by_key(state, "3"))) == ("agent_3",)


@pytest.mark.parametrize("size", [2, 26])
def test_mazes_of_every_size_are_drawn(size: int) -> None:
    given = GAME.configure({"size": size, "density": 0.2})
    state = GAME.start(next(GAME.instances(given, 1)).data, given)
    for panel in GAME.panels(state):
        assert panel.width > size * 40
        assert len(panel.svg) < 200_000
