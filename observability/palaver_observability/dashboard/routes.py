"""The routes: which address gives what."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from aiohttp import hdrs, web
from pydantic_core import to_json

from palaver_observability.records import place_of
from palaver_protocols.errors import BrokerError, PalaverError, UsageError
from palaver_protocols.runs import Grading

from .answering import json_error, json_response
from .cards import Card, Key
from .doors import BOARD_HEADERS, REPORT_HEADERS
from .episodes import Told, episode_as_dict, tell, waiting_of
from .files import Statics
from .index import Index
from .picture import media_type, picture, size_of
from .results import card_of
from .sources import RunNow
from .sources.base import Action, AwayError, run_as_dict
from .sources.watched import replay
from .streaming import stream_all, stream_episode
from .visitors import without_secrets

if TYPE_CHECKING:
    from .app import Dashboard

__all__ = ["Routes"]

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

SHELL = ("/", "/episode/{run}/{episode}", "/runs", "/runs/{run}", "/results", "/results/{run}", "/agents", "/seats")
ACTIONS: dict[str, Action] = {"pause": "pause", "resume": "resume", "cancel": "cancel"}
FOR_EVER = "private, max-age=31536000, immutable"
ASK_AGAIN = "private, no-cache"


class Routes:
    """The dashboard's answers.

    Args:
        board: what they are answered from.
        statics: the pages' files.
    """

    def __init__(self, board: "Dashboard", statics: Statics) -> None:
        self._board, self._statics = board, statics

    def table(self) -> list[web.RouteDef]:
        """Return all routes but those of people's seats."""
        shells = [web.get(path, self._page("index.html")) for path in SHELL]
        people = [web.get(path, self._page("sit.html")) for path in ("/sit/{token}", "/join/{token}")]
        return [
            *shells,
            *people,
            web.get("/healthz", self.healthz),
            web.get("/favicon.ico", self._page("icon.svg")),
            web.get("/static/{name:.+}", self.static),
            web.get("/report/study/{study}", self.report_of_study),
            web.get("/report/{run}", self.report),
            web.get("/api/hello", self.hello),
            web.get("/api/stream", self.stream, allow_head=False),
            web.get("/api/cards", self.cards),
            web.get("/api/board/{run}/{episode}/{turn}", self.board),
            web.get("/api/boards/{run}/{episode}/{turn}", self.boards),
            web.get("/api/episode/{run}/{episode}", self.episode),
            web.get("/api/episode/{run}/{episode}/stream", self.episode_stream, allow_head=False),
            web.get("/api/episode/{run}/{episode}/view", self.view),
            web.get("/api/episode/{run}/{episode}/sent", self.sent),
            web.get("/api/blob/{sha256}", self.blob),
            web.get("/api/runs", self.runs),
            web.get("/api/runs/{run}", self.run),
            web.post("/api/runs/{run}/{action}", self.control),
            web.get("/api/results", self.results),
            web.get("/api/results/{run}", self.result),
            web.get("/api/agents", self.agents),
        ]

    def _page(self, name: str) -> Handler:
        async def page(request: web.Request) -> web.StreamResponse:
            return self._statics.answer(request, name)

        return page

    async def static(self, request: web.Request) -> web.StreamResponse:
        """Answer with a file of the pages."""
        return self._statics.answer(request, request.match_info["name"])

    async def healthz(self, _: web.Request) -> web.Response:
        """Say that we live."""
        return web.Response(text="ok")

    async def hello(self, request: web.Request) -> web.Response:
        """Say what this is, and what whoever asks may do."""
        return json_response(self._board.hello(self._role(request)))

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Send what changes."""
        return await stream_all(request, self._board.feed, self._board.doors)

    async def cards(self, _: web.Request) -> web.Response:
        """Answer with all cards."""
        return web.Response(body=self._board.feed.snapshot(), content_type="application/json")

    async def board(self, request: web.Request) -> web.Response:
        """Draw the board after a turn; not again for who has it.

        Its address is for ever only with its mark (``of``): the next run of the same name has other boards.
        """
        key, turn = _key(request), _number(request.match_info["turn"], "turn")
        is_one = "panel" in request.query
        mark = await self._board.boards.mark_after(key, turn)
        if request.if_none_match and any(each.value == mark for each in request.if_none_match):
            return web.Response(status=304, headers=_kept(request, mark))
        drawn = await self._board.boards.after(key, turn)
        panels = drawn.panels
        if is_one:
            number = _number(request.query["panel"], "panel")
            if number >= len(panels):
                raise UsageError(f"there is no panel {number}", mend=f"there are {len(panels)}, from 0")
            panels = panels[number : number + 1]
        data = await self._board.folds.room(lambda: picture(panels, titles=not is_one))
        return web.Response(body=data, content_type="image/svg+xml", headers=_kept(request, drawn.mark))

    async def boards(self, request: web.Request) -> web.Response:
        """Say which panels the board after a turn has."""
        key = _key(request)
        drawn = await self._board.boards.after(key, _number(request.match_info["turn"], "turn"))
        base = f"/api/board/{quote(key.run, safe='')}/{quote(key.episode, safe='')}/{drawn.turn}"
        panels = []
        for number, panel in enumerate(drawn.panels):
            width, height = size_of(panel)
            said = {"title": panel.title, "words": panel.words, "seat": panel.seat}
            panels.append({**said, "width": width, "height": height, "url": f"{base}?panel={number}&of={drawn.mark}"})
        return json_response({"turn": drawn.turn, "panels": panels})

    async def episode(self, request: web.Request) -> web.Response:
        """Answer with all of an episode."""
        board, key = self._board, _key(request)
        entries = await board.folds.entries(key)
        started: Any = entries[0]
        game = await board.games.get(started.game)
        try:
            told = await board.folds.look(key, len(entries), tell)
        except PalaverError as error:
            told = Told(problem=error.message)
        gradings = await self._gradings(key)
        card = board.index.card(key) or _card_from(key, entries, board.now)
        waiting = waiting_of(card, told)
        told_card = card.as_dict(board.games.primary)
        document = await board.folds.room(
            lambda: to_json(
                episode_as_dict(entries, told_card, told, game=game, gradings=gradings, waiting=waiting),
                inf_nan_mode="null",
            )
        )
        return web.Response(body=document, content_type="application/json")

    async def episode_stream(self, request: web.Request) -> web.StreamResponse:
        """Send the steps of an episode as they are taken."""
        return await stream_episode(request, _key(request), self._board)

    async def view(self, request: web.Request) -> web.Response:
        """Answer with what a seat was shown."""
        seat = request.query.get("seat", "")
        turn = _number(request.query.get("turn", "999999999"), "turn")
        return json_response(await self._board.views.of_seat(_key(request), seat, turn))

    async def sent(self, request: web.Request) -> web.Response:
        """Answer with what a provider was sent."""
        return json_response(await self._board.views.sent(_key(request), _number(request.query.get("n", ""), "n")))

    async def blob(self, request: web.Request) -> web.Response:
        """Answer with a picture."""
        sha256 = request.match_info["sha256"]
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            return json_error("this is no SHA-256", "give 64 hex digits", 404)
        try:
            data = await self._board.source.blob(sha256)
        except AwayError:
            raise
        except BrokerError as error:
            return json_error(error.message, "it was deleted, or let go by the bus", 404)
        kind = media_type(data)
        headers = {hdrs.CACHE_CONTROL: FOR_EVER}
        if kind is None:
            headers[hdrs.CONTENT_DISPOSITION] = f'attachment; filename="{sha256}.bin"'
        return web.Response(body=data, content_type=kind or "application/octet-stream", headers=headers)

    async def runs(self, request: web.Request) -> web.Response:
        """Answer with how all runs stand."""
        return json_response(self._for(request, "runs", await self._board.feed.runs()))

    async def run(self, request: web.Request) -> web.Response:
        """Answer with how a run stands, and with all of its episodes that are known."""
        run = await self._run(request)
        told = self._for(request, "runs", {"runs": [run_as_dict(run, self._board.index, self._board.now())]})
        document: dict[str, Any] = told["runs"][0]
        if self._role(request) == "operator":
            document["config"] = run.config.model_dump(mode="json")
        rows = await self._episodes(run)
        data = await self._board.folds.room(lambda: to_json({**document, "episodes": rows()}, inf_nan_mode="null"))
        return web.Response(body=data, content_type="application/json")

    async def control(self, request: web.Request) -> web.Response:
        """Pause, resume or cancel a run."""
        await _empty(request)
        action = ACTIONS.get(request.match_info["action"])
        if action is None:
            raise web.HTTPNotFound
        run = await self._run(request)
        if not self._board.source.controls:
            return json_error(f"{run.config.run_id} is only looked at here", "nothing plays it in this process", 409)
        if not await self._board.source.control(run.config.run_id, action):
            return json_error(f"{run.config.run_id} cannot be {_done(action)} now", f"it is {run.state}", 409)
        return json_response(run_as_dict(await self._run(request), self._board.index, self._board.now()))

    async def results(self, _: web.Request) -> web.Response:
        """Answer with the tables of all runs."""
        return json_response(await self._board.results.all(self._board.index))

    async def result(self, request: web.Request) -> web.Response:
        """Answer with the tables and the episodes of one run."""
        found = await self._board.results.with_episodes(await self._run(request))
        data = await self._board.folds.room(lambda: to_json(found, inf_nan_mode="null"))
        return web.Response(body=data, content_type="application/json")

    async def report(self, request: web.Request) -> web.Response:
        """Answer with the report of a run."""
        return _document(await self._board.results.report(request.match_info["run"]))

    async def report_of_study(self, request: web.Request) -> web.Response:
        """Answer with the report of a study."""
        board = self._board
        return _document(await board.results.report_of_study(request.match_info["study"], board.index))

    async def agents(self, request: web.Request) -> web.Response:
        """Answer with the registry, the queues and the limits."""
        return json_response(self._for(request, "agents", await self._board.source.agents()))

    def _role(self, request: web.Request) -> str:
        return self._board.doors.role(request)

    def _for(self, request: web.Request, topic: str, found: dict[str, Any]) -> dict[str, Any]:
        return found if self._role(request) == "operator" else without_secrets(topic, found)

    async def _run(self, request: web.Request) -> RunNow:
        name = request.match_info["run"]
        for run in await self._board.source.runs(self._board.index):
            if run.config.run_id == name:
                return run
        raise UsageError(f"there is no run {name!r} here", mend="see /runs for what there is")

    async def _gradings(self, key: Key) -> Sequence[Grading]:
        """Return what graders made of an episode; none where what was written down cannot be read."""
        try:
            records = await self._board.source.records(key.run)
        except PalaverError:
            return ()
        return next((each.gradings for each in records if each.episode_id == key.episode), ())

    async def _episodes(self, run: RunNow) -> Callable[[], list[dict[str, Any]]]:
        """Return what makes a row for every episode of a run that is known: as it is played, or as it was written down.

        There may be many thousands: call it in a thread.
        """
        board, name = self._board, run.config.run_id
        await board.games.get(run.config.game)
        primary = board.games.primary(run.config.game)
        records = await board.source.records(name)
        played = {card.key.episode: card.as_dict(board.games.primary) for card in board.index.cards_of(name)}

        def rows() -> list[dict[str, Any]]:
            every = {record.episode_id: card_of(record, primary) for record in records} | played
            return [every[episode] for episode in sorted(every, key=place_of)]

        return rows


def _card_from(key: Key, entries: Any, now: Callable[[], float]) -> Card:
    """Make the card of an episode that the index has let go, or has never known, from its log."""
    index = Index(now, lambda _: None)
    replay(index, key, entries)
    card = index.card(key)
    assert card is not None, "its log is not empty"
    return card


def _key(request: web.Request) -> Key:
    return Key(request.match_info["run"], request.match_info["episode"])


def _number(text: str, what: str) -> int:
    if not text.isdecimal() or len(text) > 9 or not text.isascii():
        raise web.HTTPBadRequest(reason=f"{what} is no number")
    return int(text)


async def _empty(request: web.Request) -> None:
    """Read the body of a request that says nothing more than its address; it is bounded."""
    await request.read()


def _kept(request: web.Request, mark: str) -> dict[str, str]:
    """Say how long a drawing may be kept."""
    keep = FOR_EVER if request.query.get("of") == mark else ASK_AGAIN
    return {**BOARD_HEADERS, hdrs.CACHE_CONTROL: keep, hdrs.ETAG: f'"{mark}"'}


def _done(action: Action) -> str:
    return {"pause": "paused", "resume": "resumed", "cancel": "cancelled"}[action]


def _document(data: bytes) -> web.Response:
    headers = {**REPORT_HEADERS, hdrs.CACHE_CONTROL: "no-store"}
    return web.Response(body=data, content_type="text/html", charset="utf-8", headers=headers)
