"""Players that need no model, and episodes of theirs."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from palaver_gamemasters.game import Reply
from palaver_gamemasters.ivispar import GAME
from palaver_gamemasters.ivispar.game import IvisparState
from palaver_gamemasters.ivispar.instances import board_of
from palaver_gamemasters.ivispar.players import PLAYERS
from palaver_gamemasters.ivispar.reading import read_board, read_lines, read_states
from palaver_gamemasters.ivispar.scores import CLASSES
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import Message, in_words
from tests.gamemasters.ivispar.sliding import a_board, an_episode, cell, layout
from tests.support import a_request


def request(view: Sequence[Message], turn: int = 0, seed: int = 0) -> TurnRequest:
    return a_request("k", turn=turn, seat="player").model_copy(update={"view": tuple(view), "seed": seed})


def played(player: str, state: IvisparState, seed: int = 0) -> IvisparState:
    turn = 0
    while GAME.pending(state):
        answer = PLAYERS[player](request(GAME.view(state, "player"), turn, seed))
        state, turn = GAME.apply(state, {"player": Reply.of(answer)}), turn + 1
    return state


def boards(count: int, seed: int = 0, **options: Any) -> list[IvisparState]:
    configured = GAME.configure({"modality": "text", **options})
    return [GAME.start(each.data, configured) for each in islice(GAME.instances(configured, seed), count)]


@pytest.mark.parametrize("compat", [False, True])
def test_the_optimal_player_solves_every_board_without_a_detour(compat: bool) -> None:
    for state in boards(30, compat=compat):
        found = GAME.score(played("optimal", state))
        assert (found["solved"], found["step_deviation"], found["regret"], found["excess"]) == (1, 0, 0, 0)


def test_the_optimal_player_knows_its_way_around_others() -> None:
    for state in boards(4, interference=1, min_path=6, max_path=9, min_geoms=3, max_geoms=6):
        found = GAME.score(played("optimal", state))
        assert (found["solved"], found["interference"], found["excess"]) == (1, 1, 0)


def test_the_random_player_makes_each_legal_move_as_often_as_any_other() -> None:
    state = an_episode(a_board({"blue sphere": ("A1", "C1"), "red cube": ("B1", "D4")}))
    view = GAME.view(state, "player")
    said = Counter(PLAYERS["random"](request(view, seed=seed)) for seed in range(800))
    assert set(said) == {
        "action: move blue sphere up",
        "action: move red cube right",
        "action: move red cube up",
    }
    assert all(220 < times < 320 for times in said.values())


def test_the_random_player_rolls_anew_each_turn_and_the_same_each_time() -> None:
    view = GAME.view(an_episode(), "player")
    said = [[PLAYERS["random"](request(view, turn, seed)) for turn in range(20)] for seed in (0, 0, 1)]
    assert said[0] == said[1] != said[2]
    assert len(set(said[0])) > 1


def test_the_random_player_hardly_ever_solves_and_never_fails_an_action() -> None:
    found = [GAME.score(played("random", state, seed)) for seed, state in enumerate(boards(50))]
    assert sum(each["solved"] or 0 for each in found) <= 3
    assert {each[failed] for each in found for failed in ("occupied", "out_of_bounds", "illegal", "malformed")} == {0}
    assert 6.4 < sum(each["step_deviation"] or 0 for each in found) / 50 < 8.4


def test_the_scripted_player_shows_every_class_and_solves_some_boards() -> None:
    found = [GAME.score(played("scripted", state, seed)) for seed, state in enumerate(boards(30))]
    for each in CLASSES:
        assert sum(score[each] or 0 for score in found) > 0
    assert 5 < sum(score["solved"] or 0 for score in found) < 30


def test_a_solved_board_ends_the_episode_and_so_do_twenty_actions() -> None:
    solved = played("optimal", an_episode())
    assert (GAME.outcome(solved), len(solved.steps)) == ("solved", 2)
    state = an_episode()
    for _ in range(20):
        assert GAME.outcome(state) is None
        state = GAME.apply(state, {"player": Reply.of("I give up.")})
    assert (GAME.outcome(state), GAME.pending(state)) == ("failed", ())


def test_scripts_read_the_board_from_pictures_words_however_they_come() -> None:
    board = a_board({"blue sphere": ("A1", "C1"), "red cube": ("B2", "D4")})
    state = GAME.start(layout(board), GAME.configure({"modality": "2d"}))
    state = GAME.acted(state, "action: move blue sphere up")
    view = GAME.view(state, "player")
    for shown in (view, in_words(view)):
        found = read_board(shown)
        assert dict(zip(found.geoms, found.start, strict=True)) == dict(zip(board.geoms, state.position, strict=True))
        assert dict(zip(found.geoms, found.goal, strict=True)) == dict(zip(board.geoms, board.goal, strict=True))
        assert found.size == 4


def test_scripts_know_which_shapes_pictures_from_above_show() -> None:
    places = {"blue sphere": ("A1", "C1"), "red cone": ("B2", "D4"), "red prism": ("C3", "C3")}
    state = GAME.start(layout(a_board(places)), GAME.configure({"modality": "2d"}))
    assert {str(geom) for geom in read_board(GAME.view(state, "player")).geoms} == set(places)
    goal, _ = read_states(GAME.view(state, "player"), as_seen=True)
    assert {str(geom) for geom in goal} == {"blue circle", "red diamond", "red pentagon"}


def test_with_compat_a_diamond_of_a_picture_may_be_a_diamond() -> None:
    board = a_board({"red cone": ("B2", "D4"), "red diamond": ("C3", "C3")})
    state = GAME.start(layout(board), GAME.configure({"modality": "2d", "compat": True}))
    assert set(read_board(GAME.view(state, "player")).geoms) == set(board.geoms)


def test_in_words_a_square_and_a_diamond_are_what_they_are_called() -> None:
    board = a_board({"red square": ("B2", "D4"), "red diamond": ("C3", "C3")})
    assert set(read_board(GAME.view(an_episode(board), "player")).geoms) == set(board.geoms)


def test_large_boards_are_read_too() -> None:
    (state,) = boards(1, size=26, min_geoms=3, max_geoms=3, min_path=60, max_path=60)
    found = read_board(GAME.view(state, "player"))
    assert found.size == 26
    assert set(zip(found.geoms, found.start, found.goal, strict=True)) == set(
        zip(state.board.geoms, state.board.start, state.board.goal, strict=True)
    )


def test_what_players_say_is_no_board() -> None:
    state = GAME.start(layout(a_board()), GAME.configure({"modality": "2d"}))
    view = [*GAME.view(state, "player"), Message.text_from("player", "Goal state:\nA1 green cone")]
    assert read_states(view) == read_states(view[:-1])


def test_scripts_say_that_they_see_nothing() -> None:
    state = GAME.start(layout(a_board()), GAME.configure({"modality": "2d", "words": False}))
    for player in PLAYERS.values():
        with pytest.raises(UsageError, match=r"no board in words to be seen .*leave words=false out"):
            player(request(GAME.view(state, "player")))


def test_lines_are_read_among_others() -> None:
    text = "active state:\nD1 yellow pyramid\nno E2 line\nB12 #ff8800 cube\n"
    assert {str(geom): where for geom, where in read_lines(text).items()} == {
        "yellow pyramid": cell("D1"),
        "#ff8800 cube": cell("B12"),
    }


def test_an_instance_that_was_made_is_one_that_can_be_read() -> None:
    made = next(GAME.instances(GAME.configure({}), 0))
    assert board_of(made.data).size == 4
