"""Agents that are somebody else's programs: what is said between them and the bus, and when they are believed.

A stranger is asked as every agent is, by a :class:`~palaver_protocols.messages.TurnRequest`, and answers with a
:class:`~palaver_protocols.messages.TurnReply` or a :class:`~palaver_protocols.messages.TurnFailure`. Besides, it says
who it is (:class:`AgentHello`), and is told what became of what it said (:class:`Notice`). Whatever way an answer has
come, :func:`read_stranger` and :func:`vetted` have looked at it before anything is done with it.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from .codec import explain
from .content import Text
from .errors import PalaverError, VersionError, one_line
from .messages import ECHOED, VERSION, TurnFailure, TurnReply, TurnRequest, Usage, Wire

__all__ = [
    "LIMITS",
    "NAME_MEND",
    "AgentHello",
    "Limits",
    "Notice",
    "Reason",
    "RefusedError",
    "is_stranger",
    "read_stranger",
    "stranger",
    "vetted",
]

PREFIX = "bus/"
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
NAME_MEND = "take 1 to 32 of a-z, 0-9 and '-', no '-' first or last"

Reason = Literal[
    "too_large", "not_json", "version", "malformed", "mismatch", "not_text", "closed", "too_fast", "revoked"
]
"""Why a message was refused.

``too_large``: more bytes than are allowed. ``not_json``, ``version``, ``malformed``: it cannot be read, speaks another
major version, or breaks the schema. ``mismatch``: it names another agent, or does not repeat its question's names.
``not_text``: an answer with something else in it than text. ``closed``: no such question is open to this agent: it was
never asked, has been answered or withdrawn, or its time is over. ``too_fast``: more messages than are allowed.
``revoked``: the agent may not be here any more.
"""

MOST_TOKENS = 10_000_000
MOST_USD = 1000.0
LONGEST_WAIT_S = 300.0
"""Seconds that a failure may ask us to wait."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a stranger may do. Messages are counted by the second, with some to spare for a burst."""

    message_bytes: int = 256 * 1024
    per_second: float = 50.0
    burst: int = 200
    connections: int = 4
    concurrency: int = 64
    """Questions that may be with it at a time, however many it says it can take."""


LIMITS = Limits()


Line = Annotated[str, Field(max_length=200), AfterValidator(one_line)]
"""Words for people: no control characters survive."""


class AgentHello(Wire):
    """An agent says that it is there, and again every 20 seconds or so; ``key`` is any text of its own.

    ``software``, ``provider`` and ``model`` are for people and reports. ``pictures`` is whether it can see;
    ``concurrency`` how many questions it takes at a time, where whoever brings them can heed it.
    """

    type: Literal["agent.hello"] = "agent.hello"
    agent: str
    software: Line = ""
    provider: Line = ""
    model: Line = ""
    pictures: bool = True
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 1


class Notice(Wire):
    """What became of something; ``key`` is that of the question or of the message, empty if none could be read.

    ``accepted``: the answer is durable. ``duplicate``: the question had been answered before, and nothing has changed.
    ``cancelled``: the question has been withdrawn, and its answer would be refused. ``refused``: nothing was done;
    ``reason`` says why in a word, ``message`` in a line.
    """

    type: Literal["notice"] = "notice"
    agent: str
    code: Literal["accepted", "duplicate", "cancelled", "refused"]
    reason: Reason | None = None
    message: str = ""


class RefusedError(PalaverError):
    """A stranger's message that is not taken. ``key`` is what it is about, empty where that cannot be read."""

    def __init__(self, reason: Reason, message: str, key: str = "") -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.key = key

    def notice(self, agent: str) -> Notice:
        """Tell the agent."""
        return Notice(key=self.key, agent=agent, code="refused", reason=self.reason, message=self.message)


def stranger(name: str) -> str:
    """Return what an agent of this name is called where seats are filled: ``bus/NAME``."""
    return PREFIX + name


