"""The connection to the MQTT broker as those see it who use it: it is there, or it is not."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import aiomqtt
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from palaver_protocols.errors import BrokerError

from .client import granted

__all__ = ["Counts", "Wire", "straight_to"]


@dataclass(slots=True)
class Counts:
    """What a bridge has seen, for metrics. ``refused`` is by reason, ``deafened`` how often a flood was cut off."""

    sent: int = 0
    sent_again: int = 0
    pictures: int = 0
    heard: int = 0
    deafened: int = 0
    reconnects: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    def refuse(self, reason: str) -> None:
        """Count one refused message."""
        self.refused[reason] = self.refused.get(reason, 0) + 1


class Wire:
    """A connection that comes and goes."""

    def __init__(self) -> None:
        self._client: aiomqtt.Client | None = None
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tuned: set[str] = set()
        self._tuning = asyncio.Lock()

    @property
    def connected(self) -> bool:
        """Whether there is a broker now, as far as anybody can know."""
        return self._client is not None

    def found(self, client: aiomqtt.Client) -> None:
        """Use a connection from now on. It is subscribed to nothing."""
        self._client, self._tuned = client, set()
        self._lost = asyncio.get_running_loop().create_future()

    def lose(self) -> None:
        """Use it no more; who waits for it is told."""
        self._client = None
        if not self._lost.done():
            self._lost.set_result(None)

    async def publish(self, topic: str, payload: bytes, said: Properties) -> bool:
        """Publish at QoS 1. False: it may not have gone out. True says no more than that the broker has it."""
        client, lost = self._client, self._lost
        if client is None:
            return False
        sending = asyncio.ensure_future(client.publish(topic, payload, qos=1, properties=said))
        try:
            await asyncio.wait({sending, lost}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                return False
            error = sending.exception()
            if error is not None and not isinstance(error, aiomqtt.MqttError):
                raise error
            return error is None
        finally:
            sending.cancel()

    async def tune(self, topics: Collection[str]) -> None:
        """Be subscribed to these topics, and to no others; do nothing while there is no broker.

        Raises:
            BrokerError: the broker refuses one.
        """
        async with self._tuning:
            client, tuned = self._client, self._tuned
            if client is None:
                return
            more, fewer = sorted(set(topics) - tuned), sorted(tuned - set(topics))
            # What is retained is not for us: it may be the trap of somebody who has been here before.
            options = SubscribeOptions(qos=1, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)
            try:
                if more and not granted(await client.subscribe([(topic, options) for topic in more])):
                    raise BrokerError(
                        "the MQTT broker does not let the bridge hear its agents",
                        mend="set the bridge's user up with `palaver serve mqtt --set-up`",
                    )
                if fewer:
                    await client.unsubscribe(fewer)
            except aiomqtt.MqttError:
                return  # it is being lost; whoever finds the next subscribes anew
            tuned.update(more)
            tuned.difference_update(fewer)


def straight_to(take: Callable[[aiomqtt.Message], None]) -> type[asyncio.Queue[aiomqtt.Message]]:
    """Return a queue in which nothing waits: each message goes to ``take`` as it comes.

    A queue of all agents' messages would be filled by the one that says too much.
    """

    class Straight(asyncio.Queue[aiomqtt.Message]):
        def put_nowait(self, item: Any) -> None:
            take(item)

    return Straight
