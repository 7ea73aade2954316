"""A power cut takes what was not synced, and nothing else."""

import socket
from pathlib import Path

import pytest

from tests.chaos.power import Notes, compile_notes, compiler
from tests.redis_server import RedisServer

pytestmark = [
    pytest.mark.skipif(compiler() is None, reason="power cuts need a C compiler (gcc)"),
    pytest.mark.usefixtures("redis_7"),  # older ones write their files in another way than the power is cut from
]


@pytest.fixture
async def notes(tmp_path: Path) -> Notes:
    (tmp_path / "notes").mkdir()
    return Notes(await compile_notes(tmp_path), tmp_path / "notes")


def ask(server: RedisServer, command: str) -> str:
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(f"{command}\r\n".encode())
        return connection.recv(4096).decode().strip()


def cut_power(server: RedisServer, notes: Notes) -> int:
    server.kill()
    gone = notes.cut(server.folder)
    server.start()
    return gone


def test_what_is_synced_at_once_stays(notes: Notes) -> None:
    with RedisServer(tcp=True, env=notes.environ, appendfsync="always") as server:
        for number in range(50):
            assert ask(server, f"SET key{number} value") == "+OK"
        assert cut_power(server, notes) == 0
        assert ask(server, "DBSIZE") == ":50"


def test_what_is_never_synced_is_gone(notes: Notes) -> None:
    with RedisServer(tcp=True, env=notes.environ, appendfsync="no") as server:
        assert ask(server, "SET key value") == "+OK"
        assert cut_power(server, notes) > 0
        assert ask(server, "DBSIZE") == ":0"


def test_what_a_rewritten_file_holds_stays(notes: Notes) -> None:
    with RedisServer(tcp=True, env=notes.environ, appendfsync="always") as server:
        ask(server, "SET old value")
        ask(server, "BGREWRITEAOF")
        while "aof_rewrite_in_progress:1" in ask(server, "INFO persistence"):
            pass
        ask(server, "SET new value")
        assert cut_power(server, notes) == 0
        assert ask(server, "DBSIZE") == ":2"
