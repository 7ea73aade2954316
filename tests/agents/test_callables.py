"""Any Python callable answers turns: sync or async, right or wrong."""

import asyncio
import functools
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from examples import python_agent
from PIL import Image as Pillow

from palaver_agents import Completion
from palaver_agents import service as service_module
from palaver_agents.callables import CallableModel, Turn
from palaver_broker import answer_box
from palaver_broker.memory import MemoryBlobs, MemoryBroker
from palaver_protocols.content import Image, Text
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest, Usage
from palaver_protocols.transcript import ENVIRONMENT, SYSTEM, USER, Message
from tests.support import BOX, a_request, ask
from tests.toys import serving

TALK = (
    Message.text_from(SYSTEM, "Be brief."),
    Message.text_from(USER, "Count together."),
    Message.text_from("a", "One."),
    Message.text_from("b", "Two."),
    Message.text_from(ENVIRONMENT, "Well done."),
)


def a_picture(alt: str | None = None) -> Image:
    data = BytesIO()
    Pillow.new("RGB", (4, 3), "red").save(data, "PNG")
    return Image.from_bytes(data.getvalue(), alt)


def as_on_the_bus(request: TurnRequest) -> TurnRequest:
    """Return a request as an agent gets it: without the bytes of its pictures."""
    return TurnRequest.model_validate_json(request.model_dump_json())


async def answered(function: Callable[..., Any], *requests: TurnRequest, threads: int = 64) -> list[Any]:
    """Ask an agent that is a callable, one question after the other; return its answers."""
    async with MemoryBroker() as broker:
        model = CallableModel("my_module:reply", function, broker.blobs, threads=threads)
        async with serving(broker, "echo", model), broker.subscribe(BOX, "test", consumer="test") as answers:
            found = []
            for request in requests or (a_request(),):
                await ask(broker, request)
                found.append((await anext(answers)).message)
            return found


def loud(turn: Turn) -> str:
    return turn.request.view[0].text.upper()


async def softly(turn: Turn) -> str:
    await asyncio.sleep(0)
    return turn.request.view[0].text.upper()


def later(turn: Turn) -> Awaitable[str]:
    return softly(turn)


def with_mark(mark: str, turn: Turn) -> str:
    return loud(turn).replace(".", mark)


class Speaker:
    def __call__(self, turn: Turn) -> str:
        return loud(turn)

    async def method(self, turn: Turn) -> str:
        return await softly(turn)


class AsyncSpeaker:
    async def __call__(self, turn: Turn) -> str:
        return await softly(turn)


CALLABLES: dict[str, Callable[[Turn], Any]] = {
    "function": loud,
    "async function": softly,
    "function that returns an awaitable": later,
    "instance": Speaker(),
    "async instance": AsyncSpeaker(),
    "async method": Speaker().method,
    "partial": functools.partial(with_mark, "."),
    "partial of async": functools.partial(softly),
}


class TestWhatIsAnAgent:
    @pytest.mark.parametrize("function", CALLABLES.values(), ids=CALLABLES)
    async def test_a_callable_of_any_kind_answers(self, function: Callable[[Turn], Any]) -> None:
        (reply,) = await answered(function)
        assert isinstance(reply, TurnReply)
        assert (reply.text, reply.provider, reply.model) == ("SAY SOMETHING.", "python", "my_module:reply")

    async def test_a_completion_says_what_was_used(self) -> None:
        used = Usage(input_tokens=5, output_tokens=7)
        said = Completion((Text(text="hi"),), "acme", "acme-1", "length", used, cost_usd=0.25)
        (reply,) = await answered(lambda _: said)
        assert (reply.text, reply.provider, reply.model, reply.finish_reason, reply.usage, reply.cost_usd) == (
            *("hi", "acme", "acme-1", "length"),
            *(used, 0.25),
        )

    async def test_the_examples_that_need_no_model_answer(self) -> None:
        asked: dict[str, Any] = {"partners": ("b",), "view": TALK}
        (agreed,) = await answered(python_agent.agree, a_request(**asked))
        (counted,) = await answered(python_agent.count_words, a_request(**asked))
        assert agreed.text == "You say: Well done. I agree."
        assert counted.text == f"So far, {counted.usage.input_tokens} words and 0 pictures."
        assert counted.model == "word-counter"

    async def test_a_completion_without_names_is_given_ours(self) -> None:
        (reply,) = await answered(lambda _: Completion((Text(text="hi"),)))
        assert (reply.provider, reply.model) == ("python", "my_module:reply")

    async def test_the_label_that_a_script_asks_to_leave_out_is_taken_off(self) -> None:
        asked: dict[str, Any] = {"partners": ("b",), "view": TALK}
        script = a_request("k0", **asked, protocol="transcript")
        marked = a_request("k1", turn=1, **asked)
        found = await answered(lambda _: "A: three", script, marked)
        assert [reply.text for reply in found] == ["three", "A: three"]


