"""The protocol as documents, for whoever writes an agent in another language: JSON Schema 2020-12 and AsyncAPI 3.0.

Both are made from the models of :mod:`.messages` and :mod:`.strangers`, so that they cannot drift from what is spoken
(:mod:`.channels` says where). The schema is what to hold one's own messages to: it wants ``type`` and ``version`` spelt
out, and allows unknown fields.
"""

import hashlib
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from .channels import SECURITY, channels, operations, servers
from .codec import encode
from .content import Image, Text
from .messages import (
    VERSION,
    Aside,
    EpisodeEnded,
    EpisodeStarted,
    SeatChanged,
    SeatFiller,
    TurnFailure,
    TurnReply,
    TurnRequest,
    TurnTaken,
    Usage,
    Wire,
)
from .strangers import AgentHello, Notice
from .transcript import USER, Message

__all__ = ["asyncapi", "courtesies", "examples", "json_schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "palaver bus messages"
ABOUT = (
    "What travels between game masters and agents, and what an episode's log is made of. Every message is one line of "
    "UTF-8 JSON. An agent needs `turn.request`, `turn.reply`, `turn.failure`, `agent.hello` and `notice` alone. "
    "Unknown fields are tolerated, since a newer minor version may add some; an unknown major version is refused."
)

_Spoken = Annotated[
    TurnRequest
    | TurnReply
    | TurnFailure
    | AgentHello
    | Notice
    | EpisodeStarted
    | TurnTaken
    | Aside
    | SeatChanged
    | EpisodeEnded,
    Field(discriminator="type"),
]
"""All that is said."""


def json_schema() -> dict[str, Any]:
    """Return one JSON Schema (2020-12) of all messages: a ``oneOf`` that ``type`` decides, all else in ``$defs``."""
    return {
        "$schema": DIALECT,
        "$id": f"urn:palaver:protocol:{VERSION}",
        "title": TITLE,
        "description": ABOUT,
        "examples": [_plain(example) for example in (*examples(), *courtesies())],
        **_schema("#/$defs/{model}"),
    }


def asyncapi() -> dict[str, Any]:
    """Return the AsyncAPI 3.0 document: where which messages travel, with the operations as an agent sees them."""
    schemas = _schema("#/components/schemas/{model}")["$defs"]
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "palaver", "version": VERSION, "description": ABOUT, "license": {"name": "MIT"}},
        "defaultContentType": "application/json",
        "servers": servers(),
        "channels": channels(),
        "operations": operations(),
        "components": {
            "securitySchemes": SECURITY,
            "messages": {type(example).__name__: _message(example) for example in (*examples(), *courtesies())},
            "schemas": _without_discriminators(schemas),
        },
    }


