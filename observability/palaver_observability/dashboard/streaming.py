"""Server-sent events: what changes, as it changes."""

import asyncio
from typing import TYPE_CHECKING, Any

from aiohttp import hdrs, web
from pydantic_core import to_json

from palaver_protocols.messages import EpisodeEnded, EpisodeStarted

from .answering import json_error
from .cards import Key
from .doors import Doors
from .episodes import ended_as_dict, hears_of, steps_of, waiting_of
from .feed import TOPICS, Client, Feed, frame
from .listening import most_connections

if TYPE_CHECKING:
    from .app import Dashboard

__all__ = ["stream_all", "stream_episode"]

ALIVE_S = 15.0
"""How often a silent stream says that it is there."""
LOOK_S = 1.0
"""How often we look whether the browser is."""
ALIVE = b"event: alive\ndata: {}\n\n"
BACK_MS = 1000
"""How soon a browser comes back that has lost us."""


async def stream_all(request: web.Request, feed: Feed, doors: Doors) -> web.StreamResponse:
    """Send cards, runs, agents and seats, as the browser wishes (``topics=``), from ``after`` on."""
    sees_all = doors.role(request) == "operator"
    wished = frozenset(request.query.get("topics", "cards").split(",")) & TOPICS
    topics = wished if sees_all else wished - {"seats"}
    if not sees_all and feed.clients >= most_connections() // 2:  # the others are the operators'
        return json_error("too many browsers listen", "close some pages, and try again", 503)
    response = await _open(request)
    client = Client(topics, sees_all, lambda: _abort(request))
    try:
        await feed.join(client, request.headers.get("Last-Event-ID") or request.query.get("after"))
        await _send_all(request, response, client)
    except ConnectionResetError:
        pass  # the browser has left
    finally:
        feed.leave(client)
    return response


async def _send_all(request: web.Request, response: web.StreamResponse, client: Client) -> None:
    silent = 0.0
    while not _has_left(request):
        try:
            async with asyncio.timeout(LOOK_S):
                data = await client.frames.get()
        except TimeoutError:
            silent += LOOK_S
            if silent < ALIVE_S:
                continue
            data = ALIVE
        silent = 0.0
        if data is None:
            return
        await response.write(data)


async def stream_episode(request: web.Request, key: Key, board: "Dashboard") -> web.StreamResponse:
    """Send the steps of an episode behind ``after``, whom it waits for, and its end."""
    after = request.headers.get("Last-Event-ID") or request.query.get("after") or "0"
    feed, index, folds = board.feed, board.index, board.folds
    entries = await folds.entries(key)  # raises before anything is sent
    started = entries[0]
    hears = hears_of(await board.games.get(started.game), started) if isinstance(started, EpisodeStarted) else {}
    response = await _open(request)
    done = int(after) + 1 if after.isdecimal() and len(after) < 10 else 1
    waiting: Any = None
    has_ended = False
    silent = 0.0
    try:
        with feed.changes_of(key) as changes:
            while not _has_left(request) and not feed.is_closed:
                for step in steps_of(entries, hears, done):
                    await response.write(frame("step", to_json(step, inf_nan_mode="null"), str(step["n"])))
                done = max(done, len(entries))
                now = waiting_of(index.card(key), None)
                if now != waiting:
                    waiting = now
                    await response.write(frame("waiting", to_json({"waiting": now})))
                last = entries[-1]
                if isinstance(last, EpisodeEnded) and not has_ended:
                    await response.write(frame("ended", to_json(ended_as_dict(last), inf_nan_mode="null")))
                has_ended = isinstance(last, EpisodeEnded)
                if await changes.wait(LOOK_S):
                    silent = 0.0
                    entries = await folds.entries(key)
                    continue
                silent += LOOK_S
                if silent >= ALIVE_S:
                    silent = 0.0
                    await response.write(ALIVE)
    except ConnectionResetError:
        pass  # the browser has left
    return response


async def _open(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(
        headers={hdrs.CONTENT_TYPE: "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}
    )
    await response.prepare(request)
    await response.write(f"retry: {BACK_MS}\n\n".encode())
    return response


def _has_left(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
