"""Who is asked what, to the letter, and what each player sees."""

import pytest

from palaver_gamemasters.clembench.matchit import ASCII
from palaver_gamemasters.minutes import GM
from palaver_protocols.content import Image
from palaver_protocols.errors import InstanceError
from tests.gamemasters.clembench.matchit_playing import (
    GRID_A,
    GRID_B,
    PICTURES,
    PLAYED,
    after,
    an_instance,
    played,
    started,
)

BEGIN = """\
You are participating in a collaborative guessing game.
The goal is to find out whether this grid and another picture only I can see, are the same.
Please describe your grid first. Then, I will provide my description and we can ask each other questions about the \
grids to figure out whether they are the same. Now start your short grid description with "DESCRIPTION:" followed by \
the description. Do not add anything else. This is your grid:
"""
ASK = (
    "Now ask a question in order to find out new aspects of my grid that may be different to your grid. "
    'Start with "QUESTION:" and do not add anything else.'
)
ANSWER = ' Start your answer with "ANSWER:" and do not add anything else.'
DECIDE = (
    "Now come to a decision. What do you think: are your grid and the other grid described the same?  "
    'Write "DECISION: same grid" if you think they are the same grid or "DECISION: different grids" if you think '
    "they are different grids. Do not add anything else.\n"
)

EXPECTED = [
    (0, "player_1", "send message", BEGIN + GRID_A),
    (0, "player_2", "send message", BEGIN + GRID_B),
    (0, "player_2", "send message (reprompt)", f"This is my DESCRIPTION: a\n{ASK}"),
    (1, "player_1", "send message", f"This is my DESCRIPTION: b\nQUESTION: b0?{ANSWER}"),
    (1, "player_1", "send message (reprompt)", ASK),
    (1, "player_2", "send message", f"ANSWER: a1\nQUESTION: a1?{ANSWER}"),
    (1, "player_2", "send message (reprompt)", ASK),
    (2, "player_1", "send message", f"ANSWER: b1\nQUESTION: b1?{ANSWER}"),
    (2, "player_1", "send message (reprompt)", ASK),
    (2, "player_2", "send message", f"ANSWER: a2\nQUESTION: a2?{ANSWER}"),
    (2, "player_2", "send message (reprompt)", ASK),
    (3, "player_1", "send message", f"ANSWER: b2\nQUESTION: b2?{ANSWER}"),
    (3, "player_1", "send message (reprompt)", ASK),
    (3, "player_2", "send message", f"ANSWER: a3\nQUESTION: a3?{ANSWER}"),
    (3, "player_2", "send message (reprompt)", DECIDE),
    (4, "player_1", "send message", f"ANSWER: b3\n{DECIDE}"),
]


@pytest.mark.parametrize("place", range(len(PLAYED)))
def test_each_question_is_worded_and_directed_as_published(place: int) -> None:
    turn, seat, kind, text = EXPECTED[place]
    state = played(PLAYED[:place])
    asked = state.minutes[-1][-1]
    assert (len(state.minutes) - 1, asked.kind, asked.content) == (turn, kind, text)
    assert (asked.sender, asked.receiver) == (GM, ASCII.names[seat])
    assert state.game.pending(state) == (seat,)
    assert state.history(seat)[-1].text == text


def test_with_one_question_each_the_first_turn_is_the_last() -> None:
    state = played((*PLAYED[:6], *PLAYED[14:]), questions=1)
    assert (state.ending, len(state.minutes)) == ("played", 3)
    assert state.history("player_1")[-2].text == f"ANSWER: b1\n{DECIDE}"
    assert state.history("player_2")[-2].text == DECIDE


def test_an_episode_ends_with_the_last_decision_and_no_further_note() -> None:
    last = played().minutes[-1][-1]
    assert (last.kind, last.content) == ("Decision Player A", "success")


def test_a_player_hears_the_other_through_the_game_master_alone() -> None:
    state = played()
    for seat, others in (("player_1", "b"), ("player_2", "a")):
        speakers = [message.speaker for message in state.history(seat)]
        assert speakers == ["user", seat] * 8
        own = [message.text for message in state.history(seat) if message.speaker == seat]
        assert not any(f": {others}" in text for text in own)


def test_neither_hears_of_the_others_decision() -> None:
    state = played((*PLAYED[:14], "DECISION: different grids"))
    assert not any("Player" in message.text or "loss" in message.text for message in state.history("player_1"))
    assert state.history("player_1")[-1].text.count("DECISION: different grids") == 1


def test_all_lines_of_an_answer_reach_the_other_and_white_space_around_it_does_not() -> None:
    state = after(played(PLAYED[:3]), ["\n ANSWER: yes\nQUESTION: and you?\n\n", "QUESTION: well?"])
    assert state.history("player_2")[-1].text == f"ANSWER: yes\nQUESTION: and you?\nQUESTION: well?{ANSWER}"


def test_the_history_keeps_an_answer_as_it_came() -> None:
    state = played(["  DESCRIPTION: a\n"])
    assert state.history("player_1")[-1].text == "  DESCRIPTION: a\n"


def test_every_mention_of_the_grid_is_replaced() -> None:
    state = started(initial_prompt="$GRID$ and $GRID$")
    assert state.history("player_1")[0].text == f"{GRID_A} and {GRID_A}"


def test_a_picture_is_shown_with_the_first_question_alone_and_stays_in_the_history() -> None:
    state = played(PLAYED[:14], game=PICTURES)
    sent = [(each.receiver, each.pictures) for turn in state.minutes for each in turn if each.pictures]
    assert sent == [("Player 1", ("images/a.png",)), ("Player 2", ("images/b.png",))]


def test_a_drawn_picture_is_in_the_first_message_of_each_player() -> None:
    options = PICTURES.configure({"experiment": "similar_image"})
    state = PICTURES.start(next(PICTURES.instances(options, 0)).data, options)
    state = after(state, PLAYED[:14])
    for seat in ("player_1", "player_2"):
        shown = [any(isinstance(part, Image) for part in message.parts) for message in state.history(seat)]
        assert shown == [True] + [False] * (len(shown) - 1)


def test_a_grid_that_an_instance_with_pictures_has_as_well_is_not_shown() -> None:
    state = started(PICTURES, grid_a="X", initial_prompt="$GRID$")
    assert state.minutes[0][-1].content == "$GRID$"


def test_a_picture_that_an_instance_with_grids_has_as_well_is_not_shown() -> None:
    state = started(image_a="a.png", image_b="b.png")
    assert state.minutes[0][-1].pictures == ()


def test_the_other_games_instance_is_refused() -> None:
    with pytest.raises(InstanceError, match="image_a is missing"):
        PICTURES.start(an_instance(ASCII), PICTURES.configure({}))
