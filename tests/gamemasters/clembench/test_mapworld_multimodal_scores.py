"""The measures of MapWorld with pictures, by hand."""

from typing import Any

import pytest

from palaver_gamemasters.clembench.mapworld import MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM
from palaver_gamemasters.clembench.mapworld.multimodal.game import MultimodalMapWorld, MultimodalState
from palaver_gamemasters.clembench.mapworld.walk import harmonic, walked
from tests.gamemasters.clembench.mapworld_pictured import TOUR, WEST, draw, go, instance, walk

GAMES = pytest.mark.parametrize(
    "game", [MULTIMODAL, MULTIMODAL_GRAPHS, MULTIMODAL_ROOM], ids=["explore", "graphs", "find"]
)
WHOLE = {
    "nodes": ["Hall", "Kitchen", "Bar", "Attic"],
    "edges": {"north": [["Hall", "Attic"]], "east": [["Hall", "Kitchen"], ["Kitchen", "Bar"]]},
}
UNREADABLE: list[Any] = [
    {"nodes": ["A", "B"], "edges": {"up": [["A", "B"]]}},
    {"nodes": ["A"], "edges": {"north": [None]}},
    {"nodes": [["A"]], "edges": {"north": []}},
    {"nodes": [None], "edges": {"north": []}},
]


def scores(game: MultimodalMapWorld, *ways: str, **options: Any) -> dict[str, float | None]:
    say = draw if game is MULTIMODAL_GRAPHS else go
    return dict(game.score(walk(game, *map(say, ways), **options)))


def test_a_perfect_tour() -> None:
    assert scores(MULTIMODAL, *TOUR, "DONE") == {
        "Aborted": 0,
        "Success": 1,
        "Lose": 0,
        "moves": 4,
        "valid_moves": 4,
        "invalid_moves": 0,
        "visited": 4,
        "seen": 4,
        "effieciency": 100,
        "exploration": 100,
        "Main Score": 100,
        "success": 1,
    }
    assert MULTIMODAL.outcome(walk(MULTIMODAL, *map(go, TOUR), go("DONE"))) == "solved"


def test_turning_back_before_the_near_end_is_a_bad_move() -> None:
    # from the middle, the end of the corridor is nearer than the room north of the start
    found = scores(MULTIMODAL, "east", "west", "north", "south", "east", "east", "DONE")
    assert found["effieciency"] == pytest.approx(100 * 5 / 6)
    assert found["Main Score"] == pytest.approx(harmonic(100, 100 * 5 / 6))


def test_walls_and_moves_after_the_last_room_are_bad_moves() -> None:
    found = scores(MULTIMODAL, "south", *TOUR, "west", "DONE")
    assert (found["moves"], found["valid_moves"], found["invalid_moves"]) == (6, 5, 1)
    assert found["effieciency"] == pytest.approx(100 * 4 / 6)


def test_a_part_of_the_map_is_lost_but_not_worth_nothing() -> None:
    found = scores(MULTIMODAL, "north", "south", "east", "DONE")
    assert (found["Success"], found["Lose"], found["success"]) == (0, 1, 0)
    assert (found["visited"], found["seen"], found["exploration"]) == (3, 4, 75)
    assert found["Main Score"] == pytest.approx(600 / 7)


def test_done_at_once_is_played_and_worth_nothing() -> None:
    found = scores(MULTIMODAL, "DONE")
    assert (found["Aborted"], found["Lose"], found["effieciency"], found["exploration"]) == (0, 1, 0, 25)
    assert (found["Main Score"], found["seen"]) == (0, 3)


OWN = {MULTIMODAL: {"effieciency"}, MULTIMODAL_GRAPHS: {"efficiency", "graph_similarity"}}


@GAMES
def test_an_aborted_episode_has_no_measures(game: MultimodalMapWorld) -> None:
    found = scores(game, "east", "south", "HALT")
    names = {"Success", "Lose", "moves", "valid_moves", "invalid_moves", "visited", "seen", "exploration", "Main Score"}
    expected = dict.fromkeys(names | OWN.get(game, {"effieciency"}))
    assert found == {"Aborted": 1, "success": 0, **expected}


@GAMES
def test_cleanly_an_aborted_episode_is_neither_won_nor_lost_and_has_been_walked(game: MultimodalMapWorld) -> None:
    found = scores(game, "east", "south", "HALT", profile="clean")
    assert (found["Aborted"], found["Success"], found["Lose"], found["Main Score"]) == (1, 0, 0, None)
    assert (found["moves"], found["invalid_moves"], found["visited"]) == (2, 1, 2)


@GAMES
def test_cleanly_efficiency_is_spelt_right(game: MultimodalMapWorld) -> None:
    found = scores(game, "east", "DONE", profile="clean")
    assert "efficiency" in found
    assert "effieciency" not in found


@GAMES
def test_an_episode_that_goes_on_is_neither_won_nor_lost(game: MultimodalMapWorld) -> None:
    found = scores(game, *TOUR)
    assert (found["Aborted"], found["Success"], found["Lose"], found["Main Score"]) == (0, 0, 0, None)
    assert (found["moves"], found["success"]) == (4, 0)


# graphs


def graphs(*answers: str, **options: Any) -> dict[str, float | None]:
    return dict(MULTIMODAL_GRAPHS.score(walk(MULTIMODAL_GRAPHS, *answers, **options)))


def test_the_last_graph_is_compared_with_the_map() -> None:
    assert graphs(draw("east"), draw("DONE", WHOLE))["graph_similarity"] == 100
    assert graphs(draw("east", WHOLE), draw("DONE"))["graph_similarity"] == pytest.approx(100 * 0.058628, abs=1e-3)


