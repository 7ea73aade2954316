"""FastStream on Redis streams, the way its documentation shows: subscribers in a group, models, a publisher."""
# Runs in the peers' own environment, which type checkers do not see: FastStream is Any here, and so are its decorators.
# mypy: disable-error-code="import-not-found,untyped-decorator"

import asyncio
import logging

from faststream.redis import RedisBroker, StreamSub

from .peer_messages import Answer, Question
from .workload import AGENTS, Job, Message, answer, play, read_job, serve


def connect(job: Job) -> RedisBroker:
    """Make a broker that does not write a line of log for every message, and does not run out of connections."""
    return RedisBroker(job.address, max_connections=2 * job.games + 10, log_level=logging.ERROR, logger=None)


def inbox(stream: str) -> StreamSub:
    """Read a stream as a member of a group, as much at a time as there is."""
    return StreamSub(stream, group="readers", consumer="me", last_id="0")


async def agents(job: Job) -> None:
    """Both agents; each has as many workers as there are games, so that nobody waits for another's thought."""
    broker = connect(job)

    async def reply(question: Question) -> Answer:
        if job.think_s:
            await asyncio.sleep(job.think_s)
        return Answer.model_validate(answer(question.model_dump()))

    for agent in AGENTS:
        subscribed = broker.subscriber(stream=inbox(f"in:{agent}"), max_workers=job.games)
        subscribed(broker.publisher(stream="answers")(reply))
    await broker.start()
    await serve()


async def games(job: Job) -> None:
    """All games."""
    broker = connect(job)
    waiting: dict[str, asyncio.Future[int]] = {}

    @broker.subscriber(stream=inbox("answers"))
    async def wake(answer: Answer) -> None:
        waiting.pop(answer.key).set_result(answer.turn)

    async def ask(question: Message) -> int:
        arrival: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        waiting[question["key"]] = arrival
        await broker.publish(Question.model_validate(question), stream=f"in:{question['agent']}")
        return await arrival

    await broker.start()
    await play(job.games, ask)


if __name__ == "__main__":
    job = read_job()
    asyncio.run({"agents": agents, "games": games}[job.role](job))
