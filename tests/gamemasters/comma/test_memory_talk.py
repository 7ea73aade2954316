import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.comma.instances import rules_of
from palaver_gamemasters.comma.puzzles.memory import PUZZLE
from palaver_gamemasters.comma.puzzles.memory.account import Account, account
from palaver_gamemasters.comma.puzzles.memory.manual import Press, Rule
from palaver_gamemasters.comma.puzzles.memory.orders import button_ordered
from palaver_gamemasters.comma.puzzles.memory.scene import MemoryScene
from palaver_gamemasters.comma.puzzles.memory.talk import ASK, MemoryTalk
from palaver_gamemasters.comma.state import MISTAKE, orders
from palaver_gamemasters.comma.talk import Heard, Line, Sight
from tests.gamemasters.comma.conversing import Wording, advice, converse, generated

TALK = MemoryTalk()
ACTIONS = ("press_1", "press_2", "press_3", "press_4")
PRESSES = {1: Press(2, 4), 2: Press(3, 1)}
SCENE = MemoryScene(2, 3, (4, 2, 1, 3))


def a_sight(*lines: Line, scene: MemoryScene = SCENE) -> Sight[MemoryScene]:
    return Sight(scene, "", ACTIONS, Heard(lines))


def test_the_pair_solves_every_game_in_six_turns_and_without_a_mistake() -> None:
    talks = [converse(PUZZLE, generated(PUZZLE, seed)) for seed in range(100)]

    assert {(each.solved, each.turns, each.mistakes) for each in talks} == {(True, 6, 0)}


def polite(text: str) -> str:
    return f"Hello there! Thank you so much.\n{text}\nPlease and thanks, I hope this helps."


def in_words(text: str) -> str:
    for digit, word in zip("1234", ("first", "second", "third", "fourth"), strict=True):
        text = text.replace(f"the button in position {digit}", f"the {word} button from the left")
    for digit, word in zip("12345", ("one", "two", "three", "four", "five"), strict=True):
        text = text.replace(f"stage {digit}", f"stage {word}").replace(f"display is {digit}", f"display shows a {word}")
    return text.replace("labeled", "with the label")


@pytest.mark.parametrize("wording", [str.upper, polite, in_words, str.lower])
def test_the_pair_understands_itself_in_other_wordings(wording: Wording) -> None:
    talks = [converse(PUZZLE, generated(PUZZLE, seed), of_solver=wording, of_expert=wording) for seed in range(20)]

    assert {(each.solved, each.mistakes) for each in talks} == {(True, 0)}


@pytest.mark.parametrize("slips", [(0,), (3,), (2, 4)])
def test_the_pair_begins_anew_after_a_slip(slips: tuple[int, ...]) -> None:
    talks = [converse(PUZZLE, generated(PUZZLE, seed), slips=slips) for seed in range(12)]

    assert {each.mistakes for each in talks} == {len(slips)}
    assert all(each.solved for each in talks if len(slips) == 1)


def test_without_memory_the_pair_still_gets_there_as_each_message_repeats_what_was_pressed() -> None:
    talks = [converse(PUZZLE, generated(PUZZLE, seed), memory=False) for seed in range(20)]

    assert {(each.solved, each.mistakes) for each in talks} == {(True, 0)}


def test_a_solver_that_took_over_asks_for_nothing_that_the_expert_repeats() -> None:
    expert = Line(
        "expert", "In stage 1 you pressed position 2, labeled 4. Stage 3: press the same label as in stage 1."
    )

    assert TALK.solve(a_sight(Line("solver", "Hello."), expert)) == (
        "press_1\nIn stage 1 I pressed position 2, labeled 4. In stage 3 I press position 1, labeled 4. "
        "What are the rules for stage 4?"
    )


