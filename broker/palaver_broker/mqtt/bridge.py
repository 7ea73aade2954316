"""The bridge: a line to each agent that may come in by MQTT, over one connection, as long as there is a broker.

One bridge of a bus is at work. Two for a moment do no harm: an agent is asked twice and answers once, and the bus
takes the first answer.
"""

import asyncio
from collections.abc import Callable, Collection

import aiomqtt
import structlog

from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.strangers import LIMITS, AgentHello, Limits, Notice, RefusedError

from ..base import Broker
from ..strangers import Registry, Stranger
from .address import Address
from .client import AwayError, RefusedLoginError, connected, granted, properties
from .line import NOTICE_S, Line
from .topics import Topics
from .wire import Counts, Wire, straight_to

__all__ = ["Bridge"]

LOOK_S = 1.0
"""How often we look who is known."""
PATIENCE_S = 10.0
"""How long a broker is waited for that was never there."""
PAUSES_S = (0.1, 0.25, 0.5, 1.0, 2.0)
WARN_EACH_S = 10.0
ROOM = 64 * 1024
"""What a packet may have besides what it carries. An agent that says a little too much is told so; what is larger
than this, the broker keeps to itself."""


class Bridge:
    """The bridge of one bus.

    Args:
        broker: the bus.
        registry: who is known.
        address: where the MQTT broker is.
        bus: the bus's name.
        consumer: what this process is called on the bus; no other is called so.
        limits: what agents may do.
        on_hello: called with each greeting.
        on_notice: called with what agents are told of what they said.
    """

    def __init__(
        self,
        broker: Broker,
        registry: Registry,
        address: Address,
        *,
        bus: str,
        consumer: str,
        limits: Limits = LIMITS,
        on_hello: Callable[[AgentHello], None] = lambda _: None,
        on_notice: Callable[[Notice], None] = lambda _: None,
    ) -> None:
        self._broker, self._registry, self._address = broker, registry, address
        self._bus, self._consumer, self._limits = bus, consumer, limits
        self._on_hello, self._on_notice = on_hello, on_notice
        self._lines: dict[str, tuple[Line, asyncio.Task[None]]] = {}
        self._by_topic: dict[str, Line] = {}
        self._changed = asyncio.Event()
        self._wire = Wire()
        self._present: Collection[str] = ()
        self._warned = -WARN_EACH_S
        self._was_connected = False
        self.counts = Counts()

    @property
    def connected(self) -> bool:
        """Whether there is an MQTT broker now."""
        return self._wire.connected

    @property
    def agents(self) -> int:
        """How many agents may come in here."""
        return len(self._lines)

    @property
    def open(self) -> int:
        """How many questions wait for an answer."""
        return sum(len(line) for line, _ in self._lines.values())

    async def run(self, present: Collection[str] = ()) -> None:
        """Carry until cancelled; then hand back what has no answer.

        Args:
            present: agents (``bus/NAME``) that were here a moment ago, as an earlier bridge has noted.

        Raises:
            BrokerError: the broker was never there, does not let us in, or does not hold its users to their topics.
        """
        self._present = present
        async with asyncio.TaskGroup() as tasks:
            looking = tasks.create_task(self._look(tasks), name="who is known")
            try:
                await self._stay_connected()
            finally:
                looking.cancel()
                for _, task in self._lines.values():
                    task.cancel()
                self._lines.clear()
                self._by_topic.clear()

    async def _look(self, tasks: asyncio.TaskGroup) -> None:
        """Keep up with who is known."""
        while True:
            self._changed.clear()
            try:
                await self._keep_up(tasks)
            except BrokerError as error:
                self._complain(error)
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _keep_up(self, tasks: asyncio.TaskGroup) -> None:
        known = {name: each for name, each in (await self._registry.strangers()).items() if "mqtt" in each.doors}
        for name in self._lines.keys() - known.keys():
            await self._cut_off(name)
        for name, each in known.items():
            if name not in self._lines:
                line = self._line(name)
                if line.agent in self._present:
                    line.be_there()
                self._lines[name] = line, tasks.create_task(line.run(), name=f"line to {line.agent}")
                self._by_topic[line.topics.answers] = line
            self._lines[name][0].always = _has_no_other_way(each)
        await self._wire.tune(self._wanted())

    def _line(self, name: str) -> Line:
        return Line(
            self._broker,
            Topics(self._bus, name),
            self._wire,
            self._consumer,
            limits=self._limits,
            counts=self.counts,
            on_hello=self._on_hello,
            on_notice=self._on_notice,
        )

    async def _cut_off(self, name: str) -> None:
        """Let an agent say and hear no more. Its login is the broker's, and is taken away there."""
        line, task = self._lines.pop(name)
        del self._by_topic[line.topics.answers]
        task.cancel()
        await asyncio.wait({task})
        notice = RefusedError("revoked", "you may not be here any more").notice(line.agent)
        await self._wire.publish(line.topics.notices, encode(notice), properties("", expiry_s=NOTICE_S))

    def _wanted(self) -> list[str]:
        return [line.topics.answers for line, _ in self._lines.values() if line.is_listened_to]

    def _take(self, message: aiomqtt.Message) -> None:
        line = self._by_topic.get(message.topic.value)
        if line is None or not isinstance(message.payload, bytes):
            return
        if not line.take(message.payload):
            self.counts.deafened += 1
            structlog.get_logger().warning("a flood is cut off", agent=line.agent)
            self._changed.set()

    async def _stay_connected(self) -> None:
        """Connect, and again whenever the connection is lost."""
        loop = asyncio.get_running_loop()
        began, failures = loop.time(), 0
        while True:
            try:
                await self._serve()
            except BrokerError as error:
                if not self._was_connected and (not isinstance(error, AwayError) or loop.time() - began > PATIENCE_S):
                    raise
                failures = 0 if self._wire.connected else failures + 1
                self._complain(error)
            finally:
                self._wire.lose()
            await asyncio.sleep(PAUSES_S[min(failures, len(PAUSES_S) - 1)])

    async def _serve(self) -> None:
        """Serve over one connection, until it is lost.

        Raises:
            BrokerError: it is lost, or cannot be had, or is not fit for this.
        """
        if not self._was_connected:
            await _check_login(self._address)
        most = self._limits.message_bytes + ROOM
        async with connected(self._address, most_bytes=most, queue=straight_to(self._take)) as client:
            await _check_bounds(client, self._address, self._bus)
            self._wire.found(client)
            await self._wire.tune(self._wanted())
            if self._was_connected:
                self.counts.reconnects += 1
            self._was_connected = True
            structlog.get_logger().info("connected", mqtt=self._address.where)
            for line, _ in self._lines.values():
                line.wake()
            async for _ in client.messages:
                pass  # they have gone straight to their lines; here we hear that the connection is lost

    def _complain(self, error: BrokerError) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._warned >= WARN_EACH_S:
            self._warned = now
            structlog.get_logger().warning("the bridge waits", reason=str(error))


async def _check_login(address: Address) -> None:
    """Make sure that a broker wants to know who comes.

    Raises:
        AwayError: there is no broker.
        BrokerError: it lets anybody in, or does not speak MQTT 5.
    """
    try:
        async with connected(Address(address.host, address.port, "", "", address.tls)):
            pass
    except RefusedLoginError:
        return
    raise BrokerError(
        f"the broker at {address.where} lets anybody in", mend="say `allow_anonymous false` in mosquitto.conf"
    )


async def _check_bounds(client: aiomqtt.Client, address: Address, bus: str) -> None:
    """Make sure that a broker holds its users to their topics: it must refuse us what is the agents' own.

    Raises:
        BrokerError: it does not.
    """
    stolen = f"$share/palaver/{Topics(bus, '+').questions}"
    if granted(await client.subscribe(stolen, qos=0)):
        raise BrokerError(
            f"the broker at {address.where} does not hold its users to their topics",
            mend="load its dynamic-security plugin, and let the bridge be a user of its own (docs/mqtt.md)",
        )


def _has_no_other_way(known: Stranger) -> bool:
    return known.doors == {"mqtt"}
