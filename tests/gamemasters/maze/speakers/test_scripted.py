import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.dice import Dice
from palaver_gamemasters.maze.generation import generate
from palaver_gamemasters.maze.grading.grader import grade
from palaver_gamemasters.maze.grid import Maze, split
from palaver_gamemasters.maze.options import MazeOptions, Setting
from palaver_gamemasters.maze.render import prompt, tasks
from palaver_gamemasters.maze.speakers.scripted import STYLES, scripted_player, styled_player
from palaver_gamemasters.maze.speakers.styles import NAMED_STYLES, mentions
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import Player, TurnRequest
from palaver_protocols.transcript import USER, Message
from tests.support import a_request

MAZE = Maze(("@..#", "##..", "...#", ".#.*"))
SEATS = ("agent_1", "agent_2")
seeds = st.integers(0, 10**6)

Turns = list[tuple[str, str]]


def a_maze(seed: int, index: int = 0, size: int = 6) -> Maze:
    return generate(MazeOptions(size=size), Dice("speakers", seed, index))


def ask(
    turns: Sequence[tuple[str, str]], seat: str, task: str, seed: int = 0, seats: Sequence[str] = SEATS
) -> TurnRequest:
    """Make the request that follows these turns."""
    view = (Message.text_from(USER, task), *(Message.text_from(speaker, text) for speaker, text in turns))
    partners = tuple(other for other in seats if other != seat)
    return a_request(seat=seat, partners=partners, turn=len(turns), seed=seed, view=view)


def talk(maze: Maze, players: Sequence[Player], seed: int = 0, limit: int = 50, seats: Sequence[str] = SEATS) -> Turns:
    """Let two players talk until one utters the phrase."""
    texts, turns = tasks("pair", maze, split(maze)), Turns()
    while len(turns) < limit and not (turns and "ACTI!" in turns[-1][1]):
        place = len(turns) % 2
        request = ask(turns, seats[place], texts[place], seed + place, seats)
        turns.append((seats[place], players[place](request)))
    return turns


def test_there_are_styles_to_choose_from() -> None:
    assert len(STYLES) >= 4
    with pytest.raises(UsageError, match="no style 'greek'"):
        styled_player("greek")


@pytest.mark.parametrize("style", STYLES)
def test_two_speakers_solve_every_maze_along_a_shortest_path(style: str) -> None:
    for index in range(8):
        maze = a_maze(2, index)
        partner = styled_player(STYLES[index % len(STYLES)])

        turns = talk(maze, (styled_player(style), partner), seed=index)

        assert grade(maze, turns).route == maze.route(maze.start)
        assert len(turns) == 2 + maze.to_goal[maze.start]


@pytest.mark.parametrize("size", [4, 8, 10, 12, 18])
def test_larger_mazes_are_solved_too(size: int) -> None:
    maze = a_maze(3, size=size)

    assert grade(maze, talk(maze, (scripted_player, scripted_player), seed=size)).ended == "goal"


@given(seed=seeds)
@settings(max_examples=20, deadline=None)
def test_every_cell_is_named_in_the_convention_that_was_stated_first(seed: int) -> None:
    maze = a_maze(seed)
    style = NAMED_STYLES[STYLES[seed % len(STYLES)]]

    turns = talk(maze, (styled_player(STYLES[seed % len(STYLES)]), scripted_player), seed, seats=("blue", "red"))

    assert {mention.form for _, text in turns for mention in mentions(text)} == {style.form}
    assert all(style.read(mention, maze) in maze for _, text in turns for mention in mentions(text))


@given(seed=seeds)
@settings(max_examples=20, deadline=None)
def test_the_phrase_is_uttered_at_the_goal_only(seed: int) -> None:
    maze = a_maze(seed, size=4)

    turns = talk(maze, (scripted_player, scripted_player), seed)

    assert not any("ACTI" in text for _, text in turns[:-1])
    assert "ACTI!" in turns[-1][1]
    assert grade(maze, turns).ended == "goal"


def test_the_same_request_gets_the_same_answer() -> None:
    first, second = (talk(MAZE, (scripted_player, scripted_player), seed=7) for _ in range(2))

    assert first == second
    assert first != talk(MAZE, (scripted_player, scripted_player), seed=8)


def test_a_speaker_can_take_over_a_seat_in_mid_dialogue() -> None:
    turns = talk(MAZE, (styled_player("chess"), styled_player("rc")), limit=4)

    request = ask(turns, "agent_1", tasks("pair", MAZE, split(MAZE))[0])

    assert styled_player("xy0")(request) == styled_player("chess")(request)


MINE = "Here is **your** map of the maze:\n\n@?#?\n.?.?\n?.?#\n?#?*\nLegend:\n@ - Current Position"
OPENING = """I use (row, col), 0-based, (0,0) is the top-left. What do you see?
Open: (0,1), (0,3), (1,3), (2,0), (2,2), (3,0), (3,2). Walls: (1,1)."""


def answer(*texts: str) -> str:
    """Answer a partner that has told its map and then says these things in turn with us."""
    turns = [("agent_2", OPENING)]
    for text in texts:
        turns.append(("agent_1", scripted_player(ask(turns, "agent_1", MINE))))
        turns.append(("agent_2", text))
    return scripted_player(ask(turns, "agent_1", MINE))


