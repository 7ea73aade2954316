"""Any Python callable is an agent: what it is given, how it is called, and what it may return.

    def reply(turn: Turn) -> str:
        return my_model(turn.text)

``palaver serve agent --python my_module:reply`` seats it as ``bus/my-module``. It may be ``async``; one that is not is
called in a thread of its own, so that it keeps nobody else waiting. It keeps no state that a turn depends on: a turn
has all that its seat may see, and may go to any replica. :mod:`palaver_agents.loading` finds it by its name.
"""

import asyncio
import inspect
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, NamedTuple

import structlog
from pydantic import ValidationError

from palaver_broker import BlobStore
from palaver_protocols.content import Image, Part, Text
from palaver_protocols.errors import AgentError, BrokerError, first_problem, one_line
from palaver_protocols.messages import ECHOED, TurnReply, TurnRequest, make_reply
from palaver_protocols.quirks import OPENAI, STRICT, Quirks
from palaver_protocols.roles import ChatMessage, render, unlabelled
from palaver_protocols.strangers import LIMITS, RefusedError, vetted
from palaver_protocols.transcript import ENVIRONMENT, IN_WORDS, Message

from .model import Completion, Model

__all__ = ["CallableModel", "Reply", "Turn"]

Reply = Callable[["Turn"], Any]
"""A function of a turn; it returns a ``str`` or a :class:`~palaver_agents.model.Completion`, or an awaitable of one."""

UNSEEN = "[picture]"
"""Stands where a picture is that comes without words."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of one seat: all that it may see, in whichever shape is handy.

    ``request`` is the whole question: game, seat, view, sampling, ``answer_schema``, ``timeout_s`` and more. What is
    seen in pictures is at hand as bytes (:meth:`picture`); in text it is in words, where the game has words for it.
    """

    request: TurnRequest
    _pictures: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The pictures of the view, encoded, by their SHA-256."""

    @property
    def text(self) -> str:
        """All that the seat sees as one text: the task, then a line for each who spoke, then whose turn it is."""
        # A script names its speakers, which helps also a seat that plays alone.
        partners = self.request.partners or (ENVIRONMENT,)
        script = render(_in_words(self.request), seat=self.request.seat, partners=partners, **_SCRIPT)
        return "\n\n".join(part.text for message in script for part in message.parts if isinstance(part, Text))

    @property
    def chat(self) -> list[dict[str, str]]:
        """The dialogue as chat messages of plain text: ``{"role": ..., "content": ...}``.

        The first may be the system's; then user and assistant take turns. By the role protocol that the run asks for.
        """
        messages = self._chat(_in_words(self.request), Quirks())
        return [{"role": message.role, "content": _joined(message)} for message in messages]

    @property
    def openai_chat(self) -> list[dict[str, Any]]:
        """The dialogue as ``messages`` of OpenAI's chat completions, pictures as data URLs."""
        messages = self._chat(self.request.view, OPENAI)
        return [{"role": message.role, "content": self._content(message.parts)} for message in messages]

    @property
    def pictures(self) -> tuple[Image, ...]:
        """The pictures that the seat sees, in order."""
        return tuple(part for message in self.request.view for part in message.parts if isinstance(part, Image))

    def picture(self, image: Image) -> bytes:
        """Return the bytes of a picture of this turn: PNG, JPEG, GIF or WebP, as its ``media_type`` says.

        Raises:
            AgentError: this turn shows no such picture.
        """
        data = image.data if image.data is not None else self._pictures.get(image.sha256)
        if data is None:
            raise AgentError(f"this turn shows no picture {image.sha256}", code="bug", retryable=False)
        return data

    def data_url(self, image: Image) -> str:
        """Return a picture of this turn as ``data:image/png;base64,...``."""
        return f"data:{image.media_type};base64,{b64encode(self.picture(image)).decode()}"

    def _chat(self, view: tuple[Message, ...], quirks: Quirks) -> tuple[ChatMessage, ...]:
        asked = self.request
        return render(view, seat=asked.seat, partners=asked.partners, protocol=asked.protocol, quirks=quirks)

    def _content(self, parts: tuple[Part, ...]) -> str | list[dict[str, Any]]:
        match parts:
            case (Text(text=text),):
                return text
        return [
            {"type": "text", "text": part.text}
            if isinstance(part, Text)
            else {"type": "image_url", "image_url": {"url": self.data_url(part)}}
            for part in parts
        ]


_SCRIPT: Mapping[str, Any] = {"protocol": "transcript", "quirks": STRICT}
"""How a view becomes one user message."""


def _in_words(request: TurnRequest) -> tuple[Message, ...]:
    """Return a request's view without pictures: what they show instead, or a word that there is one."""
    return tuple(
        message.model_copy(update={"parts": tuple(map(_word, message.parts)), "apart": False})
        if any(isinstance(part, Image) for part in message.parts)
        else message
        for message in request.view
    )


def _word(part: Part) -> Part:
    if isinstance(part, Text):
        return part
    return Text(text=UNSEEN if part.alt is None else f"{IN_WORDS}\n{part.alt}")


def _joined(message: ChatMessage) -> str:
    return "\n\n".join(part.text for part in message.parts if isinstance(part, Text))


class _Outcome(NamedTuple):
    """What a call in a thread came to."""

    value: Any
    error: BaseException | None


