"""How people's pages are answered: JSON, errors in one line, cookies, and events as they come."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import wraps
from typing import Any

from aiohttp import hdrs, web

from palaver_agents.human import SeatingError
from palaver_agents.human.tokens import badge_of, new_cookie
from palaver_protocols.errors import BrokerError, PalaverError, UsageError

__all__ = ["COOKIE", "Handler", "as_json", "badge", "body_of", "events", "keep_cookie", "polite", "refused"]

COOKIE = "palaver_person"
"""What a person's browser is known by."""
COOKIE_S = 180 * 24 * 3600
COOKIE_LIKE = re.compile(r"[A-Za-z0-9_-]{43}")
MOST_BYTES = 64 * 1024
LOOK_S = 1.0
"""How often we look whether a browser that is sent events is still there."""
ALIVE_S = 15.0
"""How often something is sent, lest a proxy or the page takes the connection for dead."""
ALIVE = b"event: alive\ndata: {}\n\n"
STATUS = {
    "elsewhere": 503,
    "unknown": 404,
    "taken": 409,
    "stranger": 403,
    "stale": 409,
    "over": 410,
    "malformed": 400,
    "too_large": 413,
    "too_fast": 429,
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def as_json(value: Any, status: int = 200) -> web.Response:
    """Answer with JSON that nobody keeps."""
    return web.json_response(value, status=status, headers={hdrs.CACHE_CONTROL: "no-store"})


def refused(status: int, error: str, mend: str = "") -> web.Response:
    """Say what is wrong, and what would help."""
    return as_json({"error": error, "mend": mend}, status)


def polite(handler: Handler) -> Handler:
    """Answer what goes wrong on purpose with JSON, and a status that fits."""

    @wraps(handler)
    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except SeatingError as error:
            return refused(STATUS.get(error.code, 409), error.message, error.mend)
        except UsageError as error:
            return refused(409, error.message, error.mend)
        except BrokerError as error:
            return refused(503, error.message, error.mend or "nothing is lost; try again")
        except PalaverError as error:
            return refused(500, error.message, error.mend)

    return answer


async def body_of(request: web.Request) -> dict[str, Any]:
    """Read a JSON object of at most 64 KB.

    Raises:
        SeatingError: it is none, or more.
    """
    data = await request.content.read(MOST_BYTES + 1)
    while len(data) <= MOST_BYTES and (more := await request.content.read(MOST_BYTES + 1 - len(data))):
        data += more
    if len(data) > MOST_BYTES:
        raise SeatingError(f"more than {MOST_BYTES:,} bytes were sent", "too_large", mend="make it shorter")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if request.content_type != "application/json" or not isinstance(value, dict):
        raise SeatingError("this is no JSON object", "malformed", mend="send one as application/json")
    return value


def badge(request: web.Request) -> str | None:
    """Return what a browser is known by; None if it has no cookie of ours."""
    cookie = request.cookies.get(COOKIE, "")
    return badge_of(cookie) if COOKIE_LIKE.fullmatch(cookie) else None


def keep_cookie(request: web.Request) -> tuple[str, Callable[[web.Response], web.Response]]:
    """Return what a browser is known by from now on, and what adds the cookie to a response.

    A cookie that it has already stays: dashboards at other ports of the same host see the same one.
    """
    cookie = request.cookies.get(COOKIE, "")
    if not COOKIE_LIKE.fullmatch(cookie):
        cookie = new_cookie()

    def with_cookie(response: web.Response) -> web.Response:
        secure = request.secure or request.headers.get("X-Forwarded-Proto") == "https"
        response.set_cookie(
            COOKIE, cookie, max_age=COOKIE_S, path="/", httponly=True, samesite="Strict", secure=secure or None
        )
        return response

    return badge_of(cookie), with_cookie


async def events(request: web.Request, name: str, news: AsyncIterator[Any | None]) -> web.StreamResponse:
    """Send events to a browser until it goes.

    Args:
        request: what asked for them.
        name: what they are called.
        news: what is sent, as JSON; None: nothing now, look whether the browser is still there.
    """
    response = web.StreamResponse(
        headers={
            hdrs.CONTENT_TYPE: "text/event-stream; charset=utf-8",
            hdrs.CACHE_CONTROL: "no-store",
            "X-Accel-Buffering": "no",
        }
    )
    await response.prepare(request)
    loop = asyncio.get_running_loop()
    last, due = b"", loop.time() + ALIVE_S
    try:
        await response.write(b"retry: 1000\n\n")
        async for each in news:
            if request.transport is None or request.transport.is_closing():
                break
            data = b"" if each is None else json.dumps(each).encode()
            if data and data != last:
                last = data
                await response.write(b"event: %s\ndata: %s\n\n" % (name.encode(), data))
            elif loop.time() > due:
                await response.write(ALIVE)
            else:
                continue
            due = loop.time() + ALIVE_S
    except ConnectionResetError:
        pass
    return response
