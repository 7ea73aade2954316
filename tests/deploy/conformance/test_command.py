"""``palaver check-agent`` as users call it: exit codes, what is printed, and what stays when it is stopped."""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from palaver_broker.redis import Link
from palaver_broker.redis.strangers import Strangers
from palaver_deploy.conformance import checking
from palaver_deploy.conformance.points import POINTS
from tests.deploy.children import child
from tests.deploy.conformance.clumsy_agents import Twice, WrongKey
from tests.deploy.conformance.redis_agents import Agent, DeadError, Plain, living
from tests.deploy.conftest import Palaver
from tests.redis_server import RedisServer, fresh_bus

REPORT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["agent", "passed", "questions", "took_s", "latency_s", "points"],
    "properties": {
        "agent": {"type": "string", "pattern": "^bus/"},
        "passed": {"type": "boolean"},
        "questions": {"type": "integer", "minimum": 1},
        "took_s": {"type": "number", "minimum": 0},
        "latency_s": {
            "oneOf": [
                {"type": "null"},
                {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["median", "longest"],
                    "properties": {"median": {"type": "number"}, "longest": {"type": "number"}},
                },
            ]
        },
        "points": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["point", "kind", "mark", "expected", "came", "mend", "section"],
                "properties": {
                    "point": {"enum": list(POINTS)},
                    "kind": {"enum": ["required", "recommended", "informative"]},
                    "mark": {"enum": ["met", "missed", "untried"]},
                    "expected": {"type": "string", "minLength": 1},
                    "came": {"type": "string", "minLength": 1},
                    "mend": {"type": ["string", "null"]},
                    "section": {"type": "string", "minLength": 1},
                },
            },
        },
    },
}
"""What --json prints."""


@pytest.fixture
def url(redis_server: RedisServer) -> str:
    return fresh_bus(redis_server)


Called = Callable[..., Awaitable[tuple[int, str, str]]]


@pytest.fixture
def called(palaver: Palaver, url: str) -> Called:
    """Call the command while an agent lives in this process."""

    async def call(*words: str) -> tuple[int, str, str]:
        said = await asyncio.to_thread(palaver, "check-agent", *words, "--broker", url)
        return said.code, said.out, said.err

    return call


async def as_a_process(home: Path, url: str, *words: str) -> tuple[int, str, str]:
    async with child("check-agent", *words, "--broker", url, cwd=home) as process:
        out, err = await process.communicate()
        assert process.returncode is not None
        return process.returncode, out.decode(), err.decode()


async def test_one_that_passes_has_a_line_for_each_point(redis_server: RedisServer, url: str, home: Path) -> None:
    async with living(redis_server, url, Agent):
        code, out, err = await as_a_process(home, url, "toy")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[1] for line in lines[1 : len(POINTS) + 1]] == list(POINTS)
    assert lines[-1].startswith("bus/toy speaks the protocol")


async def test_one_that_fails_is_told_the_mend(redis_server: RedisServer, url: str, home: Path) -> None:
    async with living(redis_server, url, WrongKey):
        code, out, _ = await as_a_process(home, url, "toy", "--timeout", "1.2")
    assert code == 1
    (row,) = [line for line in out.splitlines() if line.startswith("✗")]
    assert row.split()[1] == "key"
    assert "refused (closed)" in row
    assert POINTS["key"].mend in out
    assert "it misses key; required and not tried: " in out.splitlines()[-1]


async def test_advice_that_is_not_taken_fails_nobody(redis_server: RedisServer, url: str, called: Called) -> None:
    async with living(redis_server, url, Twice):
        code, out, _ = await called("toy")
    assert (code, POINTS["once"].mend in out) == (0, True)


async def test_json_is_one_document_that_keeps_to_its_schema(
    redis_server: RedisServer, url: str, called: Called
) -> None:
    validator = Draft202012Validator(REPORT)
    async with living(redis_server, url, Agent):
        code, out, err = await called("toy", "--json")
        assert (code, err) == (0, "")
        document = json.loads(out)
        validator.validate(document)
        assert [each["point"] for each in document["points"]] == list(POINTS)
        code, out, _ = await called("toy", "--json", "--only", "unicode")
    validator.validate(json.loads(out))
    assert [each["point"] for each in json.loads(out)["points"]] == ["unicode"]
    async with Link(url) as link:
        await Strangers(link).add("nobody", ["redis"])
    code, out, _ = await called("nobody", "--json", "--timeout", "0.3")
    validator.validate(json.loads(out))
    assert (code, json.loads(out)["passed"]) == (1, False)


async def test_a_point_that_could_not_be_tried_fails(url: str, called: Called) -> None:
    async with Link(url) as link:
        await Strangers(link).add("nobody", ["redis"])
    code, out, _ = await called("nobody", "--timeout", "0.3", "--only", "pictures")
    assert code == 1
    assert [line.split()[:2] for line in out.splitlines()[1:3]] == [["✗", "answers"], ["–", "pictures"]]  # noqa: RUF001


async def test_when_it_is_stopped_nothing_of_it_stays(redis_server: RedisServer, url: str, home: Path) -> None:
    asked = asyncio.Event()

    class Listens(Agent):
        async def on_question(self, question: Plain) -> None:
            asked.set()

    async with living(redis_server, url, Listens):
        async with child("check-agent", "toy", "--broker", url, cwd=home) as process:
            await asyncio.wait_for(asked.wait(), 20)
            process.send_signal(signal.SIGINT)
            _, err = await process.communicate()
            assert (process.returncode, err.decode()) == (130, "palaver: stopped; nothing of it is left on the bus\n")
        async with Link(url) as link:
            left = [key.decode() for key in await link.call("KEYS", f"{link.prefix}*")]
            assert await link.call("XLEN", f"{link.prefix}in:bus/toy") == 0
    assert not [key for key in left if key.partition(":")[2].startswith(("log:", "calls:", "gm:", "blob:"))], left


async def test_a_bus_that_goes_away_meanwhile_is_one_line(palaver: Palaver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "PATIENCE_S", 0.3)
    with RedisServer() as server:

        class Unplugs(Agent):
            async def on_question(self, question: Plain) -> None:
                server.kill()
                raise DeadError

        async with living(server, f"{server.url}?bus=b", Unplugs):
            said = await asyncio.to_thread(palaver, "check-agent", "toy", "--broker", f"{server.url}?bus=b")
    assert said.code == 2
    assert said.complaint.startswith("the bus cannot be used: ")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "whom to check is missing"),
        (("toy",), "give --broker URL"),
        (("toy", "--broker", "memory://"), "memory:// lives in one process"),
        (("toy", "--broker", "unix:///nowhere/at/all"), "the bus cannot be used: there is no redis at /nowhere/at/all"),
        (("No Name", "--broker", "BUS"), "'No Name' is no name for an agent on the bus"),
        (("toy", "--broker", "BUS"), "this bus knows no agent 'bus/toy'"),
        (("toy", "--broker", "BUS", "--only", "manners"), "there is no point 'manners'"),
        (("toy", "--broker", "BUS", "--timeout", "0"), "--timeout"),
    ],
)
def test_wrong_usage_is_one_line(
    palaver: Palaver, url: str, words: tuple[str, ...], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PALAVER_BROKER", raising=False)
    monkeypatch.setattr(checking, "PATIENCE_S", 0.1)
    said = palaver("check-agent", *(url if word == "BUS" else word for word in words))
    assert said.code == 2
    assert complaint in said.complaint
