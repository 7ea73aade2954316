"""The rules of COMMA (section 4.1): what of a message is an action, who sees what, when it is over."""

import json
from asyncio import to_thread
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.puzzles import load_puzzle
from palaver_gamemasters.comma.state import MISTAKE, PERFORMED, orders
from palaver_gamemasters.game import Reply
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import InstanceError, UsageError
from palaver_protocols.quirks import ANTHROPIC
from palaver_protocols.roles import render
from palaver_protocols.transcript import IN_WORDS, in_words
from tests.agents.providers import openai_server
from tests.agents.providers.openai_server import OpenAIServer
from tests.deploy.conftest import Palaver, home, palaver
from tests.gamemasters.comma.playing import WIRES, after, an_episode, feedback, seen, shown

__all__ = ["home", "palaver"]

ACTIONS = ("cut_wire_1", "cut_wire_2", "cut_wire_3", "cut_wire_4")
RIGHT, WRONG = "cut_wire_2", "cut_wire_1"
KEYPAD: Any = next(GAME.instances(GAME.configure({"puzzle": "keypad"}), 0)).data


# What of a message is an action.


@pytest.mark.parametrize(
    ("message", "performed"),
    [
        ("cut_wire_2", ["cut_wire_2"]),
        ("cut_wire_1\ncut_wire_3", ["cut_wire_1", "cut_wire_3"]),
        ("cut_wire_1\r\ncut_wire_3\r\n", ["cut_wire_1", "cut_wire_3"]),
        ("  cut_wire_1\t", ["cut_wire_1"]),
        ("\n\n\tcut_wire_4\n\n", ["cut_wire_4"]),
        ("I am sure now.\ncut_wire_2\nDone!", ["cut_wire_2"]),
        ("cut_wire_1\ncut_wire_1", ["cut_wire_1", "cut_wire_1"]),
        ("I choose cut_wire_2", []),
        ("cut_wire_2.", []),
        ("`cut_wire_2`", []),
        ("**cut_wire_2**", []),
        ("- cut_wire_2", []),
        ("cut_wire_1, cut_wire_2", []),
        ("cut_wire_1 cut_wire_2", []),
        ("cut_wire_1\\ncut_wire_2", []),
        ("Cut_Wire_2", []),
        ("CUT_WIRE_2", []),
        ("cut wire 2", []),
        ("cut_wire_02", []),
        ("cut_wire_5", []),
        ("cut_wire_", []),
        ("Solver: cut_wire_2", []),
        ("", []),
        (" \n ", []),
    ],
)
def test_a_line_is_an_action_if_it_is_exactly_the_name_of_one(message: str, performed: list[str]) -> None:
    assert list(orders(message, ACTIONS)) == performed


@given(st.lists(st.sampled_from([*ACTIONS, *(f" {action} " for action in ACTIONS), "no action", ""])))
def test_actions_are_taken_in_the_order_of_their_lines(lines: list[str]) -> None:
    assert list(orders("\n".join(lines), ACTIONS)) == [line.strip() for line in lines if line.strip() in ACTIONS]


@pytest.mark.parametrize("message", ["I choose cut_wire_2.", "cut_wire_9", "Cut_wire_2", "Which wire?", ""])
def test_what_is_no_action_is_neither_performed_nor_a_mistake_nor_answered(message: str) -> None:
    state = after(an_episode(), message)
    assert (state.now, state.deeds, state.mistakes) == (an_episode().now, (), 0)
    assert feedback(state) == []


def test_every_action_is_answered_in_the_words_of_the_study() -> None:
    state = after(an_episode(), "cut_wire_1\nHm.\ncut_wire_2")
    assert feedback(state) == [
        "That action seems to have been a mistake",
        "The action was performed successfully",
    ]


