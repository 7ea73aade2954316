"""The textual graph game: what counts as an answer, what is evaluated, what is logged twice."""

import json
import warnings
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver_gamemasters.clembench.mapworld import TEXT_GRAPHS
from palaver_gamemasters.clembench.mapworld.text.literals import LONGEST, literal
from tests.gamemasters.clembench.mapworld_texts import TOUR, drawn, told, walk
from tests.gamemasters.clembench.playing import events

HALL = {"nodes": ["Hall"], "edges": {}}
WHOLE = {
    "nodes": ["HALL", "kitchen", "Bar", "Attic"],
    "edges": {"north": [["hall", "ATTIC"]], "east": [["Hall", "Kitchen"], ["Kitchen", "Bar"], ["kitchen", "bar"]]},
}
GRAPH = '"graph":{"nodes":[],"edges":{}}'


def similarity_of(*texts: str, **options: Any) -> float | None:
    return TEXT_GRAPHS.score(walk(TEXT_GRAPHS, *texts, **options))["graph_similarity"]


def test_an_answer_is_kept_on_one_line() -> None:
    state = walk(TEXT_GRAPHS, '\n {"action":\n "GO: north",\n "graph": {"nodes": [], "edges": {}}}\n')
    assert state.history("guesser")[1].text == '{"action": "GO: north", "graph": {"nodes": [], "edges": {}}}'
    assert "entered Attic" in told(state)


@pytest.mark.parametrize("text", [drawn("DONE"), drawn("done"), drawn("DONE").replace('"DONE"', '\n"DONE"')])
def test_done_with_a_graph_stops(text: str) -> None:
    assert TEXT_GRAPHS.outcome(walk(TEXT_GRAPHS, text)) == "failed"


@pytest.mark.parametrize(
    "text",
    [
        "DONE",
        "GO: north",
        "",
        drawn("up"),
        drawn(" DONE"),
        drawn("GO: north "),
        "Sure! " + drawn("GO: north"),
        f"```json\n{drawn('GO: north')}\n```",
        '{"graph":{"nodes":[],"edges":{}},"action":"GO: north"}',
        '{"action":"GO: north","graph":"{...}"}',
        '{"action":"GO: north"}',
        '{"action":"GO: north","graph":{"nodes":[],"edges":[]}}',
    ],
)
def test_what_has_not_the_form_aborts(text: str) -> None:
    state = walk(TEXT_GRAPHS, drawn("GO: north"), text)
    assert TEXT_GRAPHS.outcome(state) == "aborted"
    assert ("aborted", True) in events(state)


@pytest.mark.parametrize(
    "text",
    [
        '{"action":"GO: north","graph":{"nodes":[null],"edges":{}}}',
        '{"action":"GO: north","graph":{"nodes":[true],"edges":{}}}',
        '{"Action":"GO: north",' + GRAPH + "}",
        '{"action":"GO: north","Graph":{"nodes":[],"edges":{}}}',
        '{"action":"GO: north","graph":{"nodes":[],"edges":{}},"action":"up","x":{"y":{}}}',
        '{"action":"GO: north","graph":{"nodes":[],"edges":{[]: 1}}}',
        '{"action":"GO: north","graph":{"nodes":[' + "[" * 3000 + "]" * 3000 + '],"edges":{}}}',
        '{"action":"GO: north","graph":{"nodes":[' + "9" * 5000 + '],"edges":{}}}',
        '{"action":"GO: north","graph":{"nodes":[0x' + "f" * 5000 + '],"edges":{}}}',
        '{"action":"GO: north","graph":{"nodes":["\\ud800", "\x00"],"edges":{}}}',
        '{"action":"GO: north","graph":{"nodes":[print("hello")],"edges":{}}}',
    ],
    ids=lambda text: text[:70],
)
def test_a_move_that_is_no_python_literal_aborts(text: str) -> None:
    assert TEXT_GRAPHS.outcome(walk(TEXT_GRAPHS, text)) == "aborted"


def test_there_is_an_end_to_what_an_answer_may_cost() -> None:
    long = drawn("DONE", {"nodes": [":" * 1000], "edges": {}})
    assert TEXT_GRAPHS.outcome(walk(TEXT_GRAPHS, long)) == "aborted"
    with pytest.raises(ValueError, match=f"{LONGEST} are read"):
        literal(f"'{'a' * LONGEST}'")


def test_what_comes_with_done_is_not_evaluated() -> None:
    text = '{"action":"DONE","graph":{"nodes":[null],"edges":{}}}'
    assert TEXT_GRAPHS.outcome(walk(TEXT_GRAPHS, text)) == "failed"


def test_tuples_will_do() -> None:
    text = '{"action":"GO: north","graph":{"nodes":["Hall","Attic"],"edges":{"north":[("Hall","Attic")]}}}'
    assert similarity_of(text, drawn("DONE")) == pytest.approx(23.841, abs=1e-3)


def test_escapes_that_are_none_give_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = walk(TEXT_GRAPHS, '{"action":"GO: north","graph":{"nodes":["\\d"],"edges":{}}}')
    assert "entered Attic" in told(state)


def test_there_is_no_way_to_the_capital_north() -> None:
    state = walk(TEXT_GRAPHS, drawn("GO: North"))
    assert "still in the Hall" in told(state)
    assert events(state) == []


def test_a_move_is_logged_with_its_graph() -> None:
    state = walk(TEXT_GRAPHS, drawn("GO: north", HALL))
    assert events(state) == [("move", '{"old": "Hall", "new": "Attic"}'), ("graph", str(HALL))]


