# ruff: noqa: RUF001 - typographic quotes and full-width signs are what models write
"""Hand-made dialogues, and short quotations from those printed in The Collaboration Gap (Davidson et al.)."""

from collections.abc import Sequence

import pytest

from palaver_gamemasters.maze.grading.dialogue import read_dialogue
from palaver_gamemasters.maze.grading.ledger import record
from palaver_gamemasters.maze.grading.notations import Alphabet

ALPHABET = Alphabet(6)


def agreed(*texts: str, seats: Sequence[str] = ("A", "B")) -> list[str]:
    """Return the moves that speakers who take turns agree on: "2 right 0,1" was agreed on in turn 2."""
    turns = [(seats[place % len(seats)], text) for place, text in enumerate(texts)]
    return [
        " ".join(filter(None, (str(event.turn), *(event.step.direction or ()), ",".join(event.step.cell or ()))))
        for event in read_dialogue(turns, ALPHABET)
        if event.made
    ]


# ---- the paper's excerpts


def test_figure_2_2_a_disagreement_about_the_order_of_coordinates() -> None:
    assert agreed(
        "- There are walls ('#') at positions (1,6), (2,3). There are clear paths ('.') at positions (1,2), (1,3).\n"
        "a possible first move for me would be to move right from (1,1) to (1,2) since it's a clear path.",
        "Given this, moving right to (1,2) is not possible due to the wall on my map. Instead, I suggest we consider "
        "moving down to (2,1). From your map, (2,1) is a clear path.",
        "I agree that (1,2) is a wall based on your map. Since a wall on one map confirms it's impassable, we cannot "
        "move right to (1,2). Moving down to (2,1) seems like a viable option.",
    ) == ["3 down 2,1"]


def test_figure_4_4_one_move_is_agreed_and_the_next_proposed() -> None:
    assert agreed(
        "the goal '*' is somewhere in the bottom-right corner, but many cells are hidden. Let’s start by moving right "
        "to reveal more of the maze. Shall we move right?",
        "Agreed—moving right from the start puts us at (row 0, col 1). The top row is clear until a wall at column 5, "
        "so we could keep heading right, or drop down from here (row 1, col 1) which is also open on my side. I "
        "propose we move right again to (0, 2). Sound good?",
    ) == ["2 right r0,c1"]


def test_figure_4_5_a_refusal_and_its_correction() -> None:
    assert agreed(
        "Yes, I agree to move to (1,2). Now that we’re at (1,2), from our combined maps, (2,2) is a path. I suggest we "
        "move down to (2,2) next. Do you agree?",
        "I agree we are at (1,2). However, my map shows (2,2) as a wall (#). Also, combining our maps, (1,3) is a "
        "wall. I suggest we move back to (1,1) to re-evaluate. Do you agree?",
        "There’s a confusion. From the map you shared, (2,2) is a ’.’ (path), not a wall. Based on that, I think we "
        "should move down to (2,2) since it appears open in your map. Do you agree?",
        "You are absolutely right! I misread my own map. (2,2) is indeed a ’.’ (path) on my map.\n\nGiven that, I "
        "agree with your suggestion. Let’s move to (2,2). Do you agree?",
    ) == ["1 1,2", "4 down 2,2"]


def test_figure_e_1_both_propose_the_same() -> None:
    assert agreed(
        "Row0: @ ? . ? . .\nRow1: . ? ? ? . ?\n\nI’m at (0,0); goal is (5,5). Proposed first move: Down to (1,0) – "
        "it’s a known open cell for me.\n\nCan you confirm whether (1,0) is open on your map?",
        "(1,0) is ’.’ on my map, so it is open.\nAround (1,0), I see:\n- (0,0) ’@’ (your start)\n- (2,0) ’#’ wall\n"
        "- (1,-1) invalid coordinate\n\nSo, (1,0) is safe to move down to. I propose we move down to (1,0) first. "
        "Agree?",
    ) == ["2 down 1,0"]