def test_nothing_is_performed_or_answered_after_success() -> None:
    state = after(an_episode(), "cut_wire_1\ncut_wire_2\ncut_wire_3\ncut_wire_4")
    assert feedback(state) == [MISTAKE, PERFORMED]
    assert [deed.action for deed in state.deeds] == ["cut_wire_1", "cut_wire_2"]
    assert (GAME.outcome(state), state.mistakes, state.length) == ("solved", 1, 0)


def test_nothing_is_performed_or_answered_after_the_third_mistake() -> None:
    state = after(an_episode(), "cut_wire_1\ncut_wire_3\ncut_wire_4\ncut_wire_2")
    assert feedback(state) == [MISTAKE] * 3
    assert (GAME.outcome(state), state.mistakes, state.length) == ("failed", 3, 0)
    assert not state.solved


def test_mistakes_of_different_turns_add_up_and_the_last_one_ends_the_episode() -> None:
    state = after(an_episode(), "cut_wire_1", "cut_wire_3")
    assert GAME.outcome(state) is None
    state = after(state, "cut_wire_4\ncut_wire_2")
    assert (GAME.outcome(state), state.length) == ("failed", 2)
    assert feedback(state) == [MISTAKE] * 3


def test_the_same_mistake_again_is_another_mistake_and_a_repetition() -> None:
    state = after(an_episode(), WRONG, WRONG)
    scores = GAME.score(after(state, RIGHT))
    assert (scores["mistakes"], scores["repetitions"]) == (2, 0), "the wire was whole at first, and cut then"
    scores = GAME.score(after(state, WRONG))
    assert (scores["mistakes"], scores["repetitions"]) == (3, 1)


def test_what_an_expert_says_is_no_action() -> None:
    state = after(an_episode(), "Well?", expert=RIGHT)
    assert (state.deeds, feedback(state)) == ((), [])


def test_the_best_progress_counts_also_where_a_mistake_has_undone_it() -> None:
    state = an_episode(KEYPAD["setup"], "keypad")
    right = next(key for key in state.actions if not state.puzzle.act(state.now, key).mistake)
    wrong = next(key for key in state.actions if key != right and state.puzzle.act(state.now, key).mistake)
    state = after(state, f"{right}\n{wrong}")
    assert feedback(state) == [PERFORMED, MISTAKE]
    assert state.puzzle.progress(state.now) == 0.0
    assert GAME.score(state)["partial_success"] == GAME.progress(state) == 0.25


# Whose turn it is, and when it is over.


def test_solver_and_expert_take_turns() -> None:
    state = an_episode()
    asked: list[str] = []
    for _ in range(4):
        asked += GAME.pending(state)
        state = GAME.apply(state, {asked[-1]: Reply.of("Well?")})
    assert asked == ["solver", "expert", "solver", "expert"]


def test_the_episode_ends_with_the_tenth_message_of_the_solver() -> None:
    state = after(an_episode(), *["Well?"] * 9)
    assert GAME.pending(state) == ("solver",)
    state = GAME.apply(state, {"solver": Reply.of("Well?")})
    assert GAME.pending(state) == ()
    assert GAME.outcome(state) == "failed"
    assert len(state.dialogue) == GAME.turn_limit(state.options) == 19


def test_actions_of_the_tenth_message_are_performed() -> None:
    state = after(an_episode(), *["Well?"] * 9, RIGHT)
    assert (GAME.outcome(state), state.length) == ("solved", 9)


@pytest.mark.parametrize(
    ("messages", "length"),
    [([RIGHT], 0), (["Well?", RIGHT], 1), (["cut_wire_1\ncut_wire_1", "No.", WRONG], 2), (["Well?"] * 10, 10)],
)
def test_length_counts_turns_from_0_and_is_the_limit_where_they_ran_out(messages: list[str], length: int) -> None:
    state = after(an_episode(), *messages)
    assert GAME.outcome(state) is not None
    assert GAME.score(state)["length"] == length


