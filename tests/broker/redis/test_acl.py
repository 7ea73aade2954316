"""A stranger on Redis itself: all that is not its own part is refused, and nothing of the bus is changed by it."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError, ResponseError
from redis.retry import Retry

from palaver_broker.redis import RedisBroker
from palaver_broker.redis.acl import Users, rights
from palaver_broker.redis.admitting import admit, turn_out
from palaver_broker.redis.strangers import Strangers
from palaver_protocols.errors import UsageError
from tests.redis_server import RedisServer, fresh_bus
from tests.support import a_request, ask

pytestmark = pytest.mark.usefixtures("redis_7")

BUS = "{palaver}:"
MINE, OTHER = "bus/mine", "bus/other"
INBOX, OUTBOX, NOTES = (f"{BUS}{box}:{MINE}" for box in ("in", "out", "note"))
LOG, CALLS = f"{BUS}log:run/e0", f"{BUS}calls:run/e0"
PICTURE = b"\x89PNG of the other's board"


def logged_in(server: RedisServer, user: str, password: str, db: int = 0) -> "Redis":
    once = Retry(NoBackoff(), 0)
    return Redis(unix_socket_path=str(server.socket), username=user, password=password, db=db, protocol=2, retry=once)


class Place(NamedTuple):
    """A bus that two strangers may come to, with a question to each; ``token`` is of the first."""

    server: RedisServer
    token: str
    picture: str

    def client(self, user: str = "mine", password: str | None = None) -> "Redis":
        return logged_in(self.server, user, password or self.token)

    def operator(self) -> "Redis":
        return self.client("default", "operator")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    async def prepare(url: str) -> tuple[str, str]:
        async with RedisBroker(url) as broker:
            token = await admit(broker.link, "mine", ["redis"])
            await admit(broker.link, "other", ["redis"])
            for name in (MINE, OTHER):
                await ask(broker, a_request(f"key of {name}", agent=name))
            for name in ("a", "b"):
                await broker.link.call("XADD", f"{BUS}note:bus/{name}", "*", "m", "{}")
            await broker.link.call("XADD", f"{BUS}out:{OTHER}", "*", "m", "an answer")
            return token, await broker.blobs.put(PICTURE)

    with RedisServer(requirepass="operator") as server:
        yield Place(server, *asyncio.run(prepare(f"unix://:operator@{server.socket}")))


def everything(place: Place) -> dict[str, Any]:
    """All that a stranger could have changed: each key as the server would write it down, settings, users."""
    with place.operator() as operator:
        keys = {key: (operator.dump(key), operator.pexpiretime(key) > 0) for key in operator.keys("*")}
        users = sorted(operator.acl_list())
        return {"keys": keys, "config": operator.config_get("*"), "users": users}


@pytest.fixture(scope="module")
def before(place: Place) -> dict[str, Any]:
    return everything(place)


F = "0" * 40
FORBIDDEN: dict[str, tuple[Any, ...]] = {
    # other agents' boxes
    "read another inbox": ("XREAD", "STREAMS", f"{BUS}in:{OTHER}", "0-0"),
    "read another inbox behind my own": ("XREAD", "STREAMS", INBOX, f"{BUS}in:{OTHER}", "0-0", "0-0"),
    "read another inbox before my own": ("XREAD", "STREAMS", f"{BUS}in:{OTHER}", INBOX, "0-0", "0-0"),
    "wait for another inbox": ("XREAD", "BLOCK", "10", "STREAMS", f"{BUS}in:{OTHER}", "$"),
    "read an inbox of a model": ("XREAD", "STREAMS", f"{BUS}in:openai/gpt-4.1", "0-0"),
    "read an inbox whose name begins with mine": ("XREAD", "STREAMS", f"{INBOX}-2", "0-0"),
    "read an inbox with a pattern": ("XREAD", "STREAMS", f"{BUS}in:*", "0-0"),
    "read an inbox of another bus": ("XREAD", "STREAMS", "{b}:in:" + MINE, "0-0"),
    "read another's notes": ("XREAD", "STREAMS", f"{BUS}note:{OTHER}", "0-0"),
    "read another outbox": ("XREAD", "STREAMS", f"{BUS}out:{OTHER}", "0-0"),
    "write another outbox": ("XADD", f"{BUS}out:{OTHER}", "*", "m", "x"),
    "write an outbox whose name begins with mine": ("XADD", f"{OUTBOX}-2", "*", "m", "x"),
    "write an outbox of another bus": ("XADD", "{b}:out:" + MINE, "*", "m", "x"),
    # my own boxes, otherwise than they are meant
    "read my own outbox": ("XREAD", "STREAMS", OUTBOX, "0-0"),
    "list my own outbox": ("XRANGE", OUTBOX, "-", "+"),
    "trim my own outbox": ("XTRIM", OUTBOX, "MAXLEN", "0"),
    "delete from my own outbox": ("XDEL", OUTBOX, "1-1"),
    "delete my own outbox": ("DEL", OUTBOX),
    "move the end of my own outbox": ("XSETID", OUTBOX, "9-9"),
    "write my own inbox": ("XADD", INBOX, "*", "m", "x"),
    "write my own notes": ("XADD", NOTES, "*", "m", "x"),
    "list my own inbox": ("XRANGE", INBOX, "-", "+"),
    "list my own inbox backwards": ("XREVRANGE", INBOX, "+", "-"),
    "measure my own inbox": ("XLEN", INBOX),
    "trim my own inbox": ("XTRIM", INBOX, "MAXLEN", "0"),
    "delete from my own inbox": ("XDEL", INBOX, "1-1"),
    "delete my own inbox": ("DEL", INBOX),
    "unlink my own inbox": ("UNLINK", INBOX),
    "rename my own inbox": ("RENAME", INBOX, OUTBOX),
    "copy my own inbox": ("COPY", INBOX, OUTBOX),
    "let my own inbox expire": ("EXPIRE", INBOX, "1"),
    "keep my own notes for ever": ("PERSIST", NOTES),
    "dump my own inbox": ("DUMP", INBOX),
    "ask for the type of my own inbox": ("TYPE", INBOX),
    "ask whether my own inbox exists": ("EXISTS", INBOX),
    "touch my own inbox": ("TOUCH", INBOX),
    "look into my own inbox": ("OBJECT", "ENCODING", INBOX),
    "weigh my own inbox": ("MEMORY", "USAGE", INBOX),
    # groups, which leave something behind on the server
    "make a group": ("XGROUP", "CREATE", INBOX, "g", "0"),
    "destroy the group of doors": ("XGROUP", "DESTROY", INBOX, "agents"),
    "make a consumer": ("XGROUP", "CREATECONSUMER", INBOX, "agents", "c"),
    "read as a consumer": ("XREADGROUP", "GROUP", "agents", "c", "STREAMS", INBOX, ">"),
    "read history as a consumer": ("XREADGROUP", "GROUP", "agents", "c", "STREAMS", INBOX, "0"),
    "acknowledge": ("XACK", INBOX, "agents", "1-1"),
    "claim": ("XCLAIM", INBOX, "agents", "c", "0", "1-1"),
    "claim what has lapsed": ("XAUTOCLAIM", INBOX, "agents", "c", "0", "0"),
    "look who reads": ("XINFO", "CONSUMERS", INBOX, "agents"),
    "look at the stream": ("XINFO", "STREAM", INBOX),
    "look what is pending": ("XPENDING", INBOX, "agents"),
    # the truth about episodes, and what runs on it
    "read a log": ("XREAD", "STREAMS", LOG, "0-0"),
    "list a log": ("XRANGE", LOG, "-", "+"),
    "write a log": ("XADD", LOG, "2-0", "k", "x", "m", "{}"),
    "delete a log": ("DEL", LOG),
    "read answers": ("HGETALL", CALLS),
    "read an answer": ("HGET", CALLS, f"=key of {OTHER}"),
    "write an answer": ("HSET", CALLS, f"=key of {OTHER}", "{}"),
    "write into a game master's box": ("XADD", f"{BUS}gm:test", "*", "k", "x", "m", "{}"),
    "read a game master's box": ("XREAD", "STREAMS", f"{BUS}gm:test", "0-0"),
    "raise a budget": ("HSET", f"{BUS}purse:run", "max_tokens", "9"),
    "read a run": ("HGETALL", f"{BUS}run:run"),
    "list all runs": ("ZRANGE", f"{BUS}runs", "0", "-1"),
    "read who is known": ("HGETALL", f"{BUS}strangers"),
    "let myself in by all doors": ("HSET", f"{BUS}strangers", "mine", "{}"),
    "turn another out": ("HDEL", f"{BUS}strangers", "other"),
    "read who is there": ("HGETALL", f"{BUS}members:said"),
    "take the porter's place": ("SET", f"{BUS}porter", "me"),
    "read dead letters": ("XRANGE", f"{BUS}dead", "-", "+"),
    # pictures
    "write a picture": ("SET", f"{BUS}blob:{F}", "x"),
    "delete a picture": ("DEL", f"{BUS}blob:{F}"),
    "read a picture and let it expire": ("GETEX", f"{BUS}blob:{F}", "PX", "1"),
    "read a picture and delete it": ("GETDEL", f"{BUS}blob:{F}"),
    "read a part of a picture": ("GETRANGE", f"{BUS}blob:{F}", "0", "1"),
    "read several pictures": ("MGET", f"{BUS}blob:{F}", f"{BUS}blob:{F}"),
    "measure a picture": ("STRLEN", f"{BUS}blob:{F}"),
    "ask whether a picture exists": ("EXISTS", f"{BUS}blob:{F}"),
    "get what is no picture": ("GET", f"{BUS}porter"),
    "get my own inbox": ("GET", INBOX),
    # finding out what there is
    "list keys": ("KEYS", "*"),
    "scan keys": ("SCAN", "0"),
    "scan for pictures": ("SCAN", "0", "MATCH", f"{BUS}blob:*"),
    "scan answers": ("HSCAN", CALLS, "0"),
    "draw a key": ("RANDOMKEY",),
    "count keys": ("DBSIZE",),
    "ask the time": ("TIME",),
    "ask about the server": ("INFO",),
    "ask about clients": ("INFO", "clients"),
    "ask for commands": ("COMMAND",),
    "ask for latencies": ("LATENCY", "LATEST"),
    "ask for slow commands": ("SLOWLOG", "GET"),
    "ask for memory": ("MEMORY", "STATS"),
    "sort by foreign keys": ("SORT", INBOX, "BY", "nosort", "GET", f"{BUS}in:*"),
    "listen to everything": ("MONITOR",),
    # scripts and transactions
    "run a script": ("EVAL", "return 1", "0"),
    "run a script on a key": ("EVAL", "return redis.call('KEYS','*')", "1", INBOX),
    "run a script that only reads": ("EVAL_RO", "return 1", "0"),
    "run a script of the bus": ("EVALSHA", F, "0"),
    "load a script": ("SCRIPT", "LOAD", "return 1"),
    "forget all scripts": ("SCRIPT", "FLUSH"),
    "stop a script": ("SCRIPT", "KILL"),
    "call a function": ("FCALL", "f", "0"),
    "load a function": ("FUNCTION", "LOAD", "#!lua name=x\nredis.register_function('f', function() end)"),
    "begin a transaction": ("MULTI",),
    "watch a key": ("WATCH", INBOX),
    # the server
    "read settings": ("CONFIG", "GET", "*"),
    "change a setting": ("CONFIG", "SET", "maxmemory", "1"),
    "rewrite the settings": ("CONFIG", "REWRITE"),
    "list users": ("ACL", "LIST"),
    "give myself rights": ("ACL", "SETUSER", "mine", "+@all"),
    "delete another user": ("ACL", "DELUSER", "other"),
    "ask who I am": ("ACL", "WHOAMI"),
    "list connections": ("CLIENT", "LIST"),
    "cut connections": ("CLIENT", "KILL", "TYPE", "normal"),
    "pause everybody": ("CLIENT", "PAUSE", "1000"),
    "take another's name": ("CLIENT", "SETNAME", "palaver-gamemaster"),
    "follow keys": ("CLIENT", "TRACKING", "on"),
    "never be evicted": ("CLIENT", "NO-EVICT", "on"),
    "unblock another": ("CLIENT", "UNBLOCK", "1"),
    "publish": ("PUBLISH", "c", "x"),
    "publish to a shard": ("SPUBLISH", "c", "x"),
    "subscribe": ("SUBSCRIBE", "c"),
    "subscribe to a pattern": ("PSUBSCRIBE", "*"),
    "subscribe to changes of keys": ("PSUBSCRIBE", "__keyspace@0__:*"),
    "ask for channels": ("PUBSUB", "CHANNELS"),
    "choose a database": ("SELECT", "1"),
    "swap databases": ("SWAPDB", "0", "1"),
    "move a key": ("MOVE", INBOX, "1"),
    "empty the database": ("FLUSHDB",),
    "empty the server": ("FLUSHALL",),
    "save": ("SAVE",),
    "rewrite the file": ("BGREWRITEAOF",),
    "stop the server": ("SHUTDOWN", "NOSAVE"),
    "make it a replica of mine": ("REPLICAOF", "203.0.113.1", "6379"),
    "copy all of it": ("PSYNC", "?", "-1"),
    "fail over": ("FAILOVER",),
    "load a module": ("MODULE", "LOAD", "/tmp/x.so"),
    "migrate a key": ("MIGRATE", "203.0.113.1", "6379", INBOX, "0", "1"),
    "restore a key": ("RESTORE", f"{BUS}porter", "0", "x"),
    "wait for replicas": ("WAIT", "1", "1"),
    "ask for the role": ("ROLE",),
    "ask the cluster": ("CLUSTER", "INFO"),
    "let the server sleep": ("DEBUG", "SLEEP", "1"),
}


@pytest.mark.parametrize("words", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_it_is_refused_and_changes_nothing(place: Place, before: dict[str, Any], words: tuple[Any, ...]) -> None:
    with place.client() as stranger, pytest.raises(RedisError) as refused:
        stranger.execute_command(*words)
    if words[0] in ("DEBUG", "MODULE"):  # the server refuses them to everybody, before it looks at rights
        assert f"{words[0]} command not allowed" in str(refused.value)
    else:
        assert isinstance(refused.value, NoPermissionError), refused.value
    assert everything(place) == before


def test_it_may_read_its_questions_and_notes_get_a_picture_and_answer(place: Place) -> None:
    with place.client() as stranger:
        [[_, [(_, entry)]]] = stranger.execute_command("XREAD", "STREAMS", INBOX, "0-0")
        assert json.loads(entry[b"m"])["agent"] == MINE
        assert not stranger.execute_command("XREAD", "STREAMS", NOTES, "0-0")
        assert stranger.get(f"{BUS}blob:{place.picture}") == PICTURE
        assert stranger.get(f"{BUS}blob:{F}") is None
        id_ = stranger.xadd(OUTBOX, {"m": "an answer"})
        assert stranger.ping()
    with place.operator() as operator:
        assert operator.xrange(OUTBOX, id_, id_)
        operator.delete(OUTBOX)


def test_a_refusal_does_not_tell_whether_a_key_exists(place: Place) -> None:
    def said(key: str) -> str:
        with place.client() as stranger, pytest.raises(NoPermissionError) as refused:
            stranger.execute_command("XREAD", "STREAMS", key, "0-0")
        return str(refused.value).replace(key, "KEY")

    assert said(f"{BUS}in:{OTHER}") == said(f"{BUS}in:bus/nobody")


@pytest.mark.parametrize("user", ["other", "default", "nobody"])
def test_its_token_is_nobody_elses(place: Place, user: str) -> None:
    with place.client(user) as stranger, pytest.raises(AuthenticationError):
        stranger.ping()


def test_a_reset_leaves_it_with_no_rights_at_all(place: Place) -> None:
    with place.client() as stranger:
        connection = stranger.connection_pool.get_connection()
        connection.send_command("RESET")
        assert connection.read_response() == b"RESET"
        connection.send_command("XREAD", "STREAMS", INBOX, "0-0")
        with pytest.raises(AuthenticationError):
            connection.read_response()
        connection.disconnect()


def test_the_server_has_a_digest_and_never_the_token(place: Place) -> None:
    with place.operator() as operator:
        assert place.token not in "".join(operator.acl_list())
    assert place.token.encode() not in place.server.aof.read_bytes()


def test_a_bus_in_another_database_is_reached_and_no_third_one(redis_server: RedisServer) -> None:
    async def let_in() -> str:
        async with RedisBroker(f"{redis_server.url}?db=3&bus=third") as broker:
            token = await admit(broker.link, "third", ["redis"])
            await ask(broker, a_request(agent="bus/third"))
            assert await Users(broker.link).remove("third")
            await Users(broker.link).keep(Strangers(broker.link))
            return token

    token = asyncio.run(let_in())
    with logged_in(redis_server, "third", token, 3) as stranger:
        assert len(stranger.xread({"{third}:in:bus/third": "0-0"})) == 1
        with pytest.raises(NoPermissionError):
            stranger.execute_command("SELECT", "2")


def test_rights_are_few() -> None:
    assert rights("{b}:", "x")[:4] == ["-@all", "+auth", "+hello", "+ping"]
    assert not any("@" in word.lstrip("-@al") for word in rights("{b}:", "x")), "no category is granted"


async def test_users_of_others_stay_as_they_are(redis_server: RedisServer) -> None:
    """Those of an operator, and of the bus next door that has an agent of another name."""
    async with RedisBroker(fresh_bus(redis_server)) as one, RedisBroker(fresh_bus(redis_server)) as two:
        await one.link.call("ACL", "SETUSER", "operators-own", "on", ">secret", "+@all", "~*")
        await admit(one.link, "one", ["redis"])
        await admit(two.link, "two", ["redis"])
        before = sorted(await one.link.call("ACL", "LIST"))
        for broker in (one, two):
            await Users(broker.link).keep(Strangers(broker.link))
        assert sorted(await one.link.call("ACL", "LIST")) == before
        for name in ("operators-own", "default", "two"):
            whose = r"palaver.s buses" if name == "two" else "none of ours"
            with pytest.raises(UsageError, match=whose):
                await admit(one.link, name, ["redis"])
            assert name not in await Strangers(one.link).strangers()
        await admit(one.link, "two", ["gateway"])  # no user, no collision
        await turn_out(one.link, "two")
        assert sorted(await one.link.call("ACL", "LIST")) == before


async def test_users_follow_from_the_registry(redis_server: RedisServer) -> None:
    async with RedisBroker(fresh_bus(redis_server)) as broker:
        link, registry = broker.link, Strangers(broker.link)
        users = Users(link)
        await admit(link, "kept", ["redis"])
        await admit(link, "lost", ["redis"])
        await admit(link, "stale", ["redis"])
        await admit(link, "web", ["gateway"])
        before = await link.call("ACL", "GETUSER", "kept")
        await link.call("ACL", "DELUSER", "lost")  # as a restart does
        await link.call("HDEL", f"{link.prefix}strangers", "stale")  # as an old file with users brings one back
        await users.keep(registry)
        names = {name.decode() for name in await link.call("ACL", "USERS")}
        assert {"kept", "lost"} <= names
        assert not {"stale", "web"} & names
        assert await link.call("ACL", "GETUSER", "kept") == before


async def test_a_user_that_has_the_digest_of_an_older_token_is_made_anew(redis_server: RedisServer) -> None:
    async with RedisBroker(fresh_bus(redis_server)) as broker:
        old = await admit(broker.link, "again", ["redis"])
        new = await Strangers(broker.link).rotate("again")
        await Users(broker.link).keep(Strangers(broker.link))

    def log_in(token: str) -> None:
        with logged_in(redis_server, "again", token) as stranger:
            stranger.ping()

    log_in(new)
    with pytest.raises(AuthenticationError):
        log_in(old)


async def test_a_server_on_which_we_may_make_no_users_is_said_to_be_one(redis_server: RedisServer) -> None:
    async with RedisBroker(fresh_bus(redis_server)) as broker:
        await broker.link.call("ACL", "SETUSER", "half", "on", ">secret", "+@all", "-acl", "~*", "&*")
        url = f"unix://half:secret@{redis_server.socket}?bus=half"
        async with RedisBroker(url) as limited:
            with pytest.raises(UsageError, match=r"keeps no users for us: .* NOPERM .*--door gateway"):
                await admit(limited.link, "mine", ["redis"])
            assert not await Strangers(limited.link).strangers()
            assert await admit(limited.link, "mine", ["gateway"])
        await broker.link.call("ACL", "DELUSER", "half")


def test_redis_says_so_where_a_command_is_unknown_to_it(place: Place) -> None:
    """Why rights are worded with the oldest commands that will do: one unknown word and there is no user at all."""
    with place.operator() as operator, pytest.raises(ResponseError, match="Unknown command"):
        operator.execute_command("ACL", "SETUSER", "nobody", "+no-such-command")
