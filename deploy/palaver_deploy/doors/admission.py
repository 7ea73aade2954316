"""Letting strangers' agents onto a bus and turning them out, as an administrator does it and reads of it."""

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator, Collection, Coroutine, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import click

from palaver_broker.mqtt.dynsec import DynSec
from palaver_broker.mqtt.topics import Topics, bus_of
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.acl import Users
from palaver_broker.redis.admitting import admit, renew_token, turn_out
from palaver_broker.redis.link import Link
from palaver_broker.redis.strangers import Strangers, check_name
from palaver_broker.strangers import Door, Stranger
from palaver_broker.topics import inbox, notes, outbox
from palaver_observability.logs import logging_to
from palaver_protocols.errors import PalaverError, UsageError
from palaver_protocols.strangers import stranger

from ..options import print_json
from ..session import environment

__all__ = ["agents_url", "give_new_token", "let_in", "show_agents", "show_out"]

PATIENCE_S = 5.0
"""How long a command waits for a bus that cannot be reached."""
ADMIN_PASSWORD = "PALAVER_MQTT_ADMIN_PASSWORD"  # noqa: S105 - where it is found
OPEN = (
    "palaver: this server lets in whoever shows no password, and lets him do anything: nobody is kept apart here "
    "(give it a requirepass, or an ACL that turns its user `default` off)"
)

Result = TypeVar("Result")


@asynccontextmanager
async def _on_bus(url: str) -> AsyncIterator[Link]:
    async with RedisBroker(url, name="palaver-admin", patience_s=PATIENCE_S) as broker:
        yield broker.link


def _run(work: Coroutine[Any, Any, Result]) -> Result:
    with logging_to(sys.stderr, "error"):
        return asyncio.run(work)


def let_in(url: str, name: str, doors: Collection[Door], mqtt_url: str | None, *, as_json: bool) -> int:
    """Let an agent in, and print its token; return the exit code.

    Raises:
        UsageError: it is known already, this is no name or somebody else's, or a server keeps no users for us.
        BrokerError: the bus or the MQTT broker cannot be reached or used.
    """

    async def add() -> str:
        check_name(name)
        async with _on_bus(url) as link:
            token = await admit(link, name, doors)
            if "redis" in doors and await Users(link).lets_anybody_in():
                click.echo(OPEN, err=True)
            if mqtt_url:
                try:
                    await _dynsec(mqtt_url, link.prefix).add(name, token)
                except PalaverError:
                    await turn_out(link, name)  # half let in, and nobody has its token
                    raise
            return token

    _print_token(url, name, _run(add()), doors, mqtt_url, as_json=as_json)
    return 0


def give_new_token(url: str, name: str, mqtt_url: str | None, *, as_json: bool) -> int:
    """Give an agent another token, and print it; return the exit code.

    Raises:
        UsageError: there is no such agent, or a server keeps no users for us.
        BrokerError: the bus or the MQTT broker cannot be reached or used.
    """

    async def rotate() -> tuple[str, Stranger]:
        async with _on_bus(url) as link:
            known = await Strangers(link).known(name)
            _check_mqtt(known, mqtt_url)
            token = await renew_token(link, name)
            if mqtt_url:
                await _dynsec(mqtt_url, link.prefix).rotate(name, token)
            return token, known

    token, known = _run(rotate())
    _print_token(url, name, token, known.doors, mqtt_url, as_json=as_json)
    return 0


def show_out(url: str, name: str, mqtt_url: str | None, *, without_mqtt: bool = False) -> int:
    """Turn an agent out; return the exit code.

    Args:
        url: the bus.
        name: the agent's.
        mqtt_url: the MQTT broker where it has a login, which goes as well, though the bus may know the agent no more.
        without_mqtt: leave such a login where it is.

    Raises:
        UsageError: there is no such agent, or it has a login at an MQTT broker and nothing is said about that, or a
            server keeps no users for us.
        BrokerError: the bus or the MQTT broker cannot be reached or used.
    """

    async def remove() -> None:
        check_name(name)
        async with _on_bus(url) as link:
            known = (await Strangers(link).strangers()).get(name)
            if known is not None:
                if "mqtt" in known.doors and not (mqtt_url or without_mqtt):
                    raise UsageError(
                        f"{stranger(name)} has a user at an MQTT broker, too",
                        mend="add --mqtt mqtt://ADMIN@HOST, or --without-mqtt to leave it there",
                    )
                _, left = await turn_out(link, name)
                failed = f"; {left} open question{'s' * (left != 1)} failed" if left else ""
                click.echo(f"{stranger(name)} may not come in any more{failed}")  # whatever the MQTT broker says
            if mqtt_url and await _dynsec(mqtt_url, link.prefix).remove(name):
                if known is None:
                    click.echo(f"{stranger(name)} was out already; its user at the MQTT broker is gone, too")
            elif known is None:
                await Strangers(link).known(name)  # raises

    _run(remove())
    if without_mqtt:
        click.echo(f"a user at an MQTT broker stays: palaver admin remove-agent {name} --mqtt mqtt://ADMIN@HOST")
    return 0


def _check_mqtt(known: Stranger, mqtt_url: str | None) -> None:
    if "mqtt" in known.doors and not mqtt_url:
        raise UsageError(
            f"{stranger(known.name)} has a user at an MQTT broker, too", mend="add --mqtt mqtt://ADMIN@HOST"
        )
    if mqtt_url and "mqtt" not in known.doors:
        raise UsageError(f"{stranger(known.name)} does not come by MQTT", mend="leave --mqtt out")


