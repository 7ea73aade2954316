"""Seats that change hands: a person takes a model's, and gives it back, while the episode goes on."""

import asyncio
from typing import Any

from palaver_agents import Completion, Model
from palaver_protocols.messages import SeatChanged, TurnRequest, TurnTaken
from tests.observability.dashboard.seating import OPERATOR, Scene, seating

EPISODE = "maze-pair-00000"
SMALL = {"size": 4}
SEATS = f"/api/episode/run/{EPISODE}/seats"


class Thinker(Model):
    """A model that never answers."""

    provider = "toy"

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def complete(self, request: TurnRequest) -> Completion:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes it")

    async def aclose(self) -> None:
        """Nothing to release."""


async def changes(scene: Scene) -> list[str]:
    return [entry.agent for entry in await scene.log(EPISODE) if isinstance(entry, SeatChanged)]


async def test_a_person_takes_the_seat_of_a_model_that_thinks_and_gives_it_back() -> None:
    thinker = Thinker()
    agents, models = "openai/slow,scripted", {"openai/slow": thinker}
    async with seating("maze", agents, options=SMALL, models=models, also=("random",)) as scene, asyncio.timeout(10):
        operator, person = await scene.browser(OPERATOR), await scene.browser()
        await thinker.asked.wait()
        status, said = await operator.post(f"{SEATS}/agent_1/take")
        assert status == 200
        link = said["link"]
        await person.claim(link)
        state = await person.state(link, "your_turn")  # at once: nobody waits for the model
        assert (await operator.post(f"{SEATS}/agent_1/take"))[1] == {"link": link}
        assert (await person.say(link, state["key"], "Let us begin."))[0] == 200
        await person.state(link, lambda now: now["state"] == "your_turn" and now["turn"] == 2)

        assert await operator.post(f"{SEATS}/agent_1/give", {"agent": "random"}) == (200, {"agent": "random"})
        over = await person.state(link, "over")
        assert (over["outcome"], over["why"]) == (None, "The seat was given to somebody else.")
        await scene.ended[EPISODE]  # by those who play now, at once
        assert await changes(scene) == ["human", "random"]
        turns = [entry.reply for entry in await scene.log(EPISODE) if isinstance(entry, TurnTaken)]
        assert [(reply.turn, reply.agent) for reply in turns[:3]] == [(0, "human"), (1, "scripted"), (2, "random")]


async def test_a_seat_goes_back_to_who_had_it_before() -> None:
    thinker = Thinker()
    async with seating("maze", "openai/slow,scripted", options=SMALL, models={"openai/slow": thinker}) as scene:
        operator = await scene.browser(OPERATOR)
        await thinker.asked.wait()
        await operator.post(f"{SEATS}/agent_1/take")
        assert await operator.post(f"{SEATS}/agent_1/give", {"agent": None}) == (200, {"agent": "openai/slow"})
        status, said = await operator.post(f"{SEATS}/agent_2/give", {"agent": None})
        assert (status, said["error"]) == (409, f"nobody had the seat agent_2 of {EPISODE} before")


async def refusal(scene: Scene, agent: Any) -> str:
    operator = await scene.browser(OPERATOR)
    status, said = await operator.post(f"{SEATS}/agent_1/give", {"agent": agent})
    assert status in (400, 409)
    return str(said["error"])


async def test_only_who_can_answer_is_given_a_seat() -> None:
    async with seating("maze", "human,scripted", options=SMALL) as scene:
        await scene.link(EPISODE, "agent_1")
        assert await refusal(scene, "openai/o3") == "nobody answers for openai/o3 in this run"
        assert await refusal(scene, "nobody/x") == "there is no agent 'nobody/x'"
        assert await refusal(scene, "scripted/latin") == "maze has no player 'scripted/latin'"
        assert await refusal(scene, "scripted@2>random") == "a seat is given to one agent, or one team"
        assert await refusal(scene, 7) == "agent is no text"
        operator = await scene.browser(OPERATOR)
        _, said = await operator.post("/api/episode/run/none/seats/a/take")
        assert said["error"] == "no episode 'none' of 'run' is being played"
        _, said = await operator.post(f"{SEATS}/agent_9/take")
        assert said["error"] == f"{EPISODE} has no seat 'agent_9'"
        assert await changes(scene) == []
