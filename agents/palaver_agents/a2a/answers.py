"""Reading what an A2A server says: a message, or a task at its end."""

from collections.abc import Iterable
from typing import Any

from a2a.types import Artifact, Message, Part, StreamResponse, Task, TaskState, TaskStatus

from palaver_protocols.content import Text
from palaver_protocols.errors import AgentError, one_line
from palaver_protocols.messages import TurnRequest
from palaver_protocols.roles import unlabelled

from ..model import Completion
from .card import Server
from .extension import read_extras, read_trouble
from .plain import plain
from .web import ANSWER_BYTES

__all__ = ["PROVIDER", "completion", "is_settled", "told"]

PROVIDER = "a2a"

UNDER_WAY = frozenset({TaskState.TASK_STATE_UNSPECIFIED, TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING})
TROUBLES: dict[int, tuple[str, str, bool]] = {
    TaskState.TASK_STATE_FAILED: ("failed", "it failed", True),
    TaskState.TASK_STATE_REJECTED: ("rejected", "it rejects the question", False),
    TaskState.TASK_STATE_CANCELED: ("cancelled", "it has cancelled the question", True),
    TaskState.TASK_STATE_AUTH_REQUIRED: ("auth", "it wants us to log in elsewhere first", False),
}
"""Ends of a task that are no answer: the error's code, what happened, and whether asking again may help."""
NOT_TEXT = {
    "raw": "a file or picture",
    "url": "a file by its URL, which is never fetched",
    "data": "data",
    None: "an empty part",
}


def is_settled(task: Task) -> bool:
    """Whether a task waits for nothing but us."""
    return task.status.state not in UNDER_WAY


def told(task: Task, event: StreamResponse) -> Task:
    """Return a task after another event of its stream; whatever is no news of it changes nothing."""
    match event.WhichOneof("payload"):
        case "task":
            return event.task
        case "status_update":
            task.id = event.status_update.task_id
            task.context_id = event.status_update.context_id
            task.status.CopyFrom(event.status_update.status)
            task.metadata.MergeFrom(event.status_update.metadata)
        case "artifact_update":
            task.id = event.artifact_update.task_id
            _put(task, event.artifact_update.artifact, append=event.artifact_update.append)
    return task


def _put(task: Task, artifact: Artifact, *, append: bool) -> None:
    """Keep an artifact, or a chunk of one: chunks of text are one text, as models stream it."""
    known = next((each for each in task.artifacts if each.artifact_id == artifact.artifact_id), None)
    if known is None:
        task.artifacts.append(artifact)
        return
    if not append:
        known.CopyFrom(artifact)
        return
    parts = list(artifact.parts)
    if parts and known.parts and known.parts[-1].HasField("text") and parts[0].HasField("text"):
        known.parts[-1].text += parts.pop(0).text
    known.parts.extend(parts)
    known.metadata.MergeFrom(artifact.metadata)


def completion(answer: Task | Message, server: Server, request: TurnRequest) -> Completion:
    """Read an answer.

    Raises:
        AgentError: it is none; says why, in one line.
    """
    if isinstance(answer, Message):
        texts, metadata = _texts(answer.parts), plain(answer.metadata)
    else:
        texts, metadata = _outcome(answer, server)
    if not texts:
        raise AgentError("it came to an end without an answer", code="bad_response", retryable=True)
    said = "\n".join(texts)
    if len(said) > ANSWER_BYTES:
        raise AgentError(f"an answer of {len(said):,} letters is too large", code="too_large", retryable=False)
    usage, finish_reason = read_extras(metadata)
    return Completion(
        parts=(Text(text=said if server.knows_us else _bare(said, request)),),
        provider=PROVIDER,
        model=server.model,
        finish_reason=finish_reason,
        usage=usage,
        unverified=True,
    )


def _outcome(task: Task, server: Server) -> tuple[list[str], dict[str, Any]]:
    """Return the texts of a task that has an answer, and what it says besides."""
    status = task.status
    if status.state in TROUBLES:
        raise _trouble(status, server)
    metadata = plain(task.metadata) | plain(status.message.metadata)
    told_last = _texts(status.message.parts)
    if status.state == TaskState.TASK_STATE_INPUT_REQUIRED and told_last:
        return told_last, metadata
    texts: list[str] = []
    for artifact in task.artifacts:
        texts += _texts(artifact.parts)
        metadata |= plain(artifact.metadata)
    # Many servers say at the end of a task once more what its artifact holds.
    return (texts if texts and "\n".join(told_last) in ("\n".join(texts), "") else texts + told_last), metadata


def _trouble(status: TaskStatus, server: Server) -> AgentError:
    code, happened, retryable = TROUBLES[status.state]
    said = one_line(" ".join(part.text for part in status.message.parts if part.HasField("text")))
    trouble = read_trouble(plain(status.message.metadata)) if server.knows_us else None
    if trouble is not None:
        return AgentError(
            said or happened, code=trouble.code, retryable=trouble.retryable, retry_after_s=trouble.retry_after_s
        )
    return AgentError(f"{happened}: {said}" if said else happened, code=code, retryable=retryable)


def _texts(parts: Iterable[Part]) -> list[str]:
    texts = []
    for part in parts:
        kind = part.WhichOneof("content")
        if kind != "text":
            raise AgentError(
                f"it answers with {NOT_TEXT.get(kind, 'something')}; only text is taken",
                code="not_text",
                retryable=False,
            )
        texts.append(part.text)
    return texts


def _bare(said: str, request: TurnRequest) -> str:
    """Return an answer without white space at its ends, and without the label that a seat is asked to leave out."""
    text = said.strip()
    return unlabelled(text, request.seat, request.protocol) if request.partners else text