def test_turns_and_mistakes_are_options() -> None:
    state = after(an_episode(turns=2, mistakes=1), "Well?")
    assert GAME.outcome(after(state, "Well?")) == "failed"
    assert GAME.score(after(state, "Well?"))["length"] == 2
    scores = GAME.score(after(state, WRONG))
    assert (scores["length"], scores["mistakes"]) == (1, 1)
    assert GAME.outcome(after(an_episode(mistakes=4), *[WRONG] * 3)) is None


@pytest.mark.parametrize(
    ("option", "value"),
    [("turns", 0), ("mistakes", 0), ("experts", -1), ("experts", 7), ("modality", "sound"), ("memory", "some")],
)
def test_what_makes_no_game_is_refused_by_name(option: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"comma: option {option} cannot be {value!r}"):
        GAME.configure({option: value})


# Who sees what.


def test_the_solver_is_told_its_task_and_the_actions_and_never_the_manual() -> None:
    state = after(an_episode(), "cut_wire_1", "Well?")
    told = "\n".join(text for _, text in seen(state, "solver"))
    assert told.startswith("You are the solver in a cooperative game involving solving puzzles.")
    assert "\n\nValid actions, one a line:\ncut_wire_1\ncut_wire_2\ncut_wire_3\ncut_wire_4\n" in told
    assert "## 4 wires" not in told
    assert "If there is more than one red wire" not in told


def test_the_expert_is_told_its_task_the_manual_and_what_was_said_and_nothing_else() -> None:
    state = after(an_episode(), "cut_wire_1", "Well?", expert="Cut the last one.")
    (user, task), *heard = seen(state, "expert")
    assert user == "user"
    assert task.startswith("You are the expert in a cooperative game involving solving puzzles.")
    assert task.endswith(load_puzzle("wire").manual.read_text())
    assert "Valid actions" not in task
    assert heard == [
        ("solver", "cut_wire_1"),
        ("expert", "Cut the last one."),
        ("solver", "Well?"),
        ("expert", "Cut the last one."),
    ]


@pytest.mark.parametrize("modality", ["auto", "image", "text", "both"])
def test_the_expert_never_sees_the_puzzle(modality: str) -> None:
    state = after(an_episode(modality=modality), "Look at this!", WRONG)
    view = GAME.view(state, "expert")
    assert all(isinstance(part, Text) for message in view for part in message.parts)
    assert "ABC124" not in "".join(message.text for message in view)
    assert {message.speaker for message in view} == {"user", "solver", "expert"}


def test_the_solver_hears_of_its_actions_before_the_expert_speaks() -> None:
    state = after(an_episode(), "Well?\ncut_wire_1", expert="Cut the second one.")
    assert seen(state, "solver")[1:-1] == [
        ("solver", "Well?\ncut_wire_1"),
        ("environment", MISTAKE),
        ("expert", "Cut the second one."),
    ]


def test_the_solver_sees_the_puzzle_as_it_is_now_and_only_so() -> None:
    state = an_episode()
    first = shown(state)
    assert (first.speaker, first.audience) == ("environment", ("solver",))
    assert "1. red\n" in first.text
    state = after(state, "cut_wire_1")
    assert "1. red (cut)\n" in shown(state).text
    assert sum("Serial number" in text for _, text in seen(state, "solver")) == 1


def test_a_view_holds_one_picture_however_long_the_dialogue_is() -> None:
    state = after(an_episode(modality="auto"), WRONG, "Well?", WRONG)
    pictures = [part for message in GAME.view(state, "solver") for part in message.parts if isinstance(part, Image)]
    (now,) = [part for part in shown(an_episode(modality="auto")).parts if isinstance(part, Image)]
    assert len(pictures) == 1
    assert pictures[0].sha256 != now.sha256


