import asyncio

import pytest

from palaver_agents import AgentService, Completion
from palaver_broker import inbox, outbox
from palaver_broker.memory import MemoryBroker
from palaver_protocols.content import Text
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from tests.support import a_request
from tests.toys import ToyModel, serving


class Held(ToyModel):
    """A model that thinks until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.thinking = asyncio.Semaphore(0)

    async def complete(self, request: TurnRequest) -> Completion:
        self.asked.append(request)
        self.thinking.release()
        await self.go.wait()
        return Completion((Text(text="done"),), "toy")


async def test_what_a_model_refuses_is_told_to_the_asker() -> None:
    busy = AgentError("slow down", code="rate_limited", retryable=True, retry_after_s=7.0)
    async with MemoryBroker() as broker, serving(broker, "echo", ToyModel(lambda _: busy)):
        await broker.publish(inbox("echo"), a_request("k"))
        async with broker.subscribe(outbox("echo"), "test", consumer="test") as answers:
            failure = (await anext(answers)).message
    assert isinstance(failure, TurnFailure)
    assert (failure.key, failure.code, failure.retryable, failure.retry_after_s) == ("k", "rate_limited", True, 7.0)


async def test_a_model_that_raises_does_not_take_the_service_down() -> None:
    model = ToyModel(lambda request: RuntimeError("oops") if request.turn == 0 else "fine")
    async with MemoryBroker() as broker, serving(broker, "echo", model):
        async with broker.subscribe(outbox("echo"), "test", consumer="test") as answers:
            await broker.publish(inbox("echo"), a_request("k0", turn=0))
            failure = (await anext(answers)).message
            await broker.publish(inbox("echo"), a_request("k1", turn=1))
            reply = (await anext(answers)).message
    assert (failure.code, failure.retryable) == ("bug", False)
    assert "RuntimeError: oops" in failure.message
    assert isinstance(reply, TurnReply)


async def test_no_more_questions_are_taken_than_the_model_may_have() -> None:
    model = Held()
    async with MemoryBroker() as broker, serving(broker, "echo", model, concurrency=3):
        async with broker.subscribe(outbox("echo"), "test", consumer="test") as answers:
            for n in range(10):
                await broker.publish(inbox("echo"), a_request(f"k{n}"))
            for _ in range(3):
                await model.thinking.acquire()
            for _ in range(20):
                await asyncio.sleep(0)
            assert len(model.asked) == 3
            model.go.set()
            assert {(await anext(answers)).message.key for _ in range(10)} == {f"k{n}" for n in range(10)}


async def test_a_question_that_comes_twice_is_thought_about_once() -> None:
    model = Held()
    async with MemoryBroker() as broker, serving(broker, "echo", model):
        async with broker.subscribe(outbox("echo"), "test", consumer="test") as answers:
            for attempt in (1, 2):
                await broker.publish(inbox("echo"), a_request("k", attempt=attempt))
            await broker.publish(inbox("echo"), a_request("other"))
            await model.thinking.acquire()
            await model.thinking.acquire()
            model.go.set()
            assert {(await anext(answers)).message.key for _ in range(2)} == {"k", "other"}
    assert [request.key for request in model.asked] == ["k", "other"]


async def test_a_slow_model_keeps_its_question() -> None:
    model = Held()
    async with MemoryBroker() as broker:
        service = AgentService(broker, "echo", model, lease_s=0.15)
        task = asyncio.create_task(service.run())
        async with broker.subscribe(inbox("echo"), "agents", consumer="idle", lease_s=0.15) as idle:
            await broker.publish(inbox("echo"), a_request("k"))
            await model.thinking.acquire()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.6):
                    await anext(idle)
            model.go.set()
            async with broker.subscribe(outbox("echo"), "test", consumer="test") as answers:
                assert (await anext(answers)).message.key == "k"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_what_a_stopped_service_had_in_hand_goes_to_the_next() -> None:
    async with MemoryBroker() as broker:
        stuck = Held()
        async with serving(broker, "echo", stuck):
            await broker.publish(inbox("echo"), a_request("k"))
            await stuck.thinking.acquire()
        async with serving(broker, "echo", ToyModel()):
            async with broker.subscribe(outbox("echo"), "test", consumer="test") as answers:
                assert (await anext(answers)).message.key == "k"


async def test_a_crowd_of_questions_calls_no_crowd_of_workers() -> None:
    async with MemoryBroker() as broker, serving(broker, "echo", ToyModel()):
        async with broker.subscribe(outbox("echo"), "test", consumer="test") as answers:
            for n in range(50):
                await broker.publish(inbox("echo"), a_request(f"k{n}"))
            for _ in range(50):
                await anext(answers)
        assert len(asyncio.all_tasks()) < 10
