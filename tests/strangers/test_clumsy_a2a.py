"""A2A servers that misbehave: their own game ends as the rules say, and those of others as ever."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers.response_helpers import agent_card_to_dict
from a2a.server.tasks import TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentExtension,
    Message,
    Part,
    Role,
    Task,
    TaskState,
    TaskStatus,
)
from aiohttp import web

from palaver_agents.a2a import open_a2a
from palaver_agents.a2a.extension import EXTENSION
from palaver_broker.memory import MemoryBroker
from palaver_gamemasters.table import Patience
from palaver_protocols.codec import decode
from palaver_protocols.messages import TurnRequest
from tests.agents.a2a.sdk_server import a_card, answer, pages, sdk_server
from tests.redis_server import free_port
from tests.strangers.beside import play_beside, undisturbed
from tests.strangers.conduct import CALM, FLOOD, FORGIVING, GIVEN_UP, Scene, player
from tests.toys import serving

BOUND_S = 30.0
BACK_SOON = Patience(timeout_s=30.0, tries=100, base_s=0.02, cap_s=0.1)
QUESTION = "application/vnd.palaver.turn-request+json"


def question(message: Message) -> TurnRequest:
    (whole,) = (part.data.string_value for part in message.parts if part.media_type == QUESTION)
    request: TurnRequest = decode(whole)
    return request


def card(url: str) -> AgentCard:
    """Describe a server that wants whole questions."""
    return a_card(url, capabilities=AgentCapabilities(streaming=True, extensions=[AgentExtension(uri=EXTENSION)]))


@dataclass
class Turn:
    """A question that has come to a server, and what it can do about it."""

    request: TurnRequest
    number: int
    """Of all that have come to it, from 0 on."""
    scene: Scene
    updater: TaskUpdater
    context: RequestContext
    queue: EventQueue
    down: asyncio.Event
    """Set it to have the server started anew."""

    async def say(self, text: str | None = None, **more: Any) -> None:
        said = player(self.request) if text is None else text
        await self.queue.enqueue_event(answer([Part(text=said)], self.context, **more))


Conduct = Callable[[Turn], Awaitable[None]]


async def silent(turn: Turn) -> None:
    await turn.scene.over.wait()


async def late(turn: Turn) -> None:
    await turn.scene.over.wait()
    await turn.say()


async def slow(turn: Turn) -> None:
    if turn.number == 0:
        await turn.scene.asked_again.wait()
    await turn.say()


async def crashing(turn: Turn) -> None:
    if turn.number < 2:
        turn.down.set()
        await asyncio.Event().wait()
    await turn.say()


async def raising(turn: Turn) -> None:
    if turn.number < 2:
        raise RuntimeError("I have no idea\x1b[2J")
    await turn.say()


async def flooding(turn: Turn) -> None:
    status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
    await turn.queue.enqueue_event(Task(id=turn.context.task_id, context_id=turn.context.context_id, status=status))
    thinking = Message(message_id="m", role=Role.ROLE_AGENT, parts=[Part(text="I am still thinking. " * 20)])
    for _ in range(FLOOD):
        await turn.updater.start_work(thinking)
    await turn.scene.over.wait()


async def out_of_turn(turn: Turn) -> None:
    """Answer under the names of another's question. They count for nothing: what answers a call is its answer."""
    said = Message(message_id="m", role=Role.ROLE_AGENT, parts=[Part(text=player(turn.request))])
    said.context_id, said.task_id = "of-another", "of-another"
    await turn.queue.enqueue_event(said)


async def giant(turn: Turn) -> None:
    await turn.say("x" * (2 << 20) if turn.number == 0 else None)


async def twice(turn: Turn) -> None:
    await turn.say()
    await turn.say("I have changed my mind.")