def test_figure_e_2_talk_about_maps_is_no_move() -> None:
    assert not agreed(
        "My current position is (0,0) and the goal is (5,5).\nHere are the known cells on my map:\n(0,0): @\n(3,0): .",
        "Here are the known cells on my map:\n(0,0): @\n(3,1): ?\nLet’s compare our maps to fill in the hidden cells "
        "and plan our first move. Where do you suggest we move first?",
        "I’ve found a conflict at cell (3,2). Could you please re-check your map for cell (3,2)?",
        "you are correct—cell (3,2) is a ’#’ (wall) on my map. To be safe, we should avoid moving to (3,2) until we "
        "can confirm which is correct. For now, let’s focus on the upper part of the maze.",
    )


def test_figure_e_3_a_proposal_is_refused() -> None:
    assert not agreed(
        "I understand your reasoning for proposing to move Up to (3,2).\nBased on our combined map:\n- From @(4,2), we "
        "can **Move Left to (4,1)**. This is a Path (.).\n- From (4,4), we can then **Move Right to (4,5)**\n\nThis "
        "path: @(4,2) -> (4,1) -> (4,4) -> (4,5) seems to be the most efficient way.\n\nTherefore, I propose our next "
        "move is to **Move Left to (4,1)**.\n\nDo you agree to this move?",
        "However, I must point out a critical issue with the suggested route: **(4,1) to (4,4) is not an adjacent "
        "move.**\n\nTo get from (4,1) to (4,4), we would need to pass through (4,2) and (4,3).",
    )


def test_figure_e_4_agreeing_with_let_us_is_one_move_and_the_report_names_its_cell() -> None:
    assert agreed(
        "Okay, we have moved RIGHT to (3, 2). From this position, the path to the goal seems to be by going down. I "
        "propose we move DOWN.",
        "Agreed. Let’s move DOWN.",
        "Okay, we have moved DOWN to (4, 2). I’ve just double-checked my map and it shows a wall at that position.",
        "My map confirms there is a wall at (4, 2). We have lost.",
    ) == ["1 right 3,2", "2 down 4,2"]


def test_figure_e_5_what_the_other_did_alone_is_no_move() -> None:
    assert not agreed(
        "If you moved DOWN from (0,2) to (1,2), and (1,2) is a wall (#), then you would have moved INTO a wall. Are "
        "you still in the game after moving to the wall at (1,2)?",
        "You’re absolutely right! I made a critical error - I moved into a wall at (1,2). You had told me that (0,3) "
        "was a wall, and I should have realized that moving to any wall position would end the game.",
    )


def test_figure_e_6_one_moves_and_the_other_goes_on_from_there() -> None:
    assert agreed(
        "From our current position (0,2), let’s continue the path we know works:\n**Moving down to (0,3) "
        "now!**\n\nFrom (0,3), we’re blocked by walls at (0,4) and (1,3). I think our best route to the goal at (5,4) "
        "might be:\n- Backtrack up to (0,2)\n- Go right to (1,2) - you confirmed that’s a dot\n",
        "We’re at (0,3) now!\n\nI think the best route is to backtrack to (0,2) and go right. Here’s what I see as the "
        "clearest path:\n\n- Backtrack up to (0,2)\n- Right to (1,2) (confirmed dot)\n- Down to (1,3) - wait, that’s a "
        "wall!\n\nLet’s backtrack first: **Moving up to (0,2) now!**",
        "We're at (0,2).",
    ) == ["2 down 0,3", "3 up 0,2"]


def test_figure_f_1_the_notation_that_the_study_could_not_read() -> None:
    assert agreed(
        "I’ll use rXcY = (row X, col Y), with r1c1 at the top-left. I’m at r1c1 (@). Goal is at r6c6 (*).\n\n- Right: "
        "r1c2 = ? (unknown)\n- Down: r2c1 = ? (unknown)\n\nIf both are open, I suggest we move right to r1c2 next, "
        "since r1c3 is a known path (.) on my map.",
        "On my map:\n- r1c2 = . (passable)\n- r2c1 = # (wall)\n\nI agree we should move Right to r1c2. Please confirm "
        "to execute the move.\n\nFor planning ahead, I see:\n- r1c4 = .\n- r2c5 = .\n\nCan you confirm r1c3 = .?",
        "Confirmed. Executing: Right to r1c2. We are now at r1c2.",
    ) == ["2 right r1,c2"]


