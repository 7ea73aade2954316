"""What a Redis server or the way to it says, in one line each, with what would help.

Three kinds: a *temporary* refusal of one command is met by asking again; a server that is away or not ready is waited
for; what somebody has to set right (a password, a permission) is *lasting*.
"""

import os
import re
import socket
import ssl
from collections.abc import Iterator
from typing import NamedTuple

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, MovedError, RedisError
from redis.exceptions import TimeoutError as RedisTimeout

from palaver_protocols.errors import BrokerError

__all__ = ["TEMPORARY", "ReplyError", "Trouble", "code_of", "refusal", "trouble"]

TEMPORARY = {
    "OOM": "it is out of memory: raise its maxmemory, or let runs be recorded so that they free theirs",
    "READONLY": "it is a replica: let the URL name the master",
    "MISCONF": "it cannot write its data to its disk: make room, look into its log",
    "NOREPLICAS": "too few of its replicas are there: see min-replicas-to-write",
    "BUSY": "a script keeps it: SCRIPT KILL ends one that only reads",
    "LOADING": "it reads its data: wait",
    "MASTERDOWN": "it is a replica and has lost its master: let the URL name the master",
    "CLUSTERDOWN": "its cluster is incomplete: see CLUSTER INFO",
    "TRYAGAIN": "its cluster is moving keys: wait",
    "ASK": "its cluster is moving keys: wait",
}
"""The refusals after which the same command may be taken a little later, and what helps if it is not."""

LASTING = {
    "WRONGPASS": ("refuses our user name or password", "set them right in the broker's URL, with %-escapes"),
    "NOAUTH": ("wants a password", "put it into the broker's URL: redis://:PASSWORD@HOST:PORT"),
    "DENIED": ("is in protected mode, and takes nobody from elsewhere", "give it a password (requirepass or an ACL)"),
    "NOPERM": ("does not let our user in", "permit its commands and keys by ACL SETUSER"),
}
PHRASES = (
    ("without any password configured", "has no password", "take ours out of the broker's URL"),
    ("invalid password", *LASTING["WRONGPASS"]),
    ("Invalid Username or Password", *LASTING["WRONGPASS"]),
    ("DB index is out of range", "has no database of this number", "choose one below its setting `databases`"),
    ("SELECT is not allowed", "is a cluster, which has database 0 only", "name no database in the broker's URL"),
)
"""What the server says only in words, what that means, and what helps."""

IN_OLD_SCRIPTS = re.compile(r"Error running script .*?: -?([A-Z]{3,}) ")
"""Servers before 7.0 put what a command in a script was told into an error of their own."""

IN_SCRIPT = re.compile(r" script: [0-9a-f]{40}, on @user_script:\d+\.?$")
"""Where in a script a command was refused: for us, not for whoever runs palaver."""


class ReplyError(BrokerError):
    """The server refuses a command.

    Args:
        code: the word by which its refusal begins: ``WRONGTYPE``, ``NOGROUP``, ``BUSYGROUP``, … or ``ERR``.
        message: one line.
    """

    def __init__(self, message: str, *, code: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.code = code


class Trouble(NamedTuple):
    """Why there is no connection. ``lasting``: it will be so until somebody sets it right."""

    what: str
    mend: str
    lasting: bool = False

    def error(self) -> BrokerError:
        """Make an error of it, a new one for each who waits: a raised one collects the stacks of its catchers."""
        return BrokerError(self.what, mend=self.mend)


def code_of(error: RedisError) -> str:
    """Return the word by which an error reply begins."""
    if hidden := IN_OLD_SCRIPTS.match(str(error)):
        return hidden[1]
    first = error.status_code or str(error).partition(" ")[0]
    return first if re.fullmatch(r"[A-Z]+", first) else "ERR"


def refusal(error: RedisError, where: str) -> ReplyError:
    """Say what a server refuses."""
    code = code_of(error)
    text = " ".join(IN_SCRIPT.sub("", str(error)).removeprefix(f"{code} ").split())
    mend = TEMPORARY.get(code) or (LASTING[code][1] if code in LASTING else "")
    return ReplyError(f"redis at {where} refuses a command: {code} {text}".rstrip(), code=code, mend=mend)


def trouble(error: BaseException, where: str) -> Trouble:
    """Say why a connection was not made, or was lost."""
    for each in _chain(error):  # on a unix socket, redis-py wraps even what the server said
        if isinstance(each, RedisError) and (said := _said_by_server(each, where)):
            return said
    return _met_on_the_way(_root(error), where)


def _met_on_the_way(reason: BaseException, where: str) -> Trouble:
    what, mend, lasting = f"the connection to redis at {where} broke: {_one_line(reason)}", "see its log", False
    match reason:
        case ssl.SSLCertVerificationError():
            what = f"redis at {where} has no certificate to trust: {reason.verify_message}"
            mend, lasting = "name the authority that signed it: ?ssl_ca_certs=FILE", True
        case ssl.SSLError(reason="WRONG_VERSION_NUMBER" | "RECORD_LAYER_FAILURE"):
            what, mend, lasting = f"what answers at {where} does not speak TLS", "use redis:// for it", True
        case ssl.SSLError():
            what = f"there is no TLS to be had with redis at {where}: {reason.reason or _one_line(reason)}"
            mend = "check the certificates, its own and those in the broker's URL"
        case ConnectionResetError() | BrokenPipeError() | RedisConnectionError(args=("Connection closed by server.",)):
            what, mend = f"redis at {where} hangs up", "see its log; use rediss:// if it wants TLS"
        case InvalidResponse():
            what, mend, lasting = f"what answers at {where} is no redis", "use rediss:// for one behind TLS", True
        case socket.gaierror():
            what, mend = f"there is no host for redis at {where}", "check the host in the broker's URL"
        case TimeoutError() | RedisTimeout():
            what, mend = f"redis at {where} does not answer", "see whether it is busy, paused or cut off"
        case OSError():
            text = os.strerror(reason.errno) if reason.errno else _one_line(reason)
            what, mend = f"there is no redis at {where}: {text}", "start it, or check the broker's URL"
    return Trouble(what, mend, lasting)


def _said_by_server(error: RedisError, where: str) -> Trouble | None:
    if isinstance(error, MovedError):
        return Trouble(f"the bus is no longer at {where} but at {error.host}:{error.port}", "name this node in its URL")
    text, code = str(error), code_of(error)
    for phrase, what, mend in PHRASES:
        if phrase in text:
            return Trouble(f"redis at {where} {what}", mend, lasting=True)
    if code in LASTING:
        what, mend = LASTING[code]
        return Trouble(f"redis at {where} {what}", mend, lasting=True)
    if code in TEMPORARY:
        return Trouble(f"redis at {where} is not ready: {code}", TEMPORARY[code])
    if "max number of clients" in text:
        return Trouble(f"redis at {where} has too many clients", "raise its maxclients, or end idle ones")
    return None


def _root(error: BaseException) -> BaseException:
    """Return what the system said where the client has wrapped it, else the error itself."""
    return next((each for each in _chain(error) if isinstance(each, OSError)), error)


def _chain(error: BaseException) -> Iterator[BaseException]:
    each: BaseException | None = error
    while each is not None:
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
