"""A person in a study: agreeing, and being handed one seat after the other."""

from hmac import compare_digest
from typing import Any

from aiohttp import web

from palaver_agents.human import SeatingError, Study

from .answers import as_json, badge, body_of, keep_cookie
from .room import Room
from .states import consent_of

__all__ = ["Studying"]


class Studying:
    """The side of a room that whoever has a study's link sees."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def _study(self, request: web.Request) -> Study:
        token = request.match_info["token"].encode()
        found = None
        for study in self._room.studies:
            if compare_digest(study.token.encode(), token):
                found = study
        if found is None:
            raise SeatingError("this link leads to no study", "unknown", mend="ask whoever gave it to you")
        return found

    async def look(self, request: web.Request) -> web.Response:
        """Say what is next for a person: to agree, a seat, to wait, or thanks."""
        return as_json(await self._next(self._study(request), badge(request)))

    async def consent(self, request: web.Request) -> web.Response:
        """Let a person in who agrees."""
        study = self._study(request)
        if (await body_of(request)).get("agree") is not True:
            raise SeatingError("you have not agreed", "malformed", mend="agree, or close this page")
        who, with_cookie = keep_cookie(request)
        study.agree(who)
        return with_cookie(as_json(await self._next(study, who)))

    async def _next(self, study: Study, who: str | None) -> dict[str, Any]:
        """Return what is next for whoever has this badge; hands a seat out, if there is one.

        Thanks come when a person has played as many episodes as there are for each, or when no seat is left and none
        can open but one that somebody gives up: that is ``full``.
        """
        plan = study.plan
        person = study.participant(who) if who is not None else None
        about: dict[str, Any] = {"name": plan.name, "consent_text": consent_of(plan.consent), "of": plan.each}
        if person is None:
            return {"state": "consent", **about, "done": 0}
        may_open = await self._room.may_open(study)  # asked first: what opens meanwhile is handed out below
        chair = study.hand(person)
        about |= {"done": study.done(person), "you": person.pseudonym}
        if chair is not None:
            return {"state": "seat", **about, "link": f"/sit/{chair.token}"}
        is_done = study.is_done(person)
        return {"state": "thanks" if is_done or not may_open else "wait", **about, "full": not is_done and not may_open}
