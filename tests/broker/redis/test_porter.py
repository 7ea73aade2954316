"""The porter: what strangers on Redis itself say reaches its question, whatever else they put into their outboxes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from palaver_broker import Question
from palaver_broker.board import Member
from palaver_broker.redis import Board, Link, RedisBroker
from palaver_broker.redis import outboxes as boxes_of_strangers
from palaver_broker.redis.admitting import admit
from palaver_broker.redis.porter import Porter
from palaver_broker.redis.strangers import Strangers
from palaver_protocols.codec import encode
from palaver_protocols.errors import BrokerError
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import LIMITS, AgentHello, Limits
from tests.broker.redis.proxy import Proxy
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_failure, a_reply, a_request, ask, until

MINE, OTHER = "bus/mine", "bus/other"
LAST = "18446744073709551615-18446744073709551615"


class Desk:
    """A bus with a porter, and with a stranger that may use Redis itself."""

    def __init__(self, broker: RedisBroker, refused: list[str]) -> None:
        self.broker, self.refused = broker, refused
        self.prefix = broker.link.prefix

    async def call(self, *words: Any) -> Any:
        return await self.broker.link.call(*words)

    async def asked(self, key: str = "k0", agent: str = MINE) -> TurnRequest:
        request = a_request(key, agent=agent)
        await ask(self.broker, request)
        return request

    async def say(self, said: Any, agent: str = MINE, id_: str = "*", *more: str) -> None:
        raw = said if isinstance(said, bytes) else encode(said)
        await self.call("XADD", f"{self.prefix}out:{agent}", id_, *more, "m", raw)

    async def flood(self, link: Link, size: int) -> None:
        await link.call("XADD", f"{self.prefix}out:{MINE}", "*", "m", b" " * size)

    async def notices(self, count: int, agent: str = MINE) -> list[dict[str, Any]]:
        """Wait until an agent has been told so much; return all that it was told."""
        entries: list[Any] = []
        while len(entries) < count:
            await asyncio.sleep(0.005)
            entries = await self.call("XRANGE", f"{self.prefix}note:{agent}", "-", "+")
        return [json.loads(fields[1]) for _, fields in entries]

    async def until_told(self, code: str) -> None:
        while code not in await self.codes(1):  # noqa: ASYNC110 - what is waited for is on a server
            await asyncio.sleep(0.005)

    async def codes(self, count: int, agent: str = MINE) -> list[str]:
        return [notice["reason"] or notice["code"] for notice in await self.notices(count, agent)]

    async def left(self, box: str) -> int:
        length: int = await self.call("XLEN", f"{self.prefix}{box}")
        return length

    async def until_left(self, box: str, count: int) -> None:
        while await self.left(box) != count:  # noqa: ASYNC110 - what is waited for is on a server
            await asyncio.sleep(0.005)

    async def answers(self, count: int) -> list[Any]:
        """Return what has come to the game master, of which there is so much and no more."""
        async with self.broker.subscribe(BOX, "test", consumer="test") as answers:
            found = [(await anext(answers)).message for _ in range(count)]
        assert await self.left(BOX) == count
        return found


@asynccontextmanager
async def porter(broker: RedisBroker, url: str, refused: list[str], limits: Limits = LIMITS) -> AsyncIterator[None]:
    async with Link(url) as link:
        carrier = Porter(
            broker, Strangers(broker.link), Board(broker.link), link, limits=limits, on_refused=refused.append
        )
        running = asyncio.create_task(carrier.run())
        try:
            yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    assert running.cancelled(), "it has ended by itself"


@pytest.fixture(autouse=True)
async def in_time() -> AsyncIterator[None]:
    async with asyncio.timeout(20):
        yield


@pytest.fixture
async def desk(redis_server: RedisServer) -> AsyncIterator[Desk]:
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as broker:
        for name in ("mine", "other"):
            await Strangers(broker.link).add(name, ["redis"])
        refused: list[str] = []
        async with porter(broker, url, refused):
            yield Desk(broker, refused)
        await broker.link.call("ACL", "DELUSER", "mine", "other")  # the server's, whichever its bus


async def test_an_answer_reaches_its_question_and_its_agent_is_told(desk: Desk) -> None:
    request = await desk.asked()
    await desk.say(a_reply(request, "Left.", cost_usd=0.5))
    assert await desk.codes(1) == ["accepted"]
    [answer] = await desk.answers(1)
    assert isinstance(answer, TurnReply)
    assert answer.unverified
    assert answer.parts[0].text == "Left."  # type: ignore[union-attr]  # all parts of it are text
    await desk.until_left(f"out:{MINE}", 0)
    assert await desk.left(f"in:{MINE}") == 0


async def test_a_failure_reaches_its_question_which_may_be_asked_again(desk: Desk) -> None:
    request = await desk.asked()
    await desk.say(a_failure(request, message="a\x1b[2Jb", retry_after_s=1e9))
    [failure] = await desk.answers(1)
    assert isinstance(failure, TurnFailure)
    assert (failure.message, failure.retry_after_s) == ("a [2Jb", 300)
    assert await desk.broker.ask(Question(request, BOX)) == "asked"


async def test_a_second_answer_is_a_duplicate_and_changes_nothing(desk: Desk) -> None:
    request = await desk.asked()
    await desk.say(a_reply(request, "first"))
    await desk.say(a_reply(request, "second"))
    assert await desk.codes(2) == ["accepted", "duplicate"]
    [answer] = await desk.answers(1)
    assert answer.parts[0].text == "first"


async def test_nobody_answers_what_another_was_asked(desk: Desk) -> None:
    theirs = await desk.asked("theirs", OTHER)
    await desk.say(a_reply(theirs))
    await desk.say(a_reply(theirs, agent=MINE))
    assert await desk.codes(2) == ["mismatch", "closed"]
    assert await desk.left(f"in:{OTHER}") == 1
    assert await desk.left(BOX) == 0


@pytest.mark.parametrize(
    "changes", [{"seat": "b"}, {"turn": 1}, {"episode_id": "e1"}, {"run_id": "run2"}, {"run_id": "x/../y}{"}], ids=str
)
async def test_an_answer_belongs_to_its_question_in_all_its_names(desk: Desk, changes: dict[str, Any]) -> None:
    request = await desk.asked()
    await desk.say(a_reply(request, **changes))
    [code] = await desk.codes(1)
    assert code in ("mismatch", "closed")
    assert await desk.left(f"in:{MINE}") == 1


async def test_an_answer_to_a_withdrawn_question_is_refused(desk: Desk) -> None:
    request = await desk.asked()
    assert await desk.broker.withdraw(request)
    await desk.say(a_reply(request))
    assert await desk.codes(2) == ["cancelled", "closed"]
    assert not await desk.broker.withdraw(request)


NONSENSE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "not_json"),
    "no JSON": (b"{", "not_json"),
    "not UTF-8": (b"\xff\xfe", "not_json"),
    "a number": (b"1", "malformed"),
    "a list": (b"[]", "malformed"),
    "no type": (b"{}", "malformed"),
    "another type": (b'{"type": "turn.request"}', "malformed"),
    "another version": (b'{"type": "agent.hello", "version": "9.0", "key": "k", "agent": "bus/mine"}', "version"),
    "half a surrogate": (b'{"type": "agent.hello", "key": "\\ud800", "agent": "bus/mine"}', "not_json"),
    "a deep hole": (b"[" * 100_000, "not_json"),
    "a number without end": (b'{"type": "turn.reply", "turn": ' + b"9" * 10_000 + b"}", "not_json"),
    "more than is allowed": (b" " * (LIMITS.message_bytes + 1), "too_large"),
    "far more than is allowed": (b" " * 10**7, "too_large"),
}


@pytest.mark.parametrize(("raw", "reason"), NONSENSE.values(), ids=NONSENSE.keys())
async def test_nonsense_is_refused_and_what_follows_is_carried(desk: Desk, raw: bytes, reason: str) -> None:
    request = await desk.asked()
    await desk.say(raw)
    await desk.say(a_reply(request))
    assert await desk.codes(2) == [reason, "accepted"]
    assert desk.refused == [reason]


async def test_an_entry_with_other_fields_is_refused(desk: Desk) -> None:
    request = await desk.asked()
    box = f"{desk.prefix}out:{MINE}"
    await desk.call("XADD", box, "*", "x", encode(a_reply(request)))
    await desk.call("XADD", box, "*", *[word for n in range(20_000) for word in (f"f{n}", "")])
    await desk.call("XADD", box, "*", "junk", "x" * LIMITS.message_bytes, "m", encode(a_reply(request)))
    assert await desk.codes(3) == ["not_json", "not_json", "too_large"]
    assert await desk.left(f"in:{MINE}") == 1


@pytest.mark.parametrize("id_", ["0-1", "1-0", "18446744073709551615-0", LAST])
async def test_whatever_ids_an_agent_uses_up_it_can_speak_again(desk: Desk, id_: str) -> None:
    request = await desk.asked()
    await desk.say(b"poison", MINE, id_)
    assert await desk.codes(1) == ["not_json"]
    await desk.until_left(f"out:{MINE}", 0)
    await desk.say(a_reply(request))
    assert await desk.codes(2) == ["not_json", "accepted"]


async def test_a_flood_is_its_senders_own(redis_server: RedisServer) -> None:
    """While one has thousands of messages waiting, another's answer goes through; the log gets a line."""
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as broker:
        for name in ("mine", "other"):
            await Strangers(broker.link).add(name, ["redis"])
        here = Desk(broker, [])
        await asyncio.gather(*(here.say(b"flood") for _ in range(3000)))
        request = await here.asked("k", OTHER)
        await here.say(a_reply(request), OTHER)
        with capture_logs() as logs:
            async with porter(broker, url, here.refused, Limits(per_second=1, burst=50)):
                assert await here.codes(1, OTHER) == ["accepted"]
                assert await here.left(f"out:{MINE}") >= 2900, "its sender's words wait, and not we"
                await here.until_left(f"out:{MINE}", 2950)
        assert 50 <= len(here.refused) <= 51
        lines = [line for line in logs if line["event"] == "refused"]
        assert 1 <= len(lines) <= 2
        assert sum(line["messages"]["not_json"] for line in lines) == len(here.refused)


