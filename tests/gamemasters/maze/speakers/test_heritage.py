import pytest

from palaver_gamemasters.maze.grading.grader import grade
from palaver_gamemasters.maze.grid import PATH, WALL, Maze, split
from palaver_gamemasters.maze.render import tasks
from palaver_gamemasters.maze.speakers import PLAYERS, STYLES
from palaver_gamemasters.maze.speakers.heritage import inherit
from palaver_gamemasters.maze.speakers.styles import NAMED_STYLES
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.maze.speakers.table import Turns, a_maze, alone, ask, talk
from tests.support import a_request

MAZE = Maze(("@..#", "##..", "...#", ".#.*"))
OWN = split(MAZE)[0]
FAREWELL = "Another agent takes over your seat now. Write what it needs to know to go on in your place."
WELCOME = "You take over this seat from another agent. That agent has left you this summary:\n\n"


def leave(kind: str, maze: Maze, turns: Turns, others: tuple[str, ...] = ("agent_2",)) -> str:
    """Ask the first seat for its summary."""
    task = tasks("pair", maze, split(maze))[0] if others else str(maze)
    view = (*ask(turns, "agent_1", task, others).view, Message.text_from(USER, FAREWELL))
    request = a_request(role="leaver", seat="agent_1", partners=others, turn=len(turns), view=view)
    return PLAYERS[kind](request)


def go_on(kind: str, maze: Maze, summary: str, before: int, turns: Turns) -> str:
    """Let a newcomer speak for the first seat, that sees its task, the summary, and the turns since it came."""
    request = ask(turns, "agent_1", tasks("pair", maze, split(maze))[0], ("agent_2",))
    task, *said = request.view
    view = (task, Message.text_from(USER, WELCOME + summary), *said)
    return PLAYERS[kind](request.model_copy(update={"view": view, "turn": before + len(turns)}))


@pytest.mark.parametrize("style", STYLES)
def test_a_summary_is_all_that_a_successor_needs_to_lead_on_to_the_goal(style: str) -> None:
    maze = a_maze(1)
    whole = talk(maze, [PLAYERS[f"scripted/{style}"], PLAYERS["scripted"]])[:6]
    summary = leave("scripted", maze, whole)
    turns: Turns = []
    while len(turns) < 30 and not (turns and "ACTI!" in turns[-1][1]):
        if len(turns) % 2 == 0:
            turns.append(("agent_1", go_on("scripted/strong", maze, summary, len(whole), turns)))
        else:
            task = tasks("pair", maze, split(maze))[1]
            turns.append(("agent_2", PLAYERS["scripted"](ask([*whole, *turns], "agent_2", task, ("agent_1",)))))

    assert grade(maze, [*whole, *turns]).route == maze.route(maze.start)
    assert "hidden from me" not in "".join(text for _, text in turns)


def test_a_summary_tells_convention_way_position_proposal_and_map() -> None:
    turns: Turns = [
        (
            "agent_1",
            "I name cells as (row, column), counted from 0, (0, 0) is top-left. I propose we move right to (0, 1).",
        ),
        ("agent_2", "Agreed. (1, 1) is a wall on my map. Next, I propose we move right to (0, 2). Do you agree?"),
    ]

    left = inherit(leave("scripted", MAZE, turns), OWN)

    assert left.style == NAMED_STYLES["tuple0"]
    assert (left.track, left.proposal) == (((0, 0), (0, 1)), (0, 2))
    assert "agent_2 wants to move to (0, 2)" in left.wanting
    assert (left.told[1, 1], left.told[0, 1]) == (WALL, PATH)


def test_the_summary_of_one_who_plays_alone_says_that_a_solution_was_handed_in() -> None:
    turns = alone(MAZE, PLAYERS["scripted"], "solo-full", 0)[:1]

    assert "handed in a solution" in leave("scripted", MAZE, turns, ())


def test_another_ones_words_are_understood_too() -> None:
    left = inherit(
        "We count (row, col) from 1, (1, 1) is the top-left corner.\nMoves so far: (1, 2), (1, 3).\n"
        "Our current position is at (1, 3). Walls: (2, 1), (2, 2).",
        OWN,
    )

    assert left.track == ((0, 1), (0, 2))
    assert left.told == {(1, 0): WALL, (1, 1): WALL}


@pytest.mark.parametrize("summary", ["", "Good luck!", "(9, 9) is our position. We are at (40, 2)."])
@pytest.mark.parametrize("kind", ["scripted", "scripted/weak", "scripted/imitator"])
def test_a_summary_that_says_nothing_of_use_does_not_stop_a_newcomer(summary: str, kind: str) -> None:
    assert go_on(kind, MAZE, summary, 4, [("agent_2", "Shall we go right?")]).strip()


def test_a_newcomer_that_is_shown_the_last_message_only_believes_what_it_says_of_the_position() -> None:
    last = "I name cells as rXcY, r1c1 is the top-left corner. Agreed, we move right to r1c3. We stand at r1c3 now."
    request = ask([("agent_2", last)], "agent_1", tasks("pair", MAZE, split(MAZE))[0], ("agent_2",))

    said = PLAYERS["scripted/rc"](request.model_copy(update={"turn": 6}))

    assert "r2c3" in said.rpartition("propose")[2] or "r2c3" in said.rpartition("suggest")[2]