class TestWhatATurnShows:
    def test_text_is_a_script_that_ends_with_whose_turn_it_is(self) -> None:
        turn = Turn(a_request(view=TALK, partners=("b",)))
        assert turn.text == (
            "Be brief.\n\nCount together.\n\nThe dialogue so far:\n\nA: One.\n\nB: Two.\n\nEnvironment: Well done.\n\n"
            "The next message is yours, A. Write what you say, without the label.\nA:"
        )

    def test_text_names_who_spoke_to_a_seat_that_plays_alone_too(self) -> None:
        text = Turn(a_request(view=(TALK[1], TALK[2], TALK[4]))).text
        assert "A: One.\n\nEnvironment: Well done." in text

    def test_chat_is_plain_text_by_the_protocol_of_the_run(self) -> None:
        chat = Turn(a_request(view=TALK[1:4], partners=("b",), protocol="user")).chat
        assert chat == [
            {"role": "user", "content": "Count together."},
            {"role": "assistant", "content": "One."},
            {"role": "user", "content": "Two."},
        ]

    def test_a_view_without_a_word_can_be_asked_all_the_same(self) -> None:
        turn = Turn(a_request(view=()))
        assert [message["role"] for message in turn.chat] == ["user"]
        assert turn.text.endswith("\nA:")

    def test_pictures_are_said_in_words_or_marked_where_there_is_text_alone(self) -> None:
        parts = (Text(text="Look:"), a_picture("a red box"), a_picture())
        turn = Turn(a_request(view=(Message(speaker=USER, parts=parts, apart=True),)))
        seen = "Look:\n[picture, in words]\na red box\n[picture]"
        assert turn.chat == [{"role": "user", "content": seen}]
        assert seen in turn.text

    @pytest.mark.parametrize("is_async", [False, True])
    async def test_pictures_are_bytes_and_data_urls_for_whoever_asks(self, is_async: bool) -> None:
        picture, seen = a_picture(), list[Turn]()

        def look(turn: Turn) -> str:
            seen.append(turn)
            return "seen"

        async def alook(turn: Turn) -> str:
            return look(turn)

        request = as_on_the_bus(a_request(view=(Message(speaker=USER, parts=(Text(text="Look:"), picture)),)))
        blobs = MemoryBlobs()
        assert picture.data is not None
        await blobs.put(picture.data)
        await CallableModel("m:f", alook if is_async else look, blobs).complete(request)

        (turn,) = seen
        (image,) = turn.pictures
        assert turn.picture(image) == picture.data
        url = turn.data_url(image)
        assert url.startswith("data:image/png;base64,iVBOR")
        assert turn.openai_chat == [
            {
                "role": "user",
                "content": [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {"url": url}}],
            }
        ]

    def test_a_picture_of_another_turn_is_not_there(self) -> None:
        other = Image.model_validate(a_picture().model_dump())
        with pytest.raises(AgentError, match="this turn shows no picture"):
            Turn(a_request()).picture(other)

    async def test_a_picture_that_cannot_be_had_may_be_there_later(self) -> None:
        request = as_on_the_bus(a_request(view=(Message(speaker=USER, parts=(a_picture(),)),)))
        with pytest.raises(AgentError, match="a picture cannot be had") as raised:
            await CallableModel("m:f", loud, MemoryBlobs()).complete(request)
        assert (raised.value.code, raised.value.retryable) == ("no_picture", True)


def raising(error: BaseException) -> Callable[[Turn], Any]:
    def raises(_: Turn) -> str:
        raise error

    return raises


def araising(error: BaseException) -> Callable[[Turn], Any]:
    async def raises(_: Turn) -> str:
        raise error

    return raises


async def waits_for_what_is_cancelled(_: Turn) -> str:
    task = asyncio.create_task(asyncio.sleep(3600))
    task.cancel()
    await task
    return "never said"


def rows() -> Iterator[tuple[Any, str]]:
    yield None, "my_module:reply returned NoneType (return a str or a palaver_agents.Completion)"
    yield b"bytes", "returned bytes (return a str"
    yield ("hi", Usage()), "returned tuple (return a str"
    yield "\ud800", "returned no answer: its text is no Unicode (surrogates not allowed)"
    yield "é" * 131_073, "returned no answer: 262,146 bytes of text, and 262,144 are allowed"
    yield Completion("hi"), "returned no answer: parts: "  # type: ignore[arg-type]
    yield Completion((a_picture(),)), "returned no answer: an answer is text"
    yield Completion((Text(text="hi"),), cost_usd=-1.0), "returned no answer: cost_usd"
    yield Completion((Text(text="hi"),), cost_usd=float("inf")), "returned no answer: cost_usd"
    yield Completion((Text(text="hi"),), usage=Usage(input_tokens=10**12)), "returned no answer: usage"