async def test_an_outbox_holds_so_many_messages_and_the_newest_stay(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes_of_strangers, "MOST_ENTRIES", 100)
    request = await desk.asked()
    await asyncio.gather(*(desk.say(b"flood") for _ in range(3000)), desk.say(a_reply(request)))
    while "too_fast" not in desk.refused:  # noqa: ASYNC110 - the porter has no event
        await asyncio.sleep(0.005)
    await desk.until_told("accepted")
    assert (await desk.answers(1))[0].key == request.key


async def test_an_outbox_holds_so_many_bytes_on_a_full_server_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes_of_strangers, "MOST_BYTES", 2 * 2**20)
    with RedisServer(maxmemory="12mb", appendonly="no") as server:
        async with RedisBroker(server.url) as broker:
            await Strangers(broker.link).add("mine", ["redis"])
            here = Desk(broker, [])
            async with Link(server.url, patience_s=0) as stranger:
                with pytest.raises(BrokerError, match="OOM"):
                    await asyncio.gather(*(here.flood(stranger, 2**20) for _ in range(20)))
            async with porter(broker, server.url, here.refused):
                assert "too_large" in await here.codes(1)
                request = await here.asked()
                await here.say(a_reply(request))
                await here.until_told("accepted")


async def test_what_is_no_stream_harms_only_itself_and_goes(desk: Desk) -> None:
    await desk.call("SET", f"{desk.prefix}out:{MINE}", "what is this")
    await desk.call("SET", f"{desk.prefix}note:{OTHER}", "and this")
    theirs = await desk.asked("theirs", OTHER)
    await desk.say(a_reply(theirs), OTHER)
    assert [answer.key for answer in await desk.answers(1)] == ["theirs"]
    assert await desk.codes(1) == ["malformed"]
    request = await desk.asked("mine")
    await desk.say(a_reply(request))
    assert await desk.codes(2) == ["malformed", "accepted"]


