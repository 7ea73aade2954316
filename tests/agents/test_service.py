import asyncio
from typing import ClassVar

import pytest

from palaver_agents import AgentService, Completion
from palaver_agents import service as service_module
from palaver_broker import Delivery, inbox
from palaver_broker.memory import MemoryBroker
from palaver_protocols.codec import encode
from palaver_protocols.content import Text
from palaver_protocols.errors import AgentError
from palaver_protocols.events import ModelCalled
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from tests.support import BOX, a_reply, a_request, ask
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
        await ask(broker, a_request("k"))
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            failure = (await anext(answers)).message
    assert isinstance(failure, TurnFailure)
    assert (failure.key, failure.code, failure.retryable, failure.retry_after_s) == ("k", "rate_limited", True, 7.0)


@pytest.mark.parametrize(("code", "asked"), [("auth", 1), ("quota", 1), ("unknown_model", 1), ("bad_request", 2)])
async def test_what_every_question_would_meet_is_met_once(code: str, asked: int) -> None:
    model = ToyModel(lambda _: AgentError("no", code=code, retryable=False))
    async with MemoryBroker() as broker, serving(broker, "echo", model):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            for turn in range(2):
                await ask(broker, a_request(f"k{turn}", turn=turn))
                failure = (await anext(answers)).message
                assert (failure.key, failure.code, failure.message) == (f"k{turn}", code, "no")
    assert len(model.asked) == asked


async def test_after_a_while_a_model_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "HOPELESS_S", -1.0)
    model = ToyModel(lambda request: "yes" if request.turn else AgentError("no", code="auth", retryable=False))
    async with MemoryBroker() as broker, serving(broker, "echo", model):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            kinds = []
            for turn in range(2):
                await ask(broker, a_request(f"k{turn}", turn=turn))
                kinds.append(type((await anext(answers)).message))
    assert kinds == [TurnFailure, TurnReply]


async def test_a_model_that_raises_does_not_take_the_service_down() -> None:
    model = ToyModel(lambda request: RuntimeError("oops") if request.turn == 0 else "fine")
    async with MemoryBroker() as broker, serving(broker, "echo", model):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            await ask(broker, a_request("k0", turn=0))
            failure = (await anext(answers)).message
            await ask(broker, a_request("k1", turn=1))
            reply = (await anext(answers)).message
    assert (failure.code, failure.retryable) == ("bug", False)
    assert "RuntimeError: oops" in failure.message
    assert isinstance(reply, TurnReply)


async def test_a_model_that_never_answers_is_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "GRACE_S", 0.0)
    async with MemoryBroker() as broker, serving(broker, "echo", Held()):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            await ask(broker, a_request("k", timeout_s=0.01))
            failure = (await anext(answers)).message
    assert (failure.code, failure.retryable, failure.message) == ("timeout", True, "no answer within 0.01 s")


async def test_a_question_that_kills_all_who_try_is_buried() -> None:
    model = ToyModel()
    async with MemoryBroker() as broker:
        async with broker.subscribe(inbox("echo"), "agents", consumer="dies") as dies:
            await ask(broker, a_request("k"))
            await (await anext(dies)).release()
        service = asyncio.create_task(AgentService(broker, "echo", model, max_deliveries=1).run())
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            failure = (await anext(answers)).message
        service.cancel()
        await asyncio.gather(service, return_exceptions=True)
        (letter,) = await broker.dead_letters()
    assert (failure.code, failure.retryable, model.asked) == ("dead_letter", False, [])
    assert letter.topic == inbox("echo")
    assert letter.reason == "handed out 2 times and never answered"


class Notes:
    """A journal in memory."""

    def __init__(self, **answers: bytes) -> None:
        self.answers = answers
        self.begun: list[str] = []
        self.came_to_nothing: list[str] = []

    def look_up(self, key: str) -> bytes | None:
        return self.answers.get(key)

    def begin(self, key: str) -> None:
        self.begun.append(key)

    def failed(self, key: str) -> None:
        self.came_to_nothing.append(key)

    async def answer(self, key: str, data: bytes) -> None:
        self.answers[key] = data


async def test_an_answer_is_in_the_journal_before_anybody_hears_of_it() -> None:
    notes, calls = Notes(), list[ModelCalled]()

    class Strict(MemoryBroker):
        async def settle(self, answer: TurnReply | TurnFailure, delivery: Delivery) -> None:
            assert (answer.key in notes.answers) == isinstance(answer, TurnReply)
            await super().settle(answer, delivery)

    busy = AgentError("slow down", code="rate_limited", retryable=True)
    model = ToyModel(lambda request: "fine" if request.turn else busy)
    async with Strict() as broker:
        service = AgentService(broker, "echo", model, journal=notes, on_call=calls.append)
        task = asyncio.create_task(service.run())
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            await ask(broker, a_request("k0", turn=0))
            await ask(broker, a_request("k1", turn=1))
            assert {(await anext(answers)).message.key for _ in range(2)} == {"k0", "k1"}
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert (notes.begun, notes.came_to_nothing, list(notes.answers)) == (["k0", "k1"], ["k0"], ["k1"])
    assert [call.source for call in calls] == ["provider", "provider"]


