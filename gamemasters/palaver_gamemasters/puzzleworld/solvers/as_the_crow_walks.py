"""As the Crow Walks: turns sun and star into directions, draws the walks, and looks what letters they are."""

import re

from .solved import Solved, UnsolvedError, counted, listed
from .strokes import letter_of

__all__ = ["solve"]

PLACE = re.compile(r"^place, (?P<name>\w+): column (?P<column>\d+), row (?P<row>\d+)$", re.MULTILINE)
WALK = re.compile(r"^From the (?P<name>\w+): (?P<legs>.+)\.$", re.MULTILINE)
LEG = re.compile(r"(?P<steps>\d+) (?:to|between) (?P<way>[a-z ]+)")
SKY = {"pole star": (0, -1), "sunrise": (1, 0), "noon": (0, 1), "sunset": (-1, 0)}
"""Where they are seen in the north of the world: right and down."""
COMPASS = {(0, -1): "NORTH", (1, 0): "EAST", (0, 1): "SOUTH", (-1, 0): "WEST"}


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    places = {each["name"]: (int(each["column"]), int(each["row"])) for each in PLACE.finditer(words)}
    walks = {each["name"]: each["legs"] for each in WALK.finditer(words)}
    if not walks or places.keys() != walks.keys() or len(walks) != counted(words, "entries"):
        raise UnsolvedError("places or walks are missing")
    letters = {name: letter_of(_trace(places[name], legs)) for name, legs in walks.items()}
    order = sorted(places, key=lambda name: places[name])
    answer = "".join(letters[name] for name in order)
    sky = listed(f"{name} is {COMPASS[way]}" for name, way in SKY.items())
    sources = listed(name.upper() for name in letters)
    return Solved(
        steps=(
            f"The sky is the compass: {sky}. What is between two of them is a diagonal.",
            (
                f"I draw each walk on the map, a square a step. Each draws a capital letter. From "
                f"{sources} these are {listed(letters.values())}."
            ),
            (
                "They have several anagrams, so their order counts. Evening is in the WEST, morning in the EAST: "
                f"from there to here the map has {listed(name.upper() for name in order)}."
            ),
            f"In this order the letters are {listed(answer)}: {answer}.",
        ),
        answer=answer,
        guess="".join(letters.values()),
    )


def _trace(start: tuple[int, int], legs: str) -> list[tuple[float, float]]:
    points: list[tuple[float, float]] = [start]
    for leg in LEG.finditer(legs):
        ways = [way for name, way in SKY.items() if name in leg["way"]]
        right, down = (sum(way[axis] for way in ways) for axis in (0, 1))
        x, y = points[-1]
        points.append((x + int(leg["steps"]) * right, y + int(leg["steps"]) * down))
    return points
