"""How alike two graphs are: against networkx, by hand, and what a player's claim is read as."""

import random
from importlib import import_module
from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld.graphs import edits
from palaver_gamemasters.clembench.mapworld.graphs.similarity import (
    NoGraphError,
    graph_distance,
    graph_of,
    read_graph,
    similarity,
)

nx: Any = import_module("networkx")

PATH = (range(8), [(i, i + 1) for i in range(7)])


@pytest.mark.parametrize(("distance", "score"), [(0, 100), (1, 75.508), (2, 53.788), (4, 23.841), (6, 9.485)])
def test_similarity_has_the_published_values(distance: int, score: float) -> None:
    assert 100 * similarity(distance) == pytest.approx(score, abs=5e-4)


def drawn(dice: random.Random, rooms: int, loops: int) -> Any:
    """A graph whose nodes and edges come in any order."""
    likely = dice.random()
    nodes = dice.sample(range(rooms), rooms)
    pairs = [(a, b) for a in nodes for b in nodes if a < b and dice.random() < likely]
    pairs += [(node, node) for node in dice.sample(nodes, min(loops, rooms))]
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(dice.sample(pairs, len(pairs)))
    return graph


@pytest.mark.parametrize(("loops", "others"), [(0, 0), (1, 0), (3, 0), (0, 2), (1, 1), (3, 3)])
def test_the_distance_is_that_of_networkx(loops: int, others: int) -> None:
    dice = random.Random(f"{loops} {others}")
    for _ in range(60):
        a, b = drawn(dice, dice.randrange(7), loops), drawn(dice, dice.randrange(6), others)
        found = graph_distance(a.nodes, a.edges, b.nodes, b.edges)
        expected = nx.graph_edit_distance(a, b)
        assert found == (expected, True), (a.nodes, a.edges, b.nodes, b.edges)


@pytest.mark.parametrize(
    ("nodes", "pairs", "expected"),
    [
        ("abcd", "ab bc cd", 0),
        ("dcba", "dc cb ba", 0),
        ("abcd", "ab bc cd da", 1),
        ("abcd", "ab bc", 1),
        ("abc", "ab bc", 2),
        ("abcd", "ab ac ad", 2),
        ("", "", 7),
        ("abcde", "", 4),
        ("", "ab bc cd", 0),
        ("abcd", "ab ba bc bc cd", 0),
    ],
)
def test_distances_from_a_path_of_four_rooms(nodes: str, pairs: str, expected: int) -> None:
    found = graph_distance(nodes, [(pair[0], pair[1]) for pair in pairs.split()], range(4), [(0, 1), (1, 2), (2, 3)])
    assert found == (expected, True)


def test_a_loop_stands_for_an_edge_that_is_missing_as_in_networkx() -> None:
    # to add an edge and to take the loop away would be two edits
    assert graph_distance("ab", [("b", "b")], "xy", [("x", "y")]) == (0, True)
    assert graph_distance("ab", [("b", "b")], "xy", []) == (1, True)


def test_what_would_take_too_long_is_cut_short_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "WORK", 300)
    wheel = [(0, i) for i in range(1, 12)] + [(i, i % 11 + 1) for i in range(1, 12)]
    grid = [(i, i + 1) for i in range(11) if i % 4 != 3] + [(i, i + 4) for i in range(8)]
    for loops in ([], [(3, 3)]):
        found = graph_distance(range(12), wheel + loops, range(12), grid)
        assert not found.exact
        assert abs(len(wheel) - len(grid)) <= found.edits <= 24 + len(wheel) + len(grid) + 1


def test_thirty_rooms_are_compared_with_eight() -> None:
    claimed = [(i, i + 1) for i in range(29)]
    assert graph_distance(range(30), claimed, *PATH) == (22 + 22, True)


def test_nodes_that_only_edges_name_are_nodes_and_edges_count_once() -> None:
    assert graph_of(["a"], [("a", "b"), ("b", "a"), ("b", "b")]) == (("a", "b"), (("a", "b"), ("b", "b")))


def test_a_graph_is_read_from_its_nodes_and_edges_by_direction() -> None:
    value = {"nodes": ["A", "B"], "edges": {"north": [["A", "B"]], "west": [["B", "C"], ["A"], ["A", "B", "C"], ""]}}
    assert read_graph(value) == (("A", "B", "C"), (("A", "B"), ("B", "C")))


LENIENTLY: list[tuple[Any, tuple[Any, Any]]] = [
    ({"nodes": ["A", "B"], "edges": {"up": [["A", "B"]]}}, (("A", "B"), (("A", "B"),))),
    ({"nodes": ["A", "B"], "edges": [["A", "B"]]}, (("A", "B"), (("A", "B"),))),
    ({"Nodes": ["A"], "Edges": {"north": [["A", "B"]]}}, (("A", "B"), (("A", "B"),))),
    ({"nodes": ["A"]}, (("A",), ())),
    ({"nodes": 3, "edges": {"north": []}}, ((), ())),
    ({"nodes": ["A", None], "edges": {}}, (("A",), ())),
    ({"nodes": ["A", ["B"]], "edges": {}}, (("A",), ())),
    ({"nodes": ["A"], "edges": {"north": [None, 3, ["A", "B"]]}}, (("A", "B"), (("A", "B"),))),
    ({"nodes": ["A"], "edges": {"north": 3, "south": [["A", ["B"]]]}}, (("A",), ())),
    ({"nodes": ["A"], "edges": {"north": [["A", None]]}}, (("A",), ())),
    ({"nodes": ["A"], "edges": {"north": [{"from": "A", "to": "B"}]}}, (("A",), ())),
    ([], ((), ())),
]


@pytest.mark.parametrize(("value", "graph"), LENIENTLY)
def test_what_v165_cannot_read_is_no_graph_but_leniently_what_makes_sense_of_it(
    value: Any, graph: tuple[Any, Any]
) -> None:
    with pytest.raises(NoGraphError):
        read_graph(value)
    assert read_graph(value, lenient=True) == graph


def test_an_edge_under_a_direction_that_is_none_is_an_error_only_if_it_has_two_ends() -> None:
    assert read_graph({"nodes": [], "edges": {"up": [], "down": [["A"]]}}) == ((), ())


def test_leniently_a_room_is_not_connected_with_itself() -> None:
    value = {"nodes": ["A"], "edges": {"north": [["A", "A"]]}}
    assert read_graph(value) == (("A",), (("A", "A"),))
    assert read_graph(value, lenient=True) == (("A",), ())
