"""The YAML of grading models: what is plain is read, what is not is refused in one clause that can be acted on."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.game import UnreadableGradeError
from palaver_gamemasters.maze.grading.extraction import Extraction
from palaver_gamemasters.maze.grading.model_blocks import MAX_YAML
from palaver_gamemasters.maze.grading.model_yaml import MAX_ANSWER, read_extraction
from palaver_gamemasters.maze.grading.schemes import symbols_of

SCHEMA = """\
route_schema:
  maze_origin: "0"
  maze_orientation: "top_left"
  coordinates_orientation: "row_col"
  coordinates_symbols: "number_number"
"""
ROUTE = """\
route:
  - turn: 1
    coordinates: [[0, 1]]
    turn_type: "consider"
    agent: "agent_1"
  - turn: 2
    coordinates: [[0, 1]]
    turn_type: "move"
    agent: "both"
  - turn: 3
    coordinates: [[1, 1], [1, 2]]
    turn_type: "move"
    agent: "both"
"""
ANSWER = SCHEMA + ROUTE
MOVES = (("0", "1"), ("1", "1"), ("1", "2"))
AS_JSON = json.dumps(
    {
        "route_schema": {"maze_origin": 0, "coordinates_symbols": "number_number"},
        "route": [
            {"turn": 2, "coordinates": [[0, 1]], "turn_type": "move", "agent": "both"},
            {"turn": 3, "coordinates": [[1, 1], [1, 2]], "turn_type": "move", "agent": "both"},
        ],
    },
    indent=1,
)


def moved(coordinates: str, symbols: str = "number_number") -> str:
    """Write an answer of one move."""
    return f"""```yaml
route_schema:
  coordinates_symbols: {symbols}
route:
  - turn: 1
    coordinates: {coordinates}
    turn_type: move
    agent: both
```"""


def said(text: str) -> str:
    """Return what is said of an answer that cannot be read."""
    with pytest.raises(UnreadableGradeError) as caught:
        read_extraction(text)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    return message


# -- forms


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ANSWER, id="bare"),
        pytest.param(f"```yaml\n{ANSWER}```", id="fenced"),
        pytest.param(f"```yml\n{ANSWER}\n```\n", id="another word"),
        pytest.param(f"```\n{ANSWER}```", id="no word"),
        pytest.param(f"~~~yaml\n{ANSWER}~~~", id="tildes"),
        pytest.param(f"```yaml\n{ANSWER}", id="fence not closed"),
        pytest.param(f"Here it is:\n\n```yaml\n{ANSWER}```\n\nLet me know: I am here.", id="prose around a fence"),
        pytest.param(f"Here it is:\n\n{ANSWER}\nThey walked: well.\n\nBye!", id="prose around no fence"),
        pytest.param(f"```yaml\nroute: []\n```\nI was wrong:\n```yaml\n{ANSWER}```", id="the last fence wins"),
        pytest.param(f"```yaml\n{ANSWER}```\nMap:\n```\n@..\n```", id="a fence of something else after it"),
        pytest.param(f"```yaml\n{ANSWER}```\nFor example:\n```\nroute: <list>\n```", id="a fence that cannot be read"),
        pytest.param(f"<think>route: []\nroute_schema: no\n</think>\n{ANSWER}", id="after thoughts"),
        pytest.param(ANSWER.replace('"', "'"), id="single quotes"),
        pytest.param(ANSWER.replace('"', ""), id="no quotes"),
        pytest.param(ANSWER.replace("[[0, 1]]", '[["0", "1"]]'), id="numbers as strings"),
        pytest.param(ANSWER.replace("turn: 2", 'turn: "2"').replace('"0"', "0"), id="strings as numbers"),
        pytest.param(ANSWER.replace("turn: 2", "turn: turn 2"), id="turn named"),
        pytest.param(ANSWER.replace("coordinates_o", "coordinate_o"), id="the prompt's other spelling"),
        pytest.param(ANSWER.replace("    ", "\t\t").replace("  -", "\t-").replace("  m", "\tm"), id="tabs"),
        pytest.param(ANSWER.replace("]]", "],]"), id="trailing commas"),
        pytest.param(ANSWER.replace("turn: 2", "turn: 2  # agreed"), id="comments"),
        pytest.param(ANSWER.replace("top_left", "Top-Left"), id="a choice in other letters"),
        pytest.param(ANSWER.replace("row_col", "(row, column)"), id="a choice written out"),
        pytest.param(ANSWER.replace('"both"', "[agent_1, agent_2]"), id="agents listed"),
        pytest.param(ANSWER.replace('    agent: "both"\n', '    agent: "both"\n    note: safe\n'), id="more fields"),
        pytest.param(ROUTE, id="no schema"),
        pytest.param(ANSWER.replace('    agent: "both"\n', ""), id="no agent"),
        pytest.param(ANSWER.replace("\n    ", "\n  ").replace("\n  - ", "\n- "), id="list not indented"),
        pytest.param("\n".join("  " + line for line in ANSWER.splitlines()), id="indented"),
        pytest.param(ANSWER.replace("\n", "\r\n"), id="other line ends"),
        pytest.param(AS_JSON, id="JSON"),
        pytest.param(f"Sure: {AS_JSON} Done.", id="JSON in prose"),
        pytest.param(f"```json\n{AS_JSON}\n```", id="fenced JSON"),
        pytest.param(f"Turn 1: they think.\nroute: I list it.\nroute_schema: from 0.\n\n{ANSWER}", id="loud thoughts"),
        pytest.param(f"```yaml\n{ANSWER}\n(They stopped here.)\n```", id="a remark in the fence"),
        pytest.param(f"```yaml\n---\n{ANSWER}---\n```", id="document marks"),
        pytest.param(ROUTE + SCHEMA, id="the schema last"),
        pytest.param(SCHEMA.replace("  ", "") + ROUTE, id="the schema not indented, as the study prints it"),
        pytest.param(ANSWER.replace('"both"', "“both”"), id="typographic quotes"),
        pytest.param(ANSWER.replace("[[0, 1]]", "[[“0”, “1”]]"), id="typographic quotes around numbers"),
        pytest.param(ANSWER.replace('"both"', "&b both", 1), id="an anchor that nothing refers to"),
        pytest.param(ANSWER.replace('"both"', "Agent 1 and agent 2"), id="agents in words"),
        pytest.param(ANSWER.replace('"both"', "both agents"), id="both agents"),
        pytest.param(ANSWER.replace('"move"', "Moved").replace('"consider"', "considered"), id="types in the past"),
        pytest.param(ANSWER.replace("turn: 1", 'turn: "0-1"'), id="turns told as one"),
        pytest.param(ANSWER.replace('"agent_1"', "none"), id="considered by nobody"),
        pytest.param(ANSWER.replace("turn:", "Turn:").replace("coordinates:", "Coordinates:"), id="capitals"),
    ],
)
def test_every_usual_form_of_an_answer_is_read(text: str) -> None:
    assert read_extraction(text).moves == MOVES


def test_the_scheme_and_the_turns_are_kept() -> None:
    read = read_extraction(ANSWER)

    assert str(read.route_schema) == "number_number, row_col, from 0 at the top left"
    assert [(entry.turn, entry.turn_type, entry.agent) for entry in read.route] == [
        (1, "consider", "agent_1"),
        (2, "move", "both"),
        (3, "move", "both"),
    ]


def test_nobody_may_have_moved() -> None:
    assert read_extraction("route: []") == Extraction()
    assert read_extraction("route:") == Extraction()


# -- places


@pytest.mark.parametrize(
    ("coordinates", "moves"),
    [
        ("[[1, 2]]", (("1", "2"),)),
        ("[1, 2]", (("1", "2"),)),
        ("(1, 2)", (("1", "2"),)),
        ('"(1, 2)"', (("1", "2"),)),
        ("1, 2", (("1", "2"),)),
        ('["(1, 2)"]', (("1", "2"),)),
        ("[(1, 2), (1, 3)]", (("1", "2"), ("1", "3"))),
        ('["1,2", "1,3"]', (("1", "2"), ("1", "3"))),
        ("[[[1, 2], [1, 3]]]", (("1", "2"), ("1", "3"))),
        ("(1, 2) -> (1, 3)", (("1", "2"), ("1", "3"))),
        ("right to (1, 2)", (("1", "2"),)),
        ("[[1.0, 2.0]]", (("1", "2"),)),
        ("[[-1, 2]]", (("-1", "2"),)),
        ("[[A, 1]]", (("A", "1"),)),
        ("A1", (("A", "1"),)),
        ('["A1", "B1"]', (("A", "1"), ("B", "1"))),
        ("r1c2", (("r1", "c2"),)),
        ("row 1, column 2", (("r1", "c2"),)),
        ("{row: 1, col: 2}", (("r1", "c2"),)),
        ("up", (("up",),)),
        ('["up"]', (("up",),)),
        ('[["up"]]', (("up",),)),
        ("[up, Right]", (("up",), ("Right",))),
        ("[[up, right]]", (("up",), ("right",))),
        ("up, right", (("up",), ("right",))),
        ("move down", (("down",),)),
        ("[north, ↓]", (("north",), ("↓",))),
        ('["r1c2", "r1c3"]', (("r1", "c2"), ("r1", "c3"))),
        ('"[[1, 2], [1, 3]]"', (("1", "2"), ("1", "3"))),
        ("[[010, 1]]", (("010", "1"),)),
    ],
)
def test_places_are_read_however_they_are_bracketed(coordinates: str, moves: tuple[tuple[str, ...], ...]) -> None:
    assert read_extraction(moved(coordinates)).moves == moves


@pytest.mark.parametrize(("symbols", "moves"), [("letter_letter", (("D", "E"),)), ("directions", (("D",), ("E",)))])
def test_letters_that_could_be_directions_are_what_the_grader_says(
    symbols: str, moves: tuple[tuple[str, ...], ...]
) -> None:
    assert read_extraction(moved("[[D, E]]", symbols)).moves == moves


def test_what_was_only_considered_need_not_be_a_place() -> None:
    read = read_extraction(moved("none").replace("turn_type: move", "turn_type: consider"))

    assert [entry.coordinates for entry in read.route] == [()]


def test_agents_and_turns_are_levelled() -> None:
    read = read_extraction(ANSWER.replace('"agent_1"', "Agent 1").replace("turn: 3", "turn: turns 3 to 5"))

    assert [(entry.turn, entry.agent) for entry in read.route] == [(1, "agent_1"), (2, "both"), (5, "both")]


# -- refusals


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I think they reached the goal.", "it holds no YAML with `route_schema:` and `route:`"),
        (SCHEMA, "it has no `route:`"),
        (f"{SCHEMA}route:\n  - up\n", "entry 1 of the route is no mapping"),
        (ANSWER.replace('"0"', '"<0|1>"'), "maze_origin still holds the template (<0|1>); choose 0 or 1"),
        (ANSWER.replace('"0"', "<0|1>"), "maze_origin still holds the template"),
        (ANSWER.replace("row_col", "<row_col | col_row>"), "coordinates_orientation still holds the template"),
        (ANSWER.replace("top_left", "middle"), "maze_orientation cannot be middle; choose top_left, "),
        (
            ANSWER.replace('"consider"', '"<move|consider>"'),
            "entry 1 of the route still holds the template in `turn_type`",
        ),
        (ANSWER.replace('"agent_1"', '"<agent_1|agent_2>|both"'), "still holds the template in `agent`"),
        (ANSWER.replace("turn: 1", "turn: <turn_number>"), "entry 1 of the route still holds the template in `turn`"),
        (ANSWER.replace("turn: 1", "turn: first"), "entry 1 of the route has the turn 'first', which is no number"),
        (ANSWER.replace("turn: 1", "when: 1"), "entry 1 of the route has no `turn`"),
        (ANSWER.replace('    turn_type: "consider"\n', ""), "entry 1 of the route has no `turn_type`"),
        (ANSWER.replace("consider", "stay"), "turn 1 has the turn_type 'stay'; it is move or consider"),
        (moved("[]"), "turn 1 is a move without coordinates"),
        (moved("[[<coordinate_1>, <coordinate_2>], ..]"), "the coordinates of turn 1 cannot be read"),
        (moved("the goal"), "the coordinates of turn 1 cannot be read: 'the goal' names no cell and no direction"),
        (moved("[[1, 2, 3]]"), "1, 2, 3 is a list without pairs"),
        (moved("1, 2, 3"), "'1, 2, 3' is no pair of numbers"),
        (moved("[[1]]"), "'1' is no pair of numbers"),
        (moved("{x: 1, y: 2}"), "names no cell and no direction"),
        (moved("not up"), "'not up' says where nobody went"),
        (moved("1:2"), "'1:2' names no cell and no direction"),
        (moved("[[yes, no]]"), "cannot be read"),
        (moved("1_2"), "'1_2' names no cell and no direction"),
        ("route: none", "`route` is no list; give one entry for each turn, or [] if nobody moved"),
        (ANSWER.replace("  - turn: 3", "    turn: 3"), "its YAML says `turn` twice in one mapping (from line 11 on)"),
        (ANSWER + ROUTE, "its YAML says `route` twice in one mapping"),
        (ROUTE + SCHEMA + "route: []\n", "its YAML says `route` twice in one mapping"),
        (ANSWER.replace("  - turn: 3", "Then on:\n  - turn: 3"), "entries of the route stand under `then_on`"),
        (ANSWER.replace("  - turn: 3", "Then they went on.\n  - turn: 3"), "its YAML cannot be parsed (line "),
        (ANSWER.replace('"both"', "the moon"), "turn 2 has the agent 'the moon'; it is one of the speakers, or both"),
        (ANSWER.replace('"both"', "none"), "turn 2 has the agent 'none'"),
        (ANSWER[: ANSWER.index("1], [1, 2]")], "its YAML cannot be parsed (line "),
        (ANSWER[: ANSWER.index('"move"\n    agent: "both"\n  - turn: 3')], "entry 2 of the route has no `turn_type`"),
        (ANSWER.replace('"both"', '"both"|"agent_1"'), "its YAML cannot be parsed (line 14: "),
        ("route: &r\n  - turn: 1\n    coordinates: *r\n", "its YAML holds an alias"),
        (f"route: {'[' * 40_000}", "its YAML is nested too deeply"),
        (f"route:\n  {'- ' * 20_000}", "its YAML is nested too deeply"),
        (f"route: [0x{'f' * 20000}]", "entry 1 of the route is no mapping"),
        (f"route:\n{' ' * MAX_YAML}", f"its YAML is longer than {MAX_YAML} characters"),
        ("a" * (MAX_ANSWER + 1), f"it is longer than {MAX_ANSWER} characters"),
    ],
)
def test_what_is_not_plain_is_refused_with_a_clause_that_names_it(text: str, problem: str) -> None:
    assert problem in said(text)


def test_python_objects_are_not_made() -> None:
    assert "could not determine a constructor" in said("route: !!python/object/apply:os.getcwd []")


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from([*ANSWER, "```", "\n", "route:", "[", "]", "{", "}", "<0|1>", "- ", ": ", "\t", "&a", "*a"])
    )
)
def test_no_text_makes_the_reader_fail(pieces: list[str]) -> None:
    text = "".join(pieces)

    for answer in (text, f"route:\n  - turn: 1\n    coordinates: {text}\n    turn_type: move\n"):
        try:
            read = read_extraction(answer)
        except UnreadableGradeError:
            continue
        assert all(symbols_of(spoken) for spoken in read.moves)


@given(cut=st.integers(0, len(ANSWER)))
def test_an_answer_that_is_cut_anywhere_is_refused_or_reads_as_far_as_it_goes(cut: int) -> None:
    try:
        moves = read_extraction(ANSWER[:cut]).moves
    except UnreadableGradeError:
        return
    assert moves == MOVES[: len(moves)]
