"""The porter: carries what strangers have put into their outboxes to where it belongs, if it may go there.

A stranger that uses Redis itself may do two things: read its inbox and write to its outbox. What it writes is nothing
yet. The porter reads it, checks it against the question that is open to this very agent
(:mod:`palaver_protocols.strangers`), settles the question, and tells the agent what became of its words. One porter of
a bus is at work; an outbox holds what nobody has looked at, and an entry goes when it has been dealt with, so that a
porter that dies in between costs nothing: what it had settled is a duplicate to its successor.
"""

import asyncio
from datetime import UTC, datetime

import structlog

from palaver_protocols.codec import decode, encode
from palaver_protocols.errors import BrokerError, ProtocolError
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import (
    LIMITS,
    AgentHello,
    Limits,
    Notice,
    RefusedError,
    read_stranger,
    stranger,
    vetted,
)

from ..board import Member
from ..strangers import Registry
from ..topics import episode_log, inbox, notes, outbox
from .board import Board
from .broker import BOX_MS, RedisBroker
from .errors import ReplyError
from .link import Link
from .scripts import NOTE, OPEN_QUESTION, SETTLE

__all__ = ["HELLO_TTL_S", "Porter", "tell"]

BLOCK_MS = 500
AT_A_TIME = 32
"""Entries of one outbox that are dealt with before the others have their turn: a flood is its sender's own."""
UNREAD = 4096
"""Entries that an outbox may hold. The oldest go first; what they answered is still open, and may be answered again."""
LOOK_S = 1.0
"""How often we look who is known."""
HELLO_TTL_S = 60.0
"""How long a stranger is taken to be there after it has said hello."""
FUTURE_MS = 3_600_000
"""An entry with an id this far ahead was put there to keep others from being added after it."""


class Porter:
    """The porter of one bus.

    Args:
        broker: the bus.
        registry: who is known.
        board: where greetings are noted.
        link: a connection of its own, since reading blocks it.
        limits: what strangers may do.
    """

    def __init__(
        self, broker: RedisBroker, registry: Registry, board: Board, link: Link, limits: Limits = LIMITS
    ) -> None:
        self._broker, self._registry, self._board, self._link, self._limits = broker, registry, board, link, limits
        self._prefix = link.prefix
        self._agents: list[str] = []
        self._since: dict[str, datetime] = {}
        self.refused: dict[str, int] = {}
        """How many messages were refused, by reason."""

    async def run(self) -> None:
        """Carry until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look(), name="who is known")
            while True:
                try:
                    await self._carry()
                except BrokerError as error:
                    structlog.get_logger().warning("cannot read outboxes", reason=str(error))
                    await asyncio.sleep(BLOCK_MS / 1000)

    async def _look(self) -> None:
        """Keep up with who is known, and keep their outboxes within bounds."""
        while True:
            known = await self._registry.strangers()
            self._agents = [stranger(name) for name, each in known.items() if "redis" in each.doors]
            for agent in self._agents:
                box = self._prefix + outbox(agent)
                try:
                    if await self._broker.link.call("XLEN", box) > UNREAD:
                        await self._broker.link.call("XTRIM", box, "MAXLEN", UNREAD)
                        await self._refuse(agent, RefusedError("too_fast", f"your outbox holds {UNREAD:,} at most"))
                except ReplyError as error:
                    structlog.get_logger().warning("cannot look at an outbox", agent=agent, reason=str(error))
            await asyncio.sleep(LOOK_S)

    async def _carry(self) -> None:
        """Deal with some of what is in the outboxes, or wait for something to come."""
        agents = list(self._agents)
        if not agents:
            await asyncio.sleep(BLOCK_MS / 1000)
            return
        boxes = {(self._prefix + outbox(agent)).encode(): agent for agent in agents}
        read = await self._link.call(
            "XREAD", "COUNT", AT_A_TIME, "BLOCK", BLOCK_MS, "STREAMS", *boxes, *["0-0"] * len(boxes)
        )
        for box, entries in read or ():
            for id_, fields in entries:
                await self._deal_with(boxes[box], fields)
                await self._broker.link.call("XDEL", box, id_)
            await self._mend(box, entries[-1][0])

    async def _mend(self, box: bytes, last: bytes) -> None:
        """Make an outbox anew to which nothing can be added any more."""
        now, _ = await self._broker.link.call("TIME")
        if int(last.partition(b"-")[0]) > int(now) * 1000 + FUTURE_MS:
            await self._broker.link.call("UNLINK", box)

    async def _deal_with(self, agent: str, fields: list[bytes]) -> None:
        raw = dict(zip(fields[::2], fields[1::2], strict=True)).get(b"m", b"")
        try:
            said = read_stranger(raw, agent, self._limits)
            if isinstance(said, AgentHello):
                await self._greet(said)
            else:
                await self._tell(await self._answer(said))
        except RefusedError as error:
            await self._refuse(agent, error)
        except (ProtocolError, ReplyError) as error:  # else this entry would be met again, for ever
            structlog.get_logger().error("cannot deal with a message", agent=agent, reason=str(error))
            await self._refuse(agent, RefusedError("malformed", "it cannot be dealt with"))

    async def _greet(self, hello: AgentHello) -> None:
        agent = hello.agent
        since = self._since.setdefault(agent, datetime.now(UTC))
        about = {"kind": "bus", "door": "redis", "provider": hello.provider, "model": hello.model}
        member = Member("agent", agent, "redis", "", 0, hello.software, hello.concurrency, about, since, 0)
        await self._board.beat("agent", member, HELLO_TTL_S)

    async def _answer(self, said: TurnReply | TurnFailure) -> Notice:
        """Settle the question that this answers.

        Raises:
            RefusedError: it answers none that is open to this agent.
        """
        log = episode_log(said.run_id, said.episode_id)
        calls = f"{self._prefix}calls:{log.removeprefix('log:')}"
        box = self._prefix + inbox(said.agent)
        found = await self._broker.link.run(OPEN_QUESTION, [calls, box], [said.key])
        if found == [b"answered"]:
            return Notice(key=said.key, agent=said.agent, code="duplicate")
        if not found:
            raise RefusedError("closed", "no such question is open to you", said.key)
        id_, text, age_ms = found
        request: TurnRequest = decode(text)
        answer = vetted(said, request, max(0.0, age_ms / 1000))
        is_reply = int(isinstance(answer, TurnReply))
        words = [self._prefix, BOX_MS, answer.key, is_reply, encode(answer), "agents", id_]
        await self._broker.link.run(SETTLE, [self._prefix + log, calls, box], words)
        return Notice(key=said.key, agent=said.agent, code="accepted")

    async def _refuse(self, agent: str, error: RefusedError) -> None:
        self.refused[error.reason] = self.refused.get(error.reason, 0) + 1
        structlog.get_logger().info("refused", agent=agent, reason=error.reason, about=error.message)
        await self._tell(error.notice(agent))

    async def _tell(self, notice: Notice) -> None:
        await tell(self._broker.link, notice)


async def tell(link: Link, notice: Notice) -> None:
    """Put a notice where its agent reads it."""
    await link.run(NOTE, [link.prefix + notes(notice.agent)], [encode(notice), BOX_MS])
