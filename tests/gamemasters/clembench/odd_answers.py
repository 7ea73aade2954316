"""Answers that nobody would think of, and many that are right: what players of clembench's games may come up with."""

import ast
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["odd_answers", "odd_drawings"]

WAYS = ("north", "south", "east", "west")
WHITE = [" ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", "\f", "\v", "\x1c", "\x1f", "\x85", "\xa0", "\u2003", "\u2028"]
WHITE += ["\u2029", "\u3000", "\u200b", "\ufeff", "\u200d", "\x00", "\xad"]
"""White space for some (Python's strip, its regular expressions, JSON, its own source code), and not for others."""
ALIKE = {
    "s": "\u017f",
    "S": "\u017f",
    "i": "\u0131\u0130",
    "I": "\u0131\u0130",
    "k": "\u212a",
    "o": "\u043e",
    "e": "\u0435",
}
ALIKE |= {
    '"': "\u201c\u201d'",
    ":": "\uff1a",
    "1": "\u0661\u00b9",
    "2": "\uff12",
    "{": "\uff5b",
    ".": "\u3002",
    "A": "\u0391",
}
"""Letters that look alike; some of them are the same where case is ignored, and none are in lower case."""


def _anywhere(dice: random.Random, text: str, piece: str) -> str:
    at = dice.randint(0, len(text))
    return text[:at] + piece + text[at:]


def _alike(dice: random.Random, text: str) -> str:
    spots = [at for at, letter in enumerate(text) if letter in ALIKE]
    if not spots:
        return text
    at = dice.choice(spots)
    return text[:at] + dice.choice(ALIKE[text[at]]) + text[at + 1 :]


def _white(dice: random.Random, text: str) -> str:
    spots = [at for at, letter in enumerate(text) if letter == " "]
    if not spots:
        return text
    at = dice.choice(spots)
    return text[:at] + dice.choice(["", *WHITE]) + text[at + 1 :]


def _without(dice: random.Random, text: str) -> str:
    at = dice.randint(0, max(len(text) - 1, 0))
    return text[:at] + text[at + 1 :]


def _escaped(dice: random.Random, text: str) -> str:
    at = dice.randint(0, max(len(text) - 1, 0))
    return text[:at] + "".join(f"\\u{ord(letter):04x}" for letter in text[at : at + 1]) + text[at + 1 :]


def _other_case(dice: random.Random, text: str) -> str:
    at = dice.randint(0, max(len(text) - 1, 0))
    return text[:at] + text[at : at + 6].swapcase() + text[at + 6 :]


MISTAKES: Sequence[Callable[[random.Random, str], str]] = (
    lambda dice, text: text.upper(),
    lambda dice, text: text.lower(),
    lambda dice, text: text.title(),
    lambda dice, text: text.swapcase(),
    lambda dice, text: dice.choice(WHITE) + text,
    lambda dice, text: text + dice.choice(WHITE),
    lambda dice, text: (
        text + dice.choice([".", "..", ".\n", "\n.", ". ", "!", " really", "\n\nextra words", "\nmore", "s"])
    ),
    lambda dice, text: dice.choice(["Sure! ", "**", "'", "```json\n", "Abort", "Abort: ", "> ", ".", "\n."]) + text,
    lambda dice, text: f"```json\n{text}\n```",
    lambda dice, text: _anywhere(dice, text, dice.choice(WHITE)),
    lambda dice, text: _anywhere(
        dice, text, dice.choice(["{", "}", "{}", '"', "\\", "\\n", "\\t", "\\d", ",", "\ud800", "ß"])
    ),
    lambda dice, text: text.replace("\n", dice.choice(WHITE)),
    lambda dice, text: text.replace(" ", dice.choice(WHITE)),
    lambda dice, text: text.replace(" ", ""),
    lambda dice, text: text + text,
    lambda dice, text: text + " " + text,
    lambda dice, text: text.replace('"', "'"),
    lambda dice, text: dice.choice(
        ["", " ", "\n", "  \n ", "\u200b", "Abort", "Abort the game", "DONE", "null", "{}", "[]"]
    ),
    lambda dice, text: text + "x" * dice.randint(1, 3000),
    _alike,
    _alike,
    _white,
    _white,
    _without,
    _escaped,
    _escaped,
    _other_case,
    _other_case,
)