def test_the_graph_does_not_count_for_the_main_score() -> None:
    with_graph = graphs(*[draw(way, WHOLE) for way in (*TOUR, "DONE")])
    without = graphs(*map(draw, (*TOUR, "DONE")))
    assert with_graph["Main Score"] == without["Main Score"] == 100


def test_directions_of_a_graph_may_be_written_with_capitals() -> None:
    capitals = {"nodes": WHOLE["nodes"], "edges": {"North": [["Hall", "Attic"]], "EAST": [["Hall", "Kitchen"]]}}
    assert graphs(draw("DONE", capitals))["graph_similarity"] == pytest.approx(75.508, abs=5e-4)


def test_a_graph_that_is_no_json_is_an_empty_one() -> None:
    said = draw("DONE", WHOLE).replace('"Attic"]', '"Attic",]')
    assert graphs(said)["graph_similarity"] == graphs(draw("DONE"))["graph_similarity"]


@pytest.mark.parametrize("graph", UNREADABLE)
@pytest.mark.parametrize("last", ["DONE", "HALT"])
def test_v165_raises_at_graphs_that_it_cannot_read_even_where_the_episode_was_aborted(graph: Any, last: str) -> None:
    state = walk(MULTIMODAL_GRAPHS, draw("east", graph), draw(last, WHOLE))
    assert (MULTIMODAL_GRAPHS.outcome(state), MULTIMODAL_GRAPHS.score(state)) == ("crashed", {})


def test_v165_raises_at_edges_that_are_a_list_and_at_keys_with_capitals() -> None:
    for old, new in (('"edges": {}', '"edges": {}, "edges": []'), ('"nodes"', '"Nodes"')):
        said = draw("DONE", {"nodes": ["A"], "edges": {}, "more": {}}).replace(old, new)
        assert MULTIMODAL_GRAPHS.outcome(walk(MULTIMODAL_GRAPHS, said)) == "crashed"


@pytest.mark.parametrize("graph", UNREADABLE)
def test_cleanly_no_graph_raises(graph: Any) -> None:
    state = walk(MULTIMODAL_GRAPHS, draw("east", graph), draw("DONE", graph), profile="clean")
    assert MULTIMODAL_GRAPHS.outcome(state) == "failed"
    assert 0 < (MULTIMODAL_GRAPHS.score(state)["graph_similarity"] or 0) < 100


def test_no_graph_at_all_is_unlike() -> None:
    assert graphs()["graph_similarity"] == 0


# a room to be found


def test_the_room_is_found_whatever_the_way_was() -> None:
    straight = scores(MULTIMODAL_ROOM, "east", "east", "DONE")
    assert straight == {
        "Aborted": 0,
        "Success": 1,
        "Lose": 0,
        "moves": 2,
        "valid_moves": 2,
        "invalid_moves": 0,
        "visited": 3,
        "seen": 4,
        "effieciency": 100,
        "finding": 100,
        "Main Score": 100,
        "success": 1,
    }
    around = scores(MULTIMODAL_ROOM, "north", "south", "south", "east", "east", "DONE")
    assert (around["Main Score"], around["effieciency"]) == (100, 25)


def test_to_stop_elsewhere_is_to_lose() -> None:
    found = scores(MULTIMODAL_ROOM, "east", "east", "west", "DONE")
    assert (found["Success"], found["Lose"], found["finding"], found["Main Score"]) == (0, 1, 0, 0)


def test_done_at_once_wins_where_one_begins_in_the_room() -> None:
    on = instance(MULTIMODAL_ROOM, target=str(WEST), dist=0)
    found = scores(MULTIMODAL_ROOM, "DONE", given=on)
    assert (found["Success"], found["effieciency"], found["Main Score"]) == (1, 100, 100)


@pytest.mark.parametrize(("a", "b", "mean"), [(0, 0, 0), (0, 50, 0), (100, 100, 100), (75, 100, 600 / 7)])
def test_the_harmonic_mean(a: float, b: float, mean: float) -> None:
    assert harmonic(a, b) == pytest.approx(mean)


def last_is_good(now: MultimodalState, *, clean: bool) -> bool:
    map_ = now.setup
    return walked(map_.nodes, map_.edges, map_.start, now.moves, clean=clean, known_only=True).good[-1]


def test_cleanly_good_moves_are_those_of_truly_shortest_walks() -> None:
    # A side room f north of v was passed by, up to the dead end w; then y and z on the other side were visited, beyond
    # which g waits. Back at x, it is best to look into f first. v1.6.5 does not turn back at v while w is left to look
    # into (section 5.5), which makes that way the longer one.
    rooms = {"x": (1, 1), "v": (2, 1), "w": (3, 1), "f": (2, 2), "y": (0, 1), "z": (0, 2), "g": (0, 3)}
    links = [(rooms[pair[0]], rooms[pair[1]]) for pair in ("xv", "vw", "vf", "xy", "yz", "zg")]
    names = [str(place) for place in rooms.values()]
    given = instance(
        MULTIMODAL,
        nodes=names,
        edges=[str(edge) for edge in (*links, *((b, a) for a, b in links))],
        imgs=dict.fromkeys(names, "room-1-1.png"),
    )
    ways = ("east", "east", "west", "west", "west", "north", "south", "east", "east")
    there = walk(MULTIMODAL, *map(go, ways), given=given).now
    assert there.moves[-1] == (rooms["x"], rooms["v"])
    assert [last_is_good(there, clean=clean) for clean in (False, True)] == [False, True]
