"""The judge that goes by rules, and the examples that are made by code."""

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.judge import GRADERS
from palaver_gamemasters.comma.judge.case import read_case
from palaver_gamemasters.comma.judge.scripted import found_in
from palaver_gamemasters.comma.state import CommaState
from palaver_gamemasters.replay import play_replay, read_replay
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnRequest
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.comma.playing import after, an_episode, played
from tests.gamemasters.comma.playing import openings as planned

TRUE = "I see 4 wires. From top to bottom they are red, blue, blue, white. The serial number is ABC124."
FALSE = "I see 4 wires. From top to bottom they are red, blue, green, white. The serial number is ABC124."


def judged(state: CommaState) -> list[str]:
    return list(found_in(read_case(GAME.grading_views(state)[0][0].text)))


def conversation(*lines: str, **options: Any) -> CommaState:
    """Let solver and expert speak in turns."""
    state = an_episode(**options)
    for said, answer in zip(lines[::2], [*lines[1::2], ""], strict=False):
        state = after(state, said, expert=answer)
    return state


@cache
def examples() -> tuple[dict[str, Any], ...]:
    calibration = GAME.calibration()
    assert calibration.examples is not None
    return tuple(dict(example) for example in calibration.examples(0, 3))


def test_a_conversation_that_goes_well_has_no_error() -> None:
    assert judged(conversation(TRUE, "Cut the second wire.", "cut_wire_2")) == []


def test_an_expert_that_speaks_the_solvers_lines_plays_its_role() -> None:
    for line in ("SOLVER: I cut it.", "I can see the four wires now.", "Well:\ncut_wire_2"):
        assert judged(conversation(TRUE, line, "cut_wire_2"))[0] == "roleplay"


def test_a_solver_that_instructs_plays_the_experts_role() -> None:
    assert judged(conversation("Please describe what you see.", "What?", "cut_wire_2"))[0] == "roleplay"


def test_a_solver_that_tells_other_colours_misinterprets() -> None:
    assert judged(conversation(FALSE, "Cut the first wire.", "cut_wire_1", "Hm.", "cut_wire_2")) == [
        "misinterpretation"
    ]


def test_a_slip_that_does_no_harm_is_no_error() -> None:
    assert judged(conversation(FALSE, "Cut the second wire.", "cut_wire_2")) == []


def test_a_solver_that_acts_against_its_instruction_miscommunicates() -> None:
    state = conversation(TRUE, "Cut the second wire.", "cut_wire_4", "The second!", "cut_wire_2")

    assert judged(state) == ["miscommunication"]


def test_a_solver_that_does_not_wait_miscommunicates() -> None:
    assert judged(conversation("cut_wire_3", "Cut the second wire.", "cut_wire_2")) == ["miscommunication"]


def test_a_solver_that_is_alone_has_nobody_to_disregard() -> None:
    assert judged(after(an_episode(experts=0), "cut_wire_3", "cut_wire_2")) == ["other"]


def test_a_mistake_that_is_repeated_in_the_same_state_is_the_main_error() -> None:
    state = after(an_episode(), "cut_wire_1", "cut_wire_1", "cut_wire_1", expert="Cut the second wire.")

    assert judged(state)[0] == "repetition"


def test_an_action_within_a_sentence_is_another_error() -> None:
    assert judged(conversation(TRUE, "Cut the second wire.", "I do cut_wire_2.", turns=2)) == ["other"]


def test_scripts_that_err_in_no_way_have_no_error() -> None:
    episodes = [played(opening) for opening in planned("scripted", episodes=30, seed=7)]

    assert [judged(episode.state) for episode in episodes] == [[]] * 30


def test_it_reads_nothing_but_its_own_prompt() -> None:
    request = TurnRequest(
        key="k", run_id="r", episode_id="e", game="grading", variant="comma", turn=0, seat="grader_1", agent="scripted",
        view=(Message.text_from(USER, "Grade this maze."),),
    )  # fmt: skip
    with pytest.raises(UsageError, match="shows no conversation to judge"):
        GRADERS["scripted"](request)


# ---- examples


def test_examples_are_of_every_kind_and_of_many_puzzles() -> None:
    assert Counter(example["label"] for example in examples()) == dict.fromkeys(
        ("roleplay", "misinterpretation", "repetition", "miscommunication", "other", "none"), 3
    )
    assert len({example["variant"] for example in examples()}) >= 3


def test_examples_are_replays_of_whole_episodes() -> None:
    for example in examples():
        result = play_replay(GAME, read_replay(json.dumps(example)), "example")

        assert result.outcome in ("solved", "failed")
        assert (result.outcome == "solved" and not result.scores["mistakes"]) or example["label"] != "none"


def test_the_same_seed_makes_the_same_examples() -> None:
    calibration = GAME.calibration()
    assert calibration.examples is not None

    assert tuple(map(dict, calibration.examples(0, 3))) == examples()
    assert tuple(map(dict, calibration.examples(1, 3))) != examples()
