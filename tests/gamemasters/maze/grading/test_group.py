"""Hand-made dialogues of three and four agents: a move counts once all of them have agreed."""

import json
from pathlib import Path

import pytest

from palaver_gamemasters.maze.grading import dialogue
from palaver_gamemasters.maze.grading.dialogue import read_dialogue
from palaver_gamemasters.maze.grading.grader import extract, grade
from palaver_gamemasters.maze.grading.group import GroupNegotiation
from palaver_gamemasters.maze.grading.notations import Alphabet
from palaver_gamemasters.maze.grid import Maze

CORPUS = Path(__file__).with_name("dialogues")
MAZE = Maze(("@.#", "#..", "..*"))


def turns_of(*texts: str, agents: int = 3) -> list[tuple[str, str]]:
    """Let the agents speak in turn; a text may begin with who speaks instead: "3| Agreed."."""
    turns = []
    for place, text in enumerate(texts):
        number, told, said = text.partition("| ")
        turns.append((f"agent_{number if told else place % agents + 1}", said if told else text))
    return turns


def agreed(*texts: str, agents: int = 3) -> list[str]:
    """Return the moves that all agree on: "3 right 0,1" was agreed on in turn 3."""
    return [
        " ".join(filter(None, (str(event.turn), *(event.step.direction or ()), ",".join(event.step.cell or ()))))
        for event in read_dialogue(turns_of(*texts, agents=agents), Alphabet(6), agents)
        if event.made
    ]


# ---- who must agree


def test_a_move_counts_in_the_turn_in_which_the_last_has_agreed() -> None:
    assert agreed(
        "I propose we move right to (0,1).",
        "Agreed.",
        "Agreed, we move to (0,1).",
        "Next, down to (1,1)?",
        "Yes, agreed.",
        "Agent 1, agreed.",
    ) == ["3 right 0,1", "6 down 1,1"]


def test_one_missing_assent_is_one_too_few() -> None:
    assert not agreed("I propose right to (0,1).", "Agreed.", "I see a path at (3,3) on my map.")


def test_four_must_agree_where_four_play() -> None:
    three = ("I propose right to (0,1).", "Agreed.", "Agreed.")

    assert not agreed(*three, agents=4)
    assert not agreed(*three, "My map shows (3,3) open.", agents=4)
    assert agreed(*three, "Agreed.", agents=4) == ["4 right 0,1"]


def test_silence_agrees_to_nothing() -> None:
    talk = ("1| Agent 2, shall we go right to (0,1)?", "2| Agreed. I propose down to (1,1).", "1| Agreed. ACTI!")

    assert not agreed(*talk)
    assert agreed(*talk, agents=2) == ["2 right 0,1", "3 down 1,1"]


def test_the_proposer_cannot_agree_for_the_others() -> None:
    assert not agreed("I propose right to (0,1).", "Agreed.", "What do you see?", "We have moved right to (0,1).")


def test_who_agrees_twice_counts_once() -> None:
    assert not agreed("1| Right to (0,1)?", "2| Agreed.", "2| Agreed.", "1| Agreed.", "2| I agree.")


def test_those_who_are_named_agree_in_any_order() -> None:
    assert agreed(
        "1| Agent 3, shall we go right to (0,1)?",
        "3| Agreed. Agent 2?",
        "2| Agreed. Agent 1, next down to (1,1)?",
        "1| Agreed. Agent 3?",
        "3| I agree.",
    ) == ["3 right 0,1", "5 down 1,1"]


# ---- several proposals on the table


def test_an_agreement_in_one_message_is_for_two_proposals() -> None:
    assert agreed(
        "I propose right to (0,1).", "Agreed. After that I propose down to (1,1).", "Agreed to both.", "Agreed."
    ) == ["3 right 0,1", "4 down 1,1"]


def test_two_proposals_may_be_agreed_to_by_direction_alone() -> None:
    assert agreed("Shall we move right?", "Agreed. Then let's move down.", "Agreed with both moves.", "Agreed.") == [
        "3 right",
        "4 down",
    ]


def test_the_same_direction_again_is_a_second_move() -> None:
    assert agreed("Move right?", "Agreed. And right again?", "Agreed.", "Agreed.") == ["3 right", "4 right"]


def test_a_restated_agreement_is_no_second_move() -> None:
    assert agreed(
        "I propose that we move right.",
        "Agreed. Let's move right.",
        "Agreed. Let's move right.",
        "I propose that we move down.",
        "Agreed. Let's move down.",
        "Agreed. Let's move down.",
    ) == ["3 right", "6 down"]


def test_who_agrees_to_the_first_of_two_moves_holds_up_the_second_alone() -> None:
    assert agreed(
        "Right to (0,1)?",
        "Agreed. Then down to (1,1)?",
        "Agreed to right to (0,1), but (1,1) is a wall on my map.",
        "Then right to (0,2)?",
        "Agreed.",
        "Agreed.",
    ) == ["3 right 0,1", "6 right 0,2"]


