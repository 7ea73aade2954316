"""Any A2A server as an agent: what it is sent, and what its answers become. The servers are the SDK's own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import AgentCapabilities, AgentExtension, Part, StreamResponse, Task
from aiohttp import web

from palaver_agents import Completion, Model
from palaver_agents.a2a import client, open_a2a
from palaver_agents.a2a.answers import told
from palaver_agents.a2a.extension import DATA_TYPE, EXTENSION
from palaver_agents.a2a.plain import plain
from palaver_broker.memory import MemoryBlobs
from palaver_protocols.codec import decode
from palaver_protocols.content import Text
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnRequest, Usage
from palaver_protocols.transcript import Message
from tests.agents.a2a.sdk_server import Behave, Sdk, a_card, a_picture, answer, pages, says, sdk_server, works
from tests.support import a_request, until

BOTH = pytest.mark.parametrize("streaming", [True, False], ids=["streaming", "polling"])


@asynccontextmanager
async def asked(url: str, **environ: str) -> AsyncIterator[Model]:
    async with open_a2a(url, MemoryBlobs(), environ) as model:
        yield model


async def answered(behave: Behave, request: TurnRequest | None = None, **card: Any) -> tuple[Completion, Sdk]:
    """Ask a server that behaves so; return its answer and what it has seen."""
    async with sdk_server(behave, card=lambda url: a_card(url, **card)) as server, asked(server.url) as model:
        return await model.complete(request or a_request(timeout_s=10)), server


async def refused(behave: Behave, request: TurnRequest | None = None, **card: Any) -> AgentError:
    with pytest.raises(AgentError) as caught:
        await answered(behave, request, **card)
    assert "\n" not in str(caught.value)
    return caught.value


def refusal(error: AgentError) -> tuple[str, bool]:
    return error.code, error.retryable


class TestWhatIsSent:
    @pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
    async def test_a_plain_question_is_its_text_by_either_transport(self, binding: str) -> None:
        said, server = await answered(says("Hello."), bindings=(binding,))
        assert said == Completion((Text(text="Hello."),), "a2a", "parrot 2.1", unverified=True)
        assert server.texts == ["Say something."]
        assert server.calls[1] == {"JSONRPC": "POST /", "HTTP+JSON": "POST /message:stream"}[binding]
        assert server.headers[1]["a2a-version"] == "1.0"

    async def test_texts_and_pictures_come_in_order_with_their_bytes(self) -> None:
        red, blue = a_picture("red"), a_picture("blue")
        parts = (Text(text="one"), red, Text(text="two"), blue, Text(text="three"))
        request = a_request(view=(Message(speaker="user", parts=parts),))
        _, server = await answered(says("I see."), request)
        sent = [part.text or part.raw for part in server.heard[0].parts]
        assert sent == ["one", red.data, "two", blue.data, "three"]
        assert [part.media_type for part in server.heard[0].parts] == ["text/plain", "image/png"] * 2 + ["text/plain"]

    async def test_pictures_are_fetched_from_the_blob_store(self) -> None:
        red, blobs = a_picture("red"), MemoryBlobs()
        assert red.data is not None
        await blobs.put(red.data)
        request = TurnRequest.model_validate_json(
            a_request(view=(Message(speaker="user", parts=(red,)),)).model_dump_json()
        )
        async with sdk_server(says("I see.")) as server, open_a2a(server.url, blobs, {}) as model:
            await model.complete(request)
        assert server.heard[0].parts[0].raw == red.data

    async def test_speakers_are_told_apart_as_the_role_protocol_says(self) -> None:
        view = (
            Message.text_from("user", "Find the way."),
            Message.text_from("b", "I am lost."),
            Message.text_from("a", "Go on."),
            Message.text_from("b", "Where?"),
        )
        _, server = await answered(says("North."), a_request(view=view, partners=("b",)))
        assert server.texts[0].startswith("The user will act as an intermediary")
        assert server.texts[1:] == [
            "User: [user]: Find the way.",
            "User: [other agent]: I am lost.",
            "You: Go on.",
            "User: [other agent]: Where?",
            "The next message is yours. Write what you say, without a label.",
        ]

    async def test_a_server_that_cannot_see_is_told_what_pictures_show(self) -> None:
        request = a_request(view=(Message(speaker="user", parts=(a_picture(alt="A red box."),)),))
        _, server = await answered(says("I see."), request, default_input_modes=["text/plain"])
        assert server.texts == ["[picture, in words]\nA red box."]

    async def test_a_server_that_cannot_see_is_not_sent_pictures_without_words(self) -> None:
        request = a_request(view=(Message(speaker="user", parts=(a_picture(),)),))
        error = await refused(says("I see."), request, default_input_modes=["text/plain"])
        assert refusal(error) == ("pictures", False)
        assert "it takes no pictures" in str(error)

    async def test_every_turn_has_a_context_of_its_own(self) -> None:
        async with sdk_server(says("Hello.")) as server, asked(server.url) as model:
            for number in range(3):
                await model.complete(a_request(f"k{number}"))
        assert len({message.context_id for message in server.heard}) == 3
        assert [message.message_id for message in server.heard] == ["k0.1", "k1.1", "k2.1"]
        assert server.calls.count("GET /.well-known/agent-card.json") == 1

    @pytest.mark.parametrize("knows", [True, False])
    async def test_the_whole_question_goes_only_to_a_server_that_knows_us(self, knows: bool) -> None:
        extensions = [AgentExtension(uri=EXTENSION)] if knows else []
        schema: dict[str, Any] = {"type": "object", "properties": {"z": {}, "a": {"minimum": 1}}}
        request = a_request(seed=2**32 - 1, answer_schema=schema)
        said, server = await answered(
            says(" Hello. "), request, capabilities=AgentCapabilities(streaming=True, extensions=extensions)
        )
        whole = [part for part in server.heard[0].parts if part.media_type == DATA_TYPE]
        assert [decode(part.data.string_value) for part in whole] == [request] * knows
        assert server.headers[1].get("a2a-extensions") == (EXTENSION if knows else None)
        assert said.text == (" Hello. " if knows else "Hello.")


class TestAnswers:
    async def test_the_texts_of_a_message_are_lines(self) -> None:
        said, _ = await answered(says("one", "two"))
        assert said.text == "one\ntwo"

    @BOTH
    async def test_a_task_is_followed_to_its_end(self, streaming: bool) -> None:
        looked = asyncio.Event()

        async def slowly(updater: TaskUpdater) -> None:
            await updater.start_work(updater.new_agent_message([Part(text="Hm.")]))
            await looked.wait()
            await updater.add_artifact([Part(text="one"), Part(text="two")], name="a")
            await updater.add_artifact([Part(text="three")], name="b")
            await updater.complete(updater.new_agent_message([Part(text="Done.")]))

        async with sdk_server(works(slowly), card=lambda url: a_card(url, streaming=streaming)) as server:
            async with asked(server.url) as model, asyncio.TaskGroup() as tasks:
                asking = tasks.create_task(model.complete(a_request(timeout_s=20)))
                await until(lambda: len(server.calls) >= (2 if streaming else 4))  # the card, the message, two looks
                assert not asking.done()
                looked.set()
            assert asking.result().text == "one\ntwo\nthree\nDone."
            assert len(server.heard) == 1

    async def test_what_a_task_says_at_its_end_once_more_is_said_once(self) -> None:
        async def twice(updater: TaskUpdater) -> None:
            await updater.add_artifact([Part(text="North.")])
            await updater.complete(updater.new_agent_message([Part(text="North.")]))

        said, _ = await answered(works(twice))
        assert said.text == "North."

    async def test_a_text_that_is_streamed_in_chunks_is_one_text(self) -> None:
        async def in_chunks(updater: TaskUpdater) -> None:
            for number, chunk in enumerate(["Go ", "nor", "th."]):
                await updater.add_artifact([Part(text=chunk)], artifact_id="x", append=number > 0)
            await updater.complete()

        said, _ = await answered(works(in_chunks))
        assert said.text == "Go north."

    @BOTH
    async def test_a_question_back_is_the_answer(self, streaming: bool) -> None:
        async def asks_back(updater: TaskUpdater) -> None:
            await updater.requires_input(updater.new_agent_message([Part(text="Which way?")]))

        said, _ = await answered(works(asks_back), streaming=streaming)
        assert said.text == "Which way?"

    async def test_what_it_took_is_read_where_the_server_says_it_and_makes_sense(self) -> None:
        usage = {"usage": {"input_tokens": 7, "output_tokens": 3}, "finish_reason": "length"}
        said, _ = await answered(says("Hello.", metadata={EXTENSION: usage}))
        assert (said.usage, said.finish_reason) == (Usage(input_tokens=7, output_tokens=3), "length")
        said, _ = await answered(says("Hello.", metadata={"usage": {"output_tokens": 3}}))
        assert said.usage == Usage(output_tokens=3)
        said, _ = await answered(says("Hello.", metadata={"usage": {"output_tokens": 10**12}}))
        assert said.usage == Usage()

    async def test_a_way_that_breaks_ends_no_task(self) -> None:
        looks = 0

        async def rpc(request: web.Request) -> web.StreamResponse:
            nonlocal looks
            call = await request.json()
            assert request.transport is not None
            task: dict[str, Any] = {"id": "t", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}
            if call["method"] == "SendStreamingMessage":
                response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
                await response.prepare(request)
                said = web.json_response({"jsonrpc": "2.0", "id": call["id"], "result": {"task": task}})
                await response.write(f"data: {said.text}\n\n".encode())
                request.transport.abort()
                return response
            looks += 1
            if looks == 1:
                request.transport.abort()
            if looks > 2:
                task |= {
                    "status": {"state": "TASK_STATE_COMPLETED"},
                    "artifacts": [{"artifactId": "a", "parts": [{"text": "Still here."}]}],
                }
            return web.json_response({"jsonrpc": "2.0", "id": call["id"], "result": task})

        async with pages(card=card_at_itself, rpc=rpc) as url, asked(url) as model:
            assert (await model.complete(a_request(timeout_s=10))).text == "Still here."


async def card_at_itself(request: web.Request) -> web.StreamResponse:
    return web.json_response(plain(a_card(f"http://{request.host}")))


class TestRefusals:
    @BOTH
    @pytest.mark.parametrize(
        ("end", "code", "retryable", "said"),
        [
            ("failed", "failed", True, "it failed: out of order"),
            ("reject", "rejected", False, "it rejects the question: out of order"),
            ("cancel", "cancelled", True, "it has cancelled the question: out of order"),
            ("requires_auth", "auth", False, "it wants us to log in elsewhere first: out of order"),
        ],
    )
    async def test_a_task_that_ends_otherwise(
        self, end: str, code: str, retryable: bool, said: str, streaming: bool
    ) -> None:
        async def ends(updater: TaskUpdater) -> None:
            await getattr(updater, end)(updater.new_agent_message([Part(text="out of\norder")]))

        error = await refused(works(ends), streaming=streaming)
        assert refusal(error) == (code, retryable)
        assert str(error) == said

    async def test_an_executor_that_raises(self) -> None:
        async def raises(updater: TaskUpdater) -> None:
            raise RuntimeError("lost my mind")

        error = await refused(works(raises))
        assert (error.code, error.retryable) in {("server", True), ("failed", True)}

    async def test_a_task_that_ends_without_a_word(self) -> None:
        async def silent(updater: TaskUpdater) -> None:
            await updater.complete()

        error = await refused(works(silent))
        assert refusal(error) == ("bad_response", True)
        assert str(error) == "it came to an end without an answer"

    @pytest.mark.parametrize(
        ("part", "said"),
        [
            (Part(raw=b"x", media_type="image/png"), "a file or picture"),
            (Part(data={"string_value": "x"}), "data"),
        ],
        ids=["raw", "data"],
    )
    async def test_anything_but_text(self, part: Part, said: str) -> None:
        async def behave(updater: TaskUpdater, context: RequestContext, queue: EventQueue) -> None:
            await queue.enqueue_event(answer([Part(text="Look:"), part], context))

        error = await refused(behave)
        assert refusal(error) == ("not_text", False)
        assert str(error) == f"it answers with {said}; only text is taken"

    async def test_a_file_by_its_url_is_never_fetched(self) -> None:
        called = asyncio.Event()

        async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            called.set()
            writer.close()

        async with await asyncio.start_server(connected, "127.0.0.1", 0) as bait:
            url = f"http://127.0.0.1:{bait.sockets[0].getsockname()[1]}/secret"

            async def lures(updater: TaskUpdater) -> None:
                await updater.add_artifact([Part(url=url, media_type="image/png")])
                await updater.complete()

            error = await refused(works(lures))
        assert refusal(error) == ("not_text", False)
        assert "a file by its URL, which is never fetched" in str(error)
        assert not called.is_set()

    @BOTH
    async def test_an_answer_that_is_too_large_is_not_read_to_its_end(self, streaming: bool) -> None:
        error = await refused(says("x" * 2**21), streaming=streaming)
        assert refusal(error) == ("too_large", False)
        assert "more than 1,048,576 bytes" in str(error)

    async def test_an_answer_without_end_is_cut_off(self) -> None:
        sent = 0

        async def rpc(request: web.Request) -> web.StreamResponse:
            nonlocal sent
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            while True:
                await response.write(b": " + b"x" * 65536 + b"\n")
                sent += 65536

        async with pages(card=card_at_itself, rpc=rpc) as url, asked(url) as model:
            with pytest.raises(AgentError, match="the rest was not read"):
                await model.complete(a_request(timeout_s=20))
        assert sent < 64 * 2**20  # what lay in the buffers of two sockets, and not more

    async def test_an_answer_that_was_packed_to_look_small(self) -> None:
        async def rpc(request: web.Request) -> web.StreamResponse:
            response = web.json_response({"text": "x" * 2**24})
            response.enable_compression(web.ContentCoding.gzip)
            response.headers["Content-Encoding"] = "gzip"
            return response

        async with pages(card=card_at_itself, rpc=rpc) as url, asked(url) as model:
            with pytest.raises(AgentError, match="compressed answers unasked"):
                await model.complete(a_request())

    @pytest.mark.parametrize(
        "body", ["[1, 2]", "{", '{"jsonrpc": "2.0", "id": 1, "result": {"task": 7}}', "[" * 100_000]
    )
    async def test_nonsense(self, body: str) -> None:
        async def rpc(request: web.Request) -> web.StreamResponse:
            return web.Response(text=body, content_type="application/json")

        async with pages(card=card_at_itself, rpc=rpc) as url, asked(url) as model:
            with pytest.raises(AgentError) as caught:
                await model.complete(a_request())
        assert refusal(caught.value) == ("bad_response", True)


class TestTooLate:
    async def hangs(self, updater: TaskUpdater) -> None:
        await updater.start_work()
        await asyncio.Event().wait()

    @BOTH
    async def test_a_task_that_takes_too_long_is_cancelled_at_the_server(self, streaming: bool) -> None:
        async with sdk_server(works(self.hangs), card=lambda url: a_card(url, streaming=streaming)) as server:
            async with asked(server.url) as model:
                with pytest.raises(AgentError) as caught:
                    await model.complete(a_request(timeout_s=1.5))
            assert refusal(caught.value) == ("timeout", True)
            assert f"no answer from {server.url} within 1.5 s" in str(caught.value)
            assert server.cancelled.is_set()

    @BOTH
    async def test_a_question_that_nobody_waits_for_is_cancelled_at_the_server(
        self, streaming: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun = asyncio.Event()

        def noticed(task: Task, event: StreamResponse) -> Task:
            begun.set()
            return told(task, event)

        monkeypatch.setattr(client, "told", noticed)
        async with sdk_server(works(self.hangs), card=lambda url: a_card(url, streaming=streaming)) as server:
            async with asked(server.url) as model:
                asking = asyncio.create_task(model.complete(a_request()))
                await begun.wait()
                asking.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await asking
            assert server.cancelled.is_set()
