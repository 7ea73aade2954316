"""What keeps its own time is not cut off by the service, and says how long it took."""

import asyncio

from palaver_agents import AgentService, Completion
from palaver_broker.memory import MemoryBroker
from palaver_protocols.content import Text
from palaver_protocols.messages import TurnFailure, TurnReply, TurnRequest
from tests.support import BOX, a_request, ask
from tests.toys import ToyModel

OVER = -5.0
"""A time that is over before it begins, the service's own patience included."""


class Slow(ToyModel):
    async def complete(self, request: TurnRequest) -> Completion:
        await asyncio.sleep(0.01)
        return Completion((Text(text="At last."),), latency_s=7.5)


class Person(Slow):
    keeps_time = True


async def answer_of(model: ToyModel) -> TurnReply | TurnFailure:
    async with MemoryBroker() as broker, broker.subscribe(BOX, "gamemasters", consumer="test") as answers:
        service = asyncio.create_task(AgentService(broker, "echo", model).run())
        await ask(broker, a_request(timeout_s=OVER))
        async with asyncio.timeout(5):
            delivery = await anext(answers)
        service.cancel()
        await asyncio.gather(service, return_exceptions=True)
    answer: TurnReply | TurnFailure = delivery.message
    return answer


async def test_a_program_is_cut_off_when_its_time_is_over() -> None:
    failure = await answer_of(Slow())
    assert isinstance(failure, TurnFailure)
    assert failure.code == "timeout"


async def test_what_keeps_its_own_time_is_waited_for() -> None:
    reply = await answer_of(Person())
    assert isinstance(reply, TurnReply)
    assert (reply.text, reply.latency_s) == ("At last.", 7.5)
