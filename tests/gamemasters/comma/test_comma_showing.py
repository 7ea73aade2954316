"""What people are shown of COMMA: the solver's picture with a tally, and its actions as buttons."""

from collections import Counter
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.puzzles import TEN
from palaver_gamemasters.comma.state import CommaState, Deed, orders
from palaver_gamemasters.game import Reply
from palaver_gamemasters.showing import Move
from palaver_protocols.content import Image
from tests.gamemasters.comma.playing import after, an_episode, openings, shown

EXAMPLE = "examples.safe:PUZZLE"


def begun(puzzle: str, **options: Any) -> CommaState:
    (opening,) = openings("scripted", episodes=1, puzzle=puzzle, **options)
    return GAME.start(opening.instance, GAME.configure({"puzzle": puzzle, "modality": "text", **options}))


def buttons(state: CommaState) -> dict[str, Move]:
    return {move.label: move for move in GAME.moves(state, "solver")}


@pytest.mark.parametrize("puzzle", [*TEN, EXAMPLE])
def test_there_is_a_button_for_each_action_and_no_other(puzzle: str) -> None:
    state = begun(puzzle)
    moves = GAME.moves(state, "solver")
    assert sorted(move.says for move in moves) == sorted(state.actions)
    assert all(orders(move.says, state.actions) == (move.says,) for move in moves)


@pytest.mark.parametrize("puzzle", [*TEN, EXAMPLE])
def test_no_two_buttons_of_a_group_share_a_name_or_a_key(puzzle: str) -> None:
    moves = GAME.moves(begun(puzzle), "solver")
    assert set(Counter((move.group, move.label) for move in moves).values()) == {1}
    keys = Counter((move.group, key) for move in moves for key in move.keys)
    assert all(count == 1 for count in keys.values()), keys


@pytest.mark.parametrize("puzzle", TEN)
def test_a_click_is_no_message_by_itself_and_enter_stays_free_to_send_it(puzzle: str) -> None:
    moves = GAME.moves(begun(puzzle), "solver")
    assert not any(move.ends for move in moves)
    assert not any("Enter" in move.keys for move in moves)


def test_a_wire_is_cut_by_its_button_which_then_says_so() -> None:
    state = an_episode()
    first = buttons(state)["Cut wire 1 (red)"]
    assert (first.says, first.keys) == ("cut_wire_1", ("1",))
    state = after(state, first.says)
    assert "Cut wire 1 (red, cut)" in buttons(state)
    assert after(state, buttons(state)["Cut wire 2 (blue)"].says).solved


def test_the_buttons_of_the_keypad_do_not_name_what_is_drawn_on_them() -> None:
    state = an_episode({"symbols": ["anchor", "mug", "house", "mushroom"]}, "keypad")
    assert list(buttons(state)) == ["Top left", "Top right", "Bottom left", "Bottom right"]
    assert "Top left (lit)" in buttons(after(state, "press_top_left_button"))


def test_the_mouse_goes_by_the_arrow_keys() -> None:
    keys = {move.keys[0]: move.says for move in GAME.moves(begun("maze"), "solver") if move.keys}
    assert keys == {
        "ArrowUp": "move_forward",
        "ArrowDown": "move_backward",
        "ArrowLeft": "turn_left",
        "ArrowRight": "turn_right",
    }


def test_each_slot_of_the_lock_is_a_group_that_the_arrow_keys_turn() -> None:
    state = an_episode({"slots": ["RST", "GHI", "DEF", "STU", "CDE"], "shown": "TGESC"}, "password")
    slot = [(move.says, move.keys[0]) for move in GAME.moves(state, "solver") if move.group == "Slot 3: E"]
    assert slot == [("press_up_3", "ArrowUp"), ("press_down_3", "ArrowDown")]


def test_the_buttons_of_the_terminal_have_the_keys_of_its_digits() -> None:
    moves = GAME.moves(begun("atm"), "solver")
    assert {move.keys[0]: move.says for move in moves if move.group == "Digits"} == {
        digit: f"press_{digit}" for digit in "0123456789"
    }


def test_an_expert_has_no_buttons() -> None:
    assert GAME.moves(an_episode(experts=2), "expert_1") == ()


@pytest.mark.parametrize("puzzle", TEN)
def test_watchers_see_the_very_picture_that_the_solver_is_shown(puzzle: str) -> None:
    state = begun(puzzle, modality="auto")
    panel = GAME.panels(state)[0]
    (picture,) = (part for part in shown(state).parts if isinstance(part, Image))
    assert panel.png is picture.data
    assert (panel.width, panel.height, panel.seat) == (picture.width, picture.height, "solver")
    assert panel.words == picture.alt


def test_the_tally_counts_turns_mistakes_and_what_was_done() -> None:
    state = after(an_episode(), "Which one?", "cut_wire_1\ncut_wire_3")
    words = GAME.panels(state)[1].words.splitlines()
    assert words == [
        "Turn 3 of 10: solver speaks",
        "Mistakes: 2 of 3",
        "Progress: 0 %",
        "The latest actions:",
        "mistake: cut_wire_1",
        "mistake: cut_wire_3",
    ]


@pytest.mark.parametrize(
    ("messages", "standing"),
    [
        (("cut_wire_2",), "Turn 1 of 2: solved"),
        (("cut_wire_1\ncut_wire_3\ncut_wire_4",), "Turn 1 of 2: too many mistakes"),
        (("Well", "Well"), "Turn 2 of 2: out of turns"),
    ],
)
def test_the_tally_says_how_it_ended(messages: tuple[str, ...], standing: str) -> None:
    tally = GAME.panels(after(an_episode(turns=2), *messages))[1]
    assert tally.words.splitlines()[0] == standing
    assert ET.fromstring(tally.svg).get("viewBox") == f"0 0 {tally.width} {tally.height}"


def test_the_expert_s_word_is_awaited_within_the_same_turn() -> None:
    heard = GAME.apply(an_episode(), {"solver": Reply.of("What now?")})
    assert GAME.panels(heard)[1].words.startswith("Turn 1 of 10: expert speaks")


def test_many_mistakes_are_counted_and_not_drawn_one_by_one() -> None:
    tally = GAME.panels(after(an_episode(mistakes=40), "cut_wire_1"))[1].svg
    assert "1 of 40" in tally
    assert tally.count("<circle") == 0


def test_an_action_of_any_name_is_but_words_in_the_tally() -> None:
    odd = Deed(0, "<script>alert('a_rather_long_name')</script>", None, mistake=True)
    tally = GAME.panels(replace(an_episode(), deeds=(odd,)))[1].svg
    names = {element.tag.rpartition("}")[2] for element in ET.fromstring(tally).iter()}
    assert names <= {"svg", "title", "g", "rect", "text", "circle", "path"}