def odd_answers(game: str, fields: Mapping[str, Any], dice: random.Random) -> list[str]:
    """Return the answers of an episode: those of a game well played, with mistakes in some of them; or too few."""
    if "matchit" in game:
        texts = _matching(fields, dice)
    elif "reference" in game:
        texts = _referring(dice)
    else:
        texts = _walking(game, fields, dice)
    rate = dice.choice([0.0, 0.0, 0.02, 0.05, 0.2, 1.0])
    texts = [_mistaken(dice, text) if dice.random() < rate else text for text in texts]
    return texts[: dice.randint(0, len(texts))] if dice.random() < 0.1 else texts


def _mistaken(dice: random.Random, text: str) -> str:
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        text = dice.choice(MISTAKES)(dice, text)
    return text


def _matching(fields: Mapping[str, Any], dice: random.Random) -> list[str]:
    flags = fields["flags"]
    texts = [f"{flags['description']} a room\nwith a bed", f"{flags['description']} b", f"{flags['question']} b0?"]
    for turn in range(1, fields["decision_turn"] + 1):
        texts += [f"{flags['answer']} yes", f"{flags['question']} a{turn}?", f"{flags['answer']} no"]
        texts += [f"{flags['question']} b{turn}?"] if turn < fields["decision_turn"] else []
    return texts + [_decision(fields, dice) for _ in range(2)]


def _decision(fields: Mapping[str, Any], dice: random.Random) -> str:
    said = f"{fields['flags']['decision']} {dice.choice([fields['solution'], fields['wrong_solution']])}"
    said += dice.choice(["", "", "", ".", "..", ".\n", "\n", " ", " .", "\t"])
    return _mistaken(dice, said) if dice.random() < 0.2 else said


def _referring(dice: random.Random) -> list[str]:
    tags = ["Expression: ", "expression: ", "EXPRESSION:\n", "Expression:", "Expression:  ", "Expre\u017fsion: "]
    said = [
        "the one with a line",
        "foo",
        "foo  bar",
        "foo\n\nbar",
        "foo\n",
        "foo\n ",
        "",
        " ",
        "x\rfoo",
        "TARGET_EXPRESSION",
    ]
    tag, before = dice.choice(tags[: dice.choice([1, 6])]), dice.choice(["", "", "", " ", "\n"])
    first = before + tag + dice.choice(said[: dice.choice([1, 10])])
    tags = ["Answer: ", "answer: ", "ANSWER:\n", "Answer:", "Answer:  ", "An\u017fwer: ", "Answer:\t"]
    said = [
        "first",
        "Second",
        "THIRD",
        "1",
        "2",
        "3",
        "1st",
        "2nd",
        "3rd",
        "10",
        "fir\u017ft",
        "the first",
        "first image",
        "fourth",
    ]
    second = (
        dice.choice(tags[: dice.choice([2, 7])])
        + dice.choice(said)
        + dice.choice(["", "", "\n", ".", "\nbecause", " "])
    )
    return [first, second]


def _walking(game: str, fields: Mapping[str, Any], dice: random.Random) -> list[str]:
    """Walk through the map, at times back and forth or against a wall; stop early, late, or never."""
    ways, here = _ways(fields)
    visited, walked = [here], [(here, here)]
    keen, bold, odd = dice.random(), dice.choice([0.0, 0.0, 0.1, 0.5]), dice.choice([0.0, 0.0, 0.02, 0.1, 0.5])
    texts = []
    for _ in range(dice.choice([0, 1, 2, 4, 8, 12, 16, 18, 19, 20, 24])):
        new = [way for way in ways[here] if ways[here][way] not in visited]
        way = dice.choice(new if new and dice.random() < keen else list(ways[here]))
        way = dice.choice(WAYS) if dice.random() < bold else way
        go = (
            f"{dice.choice(['GO:', 'Go:  ', 'go:', 'GO: '])}{_cased(dice, way)}"
            if dice.random() < odd
            else f"GO: {way}"
        )
        texts.append(_answer(game, dice, go, odd, walked))
        there = ways[here].get(way, here)
        visited, walked, here = [*visited, there], [*walked, (here, there)], there
    ends = [
        dice.choice(["done", "Done\n"]) if dice.random() < odd else "DONE" for _ in range(dice.choice([0, 1, 1, 3, 25]))
    ]
    return texts + [_answer(game, dice, end, odd, walked) for end in ends]


