"""Small makers of messages, shared by the tests of every component."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from palaver_broker import AskResult, Broker, Commit, Question, answer_box
from palaver_broker.topics import episode_log
from palaver_protocols.messages import EpisodeStarted, SeatFiller, TurnFailure, TurnReply, TurnRequest, TurnTaken
from palaver_protocols.transcript import Message

BOX = answer_box("test")
"""Where tests wait for answers."""

LOG = episode_log("run", "e0")
"""The log of the episode that these messages are of."""

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def a_request(key: str = "k0", **changes: Any) -> TurnRequest:
    fields: dict[str, Any] = {
        "key": key,
        "run_id": "run",
        "episode_id": "e0",
        "game": "toy",
        "variant": "plain",
        "turn": 0,
        "seat": "a",
        "agent": "echo",
        "view": (Message.text_from("user", "Say something."),),
    }
    return TurnRequest(**{**fields, **changes})


def a_reply(request: TurnRequest, text: str = "Hello.", **changes: Any) -> TurnReply:
    fields: dict[str, Any] = {
        "key": request.key,
        "run_id": request.run_id,
        "episode_id": request.episode_id,
        "turn": request.turn,
        "seat": request.seat,
        "agent": request.agent,
        "parts": ({"type": "text", "text": text},),
    }
    return TurnReply(**{**fields, **changes})


def a_start(key: str = "start", **changes: Any) -> EpisodeStarted:
    fields: dict[str, Any] = {
        "key": key,
        "run_id": "run",
        "episode_id": "e0",
        "game": "toy",
        "variant": "plain",
        "instance_id": "i0",
        "instance": {},
        "seats": {"a": (SeatFiller(agent="echo"),)},
        "at": NOON,
    }
    return EpisodeStarted(**{**fields, **changes})


def a_failure(request: TurnRequest, **changes: Any) -> TurnFailure:
    fields: dict[str, Any] = {
        "key": request.key,
        "run_id": request.run_id,
        "episode_id": request.episode_id,
        "turn": request.turn,
        "seat": request.seat,
        "agent": request.agent,
        "code": "rate_limited",
        "message": "slow down",
        "retryable": True,
    }
    return TurnFailure(**{**fields, **changes})


def a_turn(key: str, text: str = "Hello.", **changes: Any) -> TurnTaken:
    """Make a turn; ``changes`` are of the reply."""
    return TurnTaken(key=key, reply=a_reply(a_request(key), text, **changes), at=NOON)


async def until(condition: Callable[[], object]) -> None:
    """Wait until something has become true."""
    while not condition():  # noqa: ASYNC110 - what is waited for has no event of its own
        await asyncio.sleep(0.005)


async def ask(broker: Broker, request: TurnRequest, to: str = BOX) -> AskResult:
    """Ask a question as a game master would; its episode begins with the first."""
    log = episode_log(request.run_id, request.episode_id)
    await broker.commit(Commit(log, 0, None, a_start(run_id=request.run_id, episode_id=request.episode_id)))
    return await broker.ask(Question(request, to))
