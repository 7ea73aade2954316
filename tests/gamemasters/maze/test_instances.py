import json
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.game import Instance
from palaver_gamemasters.maze.grid import HIDDEN, WALL, Maze, merge, split
from palaver_gamemasters.maze.instances import instances, playable
from palaver_gamemasters.maze.options import MazeOptions
from palaver_protocols.errors import InstanceError, UsageError

SIZES = (4, 6, 8, 10, 12, 18)
DENSITIES = (0, 0.15, 0.30, 0.45, 0.60, 0.75)


def first(count: int, seed: int = 0, **options: Any) -> list[Instance]:
    return list(islice(instances(MazeOptions(**options), seed), count))


def check(instance: Instance, options: MazeOptions) -> None:
    maze, views = playable(instance.data, options.agents, options.cover)
    shortest, longest = options.path_range
    assert (maze.height, maze.width, maze.start) == (options.size, options.size, (0, 0))
    assert str(maze).count(WALL) == options.walls
    assert shortest <= maze.to_goal[maze.start] <= longest
    assert reduce(merge, views) == maze
    assert len(views) == options.agents


def shown(view: Maze) -> int:
    """Count the cells other than start and goal that a view shows."""
    return sum(symbol in ".#" for row in view.rows for symbol in row)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("density", DENSITIES)
def test_the_papers_sizes_and_densities_work_out_of_the_box(size: int, density: float) -> None:
    options = MazeOptions(size=size, density=density)

    for instance in islice(instances(options, 1), 3):
        check(instance, options)


@given(
    st.sampled_from(SIZES[:4]),
    st.sampled_from(DENSITIES),
    st.integers(2, 8).flatmap(lambda agents: st.tuples(st.just(agents), st.integers(1, agents))),
    st.integers(0, 2**32),
)
@settings(max_examples=25, deadline=None)
def test_the_papers_mazes_are_made_for_any_number_of_agents(
    size: int, density: float, shape: tuple[int, int], seed: int
) -> None:
    options = MazeOptions(size=size, density=density, agents=shape[0], cover=shape[1])

    instance = next(instances(options, seed))

    check(instance, options)
    assert instance.id == next(instances(MazeOptions(size=size, density=density), seed)).id
    assert all(str(view).count(HIDDEN) + shown(view) == size * size - 2 for view in playable(instance.data, *shape)[1])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("density", DENSITIES)
def test_the_papers_sizes_and_densities_work_for_three_agents(size: int, density: float) -> None:
    options = MazeOptions(size=size, density=density, agents=3)

    check(next(instances(options, 2)), options)


@given(st.integers(2, 9), st.floats(0, 0.75), st.integers(0, 2**32))
def test_every_size_and_density_in_between_works_too(size: int, density: float, seed: int) -> None:
    options = MazeOptions(size=size, density=density)

    check(next(instances(options, seed)), options)


@pytest.mark.parametrize(
    "wanted",
    [
        {"min_path": 1, "max_path": 1},
        {"min_path": 10, "max_path": 10},
        {"max_path": 3},
        {"min_path": 16, "density": 0.4},
        {"size": 18, "density": 0.75, "min_path": 80},
        {"size": 2, "density": 1, "max_path": 1},
    ],
)
def test_unusual_paths_can_be_had(wanted: dict[str, Any]) -> None:
    options = MazeOptions(**wanted)

    check(next(instances(options, 0)), options)


def test_path_ranges_grow_from_the_papers_with_the_size() -> None:
    ranges = [MazeOptions(size=size).path_range for size in SIZES]

    assert ranges == [(4, 5), (7, 9), (10, 13), (13, 16), (15, 20), (24, 31)]


def test_a_bound_that_is_left_out_gives_way_to_the_one_that_is_given() -> None:
    assert MazeOptions(min_path=12).path_range == (12, 12)
    assert MazeOptions(max_path=3).path_range == (3, 3)
    assert MazeOptions(min_path=2).path_range == (2, 9)


