"""The episode engine: asks the seats that must speak, makes every answer durable, and lets the game go on.

The imperative shell around :class:`palaver_gamemasters.episode.Episode`. The log is the truth: an answer is committed
before it is used, and an episode that is found half played is folded from its log and taken up where it stood.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import structlog

from palaver_broker import Broker, Commit, Delivery, inbox, outbox
from palaver_broker.topics import episode_log
from palaver_protocols.content import Image
from palaver_protocols.errors import AgentError, PalaverError
from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Hook,
    InvalidReply,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import OWED, EpisodeEnded, EpisodeStarted, TurnReply, TurnRequest, TurnTaken, Wire
from palaver_protocols.transcript import Message

from .backoff import wait_before
from .episode import Episode
from .game import AnyGame

__all__ = ["Engine", "Patience", "open_engine"]

SWEEP_S = 1.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an answer is waited for, and how often a question is asked.

    ``timeout_s`` bounds one try at the model; the engine allows ``grace_s`` more for the way there and back.
    ``base_s`` and ``cap_s`` shape the exponential wait between tries. All in seconds.
    """

    timeout_s: float = 600.0
    tries: int = 5
    grace_s: float = 30.0
    base_s: float = 1.0
    cap_s: float = 60.0


class _OvertakenError(Exception):
    """Somebody else has written to the log: what we know of the episode is not the truth any more."""


@dataclass(slots=True)
class _Tail:
    """The end of a log, as far as we know it."""

    broker: Broker
    log: str
    length: int = 0
    key: str | None = None

    async def append(self, entry: Wire, ack: Collection[Delivery] = ()) -> None:
        result = await self.broker.commit(Commit(self.log, self.length, self.key, entry, ack=tuple(ack)))
        if result != "ok":
            raise _OvertakenError
        self.length += 1
        self.key = entry.key


@asynccontextmanager
async def open_engine(
    broker: Broker,
    game: AnyGame,
    agents: Iterable[str],
    *,
    hooks: Iterable[Hook] = (),
    patience: Patience = Patience(),
    name: str = "gamemaster",
) -> AsyncIterator["Engine"]:
    """Open an engine that listens to these agents' outboxes until the context is left."""
    engine = Engine(broker, game, tuple(hooks), patience)
    async with asyncio.TaskGroup() as tasks:
        helpers = [tasks.create_task(engine.listen(agent, name), name=f"outbox of {agent}") for agent in set(agents)]
        helpers.append(tasks.create_task(engine.sweep(), name="deadlines"))
        try:
            yield engine
        finally:
            for helper in helpers:
                helper.cancel()