def test_figure_f_2_who_split_up_agree_on_nothing() -> None:
    assert not agreed(
        "I’m currently at position (0,0) and the goal is at (5,5). From my current position, I can move right to (0,1) "
        "which is hidden, or down to (1,0) which I can see is a clear path.\n\n**I move DOWN to (1,0)**\n\nCan you "
        "share what you see on your map?",
        "I’m also at position (0,0) and can see the goal at (5,5). I notice you moved down to (1,0). Since you’re now "
        "at (1,0), can you tell me what you see there? Is it safe?\n\n**I move RIGHT to (0,1)** since I can see it’s "
        "a clear path on my map.",
        "**I move DOWN to (2,0)**",
    )


# ---- agreeing


@pytest.mark.parametrize(
    "answer",
    [
        *("Agreed.", "Yes.", "I agree.", "OK", "Okay!", "Sure.", "Confirmed.", "Let's do it.", "Sounds good.", "👍"),
        *(
            "Yes, let's do that.",
            "Absolutely!",
            "Works for me.",
            "Good idea!",
            "Makes sense.",
            "No objections.",
            "Deal.",
        ),
        *("I'm in agreement.", "Concur.", "Go ahead.", "Move accepted.", "I confirm the move.", "Affirmative.", "✅"),
        *(
            "Great, let's go for it.",
            "That looks like a good plan.",
            "Alright, right it is.",
            "Yes, we can move right.",
        ),
        *("Agreed, moving right.", "I agree to move right.", "Moving right to (0,1).", "Great! Moving right.", "ACTI!"),
        *("We're now at (0,1).", "Perfect. We have moved right.", "Move executed.", "Sounds good to me, partner."),
        *(
            "**Agree**. Position: (0,1).",
            "I agree with your suggestion. Let's move right.",
            "All right, let's do that.",
        ),
        *(
            "I also propose we move right to (0,1).",
            "You are right. Agreed!",
            "Yes. (2,2) is a wall on my map, by the way.",
        ),
    ],
)
def test_agreement_in_many_words_is_one_move(answer: str) -> None:
    moves = agreed("I propose we move right to (0,1). Do you agree?", answer)
    assert moves == ["2 right 0,1"]


@pytest.mark.parametrize(
    "answer",
    [
        *("No.", "I disagree.", "Wait, (0,1) is a wall on my map.", "I don't agree.", "Hold on, let me check my map."),
        *("We can't move right, that is a wall.", "No, let's move down to (1,0) instead.", "I would rather not."),
        *("However, my map shows (0,1) as a wall.", "Yes, but (0,1) is a wall on my map.", "What do you see at (1,0)?"),
        *("Thanks for sharing! I suggest we go down to (1,0).", "Is (0,1) open?", "Great. What does your map show?"),
        *("I agree that (0,2) is a wall.", "Agreed. Wait, no! That is a wall.", "Okay, thanks. What is at (1,0)?"),
        *(
            "I can see that (0,1) is hidden.",
            "Let's first compare our maps.",
            "If you agree on that, tell me.",
            "Hello!",
        ),
    ],
)
def test_what_is_no_agreement_is_no_move(answer: str) -> None:
    assert not agreed("I propose we move right to (0,1). Do you agree?", answer)


@pytest.mark.parametrize(
    "proposal",
    [
        *("I propose we move right.", "I suggest moving right.", "Let's go right.", "Shall we move right?", "Right?"),
        *("How about right?", "Move right.", "My proposal: right", "**Next move:** RIGHT", "Should we go right?"),
        *("I think we should head right.", "Proposed first move: Right", "We should move right, since it is open."),
        *(
            "Do you agree to move right?",
            "If you agree, let's go right.",
            "What about going right?",
            "Can we move right?",
        ),
        *("I'd like to move right.", "Why don't we go right?", "From here we could move right. Do you agree?"),
        *(
            "Next, we move right. Okay?",
            "Let me propose a move to the right.",
            "If it is open, I suggest we move right.",
        ),
        *("The cell to the right is open. So let's move right. What do you think?", "Our next move should be right."),
        *(
            "1. What do you see?\n2. I propose we move right.",
            "I can move right or down. I suggest right.",
            "Now move right!",
        ),
    ],
)
def test_proposals_in_many_words(proposal: str) -> None:
    assert agreed(proposal, "Agreed.") == ["2 right"]