@pytest.mark.parametrize(
    ("modality", "parts"),
    [
        ("auto", ["text", "image with words"]),
        ("image", ["text", "image"]),
        ("text", ["text", "text"]),
        ("both", ["text", "text", "image"]),
    ],
)
def test_the_solver_sees_as_the_modality_says(modality: str, parts: list[str]) -> None:
    message = shown(an_episode(modality=modality))
    kinds = [
        "text" if isinstance(part, Text) else "image" if part.alt is None else "image with words"
        for part in message.parts
    ]
    assert kinds == parts


def test_in_words_the_picture_is_the_text() -> None:
    auto, text = (shown(an_episode(modality=modality)) for modality in ("auto", "text"))
    (read,) = in_words([auto])
    assert read.text.replace(f"{IN_WORDS}\n", "") == text.text


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"experts": 0}, "There is no expert in this game"),
        ({"experts": 3}, "There are 3 experts."),
        ({"modality": "text"}, "You are given the puzzle as text instead of an image."),
    ],
)
def test_a_solver_is_told_where_the_study_s_prompt_does_not_hold(options: dict[str, Any], told: str) -> None:
    as_studied = {"modality": "image"}
    usual, changed = (seen(an_episode(**{**as_studied, **more}), "solver")[0][1] for more in ({}, options))
    assert told not in usual
    assert told in changed


@pytest.mark.parametrize(
    ("message", "missed"),
    [
        ("- cut_wire_1", 1.0),
        ("CUT_WIRE_1", 1.0),
        ("I will cut_wire_1.", 1.0),
        ("I will cut_wire_1.\ncut_wire_1", 0.0),
        ("cut_wire_11", 0.0),
        ("Which wire shall I cut?", 0.0),
    ],
)
def test_an_action_that_is_named_and_not_performed_is_a_near_miss(message: str, missed: float) -> None:
    assert GAME.score(after(an_episode(), message))["near_misses"] == missed


# The ablation without memory (section 5.3), and other numbers of experts (ours).


def test_without_memory_a_seat_knows_its_task_the_last_word_of_the_other_and_the_puzzle() -> None:
    state = after(an_episode(memory="none"), "One.", "Two.\ncut_wire_1", expert="Go on.")
    solver, expert = seen(state, "solver"), seen(state, "expert")
    assert solver[0][0] == expert[0][0] == "user"
    assert solver[1:-1] == [("expert", "Go on.")]
    assert "1. red (cut)" in solver[-1][1]
    assert expert[1:] == [("solver", "Two.\ncut_wire_1")]


def test_a_solver_alone_without_memory_knows_what_its_last_actions_came_to() -> None:
    state = after(an_episode(memory="none", experts=0), "cut_wire_1", "cut_wire_3\ncut_wire_3")
    assert seen(state, "solver")[1:-1] == [("environment", f"{MISTAKE}\n{MISTAKE}")]


def test_without_experts_the_solver_speaks_at_every_turn() -> None:
    state = after(an_episode(experts=0), "Well?", "cut_wire_1")
    assert state.seats == ("solver",)
    assert GAME.turn_limit(state.options) == 10
    assert [speaker for speaker, _ in seen(state, "solver")] == [
        *("user", "solver", "solver", "environment", "environment")
    ]


def test_three_experts_hold_a_part_each_and_speak_in_turn() -> None:
    state = an_episode(experts=3)
    tasks = [GAME.view(state, f"expert_{number}")[0].text for number in (1, 2, 3)]
    for number, task in enumerate(tasks, 1):
        assert f"There are 3 experts, and you are expert {number}." in task
        assert f"Part {number} of 3 of the manual" in task
    assert ["## 3 wires\n" in task for task in tasks] == [True, False, False]
    state = GAME.apply(state, {"solver": Reply.of("Well?\ncut_wire_1")})
    for number in (1, 2, 3):
        assert GAME.pending(state) == (f"expert_{number}",)
        state = GAME.apply(state, {f"expert_{number}": Reply.of(f"I am {number}.")})
    everything = [("solver", "Well?\ncut_wire_1"), *((f"expert_{number}", f"I am {number}.") for number in (1, 2, 3))]
    assert GAME.pending(state) == ("solver",)
    assert seen(state, "expert_2")[1:] == everything
    assert [line for line in seen(state, "solver")[1:-1] if line[0] != "environment"] == everything


