from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageColor

from palaver_gamemasters.comma.instances import own_manual, rules_of
from palaver_gamemasters.comma.manual import Manual
from palaver_gamemasters.comma.puzzles.memory import PUZZLE
from palaver_gamemasters.comma.puzzles.memory.manual import Press
from palaver_gamemasters.comma.puzzles.memory.picture import BUTTONS, DISPLAY, LAMPS, LIT, ON, UNLIT
from palaver_gamemasters.comma.puzzles.memory.puzzle import MemoryState
from palaver_gamemasters.comma.puzzles.memory.scene import MemoryScene
from palaver_gamemasters.dice import Dice
from palaver_gamemasters.drawing import png
from palaver_protocols.errors import InstanceError
from tests.gamemasters.comma.conversing import random_play

TEXT = own_manual(PUZZLE).text
LABELS = [[2, 4, 1, 3], [3, 1, 4, 2], [4, 2, 3, 1], [1, 3, 2, 4], [2, 3, 4, 1]]
PRESSES = {1: Press(2, 4), 2: Press(3, 1), 3: Press(4, 2), 4: Press(1, 3)}
SCENE = MemoryScene(2, 3, (4, 1, 3, 2))


def a_start(displays: Any, manual: str | None = None) -> MemoryState:
    setup: dict[str, Any] = {"displays": displays, "labels": LABELS}
    return PUZZLE.start(PUZZLE.configure(setup), rules_of(PUZZLE, manual))


def pressed(state: MemoryState, *positions: int) -> MemoryState:
    for position in positions:
        state = PUZZLE.act(state, f"press_{position}").state
    return state


@pytest.mark.parametrize(
    ("stage", "display", "position"),
    [
        *[(1, 1, 2), (1, 2, 2), (1, 3, 3), (1, 4, 4)],
        *[(2, 1, 3), (2, 2, 2), (2, 3, 1), (2, 4, 2)],  # label 4; as in 1; first; as in 1
        *[(3, 1, 4), (3, 2, 1), (3, 3, 3), (3, 4, 1)],  # label 1; label 4; third; label 4
        *[(4, 1, 2), (4, 2, 1), (4, 3, 3), (4, 4, 3)],  # position 2; first; position 3; position 3
        *[(5, 1, 3), (5, 2, 4), (5, 3, 2), (5, 4, 1)],  # label 4; label 1; label 3; label 2
    ],
)
def test_each_rule_names_the_button_that_was_found_by_hand(stage: int, display: int, position: int) -> None:
    rule = rules_of(PUZZLE)[stage - 1][display - 1].known(PRESSES)

    assert rule.position(tuple(LABELS[stage - 1])) == position


@pytest.mark.parametrize(
    ("displays", "right"),
    [
        # position 2 (label 4); label 4 at 3; label of stage 2 (4) at 1; position of stage 1; label of stage 1 (4) at 3
        ([1, 1, 1, 1, 1], (2, 3, 1, 2, 3)),
        # position 2 (label 4); the same (label 1); label of stage 1 (4) at 1; first; label of stage 2 (1) at 4
        ([2, 2, 2, 2, 2], (2, 2, 1, 1, 4)),
        # third (label 1); first (label 3); third (label 3); position of stage 2, 1 (label 1); label of stage 4 (1) at 4
        ([3, 3, 3, 3, 3], (3, 1, 3, 1, 4)),
        # fourth (label 3); the same (label 2); label 4 at 1; position of stage 2, 4; label of stage 3 (4) at 3
        ([4, 4, 4, 4, 4], (4, 4, 1, 4, 3)),
    ],
)
def test_whole_games_go_as_they_were_played_by_hand(displays: list[int], right: tuple[int, ...]) -> None:
    state = a_start(displays)

    assert state.right == right
    for stage, position in enumerate(right):
        assert PUZZLE.progress(state) == stage / 5
        assert PUZZLE.scene(state) == MemoryScene(stage, displays[stage], tuple(LABELS[stage]))
        state, mistake = PUZZLE.act(state, f"press_{position}")
        assert not mistake
    assert PUZZLE.solved(state)
    assert PUZZLE.progress(state) == 1.0


