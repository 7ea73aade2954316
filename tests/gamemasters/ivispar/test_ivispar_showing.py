"""What people see of the sliding geoms, and what they can say by keys."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from palaver_gamemasters.game import Reply
from palaver_gamemasters.ivispar import GAME
from palaver_gamemasters.ivispar.described import GAME as DESCRIBED
from palaver_gamemasters.ivispar.described.game import DescribedState
from palaver_gamemasters.ivispar.game import IvisparState
from palaver_gamemasters.ivispar.inference import GAME as INFERENCE
from palaver_gamemasters.ivispar.pieces import initials
from palaver_gamemasters.showing import Panel
from tests.gamemasters.ivispar.sliding import PAIR, Placed, a_board, layout

SVG = "{http://www.w3.org/2000/svg}"
THREE: Placed = {"blue sphere": ("A1", "C1"), "red cube": ("D4", "D4"), "green cone": ("B2", "B3")}


def begun(placed: Placed = PAIR, **options: Any) -> IvisparState:
    return GAME.start(layout(a_board(placed)), GAME.configure(options))


def done(state: IvisparState, *answers: str) -> IvisparState:
    for answer in answers:
        state = GAME.apply(state, {"player": Reply.of(answer)})
    return state


def says(state: IvisparState, geom: str, key: str) -> str:
    (found,) = [move.says for move in GAME.moves(state, "player") if move.group == geom and key in move.keys]
    return found


def drawn(panel: Panel) -> list[str | None]:
    """Name the geoms of a drawing, shadows of goals included."""
    return [each.text for each in ET.fromstring(panel.svg).iter(f"{SVG}title")][1:]


def lines_of(panel: Panel) -> list[str]:
    return panel.words.splitlines()


def test_the_board_and_the_goal_are_drawn_side_by_side() -> None:
    now, goal = GAME.panels(begun(modality="3d"))
    assert (now.title, goal.title) == ("now", "goal")
    assert lines_of(now)[1:3] == ["A1 blue sphere", "D4 red cube"]
    assert lines_of(goal)[1:] == ["C1 blue sphere", "D4 red cube"]


def test_what_is_not_home_leaves_a_shadow_at_its_goal() -> None:
    state = begun()
    assert sorted(map(str, drawn(GAME.panels(state)[0]))) == ["blue sphere", "blue sphere", "red cube"]
    home = done(state, *[says(state, "blue circle", "ArrowRight")] * 2)
    assert sorted(map(str, drawn(GAME.panels(home)[0]))) == ["blue sphere", "red cube"]


def test_how_far_it_has_come_is_told() -> None:
    state = begun()
    assert "1 of 2 home, 0 of 20 actions" in GAME.panels(state)[0].words
    moved = done(state, says(state, "blue circle", "ArrowRight"))
    assert lines_of(GAME.panels(moved)[0])[-2:] == ["1 of 2 home, 1 of 20 actions", "blue circle right"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("action: move red cube up", "off board: red square up"),
        ("I do not know", "no valid action found"),
        ("action: move <b>anything</b>", "not understood: banythingb"),
        (f"action: move {'x' * 5000}", f"not understood: {'x' * 18}..."),
    ],
)
def test_what_failed_and_why_is_told_in_a_line(answer: str, told: str) -> None:
    panel = GAME.panels(done(begun(), answer))[0]
    assert lines_of(panel)[-1] == told
    assert f">{told}<" in panel.svg


def test_each_geom_has_its_four_moves_as_whole_answers_by_the_arrow_keys() -> None:
    moves = GAME.moves(begun(modality="3d"), "player")
    assert [move.says for move in moves[:4]] == [
        f"action: move blue sphere {way}" for way in ("left", "right", "up", "down")
    ]
    assert {move.group for move in moves} == {"blue sphere", "red cube"}
    assert all(move.ends for move in moves)


@pytest.mark.parametrize("modality", ["2d", "3d", "text"])
@pytest.mark.parametrize("compat", [False, True])
def test_boards_are_solved_by_keys_alone(modality: str, compat: bool) -> None:
    state = begun(THREE, modality=modality, compat=compat)
    names = dict(zip(THREE, dict.fromkeys(groups(state)), strict=True))
    keys = [("blue sphere", "ArrowRight"), ("blue sphere", "ArrowRight"), ("green cone", "ArrowUp")]
    for geom, key in keys:
        state = done(state, says(state, names[geom], key))
    assert GAME.outcome(state) == "solved"


def groups(state: IvisparState) -> list[str]:
    return [move.group for move in GAME.moves(state, "player")]


def test_colours_in_digits_can_be_moved_too() -> None:
    state = begun({"#ff8800 cube": ("A1", "B1"), "red cube": ("D4", "D4")})
    assert GAME.outcome(done(state, says(state, "#ff8800 square", "ArrowRight"))) == "solved"


def test_a_board_in_words_may_have_any_colour_and_shape() -> None:
    state = begun({"mauvish torus": ("A1", "B1"), "red cube": ("D4", "D4")}, modality="text")
    panel = GAME.panels(state)[0]
    assert "mauvish torus" in drawn(panel)
    assert ">tor<" in panel.svg


@pytest.mark.parametrize(
    ("colours", "letters"),
    [
        (["red", "green", "red"], {"red": "r", "green": "g"}),
        (["blue", "brown"], {"blue": "bl", "brown": "br"}),
        (["blue", "black", "#ff0000"], {"blue": "blu", "black": "bla"}),
    ],
)
def test_colours_are_told_by_as_few_letters_as_will_do(colours: list[str], letters: dict[str, str]) -> None:
    assert initials(colours) == letters


# ---- described


def described(**options: Any) -> DescribedState:
    return DESCRIBED.start(layout(a_board(THREE)), DESCRIBED.configure(options))


def heard(state: DescribedState, *said: str) -> DescribedState:
    for text in said:
        state = DESCRIBED.apply(state, {DESCRIBED.pending(state)[0]: Reply.of(text)})
    return state


def test_describers_who_share_the_geoms_have_a_panel_each() -> None:
    panels = DESCRIBED.panels(described(modality="text", describers=2))
    assert [(panel.title, panel.seat) for panel in panels] == [
        ("now", ""),
        ("goal", ""),
        ("what describer_1 sees", "describer_1"),
        ("what describer_2 sees", "describer_2"),
    ]
    assert lines_of(panels[3])[1:] == ["D4 red cube"]


def test_the_mover_can_click_what_was_spoken_of_and_nothing_else() -> None:
    state = heard(described(modality="2d"), "A yellow square, and the Blue sphere: move that first.")
    moves = DESCRIBED.moves(state, "mover")
    assert list(dict.fromkeys(move.group for move in moves)) == ["yellow square", "blue circle"]
    assert all(move.ends for move in moves)


def test_a_mover_who_was_told_of_nothing_has_nothing_to_click() -> None:
    assert DESCRIBED.moves(heard(described(), "Begin."), "mover") == ()


def test_a_describer_clicks_lines_about_what_it_sees() -> None:
    moves = DESCRIBED.moves(described(modality="text", describers=2), "describer_1")
    assert {move.group for move in moves} == {"blue sphere", "green cone"}
    assert moves[0].says == "Move the blue sphere left."
    assert not any(move.ends for move in moves)


# ---- inference


def test_an_answer_is_drawn_beside_the_board() -> None:
    state = INFERENCE.start(layout(a_board(THREE)), INFERENCE.configure({"modality": "3d"}))
    assert [panel.title for panel in INFERENCE.panels(state)] == ["board"]
    said = 'Solution:\n"A1 blue sphere",\n"B4 red cube",\n"Z9 green cube"'
    _, answer = INFERENCE.panels(INFERENCE.apply(state, {"player": Reply.of(said)}))
    assert lines_of(answer) == [
        "The answer, 1 of 3 right:",
        "A1 blue sphere: right",
        "B4 red cube: wrong",
        "B2 green cone: not said",
        "D4 red cube: not said",
        "1 unreadable",
    ]
