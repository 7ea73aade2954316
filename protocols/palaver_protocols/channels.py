"""Where messages travel, in the words of AsyncAPI 3.0: servers, channels and operations, as an agent sees them.

There are three doors, and the same messages behind each: Redis itself, the gateway (WebSocket, long-poll) and MQTT 5.
``docs/protocol.md`` says the same in prose, and more.
"""

from collections.abc import Sequence
from typing import Any

from .messages import (
    Aside,
    EpisodeEnded,
    EpisodeStarted,
    SeatChanged,
    TurnFailure,
    TurnReply,
    TurnRequest,
    TurnTaken,
    Wire,
)
from .strangers import AgentHello, Notice

__all__ = ["SECURITY", "channels", "operations", "servers"]

SAID: tuple[type[Wire], ...] = (TurnReply, TurnFailure, AgentHello)
"""What an agent says."""
HEARD: tuple[type[Wire], ...] = (TurnRequest, Notice)
"""What it is told."""
LOG: tuple[type[Wire], ...] = (EpisodeStarted, TurnTaken, Aside, SeatChanged, EpisodeEnded)

SECURITY: dict[str, Any] = {
    "login": {"type": "userPassword", "description": "The agent's NAME as user, its token as password."},
    "token": {"type": "http", "scheme": "bearer", "description": "The agent's token, which begins with its NAME."},
}
"""How an agent shows who it is."""

AGENT = {"agent": {"description": "The agent's full name, `bus/NAME`."}}
EPISODE = {
    "run": {"description": "The run, `run_id` of its messages."},
    "episode": {"description": "The episode, `episode_id` of its messages."},
}
TOPIC = {
    "bus": {"description": "The name of the bus.", "default": "palaver"},
    "name": {"description": "The agent's name, without `bus/`."},
}
PICTURE = {"sha256": {"description": "The picture's SHA-256, 64 hexadecimal digits in lower case."}}
MQTT = {"mqtt": {"qos": 1, "retain": False, "bindingVersion": "0.2.0"}}
_ANYWHERE = {"host": {"default": "localhost", "description": "Where it runs."}}


def servers() -> dict[str, Any]:
    """Return the doors: Redis, the gateway in two ways, MQTT."""
    return {
        "redis": _server("redis", "{host}:6379", "The bus itself, `rediss` with TLS.", "login", "6.2"),
        "gateway": _server("wss", "{host}", "The gateway, by WebSocket; `ws` only on loopback.", "token"),
        "gatewayHttp": _server("https", "{host}", "The gateway, by long-poll.", "token"),
        "mqtt": _server("mqtt", "{host}:8883", "An MQTT broker with the bridge behind it.", "login", "5"),
    }


def _server(protocol: str, host: str, about: str, security: str, version: str | None = None) -> dict[str, Any]:
    return {
        "host": host,
        "protocol": protocol,
        **({"protocolVersion": version} if version else {}),
        "description": about,
        "variables": _ANYWHERE,
        "security": [{"$ref": f"#/components/securitySchemes/{security}"}],
    }


def channels() -> dict[str, Any]:
    """Return where what travels."""
    stream = "A Redis stream; its key begins with the name of the bus in braces and a colon, `{palaver}:`. "
    topic = "palaver/{bus}/agents/{name}"
    named = {**TOPIC, **PICTURE}
    return {
        "inbox": _channel("in:{agent}", f"{stream}Where an agent is asked: field `m`.", AGENT, "redis", [TurnRequest]),
        "outbox": _channel("out:{agent}", f"{stream}Where it answers: field `m`.", AGENT, "redis", SAID),
        "notes": _channel("note:{agent}", f"{stream}What became of what it said: field `m`.", AGENT, "redis", [Notice]),
        "episodeLog": _channel(
            "log:{run}/{episode}",
            f"{stream}The truth about an episode, in order. Written by game masters alone; agents cannot read it.",
            EPISODE,
            "redis",
            LOG,
        ),
        "socket": {
            **_channel("/v1/agent", "A WebSocket: one message a text frame.", {}, "gateway", [*HEARD, *SAID]),
            "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
        },
        "requests": {
            **_channel("/v1/agent/requests", "Questions, as soon as there are any.", {}, "gatewayHttp", []),
            "messages": {"Requests": REQUESTS},
        },
        "messages": _channel(
            "/v1/agent/messages", "One message a POST; a notice is the answer.", {}, "gatewayHttp", [*SAID, Notice]
        ),
        "blobs": {
            **_channel("/v1/blobs/{sha256}", "A picture of a question.", PICTURE, "gatewayHttp", []),
            "messages": {"Picture": BYTES},
        },
        "mqttIn": _channel(f"{topic}/in", "Where an agent is asked.", TOPIC, "mqtt", [TurnRequest]),
        "mqttOut": _channel(f"{topic}/out", "Where it answers.", TOPIC, "mqtt", SAID),
        "mqttNote": _channel(f"{topic}/note", "What became of what it said.", TOPIC, "mqtt", [Notice]),
        "mqttBlob": {
            **_channel(f"{topic}/blob/{{sha256}}", "Pictures, before the questions that show them.", named, "mqtt", []),
            "messages": {"Picture": BYTES},
        },
    }