async def test_what_the_journal_knows_is_not_asked_again() -> None:
    model, calls = ToyModel(), list[ModelCalled]()
    notes = Notes(k=encode(a_reply(a_request("k"), "as before")))
    async with MemoryBroker() as broker:
        service = AgentService(broker, "echo", model, journal=notes, on_call=calls.append)
        task = asyncio.create_task(service.run())
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            await ask(broker, a_request("k"))
            assert (await anext(answers)).message.text == "as before"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert (model.asked, [call.source for call in calls]) == ([], ["journal"])


async def test_a_bus_that_was_lost_is_told_the_latest_answers_again() -> None:
    class Forgetful(MemoryBroker):
        """Forgets the first answer that it is told, as Redis does that loses its power."""

        told: ClassVar[list[str]] = []

        @property
        def losses(self) -> int:
            return int(bool(self.told))

        async def settle(self, answer: TurnReply | TurnFailure, delivery: Delivery) -> None:
            self.told.append(answer.key)
            if len(self.told) > 1:
                await super().settle(answer, delivery)

    model = ToyModel()
    async with Forgetful() as broker, serving(broker, "echo", model):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            await ask(broker, a_request("k"))
            assert (await anext(answers)).message.key == "k"
    assert (len(model.asked), broker.told) == (1, ["k", "k"])


async def test_a_drained_service_ends_when_its_last_question_is_answered() -> None:
    model = Held()
    async with MemoryBroker() as broker:
        service = AgentService(broker, "echo", model)
        task = asyncio.create_task(service.run())
        await ask(broker, a_request("k"))
        await model.thinking.acquire()
        service.drain()
        await ask(broker, a_request("later"))
        model.go.set()
        await task
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            assert (await anext(answers)).message.key == "k"
        async with broker.subscribe(inbox("echo"), "agents", consumer="next") as left:
            assert (await anext(left)).message.key == "later"


async def test_what_nobody_waits_for_is_dropped_unasked() -> None:
    class Closed:
        async def admit(self, request: TurnRequest) -> bool:
            return request.key != "unwanted"

        def answered(self, answer: TurnReply | TurnFailure) -> None:
            heard.append(answer.key)

    model, heard = ToyModel(), list[str]()
    async with MemoryBroker() as broker:
        task = asyncio.create_task(AgentService(broker, "echo", model, gate=Closed()).run())
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            await ask(broker, a_request("unwanted"))
            await ask(broker, a_request("wanted"))
            assert (await anext(answers)).message.key == "wanted"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert heard == [request.key for request in model.asked] == ["wanted"]


async def test_no_more_questions_are_taken_than_the_model_may_have() -> None:
    model = Held()
    async with MemoryBroker() as broker, serving(broker, "echo", model, concurrency=3):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            for n in range(10):
                await ask(broker, a_request(f"k{n}"))
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
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            await ask(broker, a_request("k"))
            await broker.publish(inbox("echo"), a_request("k", attempt=2))
            await ask(broker, a_request("other"))
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
            await ask(broker, a_request("k"))
            await model.thinking.acquire()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.6):
                    await anext(idle)
            model.go.set()
            async with broker.subscribe(BOX, "test", consumer="test") as answers:
                assert (await anext(answers)).message.key == "k"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_what_a_stopped_service_had_in_hand_goes_to_the_next() -> None:
    async with MemoryBroker() as broker:
        stuck = Held()
        async with serving(broker, "echo", stuck):
            await ask(broker, a_request("k"))
            await stuck.thinking.acquire()
        async with serving(broker, "echo", ToyModel()):
            async with broker.subscribe(BOX, "test", consumer="test") as answers:
                assert (await anext(answers)).message.key == "k"


async def test_a_crowd_of_questions_calls_no_crowd_of_workers() -> None:
    async with MemoryBroker() as broker, serving(broker, "echo", ToyModel()):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            for n in range(50):
                await ask(broker, a_request(f"k{n}"))
            for _ in range(50):
                await anext(answers)
        assert len(asyncio.all_tasks()) < 10


async def test_an_answer_that_makes_no_reply_ends_the_turn_and_not_the_service() -> None:
    class Broken(ToyModel):
        async def complete(self, request: TurnRequest) -> Completion:
            return (await super().complete(request))._replace(finish_reason="unheard of")  # type: ignore[arg-type]  # a bug

    async with MemoryBroker() as broker, serving(broker, "echo", Broken()):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            for key in ("k0", "k1"):
                await ask(broker, a_request(key))
                failure = (await anext(answers)).message
                assert (failure.key, failure.code) == (key, "bug")


async def test_what_a_strangers_program_says_of_itself_is_marked_as_such() -> None:
    class Strange(ToyModel):
        async def complete(self, request: TurnRequest) -> Completion:
            return (await super().complete(request))._replace(unverified=True)

    async with MemoryBroker() as broker, serving(broker, "echo", Strange()):
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            await ask(broker, a_request())
            assert (await anext(answers)).message.unverified