def test_without_memory_experts_know_the_last_word_of_each_of_the_others() -> None:
    state = after(an_episode(experts=2, memory="none"), "One.", "Two.", expert="Go on.")
    assert seen(state, "expert_1")[1:] == [("solver", "Two."), ("expert_2", "Go on.")]


def test_one_expert_s_manual_can_be_divided_among_a_team_and_nothing_else() -> None:
    state = an_episode()
    lead, *members = GAME.split(state, "expert", 2)
    assert "## 3 wires" not in lead[0].text
    assert ["## 3 wires" in member[0].text for member in members] == [True, False]
    with pytest.raises(UsageError, match="what solver is shown cannot be divided"):
        GAME.split(state, "solver", 2)
    with pytest.raises(UsageError, match="what expert_1 is shown cannot be divided"):
        GAME.split(an_episode(experts=2), "expert_1", 2)
    with pytest.raises(UsageError, match=r"comma wire: a manual of 23 lines cannot be divided among 40 experts"):
        GAME.split(state, "expert", 40)


# What a provider is sent.


def written(view: Any, seat: str, partner: str) -> str:
    messages = render(view, seat=seat, partners=(partner,), protocol="transcript", quirks=ANTHROPIC)
    return "\n".join(part.text for message in messages for part in message.parts if isinstance(part, Text))


def test_a_dialogue_has_the_labels_of_the_study() -> None:
    state = after(an_episode(), "Four wires.\ncut_wire_1", expert="Cut the second wire.")
    solver = written(GAME.view(state, "solver"), "solver", "expert")
    assert solver.index("Solver: Four wires.\ncut_wire_1") < solver.index(f"Environment: {MISTAKE}")
    assert solver.index(f"Environment: {MISTAKE}") < solver.index("Expert: Cut the second wire.")
    assert solver.index("Expert: Cut the second wire.") < solver.index("Environment: This is the puzzle now:")
    assert solver.endswith("Solver:")
    expert = written(GAME.view(state, "expert"), "expert", "solver")
    assert "Solver: Four wires.\ncut_wire_1" in expert
    assert "Environment:" not in expert
    assert expert.endswith("Expert:")


async def test_a_model_is_asked_as_the_study_asked_it(palaver: Palaver, home: Path) -> None:
    said = ["Four wires.\ncut_wire_1", "Cut the second wire.", "cut_wire_2"]
    async with OpenAIServer() as server:
        server.will(*(openai_server.json_answer(openai_server.completion(text)) for text in said))
        agent = f"openai/gpt-4o@{server.base_url.removesuffix('/v1')}"
        (home / "wires.json").write_text(json.dumps({"puzzle": "wire", "setup": dict(WIRES)}))
        words = ("--set", "instances=wires.json", "-n", 1, "--out", "run", "-q")
        ended = await to_thread(palaver, "run", "comma", "--agents", agent, *words)

    assert ended.code == 0, ended.err
    first, _, last = (asked.body for asked in server.asked)
    assert (first["temperature"], last["temperature"]) == (0.0, 0.0)
    (question,) = last["messages"]
    texts = "\n".join(part["text"] for part in question["content"] if part["type"] == "text")
    assert f"Environment: {MISTAKE}\n\nExpert: Cut the second wire.\n\nEnvironment: This is the puzzle now:" in texts
    assert "Solver: Four wires.\ncut_wire_1" in texts