def examples() -> tuple[Wire, ...]:
    """Return one message of each type that the bus reads: the second turn of an episode, and its log."""
    at = datetime(2025, 1, 1, 12, tzinfo=UTC)
    key = "5f0c7e1b9a3d42c8b6e4f1a09d7c3e25"
    task = (Text(text="# Task\nFind the way to * together."), Image(**_PICTURE))
    where = {"run_id": "pilot", "episode_id": "maze-0001", "turn": 1, "seat": "agent_2", "agent": "bus/my-agent"}
    request = TurnRequest(
        key=key,
        game="maze",
        variant="pair",
        partners=("agent_1",),
        view=(
            Message(speaker=USER, parts=task, audience=("agent_2",)),
            Message.text_from("agent_1", "I see a path to the right. You?"),
        ),
        **where,
    )
    reply = TurnReply(
        key=key,
        parts=(Text(text="So do I. Let us go right."),),
        provider="example",
        model="example-1",
        usage=Usage(input_tokens=412, output_tokens=9),
        latency_s=1.25,
        **where,
    )
    failure = TurnFailure(
        key=key, code="rate_limited", message="the provider asks us to wait", retryable=True, retry_after_s=20, **where
    )
    started = EpisodeStarted(
        key="e3a1",
        run_id="pilot",
        episode_id="maze-0001",
        game="maze",
        variant="pair",
        instance_id="6x6-0",
        instance={"grid": ["@.", "#*"]},
        options={"size": 2},
        seats={"agent_1": (SeatFiller(agent="openai/gpt-4.1"),), "agent_2": (SeatFiller(agent="bus/my-agent"),)},
        at=at,
    )
    taken = TurnTaken(key=key, prompts=request.view[:1], reply=reply, at=at + timedelta(seconds=3))
    aside = Aside(
        key="e3a4",
        seat="agent_2",
        kind="answer",
        audience=("agent_2",),
        reply=reply.model_copy(update={"key": "e3a4", "seat": "member_1", "agent": "openai/gpt-4.1-mini"}),
        at=at + timedelta(seconds=2),
    )
    changed = SeatChanged(key="e3a5", seat="agent_1", agent="openai/o3", at=at + timedelta(seconds=5))
    ended = EpisodeEnded(
        key="e3a2", outcome="solved", scores={"success": 1, "grade": None}, at=at + timedelta(seconds=9)
    )
    return request, reply, failure, started, taken, aside, changed, ended


def courtesies() -> tuple[Wire, ...]:
    """Return one message of each type that is spoken with strangers besides: a greeting and a notice."""
    return (
        AgentHello(key="1", agent="bus/my-agent", software="my-agent 0.3", provider="example", model="example-1"),
        Notice(
            key="5f0c7e1b9a3d42c8b6e4f1a09d7c3e25",
            agent="bus/my-agent",
            code="refused",
            reason="closed",
            message="no such question is open to you",
        ),
    )


_PICTURE: dict[str, Any] = {
    "sha256": hashlib.sha256(b"a picture").hexdigest(),
    "media_type": "image/png",
    "width": 320,
    "height": 320,
    "size": 2048,
}


class _Generator(GenerateJsonSchema):
    """Leaves out the title of a field, which only repeats its name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _schema(ref_template: str) -> dict[str, Any]:
    """Make the schema of all messages; tags and versions are required of writers, though readers have defaults."""
    schema = TypeAdapter[Any](_Spoken).json_schema(ref_template=ref_template, schema_generator=_Generator)
    for definition in schema["$defs"].values():
        fields = definition.get("properties", {})
        tags = [name for name in ("type", "version") if name in fields]
        if tags:
            definition["required"] = [*tags, *definition.get("required", [])]
        if "description" in definition:
            definition["description"] = _as_prose(definition["description"])
    return schema


def _as_prose(docstring: str) -> str:
    """Take the markup out of a docstring."""
    unmarked = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", docstring).replace("``", "`")
    return re.sub(r"(?<!\n)\n(?!\n)", " ", unmarked)


def _without_discriminators(node: Any) -> Any:
    """Drop what AsyncAPI spells differently; the constant ``type`` of each alternative says the same."""
    if isinstance(node, dict):
        return {key: _without_discriminators(value) for key, value in node.items() if key != "discriminator"}
    return [_without_discriminators(value) for value in node] if isinstance(node, list) else node


def _message(example: Wire) -> dict[str, Any]:
    """Describe a type of message by an example of it."""
    kind = type(example)
    plain = _plain(example)
    return {
        "name": plain["type"],
        "title": kind.__name__,
        "summary": _as_prose((kind.__doc__ or "").partition("\n")[0]),
        "contentType": "application/json",
        "correlationId": {
            "description": "The same for a question and its answer.",
            "location": "$message.payload#/key",
        },
        "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
        "examples": [{"name": kind.__name__, "payload": plain}],
    }


def _plain(message: Wire) -> dict[str, Any]:
    """Return a message as it goes on the wire, as plain values."""
    plain: dict[str, Any] = json.loads(encode(message))
    return plain
