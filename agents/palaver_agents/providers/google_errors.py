"""What goes wrong at Google's Gemini API, sorted by what the asker can do about it."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from json import JSONDecodeError
from typing import Any

from google.genai._api_client import EphemeralTokenAPIKeyError  # raised there, and exported nowhere
from google.genai.errors import APIError

from palaver_protocols.errors import AgentError

from .endpoint import Endpoint
from .failures import code_of, failure, line_errors, refused, sentence_in, usual_mends, valid_key

__all__ = ["our_errors"]

BY_REASON = {"API_KEY_INVALID": "auth", "BILLING_DISABLED": "quota"}
"""What google.rpc.ErrorInfo says more exactly than the status. A wrong key has status 400 here."""
BY_WORDS = (
    (429, re.compile(r"limit: 0\b|credits are depleted|spending cap", re.IGNORECASE), "quota"),
    (400, re.compile(r"billing", re.IGNORECASE), "quota"),
    (400, re.compile(r"model name format", re.IGNORECASE), "unknown_model"),
    (503, re.compile(r"overloaded|high demand", re.IGNORECASE), "overloaded"),
    (499, re.compile(""), "server"),  # cancelled, and not by us: nobody would be here to read it
)
"""What is told in words only, by status."""
DURATION = re.compile(r"(\d+(?:\.\d+)?)s")
"""Seconds as protocol buffers write them in JSON."""


@contextmanager
def our_errors(endpoint: Endpoint, timeout_s: float) -> Iterator[None]:
    """Let no exception of the SDK get past here: each becomes an :class:`AgentError`."""
    try:
        with line_errors(endpoint, timeout_s):
            yield
    except APIError as error:
        raise _refused(endpoint, error) from None  # its text holds the whole body, and may quote the key
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise failure(endpoint, f"the answer is no JSON: {error}", "bad_response") from error
    except EphemeralTokenAPIKeyError:
        raise failure(endpoint, "a token for the live API is no key", "auth", valid_key(endpoint)) from None
    except ImportError as error:  # the one variable that the SDK reads whatever it is told
        raise failure(endpoint, str(error), "bad_request", "unset GOOGLE_GENAI_HTTP_CLIENT") from error


def _refused(endpoint: Endpoint, error: APIError) -> AgentError:
    """Read an answer whose status says that it is an error."""
    said = sentence_in(error.details)
    details = _details(error.details)
    code = _code(error, said, details)
    headers: Mapping[str, str] = getattr(error.response, "headers", {})
    mends = {code: _mend(endpoint, error, code, details)}
    return refused(endpoint, said, error.code, code, headers, mends=mends, wait_s=_delay_s(details))


def _code(error: APIError, said: str, details: list[Mapping[str, Any]]) -> str:
    """Sort an error: by the reasons it gives, by its status, by what it says."""
    for detail in details:
        if code := BY_REASON.get(str(detail.get("reason"))):
            return code
    if error.code == 429 and _is_daily(details):
        return "quota"
    by_words = (code for status, words, code in BY_WORDS if status == error.code and words.search(said))
    return next(by_words, None) or code_of(error.code, said)


def _mend(endpoint: Endpoint, error: APIError, code: str, details: list[Mapping[str, Any]]) -> str:
    """Say what would help."""
    if code == "auth":
        wrong = endpoint.key is None or error.code != 403
        return valid_key(endpoint) if wrong else usual_mends(endpoint)["auth"]
    if code == "quota" and _is_daily(details):
        return "resume when the daily quota is renewed, at midnight Pacific time, or enable billing"
    if code == "quota":
        return "look at the project's plan and billing"
    if code == "unknown_model" or 300 <= error.code < 400:
        return usual_mends(endpoint)["unknown_model"]
    if error.status == "FAILED_PRECONDITION":
        return "see where Google offers the Gemini API, or reach the model through openrouter"
    return usual_mends(endpoint).get(code, "")


def _details(body: object) -> list[Mapping[str, Any]]:
    """Find the typed details (google.rpc.ErrorInfo, QuotaFailure, RetryInfo, ...) in an error's body."""
    inner = body.get("error") if isinstance(body, Mapping) else None
    details = inner.get("details") if isinstance(inner, Mapping) else None
    return [detail for detail in details if isinstance(detail, Mapping)] if isinstance(details, list) else []


def _is_daily(details: list[Mapping[str, Any]]) -> bool:
    """Tell whether a quota of a whole day is used up (google.rpc.QuotaFailure)."""
    violations = [violation for detail in details for violation in detail.get("violations") or ()]
    return any("PerDay" in str(violation.get("quotaId")) for violation in violations if isinstance(violation, Mapping))


def _delay_s(details: list[Mapping[str, Any]]) -> float | None:
    """Return how long Google asks us to wait (seconds; google.rpc.RetryInfo), None if it does not."""
    for detail in details:
        if match := DURATION.fullmatch(str(detail.get("retryDelay"))):
            return float(match[1])
    return None
