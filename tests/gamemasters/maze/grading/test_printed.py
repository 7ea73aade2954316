"""The dialogues that The Collaboration Gap prints: what a careful reader would say was agreed on, by both graders.

Beside each dialogue stands the YAML that a careful grading model would write under the prompt of figure A.6, and a maze
that fits what is said in it (of F.2 the drawn maps give it whole, of the others the page gives parts). Where the page
begins in the middle of a dialogue, the maze starts where the speakers stand. Turns count from 1, as in the prompt.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from palaver_gamemasters.maze.grading.grader import extract, grade
from palaver_gamemasters.maze.grading.model import read_grade
from palaver_gamemasters.maze.grading.schemes import Ended, read_cell, schemes
from palaver_gamemasters.maze.grid import Maze, merge
from palaver_gamemasters.maze.render import read_maps
from palaver_gamemasters.maze.scores import measure

PAGE = Path(__file__).parents[5] / "shared" / "specs" / "maze_examples.md"
SCHEME = schemes("number_number")[0]


class Printed(NamedTuple):
    """A printed dialogue.

    ``heading`` and ``end`` are where it stands on the page, ``only`` which of its turns make the dialogue (all, if
    None). ``entries`` are a careful grader's, one a line: turn, coordinates, type, agent. ``moves`` are the moves
    agreed on, as they were said; ``legal`` how many of them the maze allows, and ``ended`` why no more.
    """

    heading: str
    end: str
    schema: str
    entries: str
    moves: tuple[tuple[int, int], ...]
    maze: str
    legal: int
    ended: Ended
    only: int | None = None


NUMBERS = "0 top_left row_col number_number"
PRINTED = {
    "2.2": Printed(
        "## Figure 2.2",
        "Figure 2.2:",
        "1 top_left row_col number_number",
        "1 [[1,2]] consider agent_1\n2 [[2,1]] consider agent_2\n3 [[2,1]] move both",
        ((2, 1),),
        "@..#.# #.#.## ...... ...... ..#.*. .....#",
        1,  # by columns first, as the second speaker counts; by rows first it is a wall
        "end of route",
    ),
    "4.2 o3": Printed(
        "## Figure 4.2",
        "Figure 4.2:",
        NUMBERS,
        "1 [[0,1],[1,0]] consider agent_1",
        (),
        "@..... ...##. ...... ...... #..... ...#.*",
        0,
        "no route",
        only=0,
    ),
    "4.2 gpt-4.1-mini": Printed(
        "## Figure 4.2",
        "Figure 4.2:",
        "0 top_left row_col directions",
        "1 [[right],[down]] consider agent_1",
        (),
        "@..... ...... ...... ...... ...... .....*",
        0,
        "no route",
        only=1,
    ),
    "4.4": Printed(
        "## Figure 4.4",
        "Figure 4.4:",
        NUMBERS,
        "1 [[0,1]] consider agent_1\n2 [[0,1]] move both\n2 [[0,2]] consider agent_2",
        ((0, 1),),
        "@....# ...... ...... ...... ...... .....*",
        1,
        "end of route",
    ),
    "4.5": Printed(
        "## Figure 4.5",
        "Figure 4.5:",
        "1 top_left row_col number_number",
        "1 [[1,2]] move both\n1 [[2,2]] consider agent_1\n2 [[1,1]] consider agent_2\n3 [[2,2]] consider agent_1\n"
        "4 [[2,2]] move both",
        ((1, 2), (2, 2)),
        "@.#... ...... ...... ...... ...... .....*",
        2,
        "end of route",
    ),
    "E.1": Printed(
        "E.1 Weak Mirroring Strong",
        "Figure E.1:",
        NUMBERS,
        "1 [[1,0]] consider agent_1\n2 [[1,0]] move both",
        ((1, 0),),
        "@..... ...... #..... ...... ..##.. ..#..*",
        1,
        "end of route",
    ),
    "E.2": Printed(
        "the second correct.",
        "Figure E.2:",
        NUMBERS,
        "1 [] consider agent_1\n2 [] consider agent_2\n3 [[3,2]] consider agent_1\n4 [[3,2]] consider agent_2",
        (),
        "@..... ...... ...... ..#... ...... .....*",
        0,
        "no route",
    ),
    "E.3": Printed(
        "Surprisingly, the gpt",
        "Figure E.3:",
        NUMBERS,
        "1 [[4,1],[4,4],[4,5]] consider agent_1\n2 [[4,1]] consider agent_2",
        (),
        "...... ...... ...... ...... ..@#.* ......",
        0,
        "no route",
    ),
    "E.4": Printed(
        "E.3 Meta Analysis",
        "Figure E.4:",
        NUMBERS,
        "1 [[3,2]] move both\n1 [[4,2]] consider agent_1\n2 [[4,2]] move both\n"
        "3 [] consider agent_1\n4 [] consider agent_2",
        ((3, 2), (4, 2)),
        "...... ...... ...... .@.... ..#... .....*",
        1,
        "wall",
    ),
    "E.5": Printed(
        "fatal error.",
        "Figure E.5:",
        NUMBERS,
        "1 [[1,2]] consider agent_1\n2 [[1,2]] consider agent_2",
        (),
        "..@#.. ..#... ...... ...... .....* ......",
        0,
        "no route",
    ),
    "E.6": Printed(
        "E.4 Backtracking",
        "Figure E.6:",
        "0 top_left col_row number_number",
        "1 [[0,3]] consider agent_1\n2 [[0,3]] move both\n2 [[0,2]] consider agent_2",
        ((0, 3),),
        "...... ...... @.#... .#.... #....* ......",
        0,  # it leads away from the goal; counted from the bottom it is where they stand, which is more favourable
        "end of route",
    ),
    "F.1": Printed(
        "F.1 Unanticipated Maze Schema",
        "Figure F.1:",
        "1 top_left row_col number_number",
        "1 [[1,2]] consider agent_1\n2 [[1,2]] move both",
        ((1, 2),),
        "@..... #..... ....#. ..##.. ...... .....*",
        1,
        "end of route",
    ),
    "F.2": Printed(
        "F.2 Agents Decide to Split Up",
        "\0",
        NUMBERS,
        "1 [[1,0]] consider agent_1\n2 [[0,1]] consider agent_2",
        (),
        "@.#..# ..##.. .#...# .##... .#..#. .....*",
        0,
        "no route",
    ),
}


def turns_of(printed: Printed) -> list[tuple[str, str]]:
    """Return the turns of a printed dialogue, by seats in turn."""
    if not PAGE.exists():
        pytest.skip("the page of printed dialogues lies beside the repository, and only there")
    page = PAGE.read_text(encoding="utf-8").split(printed.heading, 1)[1].split(printed.end, 1)[0]
    texts = re.split(r"^[\w.-]+: (?:turn |t)\d+ ", page, flags=re.MULTILINE)[1:]
    texts = texts if printed.only is None else [texts[printed.only]]
    return [(f"agent_{number % 2 + 1}", text.strip()) for number, text in enumerate(texts)]


def yaml_of(printed: Printed) -> str:
    """Write a careful grader's answer in the study's format."""
    names = ("maze_origin", "maze_orientation", "coordinates_orientation", "coordinates_symbols")
    lines = ["```yaml", "route_schema:"]
    lines += [f'  {name}: "{value}"' for name, value in zip(names, printed.schema.split(), strict=True)]
    lines.append("route:")
    for entry in printed.entries.splitlines():
        turn, coordinates, kind, agent = entry.split()
        lines += [
            f"  - turn: {turn}",
            f"    coordinates: {coordinates}",
            f'    turn_type: "{kind}"',
            f'    agent: "{agent}"',
        ]
    return "\n".join([*lines, "```"])


@pytest.mark.parametrize("printed", PRINTED.values(), ids=PRINTED)
def test_the_rules_extract_what_a_careful_reader_would(printed: Printed) -> None:
    maze = Maze.parse(printed.maze.split())

    by_rules = extract(maze, turns_of(printed))[0]

    assert [read_cell(spoken, SCHEME, maze) for spoken in by_rules.moves] == [*printed.moves]


@pytest.mark.parametrize("printed", PRINTED.values(), ids=PRINTED)
def test_the_answer_of_a_careful_grader_gives_the_grade_of_a_careful_reader(printed: Printed) -> None:
    read = read_grade(Maze.parse(printed.maze.split()), yaml_of(printed))

    assert isinstance(read.detail, dict)
    assert (read.scores["moves"], read.detail["ended"]) == (printed.legal, printed.ended)


@pytest.mark.parametrize("printed", PRINTED.values(), ids=PRINTED)
def test_rules_and_careful_grader_come_to_the_same_grade(printed: Printed) -> None:
    maze = Maze.parse(printed.maze.split())

    by_rules = grade(maze, turns_of(printed))
    read = read_grade(maze, yaml_of(printed))

    assert isinstance(read.detail, dict)
    assert ([list(cell) for cell in by_rules.route], by_rules.ended) == (read.detail["cells"], read.detail["ended"])
    assert measure(maze, by_rules, 0)["weighted_outcome"] == read.scores["weighted_outcome"]


def test_the_maze_of_those_who_split_up_is_the_one_that_they_draw() -> None:
    printed = PRINTED["F.2"]

    drawn = merge(*(read_maps(text)[0] for _, text in turns_of(printed)))

    assert drawn.rows == Maze.parse(printed.maze.split()).rows
