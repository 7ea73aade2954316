"""A second opinion on the ten clembench games: outcome and scores of an episode, written down plainly.

Nothing here is shared with the game masters: no import, no helper, no data structure. It reads like the description
of the games (sections 3 to 8 of the notes on v1.6.5) and was written from it alone, so that the same mistake would
have to be made twice. Dicts and loops on purpose.
"""

import ast
import itertools
import json
import math
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeAlias

__all__ = ["edit_distance", "verdict"]

nx: Any = import_module("networkx")  # it has no types

Scores: TypeAlias = dict[str, float | None]
Verdict: TypeAlias = tuple[str, Scores | None]
Fields: TypeAlias = Mapping[str, Any]
Edge: TypeAlias = tuple[Any, Any]

TURNS = 20
LONGEST_WALK = 100
STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}


def verdict(game: str, instance: Mapping[str, Fields], texts: Sequence[str]) -> Verdict:
    """Return (outcome, scores) of an episode by the letter; scores are None where v1.6.5 writes none.

    ``instance`` holds ``experiment`` and ``instance``, ``texts`` the responses in the order of the calls.
    """
    fields = {**instance["experiment"], **instance["instance"]}
    return JUDGES[game](fields, list(texts))


# --- MatchIt (section 3) ---------------------------------------------------------------------------------------------


def _calls(turns: int) -> list[tuple[str, str]]:
    """Who is asked for what, in order (the table of section 3.3)."""
    calls = [("A", "description"), ("B", "description"), ("B", "question"), ("A", "answer")]
    for turn in range(1, turns + 1):
        if turn > 1:
            calls.append(("A", "answer"))
        calls.append(("A", "question"))
        calls.append(("B", "answer"))
        if turn < turns:
            calls.append(("B", "question"))
    return [*calls, ("B", "decision"), ("A", "decision")]


def _matchit(fields: Fields, texts: list[str]) -> Verdict:
    parsed = violated = 0
    decisions = []
    aborted = False
    for number, (_, kind) in enumerate(_calls(fields["decision_turn"])):
        if number >= len(texts):
            return "incomplete", None
        text = texts[number]
        if text.strip() == "":
            violated, aborted = violated + 1, True
            break
        lines = [line for line in text.strip().split("\n") if line != ""]
        if lines[0].split(" ")[0] != fields["flags"][kind]:
            violated, aborted = violated + 1, True
            break
        parsed += 1
        if kind == "decision":
            said = text.lower().strip(".\n")
            if said == ("DECISION: " + fields["solution"]).lower():
                decisions.append(True)
            elif said == ("DECISION: " + fields["wrong_solution"]).lower():
                decisions.append(False)
            else:
                violated, aborted = violated + 1, True
                break
    scores: Scores = {
        "Parsed Request Count": parsed,
        "Violated Request Count": violated,
        "Request Count": parsed + violated,
        "Aborted": int(aborted),
        "Success": 0,
        "Lose": 0,
        "Main Score": None,
        "Player Score": None,
    }
    if aborted:
        return "aborted", scores
    solved = all(decisions)
    scores.update({"Success": int(solved), "Lose": int(not solved), "Main Score": 100 if solved else 0})
    scores["Player Score"] = {0: 0, 1: 50, 2: 100}[sum(decisions)]
    return _outcome(scores), scores


# --- reference game (section 4) --------------------------------------------------------------------------------------