GOLDEN = {
    "6x6-d30-s17-00000": {
        "grid": ["@..#.#", "....##", ".....#", "#....#", "#.#...", "..*..#"],
        "views": [
            ["@?????", ".?..#?", "..?.??", "#?.???", "?.#??.", "..*..#"],
            ["@..#.#", "?.???#", "??.?.#", "?.?..#", "#??..?", "??*???"],
        ],
    },
    "6x6-d30-s17-00001": {
        "grid": ["@....#", "####.#", ".....*", ".#....", "......", "...###"],
        "views": [
            ["@...?#", "??##.#", "..??.*", "???.??", "..????", ".???##"],
            ["@???.?", "##????", "??..?*", ".#.?..", "??....", "?..#??"],
        ],
    },
    "4x4-d75-s17-00000": {
        "grid": ["@###", ".###", "..*#", "###."],
        "views": [["@##?", ".?#?", "..*?", "??#?"], ["@??#", "?#?#", "??*#", "##?."]],
    },
    "8x8-d60-s17-00000": {
        "grid": ["@..#.###", ".#.####.", ".##.#.##", "..#*.##.", "#.#.####", "#...##..", ".##..###", ".#####.#"],
        "views": [
            ["@..?????", ".??##??.", "??#.#.?#", "?.#*.?#?", "??#.####", "?...???.", ".???????", ".###?#??"],
            ["@??#.###", "?#.??##?", ".#????#?", ".??*?#?.", "#.??????", "#???##.?", "?##..###", "????#?.#"],
        ],
    },
}


THREE_VIEWS = [
    ["@??#", "??##", ".?*?", "?#??"],
    ["@?#?", "????", "?.*#", "#?#?"],
    ["@#??", ".#??", "??*?", "???."],
]


def test_the_same_seed_makes_the_same_mazes_on_every_machine() -> None:
    made = first(2, 17) + first(1, 17, size=4, density=0.75) + first(1, 17, size=8, density=0.6)

    assert {instance.id: instance.data for instance in made} == GOLDEN


def test_mazes_do_not_depend_on_the_setting() -> None:
    pair, alone = (first(5, setting=setting, max_turns=turns) for setting, turns in (("pair", 50), ("solo-full", 9)))

    assert pair == alone


def test_a_maze_has_one_name_and_one_grid_whatever_the_number_of_agents() -> None:
    two, three = first(3), first(3, agents=3, cover=2)

    assert [instance.id for instance in two] == [instance.id for instance in three]
    assert [playable(instance.data)[0] for instance in two] == [playable(instance.data, 3)[0] for instance in three]


def test_the_views_for_three_agents_are_the_same_on_every_machine() -> None:
    (made,) = first(1, 17, size=4, density=0.75, agents=3)

    assert made.data == {"grid": ["@###", ".###", "..*#", "###."], "views": THREE_VIEWS}


def test_a_maze_does_not_depend_on_those_before_it() -> None:
    assert first(3)[:2] == first(2)


def test_seeds_and_indices_make_different_mazes() -> None:
    made = first(20, 1) + first(20, 2)

    assert len({str(instance.data) for instance in made}) == 40


def test_ids_name_the_parameters() -> None:
    ids = [first(1, 3, **options)[0].id for options in ({}, {"size": 8, "density": 0.125}, {"max_path": 8})]

    assert ids == ["6x6-d30-s3-00000", "8x8-d12.5-s3-00000", "6x6-d30-p7-8-s3-00000"]


