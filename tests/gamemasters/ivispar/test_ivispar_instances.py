"""Boards of other people: the published files, a folder of them, lists and JSONL, and what is said of broken ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from palaver_gamemasters.game import Instance
from palaver_gamemasters.ivispar import GAME
from palaver_gamemasters.ivispar.board import Geom
from palaver_gamemasters.ivispar.instances import board_of
from palaver_gamemasters.ivispar.scores import distance
from palaver_protocols.errors import InstanceError, UsageError
from tests.gamemasters.ivispar.sliding import a_board, layout

RECORDED = Path(__file__).parents[4] / "shared" / "data" / "ivispar" / "boards.jsonl"

PUBLISHED: dict[str, Any] = {
    "config_instance_id": "SGP_ID_20241212_024852_b_4_g_4_c1_6_c2_0_i_1",
    "experiment_type": "SlidingGeomPuzzle",
    "complexity_c1": 6,
    "complexity_c2": 0,
    "grid_size": 4,
    "landmarks": [
        {"geom_nr": 1, "body": "pyramid", "color": "yellow", "start_coordinate": [3, 0], "goal_coordinate": [3, 1]},
        {"geom_nr": 2, "body": "pyramid", "color": "blue", "start_coordinate": [2, 1], "goal_coordinate": [3, 0]},
        {"geom_nr": 3, "body": "cone", "color": "orange", "start_coordinate": [1, 0], "goal_coordinate": [1, 1]},
        {"geom_nr": 4, "body": "prism", "color": "green", "start_coordinate": [2, 3], "goal_coordinate": [0, 3]},
    ],
    "shortest_move_sequence": ["start", "move blue pyramid down", "done"],
}
"""A board of the study (iVISPAR, published with its program under the MIT licence), its sequences shortened."""
LABELS = {"geoms": ("4",), "path": ("6",), "interference": ("0",)}


def read(path: Path) -> list[Instance]:
    return list(GAME.instances(GAME.configure({"instances": str(path)}), 0))


def write(path: Path, *values: Any) -> Path:
    path.write_text("\n".join(json.dumps(value) for value in values))
    return path


def test_a_published_file_is_a_board(tmp_path: Path) -> None:
    (found,) = read(write(tmp_path / "config_x.json", PUBLISHED))
    assert (found.id, found.data, found.labels) == (PUBLISHED["config_instance_id"], PUBLISHED, LABELS)
    board = board_of(found.data)
    assert board.lines(board.start) == ["B1 orange cone", "C2 blue pyramid", "C4 green prism", "D1 yellow pyramid"]
    assert distance(board, board.start) == 6


def test_a_folder_of_published_files_is_read_in_their_order(tmp_path: Path) -> None:
    for number in (2, 1, 3):
        write(tmp_path / f"config_{number}.json", {**PUBLISHED, "config_instance_id": f"board {number}"})
    (tmp_path / "notes.txt").write_text("nothing of a board")
    assert [each.id for each in read(tmp_path)] == ["board 1", "board 2", "board 3"]


@pytest.mark.parametrize("how", ["list", "lines"])
def test_several_boards_come_as_a_list_or_one_a_line(tmp_path: Path, how: str) -> None:
    boards = [layout(a_board(), id=name) for name in ("one", "two")]
    file = write(tmp_path / "boards.jsonl", *([boards] if how == "list" else boards))
    assert [each.id for each in read(file)] == ["one", "two"]


def test_boards_without_a_name_are_numbered(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.jsonl", layout(a_board()), layout(a_board()))
    assert [each.id for each in read(file)] == ["mine-00000", "mine-00001"]


def test_coordinates_may_be_written_as_the_simulator_writes_them() -> None:
    data = layout(a_board())
    data["landmarks"][0]["start_coordinate"] = [3.0, 0.0]
    assert board_of(data).start[0] == (3, 0)


def test_names_are_read_in_lower_case() -> None:
    data = layout(a_board())
    data["landmarks"][0] |= {"color": " Blue", "body": "SPHERE"}
    assert board_of(data).geoms[0] == Geom("blue", "sphere")


def test_a_board_that_cannot_be_drawn_is_named_with_its_file(tmp_path: Path) -> None:
    file = write(tmp_path / "b.jsonl", layout(a_board()), with_landmark(body="torus"))
    with pytest.raises(InstanceError, match=r"b\.jsonl, line 2: 'torus' is no shape"):
        next(GAME.instances(GAME.configure({"instances": str(file), "modality": "3d"}), 0))
    assert len(list(GAME.instances(GAME.configure({"instances": str(file), "modality": "text"}), 0))) == 2


def test_a_board_that_nobody_can_solve_is_refused() -> None:
    names = [(colour, shape) for colour in ("red", "green", "blue") for shape in ("cube", "cone", "sphere")][:8]
    cells = [[x, y] for y in range(3) for x in range(3)][:8]
    goals = [cells[1], cells[0], *cells[2:]]
    landmarks: list[Any] = [
        {"body": shape, "color": colour, "start_coordinate": start, "goal_coordinate": goal}
        for (colour, shape), start, goal in zip(names, cells, goals, strict=True)
    ]
    with pytest.raises(InstanceError, match="the 3x3 board with 8 geoms cannot be solved"):
        board_of({"grid_size": 3, "landmarks": landmarks})


def test_a_board_is_measured_by_its_true_path_whatever_its_author_says(tmp_path: Path) -> None:
    (found,) = read(write(tmp_path / "b.json", {**PUBLISHED, "complexity_c1": 99, "c1": 98}))
    state = GAME.start(found.data, GAME.configure({"modality": "text"}))
    assert GAME.score(state)["optimal_length"] == 6


def with_landmark(**changes: Any) -> dict[str, Any]:
    data = layout(a_board())
    data["landmarks"][1] |= changes
    return data


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "holds no board"),
        (["board"], "board 1: ivispar instance:"),
        ({"landmarks": []}, "grid_size: Field required"),
        ({**PUBLISHED, "grid_size": 3}, r"the yellow pyramid has its start at \[3, 0\], outside of the board"),
        ({**PUBLISHED, "grid_size": "four"}, "grid_size: Input should be a valid integer"),
        ({**PUBLISHED, "landmarks": []}, "the board has no geoms"),
        (with_landmark(start_coordinate=[0, 0]), r"two geoms have their start at \[0, 0\]"),
        (with_landmark(start_coordinate=[0.5, 0]), "landmarks.1.start_coordinate.0: Input should be a valid integer"),
        (with_landmark(start_coordinate=[0]), "landmarks.1.start_coordinate.1: Field required"),
        (with_landmark(goal_coordinate=None), "landmarks.1.goal_coordinate: Input should be a valid"),
        (with_landmark(color=""), "landmarks.1.color"),
        (with_landmark(color="dark red"), "no action can name a geom 'dark red cube'"),
        (with_landmark(color="blue", body="circle"), "the blue sphere and the blue circle have the same name"),
        (layout(a_board({"red cube": ("A1", "A1")})), "all geoms stand at their goals already"),
        ([PUBLISHED, PUBLISHED], "board 2: there are two boards SGP_ID_20241212_024852_b_4_g_4_c1_6_c2_0_i_1"),
    ],
)
def test_what_is_wrong_with_a_board_is_said_in_one_line_with_file_and_field(
    tmp_path: Path, data: Any, said: str
) -> None:
    file = write(tmp_path / "broken.json", data)
    with pytest.raises(UsageError, match=said) as refused:
        read(file)
    assert str(file) in refused.value.message
    assert "\n" not in str(refused.value)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "boards.jsonl"
    file.write_text(json.dumps(layout(a_board(), id="one")) + "\n{grid_size: 4}\n")
    with pytest.raises(UsageError, match=r"boards\.jsonl, line 2 is no JSON"):
        read(file)


def test_a_file_of_a_folder_is_named(tmp_path: Path) -> None:
    write(tmp_path / "config_1.json", PUBLISHED)
    write(tmp_path / "config_2.json", {**PUBLISHED, "config_instance_id": "two", "landmarks": []})
    with pytest.raises(InstanceError, match=r"config_2\.json, board 1: the board has no geoms"):
        read(tmp_path)


def test_a_folder_without_boards_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no config_\*.json in"):
        read(tmp_path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read the boards of .*nowhere\.json"):
        read(tmp_path / "nowhere.json")


@pytest.mark.skipif(not RECORDED.exists(), reason="the study's own boards are not at hand")
def test_the_studys_own_boards_can_be_played() -> None:
    found = read(RECORDED)
    assert len(found) == 83
    for each in found:
        board = board_of(each.data)
        stated: Any = each.data
        assert board.manhattan(board.start) + 2 * stated["c2"] == stated["c1"]
