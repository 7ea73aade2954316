from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.maze.grid import Maze, merge, split
from palaver_gamemasters.maze.instances import instances, playable
from palaver_gamemasters.maze.options import MazeOptions, Order, Setting
from palaver_gamemasters.maze.render import prompt, read_maps, tasks

PAGE = Path(__file__).parents[4] / "shared" / "specs" / "maze_prompts.md"
SETTINGS: tuple[Setting, ...] = ("solo-full", "solo-distributed", "pair")
ORDERS: tuple[Order, ...] = ("round-robin", "named")
QUOTE = "\N{LEFT SINGLE QUOTATION MARK}"


def a_maze(seed: int, size: int = 6, agents: int = 2) -> tuple[Maze, tuple[Maze, ...]]:
    return playable(next(instances(MazeOptions(size=size, agents=agents), seed)).data, agents)


def published(heading: str, figure: str) -> str:
    """Cut a prompt out of the page of published prompts, with its typographic quotes made plain."""
    if not PAGE.exists():
        pytest.skip("the page of published prompts lies beside the repository, and only there")
    page = PAGE.read_text(encoding="utf-8").split(heading, 1)[1].split(f"\n{figure}", 1)[0]
    return page.replace(3 * QUOTE, "```").replace(2 * QUOTE, '"')


def as_printed(name: str) -> str:
    """Leave out what a prompt has in place of a map, and the indentation that print has lost."""
    return "\n".join(line.strip() for line in prompt(name).splitlines() if not line.startswith("{map"))


def without_maps(text: str) -> str:
    rows = {row for maze in read_maps(text) for row in maze.rows}
    return "\n".join(line for line in text.splitlines() if line not in rows)


def test_the_collaboration_prompt_is_the_published_one() -> None:
    text = published("A.4 Collaboration prompt\n\nUser Message ", "Figure A.4")

    assert without_maps(text) == as_printed("collaboration")


def test_the_solo_prompt_is_the_published_one() -> None:
    text = published("A.3 Solo Prompts\n\nUser Message ", "Figure A.2")

    assert without_maps(text) == as_printed("solo_distributed")


def test_the_critic_prompt_is_the_published_one() -> None:
    assert published("Figure A.2", "Figure A.3").split("User Message ")[1] == prompt("critic")


@pytest.mark.parametrize(("name", "number", "figure"), [("grader_solo", 1, "A.5"), ("grader_pair", 2, "A.6")])
def test_the_grader_prompts_are_the_published_ones(name: str, number: int, figure: str) -> None:
    text = published("A.5 Verification Prompts", f"Figure {figure}").split("User Message ")[number]

    assert text == as_printed(name)


def test_alone_with_the_whole_map_only_the_sentence_above_it_differs() -> None:
    full, halves = (set(prompt(name).splitlines()) for name in ("solo_full", "solo_distributed"))

    assert full - halves == {"Here is the map of the maze with a legend of the symbols:", "{map}"}


@pytest.mark.parametrize("setting", SETTINGS)
@given(seed=st.integers(0, 10**6), size=st.integers(2, 9))
def test_a_task_shows_its_maps_and_they_can_be_read_back(setting: Setting, seed: int, size: int) -> None:
    maze, views = a_maze(seed, size)

    read = [read_maps(text) for text in tasks(setting, maze, views)]

    assert read == {"solo-full": [(maze,)], "solo-distributed": [views], "pair": [(views[0],), (views[1],)]}[setting]


def test_the_two_maps_of_a_task_merge_to_the_maze() -> None:
    maze, views = a_maze(3)

    assert merge(*read_maps(tasks("solo-distributed", maze, views)[0])) == maze


def test_maps_are_found_in_a_partners_message_too() -> None:
    maze = Maze.parse(["@.#", "..*"])

    assert read_maps(f"I see ...\n...\n```\n{maze}\n```\nDo you?\n#\n") == (maze,)


@pytest.mark.parametrize("text", ["", "No map.", "...", "@.\n*", "@..\n\n..*", "@@*"])
def test_what_is_no_map_is_not_taken_for_one(text: str) -> None:
    assert read_maps(text) == ()


def test_a_copy_may_have_any_shape() -> None:
    maze = Maze.parse(["@..#.*"])

    assert read_maps(f"Map:\n{split(maze)[0]}") == (split(maze)[0],)


@given(seed=st.integers(0, 10**6), agents=st.integers(3, 8))
def test_each_of_many_is_shown_its_own_map_and_alone_all_of_them(seed: int, agents: int) -> None:
    maze, views = a_maze(seed, agents=agents)

    assert [read_maps(text) for text in tasks("pair", maze, views)] == [(view,) for view in views]
    assert [read_maps(text) for text in tasks("solo-distributed", maze, views)] == [views]
    assert [read_maps(text) for text in tasks("solo-full", maze, views)] == [(maze,)]


def lines(text: str) -> list[str]:
    return [line for line in without_maps(text).splitlines() if line]


def test_many_are_told_what_two_are_with_their_number_and_their_name() -> None:
    two, three = (tasks("pair", *a_maze(0, agents=agents)) for agents in (2, 3))

    changed = [(old, new) for old, new in zip(lines(two[1]), lines(three[1]), strict=True) if old != new]

    assert changed == [
        (
            changed[0][0],
            changed[0][0]
            .replace("together with another agent.", "together with 2 other agents. You are agent 2.")
            .replace("with the other agent to", "with the other agents to"),
        ),
        (
            "- An action is **immediately** considered executed once both agents agree.",
            "- An action is **immediately** considered executed once all agents agree.",
        ),
    ]


def test_where_whoever_is_named_speaks_next_one_more_line_says_so() -> None:
    maze, views = a_maze(0, agents=3)

    told, untold = (lines(tasks("pair", maze, views, order)[0]) for order in reversed(ORDERS))

    assert [line for line in told if line not in untold] == [
        "- Whoever is named in a message speaks next; if nobody is named, the next agent in turn does."
    ]


def test_two_agents_are_told_the_same_whatever_the_order() -> None:
    maze, views = a_maze(0)

    assert tasks("pair", maze, views, "named") == tasks("pair", maze, views)


def test_alone_with_three_maps_the_text_says_three() -> None:
    two, three = (tasks("solo-distributed", *a_maze(0, agents=agents))[0] for agents in (2, 3))

    assert [line for line in lines(three) if line not in lines(two)] == [
        next(line for line in lines(two) if "Two maps" in line).replace("Two", "Three").replace("the two", "the three"),
        "Map view 3:",
    ]


@pytest.mark.parametrize("agents", [2, 3, 8])
def test_no_task_leaves_a_placeholder_for_any_number_of_agents(agents: int) -> None:
    maze, views = a_maze(0, agents=agents)

    texts = [text for setting in SETTINGS for order in ORDERS for text in tasks(setting, maze, views, order)]

    assert not any("{" in text for text in texts)
