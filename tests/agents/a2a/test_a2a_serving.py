"""An agent of ours behind A2A: what clients may send, what becomes of it, and who is let in."""

import asyncio
import json
import socket
import struct
import zlib
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from a2a.server.context import ServerCallContext
from a2a.types import Task

from palaver_agents import Completion, Model
from palaver_agents.a2a import open_a2a
from palaver_agents.a2a.app import application, card_of, only_with
from palaver_agents.a2a.extension import DATA_TYPE
from palaver_agents.a2a.reading import BODY_BYTES, MESSAGE_BYTES, PICTURE_BYTES
from palaver_agents.a2a.serving import FewTasks, ModelExecutor
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.codec import encode
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnRequest, Usage
from palaver_protocols.transcript import Message
from tests.agents.a2a.sdk_server import a_picture, up
from tests.support import a_request, until
from tests.toys import ToyModel

TOKEN = "a-token-that-nobody-guesses"
Part = dict[str, Any]


@asynccontextmanager
async def served(model: Model, *, token: str | None = None, concurrency: int = 4) -> AsyncIterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        card = card_of("echo", "says it", url, guarded=token is not None)
        app = application(ModelExecutor(model, "echo", concurrency), card, only_with(token) if token else None)
        async with up(app, listener, lifespan=True):
            yield url


async def send(url: str, *parts: Part, stay: bool = True, **headers: str) -> dict[str, Any]:
    """Send a message as any client would; return the task that it became."""
    said = {
        "message": {"messageId": "m1", "role": "ROLE_USER", "parts": list(parts)},
        "configuration": {"returnImmediately": not stay},
    }
    async with httpx.AsyncClient(timeout=20) as web:
        page = await web.post(f"{url}/message:send", json=said, headers={"A2A-Version": "1.0", **headers})
    assert page.status_code == 200, page.text
    task: dict[str, Any] = page.json()["task"]
    return task


def ended(task: dict[str, Any]) -> tuple[str, str]:
    """Return a task's state, and what it says of it."""
    status = task["status"]
    said = [part["text"] for part in status.get("message", {}).get("parts", ())]
    assert not any("\n" in line for line in said)
    return status["state"].removeprefix("TASK_STATE_").lower(), " ".join(said)


def raw(data: bytes) -> Part:
    return {"raw": b64encode(data).decode(), "mediaType": "image/png"}


def a_header_of(width: int, height: int) -> bytes:
    """Return a PNG that says that it is large, and has nothing in it."""

    def chunk(data: bytes) -> bytes:
        return struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))

    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(header) + chunk(b"IDAT") + chunk(b"IEND")


async def test_a_plain_message_is_a_question_with_its_parts_in_order() -> None:
    model, red = ToyModel(lambda _: "I see."), a_picture("red")
    assert red.data is not None
    async with served(model) as url:
        task = await send(url, {"text": "Look:"}, raw(red.data), {"text": "What is it?"})
    assert ended(task) == ("completed", "")
    assert [part["text"] for part in task["artifacts"][0]["parts"]] == ["I see."]
    (request,) = model.asked
    assert (request.game, request.agent, request.partners) == ("a2a", "echo", ())
    assert request.view[0].parts == (Text(text="Look:"), red, Text(text="What is it?"))
    shown = request.view[0].parts[1]
    assert isinstance(shown, Image)
    assert shown.data == red.data


