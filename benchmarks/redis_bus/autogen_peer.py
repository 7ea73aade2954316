"""AutoGen's gRPC runtime, the way its documentation shows: a host, a worker with agents, a worker that asks them."""
# Runs in the peers' own environment, which type checkers do not see: AutoGen is Any here, bases and decorators too.
# mypy: disable-error-code="import-not-found,untyped-decorator,misc"

import asyncio

from autogen_core import AgentId, MessageContext, RoutedAgent, message_handler, try_get_known_serializers_for_type
from autogen_ext.runtimes.grpc import GrpcWorkerAgentRuntime, GrpcWorkerAgentRuntimeHost

from .peer_messages import Answer, Question
from .workload import AGENTS, Job, Message, answer, play, read_job, serve


class Player(RoutedAgent):
    """An agent that answers after a while."""

    def __init__(self, think_s: float) -> None:
        super().__init__("Says the next number")
        self._think_s = think_s

    @message_handler
    async def reply(self, message: Question, ctx: MessageContext) -> Answer:
        if self._think_s:
            await asyncio.sleep(self._think_s)
        return Answer.model_validate(answer(message.model_dump()))


async def host(job: Job) -> None:
    """What stands between the workers."""
    server = GrpcWorkerAgentRuntimeHost(job.address)
    server.start()
    await serve()


async def connect(job: Job) -> GrpcWorkerAgentRuntime:
    """Open a worker's runtime that knows the messages."""
    runtime = GrpcWorkerAgentRuntime(job.address)
    for message in (Question, Answer):
        runtime.add_message_serializer(try_get_known_serializers_for_type(message))
    await runtime.start()
    return runtime


async def agents(job: Job) -> None:
    """Both agents."""
    runtime = await connect(job)
    for agent in AGENTS:
        await Player.register(runtime, agent, lambda: Player(job.think_s))
    await serve()


async def games(job: Job) -> None:
    """All games."""
    runtime = await connect(job)

    async def ask(question: Message) -> int:
        reply: Answer = await runtime.send_message(
            Question.model_validate(question), AgentId(question["agent"], "default")
        )
        return reply.turn

    await play(job.games, ask)


if __name__ == "__main__":
    job = read_job()
    asyncio.run({"host": host, "agents": agents, "games": games}[job.role](job))
