"""A run with seats for people, on an embedded bus, and its pages, for tests."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, CookieJar, web
from aiohttp.test_utils import TestServer

from palaver_agents import AgentService, Model
from palaver_agents.human import Hall, Place, Study, Tokens, people_service, read_study, serve_people
from palaver_agents.scripted import ScriptedModel
from palaver_broker import Broker
from palaver_broker.memory import MemoryBroker
from palaver_broker.topics import episode_log
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.registry import load_game
from palaver_gamemasters.rollout import plan
from palaver_gamemasters.table import Patience
from palaver_observability.dashboard.seats import Room, seat_routes
from palaver_protocols.messages import EpisodeEnded, LogEntry
from palaver_protocols.runs import RunConfig

OPERATOR = {"X-Operator": "yes"}
WRITES = {"X-Palaver": "1"}


@dataclass
class Browser:
    """Somebody's browser: its cookies, and what it is told."""

    session: ClientSession
    headers: Mapping[str, str] = field(default_factory=dict)

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.session.get(path, headers=self.headers) as response:
            return response.status, await response.json()

    async def post(self, path: str, body: Any = None) -> tuple[int, Any]:
        headers, said = {**WRITES, **self.headers}, {} if body is None else body
        async with self.session.post(path, json=said, headers=headers) as response:
            return response.status, await response.json()

    async def state(self, link: str, until: Callable[[Any], bool] | str) -> Any:
        """Listen at a seat until its state is, or fulfils, something; return it."""
        wanted: Callable[[Any], bool] = until if callable(until) else (lambda state: state["state"] == until)
        async with asyncio.timeout(15), self.session.get(f"/api{link}/stream") as response:
            assert response.status == 200, await response.text()
            async for line in response.content:
                if line.startswith(b"data: ") and wanted(state := json.loads(line[6:])):
                    return state
        raise AssertionError("the stream has ended")

    async def claim(self, link: str, **said: Any) -> Any:
        status, state = await self.post(f"/api{link}/claim", {"consent": True, **said})
        assert status == 200, state
        return state

    async def say(self, link: str, key: str, text: str) -> tuple[int, Any]:
        return await self.post(f"/api{link}/say", {"key": key, "text": text})


@dataclass
class Scene:
    """A run that is played, and its pages. ``ended`` is how each episode ended, by its name."""

    broker: Broker
    hall: Hall
    room: Room
    server: TestServer
    stack: AsyncExitStack
    ended: "dict[str, asyncio.Task[EpisodeEnded]]" = field(default_factory=dict)

    async def browser(self, headers: Mapping[str, str] | None = None) -> Browser:
        jar = CookieJar(unsafe=True)
        session = ClientSession(str(self.server.make_url("/")), cookie_jar=jar)
        return Browser(await self.stack.enter_async_context(session), headers or {})

    async def link(self, episode: str, seat: str) -> str:
        """Wait for a seat; return its link."""
        place = Place("run", episode, seat)
        async with asyncio.timeout(10):
            with self.hall.bell(None) as bell:
                while (chair := self.hall.chair_of(place)) is None:
                    bell.clear()
                    await bell.wait()
        return f"/sit/{chair.token}"

    async def log(self, episode: str) -> list[LogEntry]:
        return await self.broker.read(episode_log("run", episode))


def answering(game: AnyGame, name: str) -> Model:
    return ScriptedModel(name, game.players()[name])


@asynccontextmanager
async def seating(
    game: str,
    agents: str,
    *,
    episodes: int = 1,
    options: Mapping[str, Any] | None = None,
    timeout_s: float = 600.0,
    models: Mapping[str, Model] | None = None,
    also: tuple[str, ...] = (),
    study: str = "",
    tries: int = 5,
) -> AsyncIterator[Scene]:
    """Play episodes with people at some seats, and serve their pages.

    Args:
        game: its name.
        agents: who fills the seats, by commas.
        episodes: how many.
        options: of the game.
        timeout_s: how long a person may think.
        models: what answers for agents that are no scripts.
        also: agents that answer besides those of the run.
        study: ``NAME=RUN``, where there is one.
        tries: how often a question is asked.
    """
    rules = load_game(game)
    chosen = rules.configure(options or {}).model_dump(mode="json")
    config = RunConfig(run_id="run", game=game, agents=tuple(agents.split(",")), episodes=episodes, options=chosen)
    planned = plan(rules, config)
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(MemoryBroker())
        hall = Hall(Tokens(b"s" * 32))
        stack.callback(hall.close)
        studies = (Study(read_study(study, "Do you agree?\n\nReally?"), hall),) if study else ()
        names = {name: None for name in (*planned.agents, *also) if name != "human"}
        room = Room(hall, broker, studies, gamemasters=_masters, served=tuple(names))
        application = web.Application()
        application.add_routes(seat_routes(room, is_operator=lambda request: "X-Operator" in request.headers))
        server = TestServer(application)
        await stack.enter_async_context(server)
        engine = await stack.enter_async_context(open_engine(broker))
        tasks: list[asyncio.Task[Any]] = [asyncio.create_task(serve_people(broker, hall, people_service(broker, hall)))]
        for name in names:
            model = (models or {}).get(name) or answering(rules, name)
            tasks.append(asyncio.create_task(AgentService(broker, name, model).run()))
        scene = Scene(broker, hall, room, server, stack)
        patience = Patience(timeout_s=timeout_s, tries=tries, base_s=0.01)
        for opening in planned.openings:
            scene.ended[opening.episode_id] = asyncio.create_task(engine.play(rules, opening, patience))
        try:
            yield scene
        finally:
            every = [*tasks, *scene.ended.values()]
            for task in every:
                task.cancel()
            await asyncio.gather(*every, return_exceptions=True)


async def _masters() -> tuple[str, ...]:
    return ("gamemaster",)