def test_a_report_alone_is_enough_to_take_over_in_the_middle() -> None:
    said = advice(PUZZLE, "In stage 1 I pressed position 2, labeled 4. In stage 2 I press position 3, labeled 1.")

    assert said == (
        "In stage 1 you pressed position 2, labeled 4. In stage 2 you pressed position 3, labeled 1.\n"
        "Stage 3:\nIf the display is 1, press the button labeled 1.\nIf the display is 2, press the button labeled 4.\n"
        "If the display is 3, press the button in position 3.\nIf the display is 4, press the button labeled 4."
    )


def test_what_the_expert_has_not_been_told_the_solver_may_remember() -> None:
    assert "the button with the same label as you pressed in stage 2" in advice(PUZZLE, "Stage 3. The display shows 1.")


@pytest.mark.parametrize(
    "said",
    [
        "I am at stage 1. The display shows 3. The labels are 2, 4, 1, 3. Which button should I press?",
        "Stage 1, display 3, labels 2 4 1 3, what should I press?",
        "Buttons: [2] [4] [1] [3]. There is a 3 on the display. We are in the first stage.",
        "HI! THE LABELS FROM LEFT TO RIGHT ARE TWO, FOUR, ONE, THREE AND THE DISPLAY SAYS THREE. STAGE ONE.",
        "first stage; number on the display: 3; button 1 is 2, button 2 is 4, button 3 is 1, button 4 is 3",
        "Stage 1. Display: 3. Position 1 is labelled 2. Position 2 is labelled 4. Third position: 1. Fourth one: 3.",
        "Could you please help me? It's stage 1 and the screen reads '3'. I see 2-4-1-3.",
    ],
)
def test_people_may_describe_in_their_own_way(said: str) -> None:
    assert account([said]) == Account(1, 3, (2, 4, 1, 3))
    assert advice(PUZZLE, said) == "Stage 1:\nIf the display is 3, press the button in position 3."


@pytest.mark.parametrize(
    "report",
    [
        "In stage 1 I pressed position 2, labeled 4.",
        "I pressed the second button, which had the label 4. Next?",
        "press_2",
        "I pressed the button labelled four",
        "press_2\nI pressed button 2 (label 4) in the first stage.",
        "OK, I pushed the second one from the left.",
    ],
)
@pytest.mark.parametrize("display", [1, 2, 3, 4])
def test_people_may_report_in_their_own_way(report: str, display: int) -> None:
    told = advice(
        PUZZLE, "Stage 1, display 2, labels 2 4 1 3. What now?", report, f"Now stage 2, the display is {display}."
    )

    rule = {1: "labeled 4", 2: "in position 2", 3: "in position 1", 4: "in position 2"}[display]
    assert told == (
        "In stage 1 you pressed position 2, labeled 4.\n"
        f"Stage 2:\nIf the display is {display}, press the button {rule}."
    )


def test_press_and_next_description_may_come_in_one_message() -> None:
    told = advice(
        PUZZLE,
        "stage 1, display 2, labels 2 4 1 3",
        "I pressed the second button and now the display shows 4 and the labels are 3 1 2 4.",
    )

    assert told.endswith("\nStage 2:\nIf the display is 4, press the button in position 2.")


def test_after_a_mistake_what_was_pressed_before_is_forgotten() -> None:
    told = advice(
        PUZZLE,
        "In stage 1 I press position 2, labeled 4.",
        "In stage 2 I press position 1, labeled 3.",
        "That was a mistake, I am back at stage 1. The display shows 4, the labels are 1 2 3 4.",
        "I pressed position 4.",
    )

    assert "If the display is 2, press the button in position 4." in told
    assert told.startswith("In stage 1 you pressed position 4, labeled 4.\nStage 2:")


@pytest.mark.parametrize("said", ["", "Hello!", "Which button should I press?", "What are the rules for stage 2?"])
def test_an_expert_that_has_been_told_nothing_asks_with_an_example(said: str) -> None:
    assert advice(PUZZLE, said) == ASK


