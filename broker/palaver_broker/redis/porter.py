"""The porter: carries what strangers have put into their outboxes to where it belongs, if it may go there.

A stranger that uses Redis itself may do two things: read its inbox and write to its outbox. What it writes is nothing
yet. The porter reads it, checks it against the question that is open to this very agent
(:mod:`palaver_protocols.strangers`), settles the question, and tells the agent what became of its words. One porter of
a bus is at work; an outbox holds what nobody has looked at, and an entry goes when it has been dealt with, so that a
porter that dies in between costs nothing: what it had settled is a duplicate to its successor.

It asks again and again instead of blocking: a read that waits brings whatever comes, be it of a size that no client
survives. It also keeps the users of strangers on the server (:mod:`.acl`), and what is asked of those turned out.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import structlog

from palaver_protocols.errors import BrokerError, ProtocolError, UsageError
from palaver_protocols.strangers import (
    LIMITS,
    AgentHello,
    Limits,
    Notice,
    Reason,
    RefusedError,
    read_stranger,
    stranger,
)

from ..board import greeted
from ..refusals import Rejections
from .acl import Users
from .admitting import give_up_questions
from .answering import settle_by_key
from .board import Board
from .broker import RedisBroker
from .errors import TEMPORARY, ReplyError
from .link import Link
from .notices import tell
from .outboxes import MOST_BYTES, MOST_ENTRIES, Entry, Outboxes
from .pacing import Pace
from .strangers import Strangers

__all__ = ["HELLO_TTL_S", "Porter"]

AT_A_TIME = 32
"""Entries of one outbox that are dealt with before the others have their turn: a flood is its sender's own."""
SOONEST_S, LATEST_S = 0.005, 0.05
"""How soon outboxes are looked at again in which nothing was; longer and longer."""
GUARD_S = 0.25
"""How often outboxes are kept within bounds."""
LOOK_S = 1.0
"""How often we look who is known."""
HELLO_TTL_S = 60.0
"""How long a stranger is taken to be there after it has said hello."""
OVERFULL: dict[str, tuple[Reason, str]] = {
    "many": ("too_fast", f"your outbox holds {MOST_ENTRIES:,} messages at most; the oldest are gone"),
    "large": ("too_large", f"your outbox holds {MOST_BYTES:,} bytes at most; all messages are gone"),
    "strange": ("malformed", "your outbox was no stream; it is gone"),
}
_UNFIT = RefusedError("malformed", "it cannot be dealt with")


