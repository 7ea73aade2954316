"""The documents that describe the protocol to others."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from palaver_broker.mqtt.topics import Topics
from palaver_broker.topics import episode_log, inbox, notes, outbox
from palaver_protocols.codec import decode, encode
from palaver_protocols.messages import VERSION, Wire
from palaver_protocols.schema import asyncapi, courtesies, examples, json_schema
from palaver_protocols.strangers import read_stranger
from tests.protocols.strategies import wires

EXAMPLES = (*examples(), *courtesies())
SCHEMA = json_schema()
ASYNCAPI = asyncapi()
MQTT = ("mqttIn", "mqttOut", "mqttNote")
VALIDATOR = Draft202012Validator(SCHEMA)
TYPES = {
    *("turn.request", "turn.reply", "turn.failure", "episode.started", "turn.taken", "aside", "seat.changed"),
    *("episode.ended", "agent.hello", "notice"),
}


def plain(message: Wire) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(encode(message))
    return values


def refs(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from refs(value)
    elif isinstance(node, list):
        for value in node:
            yield from refs(value)


def resolve(document: dict[str, Any], ref: str) -> Any:
    node: Any = document
    for step in ref.removeprefix("#/").split("/"):
        node = node[step]
    return node


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["title"]
    assert SCHEMA["description"]


def test_the_schema_tells_messages_apart_by_type() -> None:
    assert SCHEMA["discriminator"]["propertyName"] == "type"
    assert set(SCHEMA["discriminator"]["mapping"]) == TYPES
    kinds = [resolve(SCHEMA, option["$ref"]) for option in SCHEMA["oneOf"]]
    assert {kind["properties"]["type"]["const"] for kind in kinds} == TYPES
    assert all(kind["description"] for kind in kinds)


@pytest.mark.parametrize("document", [SCHEMA, ASYNCAPI], ids=["json_schema", "asyncapi"])
def test_every_reference_resolves(document: dict[str, Any]) -> None:
    assert all(resolve(document, ref) is not None for ref in refs(document))


@pytest.mark.parametrize("document", [SCHEMA, ASYNCAPI], ids=["json_schema", "asyncapi"])
def test_the_documents_are_plain_json(document: dict[str, Any]) -> None:
    assert json.loads(json.dumps(document)) == document


def test_there_is_an_example_of_every_type() -> None:
    assert {plain(example)["type"] for example in EXAMPLES} == TYPES
    assert SCHEMA["examples"] == [plain(example) for example in EXAMPLES]
    assert [decode(encode(example)) for example in examples()] == list(examples())


def test_an_agent_may_greet_as_the_example_does() -> None:
    greeting, _ = courtesies()
    assert read_stranger(encode(greeting), "bus/my-agent") == greeting


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.type)
def test_examples_are_valid(example: Wire) -> None:
    VALIDATOR.validate(plain(example))


@given(wires)
def test_everything_that_is_encoded_is_valid(message: Wire) -> None:
    VALIDATOR.validate(plain(message))


@given(wires)
def test_unknown_fields_are_valid(message: Wire) -> None:
    VALIDATOR.validate({**plain(message), "mood": "cheerful"})


@pytest.mark.parametrize(
    "change",
    [{"type": "turn.murmur"}, {"type": None}, {"version": "2.0"}, {"turn": -1}, {"view": [{"speaker": "A"}]}],
    ids=str,
)
def test_the_schema_refuses_what_is_wrong(change: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid({**plain(examples()[0]), **change})


@pytest.mark.parametrize("field", ["type", "version", "key", "view"])
def test_the_schema_misses_what_is_left_out(field: str) -> None:
    message = plain(examples()[0])
    del message[field]
    assert not VALIDATOR.is_valid(message)


def test_asyncapi_has_what_the_standard_asks_for() -> None:
    assert ASYNCAPI["asyncapi"] == "3.0.0"
    assert ASYNCAPI["info"]["title"]
    assert ASYNCAPI["info"]["version"] == VERSION
    assert all({"action", "channel"} <= set(operation) for operation in ASYNCAPI["operations"].values())


def test_channels_are_where_the_doors_are() -> None:
    addresses = {name: channel["address"] for name, channel in ASYNCAPI["channels"].items()}
    topics = Topics("{bus}", "{name}")
    assert addresses == {
        "inbox": inbox("{agent}"),
        "outbox": outbox("{agent}"),
        "notes": notes("{agent}"),
        "episodeLog": episode_log("{run}", "{episode}"),
        "socket": "/v1/agent",
        "requests": "/v1/agent/requests",
        "messages": "/v1/agent/messages",
        "blobs": "/v1/blobs/{sha256}",
        "mqttIn": topics.questions,
        "mqttOut": topics.answers,
        "mqttNote": topics.notices,
        "mqttBlob": topics.picture("{sha256}"),
    }


@pytest.mark.parametrize("channel", ASYNCAPI["channels"].values(), ids=ASYNCAPI["channels"])
def test_parameters_are_those_of_the_address(channel: dict[str, Any]) -> None:
    assert all(f"{{{name}}}" in channel["address"] for name in channel["parameters"])
    assert len(channel["parameters"]) == channel["address"].count("{")


@pytest.mark.parametrize("channel", ASYNCAPI["channels"].values(), ids=ASYNCAPI["channels"])
def test_a_channel_is_on_a_server_and_carries_something(channel: dict[str, Any]) -> None:
    assert [resolve(ASYNCAPI, server["$ref"])["host"] for server in channel["servers"]]
    assert channel["messages"]


@pytest.mark.parametrize("door", [("inbox", "outbox", "notes"), ("socket",), ("requests", "messages"), MQTT])
def test_the_same_is_said_behind_every_door(door: tuple[str, ...]) -> None:
    said = {
        (operation["action"], message_of(ref)["name"])
        for operation in ASYNCAPI["operations"].values()
        if operation["channel"]["$ref"].rpartition("/")[2] in door
        for ref in operation["messages"]
    }
    asked = {("receive", "requests")} if "requests" in door else {("receive", "turn.request"), ("receive", "notice")}
    assert said == asked | {("send", "turn.reply"), ("send", "turn.failure"), ("send", "agent.hello")}


def message_of(ref: dict[str, str]) -> dict[str, Any]:
    """Return the message that an operation names, by way of its channel."""
    found: dict[str, Any] = resolve(ASYNCAPI, ref["$ref"])
    return resolve(ASYNCAPI, found["$ref"]) if "$ref" in found else found


@pytest.mark.parametrize("operation", ASYNCAPI["operations"].values(), ids=ASYNCAPI["operations"])
def test_an_operation_uses_messages_of_its_channel(operation: dict[str, Any]) -> None:
    for side in (operation, operation.get("reply", operation)):
        assert all(ref["$ref"].startswith(side["channel"]["$ref"] + "/messages/") for ref in side["messages"])


@pytest.mark.parametrize("message", ASYNCAPI["components"]["messages"].values(), ids=lambda message: message["name"])
def test_asyncapi_examples_validate_against_their_payload(message: dict[str, Any]) -> None:
    validator = Draft202012Validator({**message["payload"], "components": ASYNCAPI["components"]})
    assert message["examples"]
    for example in message["examples"]:
        validator.validate(example["payload"])
        assert example["payload"]["type"] == message["name"]