def _reference(fields: Fields, texts: list[str], *, pictures: bool) -> Verdict:
    if not texts:
        return "incomplete", None
    first = texts[0].strip() if pictures else texts[0]
    match = re.match(fields["player_1_response_pattern"], first, re.IGNORECASE)
    length: float | None = None
    tokens: float | None = None
    answer = None
    if match is None or match.group("remainder") != "":
        at, requests, parsed = 1, 1, 0
    else:
        if len(texts) < 2:
            return "incomplete", None
        length = len(match.group("content"))
        tokens = len(match.group("content").split(" "))
        liberal = re.match(fields["player_2_response_pattern"], texts[1], re.IGNORECASE)
        requests = 2
        if liberal is None:
            at, parsed = 2, 1
        else:
            at, parsed = 0, 2
            answer = liberal.group("content").lower()
    success = int(answer in fields["target_grid_name" if not pictures else "target_image_name"])
    scores: Scores = {
        "Generated Expression Length": length,
        "Generated Expression Number of Tokens": tokens,
        "Aborted at Player 1": int(at == 1),
        "Aborted at Player 2": int(at == 2),
        "Request Count": requests,
        "Parsed Request Count": parsed,
        "Violated Request Count": requests - parsed,
        "Request Success Ratio": round(parsed / requests, 4),
        "Success": success,
        "Lose": 1 - success,
        "Aborted": int(at > 0),
        "Main Score": None if at else 100 * success,
    }
    return _outcome(scores), scores


# --- MapWorld with pictures (sections 5 to 7) ------------------------------------------------------------------------


def _plain(text: str) -> str:
    """Section 5.4: newlines out, blanks off, directions in lower case wherever they stand."""
    text = text.replace("\n", "").strip()
    for word in ("north", "south", "east", "west"):
        text = text.replace(word.capitalize(), word).replace(word.upper(), word)
    return text


def _pictured(fields: Fields, texts: list[str], *, kind: str) -> Verdict:  # noqa: PLR0912 - a branch for each sentence
    nodes = [ast.literal_eval(node) for node in fields["nodes"]]
    edges = [ast.literal_eval(edge) for edge in fields["edges"]]
    room = start = ast.literal_eval(fields["start"])
    moves: list[Edge] = []
    graphs: list[str] = []
    done = aborted = False
    for turn in itertools.count():
        if aborted or done or turn == TURNS:
            break
        if turn >= len(texts):
            return "incomplete", None
        match = re.search(fields["response_regex"], _plain(texts[turn]), re.IGNORECASE)
        if match is None:
            aborted = True
            continue
        if kind == "graphs":
            action: Any = match.group(1)
            graphs.append(match.group(3))
        else:
            try:
                said = json.loads(match.group(0))
            except json.JSONDecodeError:
                aborted = True
                continue
            except (ValueError, RecursionError):  # a number of 5,000 digits, brackets in brackets: no error of JSON's
                return "crashed", None
            if "action" not in said or not isinstance(said["action"], str):
                return "crashed", None
            action = said["action"]
        if re.search(fields["done_regex"], action, re.IGNORECASE):
            done = True
            continue
        move = re.search(fields["move_regex"], action, re.IGNORECASE)
        if move is None:
            aborted = True
            continue
        x, y = STEPS.get(move.group(1).lower(), (0, 0))
        there = (room[0] + x, room[1] + y)
        if (room, there) not in edges:
            there = room
        moves.append((room, there))
        room = there
    if turn == TURNS:
        aborted = True
    similarity = 0.0
    if kind == "graphs":
        for graph in graphs:
            try:
                claim = _claim_of_json(graph)
            except _CrashError:
                return "crashed", None
            similarity = _similarity(claim, (nodes, edges))
    if aborted:
        return "aborted", {"Aborted": 1, "Success": None, "Lose": None, "Main Score": None}
    good, visited, seen = _replay(start, moves, nodes, edges, known_only=True)
    efficiency = 100 * sum(good) / max(len(good), 1)
    exploration = 100 * len(visited) / len(nodes)
    success = visited == set(nodes)
    valid = sum(old != new for old, new in moves)
    scores: Scores = {
        "Aborted": 0,
        "moves": len(moves),
        "valid_moves": valid,
        "invalid_moves": len(moves) - valid,
        "visited": len(visited),
        "seen": len(seen),
    }
    if kind == "specificroom":
        success = room == ast.literal_eval(fields["target"])
        scores["effieciency"] = 100 / max(1, 1 + len(moves) - int(fields["dist"]))
        scores["finding"] = scores["Main Score"] = 100 * int(success)
    else:
        scores["exploration"] = exploration
        scores["efficiency" if kind == "graphs" else "effieciency"] = efficiency
        scores["Main Score"] = _harmonic(exploration, efficiency)
    if kind == "graphs":
        scores["graph_similarity"] = 100 * similarity
    scores.update({"Success": int(success), "Lose": int(not success)})
    return _outcome(scores), scores