@pytest.mark.parametrize(
    ("words", "protocol", "temperature"),
    [([], "transcript", 0.0), (["--protocol", "prefixes", "--temperature", "0.6"], "prefixes", 0.6)],
)
def test_the_study_s_ways_are_the_default_and_can_be_changed(
    words: list[str], protocol: str, temperature: float, *, palaver: Palaver
) -> None:
    told = ("--set", "puzzle=wire", "--set", "modality=text", "-n", 1, "--out", "run", "-q", *words)
    assert palaver("run", "comma", "--agents", "random", *told).code == 0
    config = yaml.safe_load(Path("run/config.yaml").read_text())
    assert (config["protocol"], config["sampling"]["temperature"]) == (protocol, temperature)


# Through the command line, and from instances that are none.

NO_LOOPS = {"repetitions": 0.0, "near_misses": 0.0}


@pytest.mark.parametrize(
    ("texts", "outcome", "scores"),
    [
        (
            ["I see.\ncut_wire_1\nand\ncut_wire_2\ncut_wire_3"],
            "solved",
            {
                "success": 1.0,
                "partial_success": 1.0,
                "mistakes": 1.0,
                "length": 0.0,
                "repetitions": 0.0,
                "near_misses": 0.0,
            },
        ),
        (
            ["cut_wire_1\ncut_wire_3", "Stop!", "cut_wire_4\ncut_wire_2"],
            "failed",
            {
                "success": 0.0,
                "partial_success": 0.0,
                "mistakes": 3.0,
                "length": 1.0,
                "repetitions": 0.0,
                "near_misses": 0.0,
            },
        ),
        (
            ["Is it cut_wire_2?", "Yes.", "Cut_wire_2"],
            "incomplete",
            {
                "success": 0.0,
                "partial_success": 0.0,
                "mistakes": 0.0,
                "length": 10.0,
                "repetitions": 0.0,
                "near_misses": 2.0,
            },
        ),
        (
            ["Well?", "Well!"] * 9 + ["Well?"],
            "failed",
            {
                "success": 0.0,
                "partial_success": 0.0,
                "mistakes": 0.0,
                "length": 10.0,
                "repetitions": 0.0,
                "near_misses": 0.0,
            },
        ),
    ],
    ids=["success in the middle", "third mistake in the middle", "near-misses", "out of turns"],
)
def test_a_recorded_dialogue_is_scored_by_the_command_line(
    texts: list[str], outcome: str, scores: dict[str, float], *, palaver: Palaver
) -> None:
    replay = {"game": "comma", "variant": "wire", "instance": {"puzzle": "wire", "setup": dict(WIRES)}, "texts": texts}
    Path("dialogue.json").write_text(json.dumps(replay))
    said = palaver("replay", "dialogue.json")
    assert said.code == 0
    assert said.document == {
        "file": "dialogue.json",
        "outcome": outcome,
        "scores": scores,
        "turns": len(texts),
        "error": None,
    }


@pytest.mark.parametrize(
    ("instance", "problem"),
    [
        ({"setup": {}}, "comma instance: puzzle: Field required"),
        ({"puzzle": "wire", "setup": dict(WIRES), "manuel": ""}, "comma instance: manuel: Extra inputs"),
        ({"puzzle": "wires", "setup": {}}, "there is no puzzle 'wires' (did you mean wire?)"),
        ({"puzzle": "wire", "setup": {"serial": "AB1"}}, "comma wire instance: wires: Field required"),
        ({"puzzle": "wire", "setup": {**WIRES, "wire": 1}}, "comma wire instance: there is no field 'wire'"),
        (
            {"puzzle": "wire", "setup": dict(WIRES), "manual": "# Wire"},
            "the wire manual: there is no section '3 wires'",
        ),
    ],
)
def test_what_is_no_initialisation_says_which_field_is_wrong(instance: dict[str, Any], problem: str) -> None:
    with pytest.raises(InstanceError) as raised:
        GAME.start(instance, GAME.configure({}))
    assert str(raised.value).startswith(problem)
    assert "\n" not in str(raised.value)
