"""Episodes: one message alone, or a dialogue that ends with an answer; what is measured of them."""

from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.game import Reply
from palaver_gamemasters.puzzleworld import GAME
from palaver_protocols.content import Text
from tests.gamemasters.puzzleworld.puzzle_folders import after, episode, make_puzzle

RIGHT = "So it is bread.\nAnswer: Roll with it"
WRONG = "Answer: BREAD"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    make_puzzle(tmp_path / "Going_Round")
    return tmp_path


# ---- alone


@pytest.mark.parametrize(
    ("said", "outcome", "scores", "why"),
    [
        ("Answer: ROLL WITH IT", "solved", (1, 1, 1), ""),
        (RIGHT, "solved", (0, 1, 1), ""),
        ("Is it ROLL WITH IT? No.\nAnswer: BREAD", "failed", (1, 0, 1), "the answer was BREAD"),
        ("It is ROLL WITH IT", "failed", (1, 0, 0), "no answer was handed in"),
        ("", "failed", (0, 0, 0), "no answer was handed in"),
    ],
)
def test_one_message_is_measured_by_both_rules(
    dataset: Path, said: str, outcome: str, scores: tuple[float, ...], why: str
) -> None:
    state = after(episode(dataset), said)
    assert (GAME.outcome(state), GAME.pending(state), GAME.why(state)) == (outcome, (), why)
    compatibly, strictly, answered = scores
    assert GAME.score(state) == {
        "acc_compat": compatibly,
        "acc_strict": strictly,
        "success": strictly,
        "answered": answered,
    }


def test_a_reply_in_several_parts_is_one_message(dataset: Path) -> None:
    reply = Reply((Text(text="I see."), Text(text="Answer: roll with it")))
    assert GAME.outcome(GAME.apply(episode(dataset), {"solver": reply})) == "solved"


# ---- together


def test_solvers_speak_in_turn_and_hear_each_other(dataset: Path) -> None:
    state = after(episode(dataset, solvers=2, expert=True), "One.", "Two.", "A hint.", "Three.")
    assert GAME.pending(state) == ("solver_2",)
    for seat in state.seats:
        heard = [(each.speaker, each.text) for each in GAME.view(state, seat) if each.speaker in state.seats]
        assert heard == [("solver_1", "One."), ("solver_2", "Two."), ("expert", "A hint."), ("solver_1", "Three.")]


def test_the_first_answer_of_any_solver_ends_it(dataset: Path) -> None:
    state = after(episode(dataset, solvers=3), "I see bread.", WRONG)
    assert (GAME.outcome(state), GAME.pending(state)) == ("failed", ())
    assert GAME.score(state)["turns"] == 2


def test_it_ends_with_the_last_message_where_nobody_answers(dataset: Path) -> None:
    state = after(episode(dataset, solvers=2, turns=2), *["Hm."] * 4)
    assert (GAME.outcome(state), GAME.score(state)["answered"]) == ("failed", 0)


@pytest.mark.parametrize("said", ["Answer: **", "Answer: ?", "Answer: ...", "It ends with this:\nAnswer: <answer>"])
def test_an_answer_that_says_nothing_ends_nothing(dataset: Path, said: str) -> None:
    state = after(episode(dataset, solvers=2), said)
    assert (GAME.pending(state), GAME.score(state)["answered"]) == (("solver_2",), 0)
    assert GAME.outcome(after(state, RIGHT)) == "solved"


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ({}, 1),
        ({"solvers": 2, "turns": 3}, 6),
        ({"expert": True, "turns": 3}, 5),
        ({"solvers": 3, "expert": True, "turns": 2}, 7),
    ],
)
def test_there_are_so_many_messages_and_the_last_is_a_solver_s(
    dataset: Path, options: dict[str, Any], limit: int
) -> None:
    state, said = episode(dataset, **options), 0
    while GAME.pending(state):
        (speaker,) = GAME.pending(state)
        state = after(state, "Hm.")
        said += 1
    assert said == limit == GAME.turn_limit(GAME.configure(options))
    assert speaker != "expert"


def test_only_the_one_who_sees_nothing_can_answer_where_modalities_are_divided(dataset: Path) -> None:
    state = after(episode(dataset, solvers=2, divide="modalities"), "It is clear.\nAnswer: ROLL WITH IT")
    assert (GAME.pending(state), GAME.score(state)["answered"], GAME.score(state)["acc_compat"]) == (
        ("solver_2",),
        0,
        0,
    )
    assert GAME.outcome(after(state, RIGHT)) == "solved"


def test_all_that_solvers_write_counts_for_the_published_rule(dataset: Path) -> None:
    state = after(episode(dataset, solvers=2), "Could it be ROLL WITH IT?", WRONG)
    assert (GAME.score(state)["acc_compat"], GAME.score(state)["acc_strict"]) == (1, 0)


# ---- the expert


def test_what_the_expert_writes_is_no_answer(dataset: Path) -> None:
    state = after(episode(dataset, expert=True), "What now?", "Answer: ROLL WITH IT")
    scores = GAME.score(state)
    assert GAME.pending(state) == ("solver",)
    assert (scores["answered"], scores["acc_compat"], scores["leaked"]) == (0, 0, 1)


@pytest.mark.parametrize(
    ("messages", "hints", "leaked"),
    [
        (["What now?", "Look at the bread.", RIGHT], 1, 0),
        (["What now?", "Think of roll-with-it.", RIGHT], 1, 1),
        (["What now?", " ", "And now?", "Bread.", RIGHT], 1, 0),
        (["Roll with it?", "Roll with it is what you need.", RIGHT], 1, 0),
        (["What now?", "Strolling with it.", RIGHT], 1, 0),
        ([RIGHT], 0, 0),
    ],
)
def test_hints_are_counted_and_leaks_found(dataset: Path, messages: list[str], hints: int, leaked: int) -> None:
    scores = GAME.score(after(episode(dataset, expert=True), *messages))
    assert (scores["hints"], scores["leaked"], scores["success"]) == (hints, leaked, 1)


def test_minutes_say_what_was_handed_in(dataset: Path) -> None:
    state = after(episode(dataset, expert=True), "What now?", "Answer: no", "**Answer: Bread**")
    first, second, third = GAME.minutes(state)
    assert (first, second, [note.content for note in third]) == ((), (), ["Bread: wrong"])