def test_of_a_path_so_many_moves_count_as_everybody_agreed_to() -> None:
    path = "I propose the path (0,1) -> (1,1) -> (2,1). Do you agree to the whole path?"

    assert agreed(path, "I agree to the whole path.", "I agree with the first move.") == ["3 0,1"]
    assert agreed(path, "I agree to the whole path.", "I agree with the first move only. ACTI!") == ["3 0,1"]
    assert agreed(path, "I agree to the whole path.", "I agree.") == ["3 0,1", "3 1,1", "3 2,1"]


def test_four_who_each_agree_and_propose_the_next_move_make_a_chain() -> None:
    assert agreed(
        "Right to (0,1)?",
        "Agreed. Then down to (1,1)?",
        "Agreed. Then down to (2,1)?",
        "Agreed. Then right to (2,2)?",
        "Agreed.",
        "Agreed.",
        "Agreed. ACTI!",
        agents=4,
    ) == ["4 right 0,1", "5 down 1,1", "6 down 2,1", "7 right 2,2"]


# ---- agreeing without the word


def test_who_restates_the_move_agrees_to_it() -> None:
    assert agreed("I propose we move right to (0,1).", "Moving right to (0,1).", "We move right to (0,1).") == [
        "3 right 0,1"
    ]


def test_who_goes_on_from_there_agrees_to_what_leads_there() -> None:
    assert agreed("Right to (0,1)?", "Down to (1,1) next, then.", "Agreed to both.", "Agreed.") == [
        "3 right 0,1",
        "4 down 1,1",
    ]


def test_who_reports_the_move_as_made_agrees_to_it() -> None:
    assert agreed("I propose right to (0,1).", "Agreed.", "We are at (0,1) now. Next, down to (1,1)?") == [
        "3 right 0,1"
    ]


def test_the_phrase_agrees_to_the_last_move_for_its_speaker_alone() -> None:
    assert agreed("Right to (0,1), the goal?", "Agreed.", "ACTI!") == ["3 right 0,1"]
    assert not agreed("Right to (0,1), the goal?", "ACTI!")


def test_who_confirms_the_facts_agrees_to_the_move_that_is_then_made() -> None:
    question = "Proposed: right to (0,1). Can you confirm that it is open?"

    assert agreed(question, "Yes, it is open.", "Yes, open on my map.", "Great, moving right to (0,1).") == [
        "4 right 0,1"
    ]
    assert not agreed(question, "Yes, it is open.", "Which cell?", "Great, moving right to (0,1).")


# ---- objections


def test_an_objection_of_the_third_stops_what_two_agreed_on() -> None:
    assert agreed(
        "Shall we move right to (0,1)?",
        "Agreed.",
        "No, (0,1) is a wall on my map. I suggest down to (1,0).",
        "Agreed, down to (1,0).",
        "Agreed.",
    ) == ["5 down 1,0"]


def test_a_proposal_that_is_replaced_before_all_agreed_is_not_made() -> None:
    assert agreed(
        "Shall we move right to (0,1)?",
        "Agreed.",
        "I would rather go down to (1,0).",
        "Agreed, down.",
        "Agreed, down to (1,0).",
    ) == ["5 down 1,0"]


def test_an_objection_to_the_second_of_two_moves_leaves_the_first_to_be_agreed_on() -> None:
    start = ("Right to (0,1)?", "Agreed. Then down to (1,1)?", "Agreed to both.", "No, (1,1) is a wall on my map.")

    assert not agreed(*start, "1| Then right to (0,2)?", "2| Agreed.", agents=4)
    assert agreed(*start, "1| Then right to (0,2)?", "2| Agreed.", "4| Agreed, right to (0,2).", agents=4) == [
        "7 right 0,1"
    ]
    assert agreed(*start, "4| Right to (0,1) is fine, agreed.", agents=4) == ["5 right 0,1"]


def test_after_an_objection_only_its_speaker_need_agree_anew() -> None:
    assert agreed(
        "Shall we move right to (0,1)?",
        "Agreed.",
        "No, wait. (0,1) is a wall on my map.",
        "It is open on mine, agent 3: row 0 reads @ . ?. Let's move right to (0,1).",
        "What does agent 3 say?",
        "You are right, sorry. I agree to move right to (0,1).",
    ) == ["6 right 0,1"]


def test_who_takes_an_agreement_back_must_give_it_again() -> None:
    start = (
        "Shall we move right to (0,1)?",
        "Agreed.",
        "Let me see.",
        "Well?",
        "No, I was wrong, do not move to (0,1).",
    )

    assert not agreed(*start, "I agree to move right to (0,1).", "Well?")
    assert agreed(*start, "I agree to move right to (0,1).", "Well?", "Agreed, right to (0,1).") == ["8 right 0,1"]


