"""Who waits for which answer: where answers are brought to, what is asked again, and whom we wait for no longer.

Services of ours see to their own time: a question of theirs is answered, be it by a failure, or lies with a process
that lives. A stranger's program promises nothing. It is given the time that a question allows, from when it was asked
or from the agent's latest answer to another, since many questions may stand in line; then the question is withdrawn,
and counts as a failure.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from palaver_broker import Broker, Question
from palaver_protocols.errors import one_line
from palaver_protocols.messages import TurnFailure, TurnRequest
from palaver_protocols.strangers import Notice, is_stranger

from .table import OvertakenError, Table

__all__ = ["Waits"]

REMIND_S = 1.0
"""How often we look for questions that have waited too long."""
LONGEST_PAUSE_S = 300.0
"""The longest time between two reminders: whole questions travel each time."""
ON_THE_WAY_S = 5.0
"""How much longer than it may take we wait for a stranger's answer."""
IN_LINE = 10
"""How many times as long we wait at most, where the agent answers other questions meanwhile."""


class _Wait(NamedTuple):
    """A question without an answer: who waits, when to ask again, how long was waited for that, and since when."""

    table: Table
    due: float
    pause: float
    since: float


class Waits:
    """The open questions of all episodes of an engine.

    Args:
        broker: the bus.
        box: where answers come.
    """

    def __init__(self, broker: Broker, box: str) -> None:
        self._broker = broker
        self._box = box
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, _Wait] = {}
        """By the question's key."""
        self._heard: dict[str, float] = {}
        """When a stranger has answered last."""

    def expect(self, table: Table, request: TurnRequest) -> Question:
        """Wait for an answer from now on: it may come before we hear that the question is out."""
        table.asked[request.key] = request
        now, pause = self._loop.time(), table.patience.remind_s
        self._waiting[request.key] = _Wait(table, now + pause, pause, now)
        return Question(request, self._box)

    def forget(self, table: Table, key: str) -> None:
        """Wait for an answer no more."""
        del table.asked[key]
        self._waiting.pop(key, None)

    def hurry(self, log: str) -> None:
        """Ask again at once what an episode waits for: its questions may have been taken back, as a pause does."""
        now = self._loop.time()
        for key, wait in self._waiting.items():
            if wait.table.tail.log == log:
                self._waiting[key] = wait._replace(due=now, pause=wait.table.patience.remind_s)

    def leave(self, table: Table) -> None:
        """Wait for nothing any more that an episode has asked."""
        for key in table.asked:
            self._waiting.pop(key, None)

    async def listen(self, name: str, lease_s: float) -> None:
        """Bring answers to the episodes that wait for them; drop repeats of answers that have been used."""
        async with self._broker.subscribe(self._box, "gamemasters", consumer=name, lease_s=lease_s) as answers:
            async for delivery in answers:
                answer = delivery.message
                wait = self._waiting.get(answer.key)
                if wait is None:
                    await delivery.ack()
                    continue
                if is_stranger(answer.agent):
                    self._heard[answer.agent] = self._loop.time()
                wait.table.mail.put(delivery)

    async def remind(self) -> None:
        """Ask again what has not been answered for long, and everything after the bus was lost and found again."""
        losses = self._broker.losses
        while True:
            await asyncio.sleep(REMIND_S)
            now, before = self._loop.time(), losses
            losses = self._broker.losses
            for key, wait in list(self._waiting.items()):
                if self._waiting.get(key) is not wait:
                    continue  # answered while we saw to others
                if self._is_given_up(wait, key, now):
                    await self._give_up(wait, key, now)
                    continue
                if wait.due > now and before == losses:
                    continue
                pause = min(2 * wait.pause, LONGEST_PAUSE_S)
                self._waiting[key] = wait._replace(due=now + pause, pause=pause)
                if await self._is_overtaken(wait.table, key):
                    wait.table.mail.put(OvertakenError())

    def _is_given_up(self, wait: _Wait, key: str, now: float) -> bool:
        request = wait.table.asked.get(key)
        if request is None or not is_stranger(request.agent):
            return False
        since = max(wait.since, self._heard.get(request.agent, 0.0))
        until = min(since + request.timeout_s, wait.since + IN_LINE * request.timeout_s)
        return now > until + ON_THE_WAY_S

    async def _give_up(self, wait: _Wait, key: str, now: float) -> None:
        """Withdraw a question; where it has been answered meanwhile, the answer is on its way."""
        request = wait.table.asked[key]
        if not await self._broker.withdraw(request):
            return
        refused = await self._broker.refusals(request.agent, now - wait.since)
        message = f"no answer within {request.timeout_s:g} s" + _why(refused)
        wait.table.mail.put(TurnFailure.of(request, "timeout", message, retryable=True))

    async def _is_overtaken(self, table: Table, key: str) -> bool:
        """Ask a question again, unless somebody has written to the log since: changed a seat by hand, say."""
        is_behind = await table.tail.is_behind()
        if key not in table.asked:  # answered while we looked: what is longer is our own
            return False
        return is_behind or await self._broker.ask(Question(table.asked[key], self._box)) == "gone"


def _why(refused: Sequence[Notice]) -> str:
    """Say what may have become of an answer: whoever runs the game sees nothing of what a stranger is told."""
    if not refused:
        return ""
    many = f"{len(refused)} messages of it were refused, the last"
    some = "a message of it was refused" if len(refused) == 1 else many
    return f"; {some}: {refused[-1].reason}, {one_line(refused[-1].message, 200)}"
