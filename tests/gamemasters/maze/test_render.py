from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver_gamemasters.maze.grid import Maze, merge, split
from palaver_gamemasters.maze.instances import instances, playable
from palaver_gamemasters.maze.options import MazeOptions, Setting
from palaver_gamemasters.maze.render import prompt, read_maps, tasks

PAGE = Path(__file__).parents[4] / "shared" / "specs" / "maze_prompts.md"
SETTINGS: tuple[Setting, ...] = ("solo-full", "solo-distributed", "pair")
QUOTE = "\N{LEFT SINGLE QUOTATION MARK}"


def a_maze(seed: int, size: int = 6) -> tuple[Maze, tuple[Maze, Maze]]:
    return playable(next(instances(MazeOptions(size=size), seed)).data)


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


def test_a_task_leaves_no_placeholder() -> None:
    maze, views = a_maze(0)

    assert not any("{" in text for setting in SETTINGS for text in tasks(setting, maze, views))


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
