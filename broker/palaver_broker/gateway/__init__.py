"""The gateway: WebSocket and HTTP long-poll for agents that are somebody else's programs.

    GET  /v1/agent             a WebSocket: one JSON message a text frame, both ways
    GET  /v1/agent/requests    questions, as soon as there are any
    POST /v1/agent/messages    one message: an answer, a failure, a greeting
    GET  /v1/blobs/SHA256      a picture of a question that this agent was sent here

It stands on any bus and any registry (:mod:`palaver_broker.strangers`), and keeps nothing that cannot be lost: a
question lies on the bus until it is answered, however often a gateway, an agent or the way between them breaks.
"""

from .app import Gateway
from .listening import Listening, listen, tls
from .rules import Rules
from .sessions import Presence
from .tally import Tally

__all__ = ["Gateway", "Listening", "Presence", "Rules", "Tally", "listen", "tls"]
