"""What operators see of people's seats, and how they move people and agents."""

from collections.abc import Iterator
from typing import Any

from aiohttp import web

from palaver_agents.human import Place, Study
from palaver_agents.human.places import Chair

from .answers import as_json, body_of, refused
from .room import Room

__all__ = ["Operator"]

DONE = 200
"""How many places are listed whose episodes are over."""


class Operator:
    """The operators' side of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def seats(self, _: web.Request) -> web.Response:
        """List seats and studies."""
        return as_json(self.told())

    def told(self) -> dict[str, Any]:
        """Return what there is to know of seats and studies."""
        chairs = self._room.hall.chairs()
        done = [chair for chair in chairs if chair.is_over][-DONE:]
        there = [*(chair for chair in chairs if not chair.is_over), *reversed(done)]
        return {"seats": list(map(_seat, there)), "studies": list(map(_study, self._room.studies))}

    async def take(self, request: web.Request) -> web.Response:
        """Put a person behind a seat: whoever opens the link first."""
        await body_of(request)
        chair = await self._room.take(_place(request))
        return as_json({"link": _link(chair)})

    async def give(self, request: web.Request) -> web.Response:
        """Give a seat to an agent, or back to who had it."""
        agent = (await body_of(request)).get("agent")
        if agent is not None and not isinstance(agent, str):
            return refused(400, "agent is no text", "name an agent, or null for who had the seat before")
        return as_json({"agent": await self._room.give(_place(request), agent or None)})


def _place(request: web.Request) -> Place:
    return Place(*(request.match_info[name] for name in ("run", "episode", "seat")))


def _link(chair: Chair) -> str:
    return f"/sit/{chair.token}"


def _seat(chair: Chair) -> dict[str, Any]:
    run_id, episode_id, seat = chair.place
    return {
        "key": str(chair.place),
        "run": run_id,
        "episode": episode_id,
        "game": chair.game,
        "variant": chair.variant,
        "seat": seat,
        "agent": chair.agent,
        "state": "done" if chair.is_over else "taken" if chair.claim is not None else "open",
        "who": None if chair.claim is None else chair.claim.who,
        "connected": chair.presences > 0,
        "asked_at": next(_since(chair), None),
        "outcome": chair.outcome,
        "link": _link(chair),
    }


def _since(chair: Chair) -> Iterator[float]:
    yield from (round(asked.since, 1) for asked in chair.questions.values())


def _study(study: Study) -> dict[str, Any]:
    over, there = study.episodes()
    return {
        "name": study.plan.name,
        "link": f"/join/{study.token}",
        "people": study.people,
        "episodes_done": over,
        "episodes_open": there,
    }