def _dynsec(mqtt_url: str, prefix: str) -> DynSec:
    return DynSec(mqtt_url, bus_of(prefix), password=environment().get(ADMIN_PASSWORD, ""), variable=ADMIN_PASSWORD)


def agents_url(url: str, name: str, token: str) -> str:
    """Return the URL by which an agent reaches a bus with any Redis client: ours, with its name and token.

    What else ours says is for us: the name of the bus is in the agent's keys, and certificates are its own.
    """
    query = urlencode([(key, value) for key, value in parse_qsl(urlsplit(url).query) if key == "db"])
    return _as_agent(url, name, token, query)


def _as_agent(url: str, name: str, token: str, query: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{name}:{quote(token, safe='')}@{host}", query=query).geturl()


def _print_token(
    url: str, name: str, token: str, doors: Collection[Door], mqtt_url: str | None, *, as_json: bool
) -> None:
    agent, prefix = stranger(name), RedisBroker(url).link.prefix
    keys = {"inbox": inbox(agent), "outbox": outbox(agent), "notices": notes(agent), "pictures": "blob:SHA256"}
    said: dict[str, Any] = {"agent": agent, "doors": sorted(doors), "token": token}
    if "redis" in doors:
        said["redis"] = {"url": agents_url(url, name, token), **{key: prefix + word for key, word in keys.items()}}
    if mqtt_url:
        topics = Topics(bus_of(prefix), name)
        boxes = (topics.questions, topics.answers, topics.notices, topics.picture("SHA256"))
        said["mqtt"] = {"url": _as_agent(mqtt_url, name, token, ""), **dict(zip(keys, boxes, strict=True))}
    if as_json:
        print_json(said)
        return
    click.echo(f"{agent} may come in by: {', '.join(sorted(doors))}\n")
    click.echo(f"  token     {token}\n            it is shown this once; whoever has it is this agent")
    if "redis" in said:
        verbs = {"inbox": "XREAD", "outbox": "XADD", "notices": "XREAD", "pictures": "GET"}
        click.echo(f"  redis     {said['redis']['url']}")
        for key, verb in verbs.items():
            click.echo(f"  {key:<9} {verb:<5} {said['redis'][key]}")
    if "gateway" in doors:
        click.echo("  gateway   WebSocket /v1/agent, Authorization: Bearer TOKEN, at your `palaver serve gateway`")
    if "mqtt" in said:
        click.echo(f"  mqtt      {said['mqtt']['url']}")
        for key in keys:
            click.echo(f"  {key:<15} {said['mqtt'][key]}")
    click.echo(f"\nStart it, and find out whether it speaks the protocol: palaver check-agent {shlex.quote(name)}")


class _Seen(NamedTuple):
    """An agent as a look at the bus shows it: by which ways it is there, its open questions, the age of the oldest."""

    known: Stranger
    there: list[str]
    open: int
    oldest_s: float


def show_agents(url: str, *, as_json: bool) -> int:
    """Show who may come in; return the exit code.

    Raises:
        BrokerError: the bus cannot be reached or used.
    """

    async def look() -> list[_Seen]:
        async with _on_bus(url) as link:
            known = await Strangers(link).strangers()
            there = await _present(link)
            return [await _see(link, known[name], there.get(stranger(name), [])) for name in sorted(known)]

    seen = _run(look())
    if as_json:
        print_json([_as_dict(each) for each in seen])
    elif not seen:
        click.echo("nobody may come in; let somebody in with: palaver admin add-agent NAME")
    else:
        width = max(len(stranger(each.known.name)) for each in seen)
        click.echo(f"{'agent':<{width}}  {'doors':<19}  {'since':<16}  {'there by':<12}  open  oldest")
        for each in seen:
            since = each.known.since.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
            oldest = f"{each.oldest_s:,.0f} s" if each.open else ""
            line = (
                f"{stranger(each.known.name):<{width}}  {' '.join(sorted(each.known.doors)):<19}  {since}  "
                f"{' '.join(each.there) or 'not there':<12}  {each.open:>4}  {oldest}"
            )
            click.echo(line.rstrip())
    return 0


async def _present(link: Link) -> Mapping[str, list[str]]:
    there: dict[str, set[str]] = {}
    for member in await Board(link).members():
        if member.kind == "agent":
            there.setdefault(member.name, set()).add(str(member.about.get("door", member.about.get("kind", "bus"))))
    return {agent: sorted(ways) for agent, ways in there.items()}


async def _see(link: Link, known: Stranger, there: list[str]) -> _Seen:
    box = link.prefix + inbox(stranger(known.name))
    count, oldest = await link.call("XLEN", box), await link.call("XRANGE", box, "-", "+", "COUNT", 1)
    now = await link.call("TIME")
    asked_ms = int(oldest[0][0].partition(b"-")[0]) if oldest else 0
    return _Seen(known, there, count, max(0.0, int(now[0]) - asked_ms / 1000) if oldest else 0.0)


def _as_dict(seen: _Seen) -> dict[str, Any]:
    since: datetime = seen.known.since
    return {
        "agent": stranger(seen.known.name),
        "doors": sorted(seen.known.doors),
        "since": since.isoformat(),
        "there": seen.there,
        "open": seen.open,
        "oldest_s": round(seen.oldest_s, 3),
    }