class Porter:
    """The porter of one bus.

    Args:
        broker: the bus.
        registry: who is known.
        board: where greetings are noted.
        link: a connection of its own: what strangers say is not in the way of others.
        limits: what strangers may do.
        on_refused: called for each message that is refused, with the reason.
    """

    def __init__(
        self,
        broker: RedisBroker,
        registry: Strangers,
        board: Board,
        link: Link,
        *,
        limits: Limits = LIMITS,
        on_refused: Callable[[Reason], None] = lambda _: None,
    ) -> None:
        self._broker, self._registry, self._board, self._limits = broker, registry, board, limits
        self._prefix = link.prefix
        self._link = link
        self._outboxes, self._users = Outboxes(link), Users(broker.link)
        self._agents: deque[str] = deque()
        self._pace = Pace(limits)
        self._rejections = Rejections(on_refused)
        self._since: dict[str, datetime] = {}
        self._overfull: dict[str, RefusedError] = {}
        """What is yet to be said to agents whose outboxes were full: on a full server nothing can be written."""

    async def run(self) -> None:
        """Carry until cancelled."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_each(LOOK_S, self._look, "who is known"), name="who is known")
                tasks.create_task(_each(LOOK_S, self._keep_users, "users of strangers"), name="users of strangers")
                tasks.create_task(_each(GUARD_S, self._guard, "bounds of outboxes"), name="bounds of outboxes")
                tasks.create_task(self._carry_on(), name="carrying")
        finally:
            self._rejections.report()

    async def _carry_on(self) -> None:
        pause = SOONEST_S
        while True:
            try:
                carried = await self._carry()
            except BrokerError as error:
                structlog.get_logger().warning("cannot carry", reason=str(error))
                await asyncio.sleep(LOOK_S)
                continue
            pause = SOONEST_S if carried else min(LATEST_S, 1.5 * pause)
            await asyncio.sleep(pause)

    async def _look(self) -> None:
        """Keep up with who is known, and with what is asked of those who are gone."""
        self._rejections.report()
        known = await self._registry.strangers()
        agents = {stranger(name) for name, each in known.items() if "redis" in each.doors}
        if agents != set(self._agents):
            self._agents = deque(sorted(agents))
            self._pace.forget_all_but(agents)
            self._since = {agent: since for agent, since in self._since.items() if agent in agents}
        gone = await self._registry.gone()
        if gone:
            here = {member.name for member in await self._board.members() if member.kind == "agent"}
            for name in gone:
                if stranger(name) not in here:  # a program of ours may be called so by now
                    await give_up_questions(self._broker.link, name)

    async def _keep_users(self) -> None:
        try:
            await self._users.keep(self._registry)
        except UsageError:
            if self._agents:  # else nobody misses them
                raise

    async def _guard(self) -> None:
        """Keep outboxes within bounds. This writes nothing but deletions: it must go on where memory is used up."""
        agents = list(self._agents)
        for agent, why in await self._outboxes.guard(agents) if agents else ():
            self._overfull[agent] = RefusedError(*OVERFULL[why])

    async def _carry(self) -> int:
        """Deal with some of what is in the outboxes; return with how much."""
        while self._overfull:
            agent, error = self._overfull.popitem()
            await self._refuse(agent, error)
        self._agents.rotate(-1)  # whoever was read first is read last
        wanted = [(agent, min(AT_A_TIME, self._pace.room(agent))) for agent in self._agents]
        room = [(agent, count) for agent, count in wanted if count]
        entries = await self._outboxes.read(room, self._limits.message_bytes) if room else []
        done: dict[str, list[bytes]] = {}
        for entry in entries:
            await self._deal_with(entry)
            done.setdefault(entry.agent, []).append(entry.id)
            self._pace.took(entry.agent)
        for agent, ids in done.items():
            await self._outboxes.done(agent, ids)
        return len(entries)

    async def _deal_with(self, entry: Entry) -> None:
        agent, most = entry.agent, self._limits.message_bytes
        try:
            if entry.size:
                raise RefusedError("too_large", f"{entry.size:,} bytes, and {most:,} are allowed")
            said = read_stranger(entry.text, agent, self._limits)
            if isinstance(said, AgentHello):
                await self._greet(said)
            else:
                await self._tell(await settle_by_key(self._broker, said))
        except RefusedError as error:
            await self._refuse(agent, error)
        except (ProtocolError, ReplyError) as error:  # else this entry would be met again, for ever
            if isinstance(error, ReplyError) and error.code in TEMPORARY:
                raise
            self._rejections.count(agent, RefusedError("malformed", str(error)))
            await self._tell(_UNFIT.notice(agent))
        except BrokerError:
            raise
        except Exception as error:  # a bug of ours, which ends with these bytes, and not with the games around us
            self._rejections.count(agent, RefusedError("malformed", f"{type(error).__name__}: {error}"))
            await self._tell(_UNFIT.notice(agent))

    async def _greet(self, hello: AgentHello) -> None:
        agent = hello.agent
        since = self._since.setdefault(agent, datetime.now(UTC))
        await self._board.beat("agent", greeted(hello, "redis", "redis", since), HELLO_TTL_S)

    async def _refuse(self, agent: str, error: RefusedError) -> None:
        self._rejections.count(agent, error)
        await self._tell(error.notice(agent))

    async def _tell(self, notice: Notice) -> None:
        try:
            await tell(self._broker.link, notice)
        except ReplyError as error:  # what became of its words has become of them, told or not
            if error.code in TEMPORARY:
                raise
            self._rejections.remark(notice.agent, f"cannot be told: {error}")


async def _each(seconds: float, work: Callable[[], Awaitable[None]], about: str) -> None:
    """Do something again and again. Where it fails, it may work the next time; what is said of that is said once."""
    said = ""
    while True:
        try:
            await work()
            said = ""
        except (BrokerError, UsageError) as error:
            if str(error) != said:
                said = str(error)
                structlog.get_logger().warning("cannot see to something", about=about, reason=said)
        await asyncio.sleep(seconds)
