"""What goes wrong at A2A servers: each exception of the SDK becomes one line and a code."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import httpx
from a2a.client.errors import A2AClientError, AgentCardResolutionError
from a2a.utils import errors as sdk

from palaver_protocols.errors import AgentError, one_line

from ..providers.failures import MAY_PASS, code_of, retry_after_s
from .plain import FormatError

__all__ = ["SDK_ERRORS", "our_errors"]

SDK_ERRORS = (
    *(sdk.A2AError, httpx.HTTPError, FormatError),
    *(ValueError, RecursionError, TypeError, AttributeError, LookupError),
)
"""What the SDK raises, itself or by what a server has sent it: of JSON it expects more than it checks."""
CODES: dict[type[sdk.A2AError], str] = {
    sdk.ContentTypeNotSupportedError: "bad_request",
    sdk.ExtensionSupportRequiredError: "bad_request",
    sdk.InternalError: "server",
    sdk.InvalidParamsError: "bad_request",
    sdk.InvalidRequestError: "bad_request",
    sdk.MethodNotFoundError: "bad_request",
    sdk.TaskNotFoundError: "server",  # it was started anew, or has forgotten
    sdk.UnsupportedOperationError: "bad_request",
    sdk.VersionNotSupportedError: "version",
}


@contextmanager
def our_errors(url: str, token: str | None, timeout_s: float) -> Iterator[None]:
    """Let no exception of the SDK get past: each becomes an :class:`AgentError`, without the token in it."""
    try:
        yield
    except SDK_ERRORS as error:
        code, said, wait_s = _told(error, url, timeout_s)
        if token:
            said = said.replace(token, "***")
        mend = {"auth": "set A2A_TOKEN, or correct it"}.get(code, "")
        raise AgentError(
            one_line(said), code=code, retryable=code in MAY_PASS, retry_after_s=wait_s, mend=mend
        ) from error


def _told(error: Exception, url: str, timeout_s: float) -> tuple[str, str, float | None]:
    """Return an error's code, what to say of it, and how long to wait."""
    cause = error.__cause__ if isinstance(error, A2AClientError) else error
    no_card = isinstance(error, AgentCardResolutionError)
    match cause, error:
        case httpx.HTTPStatusError(response=response), _:
            return _by_status(response, url, no_card=no_card)
        case ((httpx.ConnectError() | httpx.ConnectTimeout()), _):
            code, said = "unreachable", f"nobody answers at {url}"
        case httpx.TimeoutException(), _:
            code, said = "timeout", f"no answer from {url} within {timeout_s:g} s"
        case httpx.RequestError(), _:
            code, said = "disconnected", f"the connection to {url} broke: {cause or type(cause).__name__}"
        case _, AgentCardResolutionError():
            code, said = "bad_card", f"{url} has no agent card that we can read: {error}"
        case _, sdk.A2AError():
            code, said = CODES.get(type(error), "bad_response"), f"{url} answers: {error}"
        case _:
            code, said = "bad_response", f"{url} answers what cannot be read: {type(error).__name__}: {error}"
    return code, said, None


def _by_status(response: httpx.Response, url: str, *, no_card: bool) -> tuple[str, str, float | None]:
    status = response.status_code
    code = code_of(status, "")
    said = "it has no agent card" if no_card else "it refuses the question"
    if code == "auth":
        said = "it does not let us in"
    elif response.is_redirect:
        code, said = "bad_card", "it sends us elsewhere; name the URL that it means"
    elif code not in MAY_PASS:
        code = "bad_card" if no_card else "bad_request"
    wait_s = retry_after_s(response.headers, datetime.now(UTC)) if code in MAY_PASS else None
    return code, f"{url}: {said} (status {status})", wait_s