REQUESTS: dict[str, Any] = {
    "name": "requests",
    "title": "Requests",
    "summary": "Questions that are open to the agent, the oldest first.",
    "contentType": "application/json",
    "payload": {
        "type": "object",
        "required": ["requests"],
        "properties": {"requests": {"type": "array", "items": {"$ref": "#/components/schemas/TurnRequest"}}},
    },
}
"""What a poll brings."""
BYTES: dict[str, Any] = {
    "name": "picture",
    "title": "Picture",
    "summary": "The bytes of a picture: PNG, JPEG, GIF or WebP.",
    "contentType": "application/octet-stream",
}


def _channel(
    address: str, about: str, parameters: dict[str, Any], server: str, kinds: Sequence[type[Wire]]
) -> dict[str, Any]:
    return {
        "address": address,
        "description": about,
        "servers": [{"$ref": f"#/servers/{server}"}],
        "parameters": parameters,
        "messages": {kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in kinds},
    }


def operations() -> dict[str, Any]:
    """Return what an agent does at each door."""
    again = "It may come more than once: same `key`, same answer."
    polled = {"http": {"method": "GET", "query": _QUERY, "bindingVersion": "0.3.0"}}
    posted = {"http": {"method": "POST", "bindingVersion": "0.3.0"}}
    fetched = {"http": {"method": "GET", "bindingVersion": "0.3.0"}}
    return {
        "receiveRequest": {
            **_operation("receive", "inbox", f"Take a question (XREAD). {again}", _names(TurnRequest)),
            "reply": _reply("outbox", TurnReply, TurnFailure),
        },
        "sendMessage": _operation(
            "send", "outbox", "Answer with the question's `key`; say hello (XADD).", _names(*SAID)
        ),
        "receiveNotice": _operation("receive", "notes", "Hear what became of an answer (XREAD).", _names(Notice)),
        "socketReceive": {
            **_operation("receive", "socket", f"Take a question or a notice. {again}", _names(*HEARD)),
            "reply": _reply("socket", TurnReply, TurnFailure),
        },
        "socketSend": _operation("send", "socket", "Answer, or say hello.", _names(*SAID)),
        "poll": {
            **_operation("receive", "requests", f"Take questions. {again}", ["Requests"], polled),
            "reply": _reply("messages", TurnReply, TurnFailure),
        },
        "post": {
            **_operation("send", "messages", "Answer, or say hello.", _names(*SAID), posted),
            "reply": _reply("messages", Notice),
        },
        "fetchPicture": _operation("receive", "blobs", "Fetch a picture.", ["Picture"], fetched),
        "mqttReceive": {
            **_operation("receive", "mqttIn", f"Take a question. {again}", _names(TurnRequest), MQTT),
            "reply": _reply("mqttOut", TurnReply, TurnFailure),
        },
        "mqttSend": _operation("send", "mqttOut", "Answer, or say hello.", _names(*SAID), MQTT),
        "mqttNotice": _operation("receive", "mqttNote", "Hear what became of an answer.", _names(Notice), MQTT),
        "mqttPicture": _operation("receive", "mqttBlob", "Take a picture.", ["Picture"], MQTT),
    }


_QUERY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "wait": {"type": "number", "minimum": 0, "default": 25, "description": "Seconds to wait for a first question."},
        "max": {"type": "integer", "minimum": 1, "default": 8, "description": "How many questions to take at most."},
        "again": {"type": "integer", "enum": [0, 1], "default": 0, "description": "1: also those handed out before."},
    },
}


def _names(*kinds: type[Wire]) -> list[str]:
    return [kind.__name__ for kind in kinds]


def _operation(
    action: str, channel: str, summary: str, messages: Sequence[str], bindings: dict[str, Any] | None = None
) -> dict[str, Any]:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "summary": summary,
        "messages": [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in messages],
        **({"bindings": bindings} if bindings else {}),
    }


def _reply(channel: str, *kinds: type[Wire]) -> dict[str, Any]:
    return {
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{kind.__name__}"} for kind in kinds],
    }