class CallableModel(Model):
    """Answers turns by calling a function.

    Args:
        name: what records call the model, such as ``my_module:reply``.
        reply: the function.
        blobs: where the pictures are that views refer to.
        threads: how many calls of a function that is not ``async`` may run at a time. One that has been given up, but
            has not returned, counts.
    """

    provider = "python"

    def __init__(self, name: str, reply: Reply, blobs: BlobStore, *, threads: int = 64) -> None:
        self._name = name
        self._reply = reply
        self._is_async = inspect.iscoroutinefunction(reply) or inspect.iscoroutinefunction(
            getattr(reply, "__call__", None)  # noqa: B004 - whether it is callable is not the question
        )
        self._blobs = blobs
        self._threads = asyncio.Semaphore(threads)

    async def complete(self, request: TurnRequest) -> Completion:
        """Call the function with the turn.

        Raises:
            AgentError: it raised one; it gave up (``timeout``); it returned what is no answer (``bug``); or a picture
                cannot be had (``no_picture``).
            Exception: whatever else it raised.
        """
        return self._completion(await self._call(Turn(request, await self._shown(request))), request)

    async def aclose(self) -> None:
        """Nothing to release: threads that are still busy end with the process."""

    async def _shown(self, request: TurnRequest) -> dict[str, bytes]:
        """Fetch the pictures of a view: then all shapes of a turn are plain values, whoever asks for them, anywhere."""
        wanted = {image.sha256 for image in Turn(request).pictures if image.data is None}
        try:
            found = await asyncio.gather(*(self._blobs.get(sha256) for sha256 in wanted))
        except BrokerError as error:
            raise AgentError(f"a picture cannot be had: {error}", code="no_picture", retryable=True) from error
        return dict(zip(wanted, found, strict=True))

    async def _call(self, turn: Turn) -> Any:
        """Call the function; whatever it raises is an exception that ends this turn, and no more than that."""
        try:
            said = self._reply(turn) if self._is_async else await self._in_thread(turn)
            return await said if inspect.isawaitable(said) else said
        except TimeoutError as error:  # the function's own: who gives it up cancels us
            said = f"{self._name} raised {type(error).__name__}: {error}"
            raise AgentError(said, code="timeout", retryable=True) from error
        except SystemExit as error:
            raise RuntimeError(f"it tried to end the process (exit code {error.code})") from error
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and not task.cancelling():  # nobody has cancelled us: something of its own was
                raise RuntimeError("something that it waited for was cancelled") from error
            raise

    async def _in_thread(self, turn: Turn) -> Any:
        """Call the function in a thread.

        No executor's: whoever waits for those at the end of the process would wait for a call that never returns.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_Outcome] = loop.create_future()
        context = copy_context()

        def work() -> None:
            try:
                outcome = _Outcome(context.run(self._reply, turn), None)
            except BaseException as error:  # it is raised where the call is waited for
                outcome = _Outcome(None, error)
            with suppress(RuntimeError):  # the loop has been closed: nobody waits any more
                loop.call_soon_threadsafe(returned, outcome)

        def returned(outcome: _Outcome) -> None:
            self._threads.release()
            if not done.done():
                done.set_result(outcome)

        await self._threads.acquire()
        try:
            Thread(target=work, name=f"{self._name} {turn.request.key}", daemon=True).start()
        except BaseException:
            self._threads.release()
            raise
        try:
            value, error = await done
        except asyncio.CancelledError:
            structlog.get_logger().warning("a call was given up and still runs", agent=turn.request.agent)
            raise
        if error is not None:
            raise error
        return value

    def _completion(self, said: Any, request: TurnRequest) -> Completion:
        """Check what the function returned as strictly as what strangers say."""
        if isinstance(said, str):
            completion = Completion(({"type": "text", "text": said},))  # type: ignore[arg-type] # validated below
        elif isinstance(said, Completion):
            completion = said
        else:
            raise AgentError(
                f"{self._name} returned {type(said).__name__}",
                code="bug",
                retryable=False,
                mend="return a str or a palaver_agents.Completion",
            )
        try:
            reply = _as_reply(completion, request)
            vetted(reply, request, 0.0)
            size = len(reply.text.encode())
        except (ValidationError, RefusedError, UnicodeEncodeError) as error:
            raise self._no_answer(_problem(error)) from error
        if size > LIMITS.message_bytes:
            raise self._no_answer(f"{size:,} bytes of text, and {LIMITS.message_bytes:,} are allowed")
        return completion._replace(
            parts=_unlabelled(reply.parts, request),
            provider=one_line(reply.provider, 200) or self.provider,
            model=one_line(reply.model, 200) or self._name,
            usage=reply.usage,
            sent=one_line(reply.sent, 64) if reply.sent else None,
        )

    def _no_answer(self, problem: str) -> AgentError:
        return AgentError(f"{self._name} returned no answer: {problem}", code="bug", retryable=False)


def _problem(error: ValidationError | RefusedError | UnicodeEncodeError) -> str:
    match error:
        case ValidationError():
            return first_problem(error)
        case RefusedError():
            return error.message
    return f"its text is no Unicode ({error.reason})"


def _as_reply(completion: Completion, request: TurnRequest) -> TurnReply:
    said = completion._asdict()
    if completion.latency_s is None:  # the service measures it
        del said["latency_s"]
    return make_reply({**{name: getattr(request, name) for name in ECHOED}, **said})


def _unlabelled(parts: tuple[Part, ...], request: TurnRequest) -> tuple[Part, ...]:
    """Take off the label of its own line, as is done with what models say."""
    if not request.partners or not parts or not isinstance(first := parts[0], Text):
        return parts
    return (Text(text=unlabelled(first.text, request.seat, request.protocol)), *parts[1:])
