"""A bus with all its doors, on which three mazes are played all the time, and guests who mean harm.

The house runs in a thread of its own, so that whatever a test does to it comes from outside. Its players hold their
answers back until :meth:`House.pulse` lets one go: in between, games are under way and nothing moves, so that a single
changed key is seen.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Collection, Coroutine, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from prometheus_client import CollectorRegistry
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from palaver_broker import Broker
from palaver_broker.desk import OpenQuestion
from palaver_broker.gateway import Gateway, listen
from palaver_broker.memory import MemoryBroker
from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.bridge import Bridge
from palaver_broker.mqtt.dynsec import DynSec
from palaver_broker.mqtt.topics import Topics
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.admitting import admit
from palaver_broker.redis.answering import settle_by_key
from palaver_broker.redis.strangers import Strangers
from palaver_broker.strangers import Door
from palaver_broker.topics import episode_log, inbox, notes, outbox
from palaver_deploy.doors.portering import keep_porter
from palaver_gamemasters.engine import open_engine
from palaver_gamemasters.maze import GAME as MAZE
from palaver_gamemasters.rollout import plan, roll_out
from palaver_observability.door_metrics import count_refusals
from palaver_protocols.codec import encode
from palaver_protocols.messages import EpisodeEnded, EpisodeStarted, TurnRequest, TurnTaken
from palaver_protocols.runs import RunConfig
from palaver_protocols.strangers import stranger
from tests.mosquitto_server import MosquittoServer
from tests.redis_server import RedisServer
from tests.security.players import BUS, SEATS
from tests.support import a_reply, a_request, ask, until
from tests.toys import ToyModel, serving

__all__ = ["FEW", "OPERATOR", "PATIENCE_S", "House", "Once", "a_house", "asked_of"]

T = TypeVar("T")
OPERATOR = "operator"
BRIDGE = "the-bridge-s-password"
PATIENCE_S = 30.0
EPISODES = 3
FEW = 20
"""Attempts that can be made between two turns of the games: those of one door, which begin nothing that goes on."""
LIVELY = ("porter", "members", "agents", "place:")
"""Keys that say who is there now, and change by themselves."""
Result = Mapping[str, tuple[str, Any, list[tuple[str, str]]]]
"""By episode: how it ended, its scores, and what was said by whom."""


class Once(NamedTuple):
    """What an agent may have been asked: ``open`` now, ``answered``, ``withdrawn``, or in a game that is ``over``."""

    open: TurnRequest
    answered: TurnRequest
    withdrawn: TurnRequest
    over: TurnRequest


def asked_of(name: str) -> Once:
    """Return the questions that :meth:`House.guest` asks of a guest."""
    return Once(
        *(
            a_request(f"{fate} to {name}", agent=stranger(name), run_id=f"guest-{name}", episode_id=fate)
            for fate in Once._fields
        )
    )


@dataclass(repr=False)
class House:
    """The bus, its doors and its games; ``players`` sit in the mazes. Made by :func:`a_house`."""

    server: RedisServer
    mosquitto: MosquittoServer | None
    players: tuple[str, str]
    loop: asyncio.AbstractEventLoop
    tokens: dict[str, str] = field(default_factory=dict)
    guests: set[str] = field(default_factory=set)
    url: str = ""
    rounds: list[Result] = field(default_factory=list)
    usual: Result = field(default_factory=dict)
    live: int = 0
    parked: dict[str, TurnRequest] = field(default_factory=dict)
    taken: int = 0
    known: dict[str, Any] = field(default_factory=dict)
    """How it was before the attempts that are under way; nothing where it must be looked at anew."""
    tried: int = 0
    operator: Any = None
    permits: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    services: list["asyncio.Task[Any]"] = field(default_factory=list)
    broker: RedisBroker = field(init=False)
    dynsec: DynSec = field(init=False)
    gateway: Gateway = field(init=False)
    bridge: Bridge = field(init=False)
    over: asyncio.Event = field(init=False)
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)

    # --- what tests do; from outside ---

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Have something done in the house."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE_S)

    def client(self, user: str = OPERATOR, password: str | None = None) -> "Redis":
        """Log in to Redis, as the operator or as a guest."""
        once = Retry(NoBackoff(), 0)
        name, word = ("default", OPERATOR) if user == OPERATOR else (user, password or self.tokens[user])
        return Redis(
            unix_socket_path=str(self.server.socket), username=name, password=word, protocol=2, retry=once,
            socket_timeout=PATIENCE_S,
        )  # fmt: skip

    def guest(self, name: str, *doors: Door) -> Once:
        """Let somebody in who means harm, and ask it this and that; idempotent."""
        if name not in self.guests:
            self.do(self._guest(name, doors))
            self.known = {}
        return asked_of(name)

    def victims(self) -> TurnRequest:
        """Return a question of a running maze that is open to a player."""
        self.settle()
        return next(iter(self.parked.values()))

    def settle(self) -> None:
        """Wait until every running maze waits for its player."""
        self.do(self._settled())

    def pulse(self) -> None:
        """Let one answer go; return when it is taken and the games wait again: the services are alive."""
        self.known = {}
        self.do(self._pulse())

    def finish(self) -> None:
        """Let the mazes that are under way be played to their end, and see that it is the usual one."""
        self.known = {}
        self.do(self._finish())
        assert all(found == self.usual for found in self.rounds), "a maze has ended in another way"

    def look(self) -> dict[str, Any]:
        """Return all that is on the bus and is not a guest's own: logs, boxes, answers, purses, users, settings."""
        self.settle()
        carried = {BUS + outbox(stranger(name)) for name in self.players}
        until_s = time.monotonic() + PATIENCE_S
        now = self._look()
        # Who has heard that an answer is taken may hear it before all is tidied up behind it.
        while (again := self._look()) != now or carried & now.keys():
            assert time.monotonic() < until_s, "the bus does not come to rest"
            now = again
        return now

    def _look(self) -> dict[str, Any]:
        own = {BUS + box(stranger(name)) for name in self.guests for box in (outbox, notes)}
        names = sorted(key.decode() for key in self.operator.keys("*"))
        names = [name for name in names if name not in own and not name.removeprefix(BUS).startswith(LIVELY)]
        with self.operator.pipeline(transaction=False) as asking:
            for name in names:
                asking.type(name)
            kinds = asking.execute()
            for name, kind in zip(names, kinds, strict=True):
                command, *more = READ[kind]
                asking.execute_command(command, name, *more)
            asking.execute_command("ACL", "LIST")
            asking.config_get("*")
            return dict(zip([*names, "users", "config"], asking.execute(), strict=True))

    @contextmanager
    def harmless(self, *, every: int = 1) -> Iterator[None]:
        """See that what is done meanwhile changes nothing of anybody else's, and that the games go on.

        Args:
            every: after how many attempts they do. In between nothing moves: what the attempts before have left
                behind may come late, but it is seen.
        """
        self.known = self.known or self.look()
        yield
        self._check()
        self.tried += 1
        if self.tried % every == 0:
            self.pulse()

    def _check(self) -> None:
        before, self.known = self.known, {}
        after = self._look()
        if after != before:
            after = self.look()
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        assert not changed, {key: (before.get(key), after.get(key)) for key in changed}
        self.known = before

    async def meanwhile(self, work: Coroutine[Any, Any, T] | None = None) -> T | None:
        """In the midst of an attempt, let a game go on; and do what an operator does, which changes what is there."""

        def change() -> T | None:
            self._check()
            found = None if work is None else self.do(work)
            self.pulse()
            self.known = self.look()
            return found

        return await asyncio.to_thread(change)

    # --- what happens inside ---

    async def _guest(self, name: str, doors: Collection[Door]) -> None:
        self.tokens[name] = await admit(self.broker.link, name, doors)
        self.guests.add(name)
        if "mqtt" in doors:
            await self.dynsec.add(name, self.tokens[name])
            topic = Topics("palaver", name).answers
            await until(
                lambda: topic in self.bridge._wire._tuned
            )  # else what it says first is lost, as MQTT may lose it
        asked = asked_of(name)
        for request in asked:
            await ask(self.broker, request)
        await self.broker.withdraw(asked.withdrawn)
        for request in (asked.answered, asked.over):
            await self._settle(request)
        if "mqtt" in doors:
            await until(lambda: any(question.key == asked.open.key for question in self._open_at_mqtt(name)))
        log = episode_log(asked.over.run_id, asked.over.episode_id)
        await self.broker.link.call("UNLINK", self.broker.link.prefix + log)

    def _open_at_mqtt(self, name: str) -> Iterable[OpenQuestion]:
        return self.bridge._lines[name][0]._desk or ()

    async def _settle(self, request: TurnRequest) -> None:
        async with self.broker.subscribe(inbox(request.agent), "agents", consumer="settler", limit=9) as questions:
            async for delivery in questions:
                if delivery.message.key == request.key:
                    await self.broker.settle(a_reply(request, "Settled."), delivery)
                    return

    async def _settled(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await until(lambda: self._ended() or (self.live and len(self.parked) == self.live))
        assert not self._ended(), self._ended()

    def _ended(self) -> list["asyncio.Task[Any]"]:
        """Return what should go on and does not."""
        return [task for task in self.services if task.done()]

    async def _pulse(self) -> None:
        await self._settled()
        before = self.taken
        self.permits.release()
        async with asyncio.timeout(PATIENCE_S):
            await until(lambda: self.taken > before or self._ended())
        await self._settled()

    async def _finish(self) -> None:
        before = len(self.rounds)
        while len(self.rounds) == before:
            await self._pulse()

    async def answer(self, request: TurnRequest) -> bytes:
        """Answer as a player does, when it may."""
        self.parked[request.key] = request
        await self.permits.acquire()
        del self.parked[request.key]
        return encode(a_reply(request, MAZE.players()["scripted"](request)))

    def told(self, raw: bytes | str) -> None:
        """Hear, as a player, what became of an answer."""
        notice = json.loads(raw)
        assert notice["code"] == "accepted", notice
        self.taken += 1


READ: Mapping[bytes, tuple[str | int, ...]] = {
    b"stream": ("XRANGE", "-", "+"),
    b"hash": ("HGETALL",),
    b"zset": ("ZRANGE", 0, -1),
    b"set": ("SMEMBERS",),
    b"list": ("LRANGE", 0, -1),
    b"string": ("GET",),
    b"none": ("EXISTS",),
}
"""How to read what a key holds. Who has what on loan is not looked at: loans are renewed all the time."""


# --- games ---


async def _play(house: House, broker: Broker, run_id: str) -> Result:
    """Play three mazes; return what became of them."""
    game = MAZE
    agents = tuple(stranger(name) for name in house.players)
    config = RunConfig(run_id=run_id, game="maze", agents=agents, episodes=EPISODES, seed=7)
    openings = plan(game, config).openings
    found: dict[str, tuple[str, Any, list[tuple[str, str]]]] = {}

    async def on_end(opening: EpisodeStarted, ended: EpisodeEnded) -> None:
        entries = await broker.read(episode_log(opening.run_id, opening.episode_id))
        said = [(entry.reply.seat, entry.reply.text) for entry in entries if isinstance(entry, TurnTaken)]
        found[opening.episode_id] = ended.outcome, dict(ended.scores), said
        house.live -= 1

    house.live = len(openings)
    async with open_engine(broker, name="gm") as engine:
        await roll_out(engine, game, openings, concurrency=EPISODES, on_end=on_end)
    return found


async def _play_on(house: House) -> None:
    for number in range(10_000):
        house.rounds.append(await _play(house, house.broker, f"round-{number}"))
        for key in await house.broker.link.call("KEYS", f"*:round-{number}/*"):
            await house.broker.link.call("UNLINK", key)


async def _usually(house: House) -> Result:
    """Play the same where nobody disturbs."""
    async with MemoryBroker() as broker, AsyncExitStack() as stack:
        for name in house.players:
            await stack.enter_async_context(serving(broker, stranger(name), ToyModel(MAZE.players()["scripted"])))
        return await _play(house, broker, "usual")


# --- the house itself ---


@asynccontextmanager
async def _open(house: House) -> AsyncIterator[None]:
    url = f"unix://:{OPERATOR}@{house.server.socket}"
    async with AsyncExitStack() as stack:
        house.broker = broker = await stack.enter_async_context(RedisBroker(url))
        house.usual = await _usually(house)
        registry = Strangers(broker.link)
        house.gateway = Gateway(broker, registry, "gate", late=lambda said: settle_by_key(broker, said))
        await stack.enter_async_context(house.gateway.open())
        house.url = (await stack.enter_async_context(listen(house.gateway, "127.0.0.1", 0))).url
        await until(lambda: house.gateway.knows_anybody)
        for name in house.players:
            door = SEATS[name][0]
            house.tokens[name] = await admit(broker.link, name, [door])
        begun = [keep_porter(broker, url, on_refused=count_refusals(house.registry))]
        if house.mosquitto is not None:
            house.dynsec = DynSec(house.mosquitto.admin_url, "palaver")
            await house.dynsec.set_up("bridge", BRIDGE)
            for name in house.players:
                if SEATS[name][0] == "mqtt":
                    await house.dynsec.add(name, house.tokens[name])
            address = Address.of(house.mosquitto.url("bridge", BRIDGE))
            house.bridge = Bridge(broker, registry, address, bus="palaver", consumer="bridge")
            begun.append(house.bridge.run())
        begun += [SEATS[name][1](house, name) for name in house.players]
        house.services += [asyncio.create_task(work) for work in [*begun, _play_on(house)]]
        try:
            yield
        finally:
            for task in house.services:
                task.cancel()
            await asyncio.gather(*house.services, return_exceptions=True)


@contextmanager
def a_house(players: tuple[str, str] = ("rae", "wes"), *, mosquitto: MosquittoServer | None = None) -> Iterator[House]:
    """Open a house, in a thread of its own."""
    ready = threading.Event()
    opened: list[House] = []
    failed: list[BaseException] = []

    async def live(server: RedisServer) -> None:
        house = House(server, mosquitto, players, asyncio.get_running_loop())
        over = asyncio.Event()
        house.over = over
        async with _open(house):
            opened.append(house)
            ready.set()
            await over.wait()

    def run(server: RedisServer) -> None:
        try:
            asyncio.run(live(server))
        except BaseException as error:  # told to whoever waits
            failed.append(error)
            ready.set()

    with RedisServer(requirepass=OPERATOR, appendfsync="everysec") as server:
        thread = threading.Thread(target=run, args=(server,), daemon=True)
        thread.start()
        assert ready.wait(PATIENCE_S), "the house does not open"
        if failed:
            raise failed[0]
        try:
            opened[0].operator = opened[0].client()
            opened[0].finish()  # everybody has been asked once: whatever is made for that is there
            yield opened[0]
        finally:
            if opened[0].operator is not None:
                opened[0].operator.close()
            opened[0].loop.call_soon_threadsafe(opened[0].over.set)
            thread.join(PATIENCE_S)
        if failed:
            raise failed[0]