@asynccontextmanager
async def served(conduct: Conduct, scene: Scene) -> AsyncIterator[str]:
    """Serve by the SDK, again and again at the same address; yield it."""
    port, down, up, count = free_port(), asyncio.Event(), asyncio.Event(), iter(range(1_000_000))

    async def behave(updater: TaskUpdater, context: RequestContext, queue: EventQueue) -> None:
        scene.begun.set()
        assert context.message is not None
        await conduct(Turn(question(context.message), next(count), scene, updater, context, queue, down))

    async def run() -> None:
        while True:
            async with sdk_server(behave, port=port, card=card):
                up.set()
                await down.wait()
                down.clear()

    running = asyncio.create_task(run())
    try:
        await up.wait()
        yield f"http://127.0.0.1:{port}"
    finally:
        running.cancel()
        await asyncio.wait({running})


async def tried(url: str, scene: Scene, patience: Patience) -> tuple[str, str, bool]:
    """Play beside others; return the outcome, its reason, and whether all was said that was to be said."""
    agent = f"a2a/{url}"
    async with MemoryBroker() as broker:
        async with open_a2a(url, broker.blobs, {}) as model, serving(broker, agent, model):
            end, told = await play_beside(broker, agent, scene, patience)
    whole = undisturbed(0)
    assert told in (whole, whole[:1])
    assert not end.error or end.error.startswith(agent)
    return end.outcome, (end.error or "").removeprefix(agent), told == whole


@pytest.mark.usefixtures("quickly")
@pytest.mark.parametrize(
    ("conduct", "patience", "why"),
    [
        (silent, GIVEN_UP, " after 2 tries: no answer from {url} within 0.2 s"),
        (late, GIVEN_UP, " after 2 tries: no answer from {url} within 0.2 s"),
        (flooding, GIVEN_UP, " after 2 tries: no answer from {url} within 0.2 s"),
        (giant, CALM, ": {url} answers with more than 1,048,576 bytes; the rest was not read"),
        (slow, FORGIVING, ""),
        (crashing, BACK_SOON, ""),
        (raising, CALM, ""),
        (twice, CALM, ""),
        (out_of_turn, CALM, ""),
    ],
)
async def test_a_clumsy_server_spoils_its_own_game_at_most(conduct: Conduct, patience: Patience, why: str) -> None:
    scene = Scene()
    async with asyncio.timeout(BOUND_S), served(conduct, scene) as url:
        outcome, said, whole = await tried(url, scene, patience)
    assert (outcome, said, whole) == ("error" if why else "solved", why.format(url=url), not why)


REJECTED = {"id": "of-another", "contextId": "of-another", "status": {"state": "TASK_STATE_REJECTED"}}


def as_json(body: bytes) -> web.Response:
    return web.Response(body=body, content_type="application/json")


def rpc(result: dict[str, Any], id_: Any) -> web.Response:
    return web.json_response({"jsonrpc": "2.0", "id": id_, "result": result})


@pytest.mark.usefixtures("quickly")
@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (
            lambda asked: web.Response(body=b"what?", content_type="application/json"),
            " after 5 tries: {url} answers: JSON",
        ),
        (
            lambda asked: web.Response(body=b"[" * 100_000, content_type="application/json"),
            " after 5 tries: {url} answers what",
        ),
        (lambda asked: rpc({"message": {"parts": "ACTI!"}}, asked["id"]), " after 5 tries: {url} answers what"),
        (lambda asked: rpc({"task": REJECTED}, asked["id"]), ": it rejects the question"),
    ],
    ids=["not json", "deep", "wrong schema", "the task of another"],
)
async def test_what_no_server_says_ends_its_own_game_at_most(reply: Callable[[Any], web.Response], why: str) -> None:
    scene = Scene()

    async def ask(request: web.Request) -> web.Response:
        scene.begun.set()
        return reply(await request.json())

    async def show(request: web.Request) -> web.Response:
        url = f"http://{request.host}/"
        return web.json_response(agent_card_to_dict(a_card(url, streaming=False)))

    async with asyncio.timeout(BOUND_S), pages(card=show, rpc=ask) as url:
        outcome, said, _ = await tried(url, scene, CALM)
    assert outcome == "error"
    assert said.startswith(why.format(url=url))
    assert said.isprintable()
