"""Any A2A 1.x server as an agent: its card is read once, and each turn is one message in a fresh context."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from typing import cast

from a2a.client import Client, ClientCallContext
from a2a.client.service_parameters import ServiceParametersFactory, with_a2a_extensions
from a2a.types import CancelTaskRequest, GetTaskRequest, Message, SendMessageRequest, StreamResponse, Task
from a2a.utils.errors import A2AError

from palaver_broker import BlobStore
from palaver_protocols.content import Image
from palaver_protocols.errors import AgentError, BrokerError
from palaver_protocols.messages import TurnRequest

from ..model import Completion, Model
from .answers import PROVIDER, completion, is_settled, told
from .card import Server, read_card, server_of
from .extension import EXTENSION
from .failures import SDK_ERRORS, our_errors
from .web import allowed_origins, open_web, timeout, token_for
from .writing import question

__all__ = ["A2AModel"]

FIRST_LOOK_S, NEXT_LOOK, LAST_LOOK_S = 0.1, 1.5, 5.0
"""How soon we look again how a task stands: at first, how much later each time, and at the latest."""
LOOKS = 3
"""How often in a row we look in vain before we give a task up: to ask anew would be to pay anew."""
WITHDRAW_S = 2.0
"""How long the end of a turn that is over may wait for the server to hear of it."""


class A2AModel(Model):
    """A server that speaks A2A.

    Args:
        url: where its card is, below the URL.
        blobs: where pictures are.
        environ: the environment: ``A2A_TOKEN`` and ``A2A_ORIGINS``.

    Raises:
        UsageError: the environment holds what makes no sense.
    """

    provider = PROVIDER

    def __init__(self, url: str, blobs: BlobStore, environ: Mapping[str, str]) -> None:
        self._url = url
        self._blobs = blobs
        self._token = token_for(url, environ)
        self._origins = allowed_origins(url, environ)
        self._web = open_web(self._token, url)
        self._server: Server | None = None
        self._reading = asyncio.Lock()

    async def complete(self, request: TurnRequest) -> Completion:
        """Ask the server; see :meth:`palaver_agents.model.Model.complete`."""
        try:
            async with asyncio.timeout(request.timeout_s):
                server = await self._met(request.timeout_s)
                asked = await question(request, server, self._picture)
                return completion(await self._ask(server, asked, request.timeout_s), server, request)
        except TimeoutError as error:
            raise AgentError(
                f"no answer from {self._url} within {request.timeout_s:g} s", code="timeout", retryable=True
            ) from error

    async def aclose(self) -> None:
        """Close the connections."""
        await self._web.aclose()

    async def _met(self, timeout_s: float) -> Server:
        """Return the server; read its card if that was not done, or has led to nothing since."""
        async with self._reading:
            if self._server is None:
                with our_errors(self._url, self._token, timeout_s):
                    card = await read_card(self._web, self._url, timeout(timeout_s))
                    self._server = server_of(
                        card, self._web, self._url, origins=self._origins, has_token=self._token is not None
                    )
            return self._server

    async def _ask(self, server: Server, asked: SendMessageRequest, timeout_s: float) -> Task | Message:
        """Send a message, and wait until there is an answer to it. What nobody waits for any more is withdrawn."""
        headers = [with_a2a_extensions([EXTENSION])] if server.knows_us else []
        context = ClientCallContext(
            timeout=timeout_s, service_parameters=ServiceParametersFactory.create(headers)
        )  # for each byte; the whole turn has a limit of its own
        work = _Work(server.client, context)
        try:
            with our_errors(self._url, self._token, timeout_s):
                return await work.answer(asked)
        except BaseException as error:
            if isinstance(error, AgentError):
                self._server = None  # it may have been started anew, and be another by now
            await work.withdraw()
            raise

    async def _picture(self, image: Image) -> bytes:
        try:
            return image.data if image.data is not None else await self._blobs.get(image.sha256)
        except BrokerError as error:
            raise AgentError(f"a picture cannot be had: {error}", code="no_picture", retryable=True) from error


class _Work:
    """A message that was sent, and the task that the server makes of it, if it does."""

    def __init__(self, client: Client, context: ClientCallContext) -> None:
        self._client = client
        self._context = context
        self._task = Task()

    async def answer(self, asked: SendMessageRequest) -> Task | Message:
        try:
            said = await self._listen(asked)
        except SDK_ERRORS as error:
            if not self._task.id or not _is_the_way(error):
                raise
            said = None  # a stream that breaks ends no task: we can still ask how it stands
        return said if said is not None else await self._end()

    async def _end(self) -> Task:
        """Look now and then how the task stands, until it has ended."""
        wait_s, failed = FIRST_LOOK_S, 0
        while not is_settled(self._task):
            await asyncio.sleep(wait_s)
            wait_s = min(wait_s * NEXT_LOOK, LAST_LOOK_S)
            look = GetTaskRequest(id=self._task.id, history_length=0)
            try:
                self._task = await self._client.get_task(look, context=self._context)
                failed = 0
            except SDK_ERRORS as error:
                failed += 1
                if failed == LOOKS or not _is_the_way(error):
                    raise
        return self._task

    async def _listen(self, asked: SendMessageRequest) -> Message | None:
        """Send the message, and follow what comes as long as it comes; return it if it is a message."""
        said = self._client.send_message(asked, context=self._context)
        async with aclosing(cast("AsyncGenerator[StreamResponse]", said)) as events:  # which they are
            async for event in events:
                if event.HasField("message"):
                    return event.message
                self._task = told(self._task, event)
                if is_settled(self._task):
                    break
        if not self._task.id:
            raise ValueError("neither a task nor a message")
        return None

    async def withdraw(self) -> None:
        """Ask the server to stop, if it has something to stop; it may have its own will."""
        if self._task.id and not is_settled(self._task):
            with suppress(TimeoutError, AgentError, *SDK_ERRORS):
                async with asyncio.timeout(WITHDRAW_S):
                    await self._client.cancel_task(CancelTaskRequest(id=self._task.id), context=self._context)


def _is_the_way(error: Exception) -> bool:
    """Whether it is the way to the server that has failed, and not the server that says no."""
    return not isinstance(error, A2AError) or error.__cause__ is not None