@pytest.mark.parametrize(
    "talk",
    [
        "We could move right or down.",
        "The goal is to the right, and down is a wall. Left of (2,2) is (2,1).",
        "If (0,1) is open, then we could go right.",
        "You're right, hurry up! Two moves are left.",
        "Let's share what we see to the right of (0,0).",
        "My map:\n- (0,1): .\n- (0,2) = #\n- right: wall",
        "Possible path: (0,0) -> (0,1) -> (0,2). What do you see?",
        "Here is my plan:\n- Move right to (0,1)\n- Move down to (1,1)",
        "Let's not move right.",
        "Row 1: @ . . #",
        "Open cells: (0,1), (0,2), (1,2). Goal: (5,5), right?",
        "| Position | (0,0) |\n| Goal | (5,5) |",
        "Don't go right. Both agents must agree before we move.",
        "Let's use (row, col) with (0,0) at the top left.",
    ],
)
def test_talk_that_proposes_nothing(talk: str) -> None:
    assert not agreed(talk, "Okay, agreed.")


# ---- the course of a dialogue


def test_a_turn_agrees_and_proposes() -> None:
    assert agreed(
        "Let's go right.",
        "Agreed. Let's go right again.",
        "Yes! How about down?",
        "OK. Now left?",
        "No. Right?",
        "Sure.",
    ) == ["2 right", "3 right", "4 down", "6 right"]


def test_a_counter_proposal_replaces_the_proposal() -> None:
    assert agreed(
        "I propose we move right to (0,1). Agree?",
        "No, (0,1) is a wall on my map. Instead I suggest we move down to (1,0).",
        "OK, let's move down to (1,0).",
    ) == ["3 down 1,0"]


def test_agreeing_over_and_over_is_one_move() -> None:
    assert agreed(
        "Let's move right. Agree?",
        "I agree to move right. Do you confirm?",
        "Yes, I confirm, we move right. Agreed?",
        "Agreed, moving right.",
    ) == ["2 right"]


def test_the_same_direction_after_a_yes_is_a_new_move_if_the_partner_agrees_to_it() -> None:
    assert agreed("Let's go down.", "OK. Let's go down.", "OK. Let's go left.", "OK.") == ["2 down", "3 down", "4 left"]
    assert agreed("Let's go down.", "OK. Let's go down.", "We have moved down. Now left?", "OK.") == [
        "2 down",
        "4 left",
    ]
    assert agreed("Let's go down.", "Yes, let's go down.", "Okay. Left?", "OK.") == ["2 down", "4 left"]


def test_a_refused_plan_makes_way_for_its_first_step() -> None:
    assert agreed(
        "Let's follow (0,0) -> (0,1) -> (0,2). Agree?",
        "No, I do not agree with this path. One move at a time, please.",
        "Fine. Then only the first step, to (0,1)?",
        "Yes, I agree to that step.",
    ) == ["4 0,1"]


def test_a_wait_holds_a_proposal_back_until_it_is_agreed_to() -> None:
    held = ("Shall we go down?", "Wait, not yet. Is it open?", "Yes, it is.")
    assert not agreed(*held)
    assert agreed(*held, "Then I agree.") == ["4 down"]


def test_there_is_the_cell_just_named() -> None:
    assert agreed(
        "(0,1) is open on my map. Shall we go there?", "Yes. (0,2) is open too. Let's move there.", "OK."
    ) == [
        "2 0,1",
        "3 0,2",
    ]


