"""The episode engine: asks the seats that must speak, makes every answer durable, and lets the game go on.

The imperative shell around :class:`palaver_gamemasters.episode.Episode`. The log is the truth: an answer is committed
before anything that follows from it leaves this process, and an episode that is found half played is folded from its
log and taken up where it stood.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial

import structlog

from palaver_broker import AskResult, Broker, CommitResult, Delivery, answer_box
from palaver_broker.topics import episode_log
from palaver_protocols.content import Image
from palaver_protocols.errors import AgentError, PalaverError, UsageError
from palaver_protocols.events import (
    EpisodeClosed,
    EpisodeOpened,
    Event,
    Hook,
    InvalidReply,
    SeatHandedOver,
    TurnAnswered,
    TurnAsked,
    TurnRetried,
)
from palaver_protocols.messages import (
    OWED,
    Aside,
    EpisodeEnded,
    EpisodeStarted,
    Outcome,
    Segment,
    TurnFailure,
    TurnRequest,
    Wire,
)
from palaver_protocols.strangers import is_stranger
from palaver_protocols.transcript import Message

from .backoff import wait_before
from .bugs import bug_in_words
from .episode import Episode, Step
from .game import AnyGame
from .table import OVERTAKEN, PATIENT, OvertakenError, Patience, SpentError, Table, Tail
from .waiting import Waits

__all__ = ["Engine", "Traceparent", "open_engine"]

Traceparent = Callable[[TurnRequest], str | None]
"""Says of which trace a question is a part (W3C Trace Context); None: of none."""

OVERTAKEN_S = 0.05
"""How long we let whoever has overtaken us go on, before we read the log again."""


@asynccontextmanager
async def open_engine(
    broker: Broker,
    *,
    hooks: Iterable[Hook] = (),
    name: str = "gamemaster",
    lease_s: float = 30.0,
    traceparent: Traceparent | None = None,
) -> AsyncIterator["Engine"]:
    """Open an engine that listens to its answer box until the context is left.

    Args:
        broker: the bus.
        hooks: who watches.
        name: what this game master is called; no two on a bus may share a name.
        lease_s: seconds after which an answer that has not been used is given to it again.
        traceparent: says of which trace a question is a part; None: there are no traces.
    """
    waits = Waits(broker, answer_box(name))
    engine = Engine(broker, waits, tuple(hooks), traceparent)
    async with asyncio.TaskGroup() as tasks:
        helpers = [
            tasks.create_task(waits.listen(name, lease_s), name=f"answers to {name}"),
            tasks.create_task(waits.remind(), name=f"reminders of {name}"),
        ]
        try:
            yield engine
        finally:
            for helper in helpers:
                helper.cancel()


class Engine:
    """Plays any number of episodes at a time, of any games. Make one with :func:`open_engine`."""

    def __init__(
        self, broker: Broker, waits: Waits, hooks: tuple[Hook, ...], traceparent: Traceparent | None = None
    ) -> None:
        self._broker = broker
        self._waits = waits
        self._hooks = hooks
        self._traceparent = traceparent
        self._loop = asyncio.get_running_loop()
        self._clock: Callable[[], datetime] = partial(datetime.now, UTC)

    def _notify(self, event: Event) -> None:
        for hook in self._hooks:
            hook(event)

    async def play(self, game: AnyGame, opening: EpisodeStarted, patience: Patience = PATIENT) -> EpisodeEnded:
        """Play an episode to its end, from its log if it has one.

        Infrastructure that fails for good ends the episode with the outcome ``error``; so does a game that raises.

        Raises:
            InstanceError: the instance makes no game.
            BrokerError: the bus failed; the log says how far the episode came.
        """
        while True:
            try:
                return await self._play(game, opening, patience)
            except OvertakenError:
                await asyncio.sleep(OVERTAKEN_S)

    def ask_again(self, opening: EpisodeStarted) -> None:
        """Ask again what an episode waits for that is being played here: somebody may have taken it back meanwhile."""
        self._waits.hurry(episode_log(opening.run_id, opening.episode_id))

    async def _play(self, game: AnyGame, opening: EpisodeStarted, patience: Patience) -> EpisodeEnded:
        tail = Tail(self._broker, episode_log(opening.run_id, opening.episode_id))
        entries = await self._broker.read(tail.log)
        if entries:
            tail.length, tail.key = len(entries), entries[-1].key
        try:
            episode = Episode.from_log(game, entries) if entries else Episode(game, opening)
        except PalaverError:
            raise
        except Exception as error:
            return await self._not_begun(opening, tail, self._bug(opening, error), begin=not entries)
        if episode.ended is not None and episode.ended.outcome not in OWED:
            return episode.ended
        table = Table(episode, tail, patience)
        self._notify(EpisodeOpened(table.episode.started, table.episode.turns))
        try:
            ended = await self._to_the_end(table, begin=not entries)
        finally:
            self._waits.leave(table)
        await tail.append(ended)
        self._notify(EpisodeClosed(table.episode.started, ended, table.episode.turns))
        return ended

    async def _not_begun(self, opening: EpisodeStarted, tail: Tail, why: str, *, begin: bool) -> EpisodeEnded:
        """End an episode of which the game makes nothing at all; mended, it can be taken up."""
        if begin:
            await tail.append(opening)
        ended = self._unfinished(tail, "error", why)
        await tail.append(ended)
        self._notify(EpisodeOpened(opening, 0))
        self._notify(EpisodeClosed(opening, ended, 0))
        return ended

    def _bug(self, started: EpisodeStarted, error: Exception) -> str:
        """Log what a game has raised; return it in one line."""
        structlog.get_logger().error("game raised", game=started.game, episode_id=started.episode_id, exc_info=error)
        return bug_in_words(started.game, started.variant, error)

    async def _to_the_end(self, table: Table, *, begin: bool) -> EpisodeEnded:
        episode = table.episode
        try:
            if begin:
                await self._begin(table)
            else:
                await self._ask(table, self._owed(table))
            while table.asked:
                await self._hear(table)
            if table.failure is not None:
                raise table.failure
            outcome = episode.outcome
            # a game may take seconds to measure (shortest solutions): meanwhile leases are kept, and others play on
            scores, segments = await asyncio.to_thread(_measured, episode)
        except AgentError as error:
            return self._unfinished(table.tail, "error", str(error), episode.segments)
        except SpentError:
            return self._unfinished(table.tail, "budget", "the run has spent what it may", episode.segments)
        except UsageError as error:  # a team that was put in by hand, and that the game cannot seat
            return self._unfinished(table.tail, "error", str(error))
        except (PalaverError, OvertakenError):
            raise
        except Exception as error:
            return self._unfinished(table.tail, "error", self._bug(episode.started, error))
        assert outcome is not None, "somebody owes a turn"
        return EpisodeEnded(
            key=f"ended:{table.tail.length}",
            outcome=outcome,
            scores=scores,
            segments=segments,
            at=self._clock(),
        )

    async def _begin(self, table: Table) -> None:
        """Commit the start together with the first questions; alone, where the game cannot make them."""
        requests: list[TurnRequest] = []
        bug: Exception | None = None
        try:
            requests = self._owed(table)
        except Exception as error:  # raised again below: the log has to begin with its start, whatever comes next
            bug = error
        await self._commit(table, table.episode.started, requests)
        if bug is not None:
            raise bug

    def _unfinished(self, tail: Tail, outcome: Outcome, error: str, segments: tuple[Segment, ...] = ()) -> EpisodeEnded:
        return EpisodeEnded(
            key=f"ended:{tail.length}",
            outcome=outcome,
            error=error,
            segments=segments,
            at=self._clock(),
        )

    async def _hear(self, table: Table) -> None:
        """Go on by one item of the mailbox."""
        item = await table.mail.get()
        if isinstance(item, TurnRequest):
            await self._ask(table, [item])
            return
        if isinstance(item, TurnFailure):
            if (late := table.asked.get(item.key)) is not None:
                self._take_failure(table, late, item)
            return
        answer = item.message
        request = table.asked.get(answer.key)
        if request is None:  # a repeat of what has been used
            await item.ack()
        elif isinstance(answer, TurnFailure):
            await item.ack()
            if answer.code == OVERTAKEN and not is_stranger(answer.agent):
                if await table.tail.is_behind():
                    raise OvertakenError
            else:
                self._take_failure(table, request, answer)
        else:
            await self._take(table, request, item)

    async def _take(self, table: Table, request: TurnRequest, delivery: Delivery) -> None:
        """Commit an answer together with the questions that follow from it.

        Nothing is awaited between an answer and its commit: whoever stops us then, it is not lost.
        """
        episode, reply = table.episode, delivery.message
        step = episode.step(request, reply, self._clock())
        refused = episode.refused if self._hooks else 0
        handoffs = episode.handoffs
        self._waits.forget(table, request.key)
        requests: list[TurnRequest] = []
        bug: Exception | None = None
        try:
            episode.take(step)
            requests = self._owed(table)
        except Exception as error:  # raised again below: what was answered is the truth, whatever the game makes of it
            bug = error
        await self._commit(
            table, step, requests, (delivery,), lambda: self._tell(table, request, step, refused, handoffs)
        )
        if bug is not None:
            raise bug

    def _tell(self, table: Table, request: TurnRequest, step: Step, refused: int, handoffs: int) -> None:
        """Notify of an answer that is in the log now, and of who comes in after it."""
        if not self._hooks:
            return
        episode, reply = table.episode, step.reply
        self._notify(TurnAnswered(request, reply, isinstance(step, Aside)))
        for seat in episode.handed_over(handoffs):
            self._notify(SeatHandedOver(episode.started, seat, episode.filled[seat], episode.turns))
        if not reply.parts or table.episode.refused > refused:
            self._notify(InvalidReply(request, reply, "refused by the game" if reply.parts else "empty"))

    def _owed(self, table: Table) -> list[TurnRequest]:
        """Make the questions that the episode asks next: those that are not out already."""
        episode = table.episode
        if table.failure is not None or episode.outcome is not None:
            return []
        requests = list(episode.requests(timeout_s=table.patience.timeout_s))
        if not requests:
            raise RuntimeError("it has not ended, and asks nobody")
        if (trace := self._traceparent) is not None:
            requests = [request.model_copy(update={"traceparent": trace(request)}) for request in requests]
        return [request for request in requests if request.key not in table.asked] if table.asked else requests

    async def _commit(
        self,
        table: Table,
        entry: Wire,
        requests: Sequence[TurnRequest],
        ack: Sequence[Delivery] = (),
        committed: Callable[[], None] = lambda: None,
    ) -> None:
        """Append an entry, and ask what follows from it: in the same step, unless pictures have to go ahead."""
        if any(_drawn(table.episode.prompts(request)) for request in requests):
            await table.tail.append(entry, ack=ack, soon=requests)
            committed()
            await self._ask(table, requests)
            return
        questions = [self._waits.expect(table, request) for request in requests]
        result = await table.tail.append(entry, questions, ack)
        committed()
        for request in requests:
            self._asked(table, request, result)

    async def _ask(self, table: Table, requests: Collection[TurnRequest]) -> None:
        """Ask questions, pictures first, so that agents find what a game has drawn."""
        for request in requests:
            for picture in _drawn(table.episode.prompts(request)):
                await self._broker.blobs.put(picture)
        for request in requests:
            self._asked(table, request, await self._broker.ask(self._waits.expect(table, request)))

    def _asked(self, table: Table, request: TurnRequest, result: AskResult | CommitResult) -> None:
        """Take note of what came of asking.

        Raises:
            OvertakenError: the episode has gone on without us.
        """
        if result == "gone":
            raise OvertakenError
        if result == "budget":
            self._waits.forget(table, request.key)
            table.failure = table.failure or SpentError()
        elif self._hooks and request.attempt == 1:
            self._notify(TurnAsked(request))

    def _take_failure(self, table: Table, request: TurnRequest, answer: TurnFailure) -> None:
        """Have a question asked again after a while, or give up on it; the other seats of the round are still heard."""
        patience = table.patience
        self._waits.forget(table, request.key)
        if not answer.retryable or request.attempt >= patience.tries:
            table.failure = table.failure or _final(request, answer)
            return
        attempt = request.attempt + 1
        wait_s = wait_before(
            attempt, base_s=patience.base_s, cap_s=patience.cap_s, key=request.key, asked_s=answer.retry_after_s
        )
        self._notify(TurnRetried(request, answer.code, answer.message, wait_s))
        again = request.model_copy(update={"attempt": attempt})
        table.asked[request.key] = again
        self._loop.call_later(wait_s, table.mail.put, again)


def _measured(episode: Episode) -> tuple[dict[str, float | None], tuple[Segment, ...]]:
    """Return an episode's measures, and those of its segments."""
    return dict(episode.scores), episode.segments


def _drawn(prompts: Collection[Message]) -> list[bytes]:
    """Return the pictures that a game has drawn for these messages."""
    return [
        part.data for message in prompts for part in message.parts if isinstance(part, Image) and part.data is not None
    ]


def _final(request: TurnRequest, answer: TurnFailure) -> AgentError:
    """Say who failed for good, and after how many tries."""
    tries = f" after {request.attempt} tries" if request.attempt > 1 else ""
    named, colon, said = answer.message.partition(": ")
    if not colon or (named != request.agent and not request.agent.startswith(f"{named}@")):  # a model at a URL
        said = answer.message
    return AgentError(f"{request.agent}{tries}: {said}", code=answer.code, retryable=False)
