"""Over MQTT: topics of others, shared subscriptions, taken-over sessions, poison that waits, and floods."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.client import AwayError, RefusedLoginError, connected, granted
from palaver_broker.mqtt.dynsec import CONTROL
from tests.security.attempts import Attempts
from tests.security.doors import topics_of
from tests.security.house import FEW, PATIENCE_S, House
from tests.support import a_reply

EVE, FLO = "eve-edge", "flo-edge"
ATTEMPTS = Attempts()
MINE, THEIRS = topics_of(EVE), topics_of("mia")


@asynccontextmanager
async def logged_in(house: House, name: str = EVE) -> AsyncIterator[aiomqtt.Client]:
    assert house.mosquitto is not None
    async with asyncio.timeout(PATIENCE_S):
        async with connected(Address.of(house.mosquitto.url(name, house.tokens[name]))) as client:
            yield client


LISTENING = {
    "a player's questions": THEIRS.questions,
    "a player's answers": THEIRS.answers,
    "a player's notices": THEIRS.notices,
    "a player's pictures": THEIRS.picture("+"),
    "its own answers": MINE.answers,
    "everything": "#",
    "everything of the bus": "palaver/palaver/#",
    "everything of all agents": "palaver/palaver/agents/#",
    "everything of its own": f"palaver/palaver/agents/{EVE}/#",
    "everybody's questions": topics_of("+").questions,
    "five levels of anything": "+/+/+/+/+",
    "five levels of anything and more": "+/+/+/+/+/#",
    "another bus": "palaver/+/agents/+/in",
    "how the broker is": "$SYS/#",
    "who is the administrator": "$CONTROL/#",
    "what the administrator is told": f"{CONTROL}/response",
    "everything, with others": "$share/eve/#",
    "a player's questions, with the player": f"$share/agents/{THEIRS.questions}",
    "the answers of all, with the bridge": f"$share/bridge/{topics_of('+').answers}",
    "its own questions, with others": f"$share/eve/{MINE.questions}",
    "a shared nothing": "$share//",
    "a player's questions behind a slash": f"/{THEIRS.questions}",
    "a topic of 200 levels": "/".join(["+"] * 200),
}


async def not_heard(house: House, topic: str) -> None:
    async with logged_in(house) as client:
        with suppress(aiomqtt.MqttError):  # cut off, for what is no topic at all
            assert not granted(await client.subscribe(topic, qos=1))
        await house.meanwhile()  # questions and answers go by
        assert len(client.messages) == 0


for _name, _topic in LISTENING.items():
    ATTEMPTS(f"listen to {_name}", _topic)(not_heard)

PUBLISHING = {
    "a player's answer": THEIRS.answers,
    "a question to a player": THEIRS.questions,
    "a notice to a player": THEIRS.notices,
    "a picture to a player": THEIRS.picture("0" * 64),
    "a question to itself": MINE.questions,
    "a notice to itself": MINE.notices,
    "below its own answers": f"{MINE.answers}/more",
    "to the administrator": CONTROL,
    "as the administrator": f"{CONTROL}/response",
    "as the broker": "$SYS/broker/version",
    "for another bus": f"palaver/other/agents/{EVE}/out",
}


async def not_published(house: House, topic: str) -> None:
    said = a_reply(house.victims()).model_dump_json()
    if topic == CONTROL:
        said = '{"commands":[{"command":"createClient","username":"eve2","password":"x"}]}'
    async with logged_in(house) as client:
        with suppress(aiomqtt.MqttError):
            await client.publish(topic, said, qos=1)
    await house.meanwhile()
    await cut_off(house, topic, said.encode(), retain=True)
    await house.meanwhile()


async def cut_off(house: House, topic: str, payload: bytes, *, retain: bool = False) -> None:
    """Publish what one is cut off for."""
    with pytest.raises(AwayError):
        await publish_until_lost(house, topic, payload, retain)


async def publish_until_lost(house: House, topic: str, payload: bytes, retain: bool) -> None:
    async with logged_in(house) as client:
        publishing = asyncio.create_task(client.publish(topic, payload, qos=1, retain=retain))
        try:
            async for _ in client.messages:
                pass
        finally:
            publishing.cancel()
            await asyncio.gather(publishing, return_exceptions=True)


for _name, _topic in PUBLISHING.items():
    ATTEMPTS(f"publish {_name}", _topic)(not_published)

LOGINS = {
    "as a player with its own token": ("mia", "OWN", None),
    "as the bridge with its own token": ("bridge", "OWN", None),
    "as the administrator with its own token": ("admin", "OWN", None),
    "as the administrator without a password": ("admin", "", None),
    "as nobody": ("", "", None),
    "under a name that is a pattern": ("+", "OWN", None),
    "under a name with a slash": (f"{EVE}/in", "OWN", None),
    "with half of its token": (EVE, "HALF", None),
    "with a player's token for Redis": (EVE, "RAE", None),
}


async def kept_out(house: House, user: str, password: str, _: None) -> None:
    assert house.mosquitto is not None
    own = house.tokens[EVE]
    shown = {"OWN": own, "HALF": own[:-20], "RAE": house.tokens["rae"]}.get(password, password)
    with pytest.raises(RefusedLoginError):
        async with connected(Address("127.0.0.1", house.mosquitto.port, user, shown)):
            pass


for _name, _login in LOGINS.items():
    ATTEMPTS(f"log in {_name}", *_login)(kept_out)


async def taken_over(house: House, identifier: str) -> None:
    """Connect under another's client id: the other stays, and its session is nobody else's."""
    assert house.mosquitto is not None
    async with aiomqtt.Client(
        "127.0.0.1", house.mosquitto.port, username=EVE, password=house.tokens[EVE], identifier=identifier,
        protocol=aiomqtt.ProtocolVersion.V5, clean_start=False,
    ):  # fmt: skip
        await house.meanwhile()


for _name in ("mia", "bridge", "admin"):
    ATTEMPTS(f"take over the session of {_name}", _name)(taken_over)


@ATTEMPTS("leave poison that stays: a retained answer")
async def _(house: House) -> None:
    await cut_off(house, MINE.answers, a_reply(house.victims()).model_dump_json().encode(), retain=True)
    await house.meanwhile()


@ATTEMPTS("leave poison behind: a will to a player")
async def _(house: House) -> None:
    await die(house, THEIRS.questions)


@ATTEMPTS("leave poison behind: a will to the administrator")
async def _(house: House) -> None:
    await die(house, CONTROL)


@ATTEMPTS("leave poison behind: a retained will in a player's name")
async def _(house: House) -> None:
    await die(house, THEIRS.answers, retain=True)


async def die(house: House, topic: str, *, retain: bool = False) -> None:
    assert house.mosquitto is not None
    will = aiomqtt.Will(topic, a_reply(house.victims()).model_dump_json(), qos=1, retain=retain)
    with suppress(aiomqtt.MqttError):
        async with aiomqtt.Client(
            "127.0.0.1", house.mosquitto.port, username=EVE, password=house.tokens[EVE], will=will,
            protocol=aiomqtt.ProtocolVersion.V5,
        ) as client:  # fmt: skip
            found = client._client.socket()
            assert isinstance(found, socket.socket)
            found.shutdown(socket.SHUT_RDWR)
            async for _ in client.messages:
                pass
    await house.meanwhile()


@ATTEMPTS("have answers sent to a player by a response topic")
async def _(house: House) -> None:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # as paho has it
    properties.ResponseTopic = THEIRS.questions
    properties.CorrelationData = b"x" * 10_000
    async with logged_in(house) as client:
        await client.subscribe(MINE.notices, qos=1)
        await client.publish(MINE.answers, "?", qos=1, properties=properties)
        assert (await anext(client.messages)).topic.value == MINE.notices
    await house.meanwhile()


@ATTEMPTS("publish ten megabytes")
async def _(house: House) -> None:
    await cut_off(house, MINE.answers, b" " * 10_000_000)
    await house.meanwhile()


@ATTEMPTS("subscribe to 2,000 topics")
async def _(house: House) -> None:
    async with logged_in(house) as client:
        with suppress(aiomqtt.MqttError):
            codes = await client.subscribe([(f"t/{number}", 1) for number in range(2000)])
            assert not any(granted([code]) for code in codes)  # type: ignore[list-item]  # each is one of these
    await house.meanwhile()


@ATTEMPTS("publish 2,000 messages at once")
async def _(house: House) -> None:
    async with logged_in(house, FLO) as client:
        for _ in range(2000):
            await client.publish(topics_of(FLO).answers, b"?" * 100, qos=0)
        for _ in range(3):
            await house.meanwhile()


@ATTEMPTS("connect 100 times under its own name")
async def _(house: House) -> None:
    assert house.mosquitto is not None
    address = ("127.0.0.1", house.mosquitto.port)
    begun = [await asyncio.open_connection(*address) for _ in range(100)]
    name, token = EVE.encode(), house.tokens[EVE].encode()
    about = b"\x00\x04MQTT\x05\xc2\x00\x3c\x00\x00\x00"
    said = about + len(name).to_bytes(2, "big") + name + len(token).to_bytes(2, "big") + token
    for _, writer in begun:
        writer.write(b"\x10" + bytes([len(said)]) + said)
    await house.meanwhile()
    for _, writer in begun:
        writer.transport.abort()


@ATTEMPTS("say what is no MQTT")
async def _(house: House) -> None:
    assert house.mosquitto is not None
    for data in (b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 1000, b"\x10\xff\xff\xff\x7f", b"*1\r\n$8\r\nFLUSHALL\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", house.mosquitto.port)
        writer.write(data)
        with suppress(OSError):
            writer.write_eof()
            async with asyncio.timeout(PATIENCE_S):
                assert len(await reader.read(1000)) < 10
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    await house.meanwhile()


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_it_does_not_work(far_house: House, attempt: str) -> None:
    for name in (EVE, FLO):
        far_house.guest(name, "mqtt")
    with far_house.harmless(every=FEW):
        await ATTEMPTS[attempt](far_house)


def test_the_games_end_as_they_would_have(far_house: House) -> None:
    far_house.finish()