def is_stranger(agent: str) -> bool:
    """Whether this is the full name of somebody else's program: ``bus/NAME``."""
    return agent.startswith(PREFIX) and NAME.fullmatch(agent, len(PREFIX)) is not None


_adapter: TypeAdapter[TurnReply | TurnFailure | AgentHello] = TypeAdapter(
    Annotated[TurnReply | TurnFailure | AgentHello, Field(discriminator="type")]
)
_KEY = re.compile(r'"key"\s*:\s*"([^"\\]{1,200})"')


def read_stranger(raw: bytes, agent: str, limits: Limits = LIMITS) -> TurnReply | TurnFailure | AgentHello:
    """Read what an agent has said.

    Args:
        raw: its bytes.
        agent: who has said it, as whoever let it in knows: ``bus/NAME``.
        limits: what it may do.

    Raises:
        RefusedError: it is too large, cannot be read, or speaks for somebody else.
    """
    if len(raw) > limits.message_bytes:
        raise RefusedError("too_large", f"{len(raw):,} bytes, and {limits.message_bytes:,} are allowed")
    try:
        message = _adapter.validate_json(raw, strict=True)
    except ValidationError as error:
        problem = explain(raw, error)
        found = _KEY.search(raw.decode(errors="replace"))
        reason: Reason = "malformed"
        if isinstance(problem, VersionError):
            reason = "version"
        elif error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
            reason = "not_json"
        raise RefusedError(reason, str(problem), one_line(found[1]) if found else "") from error
    key = one_line(message.key, 200)
    if "version" not in message.model_fields_set:
        raise RefusedError("malformed", f"version: it is missing; this is {VERSION}", key)
    if message.agent != agent:
        raise RefusedError("mismatch", f"agent is {one_line(message.agent, 100)!r}, and you are {agent!r}", key)
    return message


def vetted(answer: TurnReply | TurnFailure, request: TurnRequest, age_s: float) -> TurnReply | TurnFailure:
    """Return a stranger's answer as it may be used: what we know better than it does is as we know it.

    It has taken ``age_s`` seconds; what it says that it has used is kept, and counts against no budget.

    Raises:
        RefusedError: it does not belong to the request, or holds what no answer may hold.
    """
    for name in ECHOED:
        said, asked = getattr(answer, name), getattr(request, name)
        if said != asked:
            raise RefusedError("mismatch", f"{name} is {one_line(str(said), 100)!r}, not {asked!r}", request.key)
    if isinstance(answer, TurnFailure):
        wait_s = None if answer.retry_after_s is None else min(answer.retry_after_s, LONGEST_WAIT_S)
        cleaned = {"code": one_line(answer.code, 40), "message": one_line(answer.message, 500), "retry_after_s": wait_s}
        return answer.model_copy(update=cleaned)
    if not all(isinstance(part, Text) for part in answer.parts):
        raise RefusedError("not_text", "an answer is text; pictures are not taken", request.key)
    _check_bill(answer, request.key)
    return answer.model_copy(
        update={
            "provider": one_line(answer.provider, 200),
            "model": one_line(answer.model, 200),
            "latency_s": round(age_s, 3),
            "sent": None,
            "cached": False,
            "unverified": True,
        }
    )


def _check_bill(answer: TurnReply, key: str) -> None:
    usage: Usage = answer.usage
    if max(usage.input_tokens, usage.output_tokens) > MOST_TOKENS:
        raise RefusedError("malformed", f"usage: no turn takes so many tokens (at most {MOST_TOKENS:,})", key)
    for part, whole in (("reasoning_tokens", "output_tokens"), ("cached_tokens", "input_tokens")):
        if getattr(usage, part) > getattr(usage, whole):
            raise RefusedError("malformed", f"usage: {part} are among {whole}, and are more than these", key)
    if (answer.cost_usd or 0.0) > MOST_USD:
        raise RefusedError("malformed", f"cost_usd: no turn costs more than {MOST_USD:,.0f}", key)
