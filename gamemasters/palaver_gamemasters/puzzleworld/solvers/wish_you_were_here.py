"""Wish You Were Here: looks postmarks up in a gazetteer, and takes of each town the letter that its card counts."""

import math
import re
from typing import NamedTuple

from .solved import ORDINALS, Solved, UnsolvedError, counted, listed, spelt

__all__ = ["solve"]

CARD = re.compile(
    r"^card: postmark (?P<day>\d+) (?P<month>[A-Z]{3}), (?P<lat>[\d.]+) (?P<ns>[NS]) (?P<lon>[\d.]+) (?P<ew>[EW]); "
    r"(?P<boxes>\d+) boxes; message: (?P<text>.+)$",
    re.MULTILINE,
)
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
COUNTED = re.compile(rf"\b({'|'.join(ORDINALS)}) letter\b")
GAZETTEER = {
    "Adelaide": (-34.93, 138.60), "Ankara": (39.93, 32.86), "Athens": (37.98, 23.73), "Auckland": (-36.85, 174.76),
    "Bangkok": (13.76, 100.50), "Bergen": (60.39, 5.32), "Berlin": (52.52, 13.41), "Bogota": (4.71, -74.07),
    "Boston": (42.36, -71.06), "Cairo": (30.04, 31.24), "Chicago": (41.88, -87.63), "Christchurch": (-43.53, 172.64),
    "Dakar": (14.72, -17.47), "Denver": (39.74, -104.99), "Dublin": (53.35, -6.26), "Hanoi": (21.03, 105.85),
    "Havana": (23.11, -82.37), "Helsinki": (60.17, 24.94), "Istanbul": (41.01, 28.98), "Jakarta": (-6.21, 106.85),
    "Johor Bahru": (1.49, 103.74), "Kampala": (0.35, 32.58), "Kigali": (-1.94, 30.06), "Kyoto": (35.01, 135.77),
    "Lima": (-12.05, -77.04), "Lisbon": (38.72, -9.14), "London": (51.51, -0.13), "Madrid": (40.42, -3.70),
    "Melbourne": (-37.81, 144.96), "Mombasa": (-4.04, 39.67), "Mumbai": (19.08, 72.88), "Nairobi": (-1.29, 36.82),
    "Naples": (40.85, 14.27), "Nuuk": (64.18, -51.69), "Osaka": (34.69, 135.50), "Oslo": (59.91, 10.75),
    "Paris": (48.86, 2.35), "Perth": (-31.95, 115.86), "Quito": (-0.18, -78.47), "Reykjavik": (64.15, -21.94),
    "Rome": (41.90, 12.50), "Santiago": (-33.45, -70.67), "Sapporo": (43.06, 141.35), "Sendai": (38.27, 140.87),
    "Seoul": (37.57, 126.98), "Singapore": (1.35, 103.82), "Sydney": (-33.87, 151.21), "Tokyo": (35.68, 139.69),
    "Toronto": (43.65, -79.38), "Vienna": (48.21, 16.37), "Warsaw": (52.23, 21.01), "Wellington": (-41.29, 174.78),
}  # fmt: skip
"""Latitude and longitude of towns, in degrees."""
NEAR_KM = 60
"""How far from a postmark a town can be: its tenths of a degree are a rough measure."""
ACQUAINTANCE = ("PEN", "PAL", "FRIEND", "OLD", "DEAR", "SISTER", "AUNT", "MATE")
"""What somebody who writes us letters can be."""


class Card(NamedTuple):
    """A card: its day in the year's order, its town, and which of the town's letters it counts."""

    day: tuple[int, int]
    town: str
    place: int


def solve(words: str) -> Solved:
    """Solve the puzzle.

    Raises:
        UnsolvedError: these are not all of its words.
    """
    cards = [_read(found) for found in CARD.finditer(words)]
    if not cards or len(cards) != counted(words, "postcards"):
        raise UnsolvedError("postcards are missing")
    order = sorted(cards)
    run = "".join(card.town[card.place - 1] for card in order)
    answer = spelt(run, *ACQUAINTANCE)
    return Solved(
        steps=(
            (
                "The postmarks give latitude and longitude. Looked up in a gazetteer, and with as many letters as "
                f"there are boxes, the towns are {listed(card.town for card in cards)}."
            ),
            f"By the days on the cards she was in {listed(card.town for card in order)}.",
            (
                "A letter from here is a letter of the town's name. In order they are the "
                f"{listed(_ordinal(card.place) for card in order)}."
            ),
            f"These letters are {listed(run)}: {answer}.",
        ),
        answer=answer,
        guess="".join(card.town[card.place - 1] for card in cards),
    )


def _read(card: re.Match[str]) -> Card:
    north = float(card["lat"]) * (1 if card["ns"] == "N" else -1)
    east = float(card["lon"]) * (1 if card["ew"] == "E" else -1)
    near = [
        town
        for town, place in GAZETTEER.items()
        if len(town) == int(card["boxes"]) and _km((north, east), place) <= NEAR_KM
    ]
    found = COUNTED.search(card["text"])
    if len(near) != 1 or found is None or card["month"] not in MONTHS:
        raise UnsolvedError("a postcard is from nowhere, or counts nothing")
    return Card((MONTHS.index(card["month"]), int(card["day"])), near[0].upper(), ORDINALS.index(found[1]) + 1)


def _km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the distance between two places on a globe (haversine)."""
    lat, lon, to_lat, to_lon = map(math.radians, (*one, *other))
    half = math.sin((to_lat - lat) / 2) ** 2 + math.cos(lat) * math.cos(to_lat) * math.sin((to_lon - lon) / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(half))


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"