def test_a_foreign_convention_is_adopted() -> None:
    assert "with (0, 0) in the top-left corner" in answer()
    assert "move down to (1, 0)" in answer()


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        ("I propose we move right to (0, 1), then to (0, 2). Do you agree?", "no way leads on from there"),
        ("No. I propose we move up. Do you agree?", "the board ends here"),
        ("No. I propose we move to (3, 3). Do you agree?", "not next to (0, 0)"),
        ("Agreed. I propose we move right to (1, 1). Do you agree?", "you told me of a wall at (1, 1)"),
        ("Agreed. I propose we move up to (0, 0). Do you agree?", "we have been there before"),
    ],
)
def test_a_bad_proposal_is_declined_with_the_reason_and_a_better_one(proposal: str, reason: str) -> None:
    said = answer(proposal)

    assert reason in said
    assert re.search("rather not|do not agree", said)
    assert re.search(r"propose|suggest", said)


def test_a_wall_of_the_own_map_is_pointed_out() -> None:
    turns = [("agent_2", "Let's use r1c1 for the top-left corner. I propose we move right to r1c2.")]
    request = ask(turns, "agent_1", "@#?\n.??\n..*")

    assert "my map shows a wall at r1c2" in scripted_player(request)


def test_a_legal_detour_is_agreed_to() -> None:
    turns = [
        ("agent_2", "I use rXcY, r1c1 is the top-left corner. Open: r1c3, r2c2, r2c3. I propose we move down to r2c1.")
    ]

    said = scripted_player(ask(turns, "agent_1", "@.?\n.??\n..*"))

    assert re.search(r"[Aa]greed?[!:,]? [Ww]e move down to r2c1", said)


def test_questions_about_cells_are_answered() -> None:
    assert "On my map, (2, 1) is open and (3, 1) is a wall." in answer("Agreed. Is (2, 1) open? What is at (3, 1)?")


@pytest.mark.parametrize(
    ("answers", "agreed"),
    [([], False), (["Hm."], False), (["Yes."], True), (["It is open."], True), (["Hm.", "Hm."], True)],
)
def test_before_a_cell_is_entered_that_only_the_partner_can_see_it_is_asked(answers: list[str], agreed: bool) -> None:
    turns = [("agent_2", "Hello! Let's go right.")]
    for text in answers:
        turns.append(("agent_1", scripted_player(ask(turns, "agent_1", "@?\n?*"))))
        turns.append(("agent_2", text))

    said = scripted_player(ask(turns, "agent_1", "@?\n?*"))

    assert ("open on your map?" in said) is not agreed
    assert bool(re.search(r"[Aa]greed?[!:,]? [Ww]e move right", said)) is agreed


@pytest.mark.parametrize("style", STYLES)
def test_a_partner_that_only_says_yes_is_led_over_open_cells_and_asked_about_others(style: str) -> None:
    turns = talk(MAZE, (styled_player(style), lambda _: "yes"), limit=30)
    said = [text for speaker, text in turns if speaker == "agent_1"]

    assert "ACTI!" in said[-1]
    assert any("What does your map show there?" in text for text in said)
    assert any("If it is open on yours" in text for text in said)


def test_a_partner_that_says_nothing_to_the_point_gets_the_same_proposal_again() -> None:
    assert all("move down to (1, 0)" in answer(*["hm"] * times) for times in range(4))


@pytest.mark.parametrize("setting", ["solo-full", "solo-distributed"])
@pytest.mark.parametrize("style", STYLES)
def test_alone_the_solution_is_a_list_of_cells(style: str, setting: Setting) -> None:
    for maze in (a_maze(4, index) for index in range(5)):
        (task,) = tasks(setting, maze, split(maze))
        first = styled_player(style)(ask([], "agent_1", task, seats=()))
        view = (
            Message.text_from(USER, task),
            Message.text_from("agent_1", first),
            Message.text_from(USER, prompt("critic")),
        )
        last = styled_player(style)(a_request(seat="agent_1", turn=1, view=view))

        assert grade(maze, [("agent_1", first), ("agent_1", last)], setting).route == maze.route(maze.start)
        for text in (first, last):
            listed = mentions(text.rpartition("Final solution:")[2])
            assert [NAMED_STYLES[style].read(cell, maze) for cell in listed] == list(maze.route(maze.start))


def test_alone_without_a_way_it_says_so() -> None:
    assert "no solution" in scripted_player(ask([], "agent_1", "@#\n#*", seats=()))


def test_without_a_map_it_asks() -> None:
    assert "no map" in scripted_player(ask([], "agent_1", "Please begin."))


WORDS = [
    "agree",
    "no",
    "move",
    "up",
    "left",
    "to",
    "(9, 9)",
    "(0,-1)",
    "A0",
    "Z9",
    "r0c0",
    "is",
    "a wall",
    "?",
    ".",
    "\n",
    "#",
]
noise = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join))


@given(texts=st.lists(noise, max_size=6), seed=seeds, first=st.booleans())
def test_whatever_the_partner_says_it_gets_an_answer(texts: list[str], seed: int, first: bool) -> None:
    task = tasks("pair", MAZE, split(MAZE))[0]
    turns: Turns = []
    for text in texts:
        turns = [*turns, ("agent_2", text)] if first or turns else turns
        turns = [*turns, ("agent_1", scripted_player(ask(turns, "agent_1", task, seed)))]

        assert turns[-1][1].strip()


@given(texts=st.lists(noise, max_size=6), seed=seeds)
def test_it_can_follow_any_predecessor(texts: list[str], seed: int) -> None:
    turns = [(SEATS[place % 2], text) for place, text in enumerate(texts)]
    seat = SEATS[len(turns) % 2]

    assert scripted_player(ask(turns, seat, tasks("pair", MAZE, split(MAZE))[0], seed)).strip()
