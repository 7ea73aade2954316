import pytest

from palaver_gamemasters.maze.grid import Cell, Maze
from palaver_gamemasters.maze.speakers import loose_talk, phrases
from palaver_gamemasters.maze.speakers.agreement import Talk, hear
from palaver_gamemasters.maze.speakers.styles import Style

BOARD = Maze(("@...", "....", "....", "...*"))
SEATS = frozenset({"a", "b"})


def listen(*texts: str, seats: frozenset[str] = SEATS) -> Talk:
    talk = Talk((BOARD.start,))
    names = sorted(seats)
    for turn, text in enumerate(texts):
        talk = hear(talk, names[turn % len(names)], text, seats=seats, style=Style("rc"), own=BOARD)
    return talk


@pytest.mark.parametrize(
    "text",
    [
        "I propose we move right to r1c2. Do you agree?",
        "Let's move right!",
        "r2c1 is a wall on my map. How about going right?",
        "Shall we go east?",
        "Good. My next move: I suggest r1c2, because r1c3 is open.",
        "You are right about that. I suggest → r1c2.",
    ],
)
def test_a_proposal_waits_for_consent(text: str) -> None:
    talk = listen(text)

    assert (talk.position, talk.proposal) == ((0, 0), (0, 1))


@pytest.mark.parametrize(
    "text",
    ["Agreed.", "ok", "Yes, let's do it!", "Sounds good to me.", "Let's move right to r1c2.", "y", "Sure, go ahead."],
)
def test_a_move_is_made_when_both_agree(text: str) -> None:
    assert listen("I propose we move right to r1c2.", text) == Talk(((0, 0), (0, 1)), age=1)


@pytest.mark.parametrize(
    "text",
    [
        "No.",
        "I disagree.",
        "I agree we are at r1c1. However, r1c2 is a wall.",
        "r1c2 is a wall.",
        "I'd rather not move right.",
    ],
)
def test_a_proposal_that_is_refused_is_off_the_table(text: str) -> None:
    talk = listen("I propose we move right to r1c2.", text)

    assert talk == Talk(((0, 0),), age=1, refused=frozenset({(0, 1)}))


@pytest.mark.parametrize(
    "text", ["Hm.", "Good to meet you!", "What do you see there? Do you agree with my map?", "Are we sure?"]
)
def test_a_proposal_that_is_not_answered_stays_on_the_table(text: str) -> None:
    talk = listen("I propose we move right to r1c2.", text)

    assert (talk.position, talk.proposal) == ((0, 0), (0, 1))


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("Agreed, we move right to r1c2. I propose we move down to r2c2 next.", (1, 1)),
        ("I agree with your suggestion. Let's move to r1c2. Do you agree?", None),
        ("Agreed. Let's move right.", None),
        ("Agreed. Next, let's move right again.", (0, 2)),
        ("Agreed, we move right. I propose that we move right.", (0, 2)),
        ("Yes! Then I suggest down.", (1, 1)),
        ("I propose that we move right.", None),
        ("Let's go right, and then I propose to go down.", (1, 1)),
        ("Let's go right. Then I propose to go right again.", (0, 2)),
    ],
)
def test_one_message_can_agree_and_propose_the_next(text: str, proposal: Cell | None) -> None:
    talk = listen("I propose we move right to r1c2.", text)

    assert (talk.position, talk.proposal) == ((0, 1), proposal)


@pytest.mark.parametrize(("way", "cell"), [("left", (0, -1)), ("up", (-1, 0)), ("right", (0, 1)), ("down", (1, 0))])
def test_a_way_to_go_is_understood_even_if_it_leads_outside(way: str, cell: Cell) -> None:
    assert listen("Hello, four moves left, you are right!", f"I propose that we move {way}.").proposal == cell


def test_the_same_way_can_be_proposed_again_after_a_move() -> None:
    assert listen("I propose we move right.", "Agreed.", "Hm.", "Let's go right.").proposal == (0, 2)


def test_a_counter_proposal_replaces_the_first() -> None:
    talk = listen(
        "I propose we move right to r1c2.", "I do not agree. I propose we move down to r2c1 instead.", "Agreed."
    )

    assert talk.track == ((0, 0), (1, 0))


def test_among_three_all_must_agree() -> None:
    seats = frozenset("abc")

    assert listen("I propose we move right to r1c2.", "I agree.", seats=seats).position == (0, 0)
    assert listen("I propose we move right to r1c2.", "I agree.", "Agreed.", seats=seats).position == (0, 1)


def test_no_greeting_is_taken_for_a_refusal() -> None:
    for greeting in (*phrases.GREETINGS, *loose_talk.GREETINGS):
        talk = listen("I propose we move right to r1c2.", f"{greeting}\n\nAgreed, we move right.")

        assert talk.position == (0, 1)