@pytest.mark.parametrize(
    "plan",
    [
        "Here is my plan:\n1. Right to (0,1)\n2. Down to (1,1)\n\nDo you agree with this plan?",
        "The way is clear: (0,0) → (0,1) → (1,1). Shall we make those moves?",
        "| Step | Cell |\n|---|---|\n| 1 | (0,1) |\n| 2 | (1,1) |\n\nDo you agree to the whole path?",
    ],
)
def test_a_plan_can_be_agreed_to_as_a_whole(plan: str) -> None:
    assert [move.split()[-1] for move in agreed(plan, "I agree.")][-2:] == ["0,1", "1,1"]


def test_reports_restate_a_move() -> None:
    assert agreed(
        "Let's move down.", "Ok.", "We have now moved down.", "Yes, we have moved down. Let's move down.", "Ok."
    ) == ["2 down", "5 down"]


def test_reports_stand_in_for_an_agreement_that_was_missed() -> None:
    assert agreed(
        "I propose right to (0,1).",
        "Whatever you say, captain.",
        "We are now at (0,1). Next, right to (0,2)?",
        "Fine by me",
    ) == ["3 right 0,1", "4 right 0,2"]


def test_going_on_from_a_proposal_agrees_to_it() -> None:
    assert agreed("I move right to (0,1).", "I move right to (0,2).", "I move down to (1,2).") == [
        "2 right 0,1",
        "3 right 0,2",
    ]


def test_a_question_of_fact_is_answered_before_the_move_is_made() -> None:
    assert agreed(
        "Let's go right to (0,1). Is it open on your map?", "Yes, it is open.", "Great, moving right to (0,1)."
    ) == ["3 right 0,1"]


@pytest.mark.parametrize(
    ("proposal", "moves"),
    [
        ("Let's go right, right, down.", ["2 right", "2 right", "2 down"]),
        ("I propose we move right twice, then down. OK?", ["2 right", "2 right", "2 down"]),
        ("Let's move to (0,1) and then to (0,2).", ["2 0,1", "2 0,2"]),
        ("Plan: E, E, S. Shall we execute the whole plan?", ["2 E", "2 E", "2 S"]),
        (
            "I propose the following moves:\n1. Right to (0,1)\n2. Down to (1,1)\n\nAgree?",
            ["2 right 0,1", "2 down 1,1"],
        ),
        ("Let's move right to (0,1), then we can go down to (1,1).", ["2 right 0,1"]),
        ("Let's move two cells right to (0,2).", ["2 right", "2 right 0,2"]),
        ("Let's go (0,1) → (0,2).", ["2 0,1", "2 0,2"]),
        ("Let's move from (0,0) to (0,1) (right), since (1,0) is a wall.", ["2 right 0,1"]),
    ],
)
def test_several_moves_in_one_proposal(proposal: str, moves: list[str]) -> None:
    assert agreed(proposal, "Yes, agreed.") == moves


def test_a_yes_to_several_moves_reaches_as_far_as_it_says() -> None:
    assert agreed(
        "Let's go right to (0,1), then down to (1,1).", "Agreed, moving right to (0,1). But (1,1) is a wall."
    ) == ["2 right 0,1"]


def test_the_phrase_at_the_end_agrees_and_alone_says_nothing() -> None:
    assert agreed("I propose down to the goal at (5,5).", "We reached the goal at (5,5). ACTI!") == ["2 down 5,5"]
    assert not agreed("Let's move right to (0,1). ACTI!")
    assert not agreed("Hello!", "ACTI!")


def test_a_last_message_may_tell_the_arrival() -> None:
    assert agreed(
        "Down to (4,5)?",
        "Agreed. We are at (4,5), and the goal is below us.",
        "We have reached the goal at (5,5). ACTI!",
    ) == ["2 down 4,5", "3 5,5"]


def test_all_of_three_speakers_must_agree() -> None:
    speakers = ("A", "B", "C")
    assert not agreed("I propose we move right to (0,1).", "I agree.", "Hm.", seats=speakers)
    assert agreed("I propose we move right to (0,1).", "I agree.", "I agree.", seats=speakers) == ["3 right 0,1"]


def test_nobody_agrees_with_themselves() -> None:
    assert not agreed("I propose we move right. Agreed! Yes.", "Hm?")


