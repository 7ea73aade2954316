"""The wire puzzle: its rules, its picture, and how people talk about it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageColor

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import divided
from palaver_gamemasters.comma.puzzles import load_puzzle
from palaver_gamemasters.comma.puzzles.wire.hearing import told
from palaver_gamemasters.comma.puzzles.wire.picture import PAINT, draw, wire_points
from palaver_gamemasters.comma.puzzles.wire.puzzle import WireState
from palaver_gamemasters.comma.puzzles.wire.scene import WireScene
from palaver_gamemasters.comma.state import MISTAKE
from palaver_gamemasters.dice import Dice
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.conversing import (
    REWORDINGS,
    advice,
    converse,
    generated,
    manual_with,
    refusal,
    told_to_solve,
)

WIRE = load_puzzle("wire")

LETTERS = {"r": "red", "b": "blue", "y": "yellow", "w": "white", "k": "black", "g": "green"}


def colours(letters: str) -> list[Any]:
    return [LETTERS[letter] for letter in letters]


def begun(letters: str = "rbbw", serial: str = "ABC124") -> WireState:
    state = WIRE.start(WIRE.configure({"wires": colours(letters), "serial": serial}), rules_of(WIRE))
    assert isinstance(state, WireState)
    return state


# ---- the rules


@pytest.mark.parametrize(
    ("wires", "digit", "right"),
    [
        # 3: no red, then the second
        ("bkg", 1, 2),
        ("www", 1, 2),
        # else the last is white, then the last
        ("rbw", 1, 3),
        ("rrw", 2, 3),
        # else more than one blue, then the last blue
        ("bbr", 1, 2),
        ("rbb", 1, 3),
        # else the last
        ("brk", 1, 3),
        ("rrr", 1, 3),
        # 4: more than one red and odd, then the last red
        ("rgrk", 1, 3),
        ("rrrr", 9, 4),
        # else the last is yellow and no red, then the first
        ("bgky", 2, 1),
        ("bbgy", 1, 1),
        # else exactly one blue, then the first
        ("rrbk", 2, 1),
        ("gwbr", 1, 1),
        # else more than one yellow, then the last
        ("yyrr", 2, 4),
        ("yryk", 1, 4),
        # else the second
        ("rrgg", 0, 2),
        ("bbgg", 1, 2),
        # 5: the last is black and odd, then the fourth
        ("rrrrk", 3, 4),
        ("bgkyk", 7, 4),
        # else one red and more than one yellow, then the first
        ("ryygk", 2, 1),
        ("yyrgb", 1, 1),
        # else no black, then the second
        ("rrgbw", 1, 2),
        ("yyrrb", 2, 2),
        # else the first
        ("rrgbk", 2, 1),
        ("kgbwr", 1, 1),
        # 6: no yellow and odd, then the third
        ("rrrrrr", 1, 3),
        ("bgkwrb", 5, 3),
        # else one yellow and more than one white, then the fourth
        ("ywwrgb", 1, 4),
        ("ywwbgb", 2, 4),
        # else no red, then the last
        ("ybgkwb", 1, 6),
        ("bbbbbb", 2, 6),
        # else the fourth
        ("yrgkwb", 1, 4),
        ("rrrrrr", 2, 4),
    ],
)
def test_the_first_rule_that_applies_names_the_wire(wires: str, digit: int, right: int) -> None:
    assert begun(wires, f"XY{digit}").right == right - 1


def test_a_wrong_cut_is_a_mistake_and_leaves_the_wire_cut() -> None:
    state = begun()
    wrong = WIRE.act(state, "cut_wire_4")
    assert (wrong.mistake, wrong.state.cut, WIRE.solved(wrong.state)) == (True, {3}, False)
    again = WIRE.act(wrong.state, "cut_wire_4")
    assert (again.mistake, again.state) == (True, wrong.state)
    right = WIRE.act(wrong.state, f"cut_wire_{state.right + 1}")
    assert (right.mistake, WIRE.solved(right.state), WIRE.progress(right.state)) == (False, True, 1.0)


def test_initialisations_are_of_all_sizes_and_colours() -> None:
    rules = rules_of(WIRE)
    states = [WIRE.start(WIRE.generate(rules, Dice("wire test", seed), None), rules) for seed in range(300)]
    assert {len(state.wires) for state in states} == {3, 4, 5, 6}
    assert {colour for state in states for colour in state.wires} == {*PAINT}
    assert all(0 <= state.right < len(state.wires) for state in states)


def test_whoever_edits_the_manual_changes_the_game() -> None:
    text = manual_with(WIRE, "no red wires, cut the second wire", "no red wires, cut the third wire")
    setup = WIRE.configure({"wires": colours("bkg"), "serial": "AB1"})
    assert WIRE.start(setup, rules_of(WIRE, text)).right == 2


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "## 5 wires",
            "## Five wires",
            "mine.md: there is no section '5 wires'; it has 'Wire puzzle', '3 wires'",
        ),
        (
            "- If there are no red wires, cut the second wire.",
            "- If there are no red wires, cut nothing.",
            "line 7: 'If there are no red wires, cut nothing.' is no rule, such as",
        ),
        ("no red wires, cut", "no pink wires, cut", "line 7: 'there are no pink wires' is no condition that wires can"),
        ("no red wires, cut the second", "no red wires, cut the fifth", "line 7: there is no fifth of 3 wires"),
        ("cut the last blue wire", "cut the last red wire", "line 9: no condition says that there is such a red wire"),
        ("cut the last blue wire", "cut the third blue wire", "line 9: no condition says that there is such a blue"),
        (
            "- Otherwise, cut the last wire.\n\n## 4",
            "\n\n## 4",
            "line 5: the last rule of '3 wires' must be without a condition",
        ),
    ],
)
def test_a_malformed_manual_is_refused_in_one_line(old: str, new: str, problem: str) -> None:
    assert problem in refusal(WIRE, manual_with(WIRE, old, new))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"wires": ["red", "red"]}, "wires"),
        ({"wires": ["red"] * 7}, "wires"),
        ({"wires": ["red", "red", "pink"]}, "wires.2"),
        ({"serial": "ABC"}, "serial"),
        ({"serial": "abc1"}, "serial"),
    ],
)
def test_a_malformed_initialisation_is_refused_in_one_line(changes: Mapping[str, Any], field: str) -> None:
    with pytest.raises(InstanceError) as raised:
        WIRE.configure({"wires": colours("rbw"), "serial": "ABC1", **changes})
    assert f"comma wire instance: {field}" in str(raised.value)
    assert "\n" not in str(raised.value)


# ---- text and picture


@pytest.mark.parametrize("cut", [(), (1,), (0, 1, 2)])
def test_the_text_is_read_back(cut: Sequence[int]) -> None:
    scene = WireScene("KHZ044", tuple(colours("rkyg")), frozenset(cut))
    assert WIRE.read(WIRE.write(scene)) == scene


def looked_at(picture: Image.Image, count: int) -> list[str | None]:
    """Return the colours of the wires as they are painted; None where there is a gap in the middle."""
    paints = {name: ImageColor.getrgb(paint) for name, paint in PAINT.items()}
    seen: list[str | None] = []
    for number in range(count):
        middle, side = wire_points(number, count)[12], wire_points(number, count)[6]
        found = [picture.getpixel((round(x), round(y + 3))) for x, y in (middle, side)]
        names = [next((name for name, paint in paints.items() if _near(pixel, paint)), None) for pixel in found]
        assert names[1] is not None
        seen.append(names[0] and names[1])
    return seen


def _near(pixel: Any, paint: Sequence[int]) -> bool:
    return all(abs(one - other) < 24 for one, other in zip(pixel, paint, strict=False))


@pytest.mark.parametrize("letters", ["rby", "wkgr", "ggwyb", "rbywkg", "kkwwyy"])
def test_the_picture_can_be_read_back(letters: str) -> None:
    wires = colours(letters)
    assert looked_at(draw(WireScene("ABC123", tuple(wires))).convert("RGB"), len(wires)) == wires
    cut = draw(WireScene("ABC123", tuple(wires), frozenset({1}))).convert("RGB")
    assert looked_at(cut, len(wires)) == [None if number == 1 else wire for number, wire in enumerate(wires)]


def test_the_serial_number_is_on_its_plate_and_nowhere_else() -> None:
    one, other = (draw(WireScene(serial, tuple(colours("rby")))).convert("RGB") for serial in ("ABC123", "ABC124"))
    plate = (220, 84, 548, 178)
    assert one.crop(plate).tobytes() != other.crop(plate).tobytes()
    for picture in (one, other):
        picture.paste((0, 0, 0), plate)
    apart = ImageChops.difference(one, other).convert("L").point(lambda value: 255 * (value > 24))
    assert apart.getbbox() is None, "there is more than the shades of the palettes"


# ---- the solver


@pytest.mark.parametrize(
    ("said", "wire"),
    [
        ("Cut the second wire.", 2),
        ("cut wire 3", 3),
        ("cut_wire_3", 3),
        ("CUT THE THIRD WIRE", 3),
        ("Please snip the last blue wire", 3),
        ("Cut the white wire", 4),
        ("Cut the 3rd wire", 3),
        ("cut wire number two", 2),
        ("Cut wire #4", 4),
        ("The third wire should be cut.", 3),
        ("The correct wire is the first one.", 1),
        ("third", 3),
        ("Wire 2", 2),
        ("Do not cut the first wire; cut the last one.", 4),
        ("Could you please cut the second wire?", 2),
        ("Cut the top wire", 1),
        ("the last of the blue wires should be cut", 3),
        ("Since there is exactly one red wire, cut the first wire.", 1),
        ("Cut the first wire. Sorry, cut the second wire.", 2),
    ],
)
def test_the_solver_cuts_what_it_is_told_in_many_words(said: str, wire: int) -> None:
    assert told_to_solve(WIRE, begun(), said) == f"cut_wire_{wire}"


@pytest.mark.parametrize(
    "said",
    [
        "Cut the blue wire",
        "Cut the sixth wire",
        "Cut the second to last wire",
        "If there is no red, cut the second wire. Otherwise, cut the last wire.",
        "Did you cut the first wire?",
        "Do not cut the first wire.",
        "I need the colours of the wires.",
    ],
)
def test_the_solver_describes_where_there_is_no_clear_order(said: str) -> None:
    answer = told_to_solve(WIRE, begun(), said)
    assert "red, blue, blue, white" in answer
    assert "ABC124" in answer


def test_the_solver_cuts_nothing_twice() -> None:
    state = WIRE.act(begun(), "cut_wire_4").state
    answer = told_to_solve(WIRE, state, "Cut the last wire.", did="cut_wire_4", feedback=MISTAKE)
    assert answer.startswith("That was a mistake.")


def test_the_solver_does_not_take_a_manual_that_is_read_out_for_advice() -> None:
    part = divided(own_manual(WIRE).text, 2)[1]
    assert told_to_solve(WIRE, begun(), "Cut the second wire.", part) == "cut_wire_2"
    assert "I see 4 wires" in told_to_solve(WIRE, begun(), part)


# ---- the expert


@pytest.mark.parametrize(
    ("said", "wires", "digit"),
    [
        ("red, blue, blue, white; serial number ABC123", "rbbw", "3"),
        ("Serial ABC124. Wires top to bottom: RED BLUE WHITE", "rbw", "4"),
        ("I have 4 wires: two red, one blue and a white one. serial number is X9", "rrbw", "9"),
        ("wire 3: white, wire 1: red, wire 2: blue. The serial number is AB1", "rbw", "1"),
        ("1. red 2. blue 3. black; the serial number is A B 1 2", "rbk", "2"),
        ("third is red, first is blue, second is white. The last digit is even.", "bwr", "2"),
        ("from bottom to top: red, blue, white, the serial number is KHZ044", "wbr", "4"),
        ("There are no green wires. They are red, red, blue. Serial ends in 4.", "rrb", "4"),
        ("There are 3 red wires and 2 blue wires; the last digit of the serial number is odd", "rrrbb", "1"),
    ],
)
def test_the_expert_understands_many_descriptions(said: str, wires: str, digit: str) -> None:
    known = told([said])
    assert known.wires == tuple(colours(wires))
    assert known.serial is not None
    assert known.serial[-1] == digit


def test_the_expert_remembers_what_it_was_told_before() -> None:
    assert advice(WIRE, "red, red, green, green", "The serial number is X1") == "Cut the second wire."
    assert advice(WIRE, "The serial number is X2", "red, red, green, green") == "Cut the second wire."
    assert advice(WIRE, "red, red, red. Serial X2", "Sorry: red, red, green, blue") == "Cut the first wire."


def test_the_expert_asks_for_what_it_does_not_know() -> None:
    assert "the colours of all wires" in advice(WIRE, "Hello!")
    assert "the colours of all wires" in advice(WIRE, "I see 5 wires: red, blue, red. Serial number X1")
    assert "the serial number too" in advice(WIRE, "red, blue, blue, white")
    assert advice(WIRE, "red, blue, white") == "Cut the third wire.", "no rule asks for the serial number"


def test_a_serial_number_may_end_in_a_letter() -> None:
    assert advice(WIRE, "red, red, green, green; serial number 12C") == "Cut the second wire."


# ---- both


@pytest.mark.parametrize("of_solver", REWORDINGS.values(), ids=REWORDINGS)
@pytest.mark.parametrize("of_expert", REWORDINGS.values(), ids=REWORDINGS)
def test_both_understand_each_other_in_other_words(of_solver: Any, of_expert: Any) -> None:
    for index in range(12):
        ended = converse(WIRE, generated(WIRE, index), of_solver=of_solver, of_expert=of_expert)
        assert (ended.solved, ended.mistakes, ended.turns) == (True, 0, 2), ended.lines


def test_both_solve_all_of_many_initialisations_in_two_turns() -> None:
    for index in range(1000):
        ended = converse(WIRE, generated(WIRE, index))
        assert (ended.solved, ended.mistakes, ended.turns) == (True, 0, 2), ended.lines


FRAGMENTS = [*PAINT, *"123,.?-:\n", "cut", "wire", "the", "last", "first", "not", "if", "serial", "number", "is", "no",
             "ABC123", "odd", "two", "bottom", "Cut the second wire."]  # fmt: skip


@settings(max_examples=60)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(FRAGMENTS), max_size=25).map(" ".join)))
def test_nothing_that_is_said_breaks_either(said: str) -> None:
    assert told_to_solve(WIRE, begun(), said)
    assert advice(WIRE, said)
    assert advice(WIRE, "red, red, green, green", f"serial {said}")
