"""A seat of a running game behind A2A: the question is what a task waits for, and the next message is the answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Part

from palaver_broker.desk import Desk, OpenQuestion
from palaver_protocols.codec import encode
from palaver_protocols.content import Image
from palaver_protocols.errors import BrokerError, ProtocolError, one_line
from palaver_protocols.messages import ECHOED, TurnReply
from palaver_protocols.quirks import OPENAI
from palaver_protocols.roles import chat_of

from .app import Admit, token_in
from .extension import EXTENSION
from .reading import read_text
from .serving import begin, updater_of
from .writing import parts_of, text_part, told_apart, whole

__all__ = ["SeatExecutor"]

HELD_S = 30.0
"""After how long a question may be given to another task too: whoever has it may have gone. One answer counts."""
LOOK_S = 1.0
"""How often we look whether a question is held no more."""
MENDABLE = frozenset({"too_large", "not_text", "too_fast", "malformed"})
"""Refusals after which the same question is asked again."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A question that a task waits with; ``since`` is event loop time."""

    question: OpenQuestion
    since: float


class SeatExecutor(AgentExecutor):
    """Hands the questions of a desk to A2A clients, one a task at a time.

    Args:
        fetch: how the bytes of a picture are had.
        idle_s: seconds after which a task ends that has waited for a question in vain.
        admit: who is shown questions: looked at again before each, since a client may be turned out while it waits.
    """

    def __init__(self, fetch: Callable[[Image], Awaitable[bytes]], idle_s: float, admit: Admit) -> None:
        self._fetch = fetch
        self._admit = admit
        self._idle_s = idle_s
        self._held: dict[str, _Held] = {}
        self._waiting = 0
        self._news = asyncio.Event()
        self._heard: float | None = None
        self._draining = False
        self.desk: Desk | None = None

    def arrived(self, _: OpenQuestion) -> None:
        """Hear of a question."""
        self._news.set()

    def drain(self) -> None:
        """Let nobody wait any longer: the server is about to end."""
        self._draining = True
        self._news.set()

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits here: a client waits for a question, or has said something lately."""
        now = asyncio.get_running_loop().time()
        return self._waiting > 0 or (self._heard is not None and now - self._heard < max(self._idle_s, HELD_S))

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Take a message: the answer to what its task waits for, or a greeting; then ask the next question."""
        assert context.message is not None
        assert context.task_id is not None
        self._heard = asyncio.get_running_loop().time()
        updater = await begin(context, event_queue)
        remark = ""
        if (held := self._held.pop(context.task_id, None)) is not None:
            again, remark = await self._hear(held.question, context.message)
            if again:
                await self._put(updater, held.question, remark, context)
                return
        question = await self._next(context.task_id)
        if not await self._admit(token_in(context.call_context.state["headers"])):
            self._give_back(context.task_id)
            await updater.reject(updater.new_agent_message([text_part("your token opens nothing here any more")]))
        elif question is None:
            why = "this server is about to end" if self._draining else f"no question within {self._idle_s:g} s"
            said = f"{why}; send a message to wait for the next"
            await updater.complete(updater.new_agent_message([text_part(f"{remark} {said}".strip())]))
        else:
            await self._put(updater, question, remark, context)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Give the question back: another task may have it."""
        assert context.task_id is not None
        self._give_back(context.task_id)
        await updater_of(context, event_queue).cancel()

    def _hold(self, task_id: str, question: OpenQuestion) -> None:
        self._held[task_id] = _Held(question, asyncio.get_running_loop().time())

    def _give_back(self, task_id: str) -> None:
        self._held.pop(task_id, None)
        self._news.set()

    async def _hear(self, question: OpenQuestion, message: Message) -> tuple[bool, str]:
        """Take an answer; return whether to ask the same again, and what to say about it."""
        assert self.desk is not None
        request = question.request
        try:
            text = read_text(message)
        except ProtocolError as error:
            return True, f"Your answer was refused: {error}."
        reply = TurnReply.model_validate(
            {
                **request.model_dump(include=set(ECHOED)),
                "parts": [{"type": "text", "text": text}],
                "provider": "a2a",
            }
        )
        try:
            notice = await self.desk.hear(encode(reply))
        except BrokerError:
            return True, "Your answer could not be delivered; say it again."
        if notice.type == "agent.hello" or notice.code in ("accepted", "duplicate"):
            return False, ""
        refused = f"Your answer was refused: {one_line(notice.message)}."
        return notice.reason in MENDABLE, refused

    async def _next(self, task_id: str) -> OpenQuestion | None:
        """Wait for a question that nobody has, and give it to a task."""
        until = asyncio.get_running_loop().time() + self._idle_s
        self._waiting += 1
        try:
            while (question := self._free()) is None:
                left_s = until - asyncio.get_running_loop().time()
                if left_s <= 0 or self._draining:
                    return None
                self._news.clear()
                try:
                    async with asyncio.timeout(min(left_s, LOOK_S)):
                        await self._news.wait()
                except TimeoutError:
                    continue
            self._hold(task_id, question)
            return question
        finally:
            self._waiting -= 1

    def _free(self) -> OpenQuestion | None:
        """Return the oldest question that no task has, or that one has had for long without a word."""
        assert self.desk is not None
        now = asyncio.get_running_loop().time()
        self._held = {task: held for task, held in self._held.items() if held.question.key in self.desk}
        fresh = {held.question.key for held in self._held.values() if now - held.since < HELD_S}
        return next((question for question in self.desk if question.key not in fresh), None)

    async def _put(self, updater: TaskUpdater, question: OpenQuestion, remark: str, context: RequestContext) -> None:
        """Ask a question, after what there is to be said about the last answer; whole, if the client knows us."""
        self._hold(updater.task_id, question)
        parts: list[Part] = [text_part(remark)] if remark else []
        try:
            parts += await parts_of(told_apart(chat_of(question.request, OPENAI)), self._fetch)
        except BrokerError as error:
            parts.append(text_part(f"A picture cannot be had: {one_line(str(error))}"))
        if EXTENSION in context.requested_extensions:
            parts.append(whole(question.request))
        await updater.requires_input(updater.new_agent_message(parts))