async def test_between_two_palavers_nothing_is_lost() -> None:
    red = a_picture("red", alt="A red box.")
    view = (
        Message.text_from("system", "Rules."),
        Message(speaker="b", parts=(Text(text=" See: "), red, Text(text="There.\n")), audience=("a",), apart=True),
    )
    schema: dict[str, Any] = {"type": "object", "properties": {"z": {"maxLength": 3}, "a": {}}}
    request = a_request(
        view=view, partners=("b",), seed=2**32 - 1, answer_schema=schema, protocol="transcript", turn=3, timeout_s=9.5
    )
    usage = Usage(input_tokens=9, output_tokens=5, reasoning_tokens=2, cached_tokens=4)

    class Spender(ToyModel):
        async def complete(self, request: TurnRequest) -> Completion:
            await super().complete(request)
            return Completion((Text(text=" A: so \n"),), usage=usage, finish_reason="length")

    model = Spender()
    async with served(model) as url, open_a2a(url, MemoryBlobs(), {}) as other:
        said = await other.complete(request)
    assert [encode(asked) for asked in model.asked] == [encode(request)]
    assert said.text == " A: so \n"
    assert (said.usage, said.finish_reason) == (usage, "length")


async def test_an_agents_error_comes_through_another_palaver_as_it_was() -> None:
    slow = AgentError("slow down", code="rate_limited", retryable=True, retry_after_s=7)
    async with served(ToyModel(lambda _: slow)) as url, open_a2a(url, MemoryBlobs(), {}) as other:
        with pytest.raises(AgentError) as caught:
            await other.complete(a_request())
    error = caught.value
    assert (str(error), error.code, error.retryable, error.retry_after_s) == ("slow down", "rate_limited", True, 7)


async def test_an_agents_error_is_a_failed_task_with_the_reason_in_one_line() -> None:
    said = AgentError("no key\n\x1b[2Jset one", code="auth", retryable=False)
    async with served(ToyModel(lambda _: said)) as url:
        assert ended(await send(url, {"text": "Hello"})) == ("failed", "no key  [2Jset one")


async def test_an_agent_that_raises_says_nothing_of_its_insides(capsys: pytest.CaptureFixture[str]) -> None:
    async with served(ToyModel(lambda _: ZeroDivisionError("/home/me/secret"))) as url:
        assert ended(await send(url, {"text": "Hello"})) == ("failed", "it raised ZeroDivisionError")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([{"url": "http://10.0.0.1/x.png"}], "files by URL are not fetched: send the bytes of the picture"),
        ([raw(b"GIF? no")], "a file is no PNG, JPEG, GIF or WebP picture"),
        ([raw(a_header_of(10_000, 4_001))], "a picture of 10000 x 4001 pixels is too large: at most 40,000,000"),
        ([raw(a_header_of(65_000, 65_000))], "a file is no PNG, JPEG, GIF or WebP picture"),
        ([raw(b"x" * 10_000_001)] * 2, "a file is no PNG, JPEG, GIF or WebP picture"),
        ([{"text": "x" * MESSAGE_BYTES}, {"text": "y"}], "the message has more than 1,048,576 bytes of text"),
        ([{"data": {"a": 1}}], "only text and pictures are taken"),
        ([{"data": "{", "mediaType": DATA_TYPE}], "this message is no JSON"),
        ([{"data": {"a": 1}, "mediaType": DATA_TYPE}], f"a part of type {DATA_TYPE} is one text, once"),
        ([{"data": '{"type":"turn.reply"}', "mediaType": DATA_TYPE}], "Field required"),
    ],
    ids=["url", "no picture", "wide", "bomb", "heavy", "long", "data", "no JSON", "no text", "no request"],
)
async def test_a_message_that_cannot_be_taken_is_rejected(parts: list[Part], said: str) -> None:
    model = ToyModel()
    async with served(model) as url:
        state, why = ended(await send(url, *parts))
    assert state == "rejected"
    assert said in why
    assert model.asked == []


