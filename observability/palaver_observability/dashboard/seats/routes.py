"""The paths of people's seats, for the dashboard's application."""

import time
from collections.abc import Callable
from typing import Any

from aiohttp import web

from palaver_agents.human import Hall, SeatingError

from .answers import Handler, polite, refused
from .operator import Operator
from .pace import Pace
from .person import Person
from .room import Room
from .studying import Studying

__all__ = ["seat_routes", "seats_now"]

SEAT_PACE = 5.0, 30.0
"""What may be done at one seat: so much a second, and at once."""
STUDY_PACE = 20.0, 200.0
"""The same by the link of a study, which a whole class may have."""


def seat_routes(room: Room, *, is_operator: Callable[[web.Request], bool]) -> list[web.RouteDef]:
    """Return the routes of seats, people and studies.

    Whoever mounts them has looked at the origin of what writes (``POST``).

    Args:
        room: where people sit.
        is_operator: whether a request comes from an operator: others see no list of seats, and move nobody.
    """
    operator, person, studying = Operator(room), Person(room), Studying(room)
    at_seats, at_studies = Pace(*SEAT_PACE, time.monotonic), Pace(*STUDY_PACE, time.monotonic)

    def operators(handler: Handler) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            if not is_operator(request):
                return refused(401, "only operators may do this", "open the address that the dashboard printed")
            return await handler(request)

        return guarded

    def here(handler: Handler) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            _check_open(room.hall)
            return await handler(request)

        return polite(guarded)

    def paced(handler: Handler, pace: Pace) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            pace.step(request.match_info["token"])
            return await handler(request)

        return here(guarded)

    async def stream(request: web.Request) -> web.StreamResponse:
        with at_seats.listening(request.match_info["token"]):
            return await person.stream(request)

    seat = "/api/episode/{run}/{episode}/seats/{seat}"
    sit = "/api/sit/{token}"
    return [
        web.get("/api/seats", operators(here(operator.seats)), allow_head=False),
        web.post(f"{seat}/take", operators(here(operator.take))),
        web.post(f"{seat}/give", operators(here(operator.give))),
        web.get(sit, here(person.look), allow_head=False),
        web.get(f"{sit}/stream", here(stream), allow_head=False),
        web.get(f"{sit}/blob/{{sha256}}", here(person.picture), allow_head=False),
        web.post(f"{sit}/claim", paced(person.claim, at_seats)),
        web.post(f"{sit}/say", paced(person.say, at_seats)),
        web.post(f"{sit}/leave", paced(person.leave, at_seats)),
        web.get("/api/join/{token}", here(studying.look), allow_head=False),
        web.post("/api/join/{token}/consent", paced(studying.consent, at_studies)),
    ]


def seats_now(room: Room) -> dict[str, Any]:
    """Return what operators are told of seats and studies, as JSON."""
    return Operator(room).told()


def _check_open(hall: Hall) -> None:
    """Send people to where they sit.

    Raises:
        SeatingError: that is not here.
    """
    if hall.is_open or (hall.chairs() and not hall.elsewhere):  # who has played may look at how it ended
        return
    if hall.elsewhere:
        raise SeatingError(
            f"people sit at another dashboard: {hall.elsewhere}", "elsewhere", mend="open the link there"
        )
    raise SeatingError("nobody can sit down here yet", "elsewhere", mend="try again in a moment")
