import pytest
import yaml
from pydantic import ValidationError

from palaver_gamemasters.maze.grading.extraction import Entry, Extraction, Scheme

ANSWER = """
route_schema:
  maze_origin: "1"
  maze_orientation: "top_left"
  coordinates_orientation: "row_col"
  coordinates_symbols: "letter_number"
route:
- turn: 2
  coordinates: [[A, 2]]
  turn_type: "move"
  agent: "both"
- turn: 3
  coordinates: [[B, 2], [C, 2]]
  turn_type: "consider"
  agent: "agent_1"
"""


def test_the_yaml_of_a_grading_model_is_an_extraction() -> None:
    extraction = Extraction.model_validate(yaml.safe_load(ANSWER))
    assert extraction.moves == (("A", "2"),)
    assert str(extraction.route_schema) == "letter_number, row_col, from 1 at the top left"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("[[0, 1]]", (("0", "1"),)),
        ("[0, 1]", (("0", "1"),)),
        ("[[right]]", (("right",),)),
        ("[right]", (("right",),)),
        ("right", (("right",),)),
        ("[up, right]", (("up",), ("right",))),
        ("[r1c2]", (("r1c2",),)),
        ("[]", ()),
    ],
)
def test_coordinates_are_taken_in_the_shapes_that_models_write(
    written: str, meant: tuple[tuple[str, ...], ...]
) -> None:
    assert Entry(turn=1, coordinates=yaml.safe_load(written)).coordinates == meant


def test_a_scheme_takes_numbers_and_refuses_what_it_does_not_know() -> None:
    assert Scheme.model_validate({"maze_origin": 1}).maze_origin == "1"
    with pytest.raises(ValidationError):
        Scheme.model_validate({"maze_orientation": "middle"})
