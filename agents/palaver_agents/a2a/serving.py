"""An agent of ours behind A2A: each message is a question of its own, and its task ends with the answer."""

import asyncio
from collections import OrderedDict

import structlog
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import EventQueue
from a2a.server.tasks import InMemoryTaskStore, TaskStore, TaskUpdater
from a2a.types import ListTasksRequest, ListTasksResponse, Task, TaskState, TaskStatus

from palaver_protocols.errors import AgentError, PalaverError, ProtocolError, one_line

from ..model import Completion, Model
from .extension import extras_of, trouble_of
from .reading import read_question
from .writing import text_part

__all__ = ["FewTasks", "ModelExecutor", "begin", "updater_of"]

TASKS = 512
"""How many tasks are remembered; the oldest is forgotten first."""
GRACE_S = 5.0
"""How long after its time is over a model may take to say so itself."""


class ModelExecutor(AgentExecutor):
    """Lets a model answer.

    Args:
        model: what answers.
        name: the agent's name.
        concurrency: how many messages it may have at a time; more are turned away.
    """

    def __init__(self, model: Model, name: str, concurrency: int) -> None:
        self._model = model
        self._name = name
        self._concurrency = concurrency
        self._busy = 0

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer one message; whatever happens becomes the end of its task."""
        updater = await begin(context, event_queue)
        self._busy += 1
        try:
            completion = await self._answer(context)
        except ProtocolError as error:
            await updater.reject(updater.new_agent_message([text_part(one_line(str(error)))]))
        except AgentError as error:
            said = updater.new_agent_message([text_part(one_line(str(error)))], trouble_of(error))
            await updater.failed(said)
        else:
            await updater.add_artifact([text_part(completion.text)], name="answer", metadata=extras_of(completion))
            await updater.complete()
        finally:
            self._busy -= 1

    async def _answer(self, context: RequestContext) -> Completion:
        assert context.message is not None
        request = read_question(context.message, self._name)
        if self._busy > self._concurrency:
            raise AgentError(f"{self._name} is busy; ask again later", code="overloaded", retryable=True)
        try:
            async with asyncio.timeout(request.timeout_s + GRACE_S):
                return await self._model.complete(request)
        except AgentError:
            raise
        except TimeoutError as error:
            late = f"no answer within {request.timeout_s:g} s"
            raise AgentError(late, code="timeout", retryable=True) from error
        except PalaverError as error:
            raise AgentError(str(error), code="server", retryable=True) from error
        except Exception as error:
            structlog.get_logger().exception("agent raised", agent=self._name)
            raise AgentError(f"it raised {type(error).__name__}", code="bug", retryable=False) from error

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Say that the work has ended; the SDK ends it."""
        await updater_of(context, event_queue).cancel()


async def begin(context: RequestContext, event_queue: EventQueue) -> TaskUpdater:
    """Make a task of a message, if it belongs to none yet, so that its client can follow it and call it off."""
    if context.current_task is None:
        task = Task(
            id=context.task_id, context_id=context.context_id, status=TaskStatus(state=TaskState.TASK_STATE_WORKING)
        )
        await event_queue.enqueue_event(task)
    return updater_of(context, event_queue)


def updater_of(context: RequestContext, event_queue: EventQueue) -> TaskUpdater:
    """Return what tells a client of its task. A client may name its task without the context, which is the task's."""
    task = context.current_task
    task_id, context_id = (task.id, task.context_id) if task else (context.task_id, context.context_id)
    assert task_id is not None
    assert context_id is not None
    return TaskUpdater(event_queue, task_id, context_id)


class FewTasks(TaskStore):
    """Remembers some tasks, and nothing of what was said in them before: pictures would fill the memory."""

    def __init__(self, most: int = TASKS) -> None:
        self._tasks = InMemoryTaskStore()
        self._contexts: OrderedDict[str, ServerCallContext] = OrderedDict()
        self._most = most

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Remember a task."""
        kept = Task()
        kept.CopyFrom(task)
        kept.ClearField("history")
        await self._tasks.save(kept, context)
        self._contexts[task.id] = context
        self._contexts.move_to_end(task.id)
        while len(self._contexts) > self._most:
            oldest, its_context = self._contexts.popitem(last=False)
            await self._tasks.delete(oldest, its_context)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task."""
        return await self._tasks.get(task_id, context)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks."""
        return await self._tasks.list(params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Forget a task."""
        self._contexts.pop(task_id, None)
        await self._tasks.delete(task_id, context)