# ---- names


def test_the_agreement_of_another_is_not_the_speakers() -> None:
    assert agreed(
        "Shall we move right to (0,1)?",
        "Agent 3 agrees, I believe. What is at (0,1)?",
        "It is open. I agree.",
        "Agents 1 and 3 agree to move right. Agent 2?",
        "I agree with agent 1.",
    ) == ["5 right 0,1"]


def test_a_list_of_who_agreed_agrees_for_nobody() -> None:
    assert agreed(
        "Shall we move right to (0,1)?",
        "So far:\n- Agent 1: proposes (0,1)\n- Agent 3: agreed\nWaiting for agent 3 to agree.",
        "Agreed.",
        "Well?",
        "Agreed.",
    ) == ["5 right 0,1"]


@pytest.mark.parametrize(
    "status",
    [
        "I see a path at (3,3). Agent 1: agreed.",
        "Let me sum up. Agent 1: agreed. Agent 2: agreed.",
        "Agent 1: agreed. Agent 2: yes.",
        "Agent 1: agreed\nAgent 2: agreed\nAgent 3: pending",
        "So far:\n**Agent 1:** agreed\n**Agent 2:** yes",
        "Votes: agent 1 (agreed), agent 2 (yes).",
    ],
)
def test_who_is_said_to_have_agreed_in_the_midst_of_a_message_is_not_the_speaker(status: str) -> None:
    assert not agreed("Shall we move right to (0,1)?", "Agreed.", status)


@pytest.mark.parametrize(
    "answer", ["Agent 1: agreed.", "Agent 1: agreed. Agent 3: agreed.", "It is open. Agent 1: agreed, let's go."]
)
def test_who_answers_another_by_name_or_lists_itself_agrees(answer: str) -> None:
    assert agreed("Shall we move right to (0,1)?", "Agreed.", answer) == ["3 right 0,1"]


@pytest.mark.parametrize("prefix", ["[agent {}]: ", "[agent_{}]: ", "Agent {}: ", "**Agent {}:** ", "**[agent {}]**: "])
def test_the_prefix_of_a_speaker_is_no_part_of_what_it_says(prefix: str) -> None:
    texts = ("Right to (0,1)?", "Agreed.", "Yes.")

    assert agreed(*(prefix.format(number) + text for number, text in enumerate(texts, start=1))) == ["3 right 0,1"]


def test_the_numbers_of_names_are_no_coordinates() -> None:
    assert agreed(
        "Agents 2,3: do you agree to move right to (0,1)?", "@agent 1 yes, agreed.", "Agent 1, agent 2: agreed."
    ) == ["3 right 0,1"]


def test_talk_of_when_all_agree_is_no_agreement() -> None:
    assert not agreed(
        "I propose right to (0,1).", "Once all three of us agree, we move.", "Do all agents agree, everybody?"
    )


# ---- two are the smallest group


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.jsonl")), ids=lambda file: file.stem)
def test_the_rules_of_a_group_give_two_speakers_what_those_of_a_pair_do(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    pairs = [one for one in told if one["variant"] == "pair"]

    def routes() -> dict[str, int]:
        """Return where each dialogue ends: how far from the goal."""
        mazes = {one["name"]: Maze(tuple(one["grid"])) for one in pairs}
        turns = {one["name"]: turns_of(*one["texts"], agents=2) for one in pairs}
        return {name: maze.to_goal[grade(maze, turns[name]).route[-1]] for name, maze in mazes.items()}

    as_pairs = routes()
    monkeypatch.setattr(dialogue, "Negotiation", lambda: GroupNegotiation(2))
    assert routes() == as_pairs


# ---- the whole grader


def test_a_route_of_three_is_graded_like_one_of_two() -> None:
    steps = ("right to (0,1)", "down to (1,1)", "right to (1,2)", "down to (2,2)")
    texts = [f"Agreed. I propose {step}." for step in steps]

    graded = grade(MAZE, turns_of(*texts, "Agreed.", "Agreed. ACTI!"), agents=3)

    assert (graded.ended, graded.route) == ("goal", ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2)))


def test_what_all_agreed_on_is_recorded_as_a_move_of_all() -> None:
    (extraction, *_) = extract(MAZE, turns_of("Right to (0,1)?", "Agreed.", "Agreed."), agents=3)

    assert [(entry.turn_type, entry.agent) for entry in extraction.route] == [("consider", "agent_1"), ("move", "all")]


def test_without_a_number_those_who_spoke_must_agree() -> None:
    assert len(grade(MAZE, turns_of("Right to (0,1)?", "Agreed.", "Hm.")).route) == 1
    assert len(grade(MAZE, turns_of("Right to (0,1)?", "Agreed.", "Agreed.")).route) == 2
    assert len(grade(MAZE, turns_of("Right to (0,1)?", "Agreed.")).route) == 2
