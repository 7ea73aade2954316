"""`docs/protocol.md` is true: its messages are valid, its numbers are ours, its bytes are what Redis sends."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from palaver_broker.gateway import Rules
from palaver_broker.redis import RedisBroker
from palaver_broker.redis.acl import Users
from palaver_broker.redis.outboxes import MOST_BYTES, MOST_ENTRIES
from palaver_broker.strangers import Stranger, digest_of
from palaver_protocols.messages import TurnRequest, Usage
from palaver_protocols.schema import json_schema
from palaver_protocols.strangers import LIMITS, AgentHello, Notice, Reason, read_stranger
from tests.redis_server import RedisServer
from tests.support import NOON

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
TOKEN = "my-agent.Q2hvb3NlLWEtdG9rZW4tbm9ib2R5LWNhbi1ndWVzcw"
VALIDATOR = Draft202012Validator(json_schema())
ME = "bus/my-agent"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


MESSAGES: list[dict[str, Any]] = [json.loads(block) for block in blocks("json")]
BYTES = [
    (way, said.replace("\\r\\n", "\r\n").encode())
    for block in blocks("resp")
    for way, _, said in (line.partition(" ") for line in block.splitlines())
]


def test_there_is_an_example_of_every_message_that_an_agent_needs() -> None:
    types = {message["type"] for message in MESSAGES}
    assert types == {"turn.request", "turn.reply", "turn.failure", "agent.hello", "notice"}


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: str(message["type"]))
def test_messages_are_valid(message: dict[str, Any]) -> None:
    VALIDATOR.validate(message)
    if message["type"] not in ("turn.request", "notice"):
        read_stranger(json.dumps(message).encode(), ME)


@pytest.mark.parametrize("model", [TurnRequest, AgentHello, Notice, Usage])
def test_every_field_is_told(model: type[TurnRequest]) -> None:
    assert [name for name in model.model_fields if f"`{name}`" not in PAGE] == []


def test_every_reason_is_told() -> None:
    assert [reason for reason in get_args(Reason) if f"| `{reason}` |" not in PAGE] == []


def test_the_numbers_are_those_of_the_limits() -> None:
    table = PAGE.partition("## Limits\n")[2].partition("\n## ")[0]
    rules, mib = Rules(), 2**20
    for row in (
        f"| a message that you send | {LIMITS.message_bytes:,} bytes ({LIMITS.message_bytes // 1024} KiB) |",
        f"| messages that you send | {LIMITS.per_second:g} a second, {LIMITS.burst} in a burst |",
        f"| connections to the gateway, waiting polls included | {LIMITS.connections} |",
        f"| {rules.bytes_per_second // mib} MiB a second, {rules.burst_bytes // mib} MiB in a burst |",
        f"| questions that are with you at a time, at the gateway and by MQTT | {LIMITS.concurrency} |",
        f"| {MOST_ENTRIES:,}, the oldest go first; and {MOST_BYTES // mib} MiB, beyond which all go.",
    ):
        assert row in table


def words(raw: bytes) -> list[str]:
    """Read a command of RESP, holding each length to its word."""
    lines = raw.split(b"\r\n")
    count, lengths, found = int(lines[0][1:]), lines[1:-1:2], lines[2::2]
    assert [int(length[1:]) for length in lengths] == [len(word) for word in found]
    assert count == len(found)
    return [word.decode() for word in found]


def timeless(raw: bytes) -> bytes:
    """Blank out the times in ids."""
    return re.sub(rb"\d{13}-\d", b"TIME-0", raw)


@pytest.mark.usefixtures("redis_7")
async def test_the_bytes_are_those_that_redis_sends() -> None:
    question = BYTES[3][1].split(b"\r\n")[-2].decode()
    notice = BYTES[9][1].split(b"\r\n")[-2].decode()
    with RedisServer(tcp=True) as server:
        async with asyncio.timeout(20), RedisBroker(server.tcp_url) as broker:
            known = Stranger("my-agent", frozenset(["redis"]), digest_of(TOKEN), NOON)
            await Users(broker.link).make(known)
            await broker.link.call(
                *("XADD", f"{{palaver}}:in:{ME}", "1767225600000-0"),
                *("k", json.loads(question)["key"], "m", question),
            )
            await broker.link.call("XADD", f"{{palaver}}:note:{ME}", "*", "m", notice)
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            for (_, sent), (_, expected) in zip(BYTES[::2], BYTES[1::2], strict=True):
                assert words(sent)
                writer.write(sent)
                assert timeless(await reader.readexactly(len(expected))) == timeless(expected)
            writer.close()
            await writer.wait_closed()


def test_the_bytes_go_there_and_back_in_turn() -> None:
    assert [way for way, _ in BYTES] == [">", "<"] * (len(BYTES) // 2)
    said = [json.loads(words(raw)[-1]) for way, raw in BYTES if way == ">" and words(raw)[0] == "XADD"]
    assert all(read_stranger(json.dumps(message).encode(), ME).key for message in said)
    assert said