def test_what_is_recorded_is_cells_or_directions_but_consistently() -> None:
    happened = read_dialogue([("A", "Right to (0,1)?"), ("B", "Yes. Now down?"), ("A", "Yes.")], ALPHABET)
    assert record(happened, "cells").moves == (("0", "1"), ("down",))
    assert record(happened, "directions").moves == (("right",), ("down",))


def test_proposals_that_came_to_nothing_are_recorded_as_considered() -> None:
    entries = record(read_dialogue([("A", "Shall we go right?"), ("B", "No.")], ALPHABET)).route
    assert [(entry.turn, entry.turn_type, entry.agent) for entry in entries] == [(1, "consider", "A")]


# ---- lists of cells, and questions that leave out their verb


@pytest.mark.parametrize(
    "cells",
    [
        "(0,0): @\n(0,1): .\n(0,2): #\n(5,5): *",
        "(0,0): start\n(0,1): path\n(0,2): hidden",
        "(0,1) - path\n(0,2) - wall\n(5,5) - goal",
        "(0,1) = .\n(5,5) = *",
        "(0,1) (clear)\n(5,5) (the goal)",
        "(0,1) \N{RIGHTWARDS ARROW} .\n(5,5) \N{RIGHTWARDS ARROW} *",
        "(0,1) .\n(0,2) #\n(5,5) *",
        "(0,1): Path (.)\n(5,5): Goal (*)",
        "(0,1): hidden, (0,2): path, (1,1): unknown.",
        "(0,1): ?\n(5,5): *.",
        "r1c2: open\nr2c1: unknown",
        "(0,1)\n(0,2)\n(1,2)",
    ],
)
@pytest.mark.parametrize("before", ["", "Known cells on my map:\n", "My cells:\n", "Here is what I see:\n\n"])
def test_cells_and_what_is_in_them_are_no_proposals_however_they_are_listed(before: str, cells: str) -> None:
    assert not agreed(f"{before}{cells}\n\nCould you please share yours?", "Thank you, agreed.")


@pytest.mark.parametrize(
    "proposal",
    [
        "Next move: (0,1) - path.",
        "(0,1)?",
        "Next cell: (0,1).",
        "Let's go to (0,1): the goal!",
        "Shall we go to (0,1) .",
    ],
)
def test_a_cell_that_is_proposed_is_no_list(proposal: str) -> None:
    assert [move.split()[-1] for move in agreed(proposal, "Agreed.")] == ["0,1"]


@pytest.mark.parametrize(
    ("asked", "and_what"),
    [
        ("Is (0,1) open?", "And (0,2)?"),
        ("Is (0,1) a path on your map?", "What about (0,2)?"),
        ("Is it open to the right?", "And down?"),
        ("Can we get from (0,0) to (0,1)?", "And from (0,1) to (0,2)?"),
        ("Is there a way from (0,0) to (0,1)?", "And from (0,1) to (0,2)?"),
    ],
)
def test_a_question_without_its_verb_asks_what_the_last_one_asked(asked: str, and_what: str) -> None:
    assert not agreed(asked, "Yes.", and_what, "Yes.")
    assert agreed(asked, "Yes. Shall we move right to (0,1)?", "Yes.", and_what, "Yes.")[0] == "3 right 0,1"
    assert len(agreed("Shall we move right to (0,1)?", "Yes.", and_what, "Yes.")) == 2


# ---- where one stands


def test_where_we_started_is_no_news_of_the_last_move() -> None:
    assert agreed(
        "I suggest we move down. Do you agree?",
        "Agreed. Next, I propose that we move right. OK?",
        "I name cells as rXcY. We start at r1c1 and the goal is at r6c4.\n\nAgreed: we move right to r2c2.",
    ) == ["2 down", "3 right r2,c2"]


def test_where_the_goal_is_makes_no_proposal_of_it_a_move() -> None:
    assert not agreed(
        "I propose down to the goal at (5,5).", "We are at (4,5) and the goal is at (5,5). What do you see at (5,4)?"
    )
