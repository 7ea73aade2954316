"""What every agent promises, whatever is behind it: one answer to a question, under the question's own key."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from examples.count_up import next_number

from palaver_agents import Model
from palaver_agents.replay import ReplayModel
from palaver_agents.scripted import ScriptedModel
from palaver_broker.memory import MemoryBroker
from palaver_protocols.messages import TurnReply, TurnRequest
from tests.support import BOX, a_request, ask
from tests.toys import ToyModel, serving

Make = Callable[[Path], Model]


def recorded(folder: Path) -> Model:
    file = folder / "replay.json"
    file.write_text('{"texts": ["1!", "2!", "3!", "4!", "5!", "6!", "7!", "8!"]}')
    return ReplayModel(file)


MAKERS: dict[str, Make] = {
    "script": lambda _: ScriptedModel("scripted", next_number),
    "replay": recorded,
    "toy": lambda _: ToyModel(),
}


@pytest.fixture(params=MAKERS)
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Model:
    return MAKERS[request.param](tmp_path)


async def replies(model: Model, requests: list[TurnRequest]) -> list[TurnReply]:
    async with MemoryBroker() as broker, serving(broker, "echo", model):
        for request in requests:
            await ask(broker, request)
        async with broker.subscribe(BOX, "test", consumer="test") as answers:
            return [(await anext(answers)).message for _ in requests]


async def test_an_answer_carries_the_names_of_its_question(model: Model) -> None:
    request = a_request("the-key", turn=3, seat="b")
    (reply,) = await replies(model, [request])
    assert isinstance(reply, TurnReply)
    for name in ("key", "run_id", "episode_id", "turn", "seat", "agent"):
        assert getattr(reply, name) == getattr(request, name)
    assert reply.provider == model.provider
    assert reply.text == "4!"


async def test_answers_do_not_depend_on_what_was_asked_before(model: Model) -> None:
    forwards = [a_request(f"k{turn}", turn=turn) for turn in range(8)]
    first = {reply.key: reply.text for reply in await replies(model, forwards)}
    second = {reply.key: reply.text for reply in await replies(model, forwards[::-1])}
    assert first == second == {f"k{turn}": f"{turn + 1}!" for turn in range(8)}


async def test_closing_twice_does_no_harm(model: Model) -> None:
    await asyncio.gather(model.aclose(), model.aclose())
