"""What mosquitto lets an agent do: its own part, and nothing else."""

import asyncio
from collections.abc import AsyncIterator

import aiomqtt
import pytest

from palaver_broker.mqtt import dynsec
from palaver_broker.mqtt.address import Address
from palaver_broker.mqtt.client import AwayError, RefusedLoginError, connected, granted
from palaver_broker.mqtt.dynsec import DynSec
from palaver_protocols.errors import BrokerError, UsageError
from tests.broker.mqtt.edge import PASSWORD, Edge
from tests.mosquitto_server import ADMIN, MosquittoServer

OWN = ("in", "note", "blob/#", "blob/+")


@pytest.fixture(autouse=True)
async def patience() -> AsyncIterator[None]:
    async with asyncio.timeout(20):
        yield


def filled(topic: str, edge: Edge) -> str:
    me, other = edge.topics("one"), edge.topics("two")
    return topic.format(bus=edge.bus, me=me.name, other=other.name)


@pytest.mark.parametrize("end", OWN)
async def test_an_agent_may_hear_what_is_its_own(edge: Edge, end: str) -> None:
    token = await edge.add("one")
    async with connected(edge.address("one", token)) as client:
        assert granted(await client.subscribe(f"palaver/{edge.bus}/agents/{edge.named('one')}/{end}", qos=1))


@pytest.mark.parametrize(
    "topic",
    [
        "palaver/{bus}/agents/{other}/in",
        "palaver/{bus}/agents/{other}/out",
        "palaver/{bus}/agents/{other}/note",
        "palaver/{bus}/agents/{other}/blob/#",
        "palaver/{bus}/agents/{me}/out",
        "palaver/{bus}/agents/{me}/#",
        "palaver/{bus}/agents/{me}/+",
        "palaver/{bus}/agents/+/in",
        "palaver/{bus}/agents/+/note",
        "palaver/{bus}/agents/#",
        "palaver/{bus}/#",
        "palaver/+/agents/{me}/in",
        "palaver/other/agents/{me}/in",
        "palaver/#",
        "+/{bus}/agents/{other}/in",
        "#",
        "+",
        "+/#",
        "$share/x/palaver/{bus}/agents/{other}/in",
        "$share/x/palaver/{bus}/agents/{me}/in",
        "$share/x/palaver/{bus}/agents/+/out",
        "$share/x/#",
        "$SYS/#",
        "$SYS/broker/clients/connected",
        "$CONTROL/#",
        "$CONTROL/dynamic-security/v1/response",
        "$CONTROL/dynamic-security/#",
    ],
)
async def test_an_agent_may_not_listen_elsewhere(edge: Edge, topic: str) -> None:
    token = await edge.add("one")
    async with connected(edge.address("one", token)) as client:
        assert not granted(await client.subscribe(filled(topic, edge), qos=1))


@pytest.mark.parametrize(
    "topic",
    [
        "palaver/{bus}/agents/{other}/in",
        "palaver/{bus}/agents/{other}/out",
        "palaver/{bus}/agents/{other}/note",
        "palaver/{bus}/agents/{other}/blob/" + "0" * 64,
        "palaver/{bus}/agents/{me}/in",
        "palaver/{bus}/agents/{me}/note",
        "palaver/{bus}/agents/{me}/blob/" + "0" * 64,
        "palaver/{bus}/agents/{me}/out/more",
        "palaver/other/agents/{me}/out",
        "$share/x/palaver/{bus}/agents/{other}/out",
        "$SYS/broker/uptime",
        "$CONTROL/dynamic-security/v1",
        "elsewhere",
    ],
)
@pytest.mark.parametrize("qos", [0, 1, 2])
async def test_what_an_agent_publishes_elsewhere_reaches_nobody(edge: Edge, topic: str, qos: int) -> None:
    tokens = {name: await edge.add(name) for name in ("one", "two")}
    me, other = edge.topics("one"), edge.topics("two")
    async with (
        connected(Address.of(edge.server.url(edge.bridge_user, PASSWORD))) as bridge,
        connected(edge.address("two", tokens["two"])) as two,
        connected(edge.address("one", tokens["one"])) as one,
    ):
        await bridge.subscribe([(other.answers, 1), (me.answers, 1)])
        for client, topics in ((two, other), (one, me)):
            await client.subscribe([(topics.questions, 1), (topics.notices, 1), (topics.picture("#"), 1)])
        await one.publish(filled(topic, edge), b"forged", qos=qos)
        await one.publish(me.answers, b"the end", qos=1)
        await bridge.publish(me.notices, b"the end", qos=1)
        await bridge.publish(other.notices, b"the end", qos=1)
        heard = [(await anext(client.messages)).payload for client in (bridge, two, one)]
    assert heard == [b"the end"] * 3


