import pytest

from palaver_gamemasters.maze.grading.grader import grade
from palaver_gamemasters.maze.grid import Maze, blank, share_out, split
from palaver_gamemasters.maze.speakers import PLAYERS
from palaver_gamemasters.maze.speakers.styles import NAMED_STYLES, Style
from palaver_gamemasters.maze.speakers.understanding import convention, learned
from palaver_protocols.messages import Player, Role, TurnRequest
from palaver_protocols.transcript import USER, Message
from tests.gamemasters.maze.speakers.table import Turns, a_maze
from tests.support import a_request

MEMBERS = ("member_1", "member_2")
BELOW = ("member_1_1", "member_1_2")
MAZE = Maze(("@..#", "##..", "...#", ".#.*"))
BRIEFING = "You lead a team. Begin a message with @all: to ask everybody."
KINDS = ["scripted", "scripted/strong", "scripted/weak", "scripted/imitator"]


def question(role: Role, seat: str, said: Turns, *given: str, partners: tuple[str, ...] = ()) -> TurnRequest:
    view = (
        *(Message.text_from(USER, text) for text in given),
        *(Message.text_from(speaker, text) for speaker, text in said),
    )
    members = () if role != "lead" else BELOW if seat == "member_1" else MEMBERS
    return a_request(role=role, seat=seat, partners=(*partners, *members), members=members, view=view)


def consult(player: Player, seat: str, parts: tuple[Maze, ...], public: Turns, partners: tuple[str, ...]) -> str:
    """Let a lead that has no map ask its members, and then speak for its seat."""
    lead_task = f"Your map:\n\n{blank(parts[0])}\n"
    asked = player(question("lead", seat, public, lead_task, BRIEFING, partners=partners))
    assert asked.startswith("@all: ")
    plain = asked.removeprefix("@all: ")
    private: Turns = [(seat, asked)]
    for member, part in zip(BELOW if seat == "member_1" else MEMBERS, parts, strict=True):
        request = question("member", member, [("lead", plain)], f"Your map:\n\n{part}\n", partners=("lead",))
        private.append((member, player(request)))
    return player(question("lead", seat, public + private, lead_task, BRIEFING, partners=partners))


@pytest.mark.parametrize("kind", KINDS)
def test_a_lead_without_a_map_merges_what_its_members_tell_and_solves_the_maze(kind: str) -> None:
    solved = 0
    for index in range(5):
        maze = a_maze(index)
        said = consult(PLAYERS[kind], "agent_1", share_out(maze, 2), [], ())
        solved += grade(maze, [("agent_1", said)], "solo-full").ended == "goal"

    assert solved == 5 or (kind == "scripted/weak" and solved >= 2)


def test_the_lead_tells_its_partner_what_its_members_see() -> None:
    mine, theirs = split(MAZE)

    said = consult(PLAYERS["scripted/xy1"], "agent_1", share_out(mine, 2), [], ("agent_2",))

    style = convention(said, theirs)
    assert style == NAMED_STYLES["xy1"]
    assert set(learned(said, style, theirs)) == {cell for cell in mine.cells() if mine[cell] in ".#"}


def test_a_lead_names_cells_to_its_members_as_its_partner_does() -> None:
    public = [
        ("agent_2", "I name cells by a letter for the row and a number for the column, A1 is the top-left corner.")
    ]

    asked = PLAYERS["scripted/xy1"](
        question("lead", "agent_1", public, str(blank(MAZE)), BRIEFING, partners=("agent_2",))
    )

    assert "with A1 in the top-left corner" in asked


def test_a_lead_with_a_map_asks_about_its_way_once_and_then_speaks() -> None:
    player, task = PLAYERS["scripted/rc"], str(MAZE)
    asked = player(question("lead", "agent_1", [], task, BRIEFING))
    private: Turns = [("agent_1", asked)]
    for member in MEMBERS:
        request = question("member", member, [("lead", asked.removeprefix("@all: "))], task, partners=("lead",))
        private.append((member, player(request)))

    said = player(question("lead", "agent_1", private, task, BRIEFING))

    assert asked.startswith("@all: ")
    assert "Is any of these a wall?" in asked
    assert private[1][1].startswith("No, I see no wall among them.")
    assert grade(MAZE, [("agent_1", said)], "solo-full").ended == "goal"


def test_a_member_that_sees_a_wall_on_the_way_says_so_and_the_lead_goes_round_it() -> None:
    player, task = PLAYERS["scripted/rc"], "@?.\n...\n..*"
    asked = player(question("lead", "agent_1", [], task, BRIEFING))
    way = asked.removeprefix("@all: ")
    warned = player(question("member", "member_1", [("lead", way)], "@#?\n#?#\n??*", partners=("lead",)))
    said = player(question("lead", "agent_1", [("agent_1", asked), ("member_1", warned)], task, BRIEFING))

    assert "a wall" in warned
    assert said.rpartition("Final solution:")[2].count("r1c2") == 0


def test_a_weak_lead_that_has_a_map_asks_nobody() -> None:
    said = PLAYERS["scripted/weak"](question("lead", "agent_1", [], str(split(MAZE)[0]), partners=("agent_2",)))

    assert not said.startswith("@")


@pytest.mark.parametrize("style", list(NAMED_STYLES.values()), ids=list(NAMED_STYLES))
def test_a_member_tells_its_part_in_the_convention_of_its_lead(style: Style) -> None:
    part = share_out(MAZE, 2)[0]
    asked = f"I name cells {style.statement(part)}. What does your map show? Please tell me all of it."

    said = PLAYERS["scripted"](question("member", "member_1", [("lead", asked)], str(part), partners=("lead",)))

    assert {style.write(cell, MAZE) for cell in learned(said, style, MAZE)} == {
        style.write(cell, MAZE) for cell in part.cells() if part[cell] in ".#"
    }


def test_a_member_without_a_map_says_so() -> None:
    said = PLAYERS["scripted"](question("member", "member_1", [("lead", "What do you see?")], partners=("lead",)))

    assert "no map" in said


def test_the_lead_of_a_team_within_a_team_answers_its_own_lead_with_what_its_members_told() -> None:
    player, parts = PLAYERS["scripted/rc"], share_out(MAZE, 2)
    public = [("lead", "I name cells as rXcY, counted from 1, with r1c1 in the top-left corner. What do you see?")]

    said = consult(player, "member_1", parts, public, ("lead",))

    assert learned(said, NAMED_STYLES["rc"], MAZE).keys() >= {cell for cell in MAZE.cells() if MAZE[cell] in ".#"}
