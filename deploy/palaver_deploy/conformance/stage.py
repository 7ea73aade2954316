"""The bus as a game master has it, for one agent under trial: asking, hearing what comes, and tidying up.

Which door the agent has come in by makes no difference here: answers come to our box, as they come to any game master,
and every door writes what it has told the agent to the agent's notes.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import ValidationError

from palaver_broker import Commit, Question, Subscription, answer_box
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.link import Link, briefly
from palaver_broker.redis.notices import tell
from palaver_broker.topics import episode_log, notes
from palaver_protocols.codec import encode
from palaver_protocols.errors import one_line
from palaver_protocols.messages import EpisodeStarted, SeatFiller, TurnFailure, TurnReply, TurnRequest
from palaver_protocols.strangers import LIMITS, Notice, RefusedError, vetted

from .pictures import Pictures
from .script import GAME
from .seen import Heard

__all__ = ["Stage", "open_stage"]

BLOCK_MS = 200
AFTER_REFUSAL_S = 1.0
"""How much longer an answer is waited for when one has been refused: there may be a second try."""
TRIES = 3
"""How often a question is asked whose agent says that asking again may help."""
LONGEST_PAUSE_S = 5.0
MOST_NOTICES = 10_000


@dataclass(slots=True)
class _Open:
    """A question without an answer."""

    request: TurnRequest
    since: float
    tries: int = 1
    refused: list[Notice] = field(default_factory=list)
    stray: list[Notice] = field(default_factory=list)
    failure: TurnFailure | None = None
    """What it said the last time, where it asked to be asked again."""

    def heard(self, answer: TurnReply | TurnFailure | None, after_s: float) -> Heard:
        """Say what has come of it."""
        return Heard(self.request, answer, after_s, tuple(self.refused), tuple(self.stray))


@dataclass(slots=True)
class Stage:
    """Where one agent is asked. Made by :func:`open_stage`.

    Args:
        broker: the bus.
        agent: who is asked: ``bus/NAME``.
        run_id: the run of all questions.
        timeout_s: how long an answer is waited for.
    """

    broker: RedisBroker
    agent: str
    run_id: str
    timeout_s: float
    notices: list[Notice] = field(default_factory=list)
    asked: list[TurnRequest] = field(default_factory=list)
    """Every question that was asked, as it was sent."""
    slowest_s: float = 0.0
    pictures: Pictures = field(init=False)
    _open: dict[str, _Open] = field(default_factory=dict)
    _heard: dict[str, Heard] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _refused_ours: int = 0
    """How many messages were refused that are, as far as can be seen, about what is open."""
    _late: set[str] = field(default_factory=set)
    """What was withdrawn since no answer had come, and nothing has been heard of since."""
    _late_heard: int = 0
    """Of how many of these something was heard after all."""
    _told: set[str] = field(default_factory=set)
    """What our own notices were about."""

    def __post_init__(self) -> None:
        self.pictures = Pictures(self.broker)

    async def ask(self, *requests: TurnRequest, more_s: float = 0.0, is_patient: bool = False) -> list[Heard]:
        """Ask questions at the same time; wait for their answers, ``more_s`` longer than usual.

        The time begins anew with each answer, since an agent may take one question after the other. What has no answer
        when it is over is withdrawn. With ``is_patient``, an agent that is there and says nothing is waited for once
        more: its answer may be later than it should be.
        """
        for request in requests:
            await self.put(request)
        await self._wait(more_s)
        if is_patient and await self._says_nothing_yet():
            await self._wait(more_s)
        loop = asyncio.get_running_loop()
        for each in list(self._open.values()):
            await self.broker.withdraw(each.request)
            self._late.add(each.request.key)
            self._close(each, each.heard(each.failure, loop.time() - each.since))
        return [self._heard.pop(request.key) for request in requests]

    async def put(self, request: TurnRequest) -> None:
        """Ask a question, as the first of its episode or a further one."""
        log = episode_log(request.run_id, request.episode_id)
        await self.broker.commit(Commit(log, 0, None, _opening(request)))
        self._late.discard(request.key)
        self._open[request.key] = _Open(request, asyncio.get_running_loop().time())
        self.asked.append(request)
        await self.broker.ask(Question(request, answer_box(self.run_id)))

    async def take_back(self, request: TurnRequest) -> None:
        """Withdraw a question; no answer of it is waited for."""
        self._open.pop(request.key, None)
        await self.broker.withdraw(request)

    async def forget(self, request: TurnRequest) -> None:
        """Forget an episode and its answers, so that the same question can be asked again."""
        await self.broker.drop(episode_log(request.run_id, request.episode_id))

    async def tell(self, notice: Notice) -> None:
        """Put a notice of our own among the agent's notes."""
        self._told.add(notice.key)
        await tell(self.broker.link, notice)

    async def tidy_up(self) -> None:
        """Take back what is open, and delete all that we have put on the bus; notices go by themselves."""
        link = self.broker.link
        for request in self.asked:
            await self.broker.withdraw(request)
        for log in {episode_log(request.run_id, request.episode_id) for request in self.asked}:
            await self.broker.drop(log)
        await link.call("UNLINK", link.prefix + answer_box(self.run_id), *self.pictures.keys)

    async def _wait(self, more_s: float) -> None:
        """Wait until nothing is open, or time is over."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.timeout_s + more_s
        while self._open:
            number, refused, late = len(self._open), self._refused_ours, self._late_heard
            self._news.clear()
            try:
                async with asyncio.timeout_at(until):
                    await self._news.wait()
            except TimeoutError:
                return
            if len(self._open) < number or self._late_heard > late:
                until = loop.time() + self.timeout_s + more_s
            elif self._refused_ours > refused:
                until = min(until, loop.time() + AFTER_REFUSAL_S)

    async def _hear(self, answers: Subscription) -> None:
        """Take answers as they come."""
        async for delivery in answers:
            await delivery.ack()
            each, answer = self._open.get(delivery.message.key), delivery.message
            if each is not None:
                await self._take(each, answer)
                self._news.set()

    async def _take(self, each: _Open, answer: TurnReply | TurnFailure) -> None:
        after_s = asyncio.get_running_loop().time() - each.since
        # Who has had no time for it will have none the next time, and we no time to ask.
        if isinstance(answer, TurnFailure) and answer.retryable and each.tries < TRIES and answer.code != "timeout":
            each.failure = _in_short(answer)
            await asyncio.sleep(min(answer.retry_after_s or 0.1, LONGEST_PAUSE_S, self.timeout_s))
            if each.request.key not in self._open:
                return  # its time is over
            each.tries += 1
            request = each.request.model_copy(update={"attempt": each.tries})
            await self.broker.ask(Question(request, answer_box(self.run_id)))
            return
        self.slowest_s = max(self.slowest_s, after_s)
        try:  # not all doors look at what they let in: that of our own services is for friends
            if len(encode(answer)) > LIMITS.message_bytes:
                raise RefusedError("too_large", f"more than {LIMITS.message_bytes:,} bytes", answer.key)
            self._close(each, each.heard(vetted(answer, each.request, after_s), after_s))
        except RefusedError as error:
            each.refused.append(error.notice(self.agent))
            self._close(each, each.heard(None, after_s))

    def _close(self, each: _Open, heard: Heard) -> None:
        if self._open.pop(each.request.key, None) is not None:  # else it was closed while we were about to
            self._heard[each.request.key] = heard

    async def read_notes(self, link: Link, since: str) -> None:
        """Read what the agent is told, from the entry after ``since``, over a connection of our own."""
        stream, last = link.prefix + notes(self.agent), since
        while True:
            read = await link.call("XREAD", "BLOCK", BLOCK_MS, "STREAMS", stream, last)
            for _, entries in read or ():
                for id_, fields in entries:
                    last = id_.decode()
                    self._note(dict(zip(fields[::2], fields[1::2], strict=True)).get(b"m", b""))

    def _note(self, raw: bytes) -> None:
        try:
            notice = Notice.model_validate_json(raw)
        except ValidationError:
            return  # a note of a newer version, to the agent and not to us
        if len(self.notices) == MOST_NOTICES:
            return  # a flood is its sender's own: what is known of it by now will do
        self.notices.append(notice)
        if notice.code == "cancelled" or notice.key in self._told:
            return
        if notice.key in self._closed:
            for each in self._open.values():
                each.stray.append(notice)
            if notice.key in self._late:  # it is there, and busy with something else than what is open
                self._late.remove(notice.key)
                self._late_heard += 1
                self._news.set()
            return
        if notice.code != "refused" or notice.message.startswith("agent.hello"):
            return
        # Where it names none of our questions, it may be about any of them, or about another game.
        for each in [self._open[notice.key]] if notice.key in self._open else self._open.values():
            each.refused.append(notice)
        self._refused_ours += notice.key in self._open or not notice.key
        self._news.set()

    @property
    def _closed(self) -> set[str]:
        """The keys of questions that are open no more: what is said of them is late, and does no harm."""
        return {request.key for request in self.asked} - set(self._open)

    async def _says_nothing_yet(self) -> bool:
        """Whether the agent is there, and nothing at all has come of what is open."""
        if not self._open or any(each.refused or each.stray or each.failure for each in self._open.values()):
            return False
        members = await Board(self.broker.link).members()
        return any((member.kind, member.name) == ("agent", self.agent) for member in members)


def _in_short(failure: TurnFailure) -> TurnFailure:
    return failure.model_copy(update={"code": one_line(failure.code, 40), "message": one_line(failure.message, 500)})


def _opening(request: TurnRequest) -> EpisodeStarted:
    return EpisodeStarted(
        key=f"{request.run_id}/{request.episode_id}",
        run_id=request.run_id,
        episode_id=request.episode_id,
        game=GAME,
        variant=request.variant,
        instance_id=request.episode_id,
        instance=None,
        seats={request.seat: (SeatFiller(agent=request.agent),)},
        at=datetime.now(UTC),
    )


@asynccontextmanager
async def open_stage(
    broker: RedisBroker, url: str, agent: str, *, timeout_s: float, patience_s: float
) -> AsyncIterator[Stage]:
    """Set the stage for an agent, until the context is left; then nothing of it stays on the bus.

    Args:
        broker: the bus.
        url: where it is: notes are read on a connection of their own.
        agent: ``bus/NAME``.
        timeout_s: how long an answer is waited for, in seconds.
        patience_s: how long a bus is waited for that cannot be reached, in seconds.

    Raises:
        BrokerError: the bus failed.
    """
    stage = Stage(broker, agent, f"check-{secrets.token_hex(6)}", timeout_s)
    last = await broker.link.call("XREVRANGE", broker.link.prefix + notes(agent), "+", "-", "COUNT", 1)
    try:
        async with (
            Link(url, name="palaver-check-notes", patience_s=patience_s) as link,
            broker.subscribe(answer_box(stage.run_id), "gamemasters", consumer=stage.run_id) as answers,
            asyncio.TaskGroup() as tasks,
        ):
            helpers = [
                tasks.create_task(stage._hear(answers), name="answers"),
                tasks.create_task(stage.read_notes(link, last[0][0].decode() if last else "0-0"), name="notes"),
            ]
            try:
                yield stage
            finally:
                for helper in helpers:
                    helper.cancel()
    finally:
        async with briefly():
            await stage.tidy_up()