class _CrashError(Exception):
    """The scorer of v1.6.5 stops here with an exception of its own."""


def _claim_of_json(text: str) -> tuple[list[Any], list[Edge]]:
    """Section 6.2: the graph of one response, as the scorer of v1.6.5 builds it."""
    try:
        graph = json.loads(text)
    except json.JSONDecodeError:
        graph = {"nodes": [], "edges": {}}
    except (ValueError, RecursionError) as error:
        raise _CrashError from error
    if "nodes" not in graph or "edges" not in graph or not isinstance(graph["edges"], dict):
        raise _CrashError
    if not isinstance(graph["nodes"], (list, str, dict)):
        raise _CrashError
    nodes = [_name(node) for node in graph["nodes"]]
    edges: list[Edge] = []
    for direction, entries in graph["edges"].items():
        if not isinstance(entries, (list, str, dict)):
            raise _CrashError
        for entry in entries:
            if not isinstance(entry, (list, str, dict)):
                raise _CrashError
            if len(entry) == 2:
                if direction not in STEPS or isinstance(entry, dict):
                    raise _CrashError
                edges.append((_name(entry[0]), _name(entry[1])))
    return nodes, edges


def _name(node: Any) -> Any:
    if node is None or isinstance(node, (list, dict)):
        raise _CrashError
    return node


# --- MapWorld in text (section 8) ------------------------------------------------------------------------------------


def _textual(fields: Fields, texts: list[str], *, kind: str) -> Verdict:  # noqa: PLR0912 - a branch for each sentence
    nodes = ast.literal_eval(fields["Graph_Nodes"])
    once = ast.literal_eval(fields["Graph_Edges"])
    edges = [(b, a) for a, b in once] + once
    targets = {entry["node"]: dict(entry["node_moves"]) for entry in ast.literal_eval(fields["Moves"])}
    directions = dict(ast.literal_eval(fields["Directions"]))
    room = start = fields["Current_Position"]
    pair: Edge = (None, start)
    last_graph: Any = None
    rooms: list[str] = []
    graphs: list[str] = []
    stopped = aborted = False
    for turn in itertools.count():
        if stopped or aborted or turn == TURNS:
            break
        if turn >= len(texts):
            return "incomplete", None
        action = text = texts[turn]
        if kind == "graphreasoning":
            text = text.replace("\n", "").strip()
            match = re.search(fields["Response_Construction"], text, re.IGNORECASE)
            if match is None:
                aborted = True
                continue
            action = match.group(1)
        if re.search(fields["Stop_Construction"], action, re.IGNORECASE):
            stopped = True
            if kind == "graphreasoning" and pair[0] != pair[1]:
                rooms.append(pair[1])
                graphs.append(str(last_graph))
            continue
        move = re.search(fields["Move_Construction"], action, re.IGNORECASE)
        if move is None:
            aborted = True
            continue
        direction = move.group(1).lower()
        if kind == "graphreasoning":
            try:
                said = _literal(text)
                action, last_graph = said["action"], said["graph"]
                move = re.search(fields["Move_Construction"], action, re.IGNORECASE)
            except Exception:  # whatever it is
                move = None
            if move is None:
                aborted = True
                continue
            direction = move.group(1)
        old = room
        if direction in directions[room]:
            room = targets[room][direction]
        pair = (old, room)
        if old != room:
            rooms.append(room)
            if kind == "graphreasoning":
                graphs.append(str(last_graph))
    if not stopped:
        return "aborted", {"Aborted": 1, "Success": 0, "Lose": 0, "Main Score": None}
    moves, here = [], start
    for there in rooms:
        moves.append((here, there))
        here = there
    good, visited, seen = _replay(start, moves, nodes, edges, known_only=False)
    efficiency = 100 * sum(good) / max(len(good), 1)
    exploration = 100 * len(visited) / len(nodes)
    both = _harmonic(efficiency, exploration)
    success = visited == set(nodes)
    scores: Scores = {
        "Aborted": 0,
        "moves": len(moves),
        "valid_moves": len(moves),
        "invalid_moves": 0,
        "stopped": 1,
        "turns_limit": 0,
        "loops": _loops(start, rooms, cleared=kind == "specificroom"),
        "number_visited": len(visited),
        "seen": len(seen),
        "efficiency": efficiency,
        "exploration": exploration,
        "Main Score": both,
    }
    if kind == "specificroom":
        success = here.lower() == fields["Specific_Room"].lower()
        scores["old_benchscore"] = both
        scores["Main Score"] = 100 * int(success)
    if kind == "graphreasoning":
        similarity = 0.0
        if graphs:
            try:
                claim = _claim_of_literal(graphs[-1])
                similarity = _similarity(claim, (nodes, edges))
            except Exception:
                similarity = 0.0
        scores["graph_similarity"] = 100 * similarity
    scores.update({"Success": int(success), "Lose": int(not success)})
    return _outcome(scores), scores


