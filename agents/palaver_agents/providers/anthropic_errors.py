"""What goes wrong at Anthropic's Messages API, sorted by what the asker can do about it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import anthropic

from palaver_protocols.errors import AgentError

from .endpoint import Endpoint
from .failures import code_of, line_errors, refused, sentence_in

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
    with line_errors(endpoint, timeout_s, anthropic.AnthropicError):
        try:
            yield
        except anthropic.APIStatusError as error:
            raise _refused(endpoint, error) from None  # its text may quote the key


def _refused(endpoint: Endpoint, error: anthropic.APIStatusError) -> AgentError:
    """Read an answer whose status says that it is an error."""
    said = sentence_in(error.body)
    code = _code(error, said)
    mends = {"quota": "look at the account's credit and its spend limits"}
    if error.response.is_redirect:
        said, mends["bad_request"] = "it has moved", f"check the URL {endpoint.base_url}"
    return refused(
        endpoint,
        said,
        error.status_code,
        code,
        error.response.headers,
        mends=mends,
        wrong_key=error.status_code == 401,
    )


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