async def test_another_s_client_id_takes_nothing_over(edge: Edge) -> None:
    tokens = {name: await edge.add(name) for name in ("one", "two")}
    async with edge.bridge() as bridge, edge.agent("two", tokens["two"]) as two:
        for stolen in (edge.named("two"), edge.bridge_user, "admin"):
            async with aiomqtt.Client(
                "127.0.0.1",
                edge.server.port,
                identifier=stolen,
                username=edge.named("one"),
                password=tokens["one"],
                protocol=aiomqtt.ProtocolVersion.V5,
            ) as thief:
                assert granted(await thief.subscribe(edge.topics("one").questions))
                assert not granted(await thief.subscribe(two.topics.questions))
        await two.say(b"still here")
        assert (await two.told()).reason == "not_json"
        assert bridge.counts.reconnects == 0


async def test_an_agent_is_connected_once(edge: Edge) -> None:
    token = await edge.add("one")

    async def stay() -> None:
        async with connected(edge.address("one", token)) as client:
            there.set()
            await anext(client.messages)

    there = asyncio.Event()
    first = asyncio.create_task(stay())
    await there.wait()
    async with connected(edge.address("one", token)):
        with pytest.raises(AwayError, match=r"another 'one-.*' has logged in"):
            await first


@pytest.mark.parametrize("name", ["+", "#", "a/b", "one+", "A", "", "$share", "a" * 33, "../x", "ä", "-a"])
async def test_a_name_that_could_be_a_pattern_is_refused(edge: Edge, name: str) -> None:
    with pytest.raises(UsageError, match="no name for an agent"):
        await edge.dynsec.add(name, "token")


async def test_users_that_are_not_ours_are_left_alone(edge: Edge) -> None:
    for taken in ("admin", edge.bridge_user):
        with pytest.raises(UsageError, match="none of ours"):
            await edge.dynsec.add(taken, "token")
        await edge.dynsec.remove(taken)
    other = DynSec(edge.server.admin_url, "another-bus")
    token = await edge.add("one")
    with pytest.raises(UsageError, match="none of ours"):
        await other.add(edge.named("one"), "stolen")
    await other.remove(edge.named("one"))
    async with connected(edge.address("one", token)), edge.bridge():
        pass


@pytest.mark.parametrize("how", ["remove", "rotate"])
async def test_a_login_that_is_taken_away_cuts_its_connection(edge: Edge, how: str) -> None:
    token = await edge.add("one")
    name = edge.named("one")

    async def until_cut_off() -> None:
        async with connected(edge.address("one", token)) as client:
            await (edge.dynsec.remove(name) if how == "remove" else edge.dynsec.rotate(name, "another"))
            await anext(client.messages)

    with pytest.raises(AwayError, match="Administrative action"):
        await until_cut_off()
    with pytest.raises(RefusedLoginError):
        async with connected(edge.address("one", token)):
            pass
    if how == "rotate":
        async with connected(edge.address("one", "another")):
            pass


async def test_everything_can_be_said_twice(edge: Edge) -> None:
    await edge.dynsec.set_up(edge.bridge_user, PASSWORD)
    name = edge.named("one")
    for _ in range(2):
        await edge.dynsec.add(name, "token")
    async with edge.bridge(), edge.agent("one", "token"):
        pass
    for _ in range(2):
        await edge.dynsec.remove(name)


async def test_a_mosquitto_without_its_plugin_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynsec, "ANSWER_S", 0.3)
    lets_all = {"plugin": None, "plugin_opt_config_file": None, "allow_anonymous": "true"}
    with MosquittoServer(**lets_all) as server:
        with pytest.raises(BrokerError, match="dynamic-security plugin"):
            await DynSec(server.admin_url).add("one", "token")


async def test_who_is_not_the_administrator_changes_nothing(edge: Edge) -> None:
    token = await edge.add("one")
    with pytest.raises(BrokerError, match="log in as its administrator"):
        await DynSec(edge.server.url(edge.named("one"), token), edge.bus).add("two", "token")
    with pytest.raises(RefusedLoginError) as refused:
        await DynSec(edge.server.url("admin", "guessed-it")).add("two", "token")
    assert "guessed-it" not in str(refused.value)
    assert ADMIN not in str(refused.value)