def _ways(fields: Mapping[str, Any]) -> tuple[Mapping[Any, Mapping[str, Any]], Any]:
    """Return where one can go from each room, by direction, and where one begins."""
    if "Moves" in fields:
        ways = {entry["node"]: dict(entry["node_moves"]) for entry in ast.literal_eval(fields["Moves"])}
        return ways, fields["Current_Position"]
    found: dict[Any, dict[str, Any]] = {}
    for (x, y), (to_x, to_y) in map(ast.literal_eval, fields["edges"]):
        way = {(0, 1): "north", (0, -1): "south", (1, 0): "east", (-1, 0): "west"}[to_x - x, to_y - y]
        found.setdefault((x, y), {})[way] = (to_x, to_y)
    return found, ast.literal_eval(fields["start"])


def _answer(game: str, dice: random.Random, action: str, odd: float, walked: Sequence[tuple[Any, Any]]) -> str:
    strange = dice.random() < odd
    if game == "textmapworld_graphreasoning":
        form = dice.choice(ODD_DRAWN) if strange else '{"action":"ACT", "graph":GRAPH}'
        graph = _graph(dice, _in_python if dice.random() < 0.5 else json.dumps, odd, walked)
        return form.replace("ACT", action).replace("GRAPH", graph)
    if not game.startswith("mm_"):
        return action
    description = dice.choice(
        ["a bed", "Facing North we see a bed", 'a \\"sign\\"', "it's nice", "x\\ty", "", "\\u00e9", "]"]
    )
    if game == "mm_mapworld_graphs":
        form = dice.choice(ODD_GRAPHED) if strange else '{"action":"ACT", "description": "TEXT", "graph":GRAPH}'
        form = form.replace("GRAPH", _graph(dice, json.dumps, odd, walked))
    else:
        form = dice.choice(ODD_PICTURED) if strange else '{"description": "TEXT", "action": "ACT"}'
    return form.replace("ACT", action).replace("TEXT", description)


def _cased(dice: random.Random, way: str) -> str:
    return dice.choice(
        [way.upper(), way.title(), way, way.swapcase(), way[0] + way[1:].upper(), way.replace("s", "\u017f")]
    )


ODD_PICTURED = (
    '{"description": "TEXT",\n "action": "ACT"\n}',
    '{"description":"TEXT","action":"ACT"}',
    '{"description": "TEXT", "x": "y", "action": "ACT"}',
    '{"description": "TEXT", "action": "ACT", "x": "y"}',
    '{"description": "TEXT", "action": "GO: west", "action": "ACT"}',
    '{"description": "TEXT", "action": "ACT", "Action": "DONE"}',
    '{"description": "TEXT", "Action": "ACT", "action": "DONE"}',
    '{"Description": "TEXT", "Action": "ACT"}',
    '{"description": "TEXT", "action": "ACT", "n": [1, 2], "x": "y"}',
    '{"description": "TEXT", "x": NaN, "y": -1e999, "action": "ACT"}'.replace("NaN,", 'NaN, "z": "",'),
    '{"action": "ACT", "description": "TEXT"}',
    '{"description": {"a": "TEXT"}, "action": "ACT"}',
)
ODD_GRAPHED = (
    '{\n "action": "ACT",\n "description": "TEXT",\n "graph": GRAPH\n}',
    '{"action":"ACT","description":"TEXT","graph":GRAPH}',
    '{"Action":"ACT", "Description": "TEXT", "Graph":GRAPH}',
    '{"action":"ACT", "x": "y", "description": "TEXT", "graph":GRAPH}',
    '{"action":"ACT", "description": "TEXT", "graph":GRAPH, "graph":GRAPH}',
    '{"action":"ACT", "description": "TEXT", "graph":GRAPH, "x": {"y": {}}}',
    '{"description": "TEXT", "action":"ACT", "graph":GRAPH}',
)
ODD_DRAWN = (
    '{\n "action": "ACT",\n "graph": GRAPH\n}',
    '{"action":"ACT","graph":GRAPH}',
    '{"Action":"ACT", "Graph":GRAPH}',
    '{"action":"ACT", "graph":GRAPH,}',
    '{"action":"ACT", "graph":GRAPH, "graph":GRAPH}',
    '{"action":"ACT", "graph":GRAPH, "action": "GO: east", "graph":GRAPH}',
    '{"graph":GRAPH, "action":"ACT"}',
    "ACT",
)


