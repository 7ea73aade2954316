"""Letting a stranger in, changing its token, turning it out: the registry, its user on the server, what it leaves."""

from collections.abc import Collection

from palaver_protocols.codec import decode, encode
from palaver_protocols.errors import ProtocolError, UsageError
from palaver_protocols.messages import TurnFailure
from palaver_protocols.strangers import stranger

from ..strangers import Door, Stranger
from ..topics import episode_log, inbox, notes, outbox
from .acl import Users
from .board import Board
from .broker import BOX_MS
from .link import Link
from .scripts import SETTLE
from .strangers import Strangers, check_name

__all__ = ["admit", "give_up_questions", "renew_token", "turn_out"]

AT_A_TIME = 100


async def admit(link: Link, name: str, doors: Collection[Door]) -> str:
    """Let an agent in by these doors; return its token, which is nowhere else.

    Raises:
        UsageError: it is known already, this is no name or somebody else's, or the server keeps no users for us.
    """
    registry, users = Strangers(link), Users(link)
    check_name(name)
    if "redis" in doors and name not in await registry.strangers():
        await users.check(name)
    token = await registry.add(name, doors)
    if "redis" in doors:
        try:
            await users.make(await registry.known(name))
        except UsageError:
            await registry.remove(name)
            raise
    return token


async def renew_token(link: Link, name: str) -> str:
    """Give an agent another token, and cut the connections that it made with the old one; return the new one.

    Raises:
        UsageError: there is no such agent, or the server keeps no users for us.
    """
    registry, users = Strangers(link), Users(link)
    token = await registry.rotate(name)
    known = await registry.known(name)
    if "redis" in known.doors:
        await users.remove(name)
        await users.make(known)
    return token


async def turn_out(link: Link, name: str) -> tuple[Stranger, int]:
    """Turn an agent out; return what was known of it, and how many questions it has left open.

    Its connections to the server are cut before this returns, and other doors close within a second. What was asked of
    it has failed, so that no game waits for it. What it has said and was told is deleted.

    Raises:
        UsageError: there is no such agent, or the server keeps no users for us.
    """
    agent, board = stranger(name), Board(link)
    known = await Strangers(link).remove(name)
    try:
        if "redis" in known.doors:
            await Users(link).remove(name)
    finally:
        left = await give_up_questions(link, name)
        await link.call("UNLINK", link.prefix + outbox(agent), link.prefix + notes(agent))
        for member in await board.members():
            if (member.kind, member.name) == ("agent", agent):
                await board.leave("agent", member)
    return known, left


async def give_up_questions(link: Link, name: str) -> int:
    """Let all that is asked of an agent fail, as what can be asked of it no more; return how many questions that were.

    Raises:
        BrokerError: the bus failed; what is left can be given up by calling this again.
    """
    agent = stranger(name)
    box, first, count = link.prefix + inbox(agent), "-", 0
    while entries := await link.call("XRANGE", box, first, "+", "COUNT", AT_A_TIME):
        for id_, fields in entries:
            first = f"({id_.decode()}"
            try:
                request = decode(dict(zip(fields[::2], fields[1::2], strict=True)).get(b"m", b""))
                failure = TurnFailure.of(request, "revoked", f"{agent} was turned out", retryable=False)
            except (ProtocolError, AttributeError):  # no question: nobody waits for it
                await link.call("XDEL", box, id_)
                continue
            episode = episode_log(request.run_id, request.episode_id).removeprefix("log:")
            keys = [f"{link.prefix}log:{episode}", f"{link.prefix}calls:{episode}", box]
            await link.run(SETTLE, keys, [link.prefix, BOX_MS, failure.key, 0, encode(failure), "agents", id_])
            count += 1
    return count