class TestWhatGoesWrong:
    @pytest.mark.parametrize(("said", "problem"), list(rows()), ids=lambda value: None)
    async def test_what_is_no_answer_is_named_and_the_next_turn_is_played(self, said: Any, problem: str) -> None:
        turns = (a_request("k0"), a_request("k1", turn=1))
        failure, reply = await answered(lambda turn: "fine" if turn.request.turn else said, *turns)
        assert isinstance(failure, TurnFailure)
        assert (failure.code, failure.retryable) == ("bug", False)
        assert problem in failure.message
        assert reply.text == "fine"

    @pytest.mark.parametrize("make", [raising, araising])
    async def test_an_exception_is_a_bug_told_with_its_traceback_in_the_log(
        self, make: Callable[[BaseException], Callable[[Turn], Any]], capsys: pytest.CaptureFixture[str]
    ) -> None:
        (failure,) = await answered(make(ZeroDivisionError("oops")))
        assert (failure.code, failure.retryable) == ("bug", False)
        assert failure.message == "it raised ZeroDivisionError: oops"
        assert "in raises" in capsys.readouterr().out

    @pytest.mark.parametrize("make", [raising, araising])
    async def test_an_agent_error_passes_as_it_is(self, make: Callable[[BaseException], Callable[[Turn], Any]]) -> None:
        (failure,) = await answered(make(AgentError("slow down", code="rate_limited", retryable=True, retry_after_s=3)))
        assert (failure.code, failure.message, failure.retryable) == ("rate_limited", "slow down", True)
        assert failure.retry_after_s == 3

    @pytest.mark.parametrize("make", [raising, araising])
    async def test_a_timeout_of_its_own_may_pass(self, make: Callable[[BaseException], Callable[[Turn], Any]]) -> None:
        (failure,) = await answered(make(TimeoutError("its API is slow")))
        assert (failure.code, failure.retryable) == ("timeout", True)
        assert failure.message == "my_module:reply raised TimeoutError: its API is slow"

    @pytest.mark.parametrize("function", [raising(SystemExit(3)), araising(SystemExit(3)), lambda _: sys.exit(3)])
    async def test_nobody_ends_the_process(self, function: Callable[[Turn], Any]) -> None:
        (failure,) = await answered(function)
        assert failure.message == "it raised RuntimeError: it tried to end the process (exit code 3)"

    @pytest.mark.parametrize("function", [waits_for_what_is_cancelled, raising(StopIteration())])
    async def test_an_odd_exception_ends_its_turn_and_no_more(self, function: Callable[[Turn], Any]) -> None:
        failures = await answered(function, a_request("k0"), a_request("k1", turn=1))
        assert [(failure.key, failure.code) for failure in failures] == [("k0", "bug"), ("k1", "bug")]


class TestSlowOnes:
    async def test_a_slow_one_blocks_nobody(self) -> None:
        go = threading.Event()

        def slow_at_first(turn: Turn) -> str:
            if turn.request.turn == 0:
                assert go.wait(30)
            return f"turn {turn.request.turn}"

        async with MemoryBroker() as broker:
            model = CallableModel("m:f", slow_at_first, broker.blobs)
            async with serving(broker, "echo", model), broker.subscribe(BOX, "test", consumer="test") as answers:
                await ask(broker, a_request("k0"))
                await ask(broker, a_request("k1", turn=1))
                first = (await anext(answers)).message.text
                go.set()
                second = (await anext(answers)).message.text
        assert (first, second) == ("turn 1", "turn 0")

    async def test_no_more_run_than_are_allowed(self) -> None:
        lock, running, most = threading.Lock(), 0, 0
        both = threading.Barrier(2)

        def count(_: Turn) -> str:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            both.wait(30)  # two do run at a time, else this breaks
            with lock:
                running -= 1
            return "done"

        model = CallableModel("m:f", count, MemoryBlobs(), threads=2)
        await asyncio.gather(*(model.complete(a_request(f"k{number}")) for number in range(8)))
        assert most == 2

    @pytest.mark.parametrize("is_async", [False, True])
    async def test_one_that_never_returns_is_timed_out(self, is_async: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(service_module, "GRACE_S", 0.0)
        go = threading.Event()

        async def forever(_: Turn) -> str:
            await asyncio.Event().wait()
            return "never said"

        try:
            request = a_request(timeout_s=0.01)
            (failure,) = await answered(forever if is_async else lambda _: go.wait() or "never said", request)
        finally:
            go.set()
        assert (failure.code, failure.retryable, failure.message) == ("timeout", True, "no answer within 0.01 s")

    async def test_a_thread_that_was_given_up_counts_until_it_returns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(service_module, "GRACE_S", 0.0)
        go = threading.Event()

        def slow_at_first(turn: Turn) -> str:
            if turn.request.turn == 0:
                assert go.wait(30)
            return "fine"

        async with MemoryBroker() as broker:
            model = CallableModel("m:f", slow_at_first, broker.blobs, threads=1)
            box = answer_box("test")
            async with serving(broker, "echo", model), broker.subscribe(box, "test", consumer="test") as answers:
                found = []
                for turn in range(2):
                    await ask(broker, a_request(f"k{turn}", turn=turn, timeout_s=0.01))
                    found.append((await anext(answers)).message.code)
                go.set()
                await ask(broker, a_request("k2", turn=2, timeout_s=30))
                last = (await anext(answers)).message.text
        assert (found, last) == (["timeout", "timeout"], "fine")
