"""A person at a seat: what is seen there, and what is said."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing, suppress
from typing import Any

from aiohttp import hdrs, web

from palaver_agents.human import Claim, SeatingError
from palaver_agents.human.places import Chair
from palaver_agents.human.pseudonyms import checked_pseudonym, new_pseudonym

from ..picture import media_type
from .answers import LOOK_S, as_json, badge, body_of, events, keep_cookie
from .room import Room
from .states import picture_of, state_of

__all__ = ["Person"]

PICTURES_KEPT = "private, max-age=31536000, immutable"


class Person:
    """The side of a room that whoever has a seat's link sees."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def _chair(self, request: web.Request) -> Chair:
        return self._room.hall.chair_at(request.match_info["token"])

    async def look(self, request: web.Request) -> web.Response:
        """Say how things stand at a seat."""
        return as_json(await state_of(self._room, self._chair(request), badge(request)))

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Say it again whenever it changes. While this goes on, the person is there."""
        chair, who = self._chair(request), badge(request)
        async with aclosing(self._news(chair, who)) as news:
            return await events(request, "state", news)

    async def _news(self, chair: Chair, who: str | None) -> AsyncGenerator[dict[str, Any] | None, None]:
        hall = self._room.hall
        here: Claim | None = None
        with hall.bell(chair.place) as bell, ExitStack() as presence:
            while not hall.elsewhere:
                bell.clear()
                if chair.claim is not here:  # taken, left, or taken anew
                    presence.close()
                    here = chair.claim
                    if here is not None and here.badge == who:
                        presence.enter_context(hall.present(chair, who))
                yield await state_of(self._room, chair, who)
                while not bell.is_set():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_S):
                            await bell.wait()
                    if not bell.is_set():
                        yield None

    async def picture(self, request: web.Request) -> web.Response:
        """Show a picture that this seat was shown."""
        chair, who = self._chair(request), badge(request)
        if chair.claim is None or who is None or chair.claim.badge != who:
            raise SeatingError("this seat is not yours", "stranger", mend="open its link and take it first")
        picture = picture_of(chair, request.match_info["sha256"])
        if picture is None:
            raise SeatingError("this seat was shown no such picture", "unknown")
        data = await self._room.broker.blobs.get(picture.sha256)
        kind = media_type(data) or "application/octet-stream"  # by what it is, whatever is said of it
        return web.Response(body=data, content_type=kind, headers={hdrs.CACHE_CONTROL: PICTURES_KEPT})

    async def claim(self, request: web.Request) -> web.Response:
        """Give a seat to the first who comes."""
        chair = self._chair(request)
        said = await body_of(request)
        if self._room.study_of(chair) is not None:
            raise SeatingError("this seat is handed out by a study", "stranger", mend="come by the study's link")
        if said.get("consent") is not True:
            raise SeatingError("you have not agreed", "malformed", mend="agree before you sit down")
        who, with_cookie = keep_cookie(request)
        name = said.get("pseudonym")
        claims = [each.claim for each in self._room.hall.chairs() if each.claim is not None]
        taken = {each.who for each in claims if each.badge != who}
        pseudonym = checked_pseudonym(name) if isinstance(name, str) and name.strip() else new_pseudonym(taken)
        if pseudonym in taken:  # records know people by nothing else
            raise SeatingError("somebody else is called so", "malformed", mend="take another name, or none")
        self._room.hall.claim(chair, who, pseudonym)
        return with_cookie(as_json(await state_of(self._room, chair, who)))

    async def say(self, request: web.Request) -> web.Response:
        """Hear an answer."""
        chair, said = self._chair(request), await body_of(request)
        key, text = said.get("key"), said.get("text")
        if not isinstance(key, str) or not isinstance(text, str):
            raise SeatingError("an answer has a key and a text", "malformed", mend="reload the page")
        self._room.hall.say(chair, badge(request) or "", key, text)
        return as_json({"heard": key})

    async def leave(self, request: web.Request) -> web.Response:
        """Free a seat."""
        chair = self._chair(request)
        await body_of(request)
        self._room.hall.leave(chair, badge(request) or "")
        return as_json({"state": "open"})