@pytest.mark.parametrize("wrong", [1, 3, 4])
def test_a_wrong_press_is_a_mistake_and_leads_back_to_the_very_beginning(wrong: int) -> None:
    begun = a_start([2, 2, 2, 2, 2])
    later = pressed(begun, 2)

    step = PUZZLE.act(later, f"press_{wrong}")

    assert step.mistake
    assert step.state == begun
    assert PUZZLE.progress(step.state) == 0.0


def test_actions_are_positions_and_the_briefing_says_so() -> None:
    state = a_start([1, 1, 1, 1, 1])

    assert PUZZLE.actions(state) == ("press_1", "press_2", "press_3", "press_4")
    assert "by their position from left to right" in PUZZLE.briefing(state)


def test_the_answer_names_the_button_of_every_stage() -> None:
    assert PUZZLE.answer(a_start([1, 1, 1, 1, 1])) == (
        'The right buttons are: stage 1 (display 1): press_2, the second button, labeled "4"; '
        'stage 2 (display 1): press_3, the third button, labeled "4"; '
        'stage 3 (display 1): press_1, the first button, labeled "4"; '
        'stage 4 (display 1): press_2, the second button, labeled "3"; '
        'stage 5 (display 1): press_3, the third button, labeled "4".'
    )


def test_a_manual_of_the_users_own_changes_the_game() -> None:
    manual = TEXT.replace(
        "If the display is 1, press the button in the second position.",
        'If the display is 1, press the button labelled "3".',
    )

    assert a_start([1, 1, 1, 1, 1], manual=manual).right[0] == 4


def test_what_is_generated_can_be_played_and_is_well_mixed() -> None:
    setups = [PUZZLE.generate(rules_of(PUZZLE), Dice("memory", seed), None) for seed in range(300)]

    assert len(set(setups)) == 300
    assert {display for setup in setups for display in setup.displays} == {1, 2, 3, 4}
    assert len({labels for setup in setups for labels in setup.labels}) == 24
    for setup in setups:
        state = PUZZLE.start(setup, rules_of(PUZZLE))
        assert PUZZLE.solved(pressed(state, *state.right))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## Stage 3", "## Phase 3", r"^mine\.md: there is no section 'Stage 3'; it has .*'Phase 3'"),
        (
            "- If the display is 3, press the button in the first position.\n",
            "",
            r"^mine\.md, line 12: 'Stage 2' has no rule for display 3$",
        ),
        (
            "If the display is 3, press the button in the first",
            "If the display is 2, press the button in the first",
            r"^mine\.md, line 16: 'Stage 2' has a second rule for display 2$",
        ),
        ("in the fourth position", "in the fifth position", r"^mine\.md, line 10: 'If the display is 4.* is no rule"),
        ("pressed in stage 4", "pressed in stage 5", r"^mine\.md, line 37: stage 5 does not come before stage 5$"),
        ("pressed in stage 4", "pressed in stage 0", r"^mine\.md, line 37: stage 0 does not come before stage 5$"),
        ('labeled "4"', 'labeled "7"', r"^mine\.md, line 14: .* is no rule, such as 'If the display is 1"),
    ],
)
def test_a_malformed_manual_is_refused_in_one_line(old: str, new: str, problem: str) -> None:
    assert old in TEXT
    with pytest.raises(InstanceError, match=problem):
        PUZZLE.read_manual(Manual("mine.md", TEXT.replace(old, new)))


@pytest.mark.parametrize(
    ("setup", "problem"),
    [
        ({"displays": [1, 1, 1, 1], "labels": LABELS}, "comma memory instance: .*displays"),
        ({"displays": [1, 1, 1, 1, 5], "labels": LABELS}, r"comma memory instance: .*displays.*4"),
        ({"displays": [1] * 5, "labels": LABELS[:4]}, "comma memory instance: .*labels"),
        ({"displays": [1] * 5, "labels": [*LABELS[:4], [1, 2, 3]]}, "comma memory instance: .*labels"),
        ({"displays": [1] * 5}, "comma memory instance: .*labels"),
        (
            {"displays": [1] * 5, "labels": [*LABELS[:4], [1, 2, 2, 4]]},
            r"comma memory instance: labels\[4\] has a label twice \(give each of the labels 1, 2, 3 and 4 once",
        ),
    ],
)
def test_a_malformed_initialisation_is_refused_and_the_field_named(setup: Any, problem: str) -> None:
    with pytest.raises(InstanceError, match=problem) as raised:
        PUZZLE.start(PUZZLE.configure(setup), rules_of(PUZZLE))
    assert "\n" not in str(raised.value)


