"""What goes wrong at providers that speak OpenAI's chat completions, sorted by what the asker can do about it."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import openai

from palaver_protocols.errors import AgentError

from .endpoint import Endpoint
from .failures import code_of, line_errors, refused, sentence_in

__all__ = ["is_filtered", "our_errors"]

BY_CODE = {
    "billing_hard_limit_reached": "quota",
    "billing_not_active": "quota",
    "context_length_exceeded": "context_length",
    "engine_overloaded_error": "overloaded",
    "exceeded_current_quota_error": "quota",
    "insufficient_quota": "quota",
    "invalid_api_key": "auth",
    "invalid_model": "unknown_model",
    "model_not_found": "unknown_model",
}
"""What a provider's own code, or type, says more exactly than the status that comes with it."""

BY_WORDS: tuple[tuple[frozenset[int], re.Pattern[str], str], ...] = (
    # xAI answers a wrong key with status 400, DeepSeek and OpenRouter an unknown model.
    (frozenset({400}), re.compile(r"(incorrect|invalid) api key", re.IGNORECASE), "auth"),
    (
        frozenset({400, 403}),
        re.compile(
            r"model not exist|not a valid model|(the|invalid) model\b.{0,80}(not exist|not found)", re.IGNORECASE
        ),
        "unknown_model",
    ),
    (
        frozenset({403, 429}),
        re.compile(r"insufficient (balance|credit|fund)|all available credits|(spending|billing) limit", re.IGNORECASE),
        "quota",
    ),
)
"""What the status misleads about and no code tells, but the words do."""

FILTERED = frozenset({"content_filter", "content_policy_violation", "invalid_prompt"})
FLAGGED = re.compile(r"content exists risk|content violates usage guidelines", re.IGNORECASE)
"""How DeepSeek and xAI say that a filter has stopped a dialogue; they have no code for it."""


@contextmanager
def our_errors(endpoint: Endpoint, timeout_s: float) -> Iterator[None]:
    """Let no exception of the SDK get past here: each becomes an :class:`AgentError`."""
    with line_errors(endpoint, timeout_s, openai.APIConnectionError):
        try:
            yield
        except openai.APIStatusError as error:
            raise _refused(endpoint, error) from None  # its text may quote the key


def is_filtered(error: object) -> bool:
    """Say whether an error is the verdict of a content filter.

    Such a call was in order, and so was the line: what the agents have said is what was refused. That is a result of
    the episode, as it is with the finish reason of the same name, and no failure of the infrastructure.

    Args:
        error: what stands under ``error`` in an answer.
    """
    if not isinstance(error, Mapping):
        return bool(FLAGGED.search(str(error or "")))
    metadata = error.get("metadata")
    # OpenRouter's moderation says why it flagged the input, and has no code of its own.
    flagged = isinstance(metadata, Mapping) and "flagged_input" in metadata
    coded = {str(error.get("code")), str(error.get("type"))} & FILTERED
    return flagged or bool(coded) or is_filtered(error.get("message"))


def _refused(endpoint: Endpoint, error: openai.APIStatusError) -> AgentError:
    """Read an answer whose status says that it is an error."""
    said = sentence_in(error.body)
    code = _code(error, said)
    return refused(
        endpoint,
        said,
        error.status_code,
        code,
        error.response.headers,
        mends={"quota": "look at the account's plan and billing"},
        wrong_key=code == "auth" and error.status_code != 403,
    )


def _code(error: openai.APIStatusError, said: str) -> str:
    """Sort an error: by the provider's own code, by what it says, by status."""
    for code in (str(error.code), str(error.type)):
        if code in BY_CODE:
            return BY_CODE[code]
    for statuses, words, code in BY_WORDS:
        if error.status_code in statuses and words.search(said):
            return code
    return code_of(error.status_code, said)
