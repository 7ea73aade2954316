"""From an answer to an order: the published program's quirks one by one, and our grammar beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.ivispar.board import Geom
from palaver_gamemasters.ivispar.commands import Order, action_in, check_names, loosely, strictly
from palaver_protocols.errors import InstanceError

SPHERE = Order("blue", "sphere", "right")

VECTORS: list[tuple[str, str | None, Order | None, Order | None]] = [
    # what is said, the action in it, how the published program reads it, how we read it
    ("**Action: move blue sphere right**", "move blue sphere right", SPHERE, SPHERE),
    ("action: move blue sphere right.", "move blue sphere right", SPHERE, SPHERE),
    ("action:move blue sphere right", None, None, None),
    ("action:  move blue sphere right", None, None, None),
    ("action: `move blue sphere right`", None, None, None),
    ('action: "move blue sphere right"', None, None, None),
    ("action: done", None, None, None),
    (
        "action: move blue circle up",
        "move blue sphere up",
        Order("blue", "sphere", "up"),
        Order("blue", "sphere", "up"),
    ),
    ("action: move the blue sphere to the right", "move the blue sphere to the right", SPHERE, None),
    (
        "action: move blue sphere right, move red cube left",
        "move blue sphere right move red cube left",
        Order("red", "cube", "left"),
        None,
    ),
    ("action: move blue sphere right 2", "move blue sphere right 2", SPHERE._replace(times=2), None),
    (
        "action: move blue sphere from A1 to B1 (right)",
        "move blue sphere from a1 to b1 right",
        SPHERE._replace(times=1),
        None,
    ),
    (
        "action: move blue sphere right\nThis is often best",
        "move blue sphere right this is often best",
        SPHERE._replace(times=10),
        None,
    ),
    ("action: move red cone up", "move red cone up", Order("red", "cone", "up"), Order("red", "cone", "up")),
    ("action: move sphere blue right", "move sphere blue right", Order("move", "sphere", "right"), None),
    ("action: move blue spheres right", "move blue spheres right", Order("", "sphere", "right"), None),
    ("action: move blue sphere", "move blue sphere", Order("blue", "sphere", None), None),
    ("action: move purple cube left", "move purple cube left", Order("purple", "cube", "left"), None),
]
GARBLED = Order("sphere", "blue", "right")
"""By our grammar these two are well formed: that there is no such geom is for the board to say."""
STRICT = {
    "action: move sphere blue right": GARBLED,
    "action: move blue spheres right": Order("blue", "spheres", "right"),
    "action: move purple cube left": Order("purple", "cube", "left"),
}


@pytest.mark.parametrize(("answer", "action", "loose", "strict"), VECTORS, ids=[each[0] for each in VECTORS])
def test_an_answer_is_read_as_published_or_by_our_grammar(
    answer: str, action: str | None, loose: Order | None, strict: Order | None
) -> None:
    found = action_in(answer)
    assert found == action
    if found is not None:
        assert loosely(found) == loose
        assert strictly(found) == STRICT.get(answer, strict)


def test_the_last_action_of_an_answer_counts() -> None:
    answer = "First I thought of action: move red cube up, but no.\nAction: move blue sphere left"
    assert action_in(answer) == "move blue sphere left"


def test_what_follows_the_action_belongs_to_it_to_the_end_of_the_answer() -> None:
    assert action_in("action: move red cube up\n\nGood luck!") == "move red cube up good luck"


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("action: move red\tcube\r\nup", "move red cube up"),
        ("action: move red-cube, up", "move redcube up"),
        ("action: move réd cube up", "move rd cube up"),
        ("action: move red\u00a0cube up", "move red cube up"),
        ("action: move <red> <cube> 'up'", "move red cube up"),
        ("# *action: move* red cube up", "move red cube up"),
        ("action:\nmove red square up", "move red cube up"),
        ("action:\n\nmove red cube up", None),
        ("action: move ", None),
        ("action: move ...", "move"),
        ("", None),
    ],
)
def test_punctuation_goes_and_blanks_become_one(answer: str, action: str | None) -> None:
    assert action_in(answer) == action


def test_schematic_names_are_known_everywhere_ours_where_they_are_shown() -> None:
    answer = "action: move red {} up"
    named = {"circle": "sphere", "square": "cube", "triangle": "pyramid", "hexagon": "cylinder"}
    for said, meant in named.items():
        assert action_in(answer.format(said)) == f"move red {meant} up"
    assert action_in(answer.format("diamond")) == "move red diamond up"
    assert action_in(answer.format("diamond"), ours=True) == "move red cone up"
    assert action_in(answer.format("pentagon"), ours=True) == "move red prism up"


@pytest.mark.parametrize(
    ("action", "order"),
    [
        ("move red cube cube left", Order("cube", "cube", "left")),
        ("move red cube or blue cube left", Order("blue", "cube", "left")),
        ("move tile red left", Order("red", "tile", "left")),
        ("move tile red left 3", Order("red", "tile", "left")),
        ("move red tile", Order("", "tile", None)),
        ("move red sphere onto tile up", Order("up", "tile", "up")),
        ("move red cube up left", Order("red", "cube", "left")),
        ("move red cube up 12 3", Order("red", "cube", "up", 12)),
        ("move red cube up three cells", Order("red", "cube", "up", 3)),
        ("move red cube up three or two", Order("red", "cube", "up", 2)),
        ("move red cube up 0", Order("red", "cube", "up", 0)),
        ("move red cube up 99999999999", Order("red", "cube", "up", 0)),
        ("move upward", Order("", "", "up")),
    ],
)
def test_the_published_program_takes_the_first_word_it_knows_in_its_own_order(action: str, order: Order) -> None:
    assert loosely(action) == order


@given(st.text(st.sampled_from("actionmveblus hr:*#\n")) | st.text())
def test_no_answer_is_too_odd_to_be_read(answer: str) -> None:
    for text in (answer, f"action: move {answer}"):
        action = action_in(text)
        if action is not None:
            assert action == " ".join(action.split())
            loosely(action)
            strictly(action)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["light blue", "red"], "no action can name a geom 'light blue cube'"),
        (["***", "red"], "no action can name"),
        (["#ff0000", "ff0000"], "have the same name in actions: ff0000 cube"),
    ],
)
def test_geoms_that_no_action_can_tell_apart_are_refused(names: list[str], said: str) -> None:
    with pytest.raises(InstanceError, match=said.replace("*", r"\*")):
        check_names(Geom(colour, "cube") for colour in names)


def test_a_shape_and_its_schematic_name_are_one_shape() -> None:
    with pytest.raises(
        InstanceError, match="the red circle and the red sphere have the same name in actions: red sphere"
    ):
        check_names([Geom("red", "circle"), Geom("red", "sphere")])
