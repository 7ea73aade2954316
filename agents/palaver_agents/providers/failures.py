"""What goes wrong at providers, whoever they are: one table of codes, one line for people, no secrets in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

import aiohttp

from palaver_protocols.errors import AgentError
from palaver_protocols.quirks import ChatMessage, wrong_pictures

from .endpoint import Endpoint

__all__ = [
    "MAY_PASS",
    "check_pictures",
    "code_of",
    "failure",
    "is_about_schemas",
    "line_errors",
    "no_answer",
    "refused",
    "retry_after_s",
    "sentence_in",
    "usual_mends",
    "valid_key",
]

BY_STATUS = {
    401: "auth",
    402: "quota",
    403: "auth",
    404: "unknown_model",
    408: "server",
    409: "server",
    413: "context_length",
    429: "rate_limited",
    529: "overloaded",
}
MAY_PASS = {
    "bad_response",
    "disconnected",
    "no_picture",
    "overloaded",
    "rate_limited",
    "server",
    "timeout",
    "unreachable",
}
"""The errors for which asking again may help."""

TOO_LONG = re.compile(
    r"(maximum|available|model's) context|context (length|window|size)|prompt is too long|input token count"
    r"|maximum (prompt|model) length|too many tokens|token length too long|exceeded model token limit",
    re.IGNORECASE,
)
BLIND = re.compile(
    r"image(_url| inputs?| content| modality|\(s\) may be provided)|not a multimodal model"
    r"|images? (is|are) (not |only )|support(s|ing)? (image|vision|multimodal)",
    re.IGNORECASE,
)
"""What models say that cannot see: status 400 mostly, OpenRouter 404."""
BLIND_STATUSES = (400, 404, 415, 422)
SCHEMALESS = re.compile(
    r"response_?(format|json_?schema|schema|mime_?type)|json_schema|output_(config|format)|json mode|json schema"
    r"|structured.output|guided",
    re.IGNORECASE,
)
"""What models say that cannot be held to a JSON Schema, or not to this one."""
OVERLOADED = re.compile(r"overloaded|capacity exceeded", re.IGNORECASE)
"""What a provider says that has too many customers, and not too many calls of ours."""
SECRET = re.compile(r"\b(sk|sess|key|AIza|xai)-?[\w*.-]{6,}")
"""Keys as providers quote them back, half masked."""


def failure(endpoint: Endpoint, said: str, code: str, mend: str = "", wait_s: float | None = None) -> AgentError:
    """Make an error of a code; whether asking again may help follows from it."""
    may_pass = code in MAY_PASS
    return AgentError(
        _line(endpoint, said), code=code, retryable=may_pass, retry_after_s=wait_s if may_pass else None, mend=mend
    )


def code_of(status: int, said: str) -> str:
    """Sort an answer that is an error by its HTTP status, and by what it says where the status does not tell."""
    if (status == 429 or status >= 500) and OVERLOADED.search(said):
        return "overloaded"
    if status in BLIND_STATUSES and BLIND.search(said):
        return "pictures"
    if status in BY_STATUS:
        return BY_STATUS[status]
    if status >= 500:
        return "server"
    return "context_length" if TOO_LONG.search(said) else "bad_request"


def is_about_schemas(error: AgentError) -> bool:
    """Tell whether a provider has refused a question for the schema that its answer was to have."""
    # OpenRouter has status 404 where none of a model's hosts takes what is asked for.
    return error.code in ("bad_request", "unknown_model") and bool(SCHEMALESS.search(error.message))


def check_pictures(endpoint: Endpoint, messages: Sequence[ChatMessage]) -> None:
    """Make sure that a model takes the pictures that it would be shown.

    Raises:
        AgentError: it does not; nothing has been sent, and nothing has been paid.
    """
    if wrong := wrong_pictures(messages, endpoint.quirks.pictures):
        mend = "seat a model that takes them, or mend its `quirks: {pictures: ...}` in palaver.providers.yaml"
        raise failure(endpoint, f"the pictures cannot be sent: {wrong[0]}", "pictures", mend)


def no_answer(endpoint: Endpoint, kind: str, why: str, code: str = "bad_response") -> AgentError:
    """Say that what came with a status of success is none of what people call ``kind``."""
    return failure(endpoint, f"the answer is no {kind}: {why}", code)


def refused(
    endpoint: Endpoint,
    said: str,
    status: int,
    code: str,
    headers: Mapping[str, str],
    *,
    mends: Mapping[str, str],
    wrong_key: bool = False,
    wait_s: float | None = None,
) -> AgentError:
    """Make an error of an answer whose status says that it is one.

    Args:
        endpoint: who answered.
        said: what it said.
        status: of the answer.
        code: of the error.
        headers: of the answer.
        mends: what would help, by code, where it is not what usually would.
        wrong_key: whether it is the key that is refused. What is said then may quote it, and is not passed on.
        wait_s: how long to wait (seconds), if the headers do not say.
    """
    if wrong_key:
        said = f"the key in {endpoint.key_variable} is refused" if endpoint.key else "it wants a key"
        mends = {**mends, "auth": valid_key(endpoint)}
    mend = {**usual_mends(endpoint), **mends}.get(code, "")
    wait = retry_after_s(headers, datetime.now(UTC))
    return failure(endpoint, f"{said} (status {status})", code, mend, wait_s if wait is None else wait)


def usual_mends(endpoint: Endpoint) -> dict[str, str]:
    """Return what helps against errors, by their code, whoever the provider is."""
    return {
        "auth": f"check {endpoint.key_variable}",
        "unknown_model": f"check the model's name, and the URL {endpoint.base_url}",
        "pictures": f"if {endpoint.model} cannot see, play with --set modality=text where the game has it, "
        "or write `quirks: {pictures: {most: 0}}` for it into palaver.providers.yaml",
    }


def valid_key(endpoint: Endpoint) -> str:
    """Return what helps where there is no key, or a wrong one."""
    return f"set {endpoint.key_variable} to a valid key"


@contextmanager
def line_errors(endpoint: Endpoint, timeout_s: float, broken: type[Exception] = aiohttp.ClientError) -> Iterator[None]:
    """Turn what goes wrong on the line into an :class:`AgentError`; ``broken`` is what the SDK raises then."""
    try:
        yield
    except TimeoutError as error:
        raise _too_late(endpoint, timeout_s) from error
    except (aiohttp.ClientError, broken) as error:
        raise _lost(endpoint, error, timeout_s) from error


def _lost(endpoint: Endpoint, error: Exception, timeout_s: float) -> AgentError:
    """Say how a connection failed. Only the innermost cause knows: SDKs call all of them timeouts."""
    causes = [error, *_causes(error)]
    said = next((str(cause) for cause in reversed(causes) if str(cause)), type(error).__name__)
    if any(isinstance(cause, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError) for cause in causes):
        return failure(endpoint, f"{endpoint.base_url} cannot be reached: {said}", "unreachable")
    if any(isinstance(cause, TimeoutError) for cause in causes):
        return _too_late(endpoint, timeout_s)
    if any(isinstance(cause, aiohttp.ClientResponseError) for cause in causes):
        return failure(endpoint, f"{endpoint.base_url} does not speak HTTP: {said}", "bad_response")
    return failure(endpoint, f"the connection to {endpoint.base_url} broke: {said}", "disconnected")


def _too_late(endpoint: Endpoint, timeout_s: float) -> AgentError:
    return failure(endpoint, f"no answer within {timeout_s:g} s", "timeout")


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how long a provider asks us to wait (seconds), from ``retry-after-ms`` or ``retry-after``; None if not.

    Args:
        headers: of the answer; names in lower case, or without regard to case.
        now: with a time zone, for a ``retry-after`` that names a date.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    wait = headers.get("retry-after", "")
    seconds = _number(wait)
    if seconds is not None:
        return seconds
    try:
        until = parsedate_to_datetime(wait)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if isfinite(number) else None


def _causes(error: BaseException) -> Iterator[BaseException]:
    while (cause := error.__cause__) is not None:
        yield (error := cause)


def sentence_in(body: object) -> str:
    """Find the sentence in an error's body, whichever of the known shapes it has."""
    if isinstance(body, list) and body:
        return _first_of(body[0])
    if not isinstance(body, Mapping):
        return str(body or "it does not say why")
    said = sentence_in(body.get("message") or body.get("error") or body.get("detail"))
    metadata = body.get("metadata")
    # OpenRouter says "Provider returned error", and here what the provider returned.
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return f"{said}: {raw}" if raw else said


def _first_of(problem: object) -> str:
    """Say what is wrong with a request, and where: pydantic's shape, as Mistral and vLLM pass it on."""
    if not isinstance(problem, Mapping) or "msg" not in problem:
        return sentence_in(problem)
    where = problem.get("loc") or ()
    return f"{'.'.join(str(step) for step in where)}: {problem['msg']}" if where else str(problem["msg"])


def _line(endpoint: Endpoint, said: str) -> str:
    """Name the model, and say it in one line, without secrets."""
    hidden = said.replace(endpoint.key, "***") if endpoint.key else said
    line = " ".join(SECRET.sub("***", hidden).split())
    short = line if len(line) <= 300 else f"{line[:200]} ... {line[-90:]}"
    return f"{endpoint.provider}/{endpoint.model}: {short}"
