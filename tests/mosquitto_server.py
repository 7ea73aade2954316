"""A real mosquitto, as a child that tests may kill: with the configuration that we ship, in a folder of its own."""

import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from tests.redis_server import free_port

__all__ = ["ADMIN", "MosquittoServer", "binaries", "mosquitto_server"]

CONFIG = Path(__file__).parents[1] / "deploy" / "mosquitto" / "mosquitto.conf"
PLUGIN = "mosquitto_dynamic_security.so"
PLACES = ("/usr/lib", "/usr/local/lib", "/opt/homebrew/lib")
ADMIN = "the-admin-s-password"
START_S = 20.0


def binaries() -> tuple[str, str, str]:
    """Return the paths of mosquitto, mosquitto_ctrl and the plugin; skip the test where one is missing."""
    found = [
        shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
        for name in ("mosquitto", "mosquitto_ctrl")
    ]
    plugin = next((path for place in PLACES for path in Path(place).glob(f"**/{PLUGIN}")), None)
    if None in found or plugin is None:
        pytest.skip("there is no mosquitto with its dynamic-security plugin: apt-get install mosquitto")
    return str(found[0]), str(found[1]), str(plugin)


class MosquittoServer:
    """A mosquitto on a port of the loopback; use it as a context, or ``start`` and ``stop`` it.

    Args:
        changes: settings of :data:`CONFIG` to have otherwise; None leaves one out.
    """

    def __init__(self, **changes: str | None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mq-"))
        self.port, self.websocket_port = free_port(), free_port()
        mosquitto, control, plugin = binaries()
        self._binary = mosquitto
        users = self.folder / "users.json"
        changes = {"plugin": plugin, "plugin_opt_config_file": str(users), **changes}
        text = CONFIG.read_text().replace("listener 1883 ", f"listener {self.port} ")
        text = text.replace("listener 9001 ", f"listener {self.websocket_port} ")
        for name, value in changes.items():
            line = "" if value is None else f"{name} {value}"
            text, there = re.subn(rf"^{name} .*$", line, text, flags=re.MULTILINE)
            if not there:
                text = f"{line}\n{text}"
        self.config = self.folder / "mosquitto.conf"
        # Started by root, mosquitto becomes another user, who may not write here.
        self.config.write_text(f"user root\npersistence_location {self.folder}/\n{text}")
        subprocess.run([control, "dynsec", "init", str(users), "admin", ADMIN], check=True, capture_output=True)
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, user: str, password: str = "") -> str:
        """Where a user finds it."""
        return f"mqtt://{user}{password and ':'}{password}@127.0.0.1:{self.port}"

    @property
    def admin_url(self) -> str:
        """Where its administrator finds it."""
        return self.url("admin", ADMIN)

    @staticmethod
    def hash_passwords(file: Path) -> None:
        """Make NAME:PASSWORD lines what ``password_file`` wants, for a server without the plugin."""
        found = shutil.which("mosquitto_passwd")
        assert found, "it comes with mosquitto"
        subprocess.run([found, "-U", str(file)], check=True, capture_output=True)

    @property
    def log(self) -> str:
        """What it has logged."""
        return (self.folder / "log").read_text(errors="replace")

    def start(self) -> Self:
        """Start it; return when it can be connected to."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([self._binary, "-c", str(self.config)], stdout=log, stderr=log)
        deadline = time.monotonic() + START_S
        while not self._listens():
            assert self._process.poll() is None, f"mosquitto ended:\n{self.log}"
            assert time.monotonic() < deadline, f"mosquitto did not listen:\n{self.log}"
            time.sleep(0.005)
        return self

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """End it with SIGKILL, and wait until it has ended."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

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
def mosquitto_server() -> Iterator[MosquittoServer]:
    """One server for all tests of a process that leave it as it is; each takes a bus of its own on it."""
    with MosquittoServer() as server:
        yield server
