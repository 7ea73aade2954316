"""Everything that palaver raises on purpose, in one tree.

* PalaverError              the root: one line that names the thing, and the mend
  * UsageError              what the caller asked for cannot be done as asked (exit code 2)
    * InstanceError         an instance or its parameters make no game
  * ProtocolError           a message that cannot be understood
    * VersionError          ... because it speaks another major version
  * BrokerError             the bus failed us, or was asked for something it cannot do
  * AgentError              an agent could not answer; knows whether asking again may help
  * RunError                a run ended with errors (exit code 1)

Callers catch by what they can do about it: mend the input, ask again, or stop.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = [
    "AgentError",
    "BrokerError",
    "InstanceError",
    "PalaverError",
    "ProtocolError",
    "RunError",
    "UsageError",
    "VersionError",
    "first_problem",
    "one_line",
]


OURS = re.compile(r"^(Value|Assertion) error, | or instance of \w+")
"""What pydantic says of its own, or of our classes, that tells a reader nothing."""


class PalaverError(Exception):
    """The root of the tree. ``str(error)`` is one line; ``mend`` says what would help."""

    def __init__(self, message: str, *, mend: str = "") -> None:
        super().__init__(f"{message} ({mend})" if mend else message)
        self.message = message
        self.mend = mend


class UsageError(PalaverError):
    """What the caller asked for cannot be done as asked."""


class InstanceError(UsageError):
    """An instance, or the parameters it is to be made from, make no game."""


class ProtocolError(PalaverError):
    """A message that cannot be understood."""


class VersionError(ProtocolError):
    """A message that speaks another major version of the protocol."""


class BrokerError(PalaverError):
    """The bus failed us, or was asked for something it cannot do."""


class RunError(PalaverError):
    """A run ended with errors."""


class AgentError(PalaverError):
    """An agent could not answer.

    Args:
        message: one line, fit for a log and for the person who pays the bill.
        code: a short stable word for metrics and tests: ``rate_limited``, ``timeout``, ``unreachable``, ...
        retryable: whether asking the same question again may help.
        retry_after_s: seconds that the provider asked us to wait, where it said so.
    """

    def __init__(
        self, message: str, *, code: str, retryable: bool, retry_after_s: float | None = None, mend: str = ""
    ) -> None:
        super().__init__(message, mend=mend)
        self.code = code
        self.retryable = retryable
        self.retry_after_s = retry_after_s


def first_problem(error: "ValidationError") -> str:
    """Say in one line what is wrong with a value that did not validate, and where in it: the first thing found."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(step) for step in first["loc"])
    said = OURS.sub("", first["msg"])
    return f"{where}: {said}" if where else said


def one_line(text: str, limit: int = 300) -> str:
    """Make a stranger's words fit for one line of a log or of a terminal: nothing in them that cannot be seen."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[: limit + 1])
    return line if len(line) <= limit else line[:limit] + "..."
