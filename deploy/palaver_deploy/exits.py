"""How a command ends: its exit code, and one line on stderr where something went wrong.

2 is for wrong usage and bad input, 1 for a run that ended with errors and for a bus or a disk that failed. A signal
that stops us gives 128 + its number, as shells count: 130 for Ctrl-C, 143 for SIGTERM, 141 for a reader of our output
that has left. A bug of ours is none of these: it shows its traceback.
"""

import signal
from collections.abc import Iterator

import click

from palaver_protocols.errors import PalaverError, ProtocolError, UsageError

__all__ = ["FAILED", "INTERRUPTED", "UNREAD", "USAGE", "UnreadError", "after_signal", "complain", "explain", "misused"]

FAILED = 1
USAGE = 2


def after_signal(signum: signal.Signals) -> int:
    """Return the exit code of a process that a signal has stopped."""
    return 128 + signum


class UnreadError(Exception):
    """Whoever read our output has heard enough."""


INTERRUPTED = after_signal(signal.SIGINT)
UNREAD = after_signal(signal.SIGPIPE)


def complain(message: str, code: int) -> int:
    """Say in one line on stderr what is wrong; return the exit code that goes with it."""
    click.echo(f"palaver: {' '.join(message.split())}", err=True)
    return code


def misused(error: click.ClickException) -> int:
    """Say that a command line makes no sense, and where to read about it."""
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "palaver"
    return complain(f"{error.format_message()} (see `{path} --help`)", USAGE)


def explain(error: Exception) -> int:
    """Say what went wrong.

    Raises:
        Exception: the same one, where neither we nor the system raised it on purpose: a bug.
    """
    cause = next((leaf for leaf in _leaves(error) if isinstance(leaf, PalaverError | OSError)), None)
    match cause:
        case UsageError() | ProtocolError():
            return complain(str(cause), USAGE)
        case PalaverError():
            return complain(str(cause), FAILED)
        case OSError():
            return complain(f"{cause.filename or 'input or output failed'}: {cause.strerror or cause}", FAILED)
    raise error


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors of a group of groups, as a task group raises them."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error