def _graph(dice: random.Random, written: Callable[[Any], str], odd: float, walked: Sequence[tuple[Any, Any]]) -> str:
    """Draw the map so far: nearly right, at times with odd rooms, odd edges, odd directions, or something else."""
    near = dice.choice([0.0, 0.1, 0.4])
    number = {room: f"Room{at}" for at, room in enumerate(dict.fromkeys(room for _, room in walked))}
    rooms: list[Any] = [name for name in number.values() if dice.random() >= near]
    edges: dict[str, Any] = {way: [] for way in WAYS}
    for before, after in walked:
        if before != after and dice.random() >= near:
            ends = number[before], number[after if dice.random() >= near else dice.choice(list(number))]
            edges[dice.choice(WAYS)].append(dice.choice([list(ends), list(ends), ends]))
    if dice.random() < odd:
        way = dice.choice([*WAYS, *WAYS, "North", "WEST", "nOrth", "northeast", "", " north"])
        entries = list(ODD_ENTRIES if dice.random() < 0.7 else [["Room0", "Room9"], ["A", "B"], ["a", "A"]])
        more: Any = [*edges.get(way, []), dice.choice(entries)]
        edges[way] = (
            more if dice.random() < 0.8 else dice.choice([None, 5, "", "AB", "Room0", {"A": "B"}, {"AB": 1}, True])
        )
    if dice.random() < odd:
        rooms.insert(dice.randint(0, len(rooms)), dice.choice(ODD_ROOMS))
    text = written({"nodes": rooms, "edges": edges})
    return dice.choice([text.title(), text.upper(), *ODD_DRAWINGS]) if dice.random() < odd / 2 else text


def _in_python(graph: Any) -> str:
    """Write a graph as Python does, tuples and all, but with JSON's quotation marks."""
    return repr(graph).replace("'", '"')


ODD_ROOMS: Sequence[Any] = (
    1, 1.0, True, None, "", "x" * 300, [], ["A"], {"a": 1}, "ROOM0", "Room0", ["A", "B"], ["A", {}], -0.5,
)  # fmt: skip
ODD_ENTRIES: Sequence[Any] = (
    [], ["Room0"], ["Room0", "Room0"], ["Room0", "Room1", "Room2"], ["Room0", "Room1", {}], "AB", "A", "ABC", None, 5,
    True, {}, {"a": 1}, {"a": 1, "b": 2}, [["A"], "B"], [None, "A"], [1, 2], [1, "1"], [True, 1], ["", "Room0"],
    ["A", {}], [[], []],
)  # fmt: skip
ODD_DRAWINGS = (
    '{"nodes":[],"edges":{}}',
    '{"nodes":["A",],"edges":{}}',
    '{"nodes":["A"],"edges":{"north":[null]}}',
    '{"nodes":["A","B"],"edges":[["A","B"]]}',
    '{"nodes":["A"],"edges":{},"edges":{"north":[["A","B"]]}}',
    '{"nodes":["A"],"nodes":["B","C"],"edges":{"north":[["A","B"]]}}',
    '{"nodes":["A"],"x":1,"nodes":5,"y":[],"edges":{}}',
    '{"nodes":["A"],"edges":{"north":[["A","B"]]},"x":{"y":{}}}',
    '{"nodes":["A"],"edges":{"north":[["A","B"]]},"edges":[],"x":{"y":1}}',
    '{ "nodes" : [ "A" ] , "edges" : { "north" : [ [ "A" , "B" ] ] } }',
    '{"nodes":["A\\tb","\\u0041"],"edges":{"north":[["A\\tb","A"]]}}',
    '{"nodes":["A\\d"],"edges":{"north":[]}}',
    '{"nodes":[("A"),"B" "C"],"edges":{"north":[("A","B"),{"A","B"}]}}',
    '{"nodes":[b"A"],"edges":{"north":[(b"A",b"B")]}}',
    '{"nodes":[1e999,NaN],"edges":{}}',
    '{"nodes":[...],"edges":{"north":[]}}',
    '{"nodes":[[[[[[[[[[]]]]]]]]],"edges":{}}',
    '{"nodes":["A"] ,"edges":{"north":[("A","B")],"north":[("B","C")]}}',
    '{"nodes":["A"],"edges":{**{}}}',
    '{"nodes":["A"]+["B"],"edges":{}}',
    '{"nodes":["a","A"],"edges":{"north":[["a","A"]]}}',
    "{...}",
    "null",
    "{}",
)


def odd_drawings() -> Iterator[str]:
    """Yield each odd drawing there is, and each odd room, edge and direction in one that is right otherwise."""
    yield from ODD_DRAWINGS
    for way in ("north", "North", "nOrth", "northeast"):
        for entries in (*([entry] for entry in ODD_ENTRIES), None, 5, "", "AB", {"A": "B"}, {"AB": 1}, True):
            yield json.dumps({"nodes": ["Room0"], "edges": {way: entries}})
    for room in ODD_ROOMS:
        yield json.dumps({"nodes": ["Room0", room], "edges": {}})