def _literal(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(text)


def _claim_of_literal(text: str) -> tuple[list[Any], list[Edge]]:
    graph = _literal(text)
    nodes = [node.lower() for node in graph["nodes"]]
    # recorded: an entry of one element spoils it all, so nobody looks at lengths; that others do too is a guess
    edges = [(one.lower(), two.lower()) for entries in graph["edges"].values() for one, two in entries]
    return nodes, edges


def _loops(start: str, rooms: Iterable[str], *, cleared: bool) -> int:
    loops = 0
    past = [start]
    for room in rooms:
        past.append(room)
        if len(past) >= 4 and len(set(past[-4:])) < 3:
            loops += 1
            if cleared:
                past = []
    return loops


# --- what both kinds of maps share (sections 5.5, 6.2 and 13) --------------------------------------------------------


def _outcome(scores: Scores) -> str:
    if scores["Aborted"]:
        return "aborted"
    return "solved" if scores["Success"] else "failed"


def _harmonic(a: float, b: float) -> float:
    return 0 if a == b == 0 else 2 * a * b / (a + b)


def _replay(
    start: Any, moves: Sequence[Edge], nodes: Sequence[Any], edges: Sequence[Edge], *, known_only: bool
) -> tuple[list[bool], set[Any], set[Any]]:
    visited = {start}
    seen = {start} | {b for a, b in edges if a == start}
    good = []
    for old, new in moves:
        best = _best(edges, old, visited, known_only=known_only) if visited != set(nodes) else set()
        good.append(old != new and (old, new) in best)
        visited = visited | {new}
        seen |= {b for a, b in edges if a == new}
    return good, visited, seen


def _best(edges: Sequence[Edge], current: Any, visited: set[Any], *, known_only: bool) -> set[Edge]:
    frontier = {b for a, b in edges if a in visited and b not in visited}
    queue: list[tuple[Any, ...]] = [(current,)]
    limit = LONGEST_WALK
    found = set()
    while queue:
        walk = queue.pop(0)
        if len(walk) > limit:
            break
        if frontier <= set(walk) and len(walk) > 1:
            found.add((walk[0], walk[1]))
            limit = len(walk)
            continue
        if len(walk) == limit:
            continue
        after = [b for a, b in edges if a == walk[-1] and (not known_only or a in visited or b in visited)]
        fresh = [b for b in after if b not in walk]
        queue.extend((*walk, b) for b in (fresh or after))
    return found


def _similarity(claim: tuple[Iterable[Any], Iterable[Edge]], true: tuple[Iterable[Any], Iterable[Edge]]) -> float:
    distance = edit_distance(_graph(*claim), _graph(*true))
    return 1 - 2 * (1 / (1 + math.exp(-0.5 * distance)) - 0.5)


Graph: TypeAlias = tuple[tuple[Any, ...], tuple[frozenset[Any], ...]]
_DISTANCES: dict[tuple[Graph, Graph], int] = {}


def _graph(nodes: Iterable[Any], edges: Iterable[Edge]) -> Graph:
    """Nodes and undirected edges, each once, in the order in which they came."""
    pairs = list(edges)
    everything = dict.fromkeys([*nodes, *itertools.chain.from_iterable(pairs)])
    return tuple(everything), tuple(dict.fromkeys(frozenset(pair) for pair in pairs))


def edit_distance(one: Graph, other: Graph) -> int:
    """Count the nodes and edges (one by one, without names) that must be added or taken away."""
    if (one, other) not in _DISTANCES:
        odd = any(len(edge) == 1 for edge in one[1] + other[1])
        _DISTANCES[one, other] = _networkx_distance(one, other) if odd else _distance(one, other)
    return _DISTANCES[one, other]


def _networkx_distance(one: Graph, other: Graph) -> int:
    """Networkx lets an edge from a node to itself stand for one between two nodes, and has an order of its own."""
    graphs = []
    for nodes, edges in (one, other):
        graph: Any = nx.Graph()
        graph.add_nodes_from(nodes)
        graph.add_edges_from(tuple(edge) if len(edge) == 2 else tuple(edge) * 2 for edge in edges)
        graphs.append(graph)
    return int(nx.graph_edit_distance(*graphs))


def _distance(one: Graph, other: Graph) -> int:
    """Try all mappings: nodes map freely, so as many as can do; what is left to find is how many edges are kept."""
    small, big = sorted((one, other), key=lambda graph: len(graph[0]))
    names, places = sorted(small[0], key=repr), sorted(big[0], key=repr)
    # The nodes with the most neighbours first, and none that has an equal place tried twice: else 8! is a long wait.
    names.sort(key=lambda name: -sum(name in edge for edge in small[1]))
    earlier = [[n for n in range(k + 1) if frozenset((names[k], names[n])) in small[1]] for k in range(len(names))]
    lonely = {place for place in places if not any(place in edge for edge in big[1])}
    later = [sum(len(found) for found in earlier[k:]) for k in range(len(names) + 1)]
    best = -1
    most = min(len(small[1]), len(big[1]))

    def place_from(k: int, taken: list[Any], kept: int) -> None:
        nonlocal best
        if kept + later[k] <= best or best == most:
            return
        if k == len(names):
            best = kept
            return
        tried_lonely = False
        for place in places:
            if place in taken or (place in lonely and tried_lonely):
                continue
            tried_lonely |= place in lonely
            spots = [*taken, place]
            place_from(k + 1, spots, kept + sum(frozenset((place, spots[n])) in big[1] for n in earlier[k]))

    place_from(0, [], 0)
    return len(big[0]) - len(small[0]) + len(small[1]) + len(big[1]) - 2 * best


JUDGES: dict[str, Callable[[Fields, list[str]], Verdict]] = {
    "matchit": _matchit,
    "matchit_ascii": _matchit,
    "multimodal_referencegame": lambda fields, texts: _reference(fields, texts, pictures=True),
    "referencegame": lambda fields, texts: _reference(fields, texts, pictures=False),
    "mm_mapworld": lambda fields, texts: _pictured(fields, texts, kind="plain"),
    "mm_mapworld_graphs": lambda fields, texts: _pictured(fields, texts, kind="graphs"),
    "mm_mapworld_specificroom": lambda fields, texts: _pictured(fields, texts, kind="specificroom"),
    "textmapworld": lambda fields, texts: _textual(fields, texts, kind="plain"),
    "textmapworld_graphreasoning": lambda fields, texts: _textual(fields, texts, kind="graphreasoning"),
    "textmapworld_specificroom": lambda fields, texts: _textual(fields, texts, kind="specificroom"),
}
