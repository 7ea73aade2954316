"""The gate before a provider: one for all replicas on all machines that share its limits.

It is one hash, ``PREFIX gate:NAME``, gone after an hour of disuse. Every operation is one script, and the server's
clock the only one. There are three parts:

* a bucket of **requests**: each that is admitted takes one, as long as there is one;
* a bucket of **tokens**, paid afterwards, since nobody knows before what an answer will use: it may run into debt, and
  nobody is admitted until that is paid off;
* a **pause**, for everybody, where the provider asks us to slow down. It is kept with and without limits.

Buckets hold ten seconds' worth and are refilled all the time. A minute's worth would let two minutes' worth pass in the
first minute after a rest, which providers count; a single request's worth would lose whatever a waiter comes too late
for. So at most a sixth more than the limit passes within a minute.

A script whose reply was lost with the connection may run twice. An admission then takes two requests and an answer pays
twice, which the buckets make good within moments; a pause lasts a little longer, or begins once more. All of it errs
towards asking less, and none of it loses a question.
"""

import asyncio
import hashlib
import random
from collections.abc import Coroutine
from importlib.resources import files
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import structlog

from palaver_protocols.errors import BrokerError, UsageError
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest

from .link import Link, Script

__all__ = ["RedisGate", "gate_name"]

REST_S = 0.1
"""How long a waiter sleeps at least. What the buckets gain meanwhile is not lost, and hundreds of replicas ask no more
often than this, however high the limit is. With ten at 6,000 a minute, an admission takes 2 scripts; without it 11."""
LOOK_EACH_S = 10.0
"""How long a waiter sleeps at most before it looks whether anybody still waits for its answer."""
JITTER = 0.05
"""How much longer than told a waiter sleeps, at most: replicas that were told the same do not all come at once."""
LEAVE_S = 5.0
"""How long closing waits for what is on its way."""


def _script(name: str) -> Script:
    folder = files(__package__) / "lua"
    return Script((folder / "gate_common.lua").read_text() + (folder / f"gate_{name}.lua").read_text())


ADMIT, ANSWERED, PAUSE = map(_script, ("admit", "answered", "pause"))


def gate_name(provider: str, base_url: str | None, api_key: str | None) -> str:
    """Name the gate of all who ask a provider at this address with this key. The key cannot be read from it.

    Args:
        provider: as in the agent's name.
        base_url: where the provider is; scheme, user and query make no difference. None: where it always is.
        api_key: None or empty where it wants none.
    """
    url = urlsplit(base_url or "")
    place = url.netloc.rpartition("@")[2].lower() + url.path.rstrip("/")
    fingerprint = hashlib.blake2b(api_key.encode(), digest_size=8).hexdigest() if api_key else "no-key"
    return ":".join(part for part in (provider, place, fingerprint) if part)


class RedisGate:
    """A replica's place at the gate.

    Who comes first is admitted first among those who wait here: only the first of them asks the server. Between
    replicas this holds only roughly.

    Replicas should have the same limits. Where they differ, each asks with its own, so that the strictest waits
    longest; one without a limit on tokens does not count those that it uses.

    Args:
        link: the connection to the bus; it stays open when the gate is closed.
        name: whoever shares the limits (:func:`gate_name`).
        requests_per_minute: None: no limit.
        tokens_per_minute: input and output together; None: no limit.

    Attributes:
        waited_s: seconds that questions have waited here, all together.
        pauses: how often the provider has asked this replica to slow down.

    Raises:
        UsageError: a limit lets nothing pass.
    """

    def __init__(
        self, link: Link, name: str, *, requests_per_minute: int | None = None, tokens_per_minute: int | None = None
    ) -> None:
        for limit, of in ((requests_per_minute, "requests"), (tokens_per_minute, "tokens")):
            if limit is not None and limit <= 0:
                raise UsageError(f"a limit of {limit} {of} a minute lets nothing pass", mend="give none, or at least 1")
        self._link = link
        self._key = f"{link.prefix}gate:{name}"
        self._rpm, self._tpm = requests_per_minute or 0, tokens_per_minute or 0
        self._first = asyncio.Lock()  # who comes first gets it first
        self._waiting = 0
        self._again_at = 0.0
        self._paused_until = 0.0
        self._notes: set[asyncio.Task[None]] = set()
        self.waited_s = 0.0
        self.pauses = 0

    def paused_for(self) -> float:
        """Return for how many seconds more nobody may ask, as far as this replica has heard."""
        return max(0.0, self._paused_until - monotonic())

    async def admit(self, request: TurnRequest) -> bool:
        """Wait until a question may be asked. False: nobody waits for its answer any more.

        Raises:
            BrokerError: the link has no more patience with the server.
        """
        admitted = None if self._waiting else await self._ask(request)
        return await self._wait(request) if admitted is None else admitted

    async def _wait(self, request: TurnRequest) -> bool:
        """Wait in line; the first asks again and again."""
        began = monotonic()
        self._waiting += 1
        try:
            async with self._first:
                while True:
                    await asyncio.sleep(self._again_at - monotonic())
                    admitted = await self._ask(request)
                    if admitted is not None:
                        return admitted
        finally:
            self._waiting -= 1
            self.waited_s += monotonic() - began

    async def _ask(self, request: TurnRequest) -> bool | None:
        """Ask the server, and return whether a question is admitted; None: not yet."""
        calls, run = f"calls:{request.run_id}/{request.episode_id}", f"run:{request.run_id}"
        keys = [self._key, *(self._link.prefix + key for key in (calls, run))]
        wait_ms, paused_ms = await self._link.run(ADMIT, keys, [self._rpm, self._tpm, request.key])
        self._hear(paused_ms)
        if wait_ms > 0:
            wait_s = min(max(wait_ms / 1000, REST_S), LOOK_EACH_S)
            self._again_at = monotonic() + wait_s * random.uniform(1.0, 1.0 + JITTER)
            return None
        return bool(wait_ms == 0)

    def answered(self, answer: TurnReply | TurnFailure) -> None:
        """Take note of what an answer has used, or that the provider asks us to slow down. Does not wait.

        It does so with the code ``rate_limited``, and with any failure for which it names a time to wait, as overloaded
        servers do; ten minutes are the most that it gets. Where it names none, or zero, pauses grow from one second to
        a minute, until an answer comes that was asked for after them.
        """
        if isinstance(answer, TurnReply):
            used = answer.usage.input_tokens + answer.usage.output_tokens
            self._note(self._run(ANSWERED, self._tpm, used))
        elif answer.code == "rate_limited" or answer.retry_after_s:
            self.pauses += 1
            self._note(self._run(PAUSE, str(answer.retry_after_s or 0)))

    def _note(self, running: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(running, name=f"note for {self._key}")
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _run(self, script: Script, *args: str | int) -> None:
        try:
            self._hear(await self._link.run(script, [self._key], args))
        except BrokerError as error:
            structlog.get_logger().warning("the gate did not hear of an answer", gate=self._key, error=str(error))

    def _hear(self, paused_ms: int) -> None:
        self._paused_until = monotonic() + paused_ms / 1000

    async def aclose(self) -> None:
        """Wait a while for what is on its way. Nothing of it is worth waiting for a server that is away."""
        if self._notes:
            _, late = await asyncio.wait(self._notes, timeout=LEAVE_S)
            for task in late:
                task.cancel()
