"""Who may come to a bus from outside: let in, given another token, turned out; and what becomes of what was asked."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError
from redis.exceptions import ConnectionError as RedisConnectionError

from palaver_broker import Question
from palaver_broker.board import Member
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.admitting import admit, give_up_questions, renew_token, turn_out
from palaver_broker.redis.strangers import Strangers
from palaver_broker.strangers import DOORS, known_by
from palaver_protocols.errors import UsageError
from palaver_protocols.messages import TurnFailure
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, NOON, a_request, ask


@pytest.fixture
async def bus(redis_server: RedisServer) -> AsyncIterator[RedisBroker]:
    async with RedisBroker(fresh_bus(redis_server)) as broker:
        yield broker
        await broker.link.call("ACL", "DELUSER", "mine", "web")  # the server's, whichever its bus


def client(server: RedisServer, name: str, token: str) -> "Redis":
    return Redis(port=server.port, username=name, password=token, retry=Retry(NoBackoff(), 0))


async def key_of(bus: RedisBroker, name: str) -> bytes:
    value: bytes = await bus.link.call("HGET", f"{bus.link.prefix}strangers", name)
    return value


async def test_a_token_opens_the_doors_that_it_is_for_and_is_kept_nowhere(bus: RedisBroker) -> None:
    registry = Strangers(bus.link)
    token = await registry.add("mine", ["gateway", "mqtt"])
    known = await registry.strangers()
    opened = [door for door in DOORS if known_by(token, known, door)]
    assert opened == ["gateway", "mqtt"]
    assert token.startswith("mine.")
    assert token.partition(".")[2].encode() not in await key_of(bus, "mine")


async def test_a_second_token_takes_the_place_of_the_first(bus: RedisBroker) -> None:
    registry = Strangers(bus.link)
    first = await registry.add("mine", ["gateway"])
    second = await registry.rotate("mine")
    known = await registry.strangers()
    assert known_by(second, known, "gateway") == known["mine"]
    assert known_by(first, known, "gateway") is None


async def test_an_agent_is_let_in_once(bus: RedisBroker) -> None:
    registry = Strangers(bus.link)
    token = await registry.add("mine", DOORS)
    with pytest.raises(UsageError, match="there is an agent 'mine' already"):
        await registry.add("mine", DOORS)
    assert known_by(token, await registry.strangers(), "gateway")


@pytest.mark.parametrize("name", ["", "A", "a b", "-a", "a-", "a" * 33, "a/b", "a*", "default\n", "é"])
async def test_a_name_is_one_that_a_server_can_have_a_user_of(bus: RedisBroker, name: str) -> None:
    with pytest.raises(UsageError, match="no name for an agent"):
        await admit(bus.link, name, ["gateway"])
    assert not await Strangers(bus.link).strangers()


async def test_whoever_is_not_there_is_said_not_to_be(bus: RedisBroker) -> None:
    registry = Strangers(bus.link)
    await registry.add("a", ["gateway"])
    for change in (registry.rotate, registry.remove, registry.known):
        with pytest.raises(UsageError, match=r"no agent 'b' on this bus \(there are: a\)"):
            await change("b")


async def test_what_cannot_be_read_lets_nobody_in_and_keeps_nobody_out(bus: RedisBroker) -> None:
    registry = Strangers(bus.link)
    token = await registry.add("good", ["gateway"])
    for name, word in {"torn": '{"digest"', "list": "[]", "bare": "{}", "odd": '{"digest": "", "doors": 3}'}.items():
        await bus.link.call("HSET", f"{bus.link.prefix}strangers", name, word)
    known = await registry.strangers()
    assert list(known) == ["good"]
    assert known_by(token, known, "gateway")


async def test_who_was_turned_out_is_remembered_until_it_comes_back(bus: RedisBroker) -> None:
    registry = Strangers(bus.link)
    await registry.add("mine", ["gateway"])
    await registry.remove("mine")
    assert list(await registry.gone()) == ["mine"]
    await registry.add("mine", ["gateway"])
    assert not await registry.gone()


@pytest.mark.usefixtures("redis_7")
async def test_revocation_cuts_a_connection_that_waits(bus: RedisBroker, redis_server: RedisServer) -> None:
    token = await admit(bus.link, "mine", ["redis"])
    async with client(redis_server, "mine", token) as agent:
        await agent.ping()
        box = f"{bus.link.prefix}in:bus/mine"
        waiting = asyncio.ensure_future(agent.xread({box: "0-0"}, block=4000))
        while b"cmd=xread" not in await bus.link.call("CLIENT", "LIST"):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.005)
        await turn_out(bus.link, "mine")
        with pytest.raises(RedisConnectionError):
            await waiting
        with pytest.raises(AuthenticationError):
            await agent.ping()


@pytest.mark.usefixtures("redis_7")
async def test_rotation_cuts_a_connection_with_the_old_token(bus: RedisBroker, redis_server: RedisServer) -> None:
    old = await admit(bus.link, "mine", ["redis"])
    async with client(redis_server, "mine", old) as agent:
        await agent.ping()
        new = await renew_token(bus.link, "mine")
        with pytest.raises((RedisConnectionError, AuthenticationError)):
            await agent.ping()
        with pytest.raises(AuthenticationError):
            await agent.ping()
    async with client(redis_server, "mine", new) as agent:
        assert await agent.ping()
    await turn_out(bus.link, "mine")


async def test_what_is_asked_of_who_is_turned_out_has_failed(bus: RedisBroker) -> None:
    await Strangers(bus.link).add("mine", ["gateway"])
    for number in range(3):
        await ask(bus, a_request(f"k{number}", agent="bus/mine"))
    await ask(bus, a_request("other", agent="bus/other"))
    await bus.link.call("XADD", f"{bus.link.prefix}in:bus/mine", "*", "m", "no question")
    for box in ("out", "note"):
        await bus.link.call("XADD", f"{bus.link.prefix}{box}:bus/mine", "*", "m", "{}")
    known, left = await turn_out(bus.link, "mine")
    assert (known.name, left) == ("mine", 3)
    async with bus.subscribe(BOX, "test", consumer="test") as answers:
        for number in range(3):
            answer = (await anext(answers)).message
            assert isinstance(answer, TurnFailure)
            assert (answer.key, answer.code, answer.retryable) == (f"k{number}", "revoked", False)
    sizes = [await bus.link.call("XLEN", f"{bus.link.prefix}{box}:bus/mine") for box in ("in", "out", "note")]
    assert sizes == [0, 0, 0]
    assert await bus.link.call("XLEN", f"{bus.link.prefix}in:bus/other") == 1


async def test_a_question_that_a_door_holds_fails_too_and_the_door_is_told(bus: RedisBroker) -> None:
    await ask(bus, request := a_request("k", agent="bus/mine"))
    async with bus.subscribe("in:bus/mine", "agents", consumer="door") as questions:
        delivery = await anext(questions)
        assert await give_up_questions(bus.link, "mine") == 1
        assert not await delivery.renew()
    assert await bus.ask(Question(request, BOX)) == "asked", "a failure is no answer: it may be asked again"


async def test_who_is_turned_out_is_no_longer_shown_as_there(bus: RedisBroker) -> None:
    await Strangers(bus.link).add("mine", ["gateway"])
    board = Board(bus.link)
    for name in ("bus/mine", "bus/other"):
        await board.beat("agent", Member("agent", name, "redis", "", 0, "", 1, {}, NOON, 0), 60)
    await turn_out(bus.link, "mine")
    assert [member.name for member in await board.members()] == ["bus/other"]


async def test_giving_up_many_questions_comes_to_an_end(bus: RedisBroker) -> None:
    for number in range(250):
        await ask(bus, a_request(f"k{number}", agent="bus/mine"))
    assert await give_up_questions(bus.link, "mine") == 250
    assert await give_up_questions(bus.link, "mine") == 0
