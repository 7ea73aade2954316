"""People on a shared bus, through the end of the process that seats them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

from palaver_agents.human import HUMAN, Hall, PeopleStore, Place, Tokens, people_service, serve_people
from palaver_agents.journal import AgentJournal
from palaver_broker.redis import RedisBroker
from tests.redis_server import RedisServer, fresh_bus
from tests.support import BOX, a_request, ask, until

PLACE = Place("run", "e0", "a")


@asynccontextmanager
async def people(url: str, folder: Path) -> AsyncIterator[Hall]:
    """Seat people as a dashboard does: their claims and answers are on disk."""
    hall = Hall(Tokens.kept_in(folder), PeopleStore(folder / "bus"))
    async with RedisBroker(url) as broker, aclosing(AgentJournal.open(folder, HUMAN)) as journal:
        service = people_service(broker, hall, journal=journal, consumer=journal.consumer)
        serving = asyncio.create_task(serve_people(broker, hall, service))
        try:
            yield hall
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            hall.close()


async def test_a_restart_in_mid_turn_loses_neither_seat_nor_question_and_the_answer_lands_once(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    url, request = fresh_bus(redis_server), a_request(agent=HUMAN)
    async with RedisBroker(url) as broker, broker.subscribe(BOX, "gamemasters", consumer="test") as answers:
        async with people(url, tmp_path) as hall:
            assert await ask(broker, request) == "asked"
            await until(lambda: (chair := hall.chair_of(PLACE)) is not None and chair.asked is not None)
            token = hall.tokens.of_seat(PLACE)
            hall.claim(hall.chair_at(token), "me", "calm-otter-42")

        async with people(url, tmp_path) as hall:
            await until(lambda: (chair := hall.chair_of(PLACE)) is not None and chair.asked is not None)
            chair = hall.chair_at(token)
            assert chair.claim is not None
            assert chair.claim.who == "calm-otter-42"
            hall.say(chair, "me", request.key, "Here I am.")
            async with asyncio.timeout(10):
                delivery = await anext(answers)
            assert (delivery.message.text, delivery.message.model) == ("Here I am.", "calm-otter-42")
            await delivery.ack()
            assert await ask(broker, request) == "answered"
            async with asyncio.timeout(10):
                assert (await anext(answers)).message == delivery.message
