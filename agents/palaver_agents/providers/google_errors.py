"""What goes wrong at Google's Gemini API, sorted by what the asker can do about it."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from json import JSONDecodeError
from typing import Any

import aiohttp
from google.genai._api_client import EphemeralTokenAPIKeyError  # raised there, and exported nowhere
from google.genai.errors import APIError

from palaver_protocols.errors import AgentError

from .endpoint import Endpoint
from .failures import code_of, failure, lost, retry_after_s, sentence_in

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
        yield
    except APIError as error:
        raise _refused(endpoint, error) from None  # its text holds the whole body, and may quote the key
    except TimeoutError as error:
        raise failure(endpoint, f"no answer within {timeout_s:g} s", "timeout") from error
    except aiohttp.ClientError as error:
        raise lost(endpoint, error, timeout_s) from error
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise failure(endpoint, f"the answer is no JSON: {error}", "bad_response") from error
    except EphemeralTokenAPIKeyError:
        said, mend = "a token for the live API is no key", f"set {endpoint.key_variable} to a valid key"
        raise failure(endpoint, said, "auth", mend) from None
    except ImportError as error:  # the one variable that the SDK reads whatever it is told
        raise failure(endpoint, str(error), "bad_request", "unset GOOGLE_GENAI_HTTP_CLIENT") from error


def _refused(endpoint: Endpoint, error: APIError) -> AgentError:
    """Read an answer whose status says that it is an error."""
    said = sentence_in(error.details)
    details = _details(error.details)
    code = _code(error, said, details)
    mend = _mend(endpoint, error, code, details)
    headers: Mapping[str, str] = getattr(error.response, "headers", {})
    wait = retry_after_s(headers, datetime.now(UTC))
    return failure(endpoint, f"{said} (status {error.code})", code, mend, _delay_s(details) if wait is None else wait)


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
        refused = endpoint.key is None or error.code != 403
        return f"set {endpoint.key_variable} to a valid key" if refused else f"check {endpoint.key_variable}"
    if code == "quota" and _is_daily(details):
        return "resume when the daily quota is renewed, at midnight Pacific time, or enable billing"
    if code == "quota":
        return "look at the project's plan and billing"
    if code == "unknown_model" or 300 <= error.code < 400:
        return f"check the model's name, and the URL {endpoint.base_url}"
    if error.status == "FAILED_PRECONDITION":
        return "see where Google offers the Gemini API, or reach the model through openrouter"
    return ""


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