def test_a_given_grid_without_views_is_split_as_a_made_one_is() -> None:
    made = first(1)[0]
    assert isinstance(made.data, dict)

    assert playable({"grid": made.data["grid"]}) == playable(made.data)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"min_path": 9, "max_path": 7}, "min_path 9 is more than max_path 7"),
        ({"min_path": 30}, r"a 6x6 maze has no shortest path of 30 moves \(min_path can be 26 at most"),
        ({"density": 1}, r"density 1 has no room for a path of 7 moves \(density can be 0.82 at most"),
        ({"density": 0.9}, r"density 0.9 has no room for a path of 7 moves \(density can be 0.82 at most"),
        ({"density": 0.95, "max_path": 4}, r"no room for a path of 4 moves \(density can be 0.91 at most"),
    ],
)
def test_parameters_that_no_maze_can_satisfy_are_refused_at_once(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InstanceError, match=complaint):
        MazeOptions(**options)


@pytest.mark.parametrize("density", [0.82, 0.3, 0])
def test_the_density_that_an_error_recommends_works(density: float) -> None:
    options = MazeOptions(density=density)

    check(next(instances(options, 0)), options)


def test_parameters_for_which_no_maze_turns_up_end_in_an_error_that_names_them() -> None:
    with pytest.raises(InstanceError, match="no 6x6 maze of density 0 with a shortest path of 12 to 13 moves in 150"):
        first(1, density=0, min_path=12, max_path=13)


GIVEN = {"grid": ["@.#", "#..", "..*"]}


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([GIVEN, GIVEN]),
        json.dumps([GIVEN, GIVEN], indent=1),
        f"{json.dumps(GIVEN)}\n\n{json.dumps(GIVEN)}\n",
    ],
)
def test_mazes_are_read_from_a_json_or_jsonl_file(tmp_path: Path, text: str) -> None:
    played = first(9, instances=write(tmp_path / "mine.json", text))

    views = [list(view.rows) for view in split(Maze.parse(GIVEN["grid"]))]
    assert [instance.id for instance in played] == ["mine-00000", "mine-00001"]
    assert all(instance.data == {**GIVEN, "views": views} for instance in played)


def test_a_file_may_hold_a_single_maze_with_its_views(tmp_path: Path) -> None:
    one = {**GIVEN, "views": [["@.#", "#..", "..*"], ["@??", "???", "??*"]]}

    assert [instance.data for instance in first(9, instances=write(tmp_path / "one.json", json.dumps(one)))] == [one]


def test_a_file_may_give_a_view_to_each_of_three_agents_unevenly(tmp_path: Path) -> None:
    one = {**GIVEN, "views": [["@.#", "#..", "..*"], ["@??", "???", "??*"], ["@.?", "???", "??*"]]}
    file = write(tmp_path / "three.json", json.dumps(one))

    assert [instance.data for instance in first(9, instances=file, agents=3)] == [one]
    with pytest.raises(UsageError, match=r"maze 1: the maze has 3 views for 2 agents \(give 2, or leave `views` out\)"):
        first(1, instances=file)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "holds no maze"),
        ("[]", "holds no maze"),
        ("{", "line 1 is no JSON"),
        ("[" * 100_000, "line 1 is no JSON"),
        (f"{json.dumps(GIVEN)}\nnonsense\n", "line 2 is no JSON"),
        ("3", "maze 1: maze instance: Input should be a valid dictionary"),
        (json.dumps([GIVEN, {}]), "maze 2: maze instance: grid: Field required"),
        ('{"grid": "@.*"}', "maze 1: maze instance: grid: Input should be a valid list"),
        ('{"grid": ["@#*"]}', "maze 1: no path leads from the maze's start"),
        ('{"grid": ["@?*"]}', "maze 1: the maze's grid has hidden cells"),
        ('{"grid": ["@.*"], "views": [["@.*"]]}', "maze 1: the maze has 1 views for 2 agents"),
    ],
)
def test_a_malformed_file_is_one_clear_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as refused:
        first(1, instances=write(tmp_path / "bad.json", text))

    assert "\n" not in str(refused.value)
    assert "bad.json" in str(refused.value)


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read the mazes of .*none\.json: No such file"):
        first(1, instances=str(tmp_path / "none.json"))


def test_a_file_that_is_no_text_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(UsageError, match="it is no UTF-8 text"):
        first(1, instances=str(tmp_path / "bad.json"))
