"""The golden transcripts: made of what the kit sends, true to the schema, and what a real bus says, to the letter."""

import asyncio
import hashlib
import json
from base64 import b64decode
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from redis.asyncio import Redis

from palaver_broker import Commit, Question, answer_box
from palaver_broker.redis import Board, RedisBroker
from palaver_broker.redis.strangers import Strangers
from palaver_broker.topics import episode_log
from palaver_deploy.conformance.checking import check
from palaver_deploy.doors.portering import keep_porter
from palaver_protocols.messages import TurnRequest
from palaver_protocols.schema import json_schema
from tests.deploy.conformance.golden_lines import AGENT, RUN, Lines, Plain, in_lines, made, stored
from tests.deploy.conformance.redis_agents import Agent, living
from tests.deploy.conftest import Palaver
from tests.redis_server import RedisServer, fresh_bus
from tests.support import a_start

WAIT_S = 10
STORED = stored()
VALIDATOR = Draft202012Validator(json_schema())
TYPES = {"turn.request", "turn.reply", "turn.failure", "agent.hello", "notice"}


def test_they_are_made_of_what_the_kit_sends() -> None:
    assert made() == STORED, "write them anew: python -m tests.deploy.conformance.golden_lines"


def test_every_kind_of_message_is_among_them() -> None:
    messages = [line["message"] for lines in STORED.values() for line in lines if "message" in line]
    assert {message["type"] for message in messages} == TYPES
    assert {message["code"] for message in messages if message["type"] == "notice"} == {
        *("accepted", "duplicate", "cancelled", "refused"),
    }


@pytest.mark.parametrize("name", STORED)
def test_they_are_true_to_the_schema(name: str) -> None:
    for line in STORED[name]:
        if "message" in line:
            VALIDATOR.validate(line["message"])
        else:
            assert line["channel"] == "blob:" + hashlib.sha256(b64decode(line["base64"])).hexdigest()


@pytest.mark.parametrize("name", STORED)
async def test_a_real_bus_says_the_same(redis_server: RedisServer, name: str) -> None:
    url = fresh_bus(redis_server)
    async with RedisBroker(url) as broker:
        await Strangers(broker.link).add("my-agent", ["redis"])
        porter = asyncio.create_task(keep_porter(broker, url))
        redis = Redis(unix_socket_path=str(redis_server.socket), decode_responses=True)
        try:
            async with asyncio.timeout(WAIT_S):
                await retold(broker, redis, STORED[name])
        finally:
            await redis.aclose()
            porter.cancel()
            await asyncio.gather(porter, return_exceptions=True)


async def retold(broker: RedisBroker, redis: Redis, lines: Lines) -> None:
    """Do what a transcript says: the agent's part and ours; look whether the bus does its own."""
    prefix = broker.link.prefix
    last = {"in": "0-0", "note": "0-0"}
    asked: dict[str, TurnRequest] = {}

    async def comes(channel: str) -> Plain:
        kind = channel.partition(":")[0]
        while True:
            after: dict[Any, Any] = {prefix + channel: last[kind]}
            read: Any = await redis.xread(after, count=1, block=500)
            if read:
                ((last[kind], fields),) = read[0][1]
                message: Plain = json.loads(fields["m"])
                return message

    for line in lines:
        channel, message = line["channel"], line.get("message")
        if message is None:
            assert await broker.blobs.put(b64decode(line["base64"])) == channel.removeprefix("blob:")
        elif channel.startswith("in:"):
            # Unknown fields stay in what we send, as they would come from a newer game master.
            request = TurnRequest.model_validate(message)
            asked[request.key] = request
            log = episode_log(request.run_id, request.episode_id)
            await broker.commit(Commit(log, 0, None, a_start(run_id=RUN, episode_id=request.episode_id)))
            await broker.ask(Question(request, answer_box("test")))
            known = {name: message[name] for name in json.loads(request.model_dump_json())}
            assert without_news(await comes(channel)) == without_news(known)
        elif channel.startswith("out:"):
            await redis.xadd(prefix + channel, {"m": json.dumps(message)})
            if message["type"] == "agent.hello":
                while not await Board(broker.link).members():  # noqa: ASYNC110 - it is told of by nobody
                    await asyncio.sleep(0.01)
        else:
            if message["code"] == "cancelled":
                assert await broker.withdraw(asked[message["key"]])
            assert await comes(channel) == message


def without_news(message: Plain) -> Plain:
    """Leave out what this version adds to no question of its own."""
    view = [{name: value for name, value in each.items() if name != "tone"} for each in message["view"]]
    sampling = {name: value for name, value in message["sampling"].items() if name != "top_k"}
    return {**message, "view": view, "sampling": sampling}


async def test_an_agent_under_trial_is_asked_what_they_say(redis_server: RedisServer) -> None:
    url = fresh_bus(redis_server)
    async with living(redis_server, url, Agent, "my-agent") as agent:
        await check(url, "my-agent", timeout_s=30)
    sent = {place(question): but_for_names(question) for question in agent.questions}
    golden = [line["message"] for lines in STORED.values() for line in lines if line["channel"] == f"in:{AGENT}"]
    assert [
        question for question in golden if question["attempt"] == 1 and but_for_names(question) != sent[place(question)]
    ] == []


def place(question: Plain) -> tuple[str, int, str]:
    return question["episode_id"], question["turn"], question["seat"]


def but_for_names(question: Plain) -> Plain:
    """Leave out what is another in every run: its name, the keys, and the picture, which is drawn for each."""
    view = [
        {**message, "parts": [part if part["type"] == "text" else part["type"] for part in message["parts"]]}
        for message in question["view"]
    ]
    return {**question, "view": view, "run_id": "", "key": ""}


def test_the_command_prints_them(palaver: Palaver) -> None:
    said = palaver("check-agent", "--golden")
    assert said.code == 0
    assert in_lines(said.out) == [line for name in sorted(STORED) for line in STORED[name]]
