"""What goes wrong at providers that speak OpenAI's chat completions, sorted by what the asker can do about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import aiohttp
import openai

from palaver_protocols.errors import AgentError

from .endpoint import Endpoint
from .failures import code_of, failure, lost, retry_after_s, sentence_in

__all__ = ["our_errors"]

BY_CODE = {
    "billing_hard_limit_reached": "quota",
    "billing_not_active": "quota",
    "context_length_exceeded": "context_length",
    "insufficient_quota": "quota",
    "model_not_found": "unknown_model",
}
"""What a provider's own code says more exactly than the status that comes with it."""


@contextmanager
def our_errors(endpoint: Endpoint, timeout_s: float) -> Iterator[None]:
    """Let no exception of the SDK get past here: each becomes an :class:`AgentError`."""
    try:
        yield
    except openai.APIStatusError as error:
        raise _refused(endpoint, error) from None  # its text may quote the key
    except TimeoutError as error:
        raise failure(endpoint, f"no answer within {timeout_s:g} s", "timeout") from error
    except (openai.APIConnectionError, aiohttp.ClientError) as error:
        raise lost(endpoint, error, timeout_s) from error


def _refused(endpoint: Endpoint, error: openai.APIStatusError) -> AgentError:
    """Read an answer whose status says that it is an error."""
    said = sentence_in(error.body)
    code = _code(error, said)
    mends = {
        "auth": f"check {endpoint.key_variable}",
        "quota": "look at the account's plan and billing",
        "unknown_model": f"check the model's name, and the URL {endpoint.base_url}",
    }
    if error.status_code == 401:  # what is said then quotes the key
        said = f"the key in {endpoint.key_variable} is refused" if endpoint.key else "it wants a key"
        mends["auth"] = f"set {endpoint.key_variable} to a valid key"
    wait = retry_after_s(error.response.headers, datetime.now(UTC))
    return failure(endpoint, f"{said} (status {error.status_code})", code, mends.get(code, ""), wait)


def _code(error: openai.APIStatusError, said: str) -> str:
    """Sort an error: by the provider's own code, by status, by what it says."""
    for code in (str(error.code), str(error.type)):
        if code in BY_CODE:
            return BY_CODE[code]
    return code_of(error.status_code, said)
