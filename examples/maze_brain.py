"""A player of the maze game that needs no palaver: reply(question) -> text. Copies of it solve a maze together.

Everybody draws its map aloud once, so everybody knows the whole maze and works out the same shortest way. Whoever
speaks agrees to what is proposed and proposes the next step of that way; when all have agreed to the last, it is over.
Nothing is remembered between two questions: each shows all that was said.
"""

import re
from collections import deque

STEPS = {"right": (0, 1), "down": (1, 0), "left": (0, -1), "up": (-1, 0)}
PROPOSED = "I propose that we move"


def reply(question):
    """Say what is to be said next."""
    said = [(each["speaker"], text_of(each)) for each in question["view"]]
    maps = [drawn for _, text in said for drawn in maps_in(text)]
    if not maps:
        return "I can play the maze game only, and see no map."
    maze = merged(maps)
    way = way_through(maze)
    if not question["partners"]:  # alone: the whole way at once
        return "My solution: " + ", ".join(str(cell) for _, cell in [("", find(maze, "@")), *way])
    talk = [(speaker, text) for speaker, text in said if speaker in (question["seat"], *question["partners"])]
    told = {speaker for speaker, text in talk if maps_in(text)}
    lines = []
    if question["seat"] not in told:
        lines.append("This is what my map shows, row by row:\n" + "\n".join(maps[0]) + "\n")
        told.add(question["seat"])
    proposals = [number for number, (_, text) in enumerate(talk) if PROPOSED in text]
    if proposals:
        lines.append("I agree.")
    if len(told) <= len(question["partners"]):  # somebody has yet to tell
        return "\n".join(lines) or "Please draw your map, row by row, as I did."
    if len(proposals) < len(way):
        step, cell = way[len(proposals)]
        lines.append(f"{PROPOSED} {step} to {cell}. Do you agree?")
    elif proposals and len(talk) - proposals[-1] >= len(question["partners"]):  # all others have agreed to the last
        lines.append("We have reached the goal. ACTI!")
    return "\n".join(lines) or "I see no way to the goal."


def text_of(message):
    """Return the text of a message; what a picture shows is in its alt text, if anywhere."""
    return "\n".join(part.get("text") or part.get("alt") or "" for part in message["parts"])


def maps_in(text):
    """Find the maps drawn in a text: lines of equal length over @*.#? that follow one another."""
    found = []
    for block in re.findall(r"(?:^[@*.#?]{2,}[ \t]*\r?$\n?)+", text, flags=re.MULTILINE):
        rows = block.split()
        if len({len(row) for row in rows}) == 1 and "@" in block and "*" in block:
            found.append(rows)
    return found


def merged(maps):
    """Lay maps of one maze over each other: what one hides another shows."""
    same = [drawn for drawn in maps if [*map(len, drawn)] == [*map(len, maps[0])]]

    def seen(row, column):
        return next((drawn[row][column] for drawn in same if drawn[row][column] != "?"), "?")

    return [[seen(row, column) for column in range(len(line))] for row, line in enumerate(maps[0])]


def find(maze, symbol):
    """Return the (row, column) of a symbol."""
    return next((row, line.index(symbol)) for row, line in enumerate(maze) if symbol in line)


def way_through(maze):
    """Return the shortest way as (step, cell) in order; of several, the same for everybody."""
    start, goal = find(maze, "@"), find(maze, "*")
    came, queue = {start: None}, deque([start])
    while queue:
        here = queue.popleft()
        for step, (down, right) in STEPS.items():
            cell = here[0] + down, here[1] + right
            inside = 0 <= cell[0] < len(maze) and 0 <= cell[1] < len(maze[0])
            if inside and cell not in came and maze[cell[0]][cell[1]] != "#":
                came[cell] = (step, here)
                queue.append(cell)
    way, cell = [], goal
    while came.get(cell):
        step, before = came[cell]
        way.append((step, cell))
        cell = before
    return way[::-1]
