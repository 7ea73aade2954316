"""Seats for people, as pages: who may sit where, what a person sees there, and what it says.

Whoever has the link of a seat, or of a study, needs nothing else; the browser of the first who claims a seat is told a
cookie, and the seat is that browser's. Operators see all seats, take them from agents, and give them back.
"""

from .room import Room
from .routes import seat_routes, seats_now

__all__ = ["Room", "seat_routes", "seats_now"]
