"""What an HTTP server of ours logs, as we log: in one line, and of requests that cannot be read only now and then.

Anybody who can connect can send such requests, token or not; by itself the server logs a traceback of each. Their own
words are left out: a token may be among them.
"""

import logging
import re

import structlog
from aiohttp.http_exceptions import HttpProcessingError

from palaver_protocols.errors import one_line

__all__ = ["server_log", "what_is_wrong"]


def what_is_wrong(about: str) -> str:
    """Return in a line what the server says of a request that it cannot read, without what it quotes of it."""
    said = re.split(r"""(?:\bbytearray\()?\bb['"]|['"]""", about, maxsplit=1)[0]
    return one_line(" ".join(said.split()).rstrip(" :"))


class _OneLine(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._times = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, HttpProcessingError):
            about = f"{type(error).__name__}: {error}" if error else ""
            log = structlog.get_logger()
            log.error("a request failed", about=one_line(record.getMessage()), reason=one_line(about))
            return
        self._times += 1
        if self._times & (self._times - 1) == 0:  # the first, the second, the fourth: a flood is no flood of lines
            log = structlog.get_logger()
            log.info("requests that cannot be read", times=self._times, latest=what_is_wrong(error.message))


def server_log() -> logging.Logger:
    """Return a logger for one server. It is nobody else's, and nothing of it goes to the root logger."""
    log = logging.Logger("palaver.http")
    log.addHandler(_OneLine())
    return log
