"""A mover who sees nothing, and describers who see the board, or a share of its geoms each."""

from typing import Any

import pytest

from palaver_gamemasters.game import Reply
from palaver_gamemasters.ivispar.described import GAME
from palaver_gamemasters.ivispar.described.game import DescribedState
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError, UsageError
from tests.support import a_request

BOARD: dict[str, Any] = {
    "id": "small",
    "grid_size": 3,
    "landmarks": [
        {"body": "cube", "color": "red", "start_coordinate": [0, 0], "goal_coordinate": [1, 0]},
        {"body": "sphere", "color": "blue", "start_coordinate": [2, 2], "goal_coordinate": [2, 2]},
        {"body": "cone", "color": "green", "start_coordinate": [0, 2], "goal_coordinate": [0, 1]},
    ],
}


def started(**options: Any) -> DescribedState:
    return GAME.start(BOARD, GAME.configure({"modality": "text", **options}))


def after(state: DescribedState, *said: str) -> DescribedState:
    for text in said:
        (seat,) = GAME.pending(state)
        state = GAME.apply(state, {seat: Reply.of(text)})
    return state


def told(state: DescribedState, seat: str) -> str:
    return "\n".join(message.text for message in GAME.view(state, seat))


def play(player: str, **options: Any) -> DescribedState:
    state = started(**options)
    while pending := GAME.pending(state):
        for seat in pending:
            request = a_request(game=GAME.name, seat=seat, view=GAME.view(state, seat), turn=len(state.dialogue))
            state = GAME.apply(state, {seat: Reply.of(GAME.players()[player](request))})
    return state


def test_the_describers_speak_in_turn_and_then_the_mover_moves() -> None:
    state = started(describers=2)
    order: list[str] = []
    for _ in range(4):
        order += GAME.pending(state)
        state = after(state, "action: move red cube right")
    assert order == ["describer_1", "describer_2", "mover", "describer_1"]
    assert len(state.puzzle.steps) == 1


def test_what_a_describer_says_moves_nothing() -> None:
    assert after(started(), "action: move red cube right").puzzle.steps == ()


def test_the_mover_is_shown_nothing_of_the_board() -> None:
    state = after(started(), "I will not tell.")
    view = told(state, "mover")
    assert not any(f"{cell} {geom}" in view for cell in ("A1", "B1", "C3") for geom in ("red cube", "blue sphere"))
    assert "I will not tell." in view
    assert not any(isinstance(part, Image) for message in GAME.view(state, "mover") for part in message.parts)


def test_a_describer_is_shown_the_goal_and_the_board_as_it_is_now_and_not_as_it_was() -> None:
    state = after(started(), "hello", "action: move red cube right")
    view = told(state, "describer")
    assert "Goal state:\nA2 green cone\nB1 red cube\nC3 blue sphere" in view
    assert "Current state:\nA3 green cone\nB1 red cube\nC3 blue sphere" in view
    assert "A1 red cube" not in view


def test_several_describers_see_each_geom_once_between_them() -> None:
    views = [told(started(describers=2), f"describer_{number}") for number in (1, 2)]
    seen = [[geom for geom in ("red cube", "blue sphere", "green cone") if f"1 {geom}" in view or f"3 {geom}" in view]
            for view in views]  # fmt: skip
    assert seen == [["red cube", "green cone"], ["blue sphere"]]


def test_pictures_show_a_describer_its_share_alone() -> None:
    state = started(describers=2, modality="2d")
    pictures = [part for message in GAME.view(state, "describer_2") for part in message.parts
                if isinstance(part, Image)]  # fmt: skip
    assert len(pictures) == 2
    assert all("blue circle" in (each.alt or "") and "square" not in (each.alt or "") for each in pictures)


def test_everybody_hears_everything_that_is_said() -> None:
    state = after(started(describers=2), "one", "two", "three")
    assert all(text in told(state, seat) for seat in state.seats for text in ("one", "two", "three"))


def test_a_move_that_fails_is_told_to_nobody_but_by_what_describers_see() -> None:
    before, failed = started(), after(started(), "hm", "action: move red cube left")
    assert failed.puzzle.steps[0].failure == "out_of_bounds"
    assert GAME.view(before, "describer")[-1] == GAME.view(failed, "describer")[-1]


@pytest.mark.parametrize("describers", [1, 2, 3])
def test_scripts_tell_and_do_what_is_best(describers: int) -> None:
    state = play("scripted", describers=describers)
    assert (GAME.outcome(state), GAME.score(state)["regret"]) == ("solved", 0)
    assert len(state.dialogue) == 2 * (describers + 1)


@pytest.mark.parametrize("describers", [1, 3])
def test_scripts_speak_of_pictures_by_the_names_of_their_task(describers: int) -> None:
    state = play("scripted", describers=describers, modality="2d")
    assert (GAME.outcome(state), GAME.score(state)["regret"]) == ("solved", 0)
    words = "\n".join(each.text for each in state.dialogue if each.speaker != "mover")
    assert "A1 red square" in words
    assert "cube" not in words


def test_a_scripted_mover_understands_both_names_of_a_shape() -> None:
    state = started(modality="2d")
    said = "Now:\nA1 red square\nC3 blue sphere\nGoal:\nB1 red cube\nC3 blue circle"
    state = after(state, said)
    request = a_request(game=GAME.name, seat="mover", view=GAME.view(state, "mover"), turn=1)
    assert GAME.players()["scripted"](request) == "action: move red cube right"


def test_chance_solves_no_more_than_luck_and_keeps_to_the_limit() -> None:
    state = play("random", moves=5)
    assert len(state.puzzle.steps) <= 5
    assert len(state.dialogue) <= GAME.turn_limit(GAME.configure({"moves": 5})) == 10


def test_each_move_has_a_note_behind_it() -> None:
    state = after(started(describers=2), "a", "b", "action: move red cube right", "c", "d", "no idea")
    assert [[minute.kind for minute in notes] for notes in GAME.minutes(state)] == [
        [], [], ["effective"], [], [], ["illegal"],
    ]  # fmt: skip


def test_more_describers_than_geoms_are_refused() -> None:
    with pytest.raises(InstanceError, match="4 describers cannot share a board of 3 geoms"):
        started(describers=4)


def test_variants_say_how_many_describe() -> None:
    options = GAME.configure({"modality": "2d", "describers": 3})
    assert GAME.variant(options) == "2d-3"
    assert GAME.configure({}, "2d-3") == options


def test_a_number_of_describers_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError, match="describers"):
        GAME.configure({"describers": 0})