def test_the_text_is_read_back_in_every_state() -> None:
    for seed in range(20):
        for state in random_play(PUZZLE, seed):
            scene = PUZZLE.scene(state)
            assert PUZZLE.read(PUZZLE.write(scene)) == scene
    solved = a_start([1] * 5)
    scene = PUZZLE.scene(pressed(solved, *solved.right))
    assert PUZZLE.read(PUZZLE.write(scene)) == scene == MemoryScene(5, 1, (2, 3, 4, 1))


def test_the_text_says_what_there_is() -> None:
    assert PUZZLE.write(SCENE) == (
        "Stage: 3\nStages passed: 2 of 5\nDisplay: 3\nButton labels from left to right: 4, 1, 3, 2"
    )


def test_other_text_is_refused() -> None:
    with pytest.raises(ValueError, match="shows no memory module"):
        PUZZLE.read("Stage: 3")


def test_lamps_show_which_stages_are_passed_and_which_is_on() -> None:
    for passed in range(6):
        picture = PUZZLE.draw(replace(SCENE, passed=passed)).convert("RGB")
        colours = [_nearest(picture, (int(x) - 26, int(y)), LIT, ON, UNLIT) for x, y in LAMPS]
        assert colours == [LIT] * passed + ([ON] + [UNLIT] * (4 - passed) if passed < 5 else [])


def test_a_display_and_labels_change_their_own_part_of_the_picture() -> None:
    drawn = _pixels(SCENE)
    for other in (1, 2, 4):
        assert _changed(drawn, _pixels(replace(SCENE, display=other)), DISPLAY)
    swapped = _pixels(replace(SCENE, labels=(4, 3, 1, 2)))
    for place, box in enumerate(BUTTONS):
        assert _differ(drawn, swapped, box) == (place in (1, 2))


def test_the_same_digit_looks_the_same_on_every_button() -> None:
    digits: dict[int, set[bytes]] = {}
    for labels in ((1, 2, 3, 4), (2, 3, 4, 1), (3, 4, 1, 2)):
        pixels = _pixels(replace(SCENE, labels=labels))
        for label, (left, top, right, bottom) in zip(labels, BUTTONS, strict=True):
            digits.setdefault(label, set()).add(pixels[top:bottom, left:right].tobytes())
    assert all(len(looks) == 1 for looks in digits.values())
    assert len(set.union(*digits.values())) == 4


def test_the_same_scene_gives_the_same_bytes() -> None:
    assert png(PUZZLE.draw(SCENE)) == png(PUZZLE.draw(replace(SCENE)))


def _pixels(scene: MemoryScene) -> Any:
    return np.asarray(PUZZLE.draw(scene).convert("RGB")).astype(int)


def _differ(one: Any, other: Any, box: tuple[int, int, int, int]) -> bool:
    left, top, right, bottom = box
    return bool((abs(one - other)[top:bottom, left:right] > 16).any())


def _changed(one: Any, other: Any, box: tuple[int, int, int, int]) -> bool:
    """Whether two pictures differ within a box, and nowhere else by more than their palettes make out."""
    left, top, right, bottom = box
    ys, xs = np.nonzero((abs(one - other) > 16).any(axis=2))
    return bool(len(xs) and left <= xs.min() and xs.max() < right and top <= ys.min() and ys.max() < bottom)


def _nearest(picture: Image.Image, at: tuple[int, int], *colours: str) -> str:
    pixel = picture.getpixel(at)
    assert isinstance(pixel, tuple)
    return min(colours, key=lambda each: sum(abs(a - b) for a, b in zip(pixel, ImageColor.getrgb(each), strict=False)))