def test_the_last_move_is_logged_again_with_done() -> None:
    state = walk(TEXT_GRAPHS, drawn("GO: north", HALL), drawn("DONE", WHOLE))
    move = [("move", '{"old": "Hall", "new": "Attic"}'), ("graph", str(HALL))]
    assert events(state) == [*move, ("stop", True), *move]


def test_done_at_once_logs_a_move_from_nowhere() -> None:
    state = walk(TEXT_GRAPHS, drawn("DONE", WHOLE))
    assert events(state) == [("stop", True), ("move", '{"old": null, "new": "Hall"}'), ("graph", "None")]
    scores = TEXT_GRAPHS.score(state)
    assert (scores["moves"], scores["valid_moves"], scores["graph_similarity"]) == (1, 1, 0)


def test_done_after_a_way_that_was_not_there_logs_nothing_more() -> None:
    state = walk(TEXT_GRAPHS, drawn("GO: west"), drawn("DONE"))
    assert events(state) == [("stop", True)]
    assert TEXT_GRAPHS.score(state)["graph_similarity"] == 0


def test_the_move_that_is_logged_twice_is_a_bad_one() -> None:
    scores = TEXT_GRAPHS.score(walk(TEXT_GRAPHS, *map(drawn, TOUR), drawn("DONE")))
    assert (scores["moves"], scores["efficiency"]) == (5, 80)
    assert scores["Main Score"] == pytest.approx(88.888, abs=1e-3)


def test_the_graph_that_comes_with_done_is_not_measured() -> None:
    assert similarity_of(drawn("GO: north", WHOLE), drawn("DONE", HALL)) == 100


@pytest.mark.parametrize(
    "graph",
    [
        {"nodes": [1], "edges": {}},
        {"nodes": ["A"], "edges": {"north": [["A"]]}},
        {"nodes": ["A"], "edges": {"north": [1]}},
        {"nodes": ["A"], "edges": {"north": 1}},
        {"nodes": ["A"], "edges": {"north": [[1, 2]]}},
        {"nodes": ["A"], "edges": {"north": [["A", "B", "C"]]}},
        {"nodes": [["A"]], "edges": {}},
        {"nodes": ["A"], "edges": {"north": [{"A": "B"}]}},
    ],
)
def test_a_claim_that_makes_no_graph_is_worth_nothing(graph: dict[str, object]) -> None:
    assert similarity_of(drawn("GO: north", graph), drawn("DONE")) == 0


def test_any_name_of_a_direction_will_do() -> None:
    graph = {"nodes": ["A", "B"], "edges": {"up": [["A", "B"]]}}
    assert similarity_of(drawn("GO: north", graph), drawn("DONE")) == pytest.approx(23.841, abs=1e-3)


def test_no_similarity_without_an_end() -> None:
    assert similarity_of(drawn("GO: north", WHOLE), "DONE") is None


def test_cleanly_nothing_is_logged_twice_and_the_last_graph_counts() -> None:
    state = walk(TEXT_GRAPHS, drawn("GO: north", HALL), drawn("DONE", WHOLE), profile="clean")
    assert [kind for kind, _ in events(state)] == ["move", "graph", "stop", "graph"]
    assert TEXT_GRAPHS.score(state)["graph_similarity"] == 100


def test_cleanly_a_bare_done_will_do_and_a_bare_move_will_not() -> None:
    state = walk(TEXT_GRAPHS, drawn("GO: north", WHOLE), " DONE\n", profile="clean")
    assert TEXT_GRAPHS.outcome(state) == "failed"
    assert TEXT_GRAPHS.score(state)["graph_similarity"] == 100
    assert TEXT_GRAPHS.outcome(walk(TEXT_GRAPHS, "GO: north", profile="clean")) == "aborted"


def test_cleanly_there_is_a_way_to_the_capital_north() -> None:
    assert "entered Attic" in told(walk(TEXT_GRAPHS, drawn("GO: North"), profile="clean"))


@pytest.mark.parametrize(
    "text",
    [
        '{"action":"GO: north","graph":{"nodes":["Hall"],"edges":{"north":null}}}',
        '{"Action":"GO: north","graph":{"nodes":["Hall"],"edges":{}}}',
        '{"action":"GO: north","graph":{"nodes":[' + "[" * 3000 + "]" * 3000 + '],"edges":{}}}',
    ],
    ids=["json", "capital key", "deep"],
)
def test_cleanly_a_graph_that_cannot_be_read_stops_nobody(text: str) -> None:
    state = walk(TEXT_GRAPHS, text, profile="clean")
    assert "entered Attic" in told(state)
    assert similarity_of(text, "DONE", profile="clean") == 0


PIECES = ["{", "}", "[", "]", '"action":', '"GO: north"', '"DONE"', ",", '"graph":', '"nodes":[]', '"edges":{}']
ODDITIES = [GRAPH, "\n", " ", "null", "(1,)", "\\", "\x00", "é"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES + ODDITIES), max_size=14).map("".join))
def test_whatever_is_said_is_heard(text: str) -> None:
    for profile in ("published", "clean"):
        state = walk(TEXT_GRAPHS, text, profile=profile)
        assert TEXT_GRAPHS.outcome(state) in (None, "failed", "aborted")
        assert TEXT_GRAPHS.score(state)["Aborted"] in (0, 1)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_a_literal_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert literal(text) == literal(f"{text} ")


def test_json_is_no_python() -> None:
    with pytest.raises(ValueError, match="no Python literal"):
        literal(json.dumps([None]))
