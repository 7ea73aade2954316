"""What palaver adds to A2A: a whole question in a data part, and what an answer took in its metadata.

A server that understands it names :data:`EXTENSION` in its card. Only such a server is sent the data part, and what it
answers is taken as it is: between two palavers nothing is lost. Everybody else is sent text and pictures.
"""

from typing import Annotated, Any

from pydantic import Field, ValidationError

from palaver_protocols.content import Frozen
from palaver_protocols.errors import AgentError, one_line
from palaver_protocols.messages import FinishReason, Usage

from ..model import Completion

__all__ = ["DATA_TYPE", "EXTENSION", "Trouble", "extras_of", "read_extras", "read_trouble", "trouble_of"]

EXTENSION = "urn:palaver:a2a:turn:1"
"""The extension's URI."""
DATA_TYPE = "application/vnd.palaver.turn-request+json"
"""The media type of the data part: a text that holds a :class:`~palaver_protocols.messages.TurnRequest` as JSON.

It is a text, since A2A's own data keep neither the order of names nor whole numbers.
"""
MOST_TOKENS = 10_000_000
"""No turn takes more; a count beyond is nonsense."""
LONGEST_WAIT_S = 300.0

_Tokens = Annotated[int, Field(ge=0, le=MOST_TOKENS)]


class _Usage(Frozen):
    input_tokens: _Tokens = 0
    output_tokens: _Tokens = 0
    reasoning_tokens: _Tokens = 0
    cached_tokens: _Tokens = 0


class _Extras(Frozen):
    """What an answer took, and why it ends where it does."""

    usage: _Usage = _Usage()
    finish_reason: FinishReason = "stop"


class Trouble(Frozen):
    """Why there is no answer, as :class:`~palaver_protocols.errors.AgentError` has it."""

    code: str
    retryable: bool
    retry_after_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


def extras_of(completion: Completion) -> dict[str, Any]:
    """Write what an answer took, as metadata."""
    return {EXTENSION: {"usage": completion.usage.model_dump(), "finish_reason": completion.finish_reason}}


def read_extras(metadata: dict[str, Any]) -> tuple[Usage, FinishReason]:
    """Read what an answer took; nothing of it where it cannot be read. Others may say ``usage`` without a name."""
    said = metadata.get(EXTENSION, metadata)
    try:
        extras = _Extras.model_validate(said)
    except ValidationError:
        return Usage(), "stop"
    usage = extras.usage
    return Usage.model_validate(
        {
            **usage.model_dump(),
            "reasoning_tokens": min(usage.reasoning_tokens, usage.output_tokens),
            "cached_tokens": min(usage.cached_tokens, usage.input_tokens),
        }
    ), extras.finish_reason


def trouble_of(error: AgentError) -> dict[str, Any]:
    """Write why there is no answer, as metadata."""
    return {
        EXTENSION: Trouble(code=error.code, retryable=error.retryable, retry_after_s=error.retry_after_s).model_dump()
    }


def read_trouble(metadata: dict[str, Any]) -> Trouble | None:
    """Read why there is no answer; None where nobody says so in our words."""
    try:
        trouble = Trouble.model_validate(metadata.get(EXTENSION))
    except ValidationError:
        return None
    wait_s = None if trouble.retry_after_s is None else min(trouble.retry_after_s, LONGEST_WAIT_S)
    return Trouble(code=one_line(trouble.code, 40), retryable=trouble.retryable, retry_after_s=wait_s)
