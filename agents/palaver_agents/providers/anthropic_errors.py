"""What goes wrong at Anthropic's Messages API, sorted by what the asker can do about it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import aiohttp
import anthropic

from palaver_protocols.errors import AgentError

from .endpoint import Endpoint
from .failures import code_of, failure, lost, retry_after_s, sentence_in

__all__ = ["is_filtered", "our_errors"]

BY_CAUSE = {
    "contract_spend_limit_reached": "quota",
    "enforced_spend_limit_reached": "quota",
    "linked_organization_billing_unavailable": "quota",
    "linked_organization_spend_limit_reached": "quota",
    "organization_on_hold": "auth",
}
"""What the API's own ``error_code`` says more exactly than the status: a spent budget comes as 429, as haste does."""
BY_TYPE = {"billing_error": "quota", "overloaded_error": "overloaded", "request_too_large": "context_length"}
"""What the error's type says, whatever status a server in between has made of it."""
NO_MONEY = re.compile(r"credit balance is too low|reached your specified .*usage limit", re.IGNORECASE)
"""An empty account, or a limit that its owner set. Both come as plain 400, and nothing but the sentence tells them."""
TOO_LONG = re.compile(r"exceed context limit", re.IGNORECASE)
"""The prompt would fit, but not together with the answer that it asks for."""
FILTERED = re.compile(r"blocked by content filtering policy", re.IGNORECASE)
"""The model has answered, and a filter has thrown the answer away: status 400 as well."""


def is_filtered(body: object) -> bool:
    """Tell whether an error's body says that an answer was there and fell to the content filter."""
    return bool(FILTERED.search(sentence_in(body)))


@contextmanager
def our_errors(endpoint: Endpoint, timeout_s: float) -> Iterator[None]:
    """Let no exception of the SDK get past here: each becomes an :class:`AgentError`."""
    try:
        yield
    except anthropic.APIStatusError as error:
        raise _refused(endpoint, error) from None  # its text may quote the key
    except TimeoutError as error:
        raise failure(endpoint, f"no answer within {timeout_s:g} s", "timeout") from error
    except (anthropic.AnthropicError, aiohttp.ClientError) as error:
        raise lost(endpoint, error, timeout_s) from error


def _refused(endpoint: Endpoint, error: anthropic.APIStatusError) -> AgentError:
    """Read an answer whose status says that it is an error."""
    said = sentence_in(error.body)
    code = _code(error, said)
    mends = {
        "auth": f"check {endpoint.key_variable}",
        "quota": "look at the account's credit and its spend limits",
        "unknown_model": f"check the model's name, and the URL {endpoint.base_url}",
    }
    if error.status_code == 401:  # what is said then may quote the key
        said = f"the key in {endpoint.key_variable} is refused" if endpoint.key else "it wants a key"
        mends["auth"] = f"set {endpoint.key_variable} to a valid key"
    if error.response.is_redirect:
        said, mends["bad_request"] = "it has moved", f"check the URL {endpoint.base_url}"
    wait = retry_after_s(error.response.headers, datetime.now(UTC))
    return failure(endpoint, f"{said} (status {error.status_code})", code, mends.get(code, ""), wait)


def _code(error: anthropic.APIStatusError, said: str) -> str:
    """Sort an error: by the API's own code and type, by what it says, by status."""
    if error.error_code in BY_CAUSE:
        return BY_CAUSE[error.error_code]
    if str(error.type) in BY_TYPE:
        return BY_TYPE[str(error.type)]
    if error.status_code == 400 and NO_MONEY.search(said):
        return "quota"
    if error.status_code == 400 and TOO_LONG.search(said):
        return "context_length"
    return code_of(error.status_code, said)
