"""Questions tell their agent of which trace they are a part, and that changes nothing else."""

from examples.count_up import GAME as COUNT_UP
from examples.count_up import next_number

from palaver_broker.memory import MemoryBroker
from palaver_gamemasters.engine import Traceparent, open_engine
from palaver_gamemasters.rollout import plan
from palaver_protocols.errors import AgentError
from palaver_protocols.messages import TurnRequest
from palaver_protocols.runs import RunConfig
from tests.toys import ToyModel, serving


async def asked(traceparent: Traceparent | None) -> list[TurnRequest]:
    """Play an episode whose second question is tried twice; return all that was asked."""
    failed: list[TurnRequest] = []

    def answer(request: TurnRequest) -> str | Exception:
        if request.turn == 1 and not failed:
            failed.append(request)
            return AgentError("too many requests", code="rate_limited", retryable=True, retry_after_s=0.0)
        return next_number(request)

    model = ToyModel(answer)
    config = RunConfig(run_id="run", game=COUNT_UP.name, agents=("toy",), options={"target": 3})
    async with (
        MemoryBroker() as broker,
        serving(broker, "toy", model),
        open_engine(broker, traceparent=traceparent) as engine,
    ):
        await engine.play(COUNT_UP, plan(COUNT_UP, config).openings[0])
    return model.asked


async def test_every_question_has_its_place_in_the_trace_and_the_same_when_it_is_asked_again() -> None:
    requests = await asked(lambda request: f"of {request.key}")
    assert [request.attempt for request in requests] == [1, 1, 2, 1]
    assert [request.traceparent for request in requests] == [f"of {request.key}" for request in requests]


async def test_a_trace_is_no_part_of_a_question_s_name() -> None:
    traced, plain = await asked(lambda request: "somewhere"), await asked(None)
    assert [request.key for request in traced] == [request.key for request in plain]
    assert {request.traceparent for request in plain} == {None}