def test_a_solver_that_is_asked_describes_again_what_it_sees_and_remembers() -> None:
    first = Line("solver", "In stage 1 I press position 2, labeled 4.\nIn stage 2 I press position 3, labeled 1.")

    assert TALK.solve(a_sight(first, Line("expert", ASK))) == (
        "In stage 1 I pressed position 2, labeled 4. In stage 2 I pressed position 3, labeled 1. "
        "I am at stage 3. The display shows 3. The labels of the buttons from left to right are 4, 2, 1, 3. "
        "Which button should I press?"
    )


def test_a_solver_that_has_made_a_mistake_says_so() -> None:
    lines = (Line("solver", "press_1"), Line("environment", MISTAKE), Line("expert", "Stage 1: press button 2."))

    said = TALK.solve(a_sight(*lines, scene=MemoryScene(0, 1, (1, 2, 3, 4))))

    assert said.startswith("That was a mistake, and I am back at stage 1.")
    assert orders(said, ACTIONS) == ()


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Press the button in position 2.", Rule("position", 2)),
        ("press the THIRD button, please", Rule("position", 3)),
        ("Please push the one labelled 4.", Rule("label", 4)),
        ('Press the button labeled "2".', Rule("label", 2)),
        ("press_4", Rule("position", 4)),
        ("Hit the leftmost one!", Rule("position", 1)),
        ("Choose the last button.", Rule("position", 4)),
        ("Press the second button from the right.", Rule("position", 3)),
        ("Press the button in the same position as you pressed in stage 2.", Rule("position", 3)),
        ("Press the button with the same label you pressed in stage one.", Rule("label", 4)),
        ("In stage 1 you pressed label 4. So press the button labeled 4.", Rule("label", 4)),
        ("Since the display is 3, press the first button.", Rule("position", 1)),
        ("If it's 1 press button 2, if it's 3 press button 4", Rule("position", 4)),
        ("If the display is 1 or 3, press the second position.", Rule("position", 2)),
        ("If the display is 2 press label 1; if the display is 3 press label 2.", Rule("label", 2)),
        ("Stage 2: press button 1.\nStage 3: press button 2.\nStage 4: press button 3.", Rule("position", 2)),
        ("For stage 3:\n- display 1 -> position 4\n- display 3 -> label 3", Rule("label", 3)),
        ("For the third stage:\n1: position 4\n3: the button labelled 3", Rule("label", 3)),
        ("Don't press button 1. Press button 2.", Rule("position", 2)),
        ("You pressed position 2 before. Now press the one that says 1.", Rule("label", 1)),
    ],
)
def test_people_may_give_orders_in_their_own_way(said: str, rule: Rule) -> None:
    assert button_ordered(said, 3, 3, PRESSES) == rule


@pytest.mark.parametrize(
    "said",
    [
        ASK,
        "What does the display show?",
        "Do not press anything yet.",
        "If the display is 1, press button 2.",
        "Stage 2: press button 1.",
        "Should you press button 2?",
        "Press the same label as in stage 4.",
    ],
)
def test_what_is_no_order_for_here_and_now_is_not_obeyed(said: str) -> None:
    assert button_ordered(said, 3, 3, PRESSES) is None


FRAGMENTS = (
    "press the button in position 2|labeled 4|stage 1|stage 3|the display is|if|3|same label|as you pressed in stage 2|"
    "press_3|\n|.|?|1: press|labels 1 2 2 4|labels 3 1 2 4|from the right|0|9|mistake|I pressed|and now"
)
SPOKEN = st.lists(st.sampled_from(FRAGMENTS.split("|"))).map(" ".join)


@given(said=st.lists(st.one_of(st.text(), SPOKEN), max_size=4), passed=st.integers(0, 4))
@settings(deadline=None, max_examples=150)
def test_nothing_that_is_said_breaks_a_player(said: list[str], passed: int) -> None:
    lines = tuple(Line(("solver", "expert")[place % 2], text) for place, text in enumerate(said))

    assert TALK.advise(rules_of(PUZZLE), Heard(lines))
    assert TALK.solve(a_sight(*lines, scene=MemoryScene(passed, 2, (4, 2, 1, 3))))
