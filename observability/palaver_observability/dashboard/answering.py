"""Answers: JSON, errors in one line with their mend, and pages for those who may not come in."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from html import escape
from typing import Any

import structlog
from aiohttp import hdrs, web
from pydantic_core import to_json

from palaver_protocols.errors import BrokerError, PalaverError, ProtocolError, UsageError, one_line

from .doors import HEADERS, Doors, is_personal

__all__ = ["MOST_BYTES", "VISITS", "add_headers", "guard", "json_error", "json_response"]

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

STATUS: dict[type[PalaverError], int] = {UsageError: 404, ProtocolError: 422, BrokerError: 503}
MOST_BYTES = 64 * 1024
"""Of what is sent to us."""
BEGUN = web.RequestKey("begun", web.StreamResponse)
"""The answer of a request that is on its way."""
VISITS = 4
"""Requests of visitors that are answered at a time: the bus and the games are there for others first."""
COME_IN = "open the address that palaver printed when it started: it carries the token"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>palaver: {title}</title><link rel="stylesheet" href="/static/css/base.css"></head>
<body><main><div class="empty"><h1>{title}</h1><p>{said}</p></div></main></body></html>
"""


def json_response(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Answer with JSON; what is no number in JSON is null."""
    return web.Response(
        body=to_json(document, inf_nan_mode="null"), status=status, content_type="application/json", headers=headers
    )


def json_error(message: str, mend: str, status: int) -> web.Response:
    """Answer with an error: one line, and what would help."""
    return json_response({"error": one_line(message, 500), "mend": one_line(mend, 500)}, status)


def guard(doors: Doors) -> Any:
    """Return the middleware that looks who comes, and makes one line of whatever goes wrong."""
    visits = asyncio.Semaphore(VISITS)

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        async def answer(request: web.Request) -> web.StreamResponse:
            if (refusal := _why_not(doors, request) or doors.let_in(request)) is not None:
                return refusal
            if not _takes_turns(doors, request):
                return await handler(request)
            async with visits:
                return await handler(request)

        response = await _answered(request, answer)
        begun: web.StreamResponse | None = request.get(BEGUN)
        if begun is None or begun is response:
            return response
        # A stream has failed in the middle: it is cut. A second answer must not be written into the first.
        structlog.get_logger().warning("a page was cut off", path=_named(request.path), status=response.status)
        if request.transport is not None:
            request.transport.abort()
        return begun

    return middleware


def _why_not(doors: Doors, request: web.Request) -> web.Response | None:
    """Refuse a request that may not be made; None where it may."""
    refusal: tuple[int, str, str] | None = None
    if not doors.is_our_host(request.host):
        refusal = 421, "this server is not called so", "name it: --host NAME"
    elif doors.carries_token(request):
        refusal = None
    elif not doors.may_see(role := doors.role(request), request.path):
        refusal = 401, "this is for whoever has the token", COME_IN
    elif request.method not in (hdrs.METH_GET, hdrs.METH_HEAD, hdrs.METH_POST):
        refusal = 405, f"{request.method} is not understood here", "use GET or POST"
    elif request.method == hdrs.METH_POST:
        if role != "operator" and not is_personal(request.path):
            refusal = 401, "only operators change something", COME_IN
        elif lacks := doors.why_not_write(request):
            refusal = 403, lacks, "use the pages of this server"
        elif (request.content_length or 0) > MOST_BYTES:
            refusal = 413, "that is too much", "send less than 64 KB"
    return None if refusal is None else _refuse(request, *refusal)


def _takes_turns(doors: Doors, request: web.Request) -> bool:
    """Whether a request waits for others of its kind: those of visitors that are looked up, and do not listen."""
    path = request.path
    is_looked_up = path.startswith("/api/") and path != "/api/stream" and not is_personal(path)
    return is_looked_up and doors.role(request) == "visitor"


async def _answered(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return _refuse(request, error.status, error.reason.lower(), _mend_of(error))
    except PalaverError as error:
        status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)
        return _refuse(request, status, error.message, error.mend)
    except ConnectionResetError:
        raise
    except Exception as error:
        log = structlog.get_logger()
        log.error("a page failed", path=_named(request.path), error="".join(traceback.format_exception(error)))
        return _refuse(request, 500, f"a bug: {type(error).__name__}", "the log has the details")


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Put the headers on an answer that every answer carries, unless it says otherwise; errors included."""
    request[BEGUN] = response
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if hdrs.SERVER in response.headers:
        del response.headers[hdrs.SERVER]


def _refuse(request: web.Request, status: int, message: str, mend: str) -> web.Response:
    """Answer a browser with a page, and a program with JSON."""
    wants_page = "text/html" in request.headers.get(hdrs.ACCEPT, "") and not request.path.startswith("/api/")
    if not wants_page:
        return json_error(message, mend, status)
    title = "Who is there?" if status == 401 else message
    said = f"{message}: {mend}." if status == 401 else mend
    text = PAGE.format(title=escape(one_line(title)), said=escape(one_line(said, 500)))
    return web.Response(text=text, status=status, content_type="text/html")


def _named(path: str) -> str:
    """Name an address in a log; whoever reads logs is not given the links of people's seats."""
    if not is_personal(path):
        return one_line(path)
    kind, _, rest = path.removeprefix("/api").lstrip("/").partition("/")
    return one_line(f"/{kind}/…/{rest.partition('/')[2]}")


def _mend_of(error: web.HTTPException) -> str:
    match error.status:
        case 413:
            return "send less than 64 KB"
        case 404:
            return "see / for what there is"
    return ""