async def test_pictures_together_are_bounded() -> None:
    picture = a_picture().data
    assert picture is not None
    heavy = picture + bytes(PICTURE_BYTES // 2)
    async with served(ToyModel()) as url:
        assert ended(await send(url, raw(heavy), raw(heavy))) == (
            "rejected",
            "the pictures have more than 20,000,000 bytes",
        )


async def test_a_question_whose_picture_was_not_sent_along_is_rejected() -> None:
    request = a_request(view=(Message(speaker="user", parts=(a_picture(),)),))
    async with served(ToyModel()) as url:
        state, why = ended(await send(url, {"data": encode(request).decode(), "mediaType": DATA_TYPE}))
    assert state == "rejected"
    assert "was not sent along" in why


async def test_a_body_that_is_too_large_is_refused_stated_or_not() -> None:
    async def unstated_size() -> AsyncIterator[bytes]:
        for _ in range(2 * BODY_BYTES // 65536):
            yield b" " * 65536

    async with served(ToyModel()) as url, httpx.AsyncClient(headers={"A2A-Version": "1.0"}) as web:
        for path in ("/", "/message:send"):
            stated = await web.post(url + path, content=bytes(BODY_BYTES + 1))
            assert stated.status_code == 413
        unstated = await web.post(url, content=unstated_size(), headers={"Content-Type": "application/json"})
        assert "Payload too large" in unstated.text


async def test_whoever_shows_no_token_reads_the_card_and_nothing_else() -> None:
    model = ToyModel(lambda _: "Hello.")
    async with served(model, token=TOKEN) as url, httpx.AsyncClient() as web:
        card = (await web.get(f"{url}/.well-known/agent-card.json")).json()
        assert card["securityRequirements"] == [{"schemes": {"bearer": {}}}]
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": "Bearer"}):
            assert (await web.post(url, headers=headers, content=b"{")).status_code == 401
            assert (await web.get(f"{url}/tasks", headers=headers)).status_code == 401
        assert model.asked == []
        assert ended(await send(url, {"text": "Hi"}, Authorization=f"Bearer {TOKEN}")) == ("completed", "")
        async with open_a2a(url, MemoryBlobs(), {"A2A_TOKEN": TOKEN}) as other:
            assert (await other.complete(a_request())).text == "Hello."


async def test_a_page_in_a_browser_is_not_let_in_without_a_token() -> None:
    async with served(ToyModel()) as url, httpx.AsyncClient() as web:
        page = await web.post(url, content=json.dumps({}), headers={"Origin": "https://evil.example"})
    assert page.status_code == 403


class Waiting(ToyModel):
    """Thinks until it is let go."""

    def __init__(self) -> None:
        super().__init__(lambda _: "At last.")
        self.go = asyncio.Event()
        self.cancelled = False

    async def complete(self, request: TurnRequest) -> Completion:
        said = await super().complete(request)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return said


async def test_more_messages_than_it_can_take_are_turned_away() -> None:
    model = Waiting()
    async with served(model, concurrency=1) as url:
        first = asyncio.create_task(send(url, {"text": "one"}))
        await until(lambda: model.asked)
        assert ended(await send(url, {"text": "two"})) == ("failed", "echo is busy; ask again later")
        model.go.set()
        assert ended(await first) == ("completed", "")
        assert ended(await send(url, {"text": "three"})) == ("completed", "")


async def test_a_task_that_is_called_off_ends_the_work() -> None:
    model = Waiting()
    async with served(model) as url, httpx.AsyncClient(headers={"A2A-Version": "1.0"}) as web:
        task = await send(url, {"text": "one"}, stay=False)
        await until(lambda: model.asked)
        assert ended(task) == ("working", "")
        gone = await web.post(f"{url}/tasks/{task['id']}:cancel", json={})
        assert ended(gone.json()) == ("canceled", "")
        await until(lambda: model.cancelled)


async def test_a_server_that_ends_lets_go_of_what_is_under_way() -> None:
    model = Waiting()
    async with served(model) as url:
        await send(url, {"text": "one"}, stay=False)
        await until(lambda: model.asked)
    assert model.cancelled


async def test_few_tasks_are_remembered_and_none_of_what_was_sent() -> None:
    store, context = FewTasks(most=2), ServerCallContext()
    for name in ("a", "b", "c"):
        task = Task(id=name)
        task.history.add().parts.add().raw = bytes(1000)
        await store.save(task, context)
    assert await store.get("a", context) is None
    kept = await store.get("c", context)
    assert kept is not None
    assert len(kept.history) == 0