class Engine:
    """Plays any number of episodes of one game at a time. Make one with :func:`open_engine`."""

    def __init__(self, broker: Broker, game: AnyGame, hooks: tuple[Hook, ...], patience: Patience) -> None:
        self._broker = broker
        self._game = game
        self._hooks = hooks
        self._patience = patience
        self._waiting: dict[str, tuple[asyncio.Future[Delivery], float]] = {}
        self._loop = asyncio.get_running_loop()
        self._clock: Callable[[], datetime] = partial(datetime.now, UTC)

    def _notify(self, event: Event) -> None:
        for hook in self._hooks:
            hook(event)

    async def play(self, opening: EpisodeStarted) -> EpisodeEnded:
        """Play an episode to its end, from its log if it has one.

        Infrastructure that fails for good ends the episode with the outcome ``error``; so does a game that raises.

        Raises:
            InstanceError: the instance makes no game.
            BrokerError: the bus failed; the log says how far the episode came.
        """
        while True:
            try:
                return await self._play(opening)
            except _OvertakenError:
                continue

    async def _play(self, opening: EpisodeStarted) -> EpisodeEnded:
        tail = _Tail(self._broker, episode_log(opening.run_id, opening.episode_id))
        entries = await self._broker.read(tail.log)
        if entries:
            tail.length, tail.key = len(entries), entries[-1].key
            episode = Episode.from_log(self._game, entries)
            if episode.ended is not None and episode.ended.outcome not in OWED:
                return episode.ended
        else:
            episode = Episode(self._game, opening)
            await tail.append(opening)
        self._notify(EpisodeOpened(episode.started, episode.turns))
        ended = await self._finish(episode, tail)
        await tail.append(ended)
        self._notify(EpisodeClosed(episode.started, ended, episode.turns))
        return ended

    async def _finish(self, episode: Episode, tail: _Tail) -> EpisodeEnded:
        try:
            while (outcome := episode.outcome) is None:
                await self._round(episode, tail)
            scores = dict(episode.scores)
        except AgentError as error:
            return self._error(tail, str(error))
        except (PalaverError, _OvertakenError):
            raise
        except Exception as error:
            structlog.get_logger().exception("game raised", game=self._game.name, episode_id=episode.started.episode_id)
            return self._error(tail, f"the game {self._game.name} raised {type(error).__name__}: {error}")
        key = f"ended:{tail.length}"
        return EpisodeEnded(key=key, outcome=outcome, scores=scores, at=self._clock())

    def _error(self, tail: _Tail, message: str) -> EpisodeEnded:
        return EpisodeEnded(key=f"ended:{tail.length}", outcome="error", error=message, at=self._clock())

    async def _round(self, episode: Episode, tail: _Tail) -> None:
        """Let all seats that owe a turn speak; commit answers as they come, keep them even if another one fails."""
        timeout_s = self._patience.timeout_s
        requests = [episode.request(seat, turn, timeout_s=timeout_s) for seat, turn in episode.owed()]
        for request in requests:
            await self._store_pictures(episode.prompts(request))
        if len(requests) == 1:
            await self._take(episode, tail, await self._ask(requests[0]))
            return
        failures: list[Exception] = []
        one_at_a_time = asyncio.Lock()

        async def speak(request: TurnRequest) -> None:
            try:
                asked = await self._ask(request)
                async with one_at_a_time:
                    await self._take(episode, tail, asked)
            except Exception as error:  # raised again below, when the other seats have been heard
                failures.append(error)

        async with asyncio.TaskGroup() as seats:
            for request in requests:
                seats.create_task(speak(request))
        if failures:
            raise failures[0]

    async def _store_pictures(self, prompts: Collection[Message]) -> None:
        """Put what a game has drawn where agents can find it, before they are asked."""
        for message in prompts:
            for part in message.parts:
                if isinstance(part, Image) and part.data is not None:
                    await self._broker.blobs.put(part.data)

    async def _take(self, episode: Episode, tail: _Tail, asked: tuple[TurnRequest, Delivery]) -> None:
        request, delivery = asked
        reply = delivery.message
        prompts = episode.prompts(request)
        taken = TurnTaken(key=request.key, prompts=prompts, reply=reply, at=self._clock())
        await tail.append(taken, ack=(delivery,))
        refused = episode.refused if self._hooks else 0
        episode.take(taken)
        if self._hooks:
            self._notify(TurnAnswered(request, reply))
            if not reply.parts or episode.refused > refused:
                self._notify(InvalidReply(request, reply, "refused by the game" if reply.parts else "empty"))

    async def _ask(self, request: TurnRequest) -> tuple[TurnRequest, Delivery]:
        """Ask until there is an answer.

        Raises:
            AgentError: asking again will not help, or has not.
        """
        patience = self._patience
        if self._hooks:
            self._notify(TurnAsked(request))
        while True:
            try:
                return request, await self._exchange(request)
            except AgentError as error:
                if not error.retryable or request.attempt >= patience.tries:
                    raise _final(request, error) from error
                attempt = request.attempt + 1
                wait_s = wait_before(
                    attempt,
                    base_s=patience.base_s,
                    cap_s=patience.cap_s,
                    key=request.key,
                    asked_s=error.retry_after_s,
                )
                self._notify(TurnRetried(request, error.code, error.message, wait_s))
            await asyncio.sleep(wait_s)
            request = request.model_copy(update={"attempt": attempt})

    async def _exchange(self, request: TurnRequest) -> Delivery:
        arrival: asyncio.Future[Delivery] = self._loop.create_future()
        deadline = self._loop.time() + self._patience.timeout_s + self._patience.grace_s
        self._waiting[request.key] = (arrival, deadline)
        try:
            await self._broker.publish(inbox(request.agent), request)
            delivery = await arrival
        finally:
            self._waiting.pop(request.key, None)
        answer = delivery.message
        if isinstance(answer, TurnReply):
            return delivery
        await delivery.ack()
        raise AgentError(
            answer.message, code=answer.code, retryable=answer.retryable, retry_after_s=answer.retry_after_s
        )

    async def listen(self, agent: str, name: str) -> None:
        """Bring an agent's answers to whom they belong; drop repeats of answers that have been used."""
        async with self._broker.subscribe(outbox(agent), "gamemasters", consumer=name) as answers:
            async for delivery in answers:
                answer, _ = self._waiting.pop(delivery.message.key, (None, 0.0))
                if answer is None or answer.done():
                    await delivery.ack()
                else:
                    answer.set_result(delivery)

    async def sweep(self) -> None:
        """Give up on answers whose time is over, so that their questions are asked again."""
        while True:
            await asyncio.sleep(SWEEP_S)
            now = self._loop.time()
            for answer in [answer for answer, deadline in self._waiting.values() if deadline < now]:
                if not answer.done():
                    answer.set_exception(AgentError("no answer in time", code="timeout", retryable=True))


def _final(request: TurnRequest, error: AgentError) -> AgentError:
    """Say who failed for good, and after how many tries."""
    tries = f" after {request.attempt} tries" if request.attempt > 1 else ""
    return AgentError(f"{request.agent}{tries}: {error}", code=error.code, retryable=False)