async def test_an_inbox_that_is_no_stream_stops_nobody_else(desk: Desk) -> None:
    request = await desk.asked()
    await desk.call("SET", f"{desk.prefix}in:{MINE}", "broken")
    await desk.say(a_reply(request))
    assert await desk.codes(1) == ["malformed"]
    theirs = await desk.asked("theirs", OTHER)
    await desk.say(a_reply(theirs), OTHER)
    assert await desk.codes(1, OTHER) == ["accepted"]


async def test_a_registry_that_is_broken_is_said_once_and_mends(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver_broker.redis.porter.LOOK_S", 0.01)
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as broker:
        here = Desk(broker, [])
        registry, kept = f"{here.prefix}strangers", f"{here.prefix}kept"
        await Strangers(broker.link).add("registered", ["redis"])
        with capture_logs() as logs:
            async with porter(broker, url, []):
                await here.call("RENAME", registry, kept)
                await here.call("SET", registry, "broken")
                await until(lambda: len([line for line in logs if "WRONGTYPE" in line.get("reason", "")]) >= 2)
                await asyncio.sleep(0.1)  # ten more looks
                await here.call("RENAME", kept, registry)
                request = await here.asked("k", "bus/registered")
                await here.say(a_reply(request), "bus/registered")
                assert await here.codes(1, "bus/registered") == ["accepted"]
        said = sorted(line["about"] for line in logs if "WRONGTYPE" in line.get("reason", ""))
        assert said == ["users of strangers", "who is known"], "each of those who look says it once"


async def test_a_greeting_shows_an_agent_as_there_with_nothing_in_it_that_cannot_be_seen(desk: Desk) -> None:
    await desk.say(AgentHello(key="h", agent=MINE, software="s\x1b[2J", provider="p\n", model="m\x07", concurrency=3))
    members: list[Member] = []
    while not members:
        await asyncio.sleep(0.005)
        members = await Board(desk.broker.link).members()
    [member] = members
    assert (member.name, member.version, member.concurrency) == (MINE, "s [2J", 3)
    assert (member.about["provider"], member.about["model"]) == ("p ", "m ")


async def test_an_agent_without_this_door_is_not_heard(desk: Desk) -> None:
    await Strangers(desk.broker.link).add("web", ["gateway"])
    request = await desk.asked("k", "bus/web")
    await desk.say(a_reply(request), "bus/web")
    mine = await desk.asked("mine")
    await desk.say(a_reply(mine))
    await desk.codes(1)
    assert await desk.left("out:bus/web") == 1
    assert await desk.left("in:bus/web") == 1


async def test_what_is_asked_of_one_turned_out_fails_at_once(desk: Desk) -> None:
    await Strangers(desk.broker.link).remove("mine")
    await desk.asked()
    [failure] = await desk.answers(1)
    assert (failure.code, failure.retryable) == ("revoked", False)


async def test_a_successor_finds_what_a_killed_porter_has_left(redis_server: RedisServer) -> None:
    """Killed when the question was settled, and the message not yet deleted: it is a duplicate, and nothing is lost."""
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as broker:
        await Strangers(broker.link).add("mine", ["redis"])
        here = Desk(broker, [])
        request = await here.asked()
        async with Proxy(redis_server.url, lose_after=b"turn.reply") as proxy:
            through = f"{proxy.url}?bus={here.prefix[1:-2]}"
            async with RedisBroker(through) as slow, porter(slow, url, []):
                await here.say(a_reply(request))
                await proxy.lost.wait()  # what has settled the question has no reply
        assert len(await here.answers(1)) == 1
        assert await here.left(f"out:{MINE}") == 1
        async with porter(broker, url, []):
            assert "duplicate" in await here.codes(1)
            await here.until_left(f"out:{MINE}", 0)
        assert await here.left(BOX) == 1


async def test_two_porters_at_once_take_no_answer_twice(desk: Desk, redis_server: RedisServer) -> None:
    url = f"{redis_server.url}?bus={desk.prefix[1:-2]}"
    async with porter(desk.broker, url, []):
        requests = [await desk.asked(f"k{number}") for number in range(100)]
        await asyncio.gather(*(desk.say(a_reply(request)) for request in requests))
        await desk.until_left(f"in:{MINE}", 0)
        await desk.until_left(f"out:{MINE}", 0)
    assert {answer.key for answer in await desk.answers(100)} == {request.key for request in requests}
    assert not desk.refused


@pytest.mark.usefixtures("redis_7")
async def test_after_a_restart_of_the_server_agents_can_log_in_and_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver_broker.redis.porter.LOOK_S", 0.05)
    with RedisServer() as server:
        async with RedisBroker(server.url) as broker:
            token = await admit(broker.link, "mine", ["redis"])
            here = Desk(broker, [])
            request = await here.asked()
            async with porter(broker, server.url, []):
                server.kill()
                server.start()
                users: list[bytes] = []
                while b"mine" not in users:
                    users = await here.call("ACL", "USERS")
                    await asyncio.sleep(0.005)
                async with Redis(unix_socket_path=str(server.socket), username="mine", password=token) as agent:
                    await agent.xadd("{palaver}:out:bus/mine", {"m": encode(a_reply(request))})
                assert await here.codes(1) == ["accepted"]
            assert [answer.key for answer in await here.answers(1)] == [request.key]
